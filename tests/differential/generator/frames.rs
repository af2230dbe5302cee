//! What encloses a statement, and which statements may take effect there.
//!
//! The printer and the simulator both ask here, so a jump that has lost its loop to the shrinker, or that would leave a
//! data region, disappears from the text and from the simulated run alike.

use super::ast::*;

/// One enclosing construct, innermost last in a slice of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Loop(LoopId),
    Switch,
    Region { unstructured: bool },
}

/// Whether a jump has somewhere to go without leaving a data region.
pub fn lands(frames: &[Frame], kind: Jump) -> bool {
    if kind == Jump::Exit {
        return !in_region(frames);
    }
    for frame in frames.iter().rev() {
        match (frame, kind) {
            (Frame::Region { .. }, _) => return false,
            (Frame::Loop(_), Jump::Break | Jump::Continue) | (Frame::Switch, Jump::Break) => return true,
            (Frame::Loop(id), Jump::Out(target)) if *id == target => return true,
            _ => {}
        }
    }
    false
}

/// Whether some enclosing construct is a data region.
pub fn in_region(frames: &[Frame]) -> bool {
    frames.iter().any(|f| matches!(f, Frame::Region { .. }))
}

/// Whether the counter of this loop is in scope.
pub fn counts(frames: &[Frame], id: LoopId) -> bool {
    frames.contains(&Frame::Loop(id))
}

/// Whether the name is there from the top of the body to its end.
pub fn lasts(program: &Program, name: NameId) -> bool {
    match program.names[name].kind {
        NameKind::Alias {
            place: AliasPlace::Middle,
            ..
        }
        | NameKind::Chosen { .. } => false,
        NameKind::Alias { of, .. } => lasts(program, of),
        _ => true,
    }
}

/// Whether two pointers may be swapped here. Members are attached to their device copies while a region holds them, and
/// `exit data` looks its pointers up again, so neither survives a swap.
pub fn may_swap(program: &Program, frames: &[Frame], a: NameId) -> bool {
    let member = program.names[a].kind == NameKind::Member;
    !(member && in_region(frames) || frames.contains(&Frame::Region { unstructured: true }))
}

/// Whether an array may be freed or moved here: not while a data region may hold it, and not when the caller owns it.
pub fn may_free(program: &Program, frames: &[Frame], name: NameId) -> bool {
    let n = &program.names[name];
    let ours = match n.kind {
        NameKind::Heap { .. } => program.layout != Layout::Function,
        NameKind::GlobalHeap => true,
        _ => false,
    };
    // A cursor that points to the array would dangle, and so would a parameter that does.
    let pointed_at = program.names.iter().any(|c| match c.kind {
        NameKind::Cursor { of } => of == name,
        NameKind::Pick { of, other } => of == name || other == name,
        NameKind::Chosen { .. } => c.class & n.class != 0,
        NameKind::Alias {
            of,
            place: AliasPlace::Param,
            ..
        } => of == name && program.layout == Layout::Function,
        _ => false,
    });
    let stays = program.carved(name) || n.elem == Elem::Char;
    ours && !stays && n.partner.is_none() && !pointed_at && !in_region(frames)
}
