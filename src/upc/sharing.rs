//! Which variables of a text of UPC all threads have together.
//!
//! ```c
//! shared int n, *p;          /* `n` is shared; `p` is each thread's own, and points to what is shared */
//! int *shared q;             /* `q` is shared                                                         */
//! typedef shared int all_t;  /* what is declared with `all_t` is shared                               */
//! ```

use super::tokens::UpcTokens;
use rustc_hash::FxHashSet;

/// The names of shared variables.
#[derive(Clone, Debug, Default)]
pub struct SharedNames {
    variables: FxHashSet<Vec<u8>>,
    types: FxHashSet<Vec<u8>>,
}

impl SharedNames {
    /// Whether a variable of this name is shared.
    pub fn has(&self, name: &str) -> bool {
        self.variables.contains(name.as_bytes())
    }

    /// Adds what a text declares.
    pub fn read(&mut self, text: &[u8]) {
        let tokens = UpcTokens::of(text);
        let (mut start, mut at) = (0, 0);
        while at < tokens.len() {
            match tokens.get(at) {
                b";" | b"{" | b"}" => {
                    at += 1;
                    start = at;
                }
                b"(" => at = tokens.closing(at) + 1,
                word if tokens.directive(at).is_none() && self.is_qualifier(word) => {
                    at = tokens.next_of(at, &[";"]).unwrap_or(tokens.len());
                    self.declaration(&tokens, (start, at));
                }
                _ if tokens.directive(at).is_some() => {
                    at += 1;
                    start = at;
                }
                _ => at += 1,
            }
        }
    }

    fn is_qualifier(&self, word: &[u8]) -> bool {
        word == b"shared" || self.types.contains(word)
    }

    /// Adds the names of one declaration, between two tokens.
    fn declaration(&mut self, tokens: &UpcTokens<'_>, (start, end): (usize, usize)) {
        let is_type = tokens.is(start, "typedef");
        let mut base_is_shared = false;
        let mut from = start;
        let mut is_first = true;
        while from < end {
            let to = tokens.next_of(from, &[","]).filter(|to| *to < end).unwrap_or(end);
            let declarator = self.declarator(tokens, (from, to));
            if is_first {
                base_is_shared = declarator.base_is_shared;
            }
            let shared = match declarator.is_pointer {
                true => declarator.is_shared,
                false => base_is_shared || declarator.is_shared,
            };
            if let Some(name) = declarator.name.filter(|_| shared) {
                let names = if is_type { &mut self.types } else { &mut self.variables };
                names.insert(name);
            }
            (from, is_first) = (to + 1, false);
        }
    }

    fn declarator(&self, tokens: &UpcTokens<'_>, (from, to): (usize, usize)) -> Declarator {
        let mut found = Declarator::default();
        let mut at = from;
        while at < to {
            match tokens.get(at) {
                b"shared" => {
                    found.is_shared = true;
                    found.base_is_shared |= !found.is_pointer;
                    if tokens.is(at + 1, "[") {
                        at = tokens.closing(at + 1);
                    }
                }
                b"*" => (found.is_pointer, found.is_shared) = (true, false),
                b"[" | b"=" | b"(" | b":" => break,
                b"{" => at = tokens.closing(at),
                word if self.types.contains(word) => (found.is_shared, found.base_is_shared) = (true, true),
                word if tokens.is_word(at) => found.name = Some(word.to_vec()),
                _ => {}
            }
            at += 1;
        }
        found
    }
}

/// What a declarator says.
#[derive(Default)]
struct Declarator {
    name: Option<Vec<u8>>,
    is_pointer: bool,
    /// `shared` stands behind the last `*`, or anywhere where there is none.
    is_shared: bool,
    /// `shared` stands in front of the first `*`.
    base_is_shared: bool,
}

#[cfg(test)]
mod tests {
    use super::SharedNames;

    fn shared(text: &str) -> Vec<String> {
        let mut names = SharedNames::default();
        names.read(text.as_bytes());
        let mut found: Vec<String> = { names.variables.iter() }
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();
        found.sort();
        found
    }

    #[test]
    fn variables_are_shared_by_what_stands_behind_the_last_star() {
        assert_eq!(shared("shared int n, *p, m;"), ["m", "n"]);
        assert_eq!(shared("int *shared q; int k;"), ["q"]);
        assert_eq!(
            shared("shared [4] double a[4*THREADS]; static shared int s = 0;"),
            ["a", "s"]
        );
        assert_eq!(shared("typedef shared int all_t; all_t x, *y; int z;"), ["x"]);
        assert_eq!(shared("void f(shared int *p) { static shared int s; int t; }"), ["s"]);
        assert_eq!(shared("#include <upc.h>\nstrict shared int flag;\nint own;"), ["flag"]);
    }
}
