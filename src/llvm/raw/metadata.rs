//! Handles to metadata nodes, which is where debug information lives.
//!
//! LLVM's C interface names only some of a node's fields. Others are read by operand number; the numbers are LLVM's storage
//! order and are written down once, in [`operand`]. They hold for LLVM 16 to 22; what does not is in `module_shim.rs`.

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo::{self as d, LLVMMetadataKind as Raw};
use inkwell::llvm_sys::prelude::*;
use smallvec::SmallVec;

use super::{LLVMValueKind, Layout, Value, text};

/// Operand numbers of the nodes that are read.
mod operand {
    pub const SCOPE_OF_BLOCK: usize = 1;
    pub const NAME_OF_SUBPROGRAM: usize = 2;
    pub const NAME_OF_VARIABLE: usize = 1;
    pub const SCOPE_OF_VARIABLE: usize = 0;
    pub const TYPE_OF_VARIABLE: usize = 3;
    pub const COUNT_OF_SUBRANGE: usize = 0;
    pub const RETAINED_TYPES_OF_UNIT: usize = 5;
}

/// `DIFlagBitField`.
const FLAG_BIT_FIELD: i32 = 1 << 19;

/// A metadata node, or a value or string used as one.
#[derive(Clone, Copy)]
pub(in crate::llvm) struct Metadata<'m> {
    pub(super) raw: LLVMMetadataRef,
    pub(super) layout: Layout<'m>,
}

/// The kinds of metadata that are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::llvm) enum Kind {
    String,
    /// A constant or an instruction used as metadata.
    Value,
    Tuple,
    Location,
    Subprogram,
    /// A lexical block, or the part of one that lies in another file.
    Block,
    LocalVariable,
    GlobalVariableExpression,
    Basic,
    Derived,
    Composite,
    Subroutine,
    /// A node of another kind.
    OtherNode,
    /// Not a node.
    Other,
}

/// An operand of a node.
pub(super) enum MdOperand<'m> {
    /// Another node or a string.
    Node(Metadata<'m>),
    /// A constant.
    Constant(Value<'m>),
}

/// What metadata instructions have.
impl<'m> Value<'m> {
    pub fn global_debug(self, layout: Layout<'m>) -> Option<Metadata<'m>> {
        Metadata::of_global(layout, self.0)
    }

    pub fn subprogram(self, layout: Layout<'m>) -> Option<Metadata<'m>> {
        Metadata::of_function(layout, self.0)
    }

    pub fn debug_location(self, layout: Layout<'m>) -> Option<Metadata<'m>> {
        Metadata::of_instruction(layout, self.0)
    }

    /// Metadata of a kind attached to the instruction.
    pub fn attached(self, layout: Layout<'m>, kind: u32) -> Option<Metadata<'m>> {
        unsafe {
            if c::LLVMHasMetadata(self.0) == 0 {
                return None;
            }
            Metadata::from_value(layout, c::LLVMGetMetadata(self.0, kind))
        }
    }
}

impl PartialEq for Metadata<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Metadata<'_> {}

impl std::hash::Hash for Metadata<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<'m> Metadata<'m> {
    pub(super) fn wrap(layout: Layout<'m>, raw: LLVMMetadataRef) -> Option<Metadata<'m>> {
        (!raw.is_null()).then_some(Metadata { raw, layout })
    }

    /// The node behind a value of metadata kind.
    pub(super) fn from_value(layout: Layout<'m>, value: LLVMValueRef) -> Option<Metadata<'m>> {
        unsafe {
            if value.is_null() || c::LLVMGetValueKind(value) != LLVMValueKind::LLVMMetadataAsValueValueKind {
                return None;
            }
            Metadata::wrap(layout, c::LLVMValueAsMetadata(value))
        }
    }

    /// The debug location of an instruction.
    pub(super) fn of_instruction(layout: Layout<'m>, instruction: LLVMValueRef) -> Option<Metadata<'m>> {
        Metadata::wrap(layout, unsafe { d::LLVMInstructionGetDebugLoc(instruction) })
    }

    /// The `DISubprogram` of a function.
    pub(super) fn of_function(layout: Layout<'m>, function: LLVMValueRef) -> Option<Metadata<'m>> {
        Metadata::wrap(layout, unsafe { d::LLVMGetSubprogram(function) })
    }

    /// The `DIGlobalVariable` of a global.
    pub(super) fn of_global(layout: Layout<'m>, global: LLVMValueRef) -> Option<Metadata<'m>> {
        unsafe {
            let mut count = 0;
            let entries = c::LLVMGlobalCopyAllMetadata(global, &mut count);
            let mut found = None;
            for i in 0..count as u32 {
                let entry = Metadata::wrap(layout, c::LLVMValueMetadataEntriesGetMetadata(entries, i));
                let entry = entry.filter(|m| m.kind() == Kind::GlobalVariableExpression);
                found = found.or(entry.map(|m| d::LLVMDIGlobalVariableExpressionGetVariable(m.raw)));
            }
            c::LLVMDisposeValueMetadataEntries(entries);
            found.and_then(|raw| Metadata::wrap(layout, raw))
        }
    }

    pub fn kind(self) -> Kind {
        match unsafe { d::LLVMGetMetadataKind(self.raw) } {
            Raw::LLVMMDStringMetadataKind => Kind::String,
            Raw::LLVMConstantAsMetadataMetadataKind | Raw::LLVMLocalAsMetadataMetadataKind => Kind::Value,
            Raw::LLVMMDTupleMetadataKind => Kind::Tuple,
            Raw::LLVMDILocationMetadataKind => Kind::Location,
            Raw::LLVMDISubprogramMetadataKind => Kind::Subprogram,
            Raw::LLVMDILexicalBlockMetadataKind | Raw::LLVMDILexicalBlockFileMetadataKind => Kind::Block,
            Raw::LLVMDILocalVariableMetadataKind => Kind::LocalVariable,
            Raw::LLVMDIGlobalVariableExpressionMetadataKind => Kind::GlobalVariableExpression,
            Raw::LLVMDIBasicTypeMetadataKind => Kind::Basic,
            Raw::LLVMDIDerivedTypeMetadataKind => Kind::Derived,
            Raw::LLVMDICompositeTypeMetadataKind => Kind::Composite,
            Raw::LLVMDISubroutineTypeMetadataKind => Kind::Subroutine,
            Raw::LLVMDistinctMDOperandPlaceholderMetadataKind | Raw::LLVMDIArgListMetadataKind => Kind::Other,
            _ => Kind::OtherNode,
        }
    }

    fn is_node(self) -> bool {
        !matches!(self.kind(), Kind::String | Kind::Value | Kind::Other)
    }

    fn as_value(self) -> LLVMValueRef {
        unsafe { c::LLVMMetadataAsValue(self.layout.context, self.raw) }
    }

    /// The operands of a node, `None` where absent; empty for what is not a node.
    fn operands(self) -> SmallVec<[Option<MdOperand<'m>>; 12]> {
        if !self.is_node() {
            return SmallVec::new();
        }
        let raw: SmallVec<[LLVMValueRef; 12]> = unsafe {
            let value = self.as_value();
            let mut raw = SmallVec::from_elem(std::ptr::null_mut(), c::LLVMGetMDNodeNumOperands(value) as usize);
            c::LLVMGetMDNodeOperands(value, raw.as_mut_ptr());
            raw
        };
        raw.into_iter()
            .map(|value| {
                if value.is_null() {
                    None
                } else if let Some(node) = Metadata::from_value(self.layout, value) {
                    Some(MdOperand::Node(node))
                } else {
                    Some(MdOperand::Constant(Value::wrap(value)))
                }
            })
            .collect()
    }

    /// One operand, if it is a node or string.
    pub fn node_operand(self, index: usize) -> Option<Metadata<'m>> {
        match self.operands().into_iter().nth(index)?? {
            MdOperand::Node(node) => Some(node),
            MdOperand::Constant(_) => None,
        }
    }

    fn string(self) -> Option<String> {
        if self.kind() != Kind::String {
            return None;
        }
        let mut len = 0;
        unsafe {
            let data = c::LLVMGetMDString(self.as_value(), &mut len);
            Some(text(data, len as usize))
        }
    }

    /// Line and column of a `DILocation`; line 0 means that the compiler made the code up.
    pub fn location(self) -> (u32, u32) {
        unsafe { (d::LLVMDILocationGetLine(self.raw), d::LLVMDILocationGetColumn(self.raw)) }
    }

    /// Scope of a `DILocation`.
    pub fn location_scope(self) -> Option<Metadata<'m>> {
        Metadata::wrap(self.layout, unsafe { d::LLVMDILocationGetScope(self.raw) })
    }

    /// File of a scope or type.
    pub fn file(self) -> Option<Metadata<'m>> {
        Metadata::wrap(self.layout, unsafe { d::LLVMDIScopeGetFile(self.raw) })
    }

    /// File of a global or local variable.
    pub fn variable_file(self) -> Option<Metadata<'m>> {
        Metadata::wrap(self.layout, unsafe { d::LLVMDIVariableGetFile(self.raw) })
    }

    /// `(directory, name)` of a `DIFile`.
    pub fn file_name(self) -> (String, String) {
        let (mut directory, mut name) = (0, 0);
        unsafe {
            let directory_data = d::LLVMDIFileGetDirectory(self.raw, &mut directory);
            let name_data = d::LLVMDIFileGetFilename(self.raw, &mut name);
            (text(directory_data, directory as usize), text(name_data, name as usize))
        }
    }

    /// Line of a variable.
    pub fn variable_line(self) -> u32 {
        unsafe { d::LLVMDIVariableGetLine(self.raw) }
    }

    /// Name of a variable.
    pub fn variable_name(self) -> Option<String> {
        self.node_operand(operand::NAME_OF_VARIABLE)?.string()
    }

    /// Type of a variable.
    pub fn variable_type(self) -> Option<Metadata<'m>> {
        self.node_operand(operand::TYPE_OF_VARIABLE)
    }

    /// Scope of a variable: a block, a function, or a file.
    pub fn variable_scope(self) -> Option<Metadata<'m>> {
        self.node_operand(operand::SCOPE_OF_VARIABLE)
    }

    /// Scope around a lexical block.
    pub fn block_scope(self) -> Option<Metadata<'m>> {
        self.node_operand(operand::SCOPE_OF_BLOCK)
    }

    /// Name of a function.
    pub fn subprogram_name(self) -> Option<String> {
        self.node_operand(operand::NAME_OF_SUBPROGRAM)?.string()
    }

    /// Line of a function's name.
    pub fn subprogram_line(self) -> u32 {
        unsafe { d::LLVMDISubprogramGetLine(self.raw) }
    }

    /// `DW_TAG_*` of a type.
    pub fn tag(self) -> u16 {
        unsafe { d::LLVMGetDINodeTag(self.raw) }
    }

    /// Name of a type or member, empty if it has none.
    pub fn type_name(self) -> String {
        let mut len = 0;
        unsafe {
            let data = d::LLVMDITypeGetName(self.raw, &mut len);
            text(data, len)
        }
    }

    /// Size of a type in bytes.
    pub fn type_bytes(self) -> u64 {
        unsafe { d::LLVMDITypeGetSizeInBits(self.raw) / 8 }
    }

    /// Byte offset of a member, `None` for a bit-field.
    pub fn member_offset(self) -> Option<u64> {
        unsafe {
            let bit_field = d::LLVMDITypeGetFlags(self.raw) & FLAG_BIT_FIELD != 0;
            (!bit_field).then(|| d::LLVMDITypeGetOffsetInBits(self.raw) / 8)
        }
    }

    /// Constant element count of a subrange; `None` for a variable or unknown one.
    pub fn subrange_count(self) -> Option<u64> {
        match self.operands().into_iter().nth(operand::COUNT_OF_SUBRANGE)?? {
            MdOperand::Constant(count) => u64::try_from(count.int_constant()?).ok(),
            MdOperand::Node(_) => None,
        }
    }

    /// Types that the unit keeps although no variable has them (those of casts).
    pub fn retained_types(self) -> Vec<Metadata<'m>> {
        self.node_operand(operand::RETAINED_TYPES_OF_UNIT)
            .map(Metadata::nodes)
            .unwrap_or_default()
    }

    /// All node operands.
    pub fn nodes(self) -> Vec<Metadata<'m>> {
        let nodes = self
            .operands()
            .into_iter()
            .flatten()
            .filter_map(|operand| match operand {
                MdOperand::Node(node) => Some(node),
                MdOperand::Constant(_) => None,
            });
        nodes.collect()
    }
}
