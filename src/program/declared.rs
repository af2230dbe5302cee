//! What the text of a file declares at file scope, its headers included.
//!
//! LLVM only has the variables that a file uses. What it could name in a directive is more: each `extern` of a header.

use super::ir::{Declarations, Global, Module, Operand, SourceType, Unseen};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Module {
    /// Notes what the file of a module that was not linked declares.
    pub fn declare(&mut self, declared: Declarations) {
        let on_device = declared.names.iter().filter(|d| d.on_device);
        let on_device: FxHashSet<&str> = on_device.map(|d| d.name.as_str()).collect();
        for global in &mut self.globals {
            // A variable inside of a function goes with the function.
            let name = global.in_function.as_ref().unwrap_or(&global.name);
            global.on_device |= on_device.contains(name.as_str());
        }
        self.mark_unseen(&declared.unseen);
        for function in self.functions.iter_mut().map(Arc::make_mut) {
            let directives = declared.directives.iter().find(|(name, ..)| *name == function.name);
            if let Some((_, n, enters)) = directives.filter(|_| !function.declaration) {
                (function.directives, function.enters_data) = (*n, *enters);
            }
            let threads = declared.threads.iter().find(|(name, ..)| *name == function.name);
            if let Some((_, n, tasks)) = threads.filter(|_| !function.declaration) {
                (function.host_directives, function.makes_tasks) = (*n, *tasks);
            }
            function.header_mentions_target |= function.in_header && function.directives > 0;
        }
        self.declared = declared;
    }

    /// Takes variables of these names for any memory: a linker makes them of others, which may then be any of these.
    pub fn mistrust_globals(&mut self, names: &[String]) {
        let doubtful = |g: &Global| g.in_function.is_none() && names.contains(&g.name);
        let doubtful: Vec<bool> = self.globals.iter().map(doubtful).collect();
        if !doubtful.contains(&true) {
            return;
        }
        let is_doubtful = |o: &Operand| matches!(o, Operand::Global(g) if doubtful[g.0 as usize]);
        let mut forget = |operand: &mut Operand| {
            let through = matches!(operand, Operand::ConstGep { base, .. } if is_doubtful(base));
            if through || is_doubtful(operand) {
                *operand = Operand::OtherConst;
            }
        };
        for inst in self.functions.iter_mut().flat_map(|f| &mut Arc::make_mut(f).insts) {
            inst.op.visit_mut(&mut forget, &mut |_| ());
        }
        for global in &mut self.globals {
            global.in_section = true;
            global.init_pointers.iter_mut().for_each(|(_, value)| forget(value));
        }
    }

    /// Notes which functions may do what their instructions do not show.
    pub fn mark_unseen(&mut self, unseen: &[(String, Unseen)]) {
        for function in &mut self.functions {
            let is_it = |name: &str| name == function.name || (name == Declarations::ALL && !function.declaration);
            let found = unseen.iter().find(|(name, _)| is_it(name));
            if let Some((_, why)) = found {
                Arc::make_mut(function).unseen.get_or_insert_with(|| why.clone());
            }
        }
    }
}

impl SourceType {
    /// The record that something of this type is, or consists of, or points to: its name, and whether its members are known.
    pub fn record(&self) -> Option<(&str, bool)> {
        match self {
            SourceType::Record { name, bytes } => Some((name, *bytes > 0)),
            SourceType::Pointer { to: inner, .. } | SourceType::Array { elem: inner, .. } => inner.record(),
            _ => None,
        }
    }
}
