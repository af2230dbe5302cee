//! Smaller lists of operations, some of which hold lists themselves.
//!
//! ```text
//! a; loop { b; c }      ->      loop { b; c }    a    a; b; c    a; loop { c }    a; loop { b }
//! ```

/// A list whose parts hold lists.
pub trait Nested: Clone {
    /// The list in it.
    fn inner(&mut self) -> Option<&mut Vec<Self>>;
    /// Plainer forms, with the same list in them.
    fn plainer(&self) -> Vec<Self>;
}

/// All lists that are one step smaller.
pub fn lists<T: Nested>(list: &[T]) -> Vec<Vec<T>> {
    let mut out = Vec::new();
    for k in 0..list.len() {
        let with = |items: &[T]| [&list[..k], items, &list[k + 1..]].concat();
        out.push(with(&[]));
        let mut item = list[k].clone();
        if let Some(body) = item.inner().cloned() {
            out.push(with(&body));
            for body in lists(&body) {
                let mut item = item.clone();
                if let Some(inner) = item.inner() {
                    *inner = body;
                }
                out.push(with(&[item]));
            }
        }
        out.extend(list[k].plainer().into_iter().map(|plain| with(&[plain])));
    }
    out
}
