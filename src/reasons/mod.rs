//! Why something is left as it is: each reason once, with the word that users search for, its sentence, and what helps.
//!
//! ```text
//! sim.c:41:9: remark: `u` does not stay on the device: it is freed here
//!                                                      └─ Ends::FreedHere, `freed-here`:
//!                                                         "Free it behind the loop, or allocate it once."
//! ```
//!
//! An analysis says *which* reason it has, with the names that belong in the sentence, and never how that reads. Reasons are
//! grouped by what they are about; [`Reason`] is any of them. [`all`] lists them for documents and for code scanning
//! (`docs/remarks.md`, SARIF rules).
//!
//! The table of a group is the only place where a sentence stands:
//!
//! ```text
//! FreedHere "freed-here" "it is freed here" => "Free it behind the loop, or allocate it once.";
//! variant   identifier   sentence              what helps; empty where nothing does
//! ```

mod aliases;
mod builds;
mod calls;
mod clauses;
mod copying;
mod ends;
mod functions;
mod hand_written;
mod serial;
mod sizes;
mod structs;
mod wording;

pub use aliases::{Aliases, Promise};
pub use builds::Builds;
pub use calls::Calls;
pub use clauses::Clauses;
pub use copying::Copying;
pub use ends::Ends;
pub use functions::Functions;
pub use hand_written::HandWritten;
pub use serial::Serial;
pub use sizes::Sizes;
pub use structs::Structs;
pub use wording::Wording;

use std::fmt;

/// What is the same of a reason wherever it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReasonKind {
    /// The reason's identifier, which never changes: `freed-here`.
    pub id: &'static str,
    /// The reason's sentence, with names for what differs: `` `{callee}`, called here, starts kernels on it ``.
    pub sentence: &'static str,
    /// What the user can do; empty where nothing helps.
    pub helps: &'static str,
}

/// A group of reasons: an enum, the kinds of its variants, and its place in [`Reason`].
macro_rules! reasons {
    ($(#[$doc:meta])* $group:ident { $(
        $variant:ident $( { $( $field:ident : $type:ty ),* } )? $id:literal $sentence:literal => $helps:literal;
    )* }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum $group {
            $( #[doc = $sentence] $variant $( { $( $field: $type ),* } )?, )*
        }

        impl $group {
            /// The kinds of all, in the table's order.
            pub(super) const KINDS: &'static [$crate::reasons::ReasonKind] = &[ $(
                $crate::reasons::ReasonKind { id: $id, sentence: $sentence, helps: $helps },
            )* ];

            /// The kind of the reason.
            pub fn kind(&self) -> &'static $crate::reasons::ReasonKind {
                match self {
                    $( $group::$variant $( { $( $field: _ ),* } )? => {
                        &$crate::reasons::ReasonKind { id: $id, sentence: $sentence, helps: $helps }
                    } )*
                }
            }
        }

        impl std::fmt::Display for $group {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $( $group::$variant $( { $( $field ),* } )? => write!(f, $sentence), )*
                }
            }
        }

        impl From<$group> for $crate::reasons::Reason {
            fn from(reason: $group) -> $crate::reasons::Reason {
                $crate::reasons::Reason::$group(reason)
            }
        }
    };
}
use reasons;

/// Any reason.
macro_rules! groups {
    ($( $group:ident $about:literal )*) => {
        /// Why something is left as it is.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Reason {
            $( #[doc = $about] $group($group), )*
        }

        impl Reason {
            /// What is the same of it wherever it is given.
            pub fn kind(&self) -> &'static ReasonKind {
                match self {
                    $( Reason::$group(reason) => reason.kind(), )*
                }
            }
        }

        impl fmt::Display for Reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $( Reason::$group(reason) => reason.fmt(f), )*
                }
            }
        }

        /// All groups with what they are about and their kinds.
        const GROUPS: &[(&str, &[ReasonKind])] = &[ $( ($about, $group::KINDS), )* ];
    };
}

groups! {
    Copying "Copies that cannot be placed, or are not worth it."
    Ends "Where a residency would begin and end."
    Sizes "How much of an array is mapped."
    Aliases "Arrays that may be reached by several names."
    Calls "What called functions do."
    Clauses "What clauses of kernels say."
    HandWritten "What the user manages by hand."
    Structs "Members of structs."
    Builds "Other builds of the same text."
    Functions "Functions that are left alone as a whole."
    Serial "Loops that stay loops."
    Wording "Texts that cannot be written."
}

/// All kinds, with what their groups are about.
pub fn all() -> impl Iterator<Item = (&'static str, &'static ReasonKind)> {
    GROUPS
        .iter()
        .flat_map(|(about, kinds)| kinds.iter().map(move |kind| (*about, kind)))
}

/// The reason of an identifier, as a terminal shows it.
pub fn documented(id: &str) -> Option<String> {
    let (about, kind) = all().find(|(_, kind)| kind.id == id)?;
    let mut page = format!("`{id}`\n\n{about}\n\n**Remark:** {}\n", kind.sentence);
    if !kind.helps.is_empty() {
        page += &format!("\n**What helps:** {}\n", kind.helps);
    }
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fmt::Write;
    use std::path::Path;

    #[test]
    fn a_reason_reads_as_its_sentence_with_the_names_in_it() {
        let callee = "step".to_owned();
        let reason: Reason = Calls::StartsKernels { callee }.into();
        assert_eq!(reason.to_string(), "`step`, called here, starts kernels on it");
        assert_eq!(reason.kind().id, "starts-kernels");
        assert_eq!(reason.kind().sentence, "`{callee}`, called here, starts kernels on it");
    }

    #[test]
    fn identifiers_are_words_joined_by_hyphens_each_used_once() {
        let mut seen = BTreeSet::new();
        for (_, kind) in all() {
            let is_word = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
            assert!(kind.id.split('-').all(is_word), "{}", kind.id);
            assert!(seen.insert(kind.id), "{} twice", kind.id);
        }
    }

    #[test]
    fn what_helps_is_a_sentence_where_there_is_any() {
        for (_, kind) in all().filter(|(_, k)| !k.helps.is_empty()) {
            assert!(kind.helps.ends_with('.'), "{}", kind.id);
            assert!(
                kind.helps.starts_with(|c: char| c.is_uppercase() || c == '`'),
                "{}",
                kind.id
            );
        }
    }

    const TABLE: &str = "| identifier | remark | what helps |\n|---|---|---|\n";

    /// `docs/remarks.md`.
    fn document() -> String {
        let mut text = include_str!("remarks.md.in").to_owned();
        for (about, kinds) in GROUPS {
            let _ = write!(text, "\n## {}\n\n{TABLE}", about.trim_end_matches('.'));
            for kind in *kinds {
                let cell = |text: &str| text.replace('|', "\\|");
                let (sentence, helps) = (cell(kind.sentence), cell(kind.helps));
                let _ = writeln!(
                    text,
                    "| <a id=\"{id}\"></a>`{id}` | {sentence} | {helps} |",
                    id = kind.id
                );
            }
        }
        text
    }

    #[test]
    fn the_document_has_all_reasons() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/remarks.md");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, document()).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == document(),
            "docs/remarks.md is not what src/reasons says; `BLESS=1 cargo test reasons` writes it anew"
        );
    }
}
