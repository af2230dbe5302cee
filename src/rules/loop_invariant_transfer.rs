//! OMM203 `loop-invariant-transfer`: a copy in a loop does each time what one copy could do.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM203",
    name: "loop-invariant-transfer",
    says: "A copy in a loop does each time what one copy could do.",
    why: "What a kernel in a loop maps is copied in every iteration. Where neither side changes it, the first copy is enough; where only the last result is read, one copy behind the loop is.",
    fix: "`#pragma omp target data` around the loop, with the same clause; an update moves in front of the loop, or behind it.",
    wrong: r#"double *b = calloc(n, sizeof *b);
for (int t = 0; t < 4; t++) {
    #pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n])
    for (int i = 0; i < n; i++)
        b[i] += t * a[i];
    printf("%g\n", b[n - 1]);
    b[0] = t;
}
free(b);
"#,
    right: r#"double *b = calloc(n, sizeof *b);
#pragma omp target data map(to: a[0:n])
for (int t = 0; t < 4; t++) {
    #pragma omp target teams distribute parallel for map(tofrom: b[0:n])
    for (int i = 0; i < n; i++)
        b[i] += t * a[i];
    for (int i = 0; i < n; i++)
        sum += b[i];
    b[0] = t;
}
free(b);
"#,
};

/// What is said of a copy to the device.
pub fn repeated(label: &str) -> String {
    format!("{label} is copied to the device each time that control comes here, and nothing changes it in between")
}

/// What is said of a copy to the host.
pub fn superseded(label: &str) -> String {
    format!(
        "{label} is copied to the host each time that control comes here, and nobody reads it before it is copied again"
    )
}
