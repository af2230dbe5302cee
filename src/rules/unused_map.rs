//! OMM204 `unused-map`: no kernel uses what is mapped.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM204",
    name: "unused-map",
    says: "No kernel uses what is mapped.",
    why: "The array gets memory on the device, and perhaps its values, and nobody looks at them.",
    fix: "The list item can go; an array that a kernel was meant to use is missing there.",
    wrong: r#"double *b = calloc(n, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
for (int i = 0; i < n; i++)
    a[i] += i;
free(b);
"#,
    right: r#"double *b = calloc(n, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
for (int i = 0; i < n; i++)
    a[i] += b[i];
free(b);
"#,
};

/// What is said of a list item.
pub fn message(label: &str) -> String {
    format!("{label} is mapped here, and no kernel uses it as long as it is")
}
