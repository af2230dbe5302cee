//! Texts as they were parsed: once for all in a run that look at them.
//!
//! ```text
//! facts of a.c, plan of a.c ─► a.c ──────────────────┐
//! facts of a.c ─┐                                    ├► scope tree
//! facts of b.c ─┼─► grid.h, 3 branches left out ─────┼► the line of each word's first mention outside of functions
//! facts of c.c ─┘                                    └► (made once, whoever asks first)
//! ```
//!
//! A file is looked at when its facts are made and when it is planned, and a library of some hundred files includes few
//! headers, each of them in most files. What is left out of a header may differ from file to file, so a text is known by its
//! bytes and by that.

use crate::source::Span;
use crate::syntax::{self, ScopeTree, identifiers};
use blake3::Hash;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A text without the branches that a build leaves out.
#[derive(Debug)]
pub struct ParsedText {
    /// The text's scope tree.
    pub tree: ScopeTree,
    mentions: OnceLock<FxHashMap<String, u32>>,
}

impl ParsedText {
    fn of(text: &[u8], inactive: &[Span]) -> ParsedText {
        ParsedText {
            tree: syntax::parse(text, inactive),
            mentions: OnceLock::new(),
        }
    }

    /// The line in which a word is first mentioned outside of functions; `text` is what was parsed.
    pub fn first_mention(&self, text: &[u8], word: &str) -> Option<u32> {
        self.mentions
            .get_or_init(|| self.find_mentions(text))
            .get(word)
            .copied()
    }

    fn find_mentions(&self, text: &[u8]) -> FxHashMap<String, u32> {
        let functions = &self.tree.functions;
        let mut first: FxHashMap<String, u32> = FxHashMap::default();
        let (mut line, mut counted) = (1, 0);
        for (word, span) in identifiers(text, Span::new(0, text.len())) {
            if functions.iter().any(|f| f.span.contains(span.start)) {
                continue;
            }
            let ends = text[counted..span.start].iter().filter(|b| **b == b'\n').count();
            (line, counted) = (line + ends as u32, span.start);
            first.entry(word).or_insert(line);
        }
        first
    }
}

/// Texts by their hash and what is left out of them.
type Parsed = FxHashMap<(Hash, Vec<Span>), KeptText>;

/// A text, and in which round it was last asked for.
#[derive(Debug)]
struct KeptText {
    text: Arc<ParsedText>,
    round: u64,
}

/// The texts that have been parsed. Shared by all threads.
#[derive(Debug, Default)]
pub struct ParsedTexts {
    known: Mutex<Parsed>,
    round: AtomicU64,
}

impl ParsedTexts {
    /// This text, without these branches.
    pub fn parsed(&self, text: &[u8], inactive: &[Span]) -> Arc<ParsedText> {
        let key = (blake3::hash(text), inactive.to_vec());
        let round = self.round.load(Ordering::Relaxed);
        if let Some(known) = self.known().get_mut(&key) {
            known.round = round;
            return Arc::clone(&known.text);
        }
        // Two threads may parse one text at a time: both find what the first of them made.
        let text = Arc::new(ParsedText::of(text, inactive));
        let made = KeptText { text, round };
        Arc::clone(&self.known().entry(key).or_insert(made).text)
    }

    /// Begins another round, and forgets what nobody has asked for in the last `rounds`.
    pub(super) fn begin_round(&self, rounds: u64) {
        let round = self.round.fetch_add(1, Ordering::Relaxed) + 1;
        self.known().retain(|_, kept| kept.round + rounds >= round);
    }

    fn known(&self) -> MutexGuard<'_, Parsed> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"#define ROWS 4\nextern double u[ROWS];\nstatic inline int f(int only)\n{\n    return only + ROWS;\n}\nextern double v[ROWS];\n";

    #[test]
    fn words_are_first_mentioned_outside_of_functions() {
        let parsed = ParsedText::of(TEXT, &[]);
        let lines = ["u", "v", "ROWS", "only"].map(|word| parsed.first_mention(TEXT, word));
        assert_eq!(lines[..2], [Some(2), Some(7)]);
        assert_eq!(lines[3], None);
    }

    #[test]
    fn one_text_is_parsed_once_for_each_choice_of_branches() {
        let trees = ParsedTexts::default();
        let whole = trees.parsed(TEXT, &[]);
        assert!(Arc::ptr_eq(&whole, &trees.parsed(TEXT, &[])));
        let without = trees.parsed(TEXT, &[Span::new(15, 38)]);
        assert!(!Arc::ptr_eq(&whole, &without));
        assert_eq!(without.first_mention(TEXT, "v"), Some(7));
    }

    #[test]
    fn what_nobody_asks_for_is_forgotten() {
        let trees = ParsedTexts::default();
        let whole = trees.parsed(TEXT, &[]);
        trees.begin_round(1);
        assert!(Arc::ptr_eq(&whole, &trees.parsed(TEXT, &[])));
        trees.begin_round(1);
        trees.begin_round(1);
        assert!(!Arc::ptr_eq(&whole, &trees.parsed(TEXT, &[])));
    }
}
