//! OMM105 `map-beyond-allocation`: more is mapped than there is.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM105",
    name: "map-beyond-allocation",
    says: "More is mapped than there is.",
    why: "The section of a list item ends behind the array, or begins before it. The runtime copies memory that belongs to something else, and back.",
    fix: "Map no more than was allocated or declared: a length counts elements, and not bytes.",
    wrong: r#"double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for map(from: a[0:n + 1])
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
    right: r#"double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for map(from: a[0:n])
for (int i = 0; i < n; i++)
    a[i] = i;
"#,
};

/// What is said of a list item.
pub fn message(label: &str) -> String {
    format!("this maps elements of {label} that there are not")
}
