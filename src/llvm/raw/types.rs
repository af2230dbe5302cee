//! Handles to LLVM types.

use std::marker::PhantomData;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target as t;

use super::{LLVMTypeKind, Layout};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::llvm) struct Ty<'m>(LLVMTypeRef, PhantomData<&'m ()>);

impl<'m> Ty<'m> {
    pub(super) fn wrap(raw: LLVMTypeRef) -> Ty<'m> {
        Ty(raw, PhantomData)
    }

    pub fn kind(self) -> LLVMTypeKind {
        unsafe { c::LLVMGetTypeKind(self.0) }
    }

    /// Bits of an integer type.
    pub fn int_bits(self) -> u32 {
        unsafe { c::LLVMGetIntTypeWidth(self.0) }
    }

    /// Element type and length of an array type.
    pub fn array(self) -> (Ty<'m>, u64) {
        unsafe { (Ty::wrap(c::LLVMGetElementType(self.0)), c::LLVMGetArrayLength2(self.0)) }
    }

    /// Tag-like name of a struct type (`struct.s`), empty for a literal one.
    pub fn struct_name(self) -> String {
        unsafe {
            let name = c::LLVMGetStructName(self.0);
            if name.is_null() {
                String::new()
            } else {
                std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned()
            }
        }
    }

    /// Field types of a struct; empty for an incomplete one.
    pub fn fields(self) -> Vec<Ty<'m>> {
        unsafe {
            let count = c::LLVMCountStructElementTypes(self.0);
            (0..count)
                .map(|i| Ty::wrap(c::LLVMStructGetTypeAtIndex(self.0, i)))
                .collect()
        }
    }

    /// Byte offset of a struct's field.
    pub fn field_offset(self, layout: Layout<'m>, field: u32) -> u64 {
        unsafe { t::LLVMOffsetOfElement(layout.data, self.0, field) }
    }

    /// Bytes from one element of an array of this type to the next; 0 for a type without size.
    pub fn size(self, layout: Layout<'m>) -> u64 {
        unsafe {
            if c::LLVMTypeIsSized(self.0) == 0 {
                0
            } else {
                t::LLVMABISizeOfType(layout.data, self.0)
            }
        }
    }

    /// Whether the function type takes `...`.
    pub fn is_variadic(self) -> bool {
        unsafe { c::LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// Return type of a function type.
    pub fn return_type(self) -> Ty<'m> {
        Ty::wrap(unsafe { c::LLVMGetReturnType(self.0) })
    }
}
