//! Thin, safe handles over LLVM's and clang's C interfaces: the only place of this room with `unsafe`.
//!
//! inkwell finds and links LLVM. It is not used to walk modules: its instruction operands panic on metadata, it has no
//! readers for debug information, and it dispatches on every value's kind at every step. A handle here is the pointer
//! and the lifetime `'m` of the module it points into. **Invariant**: handles are only made by [`Bitcode`] and
//! from other handles, so they point into a live module, which nobody changes after it was read.

mod clang_library;
mod heap;
mod metadata;
mod module_shim;
mod types;
mod value;

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;

use inkwell::llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::LLVMTargetDataRef;
use inkwell::llvm_sys::transforms::pass_builder as passes;

pub(super) use clang_library::{ClangLibrary, Request, run_clang};
pub(super) use heap::grow_in_large_steps;
pub(super) use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind, LLVMValueKind};
pub(super) use metadata::{Kind, Metadata};
pub(super) use module_shim::{Declaration, MemoryEffect};
pub(super) use types::Ty;
pub(super) use value::{BasicBlock, Value};

/// `DW_TAG_*` values used to read types.
pub(super) mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUM: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCT: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const CONST: u16 = 0x26;
    pub const RESTRICT: u16 = 0x37;
}

/// A module with its context, ready to be walked.
pub(super) struct Bitcode {
    /// Owned, as is the context it lives in.
    module: LLVMModuleRef,
}

impl Bitcode {
    /// Reads bitcode. The error is LLVM's message.
    pub fn read(bytes: &[u8]) -> Result<Bitcode, String> {
        if !bytes.starts_with(b"BC\xC0\xDE") {
            return Err(format!("{} bytes that do not start like bitcode", bytes.len()));
        }
        let mut message = String::new();
        let mut module = std::ptr::null_mut();
        // SAFETY: `bytes` and `message` outlive the calls that use them, and what is created is disposed of once.
        let failed = unsafe {
            let context = c::LLVMContextCreate();
            // LLVM's own handler prints an error and ends the process.
            c::LLVMContextSetDiagnosticHandler(context, Some(keep_message), (&raw mut message).cast());
            let name = c"clang's output".as_ptr();
            let buffer = c::LLVMCreateMemoryBufferWithMemoryRange(bytes.as_ptr().cast(), bytes.len(), name, 0);
            let failed = LLVMParseBitcodeInContext2(context, buffer, &mut module) != 0;
            c::LLVMDisposeMemoryBuffer(buffer);
            c::LLVMContextSetDiagnosticHandler(context, Some(ignore_diagnostic), std::ptr::null_mut());
            if failed {
                c::LLVMContextDispose(context);
            }
            failed
        };
        if failed {
            return Err(message);
        }
        // SAFETY: the module was just made, with a context of its own.
        unsafe { Bitcode::own(module) }
    }

    /// Lets LLVM infer what it knows about library functions, and has debug information in records, as it is in all versions but for
    /// what LLVM 19 may have made of it. The error is LLVM's message.
    ///
    /// # Safety
    /// Nobody else may use or dispose of the module or its context, which has no other modules.
    unsafe fn own(module: LLVMModuleRef) -> Result<Bitcode, String> {
        let bitcode = Bitcode { module };
        bitcode.infer_library_attributes()?;
        // SAFETY: the module is valid, and there are no handles into it yet.
        unsafe { c::LLVMSetIsNewDbgInfoFormat(module, 1) };
        Ok(bitcode)
    }

    /// Only declarations are inferred. `function-attrs` would add attributes to defined functions as well, and they
    /// would be wrong here: the code was compiled without OpenMP, so a function that only holds a
    /// `target enter data` looks as if it had no effect at all.
    fn infer_library_attributes(&self) -> Result<(), String> {
        unsafe {
            let options = passes::LLVMCreatePassBuilderOptions();
            let error = passes::LLVMRunPasses(self.raw(), c"inferattrs".as_ptr(), std::ptr::null_mut(), options);
            passes::LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            Err(text)
        }
    }

    fn raw(&self) -> LLVMModuleRef {
        self.module
    }

    /// The module in LLVM's assembly language.
    #[cfg(test)]
    pub fn text(&self) -> String {
        // SAFETY: LLVM hands out a string that is disposed of once.
        unsafe {
            let raw = c::LLVMPrintModuleToString(self.raw());
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            c::LLVMDisposeMessage(raw);
            text
        }
    }

    /// All functions, declarations and intrinsics included, in module order.
    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        chain(unsafe { c::LLVMGetFirstFunction(self.raw()) }, |f| unsafe {
            c::LLVMGetNextFunction(f)
        })
        .map(Value::wrap)
    }

    /// All global variables, in module order.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        chain(unsafe { c::LLVMGetFirstGlobal(self.raw()) }, |g| unsafe {
            c::LLVMGetNextGlobal(g)
        })
        .map(Value::wrap)
    }

    /// Whether the file has assembly at file scope.
    pub fn has_module_asm(&self) -> bool {
        let mut len = 0;
        unsafe { c::LLVMGetModuleInlineAsm(self.raw(), &mut len) };
        len > 0
    }

    /// The compile units' debug information; one for a file that clang compiled with `-g`.
    pub fn compile_unit(&self) -> Option<Metadata<'_>> {
        let name = c"llvm.dbg.cu".as_ptr();
        unsafe {
            let count = c::LLVMGetNamedMetadataNumOperands(self.raw(), name) as usize;
            let mut units = vec![std::ptr::null_mut(); count];
            c::LLVMGetNamedMetadataOperands(self.raw(), name, units.as_mut_ptr());
            units
                .first()
                .and_then(|&unit| Metadata::from_value(self.layout(), unit))
        }
    }

    /// What handles need to answer questions: the context and the data layout.
    pub fn layout(&self) -> Layout<'_> {
        unsafe {
            Layout {
                context: c::LLVMGetModuleContext(self.raw()),
                data: inkwell::llvm_sys::target::LLVMGetModuleDataLayout(self.raw()),
                module: PhantomData,
            }
        }
    }
}

impl Drop for Bitcode {
    fn drop(&mut self) {
        // SAFETY: both are owned, and every handle borrows `self`.
        unsafe {
            let context = c::LLVMGetModuleContext(self.module);
            c::LLVMDisposeModule(self.module);
            c::LLVMContextDispose(context);
        }
    }
}

/// Context and data layout of a module.
#[derive(Clone, Copy)]
pub(super) struct Layout<'m> {
    context: LLVMContextRef,
    data: LLVMTargetDataRef,
    module: PhantomData<&'m ()>,
}

impl Layout<'_> {
    /// The id of a metadata kind such as `llvm.loop`.
    pub fn metadata_kind(&self, name: &str) -> u32 {
        unsafe { c::LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), name.len() as u32) }
    }
}

/// The id of an enum attribute such as `noreturn`; 0 for a name that this LLVM does not have.
pub(super) fn attribute_kind(name: &str) -> u32 {
    unsafe { c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

extern "C" fn ignore_diagnostic(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}

/// Puts LLVM's words into the `String` at `message`.
extern "C" fn keep_message(info: LLVMDiagnosticInfoRef, message: *mut c_void) {
    // SAFETY: only registered with a `String` that outlives the registration; the description is disposed of once.
    unsafe {
        let text = c::LLVMGetDiagInfoDescription(info);
        *message.cast::<String>() = CStr::from_ptr(text).to_string_lossy().into_owned();
        c::LLVMDisposeMessage(text);
    }
}

/// Iterates over one of LLVM's linked lists.
fn chain<T>(first: *mut T, next: impl Fn(*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    let existing = |at: *mut T| (!at.is_null()).then_some(at);
    std::iter::successors(existing(first), move |&at| existing(next(at)))
}

/// A string that LLVM owns, copied; `len` bytes at `data`.
///
/// # Safety
/// `data` is null or points to `len` readable bytes.
unsafe fn text(data: *const c_char, len: usize) -> String {
    if data.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}
