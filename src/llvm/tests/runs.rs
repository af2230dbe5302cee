//! How clang is run, and what happens when it or its output is not as expected.

use super::*;
use crate::llvm::input::ReadAs;
use crate::llvm::markers::MARKER;
use crate::llvm_version::LLVM_MAJOR;
use crate::program::ir::Loc;

#[test]
fn line_directives_do_not_move_code() {
    let module = read("#line 100 \"other.c\"\nint f(int *a) {\n  return a[1];\n}\n");
    let f = function(&module, "f");
    assert!(!f.in_header);
    assert!(
        f.insts.iter().any(|i| i.loc == Some(Loc { line: 3, col: 10 })),
        "{module}"
    );
    assert_eq!(module.notes.len(), 1);
}

#[test]
fn openmp_is_defined_and_kernels_stay_in_line() {
    let module =
        read("#ifdef _OPENMP\nint v = _OPENMP;\n#endif\nvoid f(int *a) {\n#pragma omp target teams\n  a[0] = 1;\n}\n");
    assert_eq!(module.globals[0].init_int, Some(202_011));
    assert_eq!(module.functions.len(), 1);
}

#[test]
fn a_rejected_file_says_why() {
    match try_read("int f( { return 0; }\n") {
        Err(LlvmError::Rejected { file, stderr }) => {
            assert_eq!(file, Path::new("t.c"));
            assert!(stderr.starts_with("t.c:1:8: error: "), "{stderr}");
        }
        other => panic!("clang refuses this: {other:?}"),
    }
}

#[test]
fn files_on_disk_are_seen_under_their_own_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("src")).expect("a folder");
    std::fs::write(folder.path().join("src/h.h"), "static int one(void) { return 1; }\n").expect("a header");
    std::fs::write(folder.path().join("src/a.c"), "#error not what is analysed\n").expect("a file");
    let text = b"#include \"h.h\"\nint f(void) {\n  return one() + N;\n}\nchar name[] = __FILE__;\n";
    let options = ClangOptions {
        flags: vec!["-DN=2".to_owned(), "-O2".to_owned(), "-fopenmp".to_owned()],
        working_dir: folder.path().to_owned(),
        ..ClangOptions::default()
    };
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("src/a.c"), text);
    let module = analyse_file(&clang, &input, &options).expect("the snapshot compiles");
    assert!(function(&module, "one").in_header);
    assert!(function(&module, "one").insts.iter().all(|i| i.loc.is_none()));
    assert_eq!(function(&module, "f").decl, Some(Loc { line: 2, col: 5 }));
    assert_eq!(module.globals[0].size, "src/a.c".len() as u64 + 1);
    assert!(matches!(
        analyse_file(&clang, &Input::file(Path::new("src/a.c")), &options),
        Err(LlvmError::Rejected { stderr, .. }) if stderr.contains("not what is analysed")
    ));
    assert!(matches!(
        analyse_file(&clang, &Input::file(Path::new("src/b.c")), &options),
        Err(LlvmError::Unreadable { .. })
    ));
}

#[test]
fn directives_are_checked_only_when_asked() {
    let clang = find_clang(None).expect("clang 19");
    let text = b"void f(int *a) {\n#pragma omp target map(nonsense: a)\n  a[0] = 1;\n}\n";
    let input = Input::text(Path::new("t.c"), text);
    let options = ClangOptions::default();
    assert!(syntax_only(&clang, &input, &options, false).is_ok());
    assert!(matches!(
        syntax_only(&clang, &input, &options, true),
        Err(LlvmError::Rejected { .. })
    ));
}

#[test]
fn preprocessing_sees_openmp_either_way() {
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("t.c"), b"int v = _OPENMP;\n");
    for openmp in [false, true] {
        let out = preprocess(&clang, &input, &ClangOptions::default(), openmp).expect("it preprocesses");
        assert!(String::from_utf8_lossy(&out).contains("int v = 202011;"));
    }
}

#[test]
fn markers_of_active_branches_survive() {
    let clang = find_clang(None).expect("clang 19");
    let mut text = String::new();
    for (number, line) in ["#if N > 3", "#elif defined _OPENMP", "#else", "#endif"]
        .iter()
        .enumerate()
    {
        text.push_str(&format!("{line}\n{MARKER}{number}\n"));
    }
    let input = Input::text(Path::new("t.c"), text.as_bytes());
    let survivors = |n: &str| {
        let options = ClangOptions {
            flags: vec![format!("-DN={n}")],
            ..ClangOptions::default()
        };
        surviving_markers(&clang, &input, &options)
            .expect("it preprocesses")
            .into_iter()
            .collect::<Vec<u32>>()
    };
    assert_eq!(survivors("4"), [0, 3]);
    assert_eq!(survivors("3"), [1, 3]);
}

#[test]
fn omp_h_compiles_whatever_openmp_is() {
    let text = "#include <omp.h>\nint v = _OPENMP;\nint f(void) { return omp_is_initial_device(); }\n";
    let module = read(text);
    assert_eq!(module.globals[0].init_int, Some(202_011));
    assert!(function(&module, "omp_is_initial_device").declaration);
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("t.c"), text.as_bytes());
    let options = ClangOptions::default();
    assert!(syntax_only(&clang, &input, &options, true).is_ok());
    let [once, twice] = [(); 2].map(|()| preprocess(&clang, &input, &options, false).expect("the text preprocesses"));
    assert!(once == twice, "no temporary name shows");
}

#[test]
fn headers_that_do_not_survive_all_declarations() {
    let module = read("#include <immintrin.h>\nint f(int *a) { return a[1]; }\n");
    assert!(!function(&module, "f").in_header);
    // What clang 19 does not survive clang 22 does.
    assert!(module.notes.len() == 1 || LLVM_MAJOR > 19, "{:?}", module.notes);
    assert!(module.notes.is_empty() || LLVM_MAJOR < 22, "{:?}", module.notes);
}

#[test]
fn damaged_bitcode_is_an_error() {
    let clang = find_clang(None).expect("clang 19");
    let input = Input::text(Path::new("t.c"), SUBSCRIPT.as_bytes());
    let compiled = clang::bitcode(
        &clang,
        &input,
        SUBSCRIPT.as_bytes(),
        &ClangOptions::default(),
        ReadAs::Sequential,
    )
    .expect("the test's C compiles");
    let bytes = compiled.module;
    let read = |bytes: &[u8]| Bitcode::read(bytes).err();
    assert_eq!(read(&bytes), None);
    assert!(read(b"").is_some());
    assert!(read(b"not bitcode at all").is_some());
    for eighth in 1..8 {
        assert!(read(&bytes[..(bytes.len() * eighth / 8) & !3]).is_some());
    }
}

#[test]
fn files_can_be_read_in_parallel() {
    let dumps: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(|| read(SUBSCRIPT).to_string())).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"))
            .collect()
    });
    assert!(
        dumps
            .iter()
            .all(|dump| *dump == dumps[0] && dump.contains("latch of 2:3"))
    );
}

#[test]
fn wrong_compilers_are_refused() {
    assert!(matches!(
        find_clang(Some(Path::new("/nonexistent/clang"))),
        Err(LlvmError::CannotRun { .. })
    ));
    assert!(matches!(
        find_clang(Some(Path::new("true"))),
        Err(LlvmError::WrongVersion { .. })
    ));
}
