//! OMM206 `whole-array-for-part`: a copy brings at least twice as many elements as are used.

use super::{Reader, RuleText};

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM206",
    name: "whole-array-for-part",
    says: "A copy brings at least twice as many elements as are used.",
    why: "A section that is copied whole where only a part of it is used costs what all of it costs.",
    fix: "A section in the clause, as `a[0:m]`, or an update of the part.",
    wrong: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:2 * n]) map(tofrom: sum) reduction(+: sum)
for (int i = 0; i < n; i++) {
    a[i] += i;
    sum += a[i];
}
"#,
    right: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(tofrom: sum) reduction(+: sum)
for (int i = 0; i < n; i++) {
    a[i] += i;
    sum += a[i];
}
"#,
};

/// What is said of a copy, by who uses what it brings.
pub fn message(label: &str, reader: Reader) -> String {
    let who = match reader {
        Reader::Host => "the host",
        Reader::Kernel => "kernels",
    };
    format!("of what is copied of {label} here, at most half is used by {who}")
}
