//! OMM202 `redundant-from`: what is copied to the host is of no use there.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM202",
    name: "redundant-from",
    says: "What is copied to the host is of no use there.",
    why: "A kernel that only reads has nothing to give back, and `tofrom`, which is what a kernel without clause gets, copies all elements back the same; or the host never reads what comes.",
    fix: "`to` in the place of `tofrom`, `alloc` in the place of `from`; an update that nobody reads can go.",
    wrong: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:n], sum) reduction(+: sum)
for (int i = 0; i < n; i++)
    sum += a[i];
"#,
    right: r#"#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: sum) reduction(+: sum)
for (int i = 0; i < n; i++)
    sum += a[i];
"#,
};

/// What is said of values that the host has.
pub fn host_has_it(label: &str) -> String {
    format!("{label} is copied to the host here, which has these values already: no kernel has written them")
}

/// What is said of values that the host does not use.
pub fn host_never_reads(label: &str) -> String {
    format!("{label} is copied to the host here, which never reads what is copied")
}
