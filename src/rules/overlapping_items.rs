//! OMM111 `overlapping-items`: two list items of one construct share elements.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM111",
    name: "overlapping-items",
    says: "Two list items of one construct share elements.",
    why: "OpenMP forbids it. Which of them is mapped first is not said, and the second one may be more than is there then: the program stops.",
    fix: "One item that covers both, or sections that do not meet.",
    wrong: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(tofrom: a[n / 2:n])
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
    right: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:2 * n])
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
};

/// What is said of a list item that shares elements with another one.
pub fn message(label: &str) -> String {
    format!("two list items of this directive share elements of {label}")
}
