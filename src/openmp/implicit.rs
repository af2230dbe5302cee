//! What a `target` region does with a variable it uses, when clauses do not say, and when they do.
//!
//! The rules are OpenMP 5.0 section 2.19.7 (5.1: 2.21.7, 5.2: 5.8, 6.0: 7.9) and, for the clauses of combined constructs,
//! 2.19.7 with 2.14. In this order, the first that applies:
//!
//! 1. The variable, a section or a member of it, is in a `map`, `is_device_ptr` or `has_device_addr` clause.
//! 2. It is in `reduction`, `lastprivate` or `linear` of a combined construct: `map(tofrom)`; in `in_reduction`:
//!    `map(always, tofrom)`. New in 5.0. (clang 19 does so for `reduction` only, under every version; a program that relies
//!    on `lastprivate` or `linear` gets the old value back there.)
//! 3. It is in `firstprivate` or `private`.
//! 4. It is the variable of an associated loop: private.
//! 5. It is a `declare target` variable: the device's own copy for `to` and `enter`; `map(tofrom)` for `link`.
//! 6. `defaultmap` for its category.
//! 7. Scalars are firstprivate; arrays and structs are `map(tofrom)`; pointers are zero-length sections, that is, they are
//!    translated where what they point to is mapped, and otherwise keep their value (5.2) or are null (up to 5.1 by the
//!    letter; runtimes keep the value); pointers to functions are firstprivate.
//!
//! What an enclosing `target data` maps changes nothing here: a scalar mapped outside is still firstprivate inside, and an
//! array's implicit `tofrom` merely counts once more ([`super::map`]). Nor does `shared`, which is about threads.

use super::names::Construct;
use super::{Category, ClauseKind, DefaultmapBehaviour, Directive, Item, MapModifier, MapType, SpecVersion};

/// The type of a variable, as far as the rules look at it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "the rules are whole; only arrays and what points to them are asked for"
    )
)]
pub enum VariableClass {
    Scalar,
    Pointer,
    FunctionPointer,
    Array,
    /// A struct or a union.
    Struct,
}

/// Whether a `declare target` names a variable.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the rules are whole; what is in `link` is left alone before")
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeclaredTarget {
    /// No.
    #[default]
    No,
    /// In `to` or `enter`, or between the directives.
    Enter,
    /// In `link`.
    Link,
}

/// A variable that is declared outside a `target` region and used inside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RegionVariable<'a> {
    /// The variable's name.
    pub name: &'a str,
    /// The variable's type.
    pub class: VariableClass,
    /// The variable is the iteration variable of a loop that the directive is associated with.
    pub iterates: bool,
    /// The variable's `declare target`.
    pub declared: DeclaredTarget,
}

/// What a region does with a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attribute {
    /// A new one, uninitialised; nothing is transferred.
    Private,
    /// A new one with the host's value; passed with the launch, never copied back.
    Firstprivate,
    /// Mapped as a whole, or the part of an array that a section names.
    Map {
        /// The type of the map.
        map_type: MapType,
        /// With `always`.
        always: bool,
        /// With `present`.
        present: bool,
    },
    /// A pointer to mapped storage: a section of what it points to is in a `map` clause.
    Attached,
    /// Members of it, or of what it points to, are mapped by a clause; or a list item that is no plain path names it.
    Part,
    /// A pointer, as if by `map(alloc: p[:0])`.
    ZeroLengthSection,
    /// Holds a device address already (`is_device_ptr`).
    DevicePointer,
    /// Stands for storage on the device (`has_device_addr`).
    DeviceAddress,
    /// Lives on the device for the whole program (`declare target`); nothing is transferred.
    Resident,
    /// An error: `defaultmap(none)` wants it in a clause.
    Unlisted,
}

/// Which rule gave an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttributeReason {
    /// The clause at this index of [`Directive::clauses`], `defaultmap` included.
    Clause(usize),
    /// The variable iterates an associated loop.
    LoopVariable,
    /// The variable is a `declare target` variable.
    DeclareTarget,
    /// No clause says anything: the rule for its type.
    Default,
}

/// An attribute and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AttributeDecision {
    /// What happens.
    pub attribute: Attribute,
    /// Why.
    pub reason: AttributeReason,
}

impl Attribute {
    /// A map without modifiers.
    pub const fn map(map_type: MapType) -> Attribute {
        Attribute::Map {
            map_type,
            always: false,
            present: false,
        }
    }
}

/// What `directive`, which has a `target`, does with `variable`.
pub fn attribute(directive: &Directive, variable: &RegionVariable<'_>, version: SpecVersion) -> AttributeDecision {
    let rules = [explicit, reductions, privatised];
    for rule in rules {
        if let Some((index, attribute)) = rule(directive, variable, version) {
            return AttributeDecision {
                attribute,
                reason: AttributeReason::Clause(index),
            };
        }
    }
    if variable.iterates {
        return AttributeDecision {
            attribute: Attribute::Private,
            reason: AttributeReason::LoopVariable,
        };
    }
    match variable.declared {
        DeclaredTarget::Enter => {
            return AttributeDecision {
                attribute: Attribute::Resident,
                reason: AttributeReason::DeclareTarget,
            };
        }
        DeclaredTarget::Link => {
            return AttributeDecision {
                attribute: Attribute::map(MapType::Tofrom),
                reason: AttributeReason::DeclareTarget,
            };
        }
        DeclaredTarget::No => {}
    }
    if let Some((index, attribute)) = by_defaultmap(directive, variable.class) {
        return AttributeDecision {
            attribute,
            reason: AttributeReason::Clause(index),
        };
    }
    AttributeDecision {
        attribute: by_class(variable.class),
        reason: AttributeReason::Default,
    }
}

/// Rule 7.
fn by_class(class: VariableClass) -> Attribute {
    match class {
        VariableClass::Scalar | VariableClass::FunctionPointer => Attribute::Firstprivate,
        VariableClass::Array | VariableClass::Struct => Attribute::map(MapType::Tofrom),
        VariableClass::Pointer => Attribute::ZeroLengthSection,
    }
}

/// Rule 1. A clause that names the variable as a whole says more than one that names parts of it.
fn explicit(directive: &Directive, variable: &RegionVariable<'_>, _: SpecVersion) -> Option<(usize, Attribute)> {
    let mut best: Option<(usize, Attribute)> = None;
    let mut part: Option<(usize, Attribute)> = None;
    for (index, clause) in directive.clauses.iter().enumerate() {
        for item in clause.kind.items() {
            let attribute = match &clause.kind {
                // Remembered in case nothing better comes.
                ClauseKind::Map(_) if is_part(item, variable.name) => {
                    part = part.or(Some((index, Attribute::Part)));
                    continue;
                }
                _ if item.path.base != variable.name => continue,
                ClauseKind::Map(_) if variable.class == VariableClass::Pointer && !item.sections.is_empty() => {
                    Attribute::Attached
                }
                ClauseKind::Map(map) => Attribute::Map {
                    map_type: map.effective_type(),
                    always: map.has(&MapModifier::Always),
                    present: map.has(&MapModifier::Present),
                },
                ClauseKind::IsDevicePtr { .. } => Attribute::DevicePointer,
                ClauseKind::HasDeviceAddr { .. } => Attribute::DeviceAddress,
                _ => continue,
            };
            // `map(t, t[0:n])` maps the pointer and what it points to; the latter is what the kernel uses.
            if best.is_none() || attribute == Attribute::Attached {
                best = Some((index, attribute));
            }
        }
    }
    best.or(part)
}

/// Whether the item is a member of the variable, or something that is no path but mentions it.
fn is_part(item: &Item, name: &str) -> bool {
    if item.unparsed {
        let mut words = item.text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        return words.any(|word| word == name);
    }
    item.path.base == name && !item.path.steps.is_empty()
}

/// Rule 2.
fn reductions(
    directive: &Directive,
    variable: &RegionVariable<'_>,
    version: SpecVersion,
) -> Option<(usize, Attribute)> {
    if version < SpecVersion::V50 {
        return None;
    }
    let combined = directive.kind.len() > 1;
    find(directive, variable, |kind| match kind {
        ClauseKind::InReduction { .. } if directive.has(&Construct::Target) => Some(Attribute::Map {
            map_type: MapType::Tofrom,
            always: true,
            present: false,
        }),
        // A loop's own variable in `linear` is private to every thread all the same.
        ClauseKind::Linear { .. } if combined && !variable.iterates => Some(Attribute::map(MapType::Tofrom)),
        ClauseKind::Reduction { .. } | ClauseKind::Lastprivate { .. } if combined => {
            Some(Attribute::map(MapType::Tofrom))
        }
        _ => None,
    })
}

/// Rule 3.
fn privatised(directive: &Directive, variable: &RegionVariable<'_>, _: SpecVersion) -> Option<(usize, Attribute)> {
    find(directive, variable, |kind| match kind {
        ClauseKind::Firstprivate { .. } => Some(Attribute::Firstprivate),
        ClauseKind::Private { .. } => Some(Attribute::Private),
        _ => None,
    })
}

/// The first clause that names the variable and has an attribute for it.
fn find(
    directive: &Directive,
    variable: &RegionVariable<'_>,
    attribute: impl Fn(&ClauseKind) -> Option<Attribute>,
) -> Option<(usize, Attribute)> {
    directive.clauses.iter().enumerate().find_map(|(index, clause)| {
        let named = clause.kind.items().iter().any(|item| item.path.base == variable.name);
        Some((index, attribute(&clause.kind).filter(|_| named)?))
    })
}

/// Rule 6. `None` also for `defaultmap(default)`, which leads to rule 7.
fn by_defaultmap(directive: &Directive, class: VariableClass) -> Option<(usize, Attribute)> {
    let category = match class {
        VariableClass::Scalar => Category::Scalar,
        VariableClass::Pointer | VariableClass::FunctionPointer => Category::Pointer,
        VariableClass::Array | VariableClass::Struct => Category::Aggregate,
    };
    let of = |wanted: Category| {
        directive
            .clauses
            .iter()
            .enumerate()
            .find_map(move |(index, clause)| match clause.kind {
                ClauseKind::Defaultmap { behaviour, category } if category == wanted => Some((index, behaviour)),
                _ => None,
            })
    };
    let (index, behaviour) = of(category).or_else(|| of(Category::All))?;
    let attribute = match behaviour {
        DefaultmapBehaviour::Default => return None,
        DefaultmapBehaviour::Alloc => Attribute::map(MapType::Alloc),
        DefaultmapBehaviour::To => Attribute::map(MapType::To),
        DefaultmapBehaviour::From => Attribute::map(MapType::From),
        DefaultmapBehaviour::Tofrom => Attribute::map(MapType::Tofrom),
        DefaultmapBehaviour::Firstprivate => Attribute::Firstprivate,
        DefaultmapBehaviour::Private => Attribute::Private,
        DefaultmapBehaviour::None => Attribute::Unlisted,
        DefaultmapBehaviour::Present => Attribute::Map {
            map_type: MapType::Alloc,
            always: false,
            present: true,
        },
        // Host and device share the storage, so that nothing is ever copied.
        DefaultmapBehaviour::SelfMap => Attribute::map(MapType::Alloc),
    };
    Some((index, attribute))
}

#[cfg(test)]
mod tests;
