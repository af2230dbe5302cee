//! Names as the text of a function means them at a place: which variable, which value, which array.

use crate::analysis::cexpr::{Macros, NameResolver};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::casts::IntType;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::Base;
use crate::analysis::values::version::Version;
use crate::program::graph::{NodeId, Place};
use crate::program::ir::{GlobalId, Op, SourceType, VarId};
use crate::symbolic::Expr;
use crate::syntax::StmtId;

/// Names visible at a statement, with their values just before it.
pub struct NameScope<'a> {
    model: &'a FunctionModel<'a>,
    macros: &'a Macros,
    at: StmtId,
    node: NodeId,
}

impl<'a> NameScope<'a> {
    /// The scope just before `at`.
    pub fn before(model: &'a FunctionModel<'a>, macros: &'a Macros, at: StmtId) -> Option<NameScope<'a>> {
        let node = model.fine.gap(Place::Before(at))?;
        Some(NameScope {
            model,
            macros,
            at,
            node,
        })
    }

    /// The scope at a gap of the fine graph, `at` being the statement whose visible declarations count.
    pub fn gap(model: &'a FunctionModel<'a>, macros: &'a Macros, node: NodeId, at: StmtId) -> NameScope<'a> {
        NameScope {
            model,
            macros,
            at,
            node,
        }
    }

    /// The slot that a path such as `a`, `s.x` or `s->x` names here.
    pub fn slot(&self, path: &str) -> Option<SlotId> {
        let split = path.find(['.', '-', '[']).unwrap_or(path.len());
        let root = &path[..split];
        let local = self.model.visible_variable(self.at, root);
        let global = self.global(root);
        if local.is_none()
            && global.is_none()
            && let Some(number) = self.number(root)
        {
            return Some(number).filter(|_| root == path);
        }
        self.model
            .values
            .slots
            .named(path)
            .find(|s| root_is(self.model, *s, local, global) && !self.model.values.versions.is_lost(self.node, *s))
    }

    /// The constant that stands for a macro of which nothing is known.
    fn number(&self, name: &str) -> Option<SlotId> {
        let slots = &self.model.values.slots;
        slots.ids().find(|s| match slots.get(*s).kind {
            SlotKind::Global(g) => self.model.module.global(g).number_name() == Some(name),
            _ => false,
        })
    }

    /// What a slot holds here.
    pub fn version(&self, slot: SlotId) -> Version {
        self.model.values.versions.before(self.node, slot)
    }

    /// The statement whose visible declarations count.
    pub fn stmt(&self) -> StmtId {
        self.at
    }

    /// The base that a path names here: an array's storage, or where a pointer points.
    pub fn base(&self, path: &str) -> Option<(Base, Expr)> {
        let zero = Expr::constant(0);
        if !path.contains(['.', '-']) {
            if let Some(v) = self.model.visible_variable(self.at, path) {
                let variable = &self.model.function().variables[v.0 as usize];
                if matches!(variable.source_type, SourceType::Array { .. }) || variable.vla {
                    // An array parameter is a pointer in truth.
                    let pointer = variable.alloca.is_some_and(|a| {
                        matches!(
                            &self.model.function().inst(a).op,
                            Op::Alloca {
                                ty: crate::program::ir::Type::Ptr,
                                count: None
                            }
                        )
                    });
                    if !pointer {
                        return Some((Base::Local(v), zero));
                    }
                }
            } else if let Some(g) = self.global_array(path) {
                return Some((Base::Global(g), zero));
            }
        }
        let slot = self.slot(path)?;
        let v = self
            .model
            .values
            .slot_ptr(slot, self.model.values.versions.before(self.node, slot));
        Some((v.base, v.offset))
    }

    /// The storage of a variable.
    pub fn storage(&self, name: &str) -> Option<Base> {
        let local = self.model.visible_variable(self.at, name).map(Base::Local);
        local.or_else(|| self.global(name).map(Base::Global))
    }

    /// The type that a variable or a member is declared with.
    pub fn declared_type(&self, slot: SlotId) -> Option<&SourceType> {
        self.model.values.declared_type(slot)
    }

    /// What a number is in a type that is written in the text.
    pub fn exact_cast(&self, number: Expr, to: &str) -> Option<Expr> {
        self.model.values.exact_cast_in_text(number, to)
    }

    /// The number that a variable holds here.
    pub fn exact(&self, slot: SlotId) -> Expr {
        let values = self.model.values;
        values.exact_in(slot, values.versions.before(self.node, slot))
    }

    /// The declared type of what a path names here; `None` for members, whose types are not at hand.
    pub fn declared(&self, path: &str) -> Option<&'a SourceType> {
        if path.contains(['.', '-']) {
            return None;
        }
        let model = self.model;
        if let Some(v) = model.visible_variable(self.at, path) {
            return Some(&model.function().variables[v.0 as usize].source_type);
        }
        model.module.global(self.global(path)?).source_type.as_ref()
    }

    /// The type that decides what an index of a path steps over: that of a variable, or of a member that is a pointer
    /// (`double (*r)[3];` has `s->r[i]` step over rows).
    pub fn indexed(&self, path: &str) -> Option<&'a SourceType> {
        if !path.contains(['.', '-']) {
            return self.declared(path);
        }
        let ty = self.model.values.declared_type(self.slot(path)?)?;
        matches!(ty, SourceType::Pointer { .. }).then_some(ty)
    }

    /// The function whose text it is.
    pub fn model(&self) -> &'a FunctionModel<'a> {
        self.model
    }

    /// The macros of its file.
    pub fn macros(&self) -> &'a Macros {
        self.macros
    }

    /// The global or static variable that a name means here.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.model.visible_global(self.at, name)
    }

    fn global_array(&self, name: &str) -> Option<GlobalId> {
        let found = self.global(name)?;
        matches!(
            self.model.module.global(found).source_type,
            Some(SourceType::Array { .. })
        )
        .then_some(found)
    }
}

impl NameResolver for NameScope<'_> {
    fn value(&self, path: &str) -> Option<Expr> {
        let slot = self.slot(path)?;
        Some(
            self.model
                .values
                .slot_int(slot, self.model.values.versions.before(self.node, slot)),
        )
    }
    fn type_of(&self, path: &str) -> Option<IntType> {
        IntType::of(self.declared_type(self.slot(path)?)?)
    }
    fn macro_body(&self, name: &str) -> Option<String> {
        let body = self.macros.get(name)?;
        // A variable of that name hides an enumerator; a macro leaves no such variable.
        let hidden = crate::syntax::declaration_in_scope(self.model.tree, self.at, name).is_some();
        (!hidden).then(|| body.clone())
    }
    fn divides(&self, left: &Expr, right: &Expr, unsigned: bool) -> bool {
        self.model.values.divides(left, right, unsigned)
    }
    fn cast(&self, value: Expr, to: &str) -> Option<Expr> {
        self.model.values.cast_in_text(value, to)
    }
    fn size_of(&self, text: &str) -> Option<i128> {
        Some(match text {
            "char" | "signed char" | "unsigned char" | "int8_t" | "uint8_t" => 1,
            "short" | "unsigned short" | "int16_t" | "uint16_t" => 2,
            "int" | "unsigned" | "unsigned int" | "float" | "int32_t" | "uint32_t" => 4,
            "long" | "unsigned long" | "long long" | "unsigned long long" | "double" | "size_t" | "int64_t"
            | "uint64_t" => 8,
            _ => return None,
        })
    }
}

/// Whether a slot's outermost variable is one of these.
fn root_is(model: &FunctionModel<'_>, slot: SlotId, local: Option<VarId>, global: Option<GlobalId>) -> bool {
    match &model.values.slots.get(slot).kind {
        SlotKind::Local(v) | SlotKind::LocalField(v, _) => Some(*v) == local,
        SlotKind::Global(g) | SlotKind::GlobalField(g, _) => local.is_none() && Some(*g) == global,
        SlotKind::Behind(outer, _) => root_is(model, *outer, local, global),
    }
}
