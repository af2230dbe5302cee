//! What the directives of a function ask the runtime for, in the order in which control meets them.
//!
//! ```c
//! #pragma omp target data map(to: a[0:n])              // where the region starts: entry, to; behind it: exit, to
//! {
//!     #pragma omp target update from(a[0:1])           // at the gap in front of what follows
//!     #pragma omp target … map(tofrom: a[0:n])         // around the kernel's own steps
//! ```
//!
//! Of a directive with a clause or an item that this model has no words for (`in_reduction`, mappers, members that are arrays themselves) it is not known
//! what it does, and nothing is said from there on of arrays that it may have to do with. Tasks (`nowait`, `depend`) are taken to be done where control comes to
//! them, which is one of the orders in which they may be done.

use super::conditions::{Conditions, StepCondition};
use super::step_device::StepDevice;
use crate::analysis::arrays::inner_dims;
use crate::analysis::cexpr::evaluate;
use crate::analysis::conditions::reader::ConditionReader;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::{Mapped, mapped_before, meaning, within_a_row};
use crate::analysis::movement::scope::NameScope;
use crate::analysis::rows::{declared_rows, row_lengths};
use crate::analysis::values::table::Base;
use crate::openmp::implicit::{Attribute, DeclaredTarget, RegionVariable, VariableClass, attribute};
use crate::openmp::map::{MapRequest, Moment};
use crate::openmp::{Clause, ClauseKind, Construct, Directive, Item, MapModifier, MapType, PathStep, SpecVersion};
use crate::plan::names::scope_stmt;
use crate::program::constructs::UserData;
use crate::program::graph::{NodeId, Place};
use crate::program::ir::SourceType;
use crate::source::Span;
use crate::symbolic::{Expr, Section};
use crate::syntax::{PragmaId, StmtId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a list item asks for, of which array.
#[derive(Clone, Debug)]
pub struct RequestedItem {
    pub base: Base,
    /// The elements that it names; `None`: they are not known.
    pub section: Option<Section>,
    pub request: MapRequest,
    /// The item, as the text has it; `None`: no clause names it.
    pub text: Option<Arc<str>>,
}

impl RequestedItem {
    /// What is asked for at the end of the region at whose start this is.
    #[must_use]
    pub fn ending(&self) -> RequestedItem {
        RequestedItem {
            request: MapRequest {
                moment: Moment::RegionExit,
                ..self.request
            },
            ..self.clone()
        }
    }
}

/// What a directive asks for.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// The directive's name.
    pub construct: Arc<str>,
    pub items: Vec<RequestedItem>,
    /// What must hold for it to do something.
    pub when: Vec<StepCondition>,
    /// The device whose memory it speaks of.
    pub device: StepDevice,
    /// What members or parts of rows are mapped of, so that it is not followed how much of it is on the device; and what is used by its address there.
    pub in_parts: Vec<Base>,
    /// Why it is not known what else it does.
    pub not_followed: Option<String>,
}

impl Requests {
    fn of(directive: &Directive, when: Vec<StepCondition>, scope: &NameScope<'_>) -> Requests {
        let mut requests = Requests {
            construct: directive.name().into(),
            items: Vec::new(),
            when,
            device: StepDevice::of(directive, scope),
            in_parts: Vec::new(),
            not_followed: not_followed(directive),
        };
        requests.add_device_addresses(directive, scope);
        requests
    }

    /// Notes which arrays are used by their addresses on the device, from here on by whoever has these.
    fn add_device_addresses(&mut self, directive: &Directive, scope: &NameScope<'_>) {
        let clauses = directive.clauses.iter().filter(|clause| {
            matches!(
                clause.kind,
                ClauseKind::UseDevicePtr { .. }
                    | ClauseKind::UseDeviceAddr { .. }
                    | ClauseKind::IsDevicePtr { .. }
                    | ClauseKind::HasDeviceAddr { .. }
            )
        });
        for item in clauses.flat_map(|clause| clause.kind.items()) {
            match scope.base(&item.path.to_string()) {
                Some((base, _)) => self.in_parts.push(base),
                None => drop(self.not_followed.get_or_insert_with(|| unknown_item(item))),
            }
        }
    }

    /// Notes of what an item maps members: of the variable, and of what each pointer on the way leads to.
    fn add_parts(&mut self, item: &Item, scope: &NameScope<'_>) {
        for (at, step) in item.path.steps.iter().enumerate() {
            let whole = match (step, at) {
                (PathStep::Member(_), 0) => scope.storage(&item.path.base),
                // A member of a member is in what that is in.
                (PathStep::Member(_), _) => continue,
                (PathStep::Arrow(_) | PathStep::Index(_), _) => {
                    let mut path = item.path.clone();
                    path.steps.truncate(at);
                    scope.base(&path.to_string()).map(|(base, _)| base)
                }
            };
            match whole {
                Some(base) => self.in_parts.push(base),
                None => drop(self.not_followed.get_or_insert_with(|| unknown_item(item))),
            }
        }
    }
}

/// A directive of a function.
#[derive(Clone, Debug)]
pub struct DirectiveRequests {
    pub span: Span,
    /// Where control meets it.
    pub enters: NodeId,
    /// Where its region ends, if it has one that is no kernel.
    pub leaves: Option<NodeId>,
    /// What the directive asks for where control meets it, or at the start of its region.
    pub requests: Requests,
}

/// Why what a directive does is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotFollowed {
    pub span: Span,
    pub why: String,
}

/// What the directives of a function ask for.
pub struct FunctionDirectives {
    /// The directives beside kernels, in text order.
    pub data: Vec<DirectiveRequests>,
    /// The kernels' own requests, by kernel.
    pub kernels: Vec<Requests>,
    /// The places among `data` of those that control meets at a node, and of those whose regions end there.
    entering: FxHashMap<NodeId, Vec<usize>>,
    leaving: FxHashMap<NodeId, Vec<usize>>,
}

impl FunctionDirectives {
    fn new(data: Vec<DirectiveRequests>, kernels: Vec<Requests>) -> FunctionDirectives {
        let (mut entering, mut leaving) = (FxHashMap::default(), FxHashMap::default());
        for (at, directive) in data.iter().enumerate() {
            let by_node = |nodes: &mut FxHashMap<NodeId, Vec<usize>>, node| nodes.entry(node).or_default().push(at);
            by_node(&mut entering, directive.enters);
            directive
                .leaves
                .into_iter()
                .for_each(|node| by_node(&mut leaving, node));
        }
        FunctionDirectives {
            data,
            kernels,
            entering,
            leaving,
        }
    }

    /// The directives that control meets at a node, in text order.
    pub fn entering(&self, node: NodeId) -> impl DoubleEndedIterator<Item = &DirectiveRequests> {
        let places = self.entering.get(&node).into_iter().flatten();
        places.map(|at| &self.data[*at])
    }

    /// The directives whose regions end at a node, in text order.
    pub fn leaving(&self, node: NodeId) -> impl DoubleEndedIterator<Item = &DirectiveRequests> {
        let places = self.leaving.get(&node).into_iter().flatten();
        places.map(|at| &self.data[*at])
    }

    /// Whether one directive names both arrays, which says that they are two: list items of a construct do not share storage.
    pub fn name_both(&self, a: Base, b: Base) -> bool {
        let data = self.data.iter().map(|d| &d.requests);
        let names = |requests: &Requests, base: Base| requests.items.iter().any(|item| item.base == base);
        data.chain(&self.kernels)
            .any(|requests| names(requests, a) && names(requests, b))
    }

    /// The directives of which it is not known what they do.
    pub fn not_followed(&self, model: &FunctionModel<'_>) -> Vec<NotFollowed> {
        let data = self.data.iter().map(|d| (d.span, &d.requests));
        let launches = model
            .constructs
            .launches
            .iter()
            .map(|l| model.tree.pragma(l.pragma).span);
        let all = data.chain(launches.zip(&self.kernels));
        let unclear = |r: &Requests| (r.device == StepDevice::Unclear).then(|| "its device is not known".to_owned());
        let not_followed = all.filter_map(|(span, r)| Some((span, r.not_followed.clone().or_else(|| unclear(r))?)));
        not_followed.map(|(span, why)| NotFollowed { span, why }).collect()
    }
}

/// Who reads the directives of a function.
pub struct DirectiveReader<'a> {
    pub conditions: &'a Conditions,
    pub reader: ConditionReader<'a>,
}

impl DirectiveReader<'_> {
    /// Reads the directives of a function.
    ///
    /// # Errors
    /// The first directive of which it is not known where it stands.
    pub fn directives(&self) -> Result<FunctionDirectives, NotFollowed> {
        let model = self.reader.model;
        let data = model.constructs.user_data.iter().map(|user| self.data_directive(user));
        let data = data.collect::<Result<Vec<_>, _>>()?;
        let launches = model.constructs.launches.iter();
        let kernels = launches.map(|l| self.before(l.stmt, &l.directive)).collect();
        Ok(FunctionDirectives::new(data, kernels))
    }

    /// What a directive before a statement asks for, at the start of its region.
    fn before(&self, stmt: StmtId, directive: &Directive) -> Requests {
        let ConditionReader { model, macros } = self.reader;
        let Some(scope) = NameScope::before(model, macros, stmt) else {
            return Requests::default();
        };
        let mut found = Requests::of(directive, self.conditions.of(directive, &self.reader, &scope), &scope);
        for (request, item) in asked(directive, Moment::RegionEntry)
            .into_iter()
            .filter(|(_, item)| !is_number(item, &scope))
        {
            found.add_parts(&item, &scope);
            let mapped = mapped_before(model, macros, stmt, &[(request.map_type, item.clone())]);
            match mapped.first().filter(|m| is_understood(m)) {
                Some(mapped) if !self.names_whole_rows(&item, &scope) => found.in_parts.push(mapped.base),
                Some(mapped) => found.items.extend(requested(request, mapped, &scope)),
                None => drop(found.not_followed.get_or_insert_with(|| unknown_item(&item))),
            }
        }
        found
    }

    /// Whether an item names whole rows of an array whose rows are as long as variables say: of `double (*a)[m]`, clang maps all of the rows of
    /// `a[0:n][0:m/2]`, and an update copies the parts that it names.
    fn names_whole_rows(&self, item: &Item, scope: &NameScope<'_>) -> bool {
        let ConditionReader { model, macros } = self.reader;
        let name = item.path.to_string();
        if item.sections.len() < 2 || inner_dims(scope.indexed(&name)).is_some() {
            return true;
        }
        let inner = item.sections.iter().skip(1);
        let named = inner.map(|s| s.length.as_ref().and_then(|length| evaluate(length, scope)));
        let named: Option<Vec<Expr>> = named.collect();
        named.is_some() && named == declared_rows(model, macros, scope.stmt(), &name)
    }

    /// Whether an update copies part of one row, and no more, where rows are as long as variables say.
    fn copies_within_a_row(&self, request: MapRequest, item: &Item, scope: &NameScope<'_>) -> bool {
        let ConditionReader { model, macros } = self.reader;
        let name = item.path.to_string();
        let updates = matches!(request.moment, Moment::UpdateTo | Moment::UpdateFrom);
        let lengths = row_lengths(scope, &name);
        updates && lengths.is_some() && lengths == declared_rows(model, macros, scope.stmt(), &name)
    }

    fn data_directive(&self, user: &UserData) -> Result<DirectiveRequests, NotFollowed> {
        let ConditionReader { model, macros } = self.reader;
        let pragma = model.tree.pragma(user.pragma);
        let fails = |why: &str| NotFollowed {
            span: pragma.span,
            why: why.to_owned(),
        };
        if let Some(stmt) = user.stmt {
            let enters = model
                .coarse
                .region(stmt)
                .ok_or_else(|| fails("its region has no place of its own"))?;
            let leaves = model.coarse.gap(Place::After(stmt));
            let leaves = leaves.ok_or_else(|| fails("control does not come behind its region"))?;
            return Ok(DirectiveRequests {
                span: pragma.span,
                enters,
                leaves: Some(leaves),
                requests: self.before(stmt, &user.directive),
            });
        }
        let place =
            place_of(model, user.pragma).ok_or_else(|| fails("it stands where no statement of a block does"))?;
        let enters = model
            .coarse
            .gap(place)
            .ok_or_else(|| fails("it stands within what is one step"))?;
        let fine = model
            .fine
            .gap(place)
            .ok_or_else(|| fails("control does not come there"))?;
        let moment = match &user.directive {
            d if d.is(&Construct::TargetEnterData) => Moment::EnterData,
            d if d.is(&Construct::TargetExitData) => Moment::ExitData,
            _ => Moment::UpdateTo,
        };
        let scope = NameScope::gap(model, macros, fine, scope_stmt(model, place));
        let mut requests = Requests::of(
            &user.directive,
            self.conditions.of(&user.directive, &self.reader, &scope),
            &scope,
        );
        for (request, item) in asked(&user.directive, moment)
            .into_iter()
            .filter(|(_, item)| !is_number(item, &scope))
        {
            requests.add_parts(&item, &scope);
            let meant = meaning(model, macros, fine, scope_stmt(model, place), &item)
                .map(|(base, section)| (base, Some(section)));
            // Of part of a row it is known which array it is of.
            let array = || scope.base(&item.path.to_string()).map(|(base, _)| (base, None));
            let is_followed = |section: &Option<Section>| {
                let within_a_row = section.is_some() && self.copies_within_a_row(request, &item, &scope);
                within_a_row || self.names_whole_rows(&item, &scope)
            };
            match meant.or_else(array) {
                Some((base, section)) if !is_followed(&section) => requests.in_parts.push(base),
                Some((base, section)) if item.path.steps.is_empty() || matches!(base, Base::Value(_)) => {
                    let text = Some(item.text.as_str().into());
                    requests.items.push(RequestedItem {
                        base,
                        section,
                        request,
                        text,
                    });
                }
                _ => drop(requests.not_followed.get_or_insert_with(|| unknown_item(&item))),
            }
        }
        Ok(DirectiveRequests {
            span: pragma.span,
            enters,
            leaves: None,
            requests,
        })
    }
}

/// Whether an item is a variable with a number, which is no array.
fn is_number(item: &Item, scope: &NameScope<'_>) -> bool {
    let declared = scope.declared(&item.path.to_string());
    item.sections.is_empty() && matches!(declared, Some(SourceType::Int { .. } | SourceType::Float { .. }))
}

fn unknown_item(item: &Item) -> String {
    format!("nobody knows which array its list item `{}` names", item.text)
}

/// Whether it is known what a list item maps: a member that is an array is part of its struct.
fn is_understood(mapped: &Mapped) -> bool {
    mapped.item.path.steps.is_empty() || matches!(mapped.base, Base::Value(_))
}

/// Where a directive that governs nothing stands.
fn place_of(model: &FunctionModel<'_>, pragma: PragmaId) -> Option<Place> {
    let at = model.tree.pragma(pragma);
    if let Some(stmt) = at.before {
        return Some(Place::Before(stmt));
    }
    let block = at.inside?;
    let last = model.tree.stmt(block).children.last();
    Some(last.map_or(Place::Start(block), |last| Place::After(*last)))
}

/// A resolved item that is about an array.
fn requested(request: MapRequest, mapped: &Mapped, scope: &NameScope<'_>) -> Option<RequestedItem> {
    let in_a_row = || within_a_row(scope, &mapped.item);
    (mapped.is_array && !mapped.pointer_itself).then(|| RequestedItem {
        base: mapped.base,
        section: mapped.section.clone().or_else(in_a_row),
        request,
        text: Some(mapped.item.text.as_str().into()),
    })
}

/// The requests of a directive's clauses; updates get their moments from their clauses.
fn asked(directive: &Directive, moment: Moment) -> Vec<(MapRequest, Item)> {
    let mut found = Vec::new();
    for clause in &directive.clauses {
        let (moment, map_type, modifiers, items) = match &clause.kind {
            ClauseKind::Map(map) => (moment, map.effective_type(), &map.modifiers, &map.items),
            ClauseKind::To(motion) => (Moment::UpdateTo, MapType::To, &motion.modifiers, &motion.items),
            ClauseKind::From(motion) => (Moment::UpdateFrom, MapType::From, &motion.modifiers, &motion.items),
            _ => continue,
        };
        let request = MapRequest {
            always: modifiers.contains(&MapModifier::Always),
            present: modifiers.contains(&MapModifier::Present),
            ..MapRequest::new(moment, map_type)
        };
        found.extend(items.iter().map(|item| (request, item.clone())));
    }
    found
}

/// Whether it is known what the `defaultmap` clauses of a directive do with arrays: of pointers that are mapped themselves, and of arrays that kernels have
/// copies of, it is not.
fn defaultmap_is_followed(directive: &Directive) -> bool {
    let of = |class| {
        let unnamed = RegionVariable {
            name: "",
            class,
            iterates: false,
            declared: DeclaredTarget::No,
        };
        attribute(directive, &unnamed, SpecVersion::default()).attribute
    };
    let of_arrays = matches!(of(VariableClass::Array), Attribute::Map { .. } | Attribute::Unlisted);
    let of_pointers = of(VariableClass::Pointer);
    of_arrays && matches!(of_pointers, Attribute::ZeroLengthSection | Attribute::Unlisted)
}

/// What a directive has that the model has no words for.
fn not_followed(directive: &Directive) -> Option<String> {
    let known = [MapModifier::Always, MapModifier::Close, MapModifier::Present];
    let problem = |clause: &Clause| {
        let is_part = |item: &Item| !item.sections.is_empty();
        let (modifiers, items): (&[MapModifier], &[Item]) = match &clause.kind {
            ClauseKind::Map(map) => (&map.modifiers, &map.items),
            ClauseKind::To(motion) | ClauseKind::From(motion) => (&motion.modifiers, &motion.items),
            ClauseKind::Reduction { items, .. }
            | ClauseKind::Lastprivate { items, .. }
            | ClauseKind::Linear { items, .. }
                if items.iter().any(is_part) =>
            {
                return Some(format!(
                    "parts of arrays in its clause `{}` are not followed",
                    clause.name
                ));
            }
            ClauseKind::Defaultmap { .. } if defaultmap_is_followed(directive) => return None,
            ClauseKind::Defaultmap { .. } | ClauseKind::InReduction { .. } => {
                return Some(format!("its clause `{}` is not followed", clause.name));
            }
            _ => return None,
        };
        let modified = modifiers.iter().any(|m| !known.contains(m));
        let unparsed = modified || items.iter().any(|item| item.unparsed);
        unparsed.then(|| {
            format!(
                "a list item or a modifier of its clause `{}` is not followed",
                clause.name
            )
        })
    };
    directive.clauses.iter().find_map(problem)
}
