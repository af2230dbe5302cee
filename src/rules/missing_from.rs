//! OMM102 `missing-from`: the host reads what only the device has current.

use super::{RuleText, StaleElements};

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM102",
    name: "missing-from",
    says: "The host reads what only the device has current.",
    why: "What a kernel writes comes back where the last reference to the array ends, by a `from` or `tofrom` there, or by an update. Before that, or where the array was mapped with `to` or `alloc`, the host has the values from before.",
    fix: "`#pragma omp target update from(…)` before the host reads, or `from` or `tofrom` where the array is mapped first.",
    wrong: r#"#pragma omp target data map(to: a[0:n])
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
}
printf("%g\n", a[n - 1]);
"#,
    right: r#"#pragma omp target data map(tofrom: a[0:n])
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
}
printf("%g\n", a[n - 1]);
"#,
};

/// What is said of elements that the host reads; whether the device copy has ended.
pub fn message(elements: &StaleElements<'_>, ended: bool) -> String {
    let how = if ended {
        ": the device copy has ended without being copied back"
    } else {
        ""
    };
    elements.sentence(how)
}

/// What is said of a read of a scalar.
pub fn scalar_without_from(label: &str, surely: bool) -> String {
    let is = if surely { "is" } else { "may be" };
    format!("{label} {is} read here with its old value: what the kernel before has written is not copied back")
}
