//! How an array was named where it was entered, which says by what names it can be left.
//!
//! ```c
//! #pragma omp target enter data map(to: g->u[0:g->n])       /* maps the array, and the pointer `g->u` in the struct          */
//! …
//! double *u = g->u;
//! #pragma omp target exit data map(from: u[0:n])            /* leaves the array, but not `g->u`: that stays for good           */
//! ```
//!
//! Whoever maps the struct afterwards, or what lies in its place by then, finds a part of that on the device, and the program ends.

use super::decision::is_member as names_a_member;

/// How an array was named where it was entered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EnteredAs {
    /// It is not: the directive is no end of anything.
    Nothing,
    /// As a variable, or what that points to.
    Variable,
    /// As this member.
    Member(String),
}

impl EnteredAs {
    /// By the text of a list item.
    pub fn of_item(text: &str) -> EnteredAs {
        match names_a_member(text) {
            true => EnteredAs::Member(path_of(text).to_owned()),
            false => EnteredAs::Variable,
        }
    }

    /// How a cell of a residency has to be left, by the text that it was entered by. Buffers that trade places leave by each other's
    /// names.
    pub fn of_cell(text: &str, trades_places: bool) -> EnteredAs {
        match trades_places {
            true => EnteredAs::Nothing,
            false => EnteredAs::of_item(text),
        }
    }

    /// Whether a directive that names the array so releases all that was entered.
    pub fn is_left_as(&self, name: &str) -> bool {
        match self {
            EnteredAs::Nothing => true,
            EnteredAs::Variable => !names_a_member(name),
            EnteredAs::Member(path) => path == name,
        }
    }
}

/// What stands in front of the section of a list item: `box[k].u` of `box[k].u[0:g->n]`.
fn path_of(text: &str) -> &str {
    let (mut depth, mut section) = (0usize, None);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => {
                section = section.or((depth == 0).then_some(at));
                depth += 1;
            }
            b']' => depth = depth.saturating_sub(1),
            b'.' | b'-' if depth == 0 => section = None,
            _ => {}
        }
    }
    &text[..section.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_left_as_they_were_entered() {
        let entered = EnteredAs::of_item("box[k].u[0:g->n][0:3]");
        assert_eq!(entered, EnteredAs::Member("box[k].u".to_owned()));
        assert!(entered.is_left_as("box[k].u") && !entered.is_left_as("u"));
        assert_eq!(EnteredAs::of_item("g->u"), EnteredAs::Member("g->u".to_owned()));
        let variable = EnteredAs::of_item("u[0:g->n]");
        assert!(variable == EnteredAs::Variable && variable.is_left_as("v") && !variable.is_left_as("g->u"));
        assert!(EnteredAs::Nothing.is_left_as("g->u"));
    }
}
