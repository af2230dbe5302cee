//! What is written means the same for every value that macros can be given (R12).
//!
//! ```c
//! #ifndef N
//! #define N 1000
//! #endif
//! …
//! for (int i = k + 1; i < N; i++) b[i] = 0;     /* update to(b[k+1:N-1-k]), and not b[k+1:999-k] */
//! ```
//!
//! The compiler knows no names, only what they are worth, so nothing in a plan says where a number comes from. It is found out
//! by planning the program again with other numbers in the place of those that a macro, an enumerator or a `const` variable
//! gives ([`roots`]): a *sample*. Plans are compared array by array ([`texts`]).
//!
//! - What is written alike in all of them does not depend on these numbers. What numbers are left, the source says itself.
//! - Where only numbers differ, they are written by names that differ in the same way ([`solve`]).
//! - Anything else rests on what a number happens to be. Such an array is left out, in all of them, and the program is planned
//!   again; so is an array with a number that no name explains. First only copies of parts of it are left out (`whole_only`).
//!   A loop that would become a kernel stays a loop.
//!
//! So the text that is handed out is the plan of each sample, with the values of that sample. That goes for what proofs rest
//! on, too: whether a loop runs, whether a host write meets what a kernel reads, which map types are enough.
//!
//! Where kernels run under conditions (`if(n > 10000)`), there are samples in which these come out the other way.
//!
//! Whether a loop is worth a kernel depends on sizes: what `annotate` writes is not compared.
//!
//! **Limits.** A few samples are a few samples: a number that matters beyond them is not noticed, nor is one so small that loops
//! do not run that a directive counts on. Where no sample can be compiled (`#error`, assertions about sizes), only numbers
//! that stand in the text are written.

mod declared;
mod roots;
mod solve;
mod texts;

use super::pipeline::{Planner, Services};
use super::progress::Silent;
use super::reading::{Read, read};
use super::unit::{Given, ToolOptions, Unit};
use super::writing::Member;
use crate::analysis::cexpr::{self, Names};
use crate::analysis::known::Known;
use crate::analysis::libc;
use crate::facts::Store;
use crate::llvm::Instead;
use crate::panics;
use crate::plan::file::constants_of;
use crate::plan::{FilePlan, FileText, Note, PlanOptions, Scope};
use crate::program::ir::Module;
use crate::program::link::{Object, link};
use crate::source::Span;
use crate::symbolic::Expr;
use crate::syntax::{FunctionNode, StmtKind, declaration_in_scope, identifiers};
use roots::{Root, Shift};
use solve::{Named, solve};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use texts::{Entry, Owner, Spot, entries, kernel, visit};

/// How often arrays are left out and the rest is planned again, before whole functions are.
const MOST_ROUNDS: usize = 4;
/// Between the name of a variable and its number are so many bytes at most.
const NEAR_NAME: usize = 8;
/// Everything of a function.
const ALL: &str = "*";

type Plans = Vec<Result<FilePlan, String>>;

/// What plans a program.
pub(super) struct Planning<'a, 'm> {
    pub members: &'a [Member<'m>],
    pub module: &'a Module,
    pub known: Known,
    pub planner: Planner,
    pub scope: Scope,
}

/// The program with other numbers.
struct Sample {
    texts: Vec<Vec<u8>>,
    options: Vec<ToolOptions>,
    reads: Vec<Read>,
    module: Module,
}

/// What is not planned, because it depends on numbers that have no name.
#[derive(Clone, Default, PartialEq, Eq)]
struct Left {
    owners: Vec<BTreeSet<Owner>>,
    /// Of these only all is copied.
    whole: Vec<BTreeSet<Owner>>,
    /// Constants are not named by `annotate`.
    plain: bool,
}

impl Planning<'_, '_> {
    /// The plans of the program's files, in which numbers of other configurations are written by name.
    pub fn plans(&self) -> Plans {
        let mut left = Left {
            owners: vec![BTreeSet::new(); self.members.len()],
            whole: vec![BTreeSet::new(); self.members.len()],
            plain: false,
        };
        let own: Vec<Piece<'_>> = self.members.iter().map(Piece::of_member).collect();
        let mut plans = self.planned(&own, self.module, &left);
        let writes = |plans: &Plans| plans.iter().flatten().any(|p| !p.decisions.is_empty());
        // What `annotate` thinks worth a kernel depends on sizes, and so does all that it writes.
        let of_annotate =
            self.planner == Planner::Kernels || self.members.iter().any(|m| m.unit.options.plan.new_kernels);
        if of_annotate || !writes(&plans) {
            return plans;
        }
        for _ in 0..MOST_ROUNDS {
            let undeclared = self.members.iter().zip(&plans).map(|(member, plan)| match plan {
                Ok(plan) => declared::undeclared(member.unit.text, &member.read.tree, plan),
                Err(_) => BTreeSet::new(),
            });
            let undeclared: Vec<BTreeSet<Owner>> = undeclared.collect();
            if undeclared.iter().all(BTreeSet::is_empty) {
                break;
            }
            left.whole
                .iter_mut()
                .zip(&undeclared)
                .for_each(|(whole, more)| whole.extend(more.iter().cloned()));
            left.add(undeclared, false);
            plans = self.planned(&own, self.module, &left);
        }
        let headers = self.headers();
        let own_texts = self.members.iter().map(|m| m.unit.text);
        let texts = own_texts.chain(headers.iter().map(|(_, text)| text.as_slice()));
        let names = roots::names(texts, self.members.iter().map(|m| m.unit.options));
        if names.is_empty() {
            return plans;
        }
        let samples = self.samples(&names, &headers);
        for round in 0.. {
            let others: Vec<Plans> = samples
                .iter()
                .map(|s| self.planned(&s.pieces(self.members), &s.module, &left))
                .filter(|plans| plans.iter().all(Result::is_ok))
                .collect();
            let constants = self.constants(&samples, &headers);
            let refused = self.settle(&mut plans, &others, &constants);
            if refused.iter().all(BTreeSet::is_empty) {
                return plans;
            }
            if round > MOST_ROUNDS {
                return self.nothing();
            }
            match left.plain || !self.makes_kernels(&plans) {
                true => left.add(refused, round + 1 >= MOST_ROUNDS),
                false => left.plain = true,
            }
            plans = self.planned(&own, self.module, &left);
            if !writes(&plans) {
                return plans;
            }
        }
        plans
    }

    fn makes_kernels(&self, plans: &Plans) -> bool {
        plans
            .iter()
            .flatten()
            .flat_map(|p| &p.decisions)
            .any(|d| kernel(d).is_some())
    }

    /// One plan of the program as it is, or of a sample of it.
    fn planned(&self, pieces: &[Piece<'_>], module: &Module, left: &Left) -> Plans {
        let left_out = left.owners.iter().zip(&left.whole);
        let options = pieces
            .iter()
            .zip(left_out)
            .map(|(piece, (left_out, whole))| PlanOptions {
                left_out: Arc::new(left_out.clone()),
                whole_only: Arc::new(whole.clone()),
                plain_numbers: left.plain,
                all_loops: piece.all_loops,
                ..piece.options.plan.clone()
            });
        let options: Vec<PlanOptions> = options.collect();
        let files = pieces.iter().zip(&options).map(|(piece, options)| FileText {
            text: piece.text,
            tree: &piece.read.tree,
            headers: &piece.read.headers,
            bodies: &piece.read.bodies,
            options,
            context: piece.context,
        });
        let files: Vec<FileText<'_>> = files.collect();
        let known = self.known.clone();
        let plans = panics::guarded(AssertUnwindSafe(|| {
            self.planner.plan(&files, module, known, self.scope)
        }));
        let mut plans = plans.unwrap_or_else(|message| vec![Err(message); pieces.len()]);
        for (plan, left_out) in plans.iter_mut().zip(&left.owners) {
            let Ok(plan) = plan else { continue };
            without_kernels(plan, left_out);
        }
        plans
    }

    /// The headers of the project that the files include.
    fn headers(&self) -> Vec<Instead> {
        let read = self.members.iter().flat_map(|m| &m.read.dependencies);
        let paths: BTreeSet<&Path> = read
            .map(|d| d.path.as_path())
            .filter(|p| !is_of_the_system(p))
            .collect();
        let text = |path: &Path| Some((path.to_owned(), std::fs::read(path).ok()?));
        paths.into_iter().filter_map(text).collect()
    }

    /// The program with other numbers, in ways that it can be compiled in.
    fn samples(&self, names: &BTreeMap<String, i128>, headers: &[Instead]) -> Vec<Sample> {
        let pragmas = self.members.iter().flat_map(|m| &m.read.tree.pragmas);
        let conditional = pragmas.filter(|p| p.text.contains("if")).count() > 0;
        let mut wanted = vec![[Shift::Far, Shift::Less], [Shift::Above, Shift::Less]];
        if conditional {
            wanted.extend([[Shift::High, Shift::High], [Shift::Low, Shift::Low]]);
        }
        let (mut made, mut tried) = (Vec::new(), BTreeSet::new());
        for ways in wanted {
            let mut ways = ways.into_iter().filter(|shift| tried.insert(*shift));
            made.extend(ways.find_map(|shift| self.sample(names, headers, shift)));
        }
        made
    }

    fn sample(&self, names: &BTreeMap<String, i128>, headers: &[Instead], shift: Shift) -> Option<Sample> {
        let units = || self.members.iter().map(|m| m.unit);
        let headers = headers
            .iter()
            .map(|(path, text)| (path.clone(), roots::sample(text, names, shift)));
        let instead: Arc<Vec<Instead>> = Arc::new(headers.collect());
        let texts: Vec<Vec<u8>> = units().map(|u| roots::sample(u.text, names, shift)).collect();
        let mut options: Vec<ToolOptions> = units().map(|u| roots::options(u.options, names, shift)).collect();
        options
            .iter_mut()
            .for_each(|o| o.compile.instead = Some(instead.clone()));
        let services = Services {
            store: &Store::none(),
            progress: &Silent,
        };
        let (mut reads, mut objects) = (Vec::new(), Vec::new());
        for ((member, text), options) in self.members.iter().zip(&texts).zip(&options) {
            let unit = Unit {
                path: member.unit.path,
                text,
                options,
            };
            let given = Given {
                unit,
                facts: None,
                context: member.context,
            };
            let (read, module) = unit.guarded(|| read(given, &services)).ok()?;
            let (ours, theirs) = (&member.read.tree, &read.tree);
            let alike = member.read.inactive.len() == read.inactive.len()
                && ours.stmts.len() == theirs.stmts.len()
                && ours.pragmas.len() == theirs.pragmas.len()
                && ours.functions.len() == theirs.functions.len();
            if !alike {
                return None;
            }
            let apart = !unit.is_source();
            objects.push(Object { module, apart });
            reads.push(read);
        }
        let in_library = |name: &str| libc::lookup(name).is_some() || libc::is_library_global(name);
        let mut programs = link(objects, &in_library).programs;
        let program = programs
            .pop()
            .filter(|p| programs.is_empty() && p.objects.len() == reads.len())?;
        let ours = self.module.functions.iter().map(|f| &f.name);
        if !program.module.functions.iter().map(|f| &f.name).eq(ours) {
            return None;
        }
        Some(Sample {
            texts,
            options,
            reads,
            module: program.module,
        })
    }

    /// Names of numbers in each file, with the values that they have in the program as it is and in each sample.
    fn constants(&self, samples: &[Sample], headers: &[Instead]) -> Vec<Constants> {
        let count = self.members.len();
        let values = |pieces: &[Piece<'_>], module: &Module| -> Vec<BTreeMap<String, (String, i128)>> {
            (0..count)
                .map(|unit| pieces[unit].constants(module, unit as u32))
                .collect()
        };
        let own: Vec<Piece<'_>> = self.members.iter().map(Piece::of_member).collect();
        let base = values(&own, self.module);
        let others: Vec<_> = samples
            .iter()
            .map(|s| values(&s.pieces(self.members), &s.module))
            .collect();
        let of = |unit: usize| {
            let known = base[unit].iter().filter_map(|(name, (body, value))| {
                let more = others.iter().map(|o| o[unit].get(name).map(|(_, value)| *value));
                let values: Vec<i128> = std::iter::once(Some(*value)).chain(more).collect::<Option<_>>()?;
                let varies = values.iter().any(|v| v != value);
                varies.then(|| {
                    let text = match cexpr::holds_together(body) {
                        true => name.clone(),
                        false => format!("({name})"),
                    };
                    (name.clone(), Named { text, values })
                })
            });
            let numbers = |text: &[u8]| roots::roots(text);
            let given: Vec<Vec<Root>> = samples.iter().map(|s| numbers(&s.texts[unit])).collect();
            let variables = numbers(self.members[unit].unit.text).into_iter().enumerate();
            let variables = variables.filter(|(_, root)| root.variable).filter_map(|(i, root)| {
                let more = given.iter().map(|roots| roots.get(i).map(|r| r.value));
                let values: Vec<i128> = std::iter::once(Some(root.value)).chain(more).collect::<Option<_>>()?;
                let text = root.name.clone();
                Some((root, Named { text, values }))
            });
            let mut known: BTreeMap<String, Named> = known.collect();
            // A caller need not mention what the headers that it includes say.
            let read = &self.members[unit].read.dependencies;
            for (at, (_, text)) in headers
                .iter()
                .enumerate()
                .filter(|(_, (p, _))| read.iter().any(|d| d.path == *p))
            {
                for (name, values) in roots::macros(text, samples.iter().map(|s| s.header(at))) {
                    let text = name.clone();
                    known.entry(name).or_insert(Named { text, values });
                }
            }
            Constants {
                known,
                variables: variables.collect(),
            }
        };
        (0..count).map(of).collect()
    }

    /// Writes numbers that differ by name; returns by file what cannot be written so.
    fn settle(&self, plans: &mut Plans, others: &[Plans], constants: &[Constants]) -> Vec<BTreeSet<Owner>> {
        let refused = plans.iter_mut().enumerate().map(|(at, plan)| {
            let Ok(plan) = plan else { return BTreeSet::new() };
            let others: Vec<&FilePlan> = others.iter().filter_map(|plans| plans[at].as_ref().ok()).collect();
            let page = Spelling {
                member: &self.members[at],
                constants: &constants[at],
                sampled: !others.is_empty(),
            };
            page.settle(plan, &others)
        });
        refused.collect()
    }

    /// Plans that write nothing.
    fn nothing(&self) -> Plans {
        let message =
            "left as it is: what would be written is not right for all values of macros, or in all branches of `#if`";
        let note = |m: &Member<'_>| Note {
            span: m
                .read
                .tree
                .functions
                .first()
                .map_or_else(Span::default, |f| f.name_span),
            message: message.to_owned(),
        };
        let plan = |m| FilePlan {
            remarks: vec![note(m)],
            ..FilePlan::default()
        };
        self.members.iter().map(|m| Ok(plan(m))).collect()
    }
}

impl Left {
    /// Copies all of an array instead of parts; then leaves it out; in the end leaves out all of the functions.
    fn add(&mut self, refused: Vec<BTreeSet<Owner>>, functions: bool) {
        let left = self.owners.iter_mut().zip(&mut self.whole);
        for ((left, whole), more) in left.zip(refused) {
            for (function, of) in more {
                if whole.insert((function.clone(), of.clone())) && !functions {
                    continue;
                }
                let again = !left.insert((function.clone(), of));
                if functions || again {
                    left.insert((function, ALL.to_owned()));
                }
            }
        }
    }
}

impl Sample {
    /// The text of a header, by its place among those of the project.
    fn header(&self, at: usize) -> &[u8] {
        let instead = self.options.first().and_then(|o| o.compile.instead.as_ref());
        instead.and_then(|texts| texts.get(at)).map_or(b"", |(_, text)| text)
    }

    fn pieces<'s>(&'s self, members: &'s [Member<'_>]) -> Vec<Piece<'s>> {
        let files = self.texts.iter().zip(&self.options).zip(&self.reads).zip(members);
        let piece = |(((text, options), read), member): (((&'s Vec<u8>, _), _), &Member<'_>)| Piece {
            text,
            read,
            options,
            context: member.context,
            // Which loops are worth it depends on sizes, and matters to nothing else.
            all_loops: true,
        };
        files.map(piece).collect()
    }
}

/// A file of the program or of a sample.
struct Piece<'s> {
    text: &'s [u8],
    read: &'s Read,
    options: &'s ToolOptions,
    context: bool,
    all_loops: bool,
}

impl<'s> Piece<'s> {
    fn of_member(member: &'s Member<'_>) -> Piece<'s> {
        Piece {
            text: member.unit.text,
            read: member.read,
            options: member.unit.options,
            context: member.context,
            all_loops: member.unit.options.plan.all_loops,
        }
    }

    /// The names of numbers that the file's text mentions, each with what it stands for and its value.
    fn constants(&self, module: &Module, unit: u32) -> BTreeMap<String, (String, i128)> {
        let file = FileText {
            text: self.text,
            tree: &self.read.tree,
            headers: &self.read.headers,
            bodies: &self.read.bodies,
            options: &self.options.plan,
            context: self.context,
        };
        let bodies = Bodies(constants_of(&file, module, unit));
        let mentioned: BTreeSet<String> = identifiers(self.text, Span::new(0, self.text.len()))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let worth = |name: String| {
            let body = bodies.0.get(&name)?.trim().to_owned();
            let value = cexpr::evaluate(&name, &bodies)?.as_constant()?;
            Some((name, (body, value)))
        };
        mentioned.into_iter().filter_map(worth).collect()
    }
}

/// Macros and what is like them, for the reader of expressions.
struct Bodies(crate::analysis::movement::scope::Macros);

impl Names for Bodies {
    fn value(&self, _: &str) -> Option<Expr> {
        None
    }
    fn macro_body(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
    fn size_of(&self, _: &str) -> Option<i128> {
        None
    }
    fn divides(&self, left: &Expr, right: &Expr, _: bool) -> bool {
        let is_positive = |e: &Expr, least| e.as_constant().is_some_and(|value| value >= least);
        is_positive(left, 0) && is_positive(right, 1)
    }
    fn cast(&self, value: Expr, _: &str) -> Option<Expr> {
        Some(value)
    }
}

/// Names of numbers in a file.
struct Constants {
    known: BTreeMap<String, Named>,
    /// Variables, with the numbers that they are given.
    variables: Vec<(Root, Named)>,
}

/// Where numbers are spelled.
struct Spelling<'a, 'm> {
    member: &'a Member<'m>,
    constants: &'a Constants,
    /// There are samples.
    sampled: bool,
}

impl Spelling<'_, '_> {
    fn settle(&self, plan: &mut FilePlan, others: &[&FilePlan]) -> BTreeSet<Owner> {
        let own = entries(plan);
        let others: Vec<_> = others.iter().map(|p| entries(p)).collect();
        let mut refused = BTreeSet::new();
        let mut spelled: BTreeMap<Owner, Vec<String>> = BTreeMap::new();
        for (owner, texts) in own {
            let theirs: Option<Vec<&Vec<Entry>>> = others.iter().map(|o| o.get(&owner)).collect();
            match theirs.and_then(|theirs| self.texts(&owner.0, &texts, &theirs)) {
                Some(texts) => {
                    spelled.insert(owner, texts);
                }
                None => {
                    refused.insert(owner);
                }
            }
        }
        if refused.is_empty() {
            let mut at: BTreeMap<Owner, usize> = BTreeMap::new();
            visit(plan, &mut |owners, _, _, text| {
                for owner in owners {
                    let next = at.entry(owner.clone()).or_default();
                    if let Some(new) = spelled.get(owner).and_then(|texts| texts.get(*next)) {
                        text.clone_from(new);
                    }
                    *next += 1;
                }
            });
        }
        let fails = |d: &crate::plan::Decision| d.for_callers && refused.iter().any(|(f, _)| *f == d.function);
        plan.broken |= plan.decisions.iter().any(fails);
        refused
    }

    /// The texts about an array, given those of each sample.
    fn texts(&self, function: &str, own: &[Entry], others: &[&Vec<Entry>]) -> Option<Vec<String>> {
        if others.iter().any(|o| o.len() != own.len()) {
            return None;
        }
        let names = self.names(function);
        let text = |(at, entry): (usize, &Entry)| {
            let names: Vec<Named> = self.locals(entry).chain(names.iter().cloned()).collect();
            let alike = others.iter().all(|o| entry.is_like(&o[at]));
            alike.then_some(())?;
            let mut text = entry.pieces[0].clone();
            for (i, number) in entry.numbers.iter().enumerate() {
                let more = others.iter().map(|o| o[at].numbers[i]);
                let values: Vec<i128> = std::iter::once(*number).chain(more).collect();
                let behind = &entry.pieces[i + 1];
                match values.iter().all(|v| v == number) {
                    true if self.sampled || self.is_said(*number) => text.push_str(&number.to_string()),
                    true => return None,
                    false => {
                        let solved = solve(&values, &names)?.between(&text, behind);
                        text.push_str(&solved);
                    }
                }
                text.push_str(behind);
            }
            Some(text)
        };
        own.iter().enumerate().map(text).collect()
    }

    /// Whether the source has a number itself.
    fn is_said(&self, number: i128) -> bool {
        let text = self.member.unit.text;
        number <= 1 || roots::said(text).contains(&number)
    }

    /// Constant variables of a function that can be named where a text stands.
    fn locals(&self, entry: &Entry) -> impl Iterator<Item = Named> {
        let tree = &self.member.read.tree;
        let spot = entry.spot.and_then(|spot| match spot {
            Spot::Stmt(stmt) => Some(stmt),
            Spot::Pragma(pragma) => tree.pragma(pragma).before,
        });
        let means = |root: &Root| {
            let declared = spot.and_then(|stmt| declaration_in_scope(tree, stmt, &root.name));
            // `n = 20`: the number stands right behind the name.
            declared.is_some_and(|d| d.span.end < root.digits.start && root.digits.start <= d.span.end + NEAR_NAME)
        };
        let locals = self.constants.variables.iter().filter(move |(root, _)| means(root));
        locals.map(|(_, named)| named.clone()).collect::<Vec<_>>().into_iter()
    }

    /// The names that a function can use, those that it mentions first.
    fn names(&self, function: &str) -> Vec<Named> {
        let (text, tree) = (self.member.unit.text, &self.member.read.tree);
        let Some(function) = tree.functions.iter().find(|f| f.name == function) else {
            return Vec::new();
        };
        let all = identifiers(text, Span::new(0, text.len()));
        let inside = |span: &Span| function.span.start <= span.start && span.end <= function.span.end;
        let (within, outside): (Vec<_>, Vec<_>) = all.iter().partition(|(_, span)| inside(span));
        let above = |name: &String| {
            let first = all.iter().find(|(n, _)| n == name);
            first.is_none_or(|(_, span)| span.start < function.span.start || !self.is_own(name))
        };
        let mut found: Vec<Named> = Vec::new();
        let mentioned = within.into_iter().chain(outside).map(|(name, _)| name);
        for name in mentioned.chain(self.constants.known.keys()) {
            let Some(named) = self.constants.known.get(name) else {
                continue;
            };
            let usable = above(name) && !self.is_hidden(function, name);
            if usable && !found.contains(named) {
                found.push(named.clone());
            }
        }
        found
    }

    /// Whether the file itself says what a name is worth.
    fn is_own(&self, name: &str) -> bool {
        roots::roots(self.member.unit.text).iter().any(|r| r.name == name)
            || self.member.read.tree.constants.iter().any(|(n, _)| n == name)
    }

    /// Whether a variable of the function has the name.
    fn is_hidden(&self, function: &FunctionNode, name: &str) -> bool {
        let tree = &self.member.read.tree;
        let inside = tree
            .stmts
            .iter()
            .filter(|s| function.span.start <= s.span.start && s.span.end <= function.span.end);
        let declared = inside.filter_map(|s| match &s.kind {
            StmtKind::Decl { names } => Some(names.iter().any(|d| d.name == name)),
            StmtKind::For { declares, .. } => Some(declares.iter().any(|d| d.name == name)),
            _ => None,
        });
        function.params.iter().any(|p| p.name == name) || declared.into_iter().any(|hidden| hidden)
    }
}

/// Whether nobody of the project gives the macros of a header other values.
fn is_of_the_system(header: &Path) -> bool {
    let ours = |folder: &str| header.starts_with(folder);
    ["/usr", "/lib", "/opt", "/ompmemopt"].into_iter().any(ours) || header.to_string_lossy().contains("/lib/clang/")
}

/// Takes the kernels that are left out from what `annotate` planned.
fn without_kernels(plan: &mut FilePlan, left_out: &BTreeSet<Owner>) {
    let mut remarks = Vec::new();
    plan.decisions.retain(|decision| {
        let Some(made) = kernel(decision) else { return true };
        let of = |what: &str| left_out.contains(&(decision.function.clone(), what.to_owned()));
        let stays = !of(&made) && !of(ALL);
        if !stays {
            remarks.extend(decision.reasons.first().map(|reason| {
                Note {
                    span: reason.span,
                    message:
                        "this loop stays as it is: what it would map is not right for all values of macros, or in all \
                          branches of `#if`"
                            .into(),
                }
            }));
        }
        stays
    });
    plan.remarks.extend(remarks);
    plan.remarks.sort();
}
