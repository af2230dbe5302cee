//! What LLVM's C interface does not tell of a module, through `module_shim.cpp`: the compiler checks there what numbers of operands and
//! bits would only promise, and each version of LLVM has its own.

use std::ffi::{c_uint, c_void};

use inkwell::llvm_sys::prelude::*;

use super::{Layout, Metadata, Value};

unsafe extern "C" {
    fn ompmemopt_declarations(
        instruction: LLVMValueRef,
        take: extern "C" fn(*mut c_void, LLVMValueRef, LLVMMetadataRef, LLVMMetadataRef),
        to: *mut c_void,
    );
    fn ompmemopt_switch_case(switch: LLVMValueRef, at: c_uint) -> LLVMValueRef;
    fn ompmemopt_memory(attribute: u64) -> c_uint;
    fn ompmemopt_base_type(ty: LLVMMetadataRef) -> LLVMMetadataRef;
    fn ompmemopt_elements(ty: LLVMMetadataRef) -> LLVMMetadataRef;
}

/// A variable of the text, declared: `#dbg_declare(ptr %x, !7, !DIExpression(), !9)`.
pub(in crate::llvm) struct Declaration<'m> {
    /// Where the variable lives; `None` where it does no more.
    pub address: Option<Value<'m>>,
    pub variable: Metadata<'m>,
    /// The identifier's location; line 0 marks hidden variables, which hold the extents of VLAs.
    pub location: Option<Metadata<'m>>,
}

/// What a function with an attribute `memory` does to memory.
pub(in crate::llvm) struct MemoryEffect {
    pub only_reads: bool,
    /// Nothing but what arguments point to, and what no program can see.
    pub only_arguments: bool,
}

impl MemoryEffect {
    /// The meaning of the attribute's value.
    pub fn of(attribute: u64) -> MemoryEffect {
        // SAFETY: any value is allowed.
        let flags = unsafe { ompmemopt_memory(attribute) };
        MemoryEffect {
            only_reads: flags & 1 != 0,
            only_arguments: flags & 2 != 0,
        }
    }
}

/// Where [`declarations`](Value::declarations) are collected.
struct FoundDeclarations<'m> {
    layout: Layout<'m>,
    declarations: Vec<Declaration<'m>>,
}

impl<'m> Value<'m> {
    /// The variables that are declared in front of an instruction, appended to `declarations`.
    pub fn declarations(self, layout: Layout<'m>, declarations: &mut Vec<Declaration<'m>>) {
        let mut found = FoundDeclarations {
            layout,
            declarations: std::mem::take(declarations),
        };
        // SAFETY: the value is an instruction, and the shim calls back during the call alone.
        unsafe { ompmemopt_declarations(self.0, take_declaration, (&raw mut found).cast()) };
        *declarations = found.declarations;
    }

    /// The constant of one of the cases of a `switch`, by its place.
    pub fn switch_case(self, at: u32) -> Value<'m> {
        // SAFETY: the value is a `switch`; there is no constant for a place that it does not have, which `wrap` looks for.
        Value::wrap(unsafe { ompmemopt_switch_case(self.0, at) })
    }
}

/// Appends to the `FoundDeclarations` at `to`.
extern "C" fn take_declaration(
    to: *mut c_void,
    address: LLVMValueRef,
    variable: LLVMMetadataRef,
    location: LLVMMetadataRef,
) {
    // SAFETY: called by the shim with what it was given in `declarations`, and with parts of the same module.
    let found = unsafe { &mut *to.cast::<FoundDeclarations>() };
    if let Some(variable) = Metadata::wrap(found.layout, variable) {
        found.declarations.push(Declaration {
            address: Value::wrap_some(address),
            variable,
            location: Metadata::wrap(found.layout, location),
        });
    }
}

impl<'m> Metadata<'m> {
    /// What a derived type or an array is made of.
    pub fn base_type(self) -> Option<Metadata<'m>> {
        // SAFETY: a node of any kind is allowed.
        Metadata::wrap(self.layout, unsafe { ompmemopt_base_type(self.raw) })
    }

    /// Members of a record, or subranges of an array.
    pub fn elements(self) -> Vec<Metadata<'m>> {
        // SAFETY: a node of any kind is allowed.
        Metadata::wrap(self.layout, unsafe { ompmemopt_elements(self.raw) })
            .map(Metadata::nodes)
            .unwrap_or_default()
    }
}
