//! OMM101 `missing-to`: the device reads what only the host has current.

use super::{RuleText, StaleElements};

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM101",
    name: "missing-to",
    says: "The device reads what only the host has current.",
    why: "The array is on the device already, so that the `map` of the kernel copies nothing; or it was mapped with `alloc` or `from`, which copy nothing either. The kernel computes with old or undefined values.",
    fix: "`#pragma omp target update to(…)` behind what the host writes, or `to` or `tofrom` where the array is mapped first.",
    wrong: r#"#pragma omp target data map(tofrom: a[0:n])
{
    a[0] = 1.0;
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[0] + i;
}
"#,
    right: r#"#pragma omp target data map(tofrom: a[0:n])
{
    a[0] = 1.0;
    #pragma omp target update to(a[0:1])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[0] + i;
}
"#,
};

/// What is said of elements that a kernel or, after a copy, the host reads.
pub fn message(elements: &StaleElements<'_>) -> String {
    elements.sentence("")
}

/// What is said of a kernel that reads a scalar of which its copy has no value.
pub fn scalar_without_value(label: &str) -> String {
    format!("this kernel reads {label}, whose copy begins without a value")
}
