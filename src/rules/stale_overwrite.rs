//! OMM108 `stale-overwrite`: a copy comes over newer values.

use super::{RuleText, StaleElements};

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM108",
    name: "stale-overwrite",
    says: "A copy comes over newer values.",
    why: "One side has written, and the other side's older values are copied over it, by an update or at the end of a region. The newer values are nowhere any more.",
    fix: "Copy the other way first, copy less, or `to` instead of `tofrom` where the kernel changes nothing.",
    wrong: r#"#pragma omp target data map(tofrom: a[0:n])
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target update to(a[0:n])
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

/// What is said of elements over which a copy has come.
pub fn message(elements: &StaleElements<'_>) -> String {
    elements.sentence(": a copy of older values has come over them")
}
