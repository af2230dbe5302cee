//! Functions: signature, attributes, blocks, and the variables that live in their allocas.

use rustc_hash::FxHashMap;

use super::ModuleReader;
use super::debug::path;
use super::raw::{BasicBlock, Declaration, Kind, LLVMOpcode, MemoryEffect, Metadata, Ty, Value, attribute_kind};
use super::symbols::Symbol;
use crate::program::ir::{Attrs, Block, BlockId, Function, InstId, Variable};

/// Ids of the attributes that are read.
pub(super) struct AttributeKinds {
    noreturn: u32,
    returns_twice: u32,
    memory: u32,
    nocallback: u32,
    byval: u32,
}

impl AttributeKinds {
    pub fn new() -> AttributeKinds {
        AttributeKinds {
            noreturn: attribute_kind("noreturn"),
            returns_twice: attribute_kind("returns_twice"),
            memory: attribute_kind("memory"),
            nocallback: attribute_kind("nocallback"),
            byval: attribute_kind("byval"),
        }
    }
}

/// An instruction of the plain form.
enum ReadInst<'m> {
    Whole(Value<'m>),
    /// A call hands over a copy of what an argument points to: the plain form has a load for it in front of the call.
    Copied {
        call: Value<'m>,
        from: Value<'m>,
        ty: Ty<'m>,
    },
}

/// Numbers of one function's values.
pub(super) struct Numbering<'m> {
    pub insts: FxHashMap<Value<'m>, InstId>,
    pub blocks: FxHashMap<BasicBlock<'m>, BlockId>,
    pub args: FxHashMap<Value<'m>, u32>,
}

impl<'m> ModuleReader<'m> {
    /// Converts one function.
    pub(super) fn function(&mut self, value: Value<'m>, name: String) -> Function {
        let ty = value.global_type();
        let subprogram = value.subprogram(self.layout);
        let declaration = value.is_declaration();
        let name = subprogram
            .and_then(Metadata::subprogram_name)
            .filter(|_| !declaration)
            .map_or(name, |in_text| self.known_as(in_text, value));
        self.type_roots
            .extend(subprogram.into_iter().flat_map(Metadata::nodes).filter(|node| {
                // The subprogram's other operands lead to the whole unit.
                node.kind() == Kind::Subroutine
            }));
        let file = subprogram.and_then(Metadata::file);
        let params: Vec<Value> = value.params().collect();
        let kept = params.len() - self.symbols.extra_params(value).min(params.len());
        let in_header = !declaration && !self.debug.is_main_file(file);
        let header_mentions_target = in_header && self.debug.mentions_target(file);
        let header = file.filter(|_| header_mentions_target).map(path);
        self.debug.enter(header.clone());
        let mut function = Function {
            declaration,
            internal: value.is_internal(),
            replaceable: value.is_replaceable(),
            unit: 0,
            variadic: ty.is_variadic(),
            in_header,
            header_mentions_target,
            directives: 0,
            enters_data: false,
            host_directives: 0,
            makes_tasks: false,
            unseen: None,
            header: header.and_then(|path| path.into_os_string().into_string().ok()),
            included: Vec::new(),
            params: params[..kept].iter().map(|p| self.types.get(p.ty())).collect(),
            ret: self.types.get(ty.return_type()),
            decl: subprogram.and_then(|s| self.debug.declaration(file, s.subprogram_line(), &name)),
            attrs: self.attributes(value),
            blocks: Vec::new(),
            insts: Vec::new(),
            variables: Vec::new(),
            name,
        };
        // `__builtin_setjmp` is an intrinsic, which LLVM knows without an attribute.
        function.attrs.returns_twice |= function.name == "llvm.eh.sjlj.setjmp";
        if !declaration {
            self.body(value, &params, &mut function);
            let included = self.debug.leave().into_iter();
            // A path that is no text has no header either: what lies there has no place.
            function.included = included
                .map(|path| path.into_os_string().into_string().unwrap_or_default())
                .collect();
        }
        function
    }

    fn attributes(&self, function: Value<'m>) -> Attrs {
        let kinds = &self.attribute_kinds;
        let has = |kind| function.function_attribute(kind).is_some();
        let memory = function.function_attribute(kinds.memory);
        let effect = memory.map(MemoryEffect::of);
        Attrs {
            noreturn: has(kinds.noreturn),
            returns_twice: has(kinds.returns_twice),
            memory_none: memory == Some(0),
            memory_read: effect.as_ref().is_some_and(|effect| effect.only_reads),
            argmem_only: effect.is_some_and(|effect| effect.only_arguments),
            nocallback: has(kinds.nocallback),
        }
    }

    fn body(&mut self, value: Value<'m>, params: &[Value<'m>], function: &mut Function) {
        let mut numbering = Numbering {
            insts: FxHashMap::default(),
            blocks: FxHashMap::default(),
            args: params.iter().enumerate().map(|(i, &p)| (p, i as u32)).collect(),
        };
        let mut kept: Vec<ReadInst> = Vec::new();
        let mut declarations: Vec<Declaration> = Vec::new();
        let mut blocks: Vec<BasicBlock> = Vec::new();
        for (index, block) in value.blocks().enumerate() {
            numbering.blocks.insert(block, BlockId(index as u32));
            let first = InstId(kept.len() as u32);
            for inst in block.instructions() {
                inst.declarations(self.layout, &mut declarations);
                if inst.opcode() == LLVMOpcode::LLVMCall
                    && let Some(Symbol::Skipped) = self.symbols.function(inst.callee())
                {
                    continue;
                }
                kept.extend(self.handed_over(inst));
                numbering.insts.insert(inst, InstId(kept.len() as u32));
                kept.push(ReadInst::Whole(inst));
            }
            let end = InstId(kept.len() as u32);
            function.blocks.push(Block {
                label: block.label(),
                first,
                end,
                succs: Vec::new(),
            });
            blocks.push(block);
        }
        for (plain, block) in function.blocks.iter_mut().zip(blocks) {
            let successors = block.terminator().into_iter().flat_map(Value::successors);
            plain.succs = successors.map(|successor| numbering.blocks[&successor]).collect();
        }
        function.insts.reserve(kept.len());
        for index in 0..function.blocks.len() {
            let (first, end) = (function.blocks[index].first.0, function.blocks[index].end.0);
            for inst in &kept[first as usize..end as usize] {
                let block = BlockId(index as u32);
                function.insts.push(match *inst {
                    ReadInst::Whole(inst) => self.inst(inst, block, &numbering),
                    ReadInst::Copied { call, from, ty } => self.copied(call, (from, ty), block, &numbering),
                });
            }
        }
        function.variables = declarations
            .into_iter()
            .filter_map(|declaration| self.variable(declaration, params, &numbering))
            .collect();
    }

    /// What a call reads before it calls: `area(boxes[i])` copies a large struct, and only an attribute of the argument says so.
    fn handed_over(&self, inst: Value<'m>) -> Vec<ReadInst<'m>> {
        if inst.opcode() != LLVMOpcode::LLVMCall {
            return Vec::new();
        }
        let byval = self.attribute_kinds.byval;
        let copied = |(index, from): (usize, Value<'m>)| {
            let ty = inst.handed_by_value(index as u32, byval)?;
            Some(ReadInst::Copied { call: inst, from, ty })
        };
        inst.args().enumerate().filter_map(copied).collect()
    }

    /// The variable that is declared.
    fn variable(
        &mut self,
        declaration: Declaration<'m>,
        params: &[Value<'m>],
        numbering: &Numbering<'m>,
    ) -> Option<Variable> {
        let (address, described) = (declaration.address, declaration.variable);
        if described.kind() != Kind::LocalVariable {
            return None;
        }
        let location = declaration.location?;
        if location.location().0 == 0 {
            return None;
        }
        let name = described.variable_name()?;
        let ty = described.variable_type();
        self.type_roots.extend(ty);
        let alloca = address.and_then(|a| numbering.insts.get(&a)).copied();
        let vla = alloca.is_some() && address.is_some_and(|a| is_vla(a));
        Some(Variable {
            arg: parameter(described, &name, params),
            alloca,
            source_type: self.debug.source_type(ty),
            decl: self.debug.loc(location),
            vla,
            name,
        })
    }
}

fn is_vla(address: Value) -> bool {
    address.opcode() == LLVMOpcode::LLVMAlloca && address.operand(0).int_constant().is_none()
}

/// The first argument that carries the parameter: clang calls it `name`, or `name.coerce…` for a record in pieces. A
/// local of that name cannot be declared directly in the function's scope, only in a block inside.
fn parameter(variable: Metadata, name: &str, params: &[Value]) -> Option<u32> {
    if variable.variable_scope()?.kind() != Kind::Subprogram {
        return None;
    }
    let carries = |param: &Value| {
        let param = param.name();
        param
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(".coerce"))
    };
    params.iter().position(carries).map(|index| index as u32)
}
