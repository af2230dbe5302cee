//! OMM205 `round-trip`: an array leaves the device and comes back unchanged.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM205",
    name: "round-trip",
    says: "An array leaves the device and comes back unchanged.",
    why: "Between two kernels the host does nothing to the array: what the second one copies to the device has just been there. The host may read it in between; that needs an update and no second copy to the device.",
    fix: "`#pragma omp target data` around both, or `enter data` before the first and `exit data` behind the last.",
    wrong: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
for (int i = 0; i < n; i++)
    a[i] += i;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
for (int i = 0; i < n; i++)
    a[i] *= 2;
"#,
    right: r#"#pragma omp target data map(tofrom: a[0:n])
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}
"#,
};

/// What is said where the array comes back.
pub fn message(label: &str) -> String {
    format!("{label} comes back to the device here, and the host has not changed it since it left")
}
