//! What the texts of a module's files declare and can name, which LLVM does not keep.

use super::evaluated::DirectiveWords;
use super::ir_types::{FuncId, GlobalId, Loc, Unseen};
use crate::syntax::{Define, SeenDefinitions};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a file declares at file scope.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Declarations {
    /// Variables, in order, and what else `declare target` speaks of.
    pub names: Vec<Declared>,
    /// Tags of the records that it has the members of, sorted; for those without one, the name of the type.
    pub records: Vec<String>,
    /// Functions with device directives in them, once macros are expanded and files included: how many; and whether one of them enters data.
    pub directives: Vec<(String, u32, bool)>,
    /// Functions with directives to threads of the host in them, counted in the same way; and whether tasks are among
    /// them.
    pub threads: Vec<(String, u32, bool)>,
    /// Functions that may do what their instructions do not show, and why; other code may run in place of some of them.
    pub unseen: Vec<(String, Unseen)>,
    /// Functions that branches of `#if` define which this compilation leaves out, and that other files may call, sorted.
    pub elsewhere: Vec<String>,
    /// Functions with directives, once macros are expanded and files included: what each directive says, in order.
    #[serde(skip)]
    pub told: Vec<(String, Vec<DirectiveWords>)>,
    /// Macros, those of headers and flags included.
    #[serde(skip)]
    pub macros: Arc<[Define]>,
    /// Of these those of the program's own headers, and of flags.
    #[serde(skip)]
    pub own_macros: Arc<[Define]>,
    /// The definitions that the preprocessor has met, until it is known which branches of `#if` count.
    #[serde(skip)]
    pub definitions: Arc<SeenDefinitions>,
    /// The headers of the program's own that it includes, by the names that the compiler has for them.
    #[serde(skip)]
    pub own_headers: Vec<String>,
    /// What is left of the headers with device directives in them.
    pub headers: Vec<SeenHeader>,
    /// Names that stand for constants, those that macros of its own text define apart, each with its expression; sorted.
    pub constants: Vec<(String, String)>,
}

/// What the preprocessor left of a header.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeenHeader {
    /// The header.
    pub path: String,
    /// Lines with something other than pragmas: ranges with both ends.
    pub code: Vec<(u32, u32)>,
    /// Pragmas without `#pragma`, each with its line.
    pub pragmas: Vec<(u32, String)>,
}

/// A declaration at file scope.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Declared {
    /// What it declares.
    pub name: String,
    /// The file's text can name it from here on; `None` where that is not known.
    pub from: Option<Loc>,
    /// The type is complete there, and that of the record that it points to, if it does.
    pub complete: bool,
    /// Other files do not see it (`static`).
    pub internal: bool,
    /// The name is that of a variable, or a function, that `declare target` puts on the device.
    pub on_device: bool,
}

impl Declarations {
    /// In [`Declarations::unseen`]: all functions that the file defines.
    pub const ALL: &str = "*";
}

/// What the text of one file of a linked program can name.
#[derive(Clone, Debug, Default)]
pub struct SeenUnit {
    /// Functions that it defines or declares, in its order.
    pub functions: Vec<FuncId>,
    /// Global variables that it defines or declares.
    pub globals: FxHashMap<GlobalId, Seen>,
    /// Records that it has the members of, by tag or, for those without one, by the name of the type.
    pub records: FxHashSet<String>,
    /// Names that stand for constants ([`Declarations::constants`]).
    pub constants: Vec<(String, String)>,
}

/// How a file sees a global variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Where the file declares it, or includes what does: its text can name it from there on. `None` where that is not
    /// known.
    pub decl: Option<Loc>,
    /// The variable's type is complete there: not `extern double u[];`. So is the record that it points to, if it does.
    pub complete: bool,
}

impl SeenUnit {
    /// Takes note of a declaration. Where there are several, the first one counts.
    pub(super) fn declare(&mut self, id: GlobalId, declared: &Declared) {
        let Some(from) = declared.from else { return };
        let known = self.globals.get(&id).and_then(|seen| seen.decl);
        if known.is_none_or(|known| from < known) {
            let complete = declared.complete;
            self.globals.insert(
                id,
                Seen {
                    decl: Some(from),
                    complete,
                },
            );
        }
    }
}
