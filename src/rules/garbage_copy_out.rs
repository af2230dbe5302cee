//! OMM109 `garbage-copy-out`: what was never written on the device is copied back.

use super::{RuleText, StaleElements};

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM109",
    name: "garbage-copy-out",
    says: "What was never written on the device is copied back.",
    why: "With `from` or `alloc` the device's copy begins without values. What no kernel writes of it comes back as it is, over what the host had.",
    fix: "`tofrom`, or a smaller section: only what kernels write.",
    wrong: r#"#pragma omp target teams distribute parallel for map(from: a[0:n])
for (int i = 1; i < n; i++)
    a[i] = i;
printf("%g\n", a[0]);
"#,
    right: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
for (int i = 1; i < n; i++)
    a[i] = i;
printf("%g\n", a[0]);
"#,
};

/// What is said of elements that were copied back.
pub fn message(elements: &StaleElements<'_>) -> String {
    elements.sentence(": what the device had there was copied back")
}

/// What is said of a read of a scalar.
pub fn scalar_garbage(label: &str, surely: bool) -> String {
    let is = if surely { "is" } else { "may be" };
    format!("{label} {is} read here with no value: the kernel before writes nothing there, and it is copied back")
}
