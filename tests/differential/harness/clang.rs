//! A [`Runner`] that calls clang and nothing else of this project, to test the generator itself.
//!
//! The sequential program is built with AddressSanitizer and UndefinedBehaviorSanitizer, so that a case with undefined
//! behaviour fails; by gcc where clang's sanitizer libraries are not installed. The offloaded one runs on LLVM's host plugin with fresh device memory full of garbage, and behind the
//! library named by `STRICT_DEVICE`, if any, which takes host memory away while a kernel runs.

use super::{Ran, Runner, write};
use crate::generator::Source;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Longest that one program may run.
const LIMIT: Duration = Duration::from_secs(60);

/// Builds with clang in a folder of its own.
pub struct Clang {
    compiler: String,
    /// The compiler for sequential programs, and its flags.
    sanitizing: (String, &'static [&'static str]),
    strict: Option<PathBuf>,
    /// Lets programs find the offload runtime, which need not be where the loader looks.
    rpath: String,
}

const SANITIZE: &[&str] = &["-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const OFFLOAD: &[&str] = &["-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu"];

impl Clang {
    /// The compiler named by `OMPMEMOPT_CLANG` (`clang-19` by default) and the library named by `STRICT_DEVICE`; `None`
    /// where that compiler cannot be run.
    pub fn find() -> Option<Clang> {
        let compiler = std::env::var("OMPMEMOPT_CLANG").unwrap_or_else(|_| "clang-19".into());
        Command::new(&compiler)
            .arg("--version")
            .output()
            .ok()
            .filter(|o| o.status.success())?;
        let strict = std::env::var_os("STRICT_DEVICE").map(PathBuf::from);
        let smallest = Source {
            name: "main.c".into(),
            text: "int main(void) { return 0; }\n".into(),
        };
        let works = |c: &&str| run(c, std::slice::from_ref(&smallest), SANITIZE, &|_| {}).is_ok();
        let sanitizing = match [compiler.as_str(), "gcc", "cc"].into_iter().find(works) {
            Some(c) => (c.to_string(), SANITIZE),
            None => {
                eprintln!("no compiler here has sanitizers: undefined behaviour in generated programs goes unseen");
                (compiler.clone(), &[] as &[&str])
            }
        };
        let runtime = Command::new(&compiler)
            .arg("-print-file-name=libomptarget.so")
            .output()
            .ok()?;
        let runtime = PathBuf::from(String::from_utf8_lossy(&runtime.stdout).trim());
        let rpath = format!("-Wl,-rpath,{}", runtime.parent().unwrap_or(Path::new(".")).display());
        Some(Clang {
            compiler,
            sanitizing,
            strict,
            rpath,
        })
    }
}

/// Compiles and runs the program in a fresh folder with `flags`; `prepare` sets the environment of the run.
fn run(compiler: &str, files: &[Source], flags: &[&str], prepare: &dyn Fn(&mut Command)) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let program = folder.path().join("case");
    let sources = write(files, folder.path())?;
    let mut compile = Command::new(compiler);
    compile
        .args(["-std=gnu11", "-w", "-O1", "-ffp-contract=off"])
        .args(flags)
        .args(sources)
        .arg("-o")
        .arg(&program);
    let built = compile.output().map_err(|e| e.to_string())?;
    if !built.status.success() {
        return Err(format!("does not compile: {}", String::from_utf8_lossy(&built.stderr)));
    }
    execute(&program, folder.path(), prepare)
}

/// Runs `program`, its output in files of `folder`, for at most [`LIMIT`].
fn execute(program: &Path, folder: &Path, prepare: &dyn Fn(&mut Command)) -> Result<String, String> {
    let file = |name: &str| std::fs::File::create(folder.join(name)).map_err(|e| e.to_string());
    let read = |name: &str| {
        std::fs::read(folder.join(name))
            .map(|b| String::from_utf8_lossy(&b).into_owned())
            .map_err(|e| e.to_string())
    };
    let mut command = Command::new(program);
    command.stdout(file("out")?).stderr(file("err")?);
    prepare(&mut command);
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => {
                // Killing and waiting fail only if the child has ended by itself in the meantime.
                let _ = child.kill();
                let _ = child.wait();
                return Err("does not end".into());
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    if status.success() {
        read("out")
    } else {
        Err(format!("ends with {status}: {}", read("err")?))
    }
}

impl Runner for Clang {
    fn sequential(&self, program: &[Source]) -> Result<String, String> {
        run(&self.sanitizing.0, program, self.sanitizing.1, &|_| {})
    }

    fn offloaded(&self, program: &[Source]) -> Result<Vec<Ran>, String> {
        let flags = [OFFLOAD, &[self.rpath.as_str()]].concat();
        let output = run(&self.compiler, program, &flags, &|command| {
            command
                .env("OMP_TARGET_OFFLOAD", "MANDATORY")
                .env("OMP_NUM_THREADS", "4")
                .env("MALLOC_PERTURB_", "165")
                .env("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0");
            if let Some(strict) = &self.strict {
                command.env("LD_PRELOAD", strict).env("LD_BIND_NOW", "1");
            }
        })?;
        Ok(vec![Ran {
            output,
            ..Ran::default()
        }])
    }
}
