//! Compiles `src/llvm/raw/*_shim.cpp` and links clang's C++ libraries, so that clang runs inside the tool's process.
//!
//! With the feature `static` all libraries that not every machine has are linked as archives, and the headers of clang and of the C
//! library are put into the program: `carried.bin` in the build's folder has their texts, `carried.rs` their names.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHIMS: [&str; 2] = ["src/llvm/raw/clang_shim.cpp", "src/llvm/raw/module_shim.cpp"];
/// The versions of LLVM that can be linked, each a feature `llvmN`.
const VERSIONS: [u32; 4] = [19, 20, 21, 22];
/// What the shim needs of clang, users before what they use.
/// Some are of later versions only.
const ARCHIVES: [&str; 16] = [
    "Frontend",
    "Driver",
    "Options",
    "CodeGen",
    "Serialization",
    "Parse",
    "Sema",
    "Analysis",
    "AnalysisLifetimeSafety",
    "Edit",
    "ASTMatchers",
    "AST",
    "APINotes",
    "Support",
    "Lex",
    "Basic",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let llvm = chosen_version();
    println!("cargo::rustc-env=OMPMEMOPT_LLVM_MAJOR={llvm}");
    println!(
        "cargo::rustc-env=OMPMEMOPT_LLVM_VERSIONS={}",
        VERSIONS.map(|version| version.to_string()).join(" ")
    );
    for shim in SHIMS {
        println!("cargo::rerun-if-changed={shim}");
    }
    println!("cargo::rerun-if-env-changed={}", prefix_variable(llvm));
    let config = llvm_config(llvm);
    let ask = |what: &str| ask(&config, what).unwrap_or_else(|| panic!("`{config} {what}` failed"));

    let headers = ask("--includedir");
    if !Path::new(&headers).join("clang/CodeGen/CodeGenAction.h").is_file() {
        panic!(
            "the headers of clang {llvm} are not in {headers}: install them, on Debian with `apt-get install libclang-{llvm}-dev`"
        );
    }
    let mut shim = cc::Build::new();
    shim.cpp(true).files(SHIMS).include(&headers).std("c++17");
    // Warnings of LLVM's headers are not ours to mend. Debug information would be as large as that of all of clang.
    shim.warnings(false).debug(false).opt_level(1);
    for flag in ask("--cxxflags").split_whitespace() {
        if flag.starts_with("-D") || flag.starts_with("-fno-") {
            shim.flag(flag);
        }
    }
    shim.compile("clang_shim");

    println!("cargo::rustc-env=CLANG_LIBRARY_PREFIX={}", ask("--prefix"));
    println!("cargo::rustc-env=CLANG_LIBRARY_VERSION={}", ask("--version"));
    let is_static = std::env::var_os("CARGO_FEATURE_STATIC").is_some();
    if is_static {
        prefer_archives();
    }
    carry(&match is_static {
        true => carried_headers(llvm, &ask("--bindir")),
        false => BTreeMap::new(),
    });
    link(llvm, Path::new(&ask("--libdir")), &ask("--version"), is_static);
}

/// The version that a feature names.
fn chosen_version() -> u32 {
    let chosen: Vec<u32> = VERSIONS
        .into_iter()
        .filter(|version| std::env::var_os(format!("CARGO_FEATURE_LLVM{version}")).is_some())
        .collect();
    match chosen[..] {
        [version] => version,
        [] => panic!("no version of LLVM is chosen: `--features llvm22` chooses one, of llvm19 to llvm22"),
        _ => {
            panic!("several versions of LLVM are chosen, {chosen:?}: `--no-default-features` leaves out the usual one")
        }
    }
}

/// The variable that names where LLVM is installed, of which `llvm-sys` reads one for each version.
fn prefix_variable(llvm: u32) -> String {
    format!("LLVM_SYS_{llvm}1_PREFIX")
}

/// Links clang's archives where they are installed, else the shared library.
///
/// The shared library costs its binding at every start: it has a quarter of a million pointers to set. Archives in a
/// program at fixed addresses have none.
fn link(llvm: u32, folder: &Path, version: &str, is_static: bool) {
    println!("cargo::rustc-link-search=native={}", folder.display());
    if folder.join("libclangFrontend.a").is_file() {
        for part in ARCHIVES {
            if folder.join(format!("libclang{part}.a")).is_file() {
                println!("cargo::rustc-link-lib=static:-bundle=clang{part}");
            }
        }
        println!("cargo::rustc-link-arg-bins=-no-pie");
        return;
    }
    if is_static {
        panic!(
            "libclangFrontend.a is not in {}: install it, on Debian with `apt-get install libclang-{llvm}-dev`",
            folder.display()
        );
    }
    // Debian has the shared library under its full name only.
    let minor = version.split('.').nth(1).unwrap_or("1");
    let library = format!("libclang-cpp.so.{llvm}.{minor}");
    if !folder.join(&library).exists() {
        panic!(
            "{library} is not in {}: install it, on Debian with `apt-get install libclang-{llvm}-dev`",
            folder.display()
        );
    }
    println!("cargo::rustc-link-lib=dylib:+verbatim={library}");
}

/// The `llvm-config` of the right version, found where `llvm-sys` looks for it.
fn llvm_config(llvm: u32) -> String {
    let prefix = std::env::var(prefix_variable(llvm)).map(|prefix| format!("{prefix}/bin/llvm-config"));
    let names = [format!("llvm-config-{llvm}"), "llvm-config".to_owned()];
    prefix
        .into_iter()
        .chain(names)
        .find(|name| ask(name, "--version").is_some_and(|version| version.starts_with(&format!("{llvm}."))))
        .unwrap_or_else(|| {
            panic!("llvm-config-{llvm} was not found: install it, on Debian with `apt-get install llvm-{llvm}-dev`")
        })
}

fn ask(config: &str, what: &str) -> Option<String> {
    let output = Command::new(config).arg(what).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Where the linker looks first are archives alone of libraries that it would else take as shared ones.
fn prefer_archives() {
    let folder = out().join("archives");
    make_anew(&folder);
    for (name, package) in [
        ("libstdc++.a", "g++"),
        ("libz.a", "zlib1g-dev"),
        ("libzstd.a", "libzstd-dev"),
    ] {
        let file = ask("c++", &format!("-print-file-name={name}")).map(PathBuf::from);
        let Some(file) = file.filter(|file| file.is_absolute()) else {
            panic!("{name} was not found: install it, on Debian with `apt-get install {package}`");
        };
        std::os::unix::fs::symlink(&file, folder.join(name)).expect("the build's folder can be written");
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
}

/// Headers of ISO C, POSIX and the GNU C library that programs name. What these include is found from there.
const NAMED: &str = "aio aliases alloca argp argz arpa/inet assert byteswap complex cpio ctype dirent dlfcn elf endian envz err errno \
    error execinfo fcntl features fenv fmtmsg fnmatch fpu_control fstab fts ftw getopt glob gnu-versions grp iconv ifaddrs inttypes \
    langinfo libgen libintl limits link locale malloc math mcheck memory mntent monetary mqueue net/if netdb netinet/in netinet/tcp \
    nl_types poll printf pthread pwd regex resolv sched search semaphore setjmp sgtty shadow signal spawn stdc-predef stdint stdio \
    stdio_ext stdlib string strings syscall sys/cdefs sys/epoll sys/eventfd sys/file sys/inotify sys/ioctl sys/ipc sys/mman sys/mount \
    sys/msg sys/param sys/poll sys/prctl sys/random sys/resource sys/select sys/sem sys/sendfile sys/shm sys/signalfd sys/socket \
    sys/stat sys/statfs sys/statvfs sys/syscall sys/sysinfo sys/sysmacros sys/time sys/timeb sys/timerfd sys/times sys/types sys/ucontext \
    sys/uio sys/un sys/user sys/utsname sys/vfs sys/wait sys/xattr sysexits syslog tar termios tgmath threads time uchar ucontext \
    ulimit unistd utime utmp utmpx values wait wchar wctype wordexp";

/// The headers that go into the program, with their files: clang's own, and those of this machine's C library that are included, under
/// any condition, from those that are [`NAMED`].
fn carried_headers(llvm: u32, programs: &str) -> BTreeMap<PathBuf, PathBuf> {
    let clang = Path::new(programs).join("clang").display().to_string();
    let resources = ask(&clang, "-print-resource-dir")
        .unwrap_or_else(|| panic!("{clang} was not found: install it, on Debian with `apt-get install clang-{llvm}`"));
    let mut carried = BTreeMap::new();
    let own = Path::new(&resources).join("include");
    let inside = PathBuf::from(format!("lib/clang/{llvm}/include"));
    take_folder(&own, &inside, &mut carried);
    if !carried.contains_key(&inside.join("omp.h")) {
        panic!(
            "omp.h is not in {}: install it, on Debian with `apt-get install libomp-{llvm}-dev`",
            own.display()
        );
    }

    // Debian and its kin have what differs between processors in a folder of its own.
    let processor = std::env::var("CARGO_CFG_TARGET_ARCH").expect("cargo says for what");
    let folders = [format!("/usr/include/{processor}-linux-gnu"), "/usr/include".to_owned()].map(PathBuf::from);
    let mut wanted: Vec<String> = NAMED.split_whitespace().map(|name| format!("{name}.h")).collect();
    while let Some(name) = wanted.pop() {
        let inside = Path::new("libc/include").join(&name);
        let Some(file) = folders
            .iter()
            .map(|folder| folder.join(&name))
            .find(|file| file.is_file())
        else {
            continue;
        };
        if let Entry::Vacant(new) = carried.entry(inside) {
            wanted.extend(included(&file));
            new.insert(file);
        }
    }
    if !carried.contains_key(Path::new("libc/include/stdio.h")) {
        panic!("stdio.h is not in /usr/include: install it, on Debian with `apt-get install libc6-dev`");
    }
    carried
}

/// Writes the texts and the list of what goes into the program.
fn carry(headers: &BTreeMap<PathBuf, PathBuf>) {
    // clang reads a text up to the zero behind it.
    let (mut list, mut texts) = (String::from("&[\n"), Vec::new());
    for (inside, file) in headers {
        println!("cargo::rerun-if-changed={}", file.display());
        let text = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        writeln!(list, "    ({inside:?}, {}, {}),", texts.len(), text.len()).expect("memory");
        texts.extend(text);
        texts.push(0);
    }
    std::fs::write(out().join("carried.rs"), list + "]\n").expect("the build's folder can be written");
    std::fs::write(out().join("carried.bin"), texts).expect("the build's folder can be written");
}

/// All files of a folder, by the names that they have in the program.
fn take_folder(folder: &Path, inside: &Path, carried: &mut BTreeMap<PathBuf, PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let (path, inside) = (entry.path(), inside.join(entry.file_name()));
        match path.is_dir() {
            true => take_folder(&path, &inside, carried),
            false => drop(carried.insert(inside, path)),
        }
    }
}

/// What a header names in `#include` lines, in whatever branch of `#if` they are.
fn included(file: &Path) -> Vec<String> {
    let text = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let text = String::from_utf8_lossy(&text);
    let named = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest
            .strip_prefix("include_next")
            .or_else(|| rest.strip_prefix("include"))?;
        let (open, rest) = rest.trim_start().split_at_checked(1)?;
        let end = rest.find(if open == "<" { '>' } else { '"' })?;
        ["<", "\""].contains(&open).then(|| rest[..end].to_owned())
    };
    text.lines().filter_map(named).collect()
}

fn out() -> PathBuf {
    std::env::var_os("OUT_DIR").expect("cargo says where").into()
}

fn make_anew(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).expect("the build's folder can be written");
}
