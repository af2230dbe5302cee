//! What calls allocate, free, fill and copy: the one door to what the library table and the user say of that.
//!
//! ```c
//! double *a = malloc(n * sizeof *a);                 /* allocated: n * 8 bytes                                       */
//! double *b = vector(n);                             /* the same, where `vector` returns what `malloc` gives it      */
//! posix_memalign((void **)&c, 64, n * sizeof *c);    /* the same, by way of an argument                              */
//! a = realloc(a, 2 * n * sizeof *a);                 /* freed, after all of it was read                              */
//! memset(b, 0, n * sizeof *b);                       /* cleared: n * 8 bytes                                         */
//! ```
//!
//! No name of a function is looked at: `grid_alloc` of another library, of which `ompmemopt.toml` says
//! `allocates = "result[0]"`, gets what `malloc` gets.
//!
//! Non-goals: memory that a defined function frees or fills, which effects and summaries tell.

use super::function::FunctionModel;
use super::known::KnownFunctions;
use super::libc::{ArgAccess, ByteExtent, LibFn, bytes_of_global, bytes_of_handle};
use super::points_to::PointsTo;
use super::values::slots::{SlotId, SlotKind};
use crate::program::ir::{BinOp, Callee, Cast, FuncId, Function, InstId, Module, Op, Operand, Type};
use crate::program::objects::{ObjectId, ObjectKind, Site};
use crate::symbolic::Expr;
use rustc_hash::FxHashSet;

/// How many wrappers around an allocation are looked through.
const MOST_WRAPPERS: usize = 3;
/// How deep the expression of a size may be in a wrapper.
const MOST_STEPS: usize = 16;

/// What a call frees.
#[derive(Clone, Copy, Debug)]
pub struct Freed<'m> {
    /// The pointer.
    pub pointer: &'m Operand,
    /// All of it may be read before, and copied to elsewhere: `realloc`.
    pub moved: bool,
}

/// What a call of the library reads or writes.
#[derive(Clone, Debug)]
pub struct TouchedBytes<'m> {
    pub address: &'m Operand,
    /// How many bytes, at most; `None` where that is not known.
    pub bytes: Option<Expr>,
    pub reads: bool,
    pub writes: bool,
    /// So many bytes for sure.
    pub surely: bool,
}

impl TouchedBytes<'_> {
    /// Whether all of this is surely written, from there on.
    pub fn fills(&self, address: &Operand) -> bool {
        self.writes && self.surely && self.bytes.is_some() && self.address == address
    }
}

/// What is known of the library function that a call names, and the arguments.
fn library<'k, 'm>(
    known: &'k KnownFunctions,
    function: &'m Function,
    inst: InstId,
) -> Option<(&'k LibFn, &'m [Operand])> {
    match &function.inst(inst).op {
        Op::Call {
            callee: Callee::Direct(f),
            args,
        } => Some((known.of(*f)?, args)),
        _ => None,
    }
}

/// What a call of the library frees, if that is one pointer.
pub fn freed<'m>(module: &'m Module, known: &KnownFunctions, func: FuncId, inst: InstId) -> Option<Freed<'m>> {
    let (library, args) = library(known, module.function(func), inst)?;
    let [arg] = library.frees[..] else { return None };
    let moved = library.alloc.is_some() || library.reads.iter().any(|r| r.arg == arg || r.rest);
    let pointer = args.get(arg as usize)?;
    library.frees_content.is_empty().then_some(Freed { pointer, moved })
}

/// The pointer to what a call sets to zero, all of it, and how many bytes these are.
pub fn cleared<'m>(
    module: &'m Module,
    known: &KnownFunctions,
    func: FuncId,
    inst: InstId,
) -> Option<(&'m Operand, &'m Operand)> {
    let (library, args) = library(known, module.function(func), inst)?;
    let [write] = library.writes[..] else { return None };
    let ByteExtent::Bytes(count) = write.extent else {
        return None;
    };
    let others = args.iter().enumerate();
    let mut others = others.filter(|(i, _)| *i != write.arg as usize && *i != count as usize);
    let is_zero = library.surely && library.reads.is_empty() && others.all(|(_, a)| *a == Operand::Int(0));
    let (pointer, count) = (args.get(write.arg as usize)?, args.get(count as usize)?);
    is_zero.then_some((pointer, count))
}

impl FunctionModel<'_> {
    /// What a call of the library frees, if that is one pointer.
    pub fn frees(&self, inst: InstId) -> Option<Freed<'_>> {
        freed(self.module, self.points_to.known(), self.func, inst)
    }

    /// Whether a call of the library does nothing to memory but what [`FunctionModel::copied_bytes`] lists.
    pub fn copies_bytes(&self, inst: InstId) -> bool {
        let Some((library, args)) = library(self.points_to.known(), self.function(), inst) else {
            return false;
        };
        let mut all = library.reads.iter().chain(&library.writes);
        let is_there = |arg: u32| (arg as usize) < args.len();
        let says_how_much = |a: &ArgAccess| match a.extent {
            ByteExtent::Bytes(n) => is_there(a.arg) && is_there(n),
            _ => false,
        };
        match library.surely {
            true => all.all(says_how_much),
            false => {
                library.within && all.all(|a| is_there(a.arg)) && self.touches_arguments_alone(library, args, inst)
            }
        }
    }

    /// Whether nothing else is touched while a call runs: where it waits for others, what was handed to unknown code may be.
    fn touches_arguments_alone(&self, library: &LibFn, args: &[Operand], inst: InstId) -> bool {
        let listed = library.reads.iter().chain(&library.writes);
        let places = listed.filter_map(|a| args.get(a.arg as usize));
        let places = places.flat_map(|a| self.points_to.of_operand(self.func, a));
        let objects: FxHashSet<ObjectId> = places.map(|l| l.object).collect();
        let effects = self.effects.of_call(self.func, inst);
        let mut touched = effects.reads.union(&effects.writes);
        !effects.unknown && effects.frees.is_empty() && touched.all(|l| objects.contains(&l.object))
    }

    /// What a call that [copies or fills bytes](FunctionModel::copies_bytes) reads and writes.
    pub fn copied_bytes(&self, inst: InstId) -> Vec<TouchedBytes<'_>> {
        let known = library(self.points_to.known(), self.function(), inst);
        let Some((library, args)) = known.filter(|_| self.copies_bytes(inst)) else {
            return Vec::new();
        };
        let reads = library.reads.iter().map(|a| (a, false));
        let accesses = reads.chain(library.writes.iter().map(|a| (a, true)));
        let number = |n: u32| Some(self.values.int(args.get(n as usize)?));
        let bytes = |extent: ByteExtent| match extent {
            ByteExtent::Typed(count, of) => number(count)?.mul(&datatype_bytes(self.module, args.get(of as usize)?)?),
            other => size(other, &number),
        };
        let listed = accesses.map(|(a, writes)| TouchedBytes {
            address: &args[a.arg as usize],
            bytes: bytes(a.extent),
            reads: !writes,
            writes,
            surely: library.surely,
        });
        // What is no address leads nowhere: `MPI_IN_PLACE`, or a status that nobody wants.
        let constants = |o: &Operand| matches!(o, Operand::Null | Operand::Int(_) | Operand::OtherConst);
        listed.filter(|copied| !constants(copied.address)).collect()
    }

    /// The size in bytes of the memory that a call returns, if it allocates that.
    pub fn allocated(&self, inst: InstId) -> Option<Expr> {
        let Op::Call {
            callee: Callee::Direct(f),
            args,
        } = &self.function().inst(inst).op
        else {
            return None;
        };
        let given: Vec<Option<Expr>> = args.iter().map(|a| self.values.memory_size(a)).collect();
        allocated_by(self.module, self.points_to, *f, &given, MOST_WRAPPERS)
    }

    /// The size in bytes of the memory whose address a call stores in a variable, if the variable holds no other.
    pub fn allocated_in(&self, inst: InstId, slot: SlotId) -> Option<Expr> {
        let (library, args) = library(self.points_to.known(), self.function(), inst)?;
        let alloc = library.alloc?;
        let to = args.get(alloc.through? as usize)?;
        let SlotKind::Local(variable) = self.values.slots.get(slot).kind else {
            return None;
        };
        let alloca = self.function().variables[variable.0 as usize].alloca?;
        let site = Site { func: self.func, inst };
        let mut held = self.points_to.of_variable(self.module, self.func, variable).iter();
        // Where the call fails it stores nothing, and the variable keeps what it held: that has to be nothing.
        let only_this = held.all(
            |l| matches!(&self.points_to.object(l.object).kind, ObjectKind::Heap { sites } if sites[..] == [site]),
        );
        let size = size(alloc.size, &|n| self.values.memory_size(args.get(n as usize)?));
        size.filter(|_| only_this && *to == Operand::Inst(alloca))
    }
}

/// The size of what a function returns that it has allocated, called with these numbers.
fn allocated_by(
    module: &Module,
    points_to: &PointsTo,
    func: FuncId,
    given: &[Option<Expr>],
    most: usize,
) -> Option<Expr> {
    let number = |n: u32| given.get(n as usize).cloned().flatten();
    if let Some(library) = points_to.known().of(func) {
        let alloc = library
            .alloc
            .filter(|a| a.through.is_none() && library.returns.is_empty());
        return size(alloc?.size, &number);
    }
    let sites = points_to.allocations(func).filter(|_| most > 0)?;
    let function = module.function(func);
    let inner = Inner { function, given };
    let mut sizes = sites.iter().map(|site| {
        let Op::Call {
            callee: Callee::Direct(f),
            args,
        } = &function.inst(*site).op
        else {
            return None;
        };
        let given: Vec<Option<Expr>> = args.iter().map(|a| inner.number(a, MOST_STEPS)).collect();
        allocated_by(module, points_to, *f, &given, most - 1)
    });
    let first = sizes.next()??;
    sizes.all(|s| s.as_ref() == Some(&first)).then_some(first)
}

/// The size of the elements of an MPI datatype.
fn datatype_bytes(module: &Module, datatype: &Operand) -> Option<Expr> {
    let bytes = match datatype {
        Operand::Global(global) => bytes_of_global(&module.global(*global).name),
        Operand::Int(handle) => bytes_of_handle(*handle),
        _ => None,
    };
    Some(Expr::constant(bytes?.into()))
}

fn size(extent: ByteExtent, number: &dyn Fn(u32) -> Option<Expr>) -> Option<Expr> {
    match extent {
        ByteExtent::Const(bytes) => Some(Expr::constant(i128::from(bytes))),
        ByteExtent::Bytes(n) => number(n),
        ByteExtent::Product(a, b) => number(a)?.mul(&number(b)?),
        ByteExtent::Scaled(n, size) => number(n)?.mul(&Expr::constant(i128::from(size))),
        ByteExtent::Unknown | ByteExtent::Reachable | ByteExtent::Str | ByteExtent::Typed(..) => None,
    }
}

/// A wrapper, with the numbers that it is called with.
struct Inner<'a> {
    function: &'a Function,
    given: &'a [Option<Expr>],
}

impl Inner<'_> {
    /// A number that is computed from parameters that never change, without being cut.
    fn number(&self, operand: &Operand, most: usize) -> Option<Expr> {
        let most = most.checked_sub(1)?;
        let id = match operand {
            Operand::Int(n) => return Some(Expr::constant(*n)),
            Operand::Arg(n) => return self.given.get(*n as usize).cloned().flatten(),
            Operand::Inst(id) => *id,
            _ => return None,
        };
        let inst = self.function.inst(id);
        match &inst.op {
            Op::Load { ptr, volatile: false } => self.number(self.only_value(ptr)?, most),
            Op::Cast {
                kind: Cast::SExt | Cast::ZExt,
                value,
                ..
            } => self.number(value, most),
            Op::Binary { op, lhs, rhs, .. } if inst.ty == Type::Int(64) => {
                let (lhs, rhs) = (self.number(lhs, most)?, self.number(rhs, most)?);
                match op {
                    BinOp::Add => lhs.add(&rhs),
                    BinOp::Sub => lhs.sub(&rhs),
                    BinOp::Mul => lhs.mul(&rhs),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a local variable holds that is set once and never handed on.
    fn only_value(&self, variable: &Operand) -> Option<&Operand> {
        let Operand::Inst(alloca) = variable else { return None };
        if super::points_to::address_taken(self.function, *alloca) {
            return None;
        }
        let mut stores = self.function.insts.iter().filter_map(|inst| match &inst.op {
            Op::Store { ptr, value, .. } if ptr == variable => Some(value),
            _ => None,
        });
        stores.next().filter(|_| stores.next().is_none())
    }
}
