//! The text form of [`ir`](super::ir), for `--dump ir` and for tests: one line per instruction.
//!
//! ```text
//! define void saxpy(i32 $0, ptr $1) at 3:6
//!   var n: int4 = %0 arg 0 at 3:16
//! entry:
//!   %0 = alloca i32
//! for.cond: -> for.body, for.end
//!   %7 = load i32, %3 (i) at 4:19
//! ```
//!
//! `%N` is an instruction, `$N` an argument, `@name` a global or function. Where an address is a variable's alloca, its
//! name follows in parentheses. It is for reading: nothing parses it.

use std::fmt::{self, Display, Formatter, Write};

use super::ir::*;

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        for structure in &self.structs {
            self.dump_struct(structure, f)?;
        }
        for global in &self.globals {
            self.dump_global(global, f)?;
        }
        for function in &self.functions {
            self.dump_function(function, f)?;
        }
        Ok(())
    }
}

impl Module {
    /// The type as the dump writes it: `i32`, `[10 x f64]`, `struct.s`.
    pub fn type_text(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".to_owned(),
            Type::Int(bits) => format!("i{bits}"),
            Type::Float(bits) => format!("f{bits}"),
            Type::Ptr => "ptr".to_owned(),
            Type::Array(elem, len) => format!("[{len} x {}]", self.type_text(elem)),
            Type::Struct(id) if self.structure(*id).name.is_empty() => format!("struct#{}", id.0),
            Type::Struct(id) => self.structure(*id).name.clone(),
            Type::Other(bytes) => format!("other{bytes}"),
        }
    }

    fn dump_struct(&self, structure: &Struct, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "struct {} size {} {{", structure.name, structure.size)?;
        for (index, field) in structure.fields.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(
                f,
                "{comma} {}: {} {}",
                structure.offsets[index],
                self.type_text(field),
                structure.field_names[index]
            )?;
        }
        writeln!(f, " }}")
    }

    fn dump_global(&self, global: &Global, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "global @{}: {} size {}",
            global.name,
            self.type_text(&global.ty),
            global.size
        )?;
        for (set, word) in [
            (global.constant, " constant"),
            (global.internal, " internal"),
            (global.external, " external"),
        ] {
            f.write_str(if set { word } else { "" })?;
        }
        if let Some(ty) = &global.source_type {
            write!(f, " as {ty}")?;
        }
        if let Some(function) = &global.in_function {
            write!(f, " in {function}")?;
        }
        if let Some(value) = global.init_int {
            write!(f, " = {value}")?;
        }
        for (at, pointer) in &global.init_pointers {
            write!(f, " +{at} -> {}", self.operand_text(pointer))?;
        }
        write_loc(global.decl, f)?;
        writeln!(f)
    }

    fn dump_function(&self, function: &Function, f: &mut Formatter<'_>) -> fmt::Result {
        let word = if function.declaration { "declare" } else { "define" };
        write!(f, "\n{word} {} {}(", self.type_text(&function.ret), function.name)?;
        for (index, param) in function.params.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{} ${index}", self.type_text(param))?;
        }
        write!(f, "{})", if function.variadic { ", ..." } else { "" })?;
        let attrs = &function.attrs;
        for (set, word) in [
            (function.internal, " internal"),
            (function.in_header, " in_header"),
            (attrs.noreturn, " noreturn"),
            (attrs.returns_twice, " returns_twice"),
            (attrs.memory_none, " memory_none"),
            (attrs.memory_read, " memory_read"),
            (attrs.argmem_only, " argmem_only"),
            (attrs.nocallback, " nocallback"),
        ] {
            f.write_str(if set { word } else { "" })?;
        }
        write_loc(function.decl, f)?;
        writeln!(f)?;
        for variable in &function.variables {
            write!(f, "  var {}: {}", variable.name, variable.source_type)?;
            if let Some(alloca) = variable.alloca {
                write!(f, " = %{}", alloca.0)?;
            }
            if let Some(arg) = variable.arg {
                write!(f, " arg {arg}")?;
            }
            f.write_str(if variable.vla { " vla" } else { "" })?;
            write_loc(variable.decl, f)?;
            writeln!(f)?;
        }
        for (index, block) in function.blocks.iter().enumerate() {
            write!(f, "{}:", block_text(function, BlockId(index as u32)))?;
            for (nth, succ) in block.succs.iter().enumerate() {
                write!(
                    f,
                    "{}{}",
                    if nth > 0 { ", " } else { " -> " },
                    block_text(function, *succ)
                )?;
            }
            writeln!(f)?;
            for id in block.first.0..block.end.0 {
                let inst = function.inst(InstId(id));
                f.write_str("  ")?;
                if inst.ty != Type::Void {
                    write!(f, "%{id} = ")?;
                }
                f.write_str(&self.inst_text(function, inst))?;
                write_loc(inst.loc, f)?;
                writeln!(f)?;
            }
        }
        Ok(())
    }

    /// An instruction as the dump writes it, without its number and place.
    pub fn inst_text(&self, function: &Function, inst: &Inst) -> String {
        let operand = |operand: &Operand| self.operand_text(operand);
        let address = |pointer: &Operand| self.address_text(function, pointer);
        let block = |id: &BlockId| block_text(function, *id);
        let list = |operands: &[Operand]| operands.iter().map(operand).collect::<Vec<_>>().join(", ");
        let latch = |at: &Option<Loc>| at.map(|at| format!(" latch of {at}")).unwrap_or_default();
        let hint = |set: bool, word: &'static str| if set { word } else { "" };
        let ty = self.type_text(&inst.ty);
        match &inst.op {
            Op::Alloca { ty, count: None } => format!("alloca {}", self.type_text(ty)),
            Op::Alloca { ty, count: Some(count) } => format!("alloca {} x {}", self.type_text(ty), operand(count)),
            Op::Load { ptr, volatile } => format!("load{} {ty}, {}", hint(*volatile, " volatile"), address(ptr)),
            Op::Store {
                ptr,
                value,
                ty,
                volatile,
            } => {
                let (volatile, ty) = (hint(*volatile, " volatile"), self.type_text(ty));
                format!("store{volatile} {ty} {}, {}", operand(value), address(ptr))
            }
            Op::Gep {
                base,
                source_ty,
                indices,
            } => {
                let ty = self.type_text(source_ty);
                format!("gep {ty}, {} [{}]", address(base), list(indices))
            }
            Op::Binary { op, lhs, rhs, nsw } => {
                let name = format!("{op:?}").to_lowercase();
                format!("{name}{} {ty} {}, {}", hint(*nsw, " nsw"), operand(lhs), operand(rhs))
            }
            Op::Cmp {
                pred,
                lhs,
                rhs,
                signed,
                float,
            } => {
                let name = format!("{pred:?}").to_lowercase();
                let kind = if *float { "fcmp" } else { "cmp" };
                let signed = hint(*signed, " signed");
                format!("{kind} {name}{signed} {}, {}", operand(lhs), operand(rhs))
            }
            Op::Cast { kind, value, from } => {
                let name = format!("{kind:?}").to_lowercase();
                format!("{name} {} {} to {ty}", self.type_text(from), operand(value))
            }
            Op::Phi { incoming } => {
                let from = incoming
                    .iter()
                    .map(|(from, value)| format!("[{}, {}]", operand(value), block(from)));
                format!("phi {ty} {}", from.collect::<Vec<_>>().join(", "))
            }
            Op::Select { cond, then, other } => {
                format!("select {ty} {}, {}, {}", operand(cond), operand(then), operand(other))
            }
            Op::Call { callee, args } => format!("call {ty} {}({})", self.callee_text(callee), list(args)),
            Op::Atomic { ptr, value, ty } => {
                format!("atomic {} {}, {}", self.type_text(ty), operand(value), address(ptr))
            }
            Op::Br { target, latch: at } => format!("br {}{}", block(target), latch(at)),
            Op::CondBr {
                cond,
                then,
                other,
                latch: at,
            } => {
                format!("br {}, {}, {}{}", operand(cond), block(then), block(other), latch(at))
            }
            Op::Switch { value, default, cases } => {
                let mut text = format!("switch {} default {}", operand(value), block(default));
                for (case, target) in cases {
                    let _ = write!(text, ", {case} {}", block(target));
                }
                text
            }
            Op::Ret(None) => "ret".to_owned(),
            Op::Ret(Some(value)) => format!("ret {}", operand(value)),
            Op::Unreachable => "unreachable".to_owned(),
            Op::Other {
                mnemonic,
                operands,
                touches_memory,
            } => {
                let touches = hint(*touches_memory, " touches_memory");
                format!("{mnemonic}{touches} {ty} {}", list(operands))
            }
        }
    }

    /// An address, with the name of the variable whose alloca it is.
    fn address_text(&self, function: &Function, pointer: &Operand) -> String {
        match pointer {
            Operand::Inst(id) => match function.variable_of(*id) {
                Some(VarId(var)) => format!("%{} ({})", id.0, function.variables[var as usize].name),
                None => format!("%{}", id.0),
            },
            other => self.operand_text(other),
        }
    }

    fn callee_text(&self, callee: &Callee) -> String {
        match callee {
            Callee::Direct(id) => format!("@{}", self.function(*id).name),
            Callee::Indirect(pointer) => format!("*{}", self.operand_text(pointer)),
            Callee::Asm { .. } => "asm".to_owned(),
        }
    }

    /// An operand as the dump writes it.
    pub fn operand_text(&self, operand: &Operand) -> String {
        match operand {
            Operand::Inst(id) => format!("%{}", id.0),
            Operand::Arg(index) => format!("${index}"),
            Operand::Global(id) => format!("@{}", self.global(*id).name),
            Operand::Function(id) => format!("@{}", self.function(*id).name),
            Operand::Int(value) => value.to_string(),
            Operand::Float(value) => format!("{value:?}"),
            Operand::Null => "null".to_owned(),
            Operand::Undef => "undef".to_owned(),
            Operand::ConstGep { base, bytes } => format!("({} + {bytes})", self.operand_text(base)),
            Operand::OtherConst => "const".to_owned(),
        }
    }
}

/// A block's label, or its number where clang gave it none.
fn block_text(function: &Function, id: BlockId) -> String {
    let label = &function.block(id).label;
    if label.is_empty() {
        format!("#{}", id.0)
    } else {
        label.clone()
    }
}

fn write_loc(loc: Option<Loc>, f: &mut Formatter<'_>) -> fmt::Result {
    loc.map_or(Ok(()), |loc| write!(f, " at {loc}"))
}

impl Display for SourceType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            SourceType::Int { bytes, signed } => write!(f, "{}{bytes}", if *signed { "int" } else { "uint" }),
            SourceType::Float { bytes } => write!(f, "float{bytes}"),
            SourceType::Pointer {
                to,
                const_pointee,
                restrict,
            } => {
                let constant = if *const_pointee { "const " } else { "" };
                write!(f, "{}ptr to {constant}{to}", if *restrict { "restrict " } else { "" })
            }
            SourceType::Array { elem, dims } => {
                write!(f, "{elem}")?;
                for dim in dims {
                    match dim {
                        Some(extent) => write!(f, "[{extent}]")?,
                        None => f.write_str("[?]")?,
                    }
                }
                Ok(())
            }
            SourceType::Record { name, bytes } => write!(f, "record {name} size {bytes}"),
            SourceType::Function => f.write_str("function"),
            SourceType::Unknown => f.write_str("unknown"),
        }
    }
}
