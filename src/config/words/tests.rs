use super::*;
use crate::analysis::libc::Returned;

fn place() -> EntryPlace {
    EntryPlace {
        file: "f".into(),
        line: 1,
        column: 1,
    }
}

fn entry(flags: &[&str], items: &[(&str, &str)]) -> Result<LibFn, String> {
    let mut draft = Draft::new("f");
    flags.iter().for_each(|key| draft.flag(key, true));
    for (key, item) in items {
        draft.list(key);
        draft.item(key, item)?;
    }
    if !flags.contains(&"pure") && !items.is_empty() {
        ["reads", "writes"].iter().for_each(|key| draft.list(key));
    }
    Ok(draft.finish(place())?.effects.unwrap())
}

#[test]
fn items_are_words_of_the_table() {
    let all = [
        ("reads", "0[ 2 * #8 ]"),
        ("reads", "1"),
        ("writes", "2.."),
        ("writes", "1[*]"),
        ("frees", "*3"),
        ("allocates", "result[0*1]"),
        ("returns", "in 1"),
        ("callbacks", "3(0, -)"),
    ];
    let f = entry(&["io"], &all).unwrap();
    assert_eq!(f.reads[0].extent, ByteExtent::Scaled(2, 8));
    assert_eq!(f.reads[1].extent, ByteExtent::Reachable);
    assert!(f.writes[0].rest && f.writes[1].extent == ByteExtent::Unknown);
    assert_eq!((f.frees_content, f.returns), (vec![3], vec![Returned::Anywhere(1)]));
    assert_eq!(f.alloc.unwrap().size, ByteExtent::Product(0, 1));
    assert_eq!(f.callbacks[0].args, [Some(0), None]);
    assert!(f.io && !f.state);
}

#[test]
fn a_pure_function_reads_what_its_arguments_lead_to() {
    let f = entry(&["pure"], &[]).unwrap();
    assert!(f.reads[0].rest && f.reads[0].extent == ByteExtent::Reachable);
    assert_eq!(entry(&["pure"], &[("reads", "1")]).unwrap().reads.len(), 1);
    let error = entry(&["pure"], &[("writes", "0")]).unwrap_err();
    assert_eq!(
        error,
        "`pure` and `writes` contradict each other; take one of them away"
    );
}

#[test]
fn what_is_not_understood_comes_with_a_form_or_a_suggestion() {
    assert_eq!(
        takes("wirtes").unwrap_err(),
        "there is no key `wirtes`; did you mean `writes`?"
    );
    assert!(takes("colour").unwrap_err().contains("the keys are reads, writes"));
    for (key, item) in [
        ("reads", "x"),
        ("reads", "0["),
        ("frees", "-1"),
        ("returns", "0.."),
        ("allocates", "1(0)"),
    ] {
        let error = entry(&[], &[(key, item)]).unwrap_err();
        assert!(error.contains("is not understood"), "{key} {item}: {error}");
    }
    assert!(entry(&[], &[]).unwrap_err().contains("nothing is said of `f`"));
    let missing = entry(&["io"], &[]).unwrap_err();
    assert_eq!(missing, "`reads` is missing: say what `f` reads, if only an empty list");
}
