//! `verify --ranks`: programs that end, hang and fail, with a stand-in for MPI, so that none has to be installed.
//!
//! The stand-in compiles with the compiler that it is told, and starts each rank in a group of its own, as Open MPI does. A
//! barrier of it comes to an end when all ranks have come to it.

use super::interrupt::{MARK, marked, wait};
use super::{Ran, Sandbox, ran};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// The compiler wrapper.
const MPICC: &str = "#!/bin/sh\nexec \"${OMPI_CC:?}\" -I\"${0%/*}\" \"$@\"\n";

/// The launcher: `mpiexec -n N PROGRAM ARGUMENTS`. Its status is that of the last rank that fails, if any does.
const MPIEXEC: &str = r#"#!/bin/sh
[ "$1" = -n ] || exit 9
count=$2 rank=0 status=0 processes=
shift 2
exec 3<&0
room=$(mktemp -d)
while [ $rank -lt "$count" ]; do
  STAND_IN_ROOM=$room STAND_IN_SIZE=$count STAND_IN_RANK=$rank setsid "$@" <&3 &
  processes="$processes $!"
  rank=$((rank + 1))
done
for process in $processes; do
  wait "$process" || status=$?
done
exit $status
"#;

/// What programs include.
const MPI_H: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define MPI_COMM_WORLD 0
static int number(const char *name) { return atoi(getenv(name)); }
static int MPI_Init(int *argc, char ***argv) { return 0; }
static int MPI_Comm_rank(int comm, int *rank) { *rank = number("STAND_IN_RANK"); return 0; }
static int MPI_Comm_size(int comm, int *size) { *size = number("STAND_IN_SIZE"); return 0; }
static int MPI_Barrier(int comm)
{
  static int barriers;
  char name[4096];
  barriers++;
  for (int rank = -1; rank < number("STAND_IN_SIZE"); rank++) {
    int other = rank < 0 ? number("STAND_IN_RANK") : rank;
    snprintf(name, sizeof name, "%s/%d.%d", getenv("STAND_IN_ROOM"), barriers, other);
    if (rank < 0)
      fclose(fopen(name, "w"));
    else
      while (access(name, F_OK))
        usleep(1000);
  }
  return 0;
}
static int MPI_Finalize(void) { return 0; }
"#;

/// A sandbox with a stand-in for MPI and the program `a.c`, which does something between start and end of MPI.
struct Cluster {
    sandbox: Sandbox,
}

impl Cluster {
    fn doing(what: &str) -> Cluster {
        let program = format!(
            "#include <mpi.h>\nint main(int argc, char **argv)\n{{\n  int rank, size;\n  MPI_Init(&argc, &argv);\n  \
             MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n  {what}\n  \
             MPI_Finalize();\n  return 0;\n}}\n"
        );
        let sandbox = Sandbox::new(&[("a.c", &program), ("mpi/mpi.h", MPI_H)]);
        fs::create_dir(sandbox.path().join("tmp")).unwrap();
        let cluster = Cluster { sandbox };
        cluster.tool("mpicc", MPICC);
        cluster.tool("mpiexec", MPIEXEC);
        cluster
    }

    fn tool(&self, name: &str, script: &str) {
        let path = self.sandbox.path().join("mpi").join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// `verify` with these arguments and the stand-in at the head of the path; what it starts bears a mark.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command_in_front(&[&["verify"], args].concat());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [self.sandbox.path().join("mpi")];
        let folders = folders.into_iter().chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap());
        command.env_remove("MPICC").env_remove("MPIEXEC");
        command.env(MARK, self.mark());
        command.env("TMPDIR", self.sandbox.path().join("tmp"));
        command
    }

    fn mark(&self) -> String {
        self.sandbox.path().display().to_string()
    }

    fn run(&self, args: &[&str]) -> Ran {
        ran(self.command(args).output().unwrap())
    }

    /// Waits until no process and no temporary file is left.
    fn settle(&self) {
        wait("processes to end", || marked(&self.mark()).is_empty());
        let left = fs::read_dir(self.sandbox.path().join("tmp")).unwrap().count();
        assert_eq!(left, 0);
    }
}

/// What is said of a program that does something, on 3 ranks.
fn said(what: &str, more: &[&str]) -> Ran {
    let cluster = Cluster::doing(what);
    let ran = cluster.run(&[&["a.c", "--ranks", "3"], more].concat());
    cluster.settle();
    ran
}

#[test]
fn a_program_that_ends_is_said_to() {
    let ran = said("MPI_Barrier(MPI_COMM_WORLD); MPI_Barrier(MPI_COMM_WORLD);", &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.starts_with("verdict: ends on 3 ranks in ") && ran.out.ends_with(" s\n"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
}

#[test]
fn a_program_that_hangs_is_ended_with_all_its_processes() {
    let ran = said("if (rank > 0) MPI_Barrier(MPI_COMM_WORLD);", &["--timeout", "4"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let verdict = "verdict: does not end within 4 s on 3 ranks: its processes were stopped\n";
    assert!(ran.out.starts_with(verdict), "{}", ran.out);
    for advice in ["ompmemopt check --select OMM3", "--timeout SECONDS"] {
        assert!(ran.out.contains(advice), "{}", ran.out);
    }
}

#[test]
fn a_launcher_that_does_not_listen_is_ended_too() {
    let cluster = Cluster::doing("if (rank > 0) MPI_Barrier(MPI_COMM_WORLD);");
    cluster.tool("mpiexec", &MPIEXEC.replacen('\n', "\ntrap '' TERM\n", 1));
    let ran = cluster.run(&["a.c", "--ranks", "3", "--timeout", "4"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    cluster.settle();
}

#[test]
fn a_program_that_fails_is_said_to_with_its_last_words() {
    let ran = said("if (rank == 1) { fprintf(stderr, \"no mesh\\n\"); return 7; }", &[]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let verdict = "verdict: fails on 3 ranks: exit status 7\nstandard error ends with:\n  no mesh\n";
    assert!(
        ran.out.starts_with(verdict) && ran.out.contains("--args"),
        "{}",
        ran.out
    );
    let crash = said("if (rank == 1) abort();", &[]);
    assert!(
        crash.code == 1 && crash.out.contains("exit status 134"),
        "{}{}",
        crash.out,
        crash.err
    );
}

#[test]
fn arguments_input_flags_and_threads_reach_the_program() {
    let what = "int n = 0; if (rank == 0) scanf(\"%d\", &n);\n  \
                if (argc != 3 || argv[2][0] != '-' || NUMBER != 5 || (rank == 0 && n != 41)) return 1;\n  \
                if (size != 4 || omp_get_max_threads() != 2) return 2;";
    let cluster = Cluster::doing(&format!("int omp_get_max_threads(void);\n  {what}"));
    cluster.sandbox.write("in.txt", "41\n");
    let args = ["a.c", "--ranks", "4", "--args", "'an argument' -x", "--stdin", "in.txt"];
    let more = ["--threads", "2", "--", "-DNUMBER=5", "-c", "-fopenmp-targets=nvptx64"];
    let ran = cluster.run(&[&args[..], &more].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn machines_are_told_the_verdict_and_the_reason() {
    let ran = said("if (rank == 2) return 3;", &["--output-format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
    assert_eq!(
        (ran.code, &json["verdict"], &json["ranks"], &json["status"]),
        (1, &"fails".into(), &3.into(), &"exit status 3".into())
    );
    super::schemas::against("verify-ranks.json", &json).unwrap();
}

#[test]
fn an_mpi_that_runs_nothing_says_nothing_of_the_program() {
    let cluster = Cluster::doing("");
    cluster.tool("mpiexec", "#!/bin/sh\necho no slots left >&2\nexit 1\n");
    let ran = cluster.run(&["a.c", "--ranks", "3"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(
        ran.err.contains("cannot run MPI programs on 3 ranks here")
            && ran.err.contains("exit status 1\n  no slots left"),
        "{}",
        ran.err
    );
}

#[test]
fn an_mpi_that_is_slow_itself_says_nothing_of_the_program() {
    let cluster = Cluster::doing("");
    cluster.tool("mpiexec", &MPIEXEC.replacen('\n', "\nsleep 2\n", 1));
    let ran = cluster.run(&["a.c", "--ranks", "3", "--timeout", "1"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    let words = [
        "starting and ending MPI on 3 ranks alone takes ",
        "in 1 s; allow more time with --timeout",
    ];
    assert!(words.iter().all(|part| ran.err.contains(part)), "{}", ran.err);
}

#[test]
fn a_machine_without_mpi_is_told_what_to_install() {
    let cluster = Cluster::doing("");
    let nowhere = cluster.sandbox.path().join("nowhere");
    let on = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ompmemopt"));
        command.args(["verify", "a.c", "--ranks", "2"]);
        command.current_dir(cluster.sandbox.path()).env("PATH", path);
        command.env_remove("MPICC").env_remove("MPIEXEC");
        command
    };
    let none = ran(on(&nowhere).output().unwrap());
    assert_eq!((none.code, none.out.as_str()), (2, ""), "{}", none.err);
    for words in ["there is no `mpicc` on the path", "libopenmpi-dev", "MPICC"] {
        assert!(none.err.contains(words), "{}", none.err);
    }
    let named = ran(on(&nowhere).env("MPICC", "/nowhere/mpicc").output().unwrap());
    assert!(
        named.code == 2 && named.err.contains("MPICC names `/nowhere/mpicc`, which is no program"),
        "{}",
        named.err
    );
    fs::remove_file(cluster.sandbox.path().join("mpi/mpiexec")).unwrap();
    let half = ran(on(&cluster.sandbox.path().join("mpi")).output().unwrap());
    assert!(
        half.code == 2 && half.err.contains("neither `mpiexec` nor `mpirun`"),
        "{}",
        half.err
    );
}

#[test]
fn variables_name_another_mpi() {
    let cluster = Cluster::doing("return argc - 1;");
    cluster.tool("mpiexec", "#!/bin/sh\nexit 1\n");
    cluster.tool(
        "other",
        &MPIEXEC.replacen('\n', "\n[ \"$1\" = --quietly ] || exit 8\nshift\n", 1),
    );
    let other = cluster.sandbox.path().join("mpi/other");
    let mut command = cluster.command(&["a.c", "--ranks", "2"]);
    command.env("MPIEXEC", format!("'{}' --quietly", other.display()));
    let ran = ran(command.output().unwrap());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn what_does_not_compile_exits_with_two() {
    let ran = said("rank = unknown;", &[]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(
        ran.err.contains("a.c does not compile:") && ran.err.contains("unknown"),
        "{}",
        ran.err
    );
}

#[test]
fn numbers_and_options_that_do_not_fit_are_refused() {
    let cluster = Cluster::doing("");
    for args in [
        &["--ranks", "1"][..],
        &["--ranks", "65"],
        &["--ranks", "-3"],
        &["--ranks", "many"],
        &["--ranks", "2", "--timeout", "0"],
        &["--ranks", "2", "--timeout", "18446744073709551615"],
        &["--ranks", "2", "--by-array"],
        &["--ranks", "2", "--reference", "original"],
        &["--ranks", "2", "--rewritten", "a.c"],
    ] {
        let ran = cluster.run(&[&["a.c"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains("--help"), "{}", ran.err);
    }
    let missing = cluster.run(&["none.c", "--ranks", "2"]);
    assert!(missing.code == 2 && missing.err.contains("none.c"), "{}", missing.err);
}

#[test]
fn an_interruption_ends_all_ranks() {
    let cluster = Cluster::doing("fclose(fopen(\"started\", \"w\"));\n  for (;;) pause();");
    let mut child = cluster.command(&["a.c", "--ranks", "3"]).spawn().unwrap();
    wait("the program to start", || {
        cluster.sandbox.path().join("started").exists()
    });
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    cluster.settle();
}
