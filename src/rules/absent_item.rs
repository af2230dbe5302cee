//! OMM112 `absent-item`: a directive is about what is not on the device, and does nothing for it.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM112",
    name: "absent-item",
    says: "A directive is about what is not on the device, and does nothing for it.",
    why: "`target update` and `target exit data` do nothing for what is not there; with the modifier `present` the program stops.",
    fix: "Enter the array before, or take the directive out.",
    wrong: r#"double *a = calloc(n, sizeof *a);
#pragma omp target teams distribute parallel for map(to: a[0:n])
for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp target update from(a[0:n])
printf("%g\n", a[n - 1]);
"#,
    right: r#"double *a = calloc(n, sizeof *a);
#pragma omp target teams distribute parallel for map(from: a[0:n])
for (int i = 0; i < n; i++)
    a[i] = i;
printf("%g\n", a[n - 1]);
"#,
};

/// What is said of a directive, which the program ends at or not.
pub fn message(label: &str, ends: bool) -> String {
    let then = match ends {
        true => "with `present` the program ends",
        false => "so that this directive does nothing for it",
    };
    format!("{label} is not on the device here, {then}")
}
