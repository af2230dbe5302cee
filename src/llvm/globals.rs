//! Global variables, with what their initialisers point to.

use super::ModuleReader;
use super::raw::{Kind, LLVMTypeKind, LLVMValueKind, Metadata, Value};
use super::symbols::ModuleSymbols;
use crate::program::choices;
use crate::program::ir::{Global, Operand};
use crate::program::linker_names::BY_ASSEMBLER_NAME;

impl<'m> ModuleReader<'m> {
    /// Converts one global variable.
    pub(super) fn global(&mut self, value: Value<'m>) -> Global {
        let ty = value.global_type();
        let debug = value.global_debug(self.layout);
        let name = debug.and_then(Metadata::variable_name).unwrap_or_else(|| value.name());
        let name = self.known_as(name, value);
        let initializer = value.initializer();
        let mut init_pointers = Vec::new();
        if let Some(initializer) = initializer {
            pointers_in(initializer, 0, self, &mut init_pointers);
        }
        let source = debug.map(|d| {
            let ty = d.variable_type();
            self.type_roots.extend(ty);
            self.debug.source_type(ty)
        });
        Global {
            ty: self.types.get(ty),
            size: self.types.size(ty),
            constant: value.is_constant_global(),
            // Lists like `llvm.global_ctors` have one name in all files, and each file its own.
            internal: value.is_internal() || name.starts_with("llvm."),
            external: value.is_declaration(),
            replaceable: value.is_replaceable(),
            on_device: false,
            in_section: value.has_section() || self.assembly,
            source_type: source.or_else(|| choices::declared_type(&name, self.types.size(ty))),
            decl: debug.and_then(|d| self.debug.declaration(d.variable_file(), d.variable_line(), &name)),
            in_function: debug.and_then(enclosing_function),
            init_pointers,
            init_int: initializer.and_then(Value::int_constant),
            prints_errno: initializer
                .and_then(Value::text_constant)
                .is_some_and(|f| converts(f, b'm')),
            counts_printed: initializer
                .and_then(Value::text_constant)
                .is_none_or(|f| converts(f, b'n')),
            name,
        }
    }

    /// The name of a function or variable: where other files know it by another one than its own text does, that one.
    pub(super) fn known_as(&mut self, in_text: String, value: Value<'m>) -> String {
        let symbol = value.name();
        let symbol = symbol.strip_prefix('\u{1}').unwrap_or(&symbol);
        if value.is_internal() || symbol == in_text {
            return in_text;
        }
        self.renamed.push(in_text);
        format!("{symbol}{BY_ASSEMBLER_NAME}")
    }
}

/// The function around a variable's scope.
fn enclosing_function(variable: Metadata) -> Option<String> {
    let mut scope = variable.variable_scope()?;
    loop {
        scope = match scope.kind() {
            Kind::Subprogram => return scope.subprogram_name(),
            Kind::Block => scope.block_scope()?,
            _ => return None,
        };
    }
}

/// Whether a format has a conversion such as `%m`, of any width, for any type.
fn converts(text: &[u8], conversion: u8) -> bool {
    let mut at = text.iter().peekable();
    while let Some(byte) = at.next() {
        if *byte != b'%' {
            continue;
        }
        while at.next_if(|b| b" #+-.'*$0123456789hlLjztqI".contains(b)).is_some() {}
        if at.next() == Some(&conversion) {
            return true;
        }
    }
    false
}

/// Collects the addresses that a constant holds, `at` bytes into the global.
fn pointers_in<'m>(constant: Value<'m>, at: u64, reader: &ModuleReader<'m>, out: &mut Vec<(u64, Operand)>) {
    match constant.kind() {
        LLVMValueKind::LLVMConstantArrayValueKind => {
            let step = constant.ty().array().0.size(reader.layout);
            for (index, element) in constant.operands().enumerate() {
                pointers_in(element, at + index as u64 * step, reader, out);
            }
        }
        LLVMValueKind::LLVMConstantStructValueKind => {
            let ty = constant.ty();
            debug_assert!(ty.kind() == LLVMTypeKind::LLVMStructTypeKind);
            for (index, field) in constant.operands().enumerate() {
                pointers_in(field, at + ty.field_offset(reader.layout, index as u32), reader, out);
            }
        }
        _ => out.extend(address(constant, &reader.symbols).map(|operand| (at, operand))),
    }
}

/// The operand, if it is the address of something.
fn address<'m>(constant: Value<'m>, symbols: &ModuleSymbols<'m>) -> Option<Operand> {
    let operand = symbols.constant(constant);
    match &operand {
        Operand::Global(_) | Operand::Function(_) => Some(operand),
        Operand::ConstGep { base, .. } if matches!(**base, Operand::Global(_) | Operand::Function(_)) => Some(operand),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::converts;

    #[test]
    fn conversions_of_formats_are_found() {
        assert!(converts(b"%d%n", b'n') && converts(b"%1$hhn", b'n') && !converts(b"%%n", b'n'));
        assert!(converts(b"%s: %m\n", b'm'));
        assert!(converts(b"%%%-20m", b'm'));
        assert!(!converts(b"100%%m %d m%", b'm'));
    }
}
