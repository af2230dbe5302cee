//! Which traps are in a program about what the host does.
//!
//! ```text
//! for (t…) { for (i = 1; i < m; i++) p0[i] = t; … total(p0, m) … }      "loop that writes almost all", "read by a call"
//! ```

use super::{Call, Called, Kind, Mapped, Nest, Op, Program, Reading, Stopped, StoppedWork, Writing};
use std::collections::BTreeSet;

/// The traps of [`Kind::Loops`].
pub const LOOPS: &[&str] = &[
    "loop that writes all",
    "loop that writes almost all",
    "loop that ends early",
    "call that writes all",
    "call that may write",
    "read by a call",
    "swap between write and read",
    "other length for a while",
    "write in every other iteration",
];
/// The traps of [`Kind::Swaps`].
pub const SWAPS: &[&str] = &[
    "swap in a region",
    "swap in every other iteration",
    "region that copies both ways",
    "region that copies out",
    "region that copies by updates",
    "update in a region",
];
/// The traps of [`Kind::Addresses`].
pub const ADDRESSES: &[&str] = &[
    "variable set in a function",
    "variable mapped in a function",
    "region in a function",
    "call through another function",
    "variable in a kernel",
    "region around a variable",
    "variable set between calls",
];
/// The traps of [`Kind::Ends`].
pub const ENDS: &[&str] = &[
    "counter with a sign",
    "counter without a sign",
    "nest over rows",
    "loop that leaves elements out",
    "loop through the last element",
    "loop in a function",
    "loop on the host",
];
/// The traps of [`Kind::Exits`].
pub const EXITS: &[&str] = &[
    "end that is never reached",
    "end that is reached",
    "kernel before the program ends",
    "write before the program ends",
    "read before the program ends",
];

/// The traps that are in the program.
pub fn census(program: &Program) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    of_ops(program.kind, &program.ops, &mut out);
    out
}

fn of_ops(kind: Kind, ops: &[Op], out: &mut BTreeSet<&'static str>) {
    for op in ops {
        let found = match op {
            Op::Write(_, how) => Some(of_writing(*how)),
            Op::Read(_, Reading::ByTotal) => Some("read by a call"),
            Op::Swap(..) if kind == Kind::Swaps => Some("swap in a region"),
            Op::Swap(..) => Some("swap between write and read"),
            Op::Shorter(..) => Some("other length for a while"),
            Op::Sometimes(body) if matches!(body[..], [Op::Swap(..)]) => Some("swap in every other iteration"),
            Op::Sometimes(_) => Some("write in every other iteration"),
            Op::Region(mapped, ..) => Some(match mapped {
                Mapped::Both | Mapped::Apart => "region that copies both ways",
                Mapped::Fresh => "region that copies out",
                Mapped::Updated => "region that copies by updates",
            }),
            Op::Look(_) | Op::Renew(..) => Some("update in a region"),
            Op::PokeScalar(..) => Some("variable set between calls"),
            Op::Direct(..) => Some("variable in a kernel"),
            Op::Held(..) => Some("region around a variable"),
            _ => None,
        };
        out.extend(found);
        match op {
            Op::Loop(_, body)
            | Op::Shorter(_, body)
            | Op::Sometimes(body)
            | Op::Region(_, _, body)
            | Op::Held(_, body) => of_ops(kind, body, out),
            Op::Call(call) => of_call(call, out),
            Op::Nest(nest) => of_nest(nest, out),
            Op::Stopped(stopped) => of_stopped(stopped, out),
            _ => {}
        }
    }
}

fn of_writing(how: Writing) -> &'static str {
    match how {
        Writing::ByFill => "call that writes all",
        Writing::ByEarly | Writing::ByPartly => "call that may write",
        Writing::Broken(_) => "loop that ends early",
        _ if how.is_whole() => "loop that writes all",
        _ => "loop that writes almost all",
    }
}

fn of_call(call: &Call, out: &mut BTreeSet<&'static str>) {
    out.insert(match call.what {
        Called::Count => "variable set in a function",
        _ => "variable mapped in a function",
    });
    if call.by_hand {
        out.insert("region in a function");
    }
    if call.is_relayed {
        out.insert("call through another function");
    }
}

fn of_nest(nest: &Nest, out: &mut BTreeSet<&'static str>) {
    out.insert(match nest.counter.has_sign() {
        true => "counter with a sign",
        false => "counter without a sign",
    });
    let bounds: &[_] = if nest.is_nest {
        &[nest.inner, nest.outer]
    } else {
        &[nest.outer]
    };
    let leaves_out = bounds.iter().any(|b| b.from > 0 || b.step > 1 || b.less > 0);
    let found = [
        (nest.is_nest, "nest over rows"),
        (leaves_out, "loop that leaves elements out"),
        (bounds.iter().any(|b| b.is_through), "loop through the last element"),
        (nest.is_apart, "loop in a function"),
        (!nest.is_kernel, "loop on the host"),
    ];
    out.extend(found.into_iter().filter(|(is, _)| *is).map(|(_, trap)| trap));
}

fn of_stopped(stopped: &Stopped, out: &mut BTreeSet<&'static str>) {
    out.insert(match stopped.is_far {
        true => "end that is never reached",
        false => "end that is reached",
    });
    out.insert(match stopped.does {
        StoppedWork::Kernel => "kernel before the program ends",
        StoppedWork::Write | StoppedWork::WriteRow => "write before the program ends",
        StoppedWork::Read | StoppedWork::ReadRow => "read before the program ends",
    });
}
