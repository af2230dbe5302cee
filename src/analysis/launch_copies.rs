//! Arrays and structs of which kernels have copies.
//!
//! ```c
//! double scale[8], line[64];
//! #pragma omp target map(tofrom: v) firstprivate(scale) private(line)
//! { line[0] = scale[0]; v[0] += line[0]; scale[0] = 0; }
//! ```
//!
//! What this kernel does with `scale` and `line` it does to copies that end with it. Of `scale` the host reads all, when it
//! launches the kernel; nobody touches `line`. So neither is an access of the kernel to the array that the text names
//! (OpenMP 5.1, sections 2.21.4.3 and 2.21.4.4).
//!
//! Which accesses are to a copy is told by their addresses: formed of the variable's own name in the kernel's text, or of a
//! pointer that the kernel declares itself and that gets nothing else. A pointer from outside leads to the array, and what a
//! function called in the kernel names is the array. Where neither is known, an access may be to either.

use super::function::FunctionModel;
use super::points_to::for_operands;
use super::values::table::Base;
use crate::openmp::SpecVersion;
use crate::openmp::implicit::{Attribute, DeclaredTarget, RegionVariable, VariableClass, attribute};
use crate::program::graph::NodeId;
use crate::program::ir::{InstId, Op, Operand, SourceType, Type, VarId};
use rustc_hash::FxHashMap;

/// A copy that a kernel has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KernelCopy {
    /// Uninitialised.
    Private,
    /// Of what the host has when it launches the kernel.
    Firstprivate,
}

/// What an address in a kernel leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReachedStorage {
    /// No copy.
    Array,
    /// The kernel's copy.
    Copy,
    /// One or the other, it is not known which.
    Either,
}

/// A copy that a launch makes of what the host has.
pub(super) struct Passed {
    /// The array or struct.
    pub base: Base,
    /// The address of the array or struct.
    pub address: Operand,
    /// The size of the array or struct, where that is a constant.
    pub bytes: Option<u64>,
    /// An instruction of the kernel that names it, and its node.
    pub at: (InstId, NodeId),
}

/// The copies that the kernels of a function have.
pub(super) struct LaunchCopies<'m, 'a> {
    model: &'m FunctionModel<'a>,
    variables: FxHashMap<InstId, VarId>,
    /// What kernels name, and which copies they have of it; in the end, what they have copies of.
    named: FxHashMap<(usize, Base), Option<KernelCopy>>,
    /// In the order of the text that names them.
    passed: Vec<Passed>,
}

impl<'m, 'a> LaunchCopies<'m, 'a> {
    /// Looks at all that the kernels of a function name.
    pub(super) fn of(model: &'m FunctionModel<'a>) -> LaunchCopies<'m, 'a> {
        let mut found = LaunchCopies {
            model,
            variables: FxHashMap::default(),
            named: FxHashMap::default(),
            passed: Vec::new(),
        };
        if model.constructs.launches.is_empty() {
            return found;
        }
        let variables = model.function().variables.iter().enumerate();
        found.variables = variables
            .filter_map(|(i, v)| Some((v.alloca?, VarId(i as u32))))
            .collect();
        for inst in model.function().inst_ids() {
            let Some(node) = model.attachment.node_of[inst.0 as usize] else {
                continue;
            };
            let Some(launch) = model.launch_of(node) else { continue };
            for_operands(&model.function().inst(inst).op, &mut |operand| {
                found.name(launch, operand, (inst, node));
            });
        }
        found.named.retain(|_, copied| copied.is_some());
        found
    }

    /// What launches copy of what the host has.
    pub(super) fn passed(self) -> Vec<Passed> {
        self.passed
    }

    /// Notes what a kernel names.
    fn name(&mut self, launch: usize, operand: &Operand, at: (InstId, NodeId)) {
        let Some((base, address)) = self.storage(operand) else {
            return;
        };
        if self.named.contains_key(&(launch, base)) {
            return;
        }
        let copied = self.copied(launch, base);
        self.named.insert((launch, base), copied);
        if copied == Some(KernelCopy::Firstprivate) {
            let bytes = self.model.storage_bytes(base);
            self.passed.push(Passed {
                base,
                address,
                bytes,
                at,
            });
        }
    }

    /// The array or struct whose storage an operand is, and its address.
    fn storage(&self, operand: &Operand) -> Option<(Base, Operand)> {
        let function = self.model.function();
        match operand {
            Operand::Global(g) => {
                let ty = self.model.module.global(*g).source_type.as_ref()?;
                is_aggregate(ty).then_some((Base::Global(*g), operand.clone()))
            }
            Operand::Inst(inst) => {
                let Op::Alloca { ty, .. } = &function.inst(*inst).op else {
                    return None;
                };
                let v = *self.variables.get(inst)?;
                let variable = &function.variables[v.0 as usize];
                let own = variable.vla || (is_aggregate(&variable.source_type) && *ty != Type::Ptr);
                own.then_some((Base::Local(v), operand.clone()))
            }
            Operand::ConstGep { base, .. } => self.storage(base),
            _ => None,
        }
    }

    /// The copy that the directive gives a kernel of a variable.
    fn copied(&self, launch: usize, base: Base) -> Option<KernelCopy> {
        let model = self.model;
        let l = &model.constructs.launches[launch];
        let is_meant = |name: &str| match (base, model.visible_variable(l.stmt, name)) {
            (Base::Local(v), Some(visible)) => v == visible,
            // Of a declaration that a macro makes, the text says nothing.
            (Base::Local(v), None) => !model.is_declared_in(l.stmt, v),
            (Base::Global(g), _) => model.visible_global(l.stmt, name) == Some(g),
            (Base::Value(_), _) => false,
        };
        let (name, ty, on_device) = match base {
            Base::Local(v) => {
                let variable = &model.function().variables[v.0 as usize];
                (&variable.name, Some(&variable.source_type), false)
            }
            Base::Global(g) => {
                let global = model.module.global(g);
                (&global.name, global.source_type.as_ref(), global.on_device)
            }
            Base::Value(_) => return None,
        };
        if !is_meant(name) {
            return None;
        }
        let variable = RegionVariable {
            name,
            class: match ty {
                Some(SourceType::Record { .. }) => VariableClass::Struct,
                _ => VariableClass::Array,
            },
            iterates: false,
            declared: match on_device {
                true => DeclaredTarget::Enter,
                false => DeclaredTarget::No,
            },
        };
        match attribute(&l.directive, &variable, SpecVersion::default()).attribute {
            Attribute::Private => Some(KernelCopy::Private),
            Attribute::Firstprivate => Some(KernelCopy::Firstprivate),
            _ => None,
        }
    }

    /// What an address leads to in a kernel. `base`: the array or struct that it is known to be in.
    pub(super) fn reached(&self, launch: usize, address: &Operand, base: Option<Base>) -> ReachedStorage {
        if self.named.is_empty() {
            return ReachedStorage::Array;
        }
        let copied = |base| self.named.contains_key(&(launch, base));
        match self.source(launch, address, &mut Vec::new()) {
            AddressSource::Named(named) if copied(named) => ReachedStorage::Copy,
            AddressSource::Named(_) => ReachedStorage::Array,
            // What is known of the values of pointers does not say from where they have them.
            AddressSource::Unknown if base.is_some_and(copied) => ReachedStorage::Either,
            AddressSource::Unknown | AddressSource::Itself => ReachedStorage::Array,
        }
    }

    /// Which variable an address in a kernel is formed of. `through`: pointers that are being looked at.
    fn source(&self, launch: usize, address: &Operand, through: &mut Vec<VarId>) -> AddressSource {
        if let Some((base, _)) = self.storage(address) {
            return AddressSource::Named(base);
        }
        let Operand::Inst(inst) = address else {
            return AddressSource::Unknown;
        };
        match &self.model.function().inst(*inst).op {
            Op::Gep { base, .. } => self.source(launch, base, through),
            Op::Cast { value, .. } => self.source(launch, value, through),
            Op::Load { ptr, .. } => self.held(launch, ptr, through),
            _ => AddressSource::Unknown,
        }
    }

    /// Which variable all values of a pointer are formed of that a kernel declares for itself.
    fn held(&self, launch: usize, pointer: &Operand, through: &mut Vec<VarId>) -> AddressSource {
        let function = self.model.function();
        let v = match pointer {
            Operand::Inst(inst) => self.variables.get(inst).copied(),
            _ => None,
        };
        let Some(v) = v else { return AddressSource::Unknown };
        if through.contains(&v) {
            return AddressSource::Itself;
        }
        let kernel = self.model.constructs.launches[launch].stmt;
        if !self.model.is_declared_in(kernel, v) || self.model.points_to.address_taken(self.model.func, v) {
            return AddressSource::Unknown;
        }
        through.push(v);
        let mut found = AddressSource::Itself;
        for inst in function.inst_ids() {
            let Op::Store { ptr, value, .. } = &function.inst(inst).op else {
                continue;
            };
            if ptr != pointer {
                continue;
            }
            found = match (found, self.source(launch, value, through)) {
                (found, AddressSource::Itself) => found,
                (AddressSource::Itself, other) => other,
                (AddressSource::Named(one), AddressSource::Named(other)) if one == other => AddressSource::Named(one),
                _ => AddressSource::Unknown,
            };
        }
        through.pop();
        found
    }
}

/// What an address is formed of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AddressSource {
    /// The storage of a variable.
    Named(Base),
    /// The pointer that is being looked at: it adds nothing.
    Itself,
    Unknown,
}

fn is_aggregate(ty: &SourceType) -> bool {
    matches!(ty, SourceType::Array { .. } | SourceType::Record { .. })
}
