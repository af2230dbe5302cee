//! OMM901 `unused-suppression`: a comment silences what is not found.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM901",
    name: "unused-suppression",
    says: "A comment silences what is not found.",
    why: "`/* ompmemopt: ignore[RULE] reason */` silences a rule in its line, or in the next one with code where it has its line for itself; `off[RULE]` and `on[RULE]` \
          do so for the lines between them. `rewrite` and `annotate` in the place of rules keep these commands away, and an `off` that names nothing does all of that. Where a rule that is named finds nothing there, the comment may be left over, or stand in another line than the finding.",
    fix: "Take it out, or put it where the finding is: in the line that `check` names first.",
    wrong: r#"/* ompmemopt: ignore[OMM112] the first call has nothing there */
#pragma omp target enter data map(to: a[0:n])
#pragma omp target exit data map(from: a[0:n])
"#,
    right: r#"/* ompmemopt: ignore[OMM112] nothing is there yet */
#pragma omp target update from(a[0:n])
"#,
};

/// What is said of a comment by which a rule is not silenced.
pub fn message(rule: &str) -> String {
    format!("this comment silences {rule}, of which nothing is found here")
}
