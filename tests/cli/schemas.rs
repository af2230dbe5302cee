//! What is printed for scripts is what its schema in `docs/schemas` says.

use super::{LOOP, Ran, Sandbox};
use boon::{Compiler, Schemas};
use serde_json::Value;
use std::path::Path;

/// What a schema has against a document.
pub(super) fn against(schema: &str, document: &Value) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas").join(schema);
    let text = std::fs::read_to_string(path).expect("the schema is there");
    let mut compiler = Compiler::new();
    compiler
        .add_resource("schema.json", serde_json::from_str(&text).expect("it is JSON"))
        .expect("it can be added");
    let mut schemas = Schemas::new();
    let compiled = compiler.compile("schema.json", &mut schemas).expect("it is a schema");
    schemas
        .validate(document, compiled)
        .map_err(|error| format!("{error:#}\n{document:#}"))
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err))
}

/// A kernel's results that the host does not get, and a copy that nobody uses.
const WRONG: &str = "#include <stdio.h>\nint main(void) {\n  double a[64] = {1};\n\
#pragma omp target enter data map(to: a[0:64])\n\
#pragma omp target teams distribute parallel for\n  for (int i = 0; i < 64; i++)\n    a[i] += 1;\n\
  printf(\"%g\\n\", a[0]);\n#pragma omp target exit data map(release: a[0:64])\n  return 0;\n}\n";

#[test]
fn reports_are_as_their_schema_says() {
    let broken = "int main(void) { return x; }\n";
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("wrong.c", WRONG), ("broken.c", broken)]);
    let commands: [&[&str]; 5] = [
        &["rewrite", "a.c"],
        &["annotate", "a.c"],
        &["check", "wrong.c"],
        &["check", "--select", "OMM1,OMM2", "wrong.c"],
        &["rewrite", "broken.c"],
    ];
    for command in commands {
        let words: Vec<&str> = command.iter().chain(&["--output-format", "json"]).copied().collect();
        let document = json(&sandbox.run(&words));
        against("report.json", &document).unwrap_or_else(|why| panic!("{command:?}: {why}"));
    }
    let found = json(&sandbox.run(&["check", "--output-format", "json", "wrong.c"]));
    let finding = &found["files"][0]["findings"][0];
    assert!(
        finding.get("fix").is_some() && finding.get("related").is_some(),
        "{found:#}"
    );
    let mut other = found.clone();
    other["files"][0]["findings"][0]["level"] = "grave".into();
    assert!(against("report.json", &other).is_err());
    other = found.clone();
    other["files"][0]["findings"][0]["more"] = 1.into();
    assert!(against("report.json", &other).is_err(), "what is printed is said");
}

#[test]
fn explanations_are_as_their_schema_says() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("wrong.c", WRONG)]);
    let mut document = json(&sandbox.run(&["explain", "--output-format", "json", "a.c", "wrong.c"]));
    against("explain.json", &document).unwrap();
    assert_eq!(document["files"].as_array().map(Vec::len), Some(2));
    document["files"][0]["items"][0]["entry"][0] = "copies".into();
    assert!(against("explain.json", &document).is_err());
}

#[test]
fn verdicts_are_as_their_schema_says() {
    let sandbox = Sandbox::new(&[("a.c", LOOP), ("idle.c", "int main(void) { return 0; }\n")]);
    let mut document = json(&sandbox.run(&["verify", "--by-array", "--output-format", "json", "a.c"]));
    against("verify.json", &document).unwrap();
    assert!(document["arrays"].is_array(), "{document:#}");
    let idle = json(&sandbox.run(&["verify", "--output-format", "json", "idle.c"]));
    against("verify.json", &idle).unwrap();
    assert_eq!(idle["verdict"], "inconclusive");
    document["runs"][0]["mode"] = "fast".into();
    assert!(against("verify.json", &document).is_err());
}
