//! OMM201 `redundant-to`: what is copied to the device is of no use there.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM201",
    name: "redundant-to",
    says: "What is copied to the device is of no use there.",
    why: "A kernel that writes all elements before it reads any needs nothing from the host, and `tofrom`, which is what a kernel without clause gets, copies them all the same; or the device has the values already, and an update brings them again.",
    fix: "`from` in the place of `tofrom`, `alloc` in the place of `to`; an update that brings nothing new can go.",
    wrong: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
for (int i = 0; i < n; i++)
    a[i] = i;
printf("%g\n", a[n - 1]);
"#,
    right: r#"#pragma omp target teams distribute parallel for map(from: a[0:n])
for (int i = 0; i < n; i++)
    a[i] = i;
printf("%g\n", a[n - 1]);
"#,
};

/// What is said of an update.
pub fn device_has_it(label: &str) -> String {
    format!("{label} is copied to the device here, which has these values already")
}

/// What is said of a copy.
pub fn no_kernel_reads(label: &str) -> String {
    format!("{label} is copied to the device here, and no kernel reads what is copied")
}
