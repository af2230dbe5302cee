//! `check`, `explain` and `rules`: what is found, in each format, and how they exit.

use super::{LOOP, Ran, Sandbox};

/// The host reads what only the device has.
const STALE: &str = "\
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
  double *a = calloc(64, sizeof *a);
  #pragma omp target enter data map(to: a[0:64])
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < 64; i++)
    a[i] = i;
  printf(\"%g\\n\", a[3]);
  #pragma omp target exit data map(release: a[0:64])
  free(a);
  return 0;
}
";

#[test]
fn a_program_that_is_right() {
    let sandbox = Sandbox::new(&[("a.c", LOOP)]);
    let Ran { code, out, err } = sandbox.run(&["check", "a.c"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "1 file: nothing found\n"));
}

#[test]
fn what_is_wrong_comes_with_its_lines() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let Ran { code, out, err } = sandbox.run(&["check", "a.c"]);
    assert_eq!((code, err.as_str()), (1, "1 file: 1 error\n"));
    insta::assert_snapshot!(out, @r#"
    error[OMM102]: the host reads elements of `a` that a kernel has written and the host has not got
      --> a.c:11:3
       |
    11 |   printf("%g\n", a[3]);
       |   ^^^^^^^^^^^^^^^^^^^^^
       |
      ::: a.c:8:3
       |
     8 |   #pragma omp target teams distribute parallel for
       |   ------------------------------------------------ this kernel writes them
       |
       = help: write `#pragma omp target update from(a[0:64])` in front of it
    "#);
    assert_eq!(sandbox.read("a.c"), STALE);
}

/// Who calls a function is not seen: what is wrong in it whatever they have on the device is wrong, and what is right for some of them is not.
#[test]
fn functions_that_nobody_is_seen_to_call() {
    let text = "\
#include <stdio.h>
double kept[100];
void lost(double *a, int n)
{
  #pragma omp target teams distribute parallel for map(to: a[0:n])
  for (int i = 0; i < n; i++) a[i] *= 2;
  printf(\"%g\\n\", a[0]);
}
void right_if_absent(double *a, int n)
{
  #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++) a[i] *= 2;
  printf(\"%g\\n\", a[0]);
}
void right_if_present(double *a, int n)
{
  #pragma omp target teams distribute parallel for map(alloc: a[0:n])
  for (int i = 0; i < n; i++) a[i] *= 2;
}
static void filled(void)
{
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++) kept[i] = i;
}
void given_up(void)
{
  #pragma omp target enter data map(to: kept)
  filled();
  #pragma omp target exit data map(release: kept)
  printf(\"%g\\n\", kept[1]);
}
";
    let sandbox = Sandbox::new(&[("a.c", text)]);
    let Ran { code, out, .. } = sandbox.run(&["check", "a.c"]);
    let found: Vec<&str> = out
        .lines()
        .filter(|l| l.starts_with("error") || l.contains("-->"))
        .collect();
    assert_eq!(code, 1);
    insta::assert_snapshot!(found.join("\n"), @r"
    error[OMM102]: the host reads elements of `a` that a kernel has written and the host has not got: the device copy has ended without being copied back
     --> a.c:7:3
    error[OMM102]: the host reads elements of `kept` that a kernel has written and the host has not got: the device copy has ended without being copied back
      --> a.c:30:3
    ");
}

/// Where host and device have one memory, nothing needs to be mapped; a number that a kernel gets a copy of is another matter.
#[test]
fn one_memory_for_host_and_device() {
    let text = "\
#include <stdio.h>
#include <stdlib.h>
#pragma omp requires unified_shared_memory

int main(void)
{
  double *a = calloc(64, sizeof *a), last = 0;
  #pragma omp target
  for (int i = 0; i < 64; i++)
    last = a[i] = i;
  printf(\"%g %g\\n\", a[3], last);
  free(a);
  return 0;
}
";
    let sandbox = Sandbox::new(&[("a.c", text)]);
    let Ran { code, out, err } = sandbox.run(&["check", "-v", "a.c"]);
    assert_eq!((code, err.as_str()), (1, "1 file: 1 error, 1 place not checked\n"));
    insta::assert_snapshot!(out, @r#"
    a.c:3:1: note: arrays are not checked in this file: it requires that host and device have one memory, and there nothing is copied
    error[OMM107]: `last` is read here with its old value: the kernel before has written a copy of its own
      --> a.c:11:3
       |
    11 |   printf("%g %g\n", a[3], last);
       |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
      ::: a.c:8:3
       |
     8 |   #pragma omp target
       |   ------------------ this kernel writes a copy of its own
    "#);
}

#[test]
fn rules_are_chosen_by_code_or_name() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    for args in [
        ["check", "--ignore", "missing-from", "a.c"],
        ["check", "--select", "OMM101,OMM103", "a.c"],
    ] {
        let Ran { code, out, .. } = sandbox.run(&args);
        assert_eq!((code, out.as_str()), (0, ""), "{args:?}");
    }
    assert_eq!(sandbox.run(&["check", "--select", "omm102", "a.c"]).code, 1);
    let Ran { code, err, .. } = sandbox.run(&["check", "--select", "OMM999", "a.c"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("no rule has that code or name; `ompmemopt rules` lists them"),
        "{err}"
    );
}

#[test]
fn formats_for_machines() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let in_format = |format: &str| sandbox.run(&["check", "--output-format", format, "a.c"]);
    let json: serde_json::Value = serde_json::from_str(&in_format("json").out).unwrap();
    let finding = &json["files"][0]["findings"][0];
    assert_eq!(
        (&finding["level"], &finding["id"]),
        (&"violation".into(), &"OMM102".into())
    );
    assert_eq!(
        (&finding["line"], &finding["related"][0]["line"]),
        (&11.into(), &8.into())
    );
    assert_eq!(json["summary"]["violations"], 1);
    let sarif: serde_json::Value = serde_json::from_str(&in_format("sarif").out).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"OMM102".into(), &"error".into())
    );
    assert_eq!(
        result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"],
        8
    );
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(
        rules
            .iter()
            .any(|rule| rule["id"] == "OMM102" && rule["name"] == "missing-from")
    );
    let github = in_format("github");
    assert_eq!(github.code, 1);
    assert!(
        github
            .out
            .starts_with("::error title=ompmemopt OMM102,file=a.c,line=11"),
        "{}",
        github.out
    );
}

#[test]
fn a_file_that_does_not_compile_does_not_stop_the_others() {
    let sandbox = Sandbox::new(&[("a.c", STALE), ("b.c", "int b = c;\n")]);
    let Ran { code, out, err } = sandbox.run(&["check", "a.c", "b.c"]);
    assert_eq!(code, 2);
    assert!(
        out.contains("error[OMM102]") && err.contains("clang does not accept b.c"),
        "{out}{err}"
    );
}

#[test]
fn rules_are_listed_and_explained() {
    let sandbox = Sandbox::new(&[]);
    let listed = sandbox.run(&["rules"]);
    assert_eq!(listed.code, 0);
    assert!(listed.out.starts_with("OMM101  missing-to "), "{}", listed.out);
    for word in ["OMM102", "missing-from"] {
        let page = sandbox.run(&["explain", word]);
        assert_eq!(page.code, 0);
        assert!(
            page.out
                .starts_with("OMM102 `missing-from`\n\nThe host reads what only the device has current.")
        );
    }
    let unknown = sandbox.run(&["explain", "OMM999"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains(
        "no rule has the code or name `OMM999`, no remark ends with it, and no file or folder has that name; `ompmemopt rules` lists the rules, docs/remarks.md the remarks"
    ));
}

#[test]
fn comments_silence_what_is_known() {
    let silenced = STALE.replace(
        "  printf",
        "  /* ompmemopt: ignore[OMM102] it is about the first run */\n  printf",
    );
    let sandbox = Sandbox::new(&[("a.c", silenced.as_str())]);
    let Ran { code, out, err } = sandbox.run(&["check", "a.c"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "1 file: nothing found\n"));
    let sandbox = Sandbox::new(&[("a.c", STALE), ("b.c", "/* ompmemopt: ignore[OMM1000] */\nint b;\n")]);
    let Ran { code, out, err } = sandbox.run(&["check", "a.c", "b.c"]);
    assert_eq!(code, 2);
    assert!(out.contains("error[OMM102]"), "{out}");
    assert!(
        err.contains("b.c:1:1: no rule has the code or name `OMM1000`; `ompmemopt rules` lists the rules"),
        "{err}"
    );
}

#[test]
fn what_was_found_before_is_left_out() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let known = sandbox.run(&["check", "--output-format", "json", "a.c"]).out;
    sandbox.write("known.json", &known);
    // Lines may move.
    sandbox.write("a.c", &format!("\n\n{STALE}"));
    let Ran { code, out, .. } = sandbox.run(&["check", "--baseline", "known.json", "a.c"]);
    assert_eq!((code, out.as_str()), (0, ""));
    sandbox.write(
        "a.c",
        &STALE.replace("  printf", "  printf(\"%g\\n\", a[3]);\n  printf"),
    );
    let Ran { code, err, .. } = sandbox.run(&["check", "--baseline", "known.json", "a.c"]);
    assert_eq!((code, err.as_str()), (1, "1 file: 1 error\n"));
    for (text, why) in [
        (
            known.replace("\"version\": 1", "\"version\": 7"),
            "version 7 of the format, where 1 is known",
        ),
        ("[]".to_owned(), "not understood"),
    ] {
        sandbox.write("known.json", &text);
        let Ran { code, err, .. } = sandbox.run(&["check", "--baseline", "known.json", "a.c"]);
        assert!(code == 2 && err.contains("known.json: ") && err.contains(why), "{err}");
    }
}

/// The kernel writes all of the array, and nobody needs what it gets.
const USELESS: &str = "\
#include <stdio.h>

int a[64];

int main(void)
{
  #pragma omp target teams distribute parallel for map(tofrom: a)
  for (int i = 0; i < 64; i++)
    a[i] = i;
  for (int i = 0; i < 64; i++)
    printf(\"%d\\n\", a[i]);
  return 0;
}
";

#[test]
fn advice_is_given_where_somebody_asks_for_it() {
    let sandbox = Sandbox::new(&[("a.c", USELESS)]);
    let Ran { code, out, err } = sandbox.run(&["check", "a.c"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", "1 file: nothing found\n"));
    let Ran { code, out, err } = sandbox.run(&["check", "--select", "OMM1,OMM2", "a.c"]);
    assert_eq!((code, err.as_str()), (1, "1 file: 1 piece of advice\n"));
    insta::assert_snapshot!(out, @r"
    advice[OMM201]: `a` is copied to the device here, and no kernel reads what is copied
     --> a.c:7:3
      |
    7 |   #pragma omp target teams distribute parallel for map(tofrom: a)
      |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = help: write `map(from: a)` in the place of `map(tofrom: a)`
    ");
}

#[test]
fn what_to_write_instead_is_an_edit() {
    let sandbox = Sandbox::new(&[("a.c", USELESS)]);
    let in_format =
        |format: &str| sandbox.run(&["check", "--select", "redundant-to", "--output-format", format, "a.c"]);
    let json: serde_json::Value = serde_json::from_str(&in_format("json").out).unwrap();
    assert_eq!(json["summary"]["advice"], 1);
    let edit = &json["files"][0]["findings"][0]["fix"]["edits"][0];
    let part = |name: &str| edit[name].as_u64().unwrap() as usize;
    assert_eq!(
        (part("line"), part("end_line"), edit["path"].as_str()),
        (7, 7, Some("a.c"))
    );
    let mut lines: Vec<String> = USELESS.lines().map(str::to_owned).collect();
    lines[6].replace_range(
        part("column") - 1..part("end_column") - 1,
        edit["text"].as_str().unwrap(),
    );
    assert_eq!(
        lines[6],
        "  #pragma omp target teams distribute parallel for map(from: a)"
    );
    let sarif: serde_json::Value = serde_json::from_str(&in_format("sarif").out).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (result["ruleId"].as_str(), result["level"].as_str()),
        (Some("OMM201"), Some("note"))
    );
    let replacement = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], edit["text"]);
    // What was found is known again where it has moved to.
    let known = result["partialFingerprints"].clone();
    sandbox.write("a.c", &format!("\n{USELESS}"));
    let moved: serde_json::Value = serde_json::from_str(&in_format("sarif").out).unwrap();
    assert_eq!(moved["runs"][0]["results"][0]["partialFingerprints"], known);
    assert!(
        in_format("github")
            .out
            .starts_with("::notice title=ompmemopt OMM201,file=a.c,line=8")
    );
}

#[test]
fn a_project_says_what_it_wants_to_hear() {
    let settings = "exclude = [\"gen/\"]\n[check]\nselect = [\"OMM1\", \"OMM2\"]\n[check.per-file-ignores]\n\"old/*.c\" = [\"missing-from\", \"OMM2\"]\n";
    let sandbox = Sandbox::new(&[
        ("a.c", USELESS),
        ("gen/broken.c", "int f("),
        ("old/b.c", STALE),
        ("ompmemopt.toml", settings),
    ]);
    let Ran { code, err, .. } = sandbox.run(&["check", "."]);
    assert_eq!((code, err.as_str()), (1, "2 files: 1 piece of advice\n"));
    // The command line has the say; what a file of its own is excused from stays so.
    let Ran { code, err, .. } = sandbox.run(&["check", "--select", "OMM1", "."]);
    assert_eq!((code, err.as_str()), (0, "2 files: nothing found\n"));
    // Who names a file means it.
    assert_eq!(sandbox.run(&["check", "gen/broken.c"]).code, 2);
    let Ran { code, err, .. } = sandbox.run(&["check", "gen"]);
    assert!(
        code == 2 && err.contains("gen: `exclude` in ompmemopt.toml leaves out all C files in this folder"),
        "{err}"
    );
    sandbox.write("ompmemopt.toml", "[check]\nselect = [\"OMM7\"]\n");
    let Ran { code, err, .. } = sandbox.run(&["check", "a.c"]);
    let why = "ompmemopt.toml:2:10: `OMM7` in `select`: no rule has that code or name; `ompmemopt rules` lists them";
    assert!(code == 2 && err.contains(why), "{err}");
}

#[test]
fn a_project_says_how_it_is_built() {
    let program = COUNTED.replace("b[8];", "b[SIZE];").replace("i < 8", "i < SIZE");
    let database =
        "[{\"directory\": \"/\", \"file\": \"FILE\", \"arguments\": [\"cc\", \"-DSIZE=8\", \"-c\", \"FILE\"]}]";
    let sandbox = Sandbox::new(&[
        ("src/a.c", program.as_str()),
        ("ompmemopt.toml", "[options]\nbuild-path = \"out\"\nopenmp = \"4.5\"\n"),
        ("out/x", ""),
    ]);
    let file = sandbox.path().join("src/a.c").display().to_string();
    sandbox.write("out/compile_commands.json", &database.replace("FILE", &file));
    // Under 4.5, which the project says, and with the flags of its database.
    let found = sandbox.run(&["check", "src"]);
    assert_eq!(found.code, sandbox.run(&["check", "--openmp", "4.5", "src"]).code);
    assert_ne!(found.code, sandbox.run(&["check", "--openmp", "5.0", "src"]).code);
    assert_ne!(found.code, 2, "{}", found.err);
}

/// Under the letter of 4.5, the end of a region with `alloc` does not count down.
const COUNTED: &str = "\
#include <stdio.h>

int main(void)
{
  int b[8];
  #pragma omp target enter data map(alloc: b)
  #pragma omp target map(alloc: b)
  for (int i = 0; i < 8; i++)
    b[i] = i;
  #pragma omp target exit data map(from: b)
  printf(\"%d\\n\", b[3]);
  return 0;
}
";

#[test]
fn remarks_are_explained_by_their_words() {
    let ran = Sandbox::new(&[]).run(&["explain", "freed-here"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(
        ran.out,
        "`freed-here`\n\nWhere a residency would begin and end.\n\n**Remark:** it is freed here\n\n\
         **What helps:** Free it behind the loop, or allocate it once.\n"
    );
}

#[test]
fn directives_mean_what_the_version_says() {
    let sandbox = Sandbox::new(&[("a.c", COUNTED)]);
    let Ran { code, out, .. } = sandbox.run(&["check", "--openmp", "4.5", "a.c"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("error[OMM102]"), "{out}");
    for version in ["5.0", "5.1", "6.0"] {
        assert_eq!(sandbox.run(&["check", "--openmp", version, "a.c"]).code, 0, "{version}");
    }
}

/// A kernel again and again, in a header that the file includes.
const STEP: &str = "static void step(int *a, int n)\n{\n    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n    for (int i = 0; i < n; i++)\n        a[i] += i;\n}\n";
const STEPS: &str = "#include <stdio.h>\n#include \"step.h\"\nint main(void)\n{\n    int a[64] = {1};\n    for (int t = 0; t < 9; t++) {\n        #pragma omp target teams distribute parallel for map(tofrom: a[0:64])\n        for (int i = 0; i < 64; i++)\n            a[i] += t;\n    }\n    for (int t = 0; t < 9; t++)\n        step(a, 64);\n    printf(\"%d <>\\n\", a[5]);\n    return 0;\n}\n";

#[test]
fn a_page_shows_both_texts() {
    let sandbox = Sandbox::new(&[("a.c", STEPS), ("step.h", STEP)]);
    let Ran { code, out, err } = sandbox.run(&["explain", "--output-format", "html", "a.c"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("<!DOCTYPE html>"), "{out}");
    assert!(
        !out.contains("http") && !out.contains("<script"),
        "the page needs nothing else"
    );
    assert!(
        out.contains("target data map(to: a[0:64])") && out.contains("&lt;&gt;"),
        "{out}"
    );
    let chips = |way: &str| out.matches(&format!("class=\"chip {way}\" tabindex")).count();
    // In and out at the kernel of the old text; in the new text in at the region, and the kernel goes on with what is there.
    assert_eq!((chips("in"), chips("out"), chips("kept")), (2, 1, 1), "{out}");
    let again = sandbox.run(&["explain", "--output-format", "html", "a.c"]);
    assert_eq!(again.out, out);
    let missing = sandbox.run(&["explain", "--output-format", "html", "none.c"]);
    assert_eq!(
        (missing.code, missing.err.matches("no such file").count()),
        (2, 1),
        "{}",
        missing.err
    );
}

#[test]
fn what_constructs_do_is_explained() {
    let sandbox = Sandbox::new(&[("a.c", STALE)]);
    let Ran { code, out, err } = sandbox.run(&["explain", "a.c"]);
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!(out, @r#"
    a.c, main
       7  target enter data                     a[0:64]      copy in                        512 bytes
       8  target teams distribute parallel for  a (implied)  persistent in  persistent out  8 bytes each
      12  target exit data                      a[0:64]                     release         512 bytes
    "#);
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.run(&["explain", "--output-format", "json", "a.c"]).out).unwrap();
    let item = &json["files"][0]["items"][0];
    assert_eq!((&item["line"], &item["item"]), (&7.into(), &"a[0:64]".into()));
    assert_eq!((&item["entry"][0], &item["bytes"]), (&"copy in".into(), &512.into()));
    let missing = sandbox.run(&["explain", "none.c"]);
    assert!(
        missing.code == 2 && missing.err.contains("none.c: no such file or folder"),
        "{}",
        missing.err
    );
}
