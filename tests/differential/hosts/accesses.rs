//! How the host writes an array, as lines of C.
//!
//! ```c
//! for (int i = 0; i < m; i++)
//!     if (i != 3) p0[i] = i * 3 + t1 + 5;         // `Writing::ButOne(3)`
//! fill_S(p0, m, t1 + 5);                          // `Writing::ByFill`
//! ```

use super::Writing;
use super::helpers::{EARLY, FILL, PARTLY};

/// What is written, where, and what.
pub(super) struct Place<'a> {
    /// What the array is called, and how long it is.
    pub name: &'a str,
    pub length: &'a str,
    /// A number that changes from one iteration of a loop around to the next, and one that is written.
    pub counter: &'a str,
    pub value: &'a str,
}

/// A loop with one statement.
fn each(head: &str, body: &str) -> Vec<String> {
    vec![format!("for (int i = {head})"), format!("    {body}")]
}

impl Writing {
    /// The lines that write; `S` stands for the seed.
    pub(super) fn lines(self, place: &Place<'_>) -> Vec<String> {
        let Place {
            name: p,
            length: n,
            counter: t,
            value: x,
        } = place;
        let plain = format!("{p}[i] = i * 3 + {x};");
        let up = format!("0; i < {n}; i++");
        let call = |name: &str| vec![format!("{name}_S({p}, {n}, {x});")];
        match self {
            Writing::All => each(&up, &plain),
            Writing::Backwards => each(&format!("{n} - 1; i >= 0; i--"), &plain),
            Writing::Halves => {
                let halves = [format!("0; i < {n} / 2; i++"), format!("{n} / 2; i < {n}; i++")];
                halves.iter().flat_map(|head| each(head, &plain)).collect()
            }
            Writing::ButFirst => each(&format!("1; i < {n}; i++"), &plain),
            Writing::ButLast => each(&format!("0; i < {n} - 1; i++"), &plain),
            Writing::ButOne(k) => each(&up, &format!("if (i != {k}) {plain}")),
            Writing::Even => each(&format!("0; i < {n}; i += 2"), &plain),
            Writing::One(k) => vec![format!("{p}[{k}] = {x};")],
            Writing::Small => each(&up, &format!("if ({p}[i] < 50) {plain}")),
            Writing::Broken(k) => {
                let end = format!("if (i == {k} && {t} % 2 == 0) break;");
                each(&up, &format!("{{ {plain} {end} }}"))
            }
            Writing::AsRead => each(&up, &format!("{p}[i] = {p}[i] + {x};")),
            Writing::Memset => vec![format!("memset({p}, 0, ({n}) * sizeof *{p});")],
            Writing::ByFill => call("fill"),
            Writing::ByEarly => call("early"),
            Writing::ByPartly => call("partly"),
        }
    }

    /// The function that is called.
    pub(super) fn function(self) -> Option<&'static str> {
        match self {
            Writing::ByFill => Some(FILL),
            Writing::ByEarly => Some(EARLY),
            Writing::ByPartly => Some(PARTLY),
            _ => None,
        }
    }
}
