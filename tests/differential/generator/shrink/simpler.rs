//! Plainer versions of single statements.

use crate::generator::ast::*;

/// Plainer versions of one statement, its inner blocks left alone.
pub fn simpler(s: &Stmt) -> Vec<Stmt> {
    let mut out = Vec::new();
    match s {
        Stmt::Kernel(k) => out.extend(simpler_kernels(k)),
        Stmt::Loop(l) => {
            let mut push = |f: &dyn Fn(&mut Loop)| {
                let mut new = l.clone();
                f(&mut new);
                out.push(Stmt::Loop(new));
            };
            let trips: &[i64] = match l.trip {
                Trip::Lit(0 | 1) => &[],
                Trip::Lit(2) => &[1],
                _ => &[1, 2],
            };
            trips.iter().for_each(|v| push(&|l| l.trip = Trip::Lit(*v)));
            if l.kind != LoopKind::For || l.by_macro || !l.braces {
                push(&|l| (l.kind, l.by_macro, l.braces) = (LoopKind::For, false, true));
            }
        }
        Stmt::If {
            cond,
            then,
            other,
            braces,
        } => {
            if !other.is_empty() {
                out.push(Stmt::If {
                    cond: cond.clone(),
                    then: then.clone(),
                    other: Vec::new(),
                    braces: *braces,
                });
            }
            if let Cond::Flag(f, asked) = cond
                && !matches!(asked, Asked::Alone | Asked::Directive)
            {
                out.push(Stmt::If {
                    cond: Cond::Flag(*f, Asked::Alone),
                    then: then.clone(),
                    other: other.clone(),
                    braces: *braces,
                });
            }
            if !braces {
                out.push(Stmt::If {
                    cond: cond.clone(),
                    then: then.clone(),
                    other: other.clone(),
                    braces: true,
                });
            }
        }
        Stmt::Call(c) if c.by_pointer || c.depth > 0 || c.besides.iter().any(Option::is_some) => {
            out.push(Stmt::Call(Call {
                by_pointer: false,
                ..c.clone()
            }));
            out.push(Stmt::Call(Call { depth: 0, ..c.clone() }));
            out.push(Stmt::Call(Call {
                besides: vec![None; c.args.len()],
                ..c.clone()
            }));
        }
        Stmt::Host(HostOp::Read {
            name,
            select,
            print: true,
        }) => {
            out.push(Stmt::Host(HostOp::Read {
                name: *name,
                select: select.clone(),
                print: false,
            }));
        }
        Stmt::Region { .. } => out.extend(simpler_regions(s)),
        Stmt::Choose { choice, body } => {
            let body = || body.clone();
            out.extend(simpler_choices(choice).map(|choice| Stmt::Choose { choice, body: body() }));
        }
        Stmt::Host(HostOp::Choose(choice)) => {
            out.extend(simpler_choices(choice).map(|choice| Stmt::Host(HostOp::Choose(choice))));
        }
        _ => {}
    }
    out
}

/// Plainer versions of a kernel.
fn simpler_kernels(k: &Kernel) -> Vec<Stmt> {
    let mut out = Vec::new();
    let mut push = |f: &dyn Fn(&mut Kernel)| {
        let mut new = k.clone();
        f(&mut new);
        out.push(Stmt::Kernel(new));
    };
    if k.stmts.len() > 1 {
        (0..k.stmts.len()).for_each(|n| push(&|k| drop(k.stmts.remove(n))));
    }
    for (n, stmt) in k.stmts.iter().enumerate() {
        (0..stmt.terms.len()).for_each(|t| {
            push(&|k| {
                k.stmts[n].terms.remove(t);
            })
        });
        if stmt.cond.is_some() {
            push(&|k| k.stmts[n].cond = None);
        }
        if stmt.adds {
            push(&|k| k.stmts[n].adds = false);
        }
    }
    if k.style != 0 {
        push(&|k| k.style = 0);
    }
    if k.by_macro {
        push(&|k| k.by_macro = false);
    }
    if k.maps != MapStyle::Whole {
        push(&|k| k.maps = MapStyle::Whole);
    }
    if k.directive != Directive::TeamsDistributeParallelFor {
        push(&|k| k.directive = Directive::TeamsDistributeParallelFor);
    }
    if k.copies.scratch.is_some() {
        push(&|k| k.copies.scratch = None);
    }
    if !k.copies.passed.is_empty() {
        push(&|k| k.copies.passed.clear());
    }
    if k.asks.is_some() {
        push(&|k| k.asks = None);
    }
    if k.collapse {
        push(&|k| k.collapse = false);
    }
    out
}

/// Plainer versions of a choice.
fn simpler_choices(choice: &Choice) -> impl Iterator<Item = Choice> {
    let with = |form: ChoiceForm, spelled: bool| Choice {
        form,
        spelled,
        ..choice.clone()
    };
    let mut out = vec![with(ChoiceForm::Fixed, choice.spelled)];
    if choice.form.is_apart() {
        out.push(with(ChoiceForm::Twice, choice.spelled));
    }
    out.push(with(choice.form, false));
    out.into_iter()
        .filter(|new| new.form != choice.form || new.spelled != choice.spelled)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Plainer versions of a data region.
fn simpler_regions(s: &Stmt) -> Vec<Stmt> {
    let mut out = Vec::new();
    let Stmt::Region {
        form,
        maps,
        cover,
        body,
    } = s
    else {
        return out;
    };
    let is_plain = matches!(maps, RegionMaps::Wasteful | RegionMaps::Fitting);
    let mut push = |form: RegionForm, maps: RegionMaps| {
        out.push(Stmt::Region {
            form,
            maps,
            cover: cover.clone(),
            body: body.clone(),
        });
    };
    if form.unstructured() {
        let simpler = match form {
            RegionForm::Called => RegionForm::Standing,
            RegionForm::Standing | RegionForm::Block => RegionForm::Block,
        };
        push(simpler, *maps);
    }
    if !is_plain {
        push(*form, RegionMaps::Wasteful);
    }
    out
}
