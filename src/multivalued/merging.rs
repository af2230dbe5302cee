//! What cells hold where ways meet.
//!
//! ```c
//! if (odd)            /* 0 */
//!     n = 1;          /* 1 */
//! use(n);             /* 2: n is Choice(odd, 1, what it was); if `odd` differs, so does n */
//! ```
//!
//! Where a branch differs, those that come one way have passed other stores than those that come the other way: all that is written on
//! the ways from the branch to where they meet differs there, unless it is one value whichever way they came. Of a loop that some leave
//! earlier than others all that is written in it differs behind it.
//!
//! ```c
//! if (rank == 0) {
//!     n = atoi(argv[1]);              /* what the root has read …                                       */
//!     sent[0] = n;
//! }
//! MPI_Bcast(sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
//! if (rank != 0)
//!     n = sent[0];                    /* … and all others have from it: taken for the same              */
//! ```
//!
//! What all but the root take from what it has sent is what the root has had before, as far as is known.

use super::causes::{CauseId, CauseKind};
use super::cells::TrackedCell;
use super::interpretation::{FunctionFrame, Interpreter, Left};
use super::keys::{GivenPart, Key, KeyId, Operator};
use super::memory::{HeldValue, Memory, joined};
use crate::program::ir::{BinOp, BlockId, InstId, Op};
use crate::program::objects::Site;
use std::collections::BTreeSet;

/// The two ways from a branch to where they meet.
pub(super) struct Gate {
    /// The branch.
    pub branch: usize,
    /// The last block on the way where the condition holds.
    pub then: usize,
    /// The last block on the other way.
    pub other: usize,
}

/// The memory where ways from some blocks meet: at a block, or at the end of the function.
pub(super) fn meet_memory(
    own: &mut Interpreter<'_>,
    frame: &FunctionFrame<'_>,
    before: &[usize],
    at: Option<usize>,
) -> Memory {
    let controls = controls(frame, at);
    let mut ways = before
        .iter()
        .filter_map(|way| frame.left[*way].as_ref().map(|left| &left.memory));
    let mut memory = ways.next().cloned().unwrap_or_default();
    // What all ways bring alike stays as it is.
    let mut cells: BTreeSet<TrackedCell> = BTreeSet::new();
    ways.for_each(|other| cells.extend(memory.unlike(other)));
    for control in controls.iter().filter(|control| control.repeats) {
        cells.extend(control.written(frame));
    }
    let changing = changing(own, frame, at);
    cells.extend(&changing);
    let supposed = supposed(frame, at, &changing);
    own.spend(frame.func, cells.len() * (1 + before.len()));
    let gate = at
        .filter(|_| !cells.is_empty())
        .and_then(|block| gate(frame, block, before));
    for cell in cells {
        let mut contents = Vec::with_capacity(before.len());
        for way in before {
            contents.extend(frame.left[*way].as_ref().map(|left| left.memory.read(cell, own.keys)));
        }
        let meeting = CellMeeting {
            before,
            contents: &contents,
            gate: gate.as_ref(),
            at,
            cell,
        };
        let key = if changing.contains(&cell) {
            own.keys.of(merged(frame, &meeting))
        } else if let Some(start) = supposed.contains(&cell).then(|| kept(own, frame, &meeting)).flatten() {
            start
        } else {
            meet_keys(own, frame, &meeting)
        };
        let mut differs = contents
            .iter()
            .fold(None, |known, content| joined(known, content.differs));
        let one = contents.windows(2).all(|two| two[0].key == two[1].key);
        for control in &controls {
            if differs.is_none()
                && (control.repeats || !one)
                && control.writes(frame, cell)
                && (control.repeats || !control.gives_what_was_sent(own, frame, &contents))
            {
                differs = Some(control.cause(own, frame, &contents));
            }
        }
        memory.set(cell, own.content(key, differs));
    }
    memory
}

/// A branch that differs. Where it is on no way from it, what its ways bring alike stays as it is.
struct Control {
    branch: usize,
    /// The branch is on the ways from it: a loop that some leave earlier.
    repeats: bool,
}

impl Control {
    /// What is written before the ways from the branch meet.
    fn written<'f>(&self, frame: &'f FunctionFrame<'_>) -> impl Iterator<Item = TrackedCell> + use<'f> {
        self.lefts(frame).flat_map(|left| left.written.iter().copied())
    }

    fn writes(&self, frame: &FunctionFrame<'_>, cell: TrackedCell) -> bool {
        self.lefts(frame).any(|left| left.written.contains(&cell))
    }

    /// The blocks on the ways from the branch.
    fn lefts<'f>(&self, frame: &'f FunctionFrame<'_>) -> impl Iterator<Item = &'f Left> + use<'f> {
        let region = &frame.flow.regions[self.branch];
        region.iter().filter_map(|b| frame.left[*b].as_ref())
    }

    /// Whether, by who it is, some take what the root of a collective has sent, and the others keep what they have.
    fn gives_what_was_sent(&self, own: &Interpreter<'_>, frame: &FunctionFrame<'_>, contents: &[HeldValue]) -> bool {
        let condition = frame.left[self.branch].as_ref().and_then(|left| left.branch);
        let is_number = |part: &KeyId| matches!(own.keys.get(*part), Key::Operation(Operator::OwnNumber, _));
        if !condition.is_some_and(|condition| own.keys.parts(condition.key).iter().any(is_number)) {
            return false;
        }
        let is_sent = |part: &KeyId| match own.keys.get(*part) {
            Key::Given(site, _) => {
                let role = own.of.around.role_of(*site);
                role.is_some_and(|role| role.root.is_some() && !role.equal.is_empty())
            }
            _ => false,
        };
        let sent = |content: &&HeldValue| own.keys.parts(content.key).iter().any(is_sent);
        let taken = contents.iter().filter(sent).count();
        taken > 0 && taken < contents.len()
    }

    /// Why what is held differs where ways from the branch meet: `contents`, by the ways.
    fn cause(&self, own: &mut Interpreter<'_>, frame: &FunctionFrame<'_>, contents: &[HeldValue]) -> CauseId {
        let perhaps = |content: &HeldValue| matches!(own.keys.get(content.key), Key::Given(_, GivenPart::OneOfSeveral));
        let kind = match contents.iter().any(perhaps) {
            true => CauseKind::OneOfVariables,
            false => CauseKind::Control,
        };
        let branch = frame.left[self.branch].as_ref().and_then(|left| left.branch);
        let site = Site {
            func: frame.func,
            inst: InstId(frame.function.blocks[self.branch].end.0.saturating_sub(1)),
        };
        own.causes.of(kind, site, branch.and_then(|b| b.differs))
    }
}

/// The branches that differ and whose ways meet at a block, or at the end of the function.
fn controls(frame: &FunctionFrame<'_>, at: Option<usize>) -> Vec<Control> {
    let flow = frame.flow;
    let differing = flow.parting(at).iter().copied().filter(|b| {
        let branch = frame.left[*b].as_ref().and_then(|left| left.branch);
        branch.is_some_and(|condition| condition.differs.is_some())
    });
    let control = |branch: usize| Control {
        branch,
        repeats: flow.regions[branch].contains(&branch),
    };
    differing.map(control).collect()
}

/// The branch whose two ways meet at a block, if nothing else comes there.
pub(super) fn gate(frame: &FunctionFrame<'_>, block: usize, before: &[usize]) -> Option<Gate> {
    let &[one, two] = before else { return None };
    let flow = frame.flow;
    let branches = flow.parting(Some(block)).iter().copied();
    let mut deciding = branches.filter(|b| flow.succs[*b].len() == 2 && !flow.regions[*b].contains(b));
    let decides = |b: &usize| {
        let passes = |way: usize| way == *b || flow.regions[*b].contains(&way);
        passes(one) && passes(two)
    };
    let branch = deciding.rfind(decides)?;
    let last = InstId(frame.function.blocks[branch].end.0.saturating_sub(1));
    if !matches!(frame.function.inst(last).op, Op::CondBr { .. }) {
        return None;
    }
    let on_true = on_way(frame, branch, flow.succs[branch][0], block);
    let on_false = on_way(frame, branch, flow.succs[branch][1], block);
    let comes = |way: usize, side: &BTreeSet<usize>, first: usize| match way == branch {
        true => first == block,
        false => side.contains(&way),
    };
    let (then_first, other_first) = (flow.succs[branch][0], flow.succs[branch][1]);
    for (then, other) in [(one, two), (two, one)] {
        let fits = comes(then, &on_true, then_first) && comes(other, &on_false, other_first);
        let apart = !comes(then, &on_false, other_first) || then == branch;
        let also = !comes(other, &on_true, then_first) || other == branch;
        if fits && apart && also {
            return Some(Gate { branch, then, other });
        }
    }
    None
}

/// The blocks that control may come to from one, before it comes to the meeting.
fn on_way(frame: &FunctionFrame<'_>, branch: usize, from: usize, meeting: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        if at != meeting && frame.flow.regions[branch].contains(&at) && found.insert(at) {
            next.extend(frame.flow.succs[at].iter().copied());
        }
    }
    found
}

/// A cell where ways meet.
struct CellMeeting<'m> {
    before: &'m [usize],
    contents: &'m [HeldValue],
    gate: Option<&'m Gate>,
    at: Option<usize>,
    cell: TrackedCell,
}

/// The key of what a cell holds where ways meet.
fn meet_keys(own: &mut Interpreter<'_>, frame: &FunctionFrame<'_>, meeting: &CellMeeting<'_>) -> KeyId {
    let contents = meeting.contents;
    let Some(first) = contents.first() else {
        return own.keys.of(Key::Initial(meeting.cell));
    };
    if contents.iter().all(|content| content.key == first.key) {
        return first.key;
    }
    if let Some(gate) = meeting.gate {
        let way = |block: usize| meeting.before.iter().position(|b| *b == block);
        let condition = frame.left[gate.branch].as_ref().and_then(|left| left.branch);
        if let (Some(condition), Some(then), Some(other)) = (condition, way(gate.then), way(gate.other)) {
            return own.keys.choice(condition.key, contents[then].key, contents[other].key);
        }
    }
    let merged = own.keys.of(merged(frame, meeting));
    if let Some(at) = meeting.at {
        own.changing.entry((frame.func, at)).or_default().insert(meeting.cell);
    }
    induction(own, frame, meeting, merged).unwrap_or(merged)
}

/// What a cell holds of which ways that meet bring several values.
fn merged(frame: &FunctionFrame<'_>, meeting: &CellMeeting<'_>) -> Key {
    let block = BlockId(meeting.at.map_or(u32::MAX, |b| b as u32));
    Key::Merged(frame.func, block, meeting.cell)
}

/// The cells that were supposed to change in a loop, where nobody had come back to it: once somebody has, it is known. Those that are
/// supposed to now are noted.
fn supposed(frame: &FunctionFrame<'_>, at: Option<usize>, now: &BTreeSet<TrackedCell>) -> BTreeSet<TrackedCell> {
    let Some(block) = at else { return BTreeSet::new() };
    let mut supposed = frame.supposed.borrow_mut();
    match now.is_empty() {
        true => supposed.remove(&block).unwrap_or_default(),
        false => {
            supposed.insert(block, now.clone());
            BTreeSet::new()
        }
    }
}

/// The value with which a cell comes into a loop that does not change it.
fn kept(own: &mut Interpreter<'_>, frame: &FunctionFrame<'_>, meeting: &CellMeeting<'_>) -> Option<KeyId> {
    let at = meeting.at?;
    let merged = own.keys.of(merged(frame, meeting));
    let mut start = None;
    for (way, content) in meeting.before.iter().zip(meeting.contents) {
        let back = frame.flow.place[*way] >= frame.flow.place[at];
        if back != (content.key == merged) || !back && start.is_some_and(|known| known != content.key) {
            return None;
        }
        start = start.or(Some(content.key).filter(|_| !back));
    }
    start
}

/// The cells that a loop changes that begins at a block, as far as that was seen, while nobody has come back to it: what they hold is taken for
/// unknown from the first time on, so that what is called within is not looked at once with what they hold in the beginning, and once more
/// with what they hold later.
fn changing(own: &Interpreter<'_>, frame: &FunctionFrame<'_>, at: Option<usize>) -> BTreeSet<TrackedCell> {
    let known = at.and_then(|block| Some((block, own.changing.get(&(frame.func, block))?)));
    let Some((block, known)) = known else {
        return BTreeSet::new();
    };
    let flow = frame.flow;
    let waits = |before: &usize| flow.place[*before] >= flow.place[block] && frame.left[*before].is_none();
    match flow.preds[block].iter().any(waits) {
        true => known.clone(),
        false => BTreeSet::new(),
    }
}

/// The key of what counts a loop: one value comes in, and each way back has added a number to what was there.
fn induction(
    own: &mut Interpreter<'_>,
    frame: &FunctionFrame<'_>,
    meeting: &CellMeeting<'_>,
    merged: KeyId,
) -> Option<KeyId> {
    let at = meeting.at?;
    let back = |way: &usize| frame.flow.place[*way] >= frame.flow.place[at];
    let pairs = meeting.before.iter().zip(meeting.contents);
    let (mut start, mut step) = (None, None);
    for (way, content) in pairs {
        if !back(way) {
            if start.is_some_and(|known| known != content.key) {
                return None;
            }
            start = Some(content.key);
            continue;
        }
        let Key::Operation(Operator::Binary(operator), operands) = own.keys.get(content.key).clone() else {
            return None;
        };
        let &[counter, added] = operands.as_slice() else {
            return None;
        };
        if operator != BinOp::Add as u32 || !own.keys.stays(added) || step.is_some_and(|known| known != added) {
            return None;
        }
        let counts = counter == merged
            || matches!(own.keys.get(counter), Key::Induction { start: s, step } if Some(*s) == start && *step == added);
        if !counts {
            return None;
        }
        step = Some(added);
    }
    let (start, step) = (start?, step?);
    Some(own.keys.of(Key::Induction { start, step }))
}
