//! Compiles `src/llvm/raw/clang_shim.cpp` and links clang's C++ libraries, so that clang runs inside the tool's process.
//!
//! With the feature `static` there are none, and clang is always run as a program.

use std::path::Path;
use std::process::Command;

const SHIM: &str = "src/llvm/raw/clang_shim.cpp";
const MAJOR: &str = "19";
/// What the shim needs of clang, users before what they use.
const ARCHIVES: [&str; 14] = [
    "Frontend",
    "Driver",
    "CodeGen",
    "Serialization",
    "Parse",
    "Sema",
    "Analysis",
    "Edit",
    "ASTMatchers",
    "AST",
    "APINotes",
    "Support",
    "Lex",
    "Basic",
];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_clang_library)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=OMPMEMOPT_LLVM_MAJOR={MAJOR}");
    println!("cargo::rerun-if-changed={SHIM}");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    if std::env::var_os("CARGO_FEATURE_STATIC").is_some() {
        return;
    }
    let config = llvm_config();
    let ask = |what: &str| ask(&config, what).unwrap_or_else(|| panic!("`{config} {what}` failed"));

    let headers = ask("--includedir");
    if !Path::new(&headers).join("clang/CodeGen/CodeGenAction.h").is_file() {
        panic!(
            "the headers of clang {MAJOR} are not in {headers}: install them, on Debian with `apt-get install libclang-{MAJOR}-dev`"
        );
    }
    let mut shim = cc::Build::new();
    shim.cpp(true).file(SHIM).include(&headers).std("c++17");
    // Warnings of LLVM's headers are not ours to mend. Debug information would be as large as that of all of clang.
    shim.warnings(false).debug(false).opt_level(1);
    for flag in ask("--cxxflags").split_whitespace() {
        if flag.starts_with("-D") || flag.starts_with("-fno-") {
            shim.flag(flag);
        }
    }
    shim.compile("clang_shim");

    link(&ask("--libdir"), &ask("--version"));
    println!("cargo::rustc-env=CLANG_LIBRARY_PREFIX={}", ask("--prefix"));
    println!("cargo::rustc-cfg=has_clang_library");
}

/// Links clang's archives where they are installed, else the shared library.
///
/// The shared library costs its binding at every start: it has a quarter of a million pointers to set. Archives in a
/// program at fixed addresses have none.
fn link(folder: &str, version: &str) {
    println!("cargo::rustc-link-search=native={folder}");
    if Path::new(folder).join("libclangFrontend.a").is_file() {
        for part in ARCHIVES {
            println!("cargo::rustc-link-lib=static:-bundle=clang{part}");
        }
        println!("cargo::rustc-link-arg-bins=-no-pie");
        return;
    }
    // Debian has the shared library under its full name only.
    let minor = version.split('.').nth(1).unwrap_or("1");
    let library = format!("libclang-cpp.so.{MAJOR}.{minor}");
    if !Path::new(folder).join(&library).exists() {
        panic!("{library} is not in {folder}: install it, on Debian with `apt-get install libclang-{MAJOR}-dev`");
    }
    println!("cargo::rustc-link-lib=dylib:+verbatim={library}");
}

/// The `llvm-config` of the right version, found where `llvm-sys` looks for it.
fn llvm_config() -> String {
    let prefix = std::env::var("LLVM_SYS_191_PREFIX").map(|prefix| format!("{prefix}/bin/llvm-config"));
    let names = [format!("llvm-config-{MAJOR}"), "llvm-config".to_owned()];
    prefix
        .into_iter()
        .chain(names)
        .find(|name| ask(name, "--version").is_some_and(|version| version.starts_with(&format!("{MAJOR}."))))
        .unwrap_or_else(|| {
            panic!("llvm-config-{MAJOR} was not found: install it, on Debian with `apt-get install llvm-{MAJOR}-dev`")
        })
}

fn ask(config: &str, what: &str) -> Option<String> {
    let output = Command::new(config).arg(what).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
