//! What the text of a file declares at file scope, its headers included.
//!
//! LLVM only has the variables that a file uses. What it could name in a directive is more: each `extern` of a header.

use super::evaluated::DirectiveWords;
use super::ir::{Global, Loc, Module, Operand, SourceType, Unseen};
use crate::syntax::Define;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What a file declares at file scope.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Declarations {
    /// Variables, in order, and what else `declare target` speaks of.
    pub names: Vec<Declared>,
    /// Tags of the records that it has the members of, sorted; for those without one, the name of the type.
    pub records: Vec<String>,
    /// Functions with device directives in them, once macros are expanded and files included: how many.
    pub directives: Vec<(String, u32)>,
    /// The same for directives to threads of the host; and whether tasks are among them.
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
    pub macros: Vec<Define>,
    /// Of these those of the program's own headers, and of flags.
    #[serde(skip)]
    pub own_macros: Vec<Define>,
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
    /// Its type is complete there, and that of the record that it points to, if it does.
    pub complete: bool,
    /// Other files do not see it (`static`).
    pub internal: bool,
    /// It is a variable, or a function, that `declare target` puts on the device.
    pub on_device: bool,
}

impl Declarations {
    /// In [`Declarations::unseen`]: all functions that the file defines.
    pub const ALL: &str = "*";
}

impl Module {
    /// Notes what the file of a module that was not linked declares.
    pub fn declare(&mut self, declared: Declarations) {
        let on_device = declared.names.iter().filter(|d| d.on_device);
        let on_device: FxHashSet<&str> = on_device.map(|d| d.name.as_str()).collect();
        for global in &mut self.globals {
            // A variable inside of a function goes with the function.
            let name = global.in_function.as_ref().unwrap_or(&global.name);
            global.on_device |= on_device.contains(name.as_str());
        }
        self.mark_unseen(&declared.unseen);
        for function in &mut self.functions {
            let directives = declared.directives.iter().find(|(name, _)| *name == function.name);
            function.directives = directives.filter(|_| !function.declaration).map_or(0, |(_, n)| *n);
            let threads = declared.threads.iter().find(|(name, ..)| *name == function.name);
            if let Some((_, n, tasks)) = threads.filter(|_| !function.declaration) {
                (function.host_directives, function.makes_tasks) = (*n, *tasks);
            }
            function.header_mentions_target |= function.in_header && function.directives > 0;
        }
        self.declared = declared;
    }

    /// Takes variables of these names for any memory: a linker makes them of others, which may then be any of these.
    pub fn mistrust_globals(&mut self, names: &[String]) {
        let doubtful = |g: &Global| g.in_function.is_none() && names.contains(&g.name);
        let doubtful: Vec<bool> = self.globals.iter().map(doubtful).collect();
        if !doubtful.contains(&true) {
            return;
        }
        let is_doubtful = |o: &Operand| matches!(o, Operand::Global(g) if doubtful[g.0 as usize]);
        let mut forget = |operand: &mut Operand| {
            let through = matches!(operand, Operand::ConstGep { base, .. } if is_doubtful(base));
            if through || is_doubtful(operand) {
                *operand = Operand::OtherConst;
            }
        };
        for inst in self.functions.iter_mut().flat_map(|f| &mut f.insts) {
            inst.op.visit_mut(&mut forget, &mut |_| ());
        }
        for global in &mut self.globals {
            global.in_section = true;
            global.init_pointers.iter_mut().for_each(|(_, value)| forget(value));
        }
    }

    /// Notes which functions may do what their instructions do not show.
    pub fn mark_unseen(&mut self, unseen: &[(String, Unseen)]) {
        for function in &mut self.functions {
            let is_it = |name: &str| name == function.name || (name == Declarations::ALL && !function.declaration);
            let found = unseen.iter().find(|(name, _)| is_it(name));
            if let Some((_, why)) = found {
                function.unseen.get_or_insert_with(|| why.clone());
            }
        }
    }
}

impl SourceType {
    /// The record that something of this type is, or consists of, or points to: its name, and whether its members are known.
    pub fn record(&self) -> Option<(&str, bool)> {
        match self {
            SourceType::Record { name, bytes } => Some((name, *bytes > 0)),
            SourceType::Pointer { to: inner, .. } | SourceType::Array { elem: inner, .. } => inner.record(),
            _ => None,
        }
    }
}
