//! Builds [`Module`]s by hand, for the unit tests of analyses.
//!
//! The builder writes what clang writes at `-O0`: every local is an `Alloca`, every use a `Load`.
//!
//! ```ignore
//! let mut m = ModuleBuilder::default();
//! let malloc = m.declare("malloc", &[Type::Int(64)], Type::Ptr);
//! let main = m.function("main", &[], Type::Int(32));
//! m.body(main, |b| {
//!     let p = b.local("p", Type::Ptr);
//!     let fresh = b.call(malloc, &[Operand::Int(80)]);
//!     b.store_ptr(&p, &fresh);
//! });
//! let module = m.finish();
//! ```

use super::ir::*;
use std::sync::Arc;

/// Collects functions, globals and structs.
#[derive(Default)]
pub struct ModuleBuilder {
    module: Module,
}

impl ModuleBuilder {
    /// Declares a function without a body.
    pub fn declare(&mut self, name: &str, params: &[Type], ret: Type) -> FuncId {
        let id = self.function(name, params, ret);
        self.edit(id).declaration = true;
        id
    }

    /// A function visible to other files, whose body comes with [`ModuleBuilder::body`].
    pub fn function(&mut self, name: &str, params: &[Type], ret: Type) -> FuncId {
        let function = Function {
            name: name.into(),
            declaration: false,
            internal: false,
            replaceable: false,
            unit: 0,
            variadic: false,
            in_header: false,
            header_mentions_target: false,
            directives: 0,
            enters_data: false,
            host_directives: 0,
            makes_tasks: false,
            unseen: None,
            header: None,
            included: Vec::new(),
            params: params.to_vec(),
            ret,
            decl: None,
            attrs: Attrs::default(),
            blocks: Vec::new(),
            insts: Vec::new(),
            variables: Vec::new(),
        };
        self.module.functions.push(Arc::new(function));
        FuncId(self.module.functions.len() as u32 - 1)
    }

    /// A `static` function.
    pub fn internal(&mut self, name: &str, params: &[Type], ret: Type) -> FuncId {
        let id = self.function(name, params, ret);
        self.edit(id).internal = true;
        id
    }

    /// The function itself, to set what the other methods do not.
    pub fn edit(&mut self, id: FuncId) -> &mut Function {
        Arc::make_mut(&mut self.module.functions[id.0 as usize])
    }

    /// Fills in a function's body. A `ret` is added where the last block lacks a terminator.
    pub fn body(&mut self, id: FuncId, build: impl FnOnce(&mut BodyBuilder<'_>)) {
        let rets: Vec<Type> = self.module.functions.iter().map(|f| f.ret.clone()).collect();
        let func = Arc::make_mut(&mut self.module.functions[id.0 as usize]);
        func.blocks.push(Block {
            label: "entry".into(),
            first: InstId(0),
            end: InstId(0),
            succs: Vec::new(),
        });
        let mut body = BodyBuilder { func, rets };
        build(&mut body);
        let open = !matches!(
            body.func.insts.last().map(|i| &i.op),
            Some(Op::Ret(_) | Op::Unreachable | Op::Br { .. } | Op::CondBr { .. })
        );
        if open {
            body.ret(None);
        }
    }

    /// A struct type with the given fields and byte offsets.
    pub fn structure(&mut self, name: &str, fields: &[(Type, u64)], size: u64) -> Type {
        self.module.structs.push(Struct {
            name: name.into(),
            fields: fields.iter().map(|(t, _)| t.clone()).collect(),
            offsets: fields.iter().map(|(_, o)| *o).collect(),
            size,
            field_names: vec![String::new(); fields.len()],
            field_types: vec![SourceType::Unknown; fields.len()],
        });
        Type::Struct(StructId(self.module.structs.len() as u32 - 1))
    }

    /// A defined global; `internal` for `static`.
    pub fn global(&mut self, name: &str, ty: Type, internal: bool) -> GlobalId {
        let size = self.module.size_of(&ty);
        self.module.globals.push(Global {
            name: name.into(),
            ty,
            size,
            constant: false,
            internal,
            external: false,
            replaceable: false,
            on_device: false,
            in_section: false,
            source_type: Some(SourceType::Unknown),
            decl: None,
            in_function: None,
            init_pointers: Vec::new(),
            init_int: None,
            prints_errno: false,
            counts_printed: true,
        });
        GlobalId(self.module.globals.len() as u32 - 1)
    }

    /// The global itself, to set what [`ModuleBuilder::global`] does not.
    pub fn edit_global(&mut self, id: GlobalId) -> &mut Global {
        &mut self.module.globals[id.0 as usize]
    }

    /// The finished module.
    pub fn finish(self) -> Module {
        self.module
    }
}

/// Appends instructions to a function.
pub struct BodyBuilder<'m> {
    func: &'m mut Function,
    rets: Vec<Type>,
}

impl BodyBuilder<'_> {
    fn push(&mut self, op: Op, ty: Type) -> Operand {
        let block = BlockId(self.func.blocks.len() as u32 - 1);
        let id = InstId(self.func.insts.len() as u32);
        self.func.insts.push(Inst {
            op,
            ty,
            loc: None,
            block,
        });
        self.func.blocks[block.0 as usize].end = InstId(id.0 + 1);
        Operand::Inst(id)
    }

    /// Any instruction.
    pub fn inst(&mut self, op: Op, ty: Type) -> Operand {
        self.push(op, ty)
    }

    /// A local variable; the operand is its address.
    pub fn local(&mut self, name: &str, ty: Type) -> Operand {
        let alloca = self.push(Op::Alloca { ty, count: None }, Type::Ptr);
        self.variable(name, Some(inst_id(&alloca)), None, SourceType::Unknown);
        alloca
    }

    /// A parameter spilled to its `alloca`, as clang does; the operand is the address of the variable.
    pub fn param(&mut self, name: &str, index: u32, restrict: bool) -> Operand {
        let ty = self.func.params[index as usize].clone();
        let alloca = self.push(
            Op::Alloca {
                ty: ty.clone(),
                count: None,
            },
            Type::Ptr,
        );
        let to = Box::new(SourceType::Unknown);
        let source = SourceType::Pointer {
            to,
            const_pointee: false,
            restrict,
        };
        self.variable(name, Some(inst_id(&alloca)), Some(index), source);
        self.push(
            Op::Store {
                ptr: alloca.clone(),
                value: Operand::Arg(index),
                ty,
                volatile: false,
            },
            Type::Void,
        );
        alloca
    }

    /// A parameter passed by value in memory: no `alloca`.
    pub fn byval(&mut self, name: &str, index: u32) -> Operand {
        self.variable(
            name,
            None,
            Some(index),
            SourceType::Record {
                name: String::new(),
                bytes: 16,
            },
        );
        Operand::Arg(index)
    }

    fn variable(&mut self, name: &str, alloca: Option<InstId>, arg: Option<u32>, source_type: SourceType) {
        self.func.variables.push(Variable {
            name: name.into(),
            alloca,
            arg,
            source_type,
            decl: None,
            vla: false,
        });
    }

    /// Reads a `ty`.
    pub fn load(&mut self, ptr: &Operand, ty: Type) -> Operand {
        self.push(
            Op::Load {
                ptr: ptr.clone(),
                volatile: false,
            },
            ty,
        )
    }

    /// Reads a pointer.
    pub fn load_ptr(&mut self, ptr: &Operand) -> Operand {
        self.load(ptr, Type::Ptr)
    }

    /// Writes a pointer.
    pub fn store_ptr(&mut self, ptr: &Operand, value: &Operand) {
        self.store(ptr, value, Type::Ptr);
    }

    /// Writes a value of type `ty`.
    pub fn store(&mut self, ptr: &Operand, value: &Operand, ty: Type) {
        self.push(
            Op::Store {
                ptr: ptr.clone(),
                value: value.clone(),
                ty,
                volatile: false,
            },
            Type::Void,
        );
    }

    /// `&base[index]` for elements of type `elem`.
    pub fn index(&mut self, base: &Operand, elem: Type, index: Operand) -> Operand {
        self.push(
            Op::Gep {
                base: base.clone(),
                source_ty: elem,
                indices: vec![index],
            },
            Type::Ptr,
        )
    }

    /// `&base->field` for a struct type.
    pub fn field(&mut self, base: &Operand, ty: &Type, field: i128) -> Operand {
        let indices = vec![Operand::Int(0), Operand::Int(field)];
        self.push(
            Op::Gep {
                base: base.clone(),
                source_ty: ty.clone(),
                indices,
            },
            Type::Ptr,
        )
    }

    /// A direct call.
    pub fn call(&mut self, callee: FuncId, args: &[Operand]) -> Operand {
        let ty = self.rets[callee.0 as usize].clone();
        self.push(
            Op::Call {
                callee: Callee::Direct(callee),
                args: args.to_vec(),
            },
            ty,
        )
    }

    /// A call through a pointer.
    pub fn call_ptr(&mut self, callee: &Operand, args: &[Operand], ret: Type) -> Operand {
        self.push(
            Op::Call {
                callee: Callee::Indirect(callee.clone()),
                args: args.to_vec(),
            },
            ret,
        )
    }

    /// A return.
    pub fn ret(&mut self, value: Option<Operand>) {
        self.push(Op::Ret(value), Type::Void);
    }

    /// Puts what `body` builds into a loop.
    pub fn in_loop(&mut self, body: impl FnOnce(&mut Self)) {
        let head = BlockId(self.func.blocks.len() as u32);
        self.push(
            Op::Br {
                target: head,
                latch: None,
            },
            Type::Void,
        );
        self.last_block().succs.push(head);
        self.start_block("loop");
        body(self);
        let exit = BlockId(self.func.blocks.len() as u32);
        self.push(
            Op::CondBr {
                cond: Operand::Undef,
                then: head,
                other: exit,
                latch: None,
            },
            Type::Void,
        );
        self.last_block().succs.extend([head, exit]);
        self.start_block("exit");
    }

    fn last_block(&mut self) -> &mut Block {
        let last = self.func.blocks.len() - 1;
        &mut self.func.blocks[last]
    }

    fn start_block(&mut self, label: &str) {
        let first = InstId(self.func.insts.len() as u32);
        self.func.blocks.push(Block {
            label: label.into(),
            first,
            end: first,
            succs: Vec::new(),
        });
    }
}

/// The instruction an operand names.
///
/// # Panics
/// When the operand is not an instruction.
pub fn inst_id(op: &Operand) -> InstId {
    match op {
        Operand::Inst(id) => *id,
        other => panic!("{other:?} is not an instruction"),
    }
}
