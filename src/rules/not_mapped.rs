//! OMM106 `not-mapped`: a kernel uses what a pointer leads to, of which nothing is mapped.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM106",
    name: "not-mapped",
    says: "A kernel uses what a pointer leads to, of which nothing is mapped.",
    why: "For a pointer without a `map` clause the kernel gets the address of what is on the device already, and otherwise an address of the host, which means nothing there.",
    fix: "`map` on the kernel, or on a `target data` around it, with the elements: `map(tofrom: a[0:n])`.",
    wrong: r#"double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
    right: r#"double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for map(from: a[0:n])
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
};

/// What is said of a kernel.
pub fn message(label: &str, surely: bool) -> String {
    let uses = if surely { "uses" } else { "may use" };
    format!("this kernel {uses} {label}, of which nothing is mapped")
}
