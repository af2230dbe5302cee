//! `--only`, `--skip` and `--interactive`: some decisions of a run, planned again so that they are right together.

use super::{LOOP, Ran, Sandbox, ran};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Two arrays that stay on the device over one loop, in a region that they share; the host reads one element of the first.
const TWO: &str = "\
#include <stdio.h>
#define N 64
static double u[N], v[N];

static void start(void)
{
  for (int i = 0; i < N; i++) {
    u[i] = i;
    v[i] = 2 * i;
  }
}

int main(void)
{
  start();
  for (int t = 0; t < 10; t++) {
    #pragma omp target teams distribute parallel for map(tofrom: u, v)
    for (int i = 0; i < N; i++) {
      u[i] += 1;
      v[i] += u[i];
    }
    printf(\"%g\\n\", u[3]);
  }
  for (int i = 0; i < N; i++)
    printf(\"%g %g\\n\", u[i], v[i]);
  return 0;
}
";

/// The ids of a run's decisions, in its order, each once.
fn ids(sandbox: &Sandbox, args: &[&str]) -> Vec<String> {
    let Ran { out, err, .. } = sandbox.run(&[args, &["--output-format", "json"]].concat());
    let document: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {err}"));
    let files = document["files"].as_array().unwrap().iter();
    let findings = files.flat_map(|file| file["findings"].as_array().unwrap());
    let mut ids: Vec<String> = Vec::new();
    for id in findings.filter_map(|finding| finding["decision"].as_str()) {
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }
    ids
}

/// What `--interactive` makes of these answers.
fn answered(sandbox: &Sandbox, args: &[&str], answers: &str, editor: &str) -> Ran {
    let mut command = sandbox.command(&[&["rewrite", "--interactive"], args].concat());
    command.env_remove("VISUAL").env("EDITOR", editor);
    let streams = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    ran(child.wait_with_output().unwrap())
}

#[test]
fn ids_stay_when_other_things_change() {
    let sandbox = Sandbox::new(&[("a.c", TWO)]);
    assert_eq!(ids(&sandbox, &["rewrite", "a.c"]), ["main/u", "main/v"]);
    let more = TWO
        .replace(
            "int main(void)",
            "/* more */\nint twice(int x) { return 2 * x; }\n\nint main(void)",
        )
        .replace("  start();\n", "  start();\n  printf(\"%d\\n\", twice(1));\n");
    sandbox.write("a.c", &more);
    assert_eq!(ids(&sandbox, &["rewrite", "a.c"]), ["main/u", "main/v"]);
    sandbox.write("a.c", TWO);
    let Ran { err, .. } = sandbox.run(&["rewrite", "-v", "a.c"]);
    assert!(
        err.contains("a.c:16:3: change: `u` stays") && err.contains(" [main/u]\n"),
        "{err}"
    );
    let Ran { out, .. } = sandbox.run(&["rewrite", "--output-format", "sarif", "a.c"]);
    let sarif: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["properties"]["decision"], "main/u");
    let Ran { out, .. } = sandbox.run(&["rewrite", "--output-format", "github", "a.c"]);
    assert!(out.contains(" [main/u]\n"), "{out}");
}

#[test]
fn what_is_left_is_planned_again() {
    let sandbox = Sandbox::new(&[("a.c", TWO)]);
    let all = sandbox.run(&["rewrite", "a.c"]);
    assert!(
        all.out.contains("map(tofrom: u, v)\n   for") || all.out.contains("update from(u"),
        "{}",
        all.out
    );
    let only = sandbox.run(&["rewrite", "--only", "main/v", "a.c"]);
    let skipped = sandbox.run(&["rewrite", "--skip", "main/u,", "a.c"]);
    assert_eq!((only.code, &only.out), (1, &skipped.out));
    assert!(
        only.out.contains("+  #pragma omp target data map(tofrom: v)\n"),
        "{}",
        only.out
    );
    assert!(!only.out.contains("update"), "{}", only.out);
    let none = sandbox.run(&["rewrite", "--skip", "main/u", "--skip", "main/v", "-v", "a.c"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    assert!(
        none.err.contains("`u` is left as it is, as was asked for"),
        "{}",
        none.err
    );
    let nothing = sandbox.run(&["rewrite", "--only", "", "a.c"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (0, ""));
    let both = sandbox.run(&["rewrite", "--only", "a.c:main/v,main/u", "a.c"]);
    assert_eq!(both.out, all.out);
}

#[test]
fn what_is_no_decision_is_an_error_of_usage() {
    let sandbox = Sandbox::new(&[("a.c", TWO), ("b.c", LOOP), ("c.c", LOOP)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "-i", "--only", "main/w", "a.c"]);
    assert_eq!((code, out.as_str()), (2, ""));
    insta::assert_snapshot!(err, @"error: `main/w`: there is no such decision; the nearest: `main/u`, `main/v` (-v shows all)");
    assert_eq!(sandbox.read("a.c"), TWO);
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "--skip", "main/a", "b.c", "c.c"]);
    assert_eq!(code, 2);
    insta::assert_snapshot!(err, @"error: `main/a` is a decision in several files: name `b.c:main/a` or `c.c:main/a`");
    let Ran { out, .. } = sandbox.run(&["rewrite", "--skip", "c.c:main/a", "b.c", "c.c"]);
    assert!(out.contains("+++ b/b.c") && !out.contains("c.c"), "{out}");
    sandbox.write("broken.c", &LOOP.replace("  int n = 1000;\n", ""));
    sandbox.write("empty.c", "");
    let Ran { code, err, .. } = sandbox.run(&["rewrite", "--only", "main/u", "broken.c", "empty.c"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("undeclared identifier 'n'") && err.contains("empty.c: is empty"),
        "{err}"
    );
    assert!(
        err.contains("`main/u`: there is no such decision, and no other\n"),
        "{err}"
    );
    let conflict = sandbox.run(&["rewrite", "--interactive", "--only", "main/u", "a.c"]);
    assert_eq!(conflict.code, 2);
}

#[test]
fn directives_by_hand_stay_and_say_what_needs_them() {
    let by_hand = LOOP.replace(
        "    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n",
        "    #pragma omp target data map(tofrom: a[0:n])\n    #pragma omp target teams distribute parallel for\n",
    );
    let sandbox = Sandbox::new(&[("a.c", &by_hand)]);
    let Ran { code, out, err } = sandbox.run(&["rewrite", "--skip", "main/directives", "a.c"]);
    assert_eq!((code, out.as_str()), (0, ""));
    let said = "note: `main/a` is not made: it needs `main/directives` as well\n";
    assert!(err.contains(said), "{err}");
}

#[test]
fn loops_are_chosen_when_they_become_kernels() {
    let plain = TWO.replace(
        "    #pragma omp target teams distribute parallel for map(tofrom: u, v)\n",
        "",
    );
    let sandbox = Sandbox::new(&[("a.c", &plain)]);
    let annotate = ["annotate", "--all", "a.c"];
    let all = ids(&sandbox, &annotate);
    assert!(
        all.contains(&"main/loop".to_owned()) && all.contains(&"main/u".to_owned()),
        "{all:?}"
    );
    let Ran { out, .. } = sandbox.run(&[&annotate[..], &["--only", "main/loop"]].concat());
    assert_eq!(out.matches("+    #pragma omp target teams").count(), 1, "{out}");
    assert!(!out.contains("target data") && !out.contains("enter data"), "{out}");
    let without = ids(&sandbox, &[&annotate[..], &["--skip", "main/loop"]].concat());
    assert!(!without.contains(&"main/loop".to_owned()), "{without:?}");
}

#[test]
fn answers_choose() {
    let sandbox = Sandbox::new(&[("a.c", TWO)]);
    let all = sandbox.run(&["rewrite", "a.c"]).out;
    let only_v = sandbox.run(&["rewrite", "--only", "main/v", "a.c"]).out;
    let only_u = sandbox.run(&["rewrite", "--only", "main/u", "a.c"]).out;
    for (answers, expected) in [
        ("y\ny\n", &all),
        ("a\n", &all),
        ("?\nwhat\ny\na\n", &all),
        ("n\ny\n", &only_v),
        ("y\nq\n", &only_u),
        ("y\nd\n", &only_u),
        ("y\n", &only_u),
        ("Y", &only_u),
        ("n\nn\n", &String::new()),
        ("q\n", &String::new()),
        ("", &String::new()),
    ] {
        let Ran { code, out, err } = answered(&sandbox, &["a.c"], answers, "false");
        assert_eq!(&out, expected, "{answers:?}: {err}");
        assert_eq!(code, i32::from(!expected.is_empty()), "{answers:?}: {err}");
    }
    let Ran { err, .. } = answered(&sandbox, &["a.c"], "y\n?\n", "false");
    assert!(err.contains("a.c:16: main/u: `u` stays on the device"), "{err}");
    assert!(err.contains("+  #pragma omp target data map(tofrom: u)\n"), "{err}");
    assert!(err.contains("(1/2) Apply this decision [y,n,a,d,q,e,?]? "), "{err}");
    // What is shown next is what it adds.
    assert!(
        err.contains("-  #pragma omp target data map(tofrom: u)\n+  #pragma omp target data map(tofrom: u, v)\n"),
        "{err}"
    );
    assert!(
        err.contains("n - do not make it; what follows is planned without it\n"),
        "{err}"
    );
}

#[test]
fn nothing_is_written_before_the_last_answer() {
    let sandbox = Sandbox::new(&[("a.c", TWO)]);
    let Ran { code, out, err } = answered(&sandbox, &["-i", "a.c"], "n\nn\n", "false");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert_eq!(sandbox.read("a.c"), TWO);
    let Ran { code, out, err } = answered(&sandbox, &["-i", "a.c"], "n\ny\n", "false");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(
        sandbox
            .read("a.c")
            .contains("  #pragma omp target data map(tofrom: v)\n")
    );
}

#[test]
fn a_hunk_is_edited_by_hand() {
    let sandbox = Sandbox::new(&[("a.c", TWO)]);
    let editor = "sed -i 's/^+\\(.*target data map(tofrom: \\)u)/+\\1u[0:N])/'";
    let Ran { code, out, err } = answered(&sandbox, &["a.c"], "e\ny\n", editor);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("the tool no longer vouches for it\n"), "{err}");
    assert!(
        out.contains("+  #pragma omp target data map(tofrom: u[0:N])\n"),
        "{out}{err}"
    );
    assert!(err.contains("note: a.c: has hunks that were edited by hand"), "{err}");
    // What changes the same lines afterwards is not offered, or stands beside them.
    assert!(
        out.contains("map(tofrom: v)") || err.contains("would change lines that you have edited"),
        "{out}{err}"
    );
    // A wrong edit: `check` says so, and it is the user's.
    let wrong = "sed -i 's/^+\\(.*target data map(\\)tofrom: u)/+\\1to: u)/; /^+.*update/d'";
    let Ran { err, .. } = answered(&sandbox, &["a.c"], "e\nq\n", wrong);
    assert!(err.contains("OMM102"), "{err}");
}

#[test]
fn an_edit_that_does_not_go_is_told_and_asked_again() {
    let sandbox = Sandbox::new(&[("a.c", TWO)]);
    let only_u = sandbox.run(&["rewrite", "--only", "main/u", "a.c"]).out;
    for (editor, said) in [
        ("sed -i 's/^ /x/'", "begins with neither a blank"),
        (
            "sed -i 's/target data/target dota/'",
            "the edited text is not accepted: ",
        ),
        (
            "sed -i 's/^  *start.*/ end();/'",
            "does not apply: the lines that it keeps or takes out",
        ),
        ("truncate -s 0", "nothing is left of the patch: it stays as it was"),
        ("sed -i /^---/d", "comes before any file"),
        ("false", "the editor `false` ended with exit status: 1"),
        ("no-such-editor-here", "set VISUAL or EDITOR to another one"),
    ] {
        let Ran { out, err, .. } = answered(&sandbox, &["a.c"], "e\ny\nq\n", editor);
        assert!(err.contains(said), "{editor}: {err}");
        assert_eq!(out, only_u, "{editor}: {err}");
    }
}

/// The C files below a folder, by name.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<(String, String)> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "c" || e == "h"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// With each of some decisions alone, and without each, a program does what it did.
fn each_choice_is_right(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(folder);
    let texts = match folder.join("input").is_dir() {
        true => sources(&folder.join("input")),
        false => vec![(
            "input.c".to_owned(),
            fs::read_to_string(folder.join("input.c")).unwrap(),
        )],
    };
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let sandbox = Sandbox::new(&files);
    let programs: Vec<&str> = files
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.ends_with(".c"))
        .collect();
    let all = ids(&sandbox, &[&["rewrite"], &programs[..]].concat());
    assert!(all.len() > 1, "{all:?}");
    for id in all.iter().step_by(all.len().div_ceil(4)) {
        for option in ["--only", "--skip"] {
            let chosen = Sandbox::new(&files);
            let chosen_ids = ids(
                &chosen,
                &[&["rewrite", "-i", option, id.as_str()], &programs[..]].concat(),
            );
            let is_right = |made: &String| all.contains(made) && (made == id) == (option == "--only");
            assert!(chosen_ids.iter().all(is_right), "{option} {id}: {chosen_ids:?}");
            if files.iter().all(|(name, text)| chosen.read(name) == *text) {
                assert!(chosen_ids.is_empty(), "{option} {id}");
                continue;
            }
            let new: Vec<String> = programs
                .iter()
                .map(|name| chosen.path().join(name).display().to_string())
                .collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            let Ran { code, out, err } = sandbox.run(&[&["verify"], &programs[..], &["--rewritten"], &new].concat());
            assert_eq!(code, 0, "{option} {id}: {out}{err}");
        }
    }
    let every = all.join(",");
    let none = sandbox.run(&[&["rewrite", "--skip", &every], &programs[..]].concat());
    assert_eq!((none.code, none.out.as_str()), (0, ""), "{}", none.err);
}

#[test]
fn each_choice_is_right_where_callers_keep_an_array() {
    each_choice_is_right("recursion-mixed");
}

#[test]
fn each_choice_is_right_where_an_array_stays_for_good() {
    each_choice_is_right("files-hidden-array");
}

#[test]
fn each_choice_is_right_where_directives_are_planned_anew() {
    each_choice_is_right("hand-in-time-loop");
}

#[test]
fn each_choice_is_right_where_members_stay_together() {
    each_choice_is_right("member-by-pointer");
}
