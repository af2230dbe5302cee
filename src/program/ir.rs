//! The plain form of the LLVM IR that the analyses read: owned, LLVM-free, one value per C expression.
//!
//! The file is compiled by clang **without** `-fopenmp`, at `-O0`, with debug locations (see [`crate::llvm`]), and
//! memory is *not* promoted to registers: every use of a scalar variable is a `Load` of its `Alloca` at the place where
//! the user wrote it. That keeps two things that promotion loses and that a source rewriter lives on:
//!
//! * each read and write of a variable has a place in the text, so "does `n` have here the value it had there" is a
//!   question about statements, answered by [`crate::analysis::values`] (SSA over the statement graph);
//! * expressions are trees over *named source variables*, so that what was analysed can be printed.
//!
//! Instructions are numbered in block order, and block order is clang's emission order, which follows the text.

pub use super::ir_names::{Declarations, Declared, Seen, SeenHeader, SeenUnit};
pub use super::ir_ops::{BinOp, Callee, Cast, Op, Operand, Pred};
pub use super::ir_types::{BlockId, FuncId, GlobalId, InstId, Loc, SourceType, StructId, Type, Unseen, VarId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One translation unit, or several that were [linked](super::link).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    /// All functions, declarations included, in module order, and after them the intrinsics that are called. Modules share those that are alike.
    pub functions: Vec<Arc<Function>>,
    /// All global variables, in module order.
    pub globals: Vec<Global>,
    /// Struct and union layouts.
    pub structs: Vec<Struct>,
    /// What a reader of a report should know about how the file was read (`#line` directives ignored, assembly at
    /// file scope): sentences.
    pub notes: Vec<String>,
    /// What the text declares at file scope, as far as it was asked for; of one file that was not linked.
    pub declared: Declarations,
    /// The files of a linked program, by [`Function::unit`]; empty for one file that was not linked, which sees all.
    #[serde(skip)]
    pub units: Vec<SeenUnit>,
}

/// Layout of a struct: field types, byte offsets and total size, plus source names where debug information has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Struct {
    /// LLVM's name (`struct.sim`), empty when anonymous.
    pub name: String,
    /// Field types in order; a union has the one field LLVM chose.
    pub fields: Vec<Type>,
    /// Byte offset of each field.
    pub offsets: Vec<u64>,
    /// Size in bytes.
    pub size: u64,
    /// Source name of each field, parallel to `fields`: empty for padding, bit-field storage, the field of a union,
    /// anonymous members, and where debug information has no record of that name and size.
    pub field_names: Vec<String>,
    /// Source type of each field that has a name, parallel to `fields`; [`SourceType::Unknown`] for the others.
    pub field_types: Vec<SourceType>,
}

/// A global variable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Source name (LLVM's name for internal helpers such as string literals).
    pub name: String,
    /// Value type.
    pub ty: Type,
    /// Size of the value in bytes.
    pub size: u64,
    /// Read-only data (`const`, string literals).
    pub constant: bool,
    /// `static`: invisible to other files. For a function-local `static`, also true.
    pub internal: bool,
    /// Defined elsewhere (`extern` without initialiser).
    pub external: bool,
    /// Another file's definition may take its place (`weak`, common).
    pub replaceable: bool,
    /// `declare target` keeps it on the device ([`Module::declare`]).
    pub on_device: bool,
    /// The variable has a section of its own, in which a linker may find it, or assembly at file scope may name it.
    pub in_section: bool,
    /// Source type as debug information describes it, `None` without debug information (string literals).
    pub source_type: Option<SourceType>,
    /// Position of the declared identifier.
    pub decl: Option<Loc>,
    /// Name of the enclosing function for a function-local `static`.
    pub in_function: Option<String>,
    /// Globals and functions whose address the initialiser holds, with the byte offset where it is stored.
    pub init_pointers: Vec<(u64, Operand)>,
    /// The integer initialiser of a scalar, when there is one.
    pub init_int: Option<i128>,
    /// The initialiser is text with a conversion `%m`, for which `printf` looks at `errno`.
    pub prints_errno: bool,
    /// The initialiser is a format with `%n`, or may be one.
    pub counts_printed: bool,
}

/// A function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Source name. Intrinsics have the name of the library function they stand for (`memcpy`, `fabs`); where they stand for none, or the
    /// file defines a function of that name, their LLVM name without types (`llvm.smax`, `llvm.fabs`).
    pub name: String,
    /// No body in this module.
    pub declaration: bool,
    /// `static`, or `inline` with a definition elsewhere.
    pub internal: bool,
    /// Another file's definition may take its place (`weak`).
    pub replaceable: bool,
    /// The file that defines it, or first declares it: an index into [`Module::units`], 0 in a file that was not linked.
    pub unit: u32,
    /// Takes `...`.
    pub variadic: bool,
    /// The function's body is in a header (or a `#line` says so): analysed for effects, never rewritten.
    pub in_header: bool,
    /// That header's text has the words of an OpenMP `target` directive, or could not be read; or the function has such a
    /// directive from a macro of another header.
    pub header_mentions_target: bool,
    /// Device directives in it, once macros are expanded and files included; 0 too where that was not asked.
    pub directives: u32,
    /// `target enter data` is among these.
    pub enters_data: bool,
    /// Directives to threads of the host in it, counted in the same way.
    pub host_directives: u32,
    /// Tasks are among these.
    pub makes_tasks: bool,
    /// The function may do what its instructions do not show.
    pub unseen: Option<Unseen>,
    /// That header, if it mentions target: positions inside of the function are positions in it.
    pub header: Option<String>,
    /// The files that a part of its body is included from, if it is in the analysed file and they mention target: positions in
    /// the `k`th are those of lines that begin after `(k + 1) *` [`Loc::INCLUDED`].
    pub included: Vec<String>,
    /// Parameter types.
    pub params: Vec<Type>,
    /// Return type.
    pub ret: Type,
    /// Position of the function's line (its `DISubprogram`), when in the analysed file.
    pub decl: Option<Loc>,
    /// What LLVM says of it after `inferattrs`.
    pub attrs: Attrs,
    /// Basic blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// All instructions; blocks list ranges of them.
    pub insts: Vec<Inst>,
    /// Local variables and parameters, by `#dbg_declare`, in the order of declaration. The hidden variables that clang
    /// makes for the extents of VLAs are not among them.
    pub variables: Vec<Variable>,
}

/// Function attributes that bound its effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Attrs {
    /// Never returns.
    pub noreturn: bool,
    /// May return twice (`setjmp`).
    pub returns_twice: bool,
    /// Reads and writes no memory visible to the caller (`memory(none)`).
    pub memory_none: bool,
    /// Writes no memory (and may read it, or not).
    pub memory_read: bool,
    /// Accesses only what its pointer arguments point to (`memory(argmem: …)`), and maybe memory that no C code can
    /// name, such as the allocator's own.
    pub argmem_only: bool,
    /// Never calls back into this module's code.
    pub nocallback: bool,
}

impl Attrs {
    /// What both say.
    pub fn common(&self, other: &Attrs) -> Attrs {
        Attrs {
            noreturn: self.noreturn && other.noreturn,
            returns_twice: self.returns_twice || other.returns_twice,
            memory_none: self.memory_none && other.memory_none,
            memory_read: self.memory_read && other.memory_read,
            argmem_only: self.argmem_only && other.argmem_only,
            nocallback: self.nocallback && other.nocallback,
        }
    }
}

/// A local variable or parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Source name.
    pub name: String,
    /// The `Alloca` that holds it; for a VLA, the dynamic alloca. `None` where an argument points to it: a record
    /// parameter passed in memory (then `arg` says which), and a local record that is returned in place.
    pub alloca: Option<InstId>,
    /// If it is a parameter: its 0-based index in [`Function::params`] and in [`Op::Call`]'s arguments (its first one,
    /// where a record is passed in pieces). Not always its index in the source: returned records shift it.
    pub arg: Option<u32>,
    /// Source type.
    pub source_type: SourceType,
    /// Position of the declared identifier.
    pub decl: Option<Loc>,
    /// The variable is a variable-length array: `alloca` is the storage, indexed directly.
    pub vla: bool,
}

/// A basic block: a contiguous range of instructions, the last of which is the terminator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// clang's label (`for.cond`), for dumps.
    pub label: String,
    /// First instruction.
    pub first: InstId,
    /// One past the last.
    pub end: InstId,
    /// Successors in terminator order.
    pub succs: Vec<BlockId>,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Result type ([`Type::Void`] if none).
    pub ty: Type,
    /// The instruction's own source position, when inside the analysed file.
    pub loc: Option<Loc>,
    /// Block it is in.
    pub block: BlockId,
}

impl Module {
    /// The function with this id.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }
    /// The global with this id.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }
    /// The struct with this id.
    pub fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }
    /// Shares the functions that another module has in their place, and that are alike there.
    pub fn share_functions_of(&mut self, other: &Module) {
        let both = self.functions.iter_mut().zip(&other.functions);
        for (own, other) in both.filter(|(own, other)| own == other) {
            *own = other.clone();
        }
    }
    /// Finds a function by name.
    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        self.functions
            .iter()
            .position(|f| f.name == name)
            .map(|i| FuncId(i as u32))
    }
    /// Size of a type in bytes (as stored in an array).
    pub fn size_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void => 0,
            Type::Int(bits) => u64::from(bits.div_ceil(8)).next_power_of_two(),
            Type::Float(bits) => u64::from(bits.div_ceil(8)).next_power_of_two(),
            Type::Ptr => 8,
            Type::Array(elem, n) => self.size_of(elem) * n,
            Type::Struct(id) => self.structure(*id).size,
            Type::Other(bytes) => *bytes,
        }
    }
}

/// A comparison of two integers: `lhs PRED rhs`.
#[derive(Clone, Copy, Debug)]
pub struct IntComparison<'f> {
    /// Predicate.
    pub pred: Pred,
    /// Left.
    pub lhs: &'f Operand,
    /// Right.
    pub rhs: &'f Operand,
    /// Whether the order is that of signed numbers.
    pub signed: bool,
}

impl Function {
    /// The record that is passed by value in memory as an argument: the function's own copy.
    pub fn copied_record(&self, arg: u32) -> Option<VarId> {
        let is = |v: &Variable| v.alloca.is_none() && v.arg == Some(arg);
        let at = self.variables.iter().position(is)?;
        Some(VarId(at as u32))
    }

    /// The type that a parameter is declared with, as far as that is known.
    pub fn parameter_type(&self, n: u32) -> SourceType {
        let declared = self.variables.iter().find(|v| v.arg == Some(n));
        declared.map_or(SourceType::Unknown, |v| v.source_type.clone())
    }
    /// The instruction with this id.
    pub fn inst(&self, id: InstId) -> &Inst {
        &self.insts[id.0 as usize]
    }
    /// The comparison of integers that an instruction is, if it is one; addresses count as integers.
    pub fn int_comparison(&self, id: InstId) -> Option<IntComparison<'_>> {
        match &self.inst(id).op {
            Op::Cmp {
                pred,
                lhs,
                rhs,
                signed,
                float: false,
            } => Some(IntComparison {
                pred: *pred,
                lhs,
                rhs,
                signed: *signed,
            }),
            _ => None,
        }
    }
    /// The block with this id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }
    /// The variable that lives in this alloca. clang makes most allocas in the order of the variables: where they stand in
    /// it they are found without asking each.
    pub fn variable_of(&self, alloca: InstId) -> Option<VarId> {
        if !matches!(self.inst(alloca).op, Op::Alloca { .. }) {
            return None;
        }
        let lives_there = |v: &Variable| v.alloca == Some(alloca);
        let in_order = self.variables.partition_point(|v| v.alloca < Some(alloca));
        let at = match self.variables.get(in_order).is_some_and(lives_there) {
            true => Some(in_order),
            false => self.variables.iter().position(lives_there),
        };
        at.map(|at| VarId(at as u32))
    }
    /// Where an instruction stores the result of another one, if it does.
    pub fn stored_to(&self, store: InstId, result: InstId) -> Option<&Operand> {
        match &self.inst(store).op {
            Op::Store { ptr, value, .. } if *value == Operand::Inst(result) => Some(ptr),
            _ => None,
        }
    }
    /// Instruction ids in order.
    pub fn inst_ids(&self) -> impl Iterator<Item = InstId> + use<> {
        (0..self.insts.len() as u32).map(InstId)
    }
}
