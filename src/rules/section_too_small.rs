//! OMM103 `section-too-small`: a kernel uses elements that are not mapped.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM103",
    name: "section-too-small",
    says: "A kernel uses elements that are not mapped.",
    why: "Of the array only a section is on the device. What lies beside it there is other memory, or none. \
          Where subscripts are read from memory, it is a warning that the array has more elements than are mapped.",
    fix: "Map the elements that the kernel uses: a section is `[first:length]`, and not `[first:last]`.",
    wrong: r#"#pragma omp target teams distribute parallel for map(tofrom: a[1:n - 2])
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
    right: r#"#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
};

/// What is said of a kernel that uses elements beside what is mapped.
pub fn message(label: &str, surely: bool) -> String {
    let uses = if surely { "uses" } else { "may use" };
    format!("this kernel {uses} elements of {label} that are not mapped")
}

/// What is said of a list item of which only some elements are on the device.
pub fn extended(label: &str) -> String {
    format!("this maps elements of {label} of which only some are on the device, and the program stops here")
}
