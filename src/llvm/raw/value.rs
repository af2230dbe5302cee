//! Handles to values (constants, globals, functions, instructions) and basic blocks.

use std::ffi::CStr;
use std::marker::PhantomData;

use inkwell::llvm_sys as sys;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::*;

use super::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMValueKind, Ty, chain, text};

/// A value. Methods are named after the kind of value they are for; each checks nothing beyond what LLVM checks, so
/// callers first look at [`Value::kind`] or [`Value::opcode`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::llvm) struct Value<'m>(pub(super) LLVMValueRef, PhantomData<&'m ()>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::llvm) struct BasicBlock<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

impl<'m> Value<'m> {
    pub(super) fn wrap(raw: LLVMValueRef) -> Value<'m> {
        debug_assert!(!raw.is_null());
        Value(raw, PhantomData)
    }

    pub(super) fn wrap_some(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value(raw, PhantomData))
    }

    pub fn kind(self) -> LLVMValueKind {
        unsafe { c::LLVMGetValueKind(self.0) }
    }

    pub fn ty(self) -> Ty<'m> {
        Ty::wrap(unsafe { c::LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut len = 0;
        unsafe {
            let data = c::LLVMGetValueName2(self.0, &mut len);
            text(data, len)
        }
    }

    pub fn operand_count(self) -> u32 {
        unsafe { c::LLVMGetNumOperands(self.0) as u32 }
    }

    pub fn operand(self, index: u32) -> Value<'m> {
        Value::wrap(unsafe { c::LLVMGetOperand(self.0, index) })
    }

    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }

    /// The bytes of a string literal.
    pub fn text_constant(self) -> Option<&'m [u8]> {
        if self.kind() != LLVMValueKind::LLVMConstantDataArrayValueKind {
            return None;
        }
        unsafe {
            if c::LLVMIsConstantString(self.0) == 0 {
                return None;
            }
            let mut length = 0;
            let bytes = c::LLVMGetAsString(self.0, &mut length);
            Some(std::slice::from_raw_parts(bytes.cast(), length))
        }
    }

    /// The value of an integer constant, sign-extended, except that of a one-bit one, which is 0 or 1.
    pub fn int_constant(self) -> Option<i128> {
        if self.kind() != LLVMValueKind::LLVMConstantIntValueKind {
            return None;
        }
        unsafe {
            match self.ty().int_bits() {
                1 => Some(c::LLVMConstIntGetZExtValue(self.0).into()),
                ..=64 => Some(c::LLVMConstIntGetSExtValue(self.0).into()),
                _ => {
                    // The interface hands out 64 bits at most; the printed form `i128 N` has them all.
                    let printed = c::LLVMPrintValueToString(self.0);
                    let number = CStr::from_ptr(printed)
                        .to_str()
                        .ok()
                        .and_then(|s| s.rsplit(' ').next()?.parse().ok());
                    c::LLVMDisposeMessage(printed);
                    number
                }
            }
        }
    }

    /// The value of a floating constant, rounded to `f64`.
    pub fn float_constant(self) -> f64 {
        let mut loses = 0;
        unsafe { c::LLVMConstRealGetDouble(self.0, &mut loses) }
    }

    /// Opcode of a constant expression.
    pub fn const_opcode(self) -> LLVMOpcode {
        unsafe { c::LLVMGetConstOpcode(self.0) }
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Value<'m> {
        Value::wrap(unsafe { c::LLVMAliasGetAliasee(self.0) })
    }

    // Globals and functions.

    pub fn is_declaration(self) -> bool {
        unsafe { c::LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether a global variable has a section of its own.
    pub fn has_section(self) -> bool {
        let section = unsafe { c::LLVMGetSection(self.0) };
        !section.is_null() && unsafe { *section } != 0
    }

    /// Whether inline assembly says that it may use memory that is none of its operands, and does anything.
    pub fn names_memory(self) -> bool {
        let text = |get: unsafe extern "C" fn(LLVMValueRef, *mut usize) -> *const std::ffi::c_char| {
            let mut len = 0usize;
            let start = unsafe { get(self.0, &mut len) };
            match start.is_null() {
                true => String::new(),
                false => {
                    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), len) };
                    String::from_utf8_lossy(bytes).into_owned()
                }
            }
        };
        let (template, constraints) = (
            text(c::LLVMGetInlineAsmAsmString),
            text(c::LLVMGetInlineAsmConstraintString),
        );
        constraints.contains("~{memory}") && !template.trim().is_empty()
    }

    /// Invisible to other files, or no more than a copy of what another file defines.
    pub fn is_internal(self) -> bool {
        let linkage = unsafe { c::LLVMGetLinkage(self.0) };
        matches!(
            linkage,
            sys::LLVMLinkage::LLVMInternalLinkage
                | sys::LLVMLinkage::LLVMPrivateLinkage
                | sys::LLVMLinkage::LLVMAvailableExternallyLinkage
        )
    }

    /// A definition that gives way to another file's.
    pub fn is_replaceable(self) -> bool {
        let linkage = unsafe { c::LLVMGetLinkage(self.0) };
        let gives_way = matches!(
            linkage,
            sys::LLVMLinkage::LLVMWeakAnyLinkage
                | sys::LLVMLinkage::LLVMLinkOnceAnyLinkage
                | sys::LLVMLinkage::LLVMCommonLinkage
        );
        gives_way && !self.is_declaration()
    }

    pub fn is_constant_global(self) -> bool {
        unsafe { c::LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Type of a global's content, or of a function.
    pub fn global_type(self) -> Ty<'m> {
        Ty::wrap(unsafe { c::LLVMGlobalGetValueType(self.0) })
    }

    pub fn initializer(self) -> Option<Value<'m>> {
        Value::wrap_some(unsafe { c::LLVMGetInitializer(self.0) })
    }

    pub fn is_intrinsic(self) -> bool {
        unsafe { c::LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub fn params(self) -> impl Iterator<Item = Value<'m>> {
        (0..unsafe { c::LLVMCountParams(self.0) }).map(move |i| Value::wrap(unsafe { c::LLVMGetParam(self.0, i) }))
    }

    /// The value of a function attribute; 0 for one that has none, `None` when it is absent.
    pub fn function_attribute(self, kind: u32) -> Option<u64> {
        unsafe {
            let attribute = c::LLVMGetEnumAttributeAtIndex(self.0, sys::LLVMAttributeFunctionIndex, kind);
            (!attribute.is_null()).then(|| c::LLVMGetEnumAttributeValue(attribute))
        }
    }

    pub fn blocks(self) -> impl Iterator<Item = BasicBlock<'m>> {
        chain(unsafe { c::LLVMGetFirstBasicBlock(self.0) }, |b| unsafe {
            c::LLVMGetNextBasicBlock(b)
        })
        .map(|raw| BasicBlock(raw, PhantomData))
    }

    // Instructions.

    pub fn opcode(self) -> LLVMOpcode {
        unsafe { c::LLVMGetInstructionOpcode(self.0) }
    }

    pub fn is_volatile(self) -> bool {
        unsafe { c::LLVMGetVolatile(self.0) != 0 }
    }

    /// Whether a load or store is atomic.
    pub fn is_atomic(self) -> bool {
        unsafe { c::LLVMGetOrdering(self.0) != sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic }
    }

    pub fn allocated_type(self) -> Ty<'m> {
        Ty::wrap(unsafe { c::LLVMGetAllocatedType(self.0) })
    }

    /// Type that the first index of a GEP steps over.
    pub fn gep_type(self) -> Ty<'m> {
        Ty::wrap(unsafe { c::LLVMGetGEPSourceElementType(self.0) })
    }

    /// `nsw` of an addition, subtraction, multiplication or left shift.
    pub fn is_nsw(self) -> bool {
        unsafe { c::LLVMGetNSW(self.0) != 0 }
    }

    pub fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { c::LLVMGetICmpPredicate(self.0) }
    }

    pub fn float_predicate(self) -> LLVMRealPredicate {
        unsafe { c::LLVMGetFCmpPredicate(self.0) }
    }

    pub fn callee(self) -> Value<'m> {
        Value::wrap(unsafe { c::LLVMGetCalledValue(self.0) })
    }

    pub fn args(self) -> impl Iterator<Item = Value<'m>> {
        (0..unsafe { c::LLVMGetNumArgOperands(self.0) }).map(move |i| self.operand(i))
    }

    /// The type of argument `index` where the call hands over a copy of what it points to: its `byval` attribute.
    pub fn handed_by_value(self, index: u32, byval: u32) -> Option<Ty<'m>> {
        unsafe {
            // Index 0 is the result.
            let attribute = c::LLVMGetCallSiteEnumAttribute(self.0, index + 1, byval);
            (!attribute.is_null()).then(|| Ty::wrap(c::LLVMGetTypeAttributeValue(attribute)))
        }
    }

    pub fn is_conditional(self) -> bool {
        unsafe { c::LLVMIsConditional(self.0) != 0 }
    }

    pub fn condition(self) -> Value<'m> {
        Value::wrap(unsafe { c::LLVMGetCondition(self.0) })
    }

    pub fn successors(self) -> impl Iterator<Item = BasicBlock<'m>> {
        (0..unsafe { c::LLVMGetNumSuccessors(self.0) })
            .map(move |i| BasicBlock(unsafe { c::LLVMGetSuccessor(self.0, i) }, PhantomData))
    }

    pub fn incoming(self) -> impl Iterator<Item = (BasicBlock<'m>, Value<'m>)> {
        (0..unsafe { c::LLVMCountIncoming(self.0) }).map(move |i| unsafe {
            (
                BasicBlock(c::LLVMGetIncomingBlock(self.0, i), PhantomData),
                Value::wrap(c::LLVMGetIncomingValue(self.0, i)),
            )
        })
    }
}

impl<'m> BasicBlock<'m> {
    pub fn label(self) -> String {
        unsafe {
            CStr::from_ptr(c::LLVMGetBasicBlockName(self.0))
                .to_string_lossy()
                .into_owned()
        }
    }

    pub fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        chain(unsafe { c::LLVMGetFirstInstruction(self.0) }, |i| unsafe {
            c::LLVMGetNextInstruction(i)
        })
        .map(Value::wrap)
    }

    pub fn terminator(self) -> Option<Value<'m>> {
        Value::wrap_some(unsafe { c::LLVMGetBasicBlockTerminator(self.0) })
    }
}
