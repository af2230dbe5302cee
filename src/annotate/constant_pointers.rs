//! Constant pointers, which the compiler reads as what they point to.
//!
//! ```c
//! static int *const first = table;
//! for (int i = 0; i < n; i++) first[i] += i;      /* for the compiler: table[i] += i, and nothing else of `first` */
//! ```
//!
//! In a kernel a variable is replaced by what is mapped of it where the text names it. The text does not name `table` here,
//! so the device's code asks for a `table` of its own, and no clause can make one: the program does not link. Functions that
//! are called by way of such a pointer are missing in the same way.

use crate::analysis::function::FunctionModel;
use crate::analysis::points_to::for_operands;
use crate::plan::file::FileFacts;
use crate::program::ir::{Callee, FuncId, GlobalId, Op, Operand, SourceType, Type, VarId};
use crate::source::Span;
use crate::syntax::{StmtId, identifiers};
use std::collections::{BTreeMap, BTreeSet};

/// What a constant pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PointedTo {
    Variable(GlobalId),
    Function(FuncId),
}

/// A constant pointer that a loop uses, and what the compiler reads in its place.
pub(super) struct ConstantPointer {
    pub pointer: String,
    pub target: String,
}

/// What constant pointers are for a function: found once for all of its loops.
pub(super) struct ConstantPointers<'m> {
    /// The constant pointers outside functions, or `static` in them.
    globals: Vec<GlobalPointer<'m>>,
    /// The function's own, by what they point to.
    locals: BTreeMap<VarId, PointedTo>,
}

/// A constant pointer that is no local variable.
struct GlobalPointer<'m> {
    id: GlobalId,
    name: &'m str,
    /// Declared in the function itself.
    inner: bool,
    target: PointedTo,
}

impl<'m> ConstantPointers<'m> {
    pub fn of(model: &FunctionModel<'m>) -> ConstantPointers<'m> {
        let module = model.module;
        let function = &module.function(model.func).name;
        let pointers = module.globals.iter().enumerate();
        let pointers = pointers.filter(|(_, g)| g.constant && g.ty == Type::Ptr);
        let globals = pointers.flat_map(|(id, g)| {
            let targets = g.init_pointers.iter().filter_map(|(_, to)| pointed_to(to));
            targets.map(move |target| GlobalPointer {
                id: GlobalId(id as u32),
                name: &g.name,
                inner: g.in_function.as_ref() == Some(function),
                target,
            })
        });
        ConstantPointers {
            globals: globals.collect(),
            locals: never_read(model),
        }
    }

    /// The first one that a loop says.
    pub fn said_in(&self, file: &FileFacts<'_>, model: &FunctionModel<'m>, stmt: StmtId) -> Option<ConstantPointer> {
        if self.globals.is_empty() && self.locals.is_empty() {
            return None;
        }
        let used = used(model, stmt);
        let words = LoopWords::of(file, model, stmt);
        let name = |target: PointedTo| match target {
            PointedTo::Variable(g) => &model.module.global(g).name,
            PointedTo::Function(f) => &model.module.function(f).name,
        };
        let is_visible = |g: &&GlobalPointer<'_>| g.inner || model.visible_global(stmt, g.name) == Some(g.id);
        let globals = self.globals.iter().filter(is_visible).map(|g| (g.name, g.target));
        let function = model.function();
        let locals = self.locals.iter().filter(|(v, _)| {
            let name = &function.variables[v.0 as usize].name;
            model.is_declared_in(stmt, **v) || model.visible_variable(stmt, name) == Some(**v)
        });
        let locals = locals.map(|(v, to)| (function.variables[v.0 as usize].name.as_str(), *to));
        let is_said =
            |pointer: &str, target: &PointedTo| used.contains(target) && (words.hidden || words.said.contains(pointer));
        let (pointer, target) = globals
            .chain(locals)
            .find(|(pointer, target)| is_said(pointer, target))?;
        Some(ConstantPointer {
            pointer: pointer.to_owned(),
            target: name(target).clone(),
        })
    }
}

/// The variables and functions that a loop uses by their addresses.
fn used(model: &FunctionModel<'_>, stmt: StmtId) -> BTreeSet<PointedTo> {
    let function = model.function();
    let mut used = BTreeSet::new();
    for id in model.insts_within(stmt) {
        let op = &function.inst(id).op;
        for_operands(op, &mut |operand| used.extend(pointed_to(operand)));
        if let Op::Call {
            callee: Callee::Direct(f),
            ..
        } = op
        {
            used.insert(PointedTo::Function(*f));
        }
    }
    used
}

/// What an address that the compiler knows is one of.
fn pointed_to(address: &Operand) -> Option<PointedTo> {
    match address {
        Operand::Global(g) => Some(PointedTo::Variable(*g)),
        Operand::Function(f) => Some(PointedTo::Function(*f)),
        Operand::ConstGep { base, .. } => pointed_to(base),
        _ => None,
    }
}

/// The local pointers that are set once, to an address that the compiler knows, and never read where they are: such are
/// all constant ones.
fn never_read(model: &FunctionModel<'_>) -> BTreeMap<VarId, PointedTo> {
    let function = model.function();
    let mut set: BTreeMap<VarId, Vec<&Operand>> = BTreeMap::new();
    let mut read: BTreeSet<VarId> = BTreeSet::new();
    let variable = |ptr: &Operand| match ptr {
        Operand::Inst(id) => function.variable_of(*id),
        _ => None,
    };
    for id in function.inst_ids() {
        match &function.inst(id).op {
            Op::Store { ptr, value, .. } => {
                if let Some(v) = variable(ptr) {
                    set.entry(v).or_default().push(value);
                }
            }
            Op::Load { ptr, .. } => read.extend(variable(ptr)),
            _ => {}
        }
    }
    let once = set.into_iter().filter_map(|(v, values)| match values.as_slice() {
        [only] => Some((v, *only)),
        _ => None,
    });
    let is_pointer = |v: VarId| matches!(function.variables[v.0 as usize].source_type, SourceType::Pointer { .. });
    let never_read = once.filter(|(v, _)| is_pointer(*v) && !read.contains(v));
    never_read.filter_map(|(v, to)| Some((v, pointed_to(to)?))).collect()
}

/// Words of C that a loop may have.
const OF_C: [&str; 33] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "union", "unsigned", "void", "volatile", "while",
];

/// The words of a loop.
struct LoopWords {
    /// What it says, with what the macros of its file say that it uses.
    said: BTreeSet<String>,
    /// It has words that may be macros of other files, or makes words of parts: it may say anything.
    hidden: bool,
}

impl LoopWords {
    fn of(file: &FileFacts<'_>, model: &FunctionModel<'_>, stmt: StmtId) -> LoopWords {
        let defined = file.defines();
        let mut words = LoopWords {
            said: BTreeSet::new(),
            hidden: false,
        };
        let mut open = own_words(file.text, file.tree.stmt(stmt).span);
        while let Some(word) = open.pop() {
            let mut bodies = defined.iter().filter(|d| d.name == word).map(|d| &d.body).peekable();
            words.hidden |= bodies.peek().is_none() && !is_known(model, stmt, &word);
            if words.said.insert(word.clone()) {
                for body in bodies {
                    words.hidden |= body.contains("##");
                    open.extend(own_words(body.as_bytes(), Span::new(0, body.len())));
                }
            }
        }
        words
    }
}

/// The words of a text but for the names of members.
fn own_words(text: &[u8], span: Span) -> Vec<String> {
    let is_member = |at: &Span| {
        let before = text[..at.start].trim_ascii_end();
        before.ends_with(b"->") || before.ends_with(b".")
    };
    let all = identifiers(text, span).into_iter();
    all.filter(|(_, at)| !is_member(at)).map(|(word, _)| word).collect()
}

/// Whether a word is one of C, or what the function calls a variable or function.
fn is_known(model: &FunctionModel<'_>, stmt: StmtId, word: &str) -> bool {
    OF_C.contains(&word)
        || model.function().variables.iter().any(|v| v.name == word)
        || model.visible_global(stmt, word).is_some()
        || model.module.functions.iter().any(|f| f.name == word)
}
