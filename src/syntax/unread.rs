//! Bodies of functions that the scope tree does not have, because macros hide what they are the bodies of.
//!
//! ```c
//! static void NAME(show_, TYPE)(TYPE *v)
//! {                                              the body of a function, by a name that only the preprocessor knows
//!     …
//! }
//! ```

use super::blank::wipe;
use super::directives::directives;
use super::lex::{self, Token};
use super::tree::ScopeTree;
use crate::source::Span;

/// What stands in braces behind parentheses, outside of the tree's functions.
pub fn unread_bodies(text: &[u8], tree: &ScopeTree) -> Vec<Span> {
    let mut code = text.to_vec();
    tree.inactive.iter().for_each(|span| wipe(&mut code, *span));
    directives(text).iter().for_each(|d| wipe(&mut code, d.span));
    tree.functions.iter().for_each(|f| wipe(&mut code, f.span));
    let tokens: Vec<Token> = lex::tokens(&code, Span::new(0, code.len())).collect();
    let partner = lex::brackets(&tokens);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let opens = tokens[at].is(b'(') || tokens[at].is(b'{');
        let close = partner[at].filter(|close| opens && *close > at);
        if let Some(close) = close
            && tokens[at].is(b'{')
            && at > 0
            && tokens[at - 1].is(b')')
        {
            found.push(Span::new(tokens[at].span.start, tokens[close].span.end));
        }
        at = close.unwrap_or(at) + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bodies_that_macros_hide() {
        let text = "#define X(t) { t; }\nstruct s { int a; };\nint b[2] = { 1, 2 };\nvoid f(int n) { if (n) { n++; } }\n\
                    static void NAME(show_, T)(T *v)\n{\n    v[0]++;\n}\n";
        let mut tree = super::super::parse(text.as_bytes(), &[]);
        tree.functions.retain(|f| f.name == "f");
        let found = unread_bodies(text.as_bytes(), &tree);
        assert_eq!(found.len(), 1);
        assert_eq!(&text[found[0].start..found[0].end], "{\n    v[0]++;\n}");
    }
}
