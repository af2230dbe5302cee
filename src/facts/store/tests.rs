//! The store with facts that clang makes, and with what may lie in its folder.

use super::*;
use crate::llvm::{ClangOptions, find_clang};
use std::fs;

const TEXT: &str = "#include \"h.h\"\nint f(double *a) { return one() + (int)a[1]; }\n";

/// A program in a folder, a store beside it.
struct Case {
    folder: tempfile::TempDir,
    clang: PathBuf,
    options: ClangOptions,
}

impl Case {
    fn new() -> Case {
        let folder = tempfile::tempdir().unwrap();
        let case = Case {
            clang: find_clang(None).unwrap(),
            options: ClangOptions {
                working_dir: folder.path().to_owned(),
                ..ClangOptions::default()
            },
            folder,
        };
        case.header(1);
        case
    }

    fn header(&self, value: u32) {
        let text = format!("static int one(void) {{ return {value}; }}\n");
        fs::write(self.folder.path().join("h.h"), text).unwrap();
    }

    fn store(&self) -> Store {
        Store::open(&self.folder.path().join("cache"), b"test")
    }

    fn source<'a>(&'a self, text: &'a str, options: &'a ClangOptions) -> UnitSource<'a> {
        UnitSource {
            clang: &self.clang,
            file: Path::new("/src/a.c"),
            name: Path::new("a.c"),
            text: text.as_bytes(),
            options,
        }
    }

    fn entries(&self) -> Vec<PathBuf> {
        let list = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        let shelves = list(self.folder.path().join("cache")).filter(|path| path.is_dir());
        shelves.flat_map(list).collect()
    }
}

#[test]
fn facts_are_made_once() {
    let case = Case::new();
    let source = case.source(TEXT, &case.options);
    let made = case.store().facts(&source).unwrap();
    let found = case.store().get(&StoreKey::of_unit(&source)).unwrap();
    assert_eq!(encode(&made), encode(&found));
    assert_eq!(encode(&made), encode(&case.store().facts(&source).unwrap()));
    assert_eq!(case.entries().len(), 1);
    assert!(case.folder.path().join("cache/CACHEDIR.TAG").is_file());
}

#[test]
fn a_header_that_changes_makes_them_anew() {
    let case = Case::new();
    let source = case.source(TEXT, &case.options);
    let key = StoreKey::of_unit(&source);
    let store = case.store();
    let made = store.facts(&source).unwrap();
    case.header(2);
    assert!(store.get(&key).is_none());
    case.header(1);
    assert!(store.get(&key).is_some());
    case.header(3);
    assert_ne!(encode(&made), encode(&store.facts(&source).unwrap()));
    assert!(store.get(&key).is_some());
    assert_eq!(case.entries().len(), 1);
}

#[test]
fn facts_from_elsewhere_are_renewed_where_they_do_not_hold() {
    let case = Case::new();
    let store = case.store();
    let source = case.source(TEXT, &case.options);
    let made = gather(&source, &Disk::default(), &ParsedTexts::default()).unwrap();
    let current = |text: &str| store.current(made.clone(), &case.clang, text.as_bytes()).unwrap();
    assert!(matches!(current(TEXT), (facts, None) if encode(&facts) == encode(&made)));
    assert!(case.entries().is_empty());
    let (renewed, stale) = current("int x;\n");
    assert_eq!(
        (renewed.dependencies.len(), stale.map(|s| s.changed)),
        (0, Some("/src/a.c".into()))
    );
    case.header(2);
    let (renewed, stale) = current(TEXT);
    assert_eq!(stale.map(|s| s.changed), Some(renewed.dependencies[0].path.clone()));
    assert_eq!(
        encode(&renewed),
        encode(&store.get(&StoreKey::of_unit(&source)).unwrap())
    );
}

#[test]
fn everything_that_bears_on_facts_is_in_the_key() {
    let case = Case::new();
    let base = case.source(TEXT, &case.options);
    let with = |change: &dyn Fn(&mut ClangOptions)| {
        let mut options = case.options.clone();
        change(&mut options);
        StoreKey::of_unit(&case.source(TEXT, &options))
    };
    let keys = [
        StoreKey::of_unit(&base),
        StoreKey::of_unit(&case.source("int x;\n", &case.options)),
        StoreKey::of_unit(&UnitSource {
            file: Path::new("/src/b.c"),
            ..base
        }),
        StoreKey::of_unit(&UnitSource {
            name: Path::new("b.c"),
            ..base
        }),
        StoreKey::of_unit(&UnitSource {
            clang: Path::new("/bin/sh"),
            ..base
        }),
        with(&|options| options.flags = vec!["-Da".to_owned(), "-Db".to_owned()]),
        with(&|options| options.flags = vec!["-Da-Db".to_owned()]),
        with(&|options| options.openmp_version = 201_511),
        with(&|options| options.working_dir = "/src".into()),
    ];
    for (index, key) in keys.iter().enumerate() {
        assert!(!keys[..index].contains(key), "{index}");
    }
    assert_eq!(keys[0], with(&|_| ()));
}

#[test]
fn what_cannot_be_read_is_made_again() {
    let case = Case::new();
    let source = case.source(TEXT, &case.options);
    let made = encode(&case.store().facts(&source).unwrap());
    let entry = case.entries().remove(0);
    let other = container::wrap(ContainerKind::Bytes, b"bytes");
    for rubbish in [&b""[..], b"rubbish", &made[..made.len() / 2], &other] {
        fs::write(&entry, rubbish).unwrap();
        fs::write(case.folder.path().join("cache/hashes"), rubbish).unwrap();
        let store = case.store();
        assert!(store.get(&StoreKey::of_unit(&source)).is_none());
        assert_eq!(encode(&store.facts(&source).unwrap()), made);
        assert_eq!(fs::read(&entry).unwrap(), made);
    }
}

#[test]
fn bytes_are_kept_by_kind_and_maker() {
    let case = Case::new();
    let store = case.store();
    let key = StoreKey::new("plan", [&b"a"[..], b"bc"]);
    store.put_bytes(&key, b"result");
    assert_eq!(store.get_bytes(&key).as_deref(), Some(&b"result"[..]));
    assert!(store.get(&key).is_none());
    assert!(store.get_bytes(&StoreKey::new("plan", [&b"ab"[..], b"c"])).is_none());
    assert!(store.get_bytes(&StoreKey::new("other", [&b"a"[..], b"bc"])).is_none());
    let elsewhere = Store::open(&case.folder.path().join("cache"), b"other");
    assert!(elsewhere.get_bytes(&key).is_none());
    assert_eq!(store.trouble(), None);
}

#[test]
fn without_a_place_nothing_is_kept() {
    let case = Case::new();
    let source = case.source(TEXT, &case.options);
    let none = Store::none();
    let made = encode(&none.facts(&source).unwrap());
    assert!(none.get(&StoreKey::of_unit(&source)).is_none());
    let blocked = Store::open(&case.folder.path().join("h.h"), b"test");
    assert_eq!(encode(&blocked.facts(&source).unwrap()), made);
    let trouble = blocked.trouble().unwrap();
    assert!(trouble.contains("h.h: results cannot be kept there"), "{trouble}");
    assert_eq!(none.trouble(), None);
}

#[test]
fn what_is_not_saved_stays_in_the_memory() {
    let case = Case::new();
    let header = case.folder.path().join("h.h");
    let store = case.store().remembering();
    let saved = store.facts(&case.source(TEXT, &case.options)).unwrap();
    let entries = case.entries();
    let text = b"static int one(void) { return 8; }\n".to_vec();
    let options = ClangOptions {
        unsaved: Arc::new(vec![(header.clone(), text.clone())]),
        ..case.options.clone()
    };
    store.begin([(header.as_path(), text.as_slice())].into_iter());
    let source = case.source(TEXT, &options);
    let unsaved = store.facts(&source).unwrap();
    assert_ne!(encode(&saved), encode(&unsaved));
    let found = store.get(&StoreKey::of_unit(&source)).unwrap();
    assert_eq!(encode(&found), encode(&unsaved));
    store.put_bytes(&StoreKey::new("plan", [&b"a"[..]]), b"result");
    assert_eq!(case.entries(), entries);
    // The editor is closed: what was saved counts again, and is found again.
    store.begin(std::iter::empty());
    let again = store.get(&StoreKey::of_unit(&source)).unwrap();
    assert_eq!(encode(&again), encode(&saved));
}

#[test]
fn many_at_a_time() {
    let case = Case::new();
    let stores = [case.store(), case.store()];
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (case, stores) = (&case, &stores);
            scope.spawn(move || {
                for round in 0..3 {
                    let source = case.source(TEXT, &case.options);
                    assert!(stores[worker % 2].facts(&source).is_ok());
                    let key = StoreKey::new("round", [[round].as_slice()]);
                    stores[worker % 2].put_bytes(&key, &[round; 1000]);
                    assert_eq!(stores[worker % 2].get_bytes(&key).as_deref(), Some(&[round; 1000][..]));
                }
            });
        }
    });
    assert_eq!(case.entries().len(), 4);
}
