//! LLVM types as [`crate::program::ir::Type`], each converted once.

use rustc_hash::FxHashMap;

use super::raw::{LLVMTypeKind, Layout, Ty};
use crate::program::ir::{SourceType, Struct, StructId, Type};

/// The types of a module seen so far.
pub(super) struct Types<'m> {
    layout: Layout<'m>,
    known: FxHashMap<Ty<'m>, Type>,
    /// Struct layouts, in the order in which the walk met them; names of fields come later.
    pub structs: Vec<Struct>,
}

impl<'m> Types<'m> {
    pub fn new(layout: Layout<'m>) -> Types<'m> {
        Types {
            layout,
            known: FxHashMap::default(),
            structs: Vec::new(),
        }
    }

    /// The plain form of `ty`.
    pub fn get(&mut self, ty: Ty<'m>) -> Type {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let plain = self.convert(ty);
        self.known.insert(ty, plain.clone());
        plain
    }

    /// Size in bytes, padding included; 0 without size.
    pub fn size(&self, ty: Ty<'m>) -> u64 {
        ty.size(self.layout)
    }

    fn convert(&mut self, ty: Ty<'m>) -> Type {
        match ty.kind() {
            LLVMTypeKind::LLVMVoidTypeKind => Type::Void,
            LLVMTypeKind::LLVMIntegerTypeKind => Type::Int(ty.int_bits()),
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => Type::Float(16),
            LLVMTypeKind::LLVMFloatTypeKind => Type::Float(32),
            LLVMTypeKind::LLVMDoubleTypeKind => Type::Float(64),
            LLVMTypeKind::LLVMX86_FP80TypeKind => Type::Float(80),
            LLVMTypeKind::LLVMFP128TypeKind | LLVMTypeKind::LLVMPPC_FP128TypeKind => Type::Float(128),
            LLVMTypeKind::LLVMPointerTypeKind => Type::Ptr,
            LLVMTypeKind::LLVMArrayTypeKind => {
                let (elem, len) = ty.array();
                Type::Array(Box::new(self.get(elem)), len)
            }
            LLVMTypeKind::LLVMStructTypeKind => self.structure(ty),
            _ => Type::Other(self.size(ty)),
        }
    }

    fn structure(&mut self, ty: Ty<'m>) -> Type {
        let field_types = ty.fields();
        let fields: Vec<Type> = field_types.iter().map(|&field| self.get(field)).collect();
        let offsets = (0..fields.len() as u32)
            .map(|i| ty.field_offset(self.layout, i))
            .collect();
        let id = StructId(self.structs.len() as u32);
        self.structs.push(Struct {
            name: ty.struct_name(),
            field_names: vec![String::new(); fields.len()],
            field_types: vec![SourceType::Unknown; fields.len()],
            fields,
            offsets,
            size: self.size(ty),
        });
        Type::Struct(id)
    }
}
