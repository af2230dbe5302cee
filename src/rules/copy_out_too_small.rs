//! OMM104 `copy-out-too-small`: less comes back than the host reads.

use super::{RuleText, StaleElements};

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM104",
    name: "copy-out-too-small",
    says: "Less comes back than the host reads.",
    why: "A copy brings some of what a kernel has written, and the host reads other elements of it.",
    fix: "Copy what the host reads: a larger section in the `update`, or all of it at the end of the region.",
    wrong: r#"#pragma omp target data map(to: a[0:n])
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target update from(a[0:n / 2])
}
for (int i = 0; i < n; i++)
    sum += a[i];
"#,
    right: r#"#pragma omp target data map(to: a[0:n])
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target update from(a[0:n])
}
for (int i = 0; i < n; i++)
    sum += a[i];
"#,
};

/// What is said of elements that a copy has passed by.
pub fn message(elements: &StaleElements<'_>) -> String {
    elements.sentence(": others were copied back, and not these")
}
