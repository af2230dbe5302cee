//! Other values for the macros of a program, under which it is as correct as under those that it was grown with.
//!
//! A macro that says how long arrays are, or how often a loop runs, may be set from outside (`-DN=40`) where the program is
//! [`configurable`](Program::configurable), and what was rewritten once has to be right for every value. Extents only grow,
//! so what the host does stays inside; kernels are run symbolically once more. The program must also be written in the same
//! words: a text that maps what it does by numbers is a text for one value only.

use super::ast::*;
use super::{facts, print};
use std::collections::BTreeSet;

/// A value for each of some macros.
pub type Configuration = Vec<(String, i64)>;

/// Other configurations of `program`: one a little larger in everything, with all macros that are 0 or 1 the other one, and one
/// much larger in which some loops never run, with every other of these.
pub fn configurations(program: &Program) -> Vec<Configuration> {
    if !program.configurable {
        return Vec::new();
    }
    let larger: [&dyn Fn(i64, usize) -> i64; 2] = [&|v, k| v + 2 + k as i64 % 3, &|v, k| 3 * v + 1 + k as i64];
    let trips: [&dyn Fn(i64) -> i64; 2] = [&|v| v + 2, &|v| v % 2];
    let both = larger.iter().zip(trips).zip(1..);
    both.map(|((larger, trips), every)| {
        let sizes = [extents(program, larger), times(program, trips)];
        let others = [flags(program, every), marks(program, every as i64)];
        sizes.into_iter().chain(others).flatten().collect()
    })
    .filter(|c: &Configuration| !c.is_empty())
    .collect()
}

/// The name of a macro that is 0 or 1.
pub fn flag_macro(program: &Program, flag: FlagId) -> String {
    format!("FLAG_{}_{flag}", program.seed)
}

/// The other value of one in so many of the macros that are 0 or 1.
fn flags(program: &Program, every: usize) -> Configuration {
    let asked = program.asked_flags().into_iter().step_by(every);
    let other = |f: FlagId| (flag_macro(program, f), i64::from(!program.flags[f]));
    asked.map(other).collect()
}

/// The name of a macro that ranges begin or end at.
pub fn mark_macro(program: &Program, mark: MarkId) -> String {
    format!("MARK_{}_{mark}", program.seed)
}

/// Other values for these, anywhere within what they bound.
fn marks(program: &Program, round: i64) -> Configuration {
    let mut out = Configuration::new();
    let text = words(program);
    for (at, mark) in program.marks.iter().enumerate().filter(|(_, m)| m.named) {
        let mut other = program.clone();
        other.marks[at].value = (7 * mark.value + 5 * round + at as i64) % (mark.most + 1);
        if other.marks[at].value != mark.value && words(&other) == text && correct(&other) {
            out.push((mark_macro(program, at), other.marks[at].value));
        }
    }
    out
}

/// The name of the macro that says that a loop runs `trips` times.
pub fn trips_macro(program: &Program, trips: i64) -> String {
    format!("TRIPS_{}_{trips}", program.seed)
}

/// Other values for the macros that say how often loops run.
fn times(program: &Program, other: &dyn Fn(i64) -> i64) -> Configuration {
    let mut found: BTreeSet<i64> = BTreeSet::new();
    for f in &program.functions {
        visit(&f.body, &mut |s| {
            if let Stmt::Loop(Loop {
                trip: Trip::Macro(v), ..
            }) = s
            {
                found.insert(*v);
            }
        });
    }
    let value = |v: i64| (trips_macro(program, v), other(v));
    found.into_iter().map(value).collect()
}

/// Other values for the macros that say how long arrays are; those that have none are left out.
fn extents(program: &Program, larger: &dyn Fn(i64, usize) -> i64) -> Configuration {
    let mut now = program.clone();
    let text = words(&now);
    let mut out = Configuration::new();
    for s in 0..program.sizes.len() {
        if program.sizes[s].kind != SizeKind::Macro {
            continue;
        }
        let (old, new) = (program.sizes[s].value, larger(program.sizes[s].value, s));
        // Helpers may be given the extent or, by chance, a number that is equal.
        for with_parameters in [true, false] {
            let mut other = now.clone();
            other.sizes[s].value = new;
            for p in &mut other.sizes {
                if with_parameters && p.kind == SizeKind::Param && p.value == old {
                    p.value = new;
                }
            }
            if words(&other) == text && correct(&other) {
                out.push((program.sizes[s].ident.clone(), new));
                now = other;
                break;
            }
        }
    }
    out
}

/// The text of a program without the values of its macros.
fn words(program: &Program) -> String {
    let sizes = program.sizes.iter().filter(|s| s.kind == SizeKind::Macro);
    let sizes = sizes.map(|s| (s.ident.clone(), s.value));
    let marks = program.marks.iter().enumerate().filter(|(_, m)| m.named);
    let marks = marks.map(|(at, m)| (mark_macro(program, at), m.value));
    let macros = sizes
        .chain(marks)
        .map(|(ident, value)| format!("#define {ident} {value}"));
    let macros: BTreeSet<String> = macros.collect();
    let parts = print::print(program);
    let texts = [parts.header].into_iter().chain(parts.files);
    let lines = texts.flat_map(|t| t.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|l| !macros.contains(l)).collect::<Vec<_>>().join("\n")
}

/// Whether all kernels are in bounds, and all arguments long enough.
fn correct(program: &Program) -> bool {
    let mut correct = true;
    for f in &program.functions {
        visit(&f.body, &mut |s| match s {
            Stmt::Kernel(k) => correct &= facts::facts(program, k).is_ok(),
            Stmt::Call(c) => correct &= fits(program, c),
            _ => {}
        });
    }
    correct
}

fn fits(program: &Program, call: &Call) -> bool {
    let shape = |n: NameId| -> Vec<i64> { program.names[n].dims.iter().map(|d| program.value(d)).collect() };
    let params = &program.functions[call.function].params;
    let chosen = call.args.iter().zip(params);
    let besides = call.besides.iter().zip(params).filter_map(|(b, p)| Some(((*b)?, p)));
    let besides: Vec<_> = besides.collect();
    let long_enough = |name: NameId, offset: i64, p: NameId| match (shape(name).as_slice(), shape(p).as_slice()) {
        ([have], [need]) => have - offset >= *need,
        (have, need) => have == need,
    };
    chosen.into_iter().all(|((n, offset), p)| long_enough(*n, *offset, *p))
        && besides.into_iter().all(|(n, p)| long_enough(n, 0, *p))
}
