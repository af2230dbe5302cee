//! One report in every format.

use super::*;
use crate::plan::DecisionSubject;
use crate::reasons::Calls;
use crate::source::Span;

fn report() -> Report {
    let lines = LineIndex::new(b"int x;\nint y;\n");
    let note = |start, end, message: &str| Note::new(Span::new(start, end), message);
    let reason = Calls::StartsKernels { callee: "g".into() }.into();
    let remark = Note::because(Span::new(0, 3), "first\nsecond: ", &reason);
    let mut file = FileReport {
        path: "my src/a,b.c".into(),
        diff: b"--- a\n+++ b\n".to_vec(),
        ..FileReport::default()
    };
    let decision = Decision {
        structs: Vec::new(),
        for_callers: false,
        function: "f".into(),
        changes: Vec::new(),
        reasons: vec![note(7, 10, "`y` stays on the device: 100% less").of_array("`y`")],
    };
    let key = DecisionKey {
        function: "f".into(),
        subject: DecisionSubject::Array("`y`".into()),
    };
    let ids = BTreeMap::from([(key, "f/y".to_owned())]);
    file.add(
        &lines,
        &[decision],
        &[
            note(0, 0, "read token by token"),
            remark.in_function("f").of_array("`x`"),
        ],
        &ids,
    );
    let failed = FileReport {
        path: "b.c".into(),
        findings: vec![Finding::about_file(Level::Error, "b.c: no such file")],
        ..FileReport::default()
    };
    Report {
        files: vec![file, failed],
        notes: vec!["`-acc` was dropped".into()],
    }
}

#[test]
fn people_get_lines_and_a_summary() {
    let plain = |v| anstream::adapter::strip_str(&human(&report(), v)).to_string();
    insta::assert_snapshot!(plain(Verbosity::Verbose), @r"
    my src/a,b.c: note: read token by token
    my src/a,b.c:1:1: remark: first
    second: `g`, called here, starts kernels on it [starts-kernels]
    my src/a,b.c:2:1: change: `y` stays on the device: 100% less [f/y]
    error: b.c: no such file
    note: `-acc` was dropped
    2 files: 1 would change, 1 remark, 1 failed
    ");
    insta::assert_snapshot!(plain(Verbosity::Normal), @r"
    error: b.c: no such file
    note: `-acc` was dropped
    2 files: 1 would change, 1 remark (-v shows them), 1 failed
    ");
    insta::assert_snapshot!(plain(Verbosity::Quiet), @"error: b.c: no such file");
}

#[test]
fn workflow_commands_are_escaped() {
    insta::assert_snapshot!(github(&report()), @r"
    ::notice title=ompmemopt note,file=my src/a%2Cb.c::read token by token
    ::notice title=ompmemopt starts-kernels,file=my src/a%2Cb.c,line=1,endLine=1,col=1,endColumn=4::first%0Asecond: `g`, called here, starts kernels on it
    ::warning title=ompmemopt change,file=my src/a%2Cb.c,line=2,endLine=2,col=1,endColumn=4::`y` stays on the device: 100%25 less [f/y]
    ::error title=ompmemopt error,file=b.c::b.c: no such file
    ");
}

#[test]
fn json_has_everything() {
    let value: serde_json::Value = serde_json::from_str(&json(&report())).unwrap();
    assert_eq!(value["summary"]["changed"], 1);
    assert_eq!(value["files"][0]["diff"], "--- a\n+++ b\n");
    assert_eq!(value["files"][0]["findings"][2]["level"], "change");
    assert_eq!(value["files"][0]["findings"][2]["function"], "f");
    let remark = &value["files"][0]["findings"][1];
    assert_eq!(
        (&remark["id"], &remark["array"], &remark["function"]),
        (&"starts-kernels".into(), &"x".into(), &"f".into())
    );
    assert!(value["files"][0]["findings"][0].get("id").is_none());
    assert_eq!(value["files"][1]["findings"][0]["message"], "b.c: no such file");
}

#[test]
fn sarif_places_are_relative_references() {
    let value: serde_json::Value = serde_json::from_str(&sarif(&report())).unwrap();
    let results = &value["runs"][0]["results"];
    let place = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "my%20src/a%2Cb.c");
    assert_eq!(
        (&place["region"]["startLine"], &place["region"]["endColumn"]),
        (&1.into(), &4.into())
    );
    assert_eq!(results[3]["level"], "error");
    assert_eq!(results[1]["ruleId"], "starts-kernels");
    let rules = value["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(
        rules.iter().any(|rule| rule["id"] == "starts-kernels"
            && rule["help"]["text"] == "Move the kernel into the calling function.")
    );
    assert!(results[0]["locations"][0]["physicalLocation"].get("region").is_none());
}

#[test]
fn sarif_counts_columns_as_editors_do() {
    let text = "/* Größe */ int y;\n".as_bytes();
    let mut file = FileReport {
        path: "a.c".into(),
        wide_lines: WideLines::of(text),
        ..FileReport::default()
    };
    let at = Span::new(14, 19);
    file.add(&LineIndex::new(text), &[], &[Note::new(at, "here")], &BTreeMap::new());
    let report = Report {
        files: vec![file],
        notes: Vec::new(),
    };
    let value: serde_json::Value = serde_json::from_str(&sarif(&report)).unwrap();
    let run = &value["runs"][0];
    let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&run["columnKind"], &region["startColumn"], &region["endColumn"]),
        (&"utf16CodeUnits".into(), &13.into(), &18.into())
    );
}
