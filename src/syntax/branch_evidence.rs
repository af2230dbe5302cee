//! Which `#if` branches are active, as far as a preprocessed text shows in which definitions still stand.
//!
//! ```text
//! #ifndef FIELD_H            active: the next line is among the definitions that the preprocessor has seen
//! #define FIELD_H
//! #ifdef __cplusplus         inactive: nothing ever defines the name
//! extern "C" {
//! #endif
//! #if CHECKED                active: the preprocessor has left something of these lines
//! int checks;
//! #endif
//! #if ROWS > 64              not known: who needs it asks the preprocessor with markers ([`super::branches`])
//! ```
//!
//! Most headers have no other conditionals than these, and the text is there already: asking again takes as long as making it.
//!
//! **Nothing is evaluated.** A branch with a `#define` of its own is active if and only if the preprocessor has met that
//! definition, on that line of that file; any branch is active of which something is left, on one of its lines. `#ifdef` of a
//! name that is never defined is inactive wherever it stands, and so is `#if` of a name that is never anything but 0. Of a header that
//! is included more than once a branch is active that is active in any of its inclusions, as with markers.

use super::branches::Branch;
use super::directives::{PreprocessorDirective, directives, logical_text};
use super::lex;
use super::line_markers::{Marker, MarkerKind};
use super::macros::Define;
use crate::source::LineIndex;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The definitions that the preprocessor has met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeenDefinitions {
    /// Names that are defined somewhere, those of the system, the compiler and flags included, and whether all their definitions say 0.
    only_zero: FxHashMap<String, bool>,
    /// Files by the names that markers have for them: not those of the system.
    files: FxHashMap<String, SeenFile>,
}

/// What the preprocessor has met in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct SeenFile {
    /// How often the file is entered.
    entered: usize,
    /// Lines of which something is left.
    left: BTreeSet<u32>,
    /// Names with the lines that define them.
    defined: FxHashMap<String, Vec<u32>>,
}

/// A branch while it is found out whether it is active.
struct OpenBranch {
    /// What it stands in is active.
    inside: bool,
    active: bool,
    /// A branch before it, of the same conditional, is active.
    taken: bool,
}

/// A definition that stands in a branch, and not in one inside of that.
struct OwnDefinition {
    name: String,
    /// The lines of its directive.
    lines: RangeInclusive<u32>,
}

impl OwnDefinition {
    /// The definitions in each branch of a text.
    fn of_branches(text: &[u8], lines: &LineIndex, directives: &[PreprocessorDirective]) -> Vec<Vec<OwnDefinition>> {
        let (mut found, mut open): (Vec<Vec<OwnDefinition>>, Vec<usize>) = (Vec::new(), Vec::new());
        let line_at = |at: usize| lines.position(at).line;
        for directive in directives {
            if directive.alternates() || directive.closes() {
                open.pop();
            }
            if directive.opens() || directive.alternates() {
                open.push(found.len());
                found.push(Vec::new());
            }
            if let (Some(branch), "define") = (open.last(), directive.name.as_str())
                && let Some(define) = Define::read(&logical_text(text, directive.rest))
            {
                found[*branch].push(OwnDefinition {
                    name: define.name,
                    lines: line_at(directive.span.start)..=line_at(directive.span.end),
                });
            }
        }
        found
    }

    /// Whether the preprocessor has met the definition.
    fn is_met_in(&self, file: &SeenFile) -> bool {
        let met = file.defined.get(&self.name);
        met.is_some_and(|met| met.iter().any(|line| self.lines.contains(line)))
    }
}

impl SeenDefinitions {
    /// Reads a text that was preprocessed with definitions left in (`-dD`).
    pub fn of(preprocessed: &[u8]) -> SeenDefinitions {
        let mut seen = SeenDefinitions::default();
        let (mut file, mut number) = (None, 0);
        for line in preprocessed.split(|byte| *byte == b'\n') {
            if let Some(marker) = Marker::read(line) {
                number = marker.line;
                let name = String::from_utf8_lossy(marker.name);
                // A header of the program's own may say of the rest of it that it is the system's.
                let is_own = !marker.system || seen.files.contains_key(&*name);
                file = (is_own && !name.starts_with('<')).then(|| name.into_owned());
                let is_first = seen.files.is_empty();
                if let Some(name) = file
                    .as_ref()
                    .filter(|_| is_first || matches!(marker.step, MarkerKind::Into))
                {
                    seen.files.entry(name.clone()).or_default().entered += 1;
                }
                continue;
            }
            let define = line.strip_prefix(b"#define ");
            let define = define.and_then(|said| Define::read(&String::from_utf8_lossy(said)));
            let is_left = define.is_some() || !line.starts_with(b"#") && !line.iter().all(u8::is_ascii_whitespace);
            if let Some(name) = file.as_ref().filter(|_| is_left) {
                let met = seen.files.entry(name.clone()).or_default();
                met.left.insert(number);
                let defined = define.iter().map(|define| &define.name);
                defined.for_each(|name| met.defined.entry(name.clone()).or_default().push(number));
            }
            if let Some(define) = define {
                let is_zero = define.params.is_none() && define.body == "0";
                *seen.only_zero.entry(define.name).or_insert(true) &= is_zero;
            }
            number = number.saturating_add(1);
        }
        seen
    }

    /// The numbers of the branches of a file that are active, where that is seen of all of them. `file` is what markers call the file, and
    /// `branches` are those of its text.
    pub fn active(&self, file: &str, text: &[u8], branches: &[Branch]) -> Option<BTreeSet<u32>> {
        let file = self.files.get(file)?;
        // The compiler counts a line more there.
        let lone = |pair: &[u8]| pair[0] == b'\r' && pair[1] != b'\n';
        if text.windows(2).any(lone) {
            return None;
        }
        let (directives, lines) = (directives(text), LineIndex::new(text));
        let own = OwnDefinition::of_branches(text, &lines, &directives);
        let line_at = |at: usize| lines.position(at).line;
        let mut open: Vec<OpenBranch> = Vec::new();
        let (mut active, mut next) = (BTreeSet::new(), 0);
        for directive in &directives {
            let outer = match directive.name.as_str() {
                // Lines have other numbers behind it.
                "line" | "" if !directive.rest.is_empty() => return None,
                "endif" => {
                    open.pop();
                    continue;
                }
                _ if directive.opens() => None,
                _ if directive.alternates() => Some(open.pop()?),
                _ => continue,
            };
            let (inside, taken) = match &outer {
                Some(before) => (before.inside, before.taken || before.active),
                None => (open.last().is_none_or(|around| around.active), false),
            };
            let branch = branches.get(next)?;
            let lines = line_at(branch.span.start)..line_at(branch.span.end);
            let is_active = match &own[next] {
                _ if !inside => false,
                own if !own.is_empty() => own.iter().any(|own| own.is_met_in(file)),
                _ if file.left.range(lines).next().is_some() => true,
                // Another inclusion may come to another branch.
                _ if taken && file.entered > 1 => return None,
                _ => !taken && self.holds(text, directive)?,
            };
            next += 1;
            if is_active {
                active.insert(branch.id);
            }
            open.push(OpenBranch {
                inside,
                active: is_active,
                taken,
            });
        }
        (next == branches.len()).then_some(active)
    }

    /// Whether the condition of a branch holds, those before it not being active.
    fn holds(&self, text: &[u8], directive: &PreprocessorDirective) -> Option<bool> {
        let said = logical_text(text, directive.rest);
        let said = said.trim();
        match directive.name.as_str() {
            "else" => Some(true),
            "ifdef" => self.is_never_defined(said).then_some(false),
            "ifndef" => self.is_never_defined(said).then_some(true),
            "if" | "elif" if said == "0" || self.is_zero(said) => Some(false),
            "if" | "elif" if said == "1" => Some(true),
            _ => None,
        }
    }

    /// Whether a condition is nothing but a name that is 0 or nothing wherever it stands.
    fn is_zero(&self, condition: &str) -> bool {
        self.is_never_defined(condition) || self.only_zero.get(condition).is_some_and(|zero| *zero)
    }

    /// Whether this is a name that nothing defines at any place.
    fn is_never_defined(&self, name: &str) -> bool {
        let starts = name.bytes().next().is_some_and(lex::starts_word);
        let is_word = starts && name.is_ascii() && lex::word(name.as_bytes(), 0) == name.len();
        is_word && !may_be_built_in(name) && !self.only_zero.contains_key(name)
    }
}

/// Whether a name may be one that the preprocessor knows without a definition.
fn may_be_built_in(name: &str) -> bool {
    /// Names that clang knows, but for those that are like `__has_include`.
    const BUILT_IN: [&str; 12] = [
        "_Pragma",
        "__BASE_FILE__",
        "__COUNTER__",
        "__DATE__",
        "__FILE_NAME__",
        "__FILE__",
        "__FLT_EVAL_METHOD__",
        "__INCLUDE_LEVEL__",
        "__LINE__",
        "__MODULE__",
        "__TIMESTAMP__",
        "__TIME__",
    ];
    let like_has_include = name
        .strip_prefix("__")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    name == "defined" || BUILT_IN.contains(&name) || like_has_include && name != "__cplusplus"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::marked_text;

    /// What is seen of the branches of `f.h`, whose text is given, in a preprocessed text.
    fn seen(text: &str, preprocessed: &str) -> Option<Vec<u32>> {
        let (_, branches) = marked_text(text.as_bytes());
        let seen = SeenDefinitions::of(preprocessed.as_bytes());
        let active = seen.active("f.h", text.as_bytes(), &branches)?;
        Some(active.into_iter().collect())
    }

    const HEADER: &str =
        "#ifndef F_H\n#define F_H\n#ifdef __cplusplus\nextern \"C\" {\n#else\nint c;\n#endif\n#endif\n";
    const START: &str = "# 1 \"m.c\"\n# 1 \"<built-in>\" 1\n#define __STDC__ 1\n# 1 \"m.c\" 2\n";

    #[test]
    fn guards_and_other_languages_need_no_question() {
        let met = format!("{START}# 1 \"f.h\" 1\n\n#define F_H \n\n\n\nint c;\n# 2 \"m.c\" 2\n");
        assert_eq!(seen(HEADER, &met), Some(vec![0, 2]));
        let before = format!("{START}#define F_H \n# 1 \"f.h\" 1\n# 2 \"m.c\" 2\n");
        assert_eq!(seen(HEADER, &before), Some(vec![]));
    }

    #[test]
    fn only_the_definition_on_that_line_counts() {
        let text = "#ifdef A\n#define N 4\n#else\n#define N 8\n#endif\n";
        let first = format!("{START}# 1 \"f.h\" 1\n\n#define N 4\n# 2 \"m.c\" 2\n");
        assert_eq!(seen(text, &first), Some(vec![0]));
        let second = format!("{START}# 1 \"f.h\" 1\n# 4 \"f.h\"\n#define N 8\n# 2 \"m.c\" 2\n");
        assert_eq!(seen(text, &second), Some(vec![1]));
    }

    #[test]
    fn a_header_that_is_entered_twice_may_have_both_branches() {
        let text = "#ifdef A\n#define N 4\n#else\nint n;\n#endif\n";
        let once = "# 1 \"f.h\" 1\n\n#define N 4\n# 2 \"m.c\" 2\n";
        assert_eq!(seen(text, &format!("{START}{once}")), Some(vec![0]));
        assert_eq!(seen(text, &format!("{START}{once}{once}")), None);
    }

    #[test]
    fn what_is_left_of_a_branch_shows_it() {
        let text = "#if A > 1\nint n;\n#if B > 1\nint m;\n#endif\n#else\nint k;\n#endif\n";
        let outer = format!("{START}# 1 \"f.h\" 1\n\nint n;\n# 2 \"m.c\" 2\n");
        assert_eq!(seen(text, &outer), None);
        let inner = format!("{START}# 1 \"f.h\" 1\n# 4 \"f.h\"\nint m;\n# 2 \"m.c\" 2\n");
        assert_eq!(seen(text, &inner), Some(vec![0, 1]));
    }

    #[test]
    fn the_rest_is_asked() {
        let met = format!("{START}#define A 2\n# 1 \"f.h\" 1\n# 2 \"m.c\" 2\n");
        for asked in [
            "#ifdef A",
            "#if A",
            "#if A > 1",
            "#ifdef __has_include",
            "#ifdef __TIME__",
            "#if defined(B)",
            "#line 4\n#if 0",
        ] {
            assert_eq!(seen(&format!("{asked}\nint n;\n#endif\n"), &met), None, "{asked}");
        }
        assert_eq!(
            seen(
                "#if Z\nint n;\n#elif Z\nint m;\n#endif\n",
                &format!("#define Z 0\n{met}")
            ),
            Some(vec![])
        );
        assert_eq!(seen("#if 1\n#endif\n#if 2\n#endif\n", &met), None);
        assert_eq!(seen("#if 0\nint n;\n#elif 1\nint m;\n#endif\n", &met), Some(vec![1]));
        assert_eq!(seen("int a;\r#ifdef B\nint n;\n#endif\n", &met), None);
        assert_eq!(seen("#if 0\n#endif\n", START), None, "the file is not there");
    }

    #[test]
    fn what_calls_itself_the_systems_is_the_programs_own() {
        let text = "#pragma GCC system_header\n#ifndef F_H\n#define F_H\n#endif\n";
        let met = format!("{START}# 1 \"f.h\" 1\n\n# 2 \"f.h\" 3\n\n#define F_H \n# 2 \"m.c\" 2\n");
        assert_eq!(seen(text, &met), Some(vec![0]));
    }
}
