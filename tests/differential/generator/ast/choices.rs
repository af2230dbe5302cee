//! Pointers that are chosen by a test, two at a time, among two arrays or three.
//!
//! ```c
//! double *src = t & 1 ? b : a, *dst = t & 1 ? a : b;
//! ```
//!
//! The two are *apart* where the same test chooses both: each is what the other is not. Otherwise both may be one array, and then
//! kernels use them element by element alone.

use super::{Cond, NameId, NameKind, Program};

/// Two pointers and what they become.
#[derive(Clone, Debug)]
pub struct Choice {
    pub names: [NameId; 2],
    /// What they are chosen among; where there are but two arrays, the third is the second.
    pub among: [NameId; 3],
    pub form: ChoiceForm,
    pub test: Cond,
    /// What is asked besides, where something is.
    pub second: Cond,
    /// Calls say in their arguments what is chosen, if only calls use the pointers.
    pub spelled: bool,
}

/// How a choice is written: `c` is the test and `d` the second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceForm {
    /// `src = a; dst = b;`
    Fixed,
    /// `src = c ? b : a; dst = c ? a : b;`
    Twice,
    /// `src = c ? b : a; dst = !c ? b : a;`
    Opposite,
    /// `src = c ? b : a; dst = c' ? a : b;`, where the two tests are one in other words.
    Respelled,
    /// `int u = t; src = u & 1 ? b : a; u += 2; dst = u & 1 ? a : b;`
    MovedByTwo,
    /// `if (c) { src = b; dst = a; } else { src = a; dst = b; }`
    Branch,
    /// `src = a; dst = b; if (c) { src = b; dst = a; }`
    Preset,
    /// `src = c ? b : a; dst = src == a ? b : a;`
    Compared,
    /// `src = c ? a : d ? b : x; dst = c ? b : d ? x : a;`
    Nested,
    /// `if (c) { src = a; dst = b; } else if (d) { src = b; dst = x; } else { src = x; dst = a; }`
    Cascade,
    /// `int u = t; src = u & 1 ? b : a; u += d; dst = u & 1 ? a : b;`
    Moved,
    /// `src = c ? b : a; dst = d ? a : b;`
    Apiece,
    /// `dst = src; src = c ? b : a;`
    Carried,
}

impl ChoiceForm {
    /// Whether the two pointers are never one array.
    pub fn is_apart(self) -> bool {
        !matches!(self, ChoiceForm::Moved | ChoiceForm::Apiece | ChoiceForm::Carried)
    }

    /// Whether each pointer has a value that is one expression.
    pub fn is_expression(self) -> bool {
        matches!(
            self,
            ChoiceForm::Twice | ChoiceForm::Opposite | ChoiceForm::Respelled | ChoiceForm::Nested | ChoiceForm::Apiece
        )
    }
}

impl Choice {
    /// Everything that it mentions.
    pub fn mentioned(&self) -> Vec<NameId> {
        let asked = [&self.test, &self.second].into_iter().filter_map(|cond| match cond {
            Cond::Data { name, .. } => Some(*name),
            _ => None,
        });
        self.names.into_iter().chain(self.among).chain(asked).collect()
    }
}

impl Program {
    /// What the pointer is chosen among, if it is chosen.
    pub fn among(&self, name: NameId) -> Option<[NameId; 3]> {
        match self.names[name].kind {
            NameKind::Chosen { among } => Some(among),
            _ => None,
        }
    }

    /// Whether two names are either one array from its first element on, or apart, and nobody knows which.
    pub fn may_be_one(&self, a: NameId, b: NameId) -> bool {
        if a == b || self.names[a].partner == Some(b) {
            return false;
        }
        match (self.among(a), self.among(b)) {
            (Some(one), Some(other)) => one == other,
            (Some(among), None) => among.contains(&b),
            (None, Some(among)) => among.contains(&a),
            (None, None) => false,
        }
    }
}
