//! OMM107 `scalar-result-lost`: a scalar that a kernel writes is read behind it with its old value.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM107",
    name: "scalar-result-lost",
    says: "A scalar that a kernel writes is read behind it with its old value.",
    why: "A scalar without a `map` clause is `firstprivate` in a kernel: what is written there goes to a copy that ends with the kernel. A `reduction` maps its variable only where it stands on the combined construct with `target` (OpenMP 5.0).",
    fix: "`map(tofrom: sum)` on the kernel.",
    wrong: r#"double sum = 0.0;
#pragma omp target map(to: a[0:n])
#pragma omp teams distribute parallel for reduction(+: sum)
for (int i = 0; i < n; i++)
    sum += a[i];
printf("%g\n", sum);
"#,
    right: r#"double sum = 0.0;
#pragma omp target map(to: a[0:n]) map(tofrom: sum)
#pragma omp teams distribute parallel for reduction(+: sum)
for (int i = 0; i < n; i++)
    sum += a[i];
printf("%g\n", sum);
"#,
};

/// What is said of a read of a variable.
pub fn message(label: &str, surely: bool) -> String {
    let is = if surely { "is" } else { "may be" };
    format!("{label} {is} read here with its old value: the kernel before has written a copy of its own")
}
