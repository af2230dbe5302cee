//! What a variable was set to, as text: `n > 0` for `positive` after `const int positive = n > 0;`.

use crate::analysis::conditions::reader::ConditionReader;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::version::Version;
use crate::syntax::{StmtId, StmtKind};

impl<'a> ConditionReader<'a> {
    /// The statement that gave a local variable this value, and the text of the value.
    pub(super) fn definition(&self, slot: SlotId, version: Version) -> Option<(StmtId, &'a str)> {
        let model = self.model;
        let (SlotKind::Local(variable), Version::Def(store)) = (&model.values.slots.get(slot).kind, version) else {
            return None;
        };
        let variable = &model.function().variables[variable.0 as usize];
        let stmt = model.fine.stmt_of(model.attachment.node_of[store.0 as usize]?)?;
        let span = model.tree.stmt(stmt).span;
        let after = match &model.tree.stmt(stmt).kind {
            StmtKind::Decl { names } => match names.as_slice() {
                [only] if only.name == variable.name => only.span.end,
                _ => return None,
            },
            StmtKind::Expr => {
                let written = self.model.text.get(span.start..span.end)?;
                written
                    .starts_with(variable.name.as_bytes())
                    .then_some(span.start + variable.name.len())?
            }
            _ => return None,
        };
        let rest = std::str::from_utf8(self.model.text.get(after..span.end)?).ok()?;
        let value = rest.trim_start().strip_prefix('=').filter(|v| !v.starts_with('='))?;
        Some((stmt, value.trim_end().strip_suffix(';')?.trim()))
    }
}
