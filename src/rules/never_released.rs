//! OMM110 `never-released`: memory is freed while it is mapped.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM110",
    name: "never-released",
    says: "Memory is freed while it is mapped.",
    why: "The runtime still has an entry for the address. When the allocator hands the memory out again, a `map` of the new array finds the old entry: nothing is copied, or the program stops because the sizes differ.",
    fix: "`#pragma omp target exit data map(release: a)` before `free(a)`, as often as the array was entered.",
    wrong: r#"double *a = calloc(n, sizeof *a);
#pragma omp target enter data map(to: a[0:n])
#pragma omp target teams distribute parallel for
for (int i = 0; i < n; i++)
    a[i] += i;
#pragma omp target update from(a[0:n])
printf("%g\n", a[n - 1]);
free(a);
"#,
    right: r#"double *a = calloc(n, sizeof *a);
#pragma omp target enter data map(to: a[0:n])
#pragma omp target teams distribute parallel for
for (int i = 0; i < n; i++)
    a[i] += i;
#pragma omp target update from(a[0:n])
printf("%g\n", a[n - 1]);
#pragma omp target exit data map(release: a[0:n])
free(a);
"#,
};

/// What is said where memory ends.
pub fn message(label: &str) -> String {
    format!("{label} is freed while it is mapped")
}
