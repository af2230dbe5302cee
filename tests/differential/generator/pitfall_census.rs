//! Which traps are in a program: a profile of traps that does not set them proves nothing.

use super::ast::*;
use super::{Case, Tree};
use super::{choices, facts};
use crate::{hosts, numbers, rows};
use std::collections::BTreeSet;

/// What programs with mappings by hand have.
const BY_HAND: &[&str] = &[
    "region that copies both ways",
    "region that copies out",
    "region that copies by updates",
    "region around one kernel",
    "pointer that a kernel has no clause for",
    "update of all of an array",
    "update of what is touched",
];

/// The traps that the cases of each hostile profile must set, now and then.
pub const PITFALLS: &[(&str, &[&str])] = &[
    (
        "unsigned",
        &[
            "unsigned index",
            "narrow index",
            "ring",
            "unsigned index in a kernel",
            "loop that converts",
        ],
    ),
    (
        "idle",
        &[
            "loop with kernels that never runs",
            "range of nothing",
            "kernel without iterations",
        ],
    ),
    (
        "optional",
        &[
            "array that is not there",
            "array of one element",
            "NULL for a function",
            "NULL that a number tells of",
        ],
    ),
    (
        "guards",
        &[
            "guarded pointer",
            "guarded division",
            "guarded remainder",
            "guard in a function",
        ],
    ),
    ("records", &["member written by a helper", "member written by a kernel"]),
    ("texts", &["strtok", "strtok_r", "strsep"]),
    ("signals", &["signal"]),
    ("threads", &["other thread"]),
    (
        "structures",
        &[
            "structure in a kernel",
            "structure in two kernels of a statement",
            "structure in a kernel of a condition",
            "structure in a kernel of a loop's head",
        ],
    ),
    (
        "callbacks",
        &[
            "called back",
            "kernel called back",
            "called back by unknown code",
            "kernel called back by unknown code",
        ],
    ),
    (
        "surveys",
        &[
            "array mapped and not used",
            "array mapped by its own name and not used",
            "array mapped as bytes and not used",
            "array mapped and not used in a condition",
        ],
    ),
    ("copies", &["array passed to a kernel", "private array"]),
    ("hides", &["names that blocks may hide"]),
    ("asks", &["array that the host looks at for a kernel"]),
    ("allocators", &["memory of a pool"]),
    (
        "flags",
        &[
            "macro in a condition",
            "macro in a condition of a function",
            "branch that is left out",
            "branch of a function that is left out",
        ],
    ),
    ("entered", &["way into a loop", "index that wraps around"]),
    (
        "managed",
        &[
            "array that functions enter",
            "pointer that a kernel has no clause for",
            "memory that nobody uses",
        ],
    ),
    ("configurations", &["other extents", "other trips"]),
    ("emptied", &["part without elements", "other extents"]),
    (
        "borders",
        &[
            "border that other builds have",
            "border that other builds have beside a kernel",
            "other extents",
        ],
    ),
    ("marks", &["other marks"]),
    ("hand", BY_HAND),
    ("hand-bold", BY_HAND),
    ("hand-short", BY_HAND),
    ("chosen", choices::TRAPS),
    ("chosen-files", choices::TRAPS),
    (
        "devices",
        &[
            "number of a device",
            "macro for a device",
            "constant for a device",
            "variable for a device",
            "parameter for a device",
            "region that copies both ways",
        ],
    ),
    (
        "devices-apart",
        &["several devices", "device that some directives name"],
    ),
    ("numbers", NUMBERS),
    ("rows", rows::TRAPS),
    ("host-loops", hosts::LOOPS),
    ("swapped", hosts::SWAPS),
    ("addresses", hosts::ADDRESSES),
    ("unsigned-ends", hosts::ENDS),
    ("unsigned-exits", hosts::EXITS),
    ("loops-numbers", PLAIN_NUMBERS),
];

const NUMBERS: &[&str] = &[
    "subscript that wraps around",
    "counter that wraps around",
    "end that wraps around",
    "test that chooses",
    "number of a clause that is not what it looks like",
    "loop that runs in one call",
];
const PLAIN_NUMBERS: &[&str] = &[
    "subscript that wraps around",
    "counter that wraps around",
    "end that wraps around",
    "test that chooses",
    "loop that runs in one call",
];

/// The traps that `case` sets.
pub fn pitfalls(case: &Case) -> BTreeSet<&'static str> {
    let mut out: BTreeSet<&'static str> = BTreeSet::new();
    if let Tree::Numbers(program) = &case.tree {
        out.extend(numbers::traps(program));
    }
    if let Tree::Rows(program) = &case.tree {
        out.extend(rows::traps(program));
    }
    if let Tree::Hosts(program) = &case.tree {
        out.extend(hosts::census(program));
    }
    let Some(program) = case.program() else {
        return out;
    };
    if program.hides {
        out.insert("names that blocks may hide");
    }
    out.extend(of_devices(program));
    if program.slack > 0 {
        out.insert("memory that nobody uses");
    }
    for (name, n) in program.names.iter().enumerate().filter(|(_, n)| n.live) {
        if let NameKind::Optional { single, .. } = n.kind
            && !program.exists(name)
        {
            out.insert(if single {
                "array of one element"
            } else {
                "array that is not there"
            });
        }
        if program.carved(name) {
            out.insert("memory of a pool");
        }
    }
    for (name, _) in case.configurations.iter().flatten() {
        out.insert(match name.split('_').next() {
            Some("TRIPS") => "other trips",
            Some("MARK") => "other marks",
            _ => "other extents",
        });
    }
    for (f, function) in program.functions.iter().enumerate() {
        visit(&function.body, &mut |s| out.extend(of_cond(program, s, f != 0)));
        visit(&function.body, &mut |s| match s {
            Stmt::Host(op) => out.extend(of_op(program, op, f != 0)),
            Stmt::Kernel(k) => out.extend(of_kernel(program, k)),
            Stmt::Region {
                form,
                maps,
                cover,
                body,
            } => {
                out.extend(of_region(program, *form, cover, body));
                out.extend(of_maps(*maps, body));
            }
            Stmt::Sync { updates, .. } => out.extend(match updates {
                Updates::Touched => None,
                Updates::Whole(_) => Some("update of all of an array"),
                Updates::Narrow(_) => Some("update of what is touched"),
            }),
            Stmt::Choose { choice, body } => out.extend(choices::traps(choice, body)),
            Stmt::Loop(l) => {
                let mut kernels = false;
                visit(&l.body, &mut |s| kernels |= matches!(s, Stmt::Kernel(_)));
                out.extend(of_loop(program, l).filter(|_| kernels));
                if kernels && matches!(l.trip, Trip::Edge(e) if program.edge(&e) <= 0) {
                    out.insert("loop with kernels that never runs");
                }
            }
            Stmt::Call(c) => {
                let absent = c.args.first().is_some_and(|(n, _)| !program.exists(*n));
                if program.functions[c.function].nullable && absent {
                    out.insert("NULL for a function");
                    let shown = c.args.first().is_some_and(|(n, _)| program.shows_absence(*n));
                    if program.is_told(c.function) && shown {
                        out.insert("NULL that a number tells of");
                    }
                }
            }
            _ => {}
        });
    }
    out
}

fn of_cond(program: &Program, s: &Stmt, helper: bool) -> Option<&'static str> {
    let Some(Cond::Flag(flag, asked)) = s.cond() else {
        return None;
    };
    let written = matches!(s, Stmt::If { then, other, .. }
        if program.flags[*flag] && !other.is_empty() || !program.flags[*flag] && !then.is_empty());
    match (asked, helper) {
        (Asked::Directive, true) if written => Some("branch of a function that is left out"),
        (Asked::Directive, false) if written => Some("branch that is left out"),
        (Asked::Directive, _) => None,
        (_, true) => Some("macro in a condition of a function"),
        (_, false) => Some("macro in a condition"),
    }
}

fn of_loop(program: &Program, l: &Loop) -> Option<&'static str> {
    match l.kind {
        LoopKind::Entered(passed, r) if passed > 0 && program.runtimes[r] % 2 == 1 => Some("way into a loop"),
        LoopKind::Wrapping(_) => Some("index that wraps around"),
        LoopKind::Converted(..) => Some("loop that converts"),
        _ => None,
    }
}

fn of_region(program: &Program, form: RegionForm, cover: &[NameId], body: &[Stmt]) -> Vec<&'static str> {
    let mut out = Vec::new();
    if form == RegionForm::Called && !cover.is_empty() {
        out.push("array that functions enter");
    }
    let relied_on = |name: &NameId| !program.is_array(*name) && program.is_held(*name, cover);
    visit(body, &mut |s| {
        if let Stmt::Kernel(k) = s
            && k.maps == MapStyle::Implicit
            && facts::names_of(k).iter().any(relied_on)
        {
            out.push("pointer that a kernel has no clause for");
        }
    });
    out
}

fn of_maps(maps: RegionMaps, body: &[Stmt]) -> Vec<&'static str> {
    let mut out = Vec::new();
    out.extend(match maps {
        RegionMaps::Fitting => None,
        RegionMaps::Wasteful => Some("region that copies both ways"),
        RegionMaps::Fresh => Some("region that copies out"),
        RegionMaps::Updated => Some("region that copies by updates"),
    });
    if matches!(body, [Stmt::Kernel(_)]) {
        out.push("region around one kernel");
    }
    out
}

fn of_devices(program: &Program) -> Option<&'static str> {
    match program.devices {
        Devices::Default => None,
        Devices::Several => Some("several devices"),
        Devices::Partly => Some("device that some directives name"),
        Devices::One(DeviceForm::Number, _) => Some("number of a device"),
        Devices::One(DeviceForm::Macro, _) => Some("macro for a device"),
        Devices::One(DeviceForm::Constant, _) => Some("constant for a device"),
        Devices::One(DeviceForm::Local, _) => Some("variable for a device"),
        Devices::One(DeviceForm::Parameter, _) => Some("parameter for a device"),
    }
}

fn of_kernel(program: &Program, k: &Kernel) -> Vec<&'static str> {
    let mut out = Vec::new();
    let empty = |b: &Bound| matches!(b, Bound::Edge(e) if program.edge(e) <= 0);
    if k.loops.iter().any(|(_, hi)| empty(hi)) {
        out.push("kernel without iterations");
    }
    if !facts::passed(k).is_empty() {
        out.push("array passed to a kernel");
    }
    if k.copies.scratch.is_some() {
        out.push("private array");
    }
    if k.asks.is_some() {
        out.push("array that the host looks at for a kernel");
    }
    for s in &k.stmts {
        let ring = |t: &Term| matches!(t, Term::Read(_, _, KernelAt::Ring(..)));
        if s.terms.iter().any(ring) {
            out.push("unsigned index in a kernel");
        }
        if matches!(s.target, KernelTarget::Elem(n, _) if program.names[n].elem == Elem::Point) {
            out.push("member written by a kernel");
        }
    }
    out
}

fn of_op(program: &Program, op: &HostOp, helper: bool) -> Vec<&'static str> {
    let mut out = Vec::new();
    match op {
        HostOp::Read { name, select, .. } | HostOp::Write { name, select, .. } => {
            out.extend(of_select(program, select));
            if let (Select::Range(lo, drop), Some(first)) = (select, program.names[*name].dims.first())
                && program.value(first) - drop <= *lo
            {
                out.push("part without elements");
            }
            if let HostOp::Write { name, .. } = op
                && helper
                && program.names[*name].elem == Elem::Point
            {
                out.push("member written by a helper");
            }
        }
        HostOp::Guarded { guard, form, .. } => {
            out.push(match guard {
                Guard::Spot => "guarded pointer",
                Guard::Divisor(_) | Guard::Counter(_) => "guarded division",
                Guard::Remainder(..) => "guarded remainder",
            });
            if matches!(form, Guarded::ReadCall | Guarded::WriteCall) {
                out.push("guard in a function");
            }
        }
        HostOp::FirstToken(_, how, _) => out.push(match how {
            Tokens::Hidden => "strtok",
            Tokens::Saved => "strtok_r",
            Tokens::Separated => "strsep",
        }),
        HostOp::Raise(_) => out.push("signal"),
        HostOp::Meet(_) => out.push("other thread"),
        HostOp::Weigh(_, place) => out.push(match place {
            CallPlace::Alone => "structure in a kernel",
            CallPlace::Twice => "structure in two kernels of a statement",
            CallPlace::Asked => "structure in a kernel of a condition",
            CallPlace::Head => "structure in a kernel of a loop's head",
        }),
        HostOp::Survey(_, by, place) => {
            out.push(match by {
                Surveyed::Global => "array mapped by its own name and not used",
                Surveyed::Parameter => "array mapped and not used",
                Surveyed::Bytes => "array mapped as bytes and not used",
            });
            if matches!(place, CallPlace::Asked | CallPlace::Head) {
                out.push("array mapped and not used in a condition");
            }
        }
        HostOp::Border(_, border) => out.push(match border.kernel {
            true => "border that other builds have beside a kernel",
            false => "border that other builds have",
        }),
        HostOp::CallBack(_, caller) => out.push(match (caller.unknown, caller.kernel) {
            (false, false) => "called back",
            (false, true) => "kernel called back",
            (true, false) => "called back by unknown code",
            (true, true) => "kernel called back by unknown code",
        }),
        _ => {}
    }
    out
}

fn of_select(program: &Program, select: &Select) -> Option<&'static str> {
    let index = |at: &At| match at {
        At::Wrapped(_, Wrapped::Byte(_) | Wrapped::Short(_), _) => Some("narrow index"),
        At::Wrapped(..) => Some("unsigned index"),
        _ => None,
    };
    match select {
        Select::Elem(at) => at.iter().find_map(index),
        Select::Ring(..) => Some("ring"),
        Select::Between(lo, edge) if program.edge(edge) <= *lo => Some("range of nothing"),
        _ => None,
    }
}
