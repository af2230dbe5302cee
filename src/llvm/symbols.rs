//! Numbers functions and globals, and turns LLVM's constants into operands.

use rustc_hash::FxHashMap;

use super::intrinsics::{Intrinsic, classify};
use super::raw::{Bitcode, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Layout, Value};
use crate::program::ir::{FuncId, GlobalId, Operand};

/// What a function of the module is to the plain IR.
#[derive(Clone)]
pub(super) enum Symbol {
    /// A function, with the number of its trailing arguments that are LLVM's own.
    Function(FuncId, usize),
    /// Calls of it are left out.
    Skipped,
    /// Calls of it are values without effect, under this mnemonic.
    Harmless(String),
}

/// All symbols of a module.
pub(super) struct ModuleSymbols<'m> {
    layout: Layout<'m>,
    /// Assembly at file scope may define what the text declares, as another name for what it defines.
    assembly: bool,
    functions: FxHashMap<Value<'m>, Symbol>,
    globals: FxHashMap<Value<'m>, GlobalId>,
    /// The functions to convert, by id, with their plain names.
    pub function_order: Vec<(Value<'m>, String)>,
    /// The globals to convert, by id.
    pub global_order: Vec<Value<'m>>,
}

impl<'m> ModuleSymbols<'m> {
    pub fn new(bitcode: &'m Bitcode) -> ModuleSymbols<'m> {
        let mut symbols = ModuleSymbols {
            layout: bitcode.layout(),
            assembly: bitcode.has_module_asm(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            function_order: Vec::new(),
            global_order: Vec::new(),
        };
        // Intrinsics come last so that `memcpy` as an intrinsic is the same function as `memcpy` as declared.
        let (intrinsics, functions): (Vec<Value>, Vec<Value>) = bitcode.functions().partition(|f| f.is_intrinsic());
        let mut by_name: FxHashMap<String, (FuncId, bool)> = FxHashMap::default();
        for function in functions {
            let id = symbols.add_function(function, plain_name(&function.name()), 0);
            let name = symbols.function_order[id.0 as usize].1.clone();
            by_name.insert(name, (id, function.is_declaration()));
        }
        for intrinsic in intrinsics {
            let full = intrinsic.name();
            let symbol = match classify(&full) {
                Intrinsic::Skip => Symbol::Skipped,
                Intrinsic::Harmless(mnemonic) => Symbol::Harmless(mnemonic.to_owned()),
                Intrinsic::Function { name, volatile_flag } => {
                    let extra = usize::from(volatile_flag);
                    let name = match by_name.get(&*name) {
                        Some(&(id, true)) => {
                            symbols.functions.insert(intrinsic, Symbol::Function(id, extra));
                            continue;
                        }
                        Some(&(_, false)) => format!("llvm.{name}"),
                        None => name.into_owned(),
                    };
                    let id = match by_name.get(&name) {
                        Some(&(id, _)) => id,
                        None => symbols.add_function(intrinsic, name.clone(), extra),
                    };
                    by_name.insert(name, (id, true));
                    Symbol::Function(id, extra)
                }
            };
            symbols.functions.insert(intrinsic, symbol);
        }
        for (index, global) in bitcode.globals().enumerate() {
            symbols.globals.insert(global, GlobalId(index as u32));
            symbols.global_order.push(global);
        }
        symbols
    }

    fn add_function(&mut self, function: Value<'m>, name: String, extra: usize) -> FuncId {
        let id = FuncId(self.function_order.len() as u32);
        self.functions.insert(function, Symbol::Function(id, extra));
        self.function_order.push((function, name));
        id
    }

    /// What the function is; `None` for a value that is no function. Looks through aliases.
    pub fn function(&self, value: Value<'m>) -> Option<&Symbol> {
        self.functions.get(&unaliased(value))
    }

    /// How many of the function's last parameters are LLVM's own.
    pub fn extra_params(&self, function: Value<'m>) -> usize {
        match self.functions.get(&function) {
            Some(Symbol::Function(_, extra)) => *extra,
            _ => 0,
        }
    }

    /// The operand that a constant is.
    pub fn constant(&self, value: Value<'m>) -> Operand {
        match value.kind() {
            LLVMValueKind::LLVMConstantIntValueKind => value.int_constant().map_or(Operand::OtherConst, Operand::Int),
            LLVMValueKind::LLVMConstantFPValueKind => Operand::Float(value.float_constant()),
            LLVMValueKind::LLVMConstantPointerNullValueKind | LLVMValueKind::LLVMConstantAggregateZeroValueKind => {
                Operand::Null
            }
            LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind => Operand::Undef,
            // What a linker makes of other variables may be any of these.
            LLVMValueKind::LLVMGlobalVariableValueKind
                if value.is_declaration() && (self.assembly || is_of_linker(&value.name())) =>
            {
                Operand::OtherConst
            }
            LLVMValueKind::LLVMGlobalVariableValueKind => self
                .globals
                .get(&value)
                .map_or(Operand::OtherConst, |&id| Operand::Global(id)),
            LLVMValueKind::LLVMFunctionValueKind => match self.functions.get(&value) {
                Some(Symbol::Function(id, _)) => Operand::Function(*id),
                _ => Operand::OtherConst,
            },
            LLVMValueKind::LLVMGlobalAliasValueKind => self.constant(value.aliasee()),
            LLVMValueKind::LLVMConstantExprValueKind => self.expression(value),
            _ => Operand::OtherConst,
        }
    }

    /// A constant expression: an address plus bytes, or a conversion, through which the address still flows.
    fn expression(&self, value: Value<'m>) -> Operand {
        match value.const_opcode() {
            LLVMOpcode::LLVMGetElementPtr => match (self.constant(value.operand(0)), self.gep_bytes(value)) {
                (Operand::OtherConst, _) => Operand::OtherConst,
                (base, Some(0)) => base,
                (Operand::ConstGep { base, bytes }, Some(more)) => bytes
                    .checked_add(more)
                    .map_or(Operand::OtherConst, |bytes| Operand::ConstGep { base, bytes }),
                (base, Some(bytes)) => Operand::ConstGep {
                    base: Box::new(base),
                    bytes,
                },
                (_, None) => Operand::OtherConst,
            },
            LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMIntToPtr
            | LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMTrunc => self.constant(value.operand(0)),
            _ => Operand::OtherConst,
        }
    }

    /// Bytes that the constant indices of a GEP add up to.
    fn gep_bytes(&self, gep: Value<'m>) -> Option<i64> {
        let mut ty = gep.gep_type();
        let mut bytes: i64 = 0;
        for (position, index) in gep.operands().skip(1).enumerate() {
            let index = i64::try_from(index.int_constant()?).ok()?;
            if position > 0 {
                if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                    let field = u32::try_from(index).ok()?;
                    bytes = bytes.checked_add(i64::try_from(ty.field_offset(self.layout, field)).ok()?)?;
                    ty = *ty.fields().get(field as usize)?;
                    continue;
                }
                if ty.kind() != LLVMTypeKind::LLVMArrayTypeKind {
                    return None;
                }
                ty = ty.array().0;
            }
            let step = i64::try_from(ty.size(self.layout)).ok()?;
            bytes = bytes.checked_add(index.checked_mul(step)?)?;
        }
        Some(bytes)
    }
}

/// Whether a linker makes what has this name, of other variables: of all that lie in one section, or of all that there are.
fn is_of_linker(name: &str) -> bool {
    const ENDS: [&str; 4] = ["_end", "_edata", "__bss_start", "__data_start"];
    name.starts_with("__start_") || name.starts_with("__stop_") || ENDS.contains(&name)
}

/// What an alias stands for, or the value itself.
fn unaliased(value: Value) -> Value {
    if value.kind() == LLVMValueKind::LLVMGlobalAliasValueKind {
        value.aliasee()
    } else {
        value
    }
}

/// A function's name without the byte by which clang protects an `asm("name")` label.
fn plain_name(name: &str) -> String {
    name.trim_start_matches('\u{1}').to_owned()
}
