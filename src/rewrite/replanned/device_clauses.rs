//! A program whose directives all name one device, while it is planned as if that were the default one.
//!
//! ```c
//!                                                                       #pragma omp target data map(tofrom: a[0:n]) device(gpu)      // new
//! #pragma omp target device(gpu) map(tofrom: a[0:n])            ──►     #pragma omp target device(gpu) map(tofrom: a[0:n])
//! for (…) a[i] += 1;         /*~0 ~~~*/                                 for (…) a[i] += 1;
//! ```
//!
//! A comment as long as the clause stands in its place, so that no byte of the program moves. In what was written, the clauses come back, and directives that are new
//! get one, too. Whether `gpu` means there what it means at the kernels, `check` says afterwards.

use crate::openmp::{ClauseKind, Construct, Directive};
use crate::rewrite::stand_ins::{has_stand_ins, stand_in};
use crate::source::{EditSet, Span};
use crate::syntax::blank;

/// The device clauses of a file, all of which say one thing.
#[derive(Debug)]
pub(super) struct DeviceClauses {
    /// What they say, as it is written first.
    device: String,
    /// Where they stand.
    places: Vec<Span>,
}

/// What a text says of devices.
#[derive(Debug)]
pub(super) enum NamedDevices {
    /// There are no directives that could name one.
    Nothing,
    /// All directives mean the default device.
    Default,
    /// All its directives name one.
    One(DeviceClauses),
    /// Several, or some directives name none.
    Mixed,
}

/// Whether a directive is one of those that take a device.
fn takes_device(directive: &Directive) -> bool {
    directive.is_launch() || has_data(directive)
}

/// Whether a directive manages data on a device, and runs nothing there.
pub(super) fn has_data(directive: &Directive) -> bool {
    let alone = [
        Construct::TargetEnterData,
        Construct::TargetExitData,
        Construct::TargetUpdate,
    ];
    directive.is_target_data() || alone.iter().any(|construct| directive.is(construct))
}

/// The directives of a text that take a device, each with the pragma's place.
fn directives(text: &[u8]) -> Vec<(Span, Directive)> {
    let parsed = blank(text, &[]).pragmas.into_iter().filter_map(|pragma| {
        let raw = std::str::from_utf8(text.get(pragma.span.start..pragma.span.end)?).ok()?;
        Some((pragma.span, Directive::parse(raw)?))
    });
    parsed.filter(|(_, directive)| takes_device(directive)).collect()
}

/// The device that a directive names, and where.
fn named(text: &[u8], at: Span, directive: &Directive) -> Option<(String, Span)> {
    let clause = directive.clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Device { modifier, expr } => Some((modifier, expr, clause.span)),
        _ => None,
    });
    let (modifier, expr, span) = clause?;
    let is_number = modifier.as_deref().is_none_or(|word| word.trim() == "device_num");
    let place = Span::new(at.start + span.start, at.start + span.end);
    let on_one_line = !text.get(place.start..place.end)?.contains(&b'\n');
    (is_number && on_one_line).then(|| (expr.clone(), place))
}

/// Whether two texts differ in blanks alone.
fn is_same(a: &str, b: &str) -> bool {
    a.split_ascii_whitespace().eq(b.split_ascii_whitespace())
}

impl NamedDevices {
    /// What a text's directives name.
    pub fn of(text: &[u8]) -> NamedDevices {
        let all = directives(text);
        let has_clause = |d: &Directive| d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Device { .. }));
        if !all.iter().any(|(_, directive)| has_clause(directive)) {
            return match all.is_empty() {
                true => NamedDevices::Nothing,
                false => NamedDevices::Default,
            };
        }
        let named: Option<Vec<(String, Span)>> = all.iter().map(|(at, d)| named(text, *at, d)).collect();
        let Some(named) = named.filter(|_| !has_stand_ins(text)) else {
            return NamedDevices::Mixed;
        };
        let mut places = named.iter().enumerate();
        if places.any(|(number, (_, place))| stand_in(number, place.len()).is_none()) {
            return NamedDevices::Mixed;
        }
        let device = named.first().map(|(device, _)| device.clone()).unwrap_or_default();
        match named.iter().all(|(other, _)| is_same(other, &device)) {
            true => NamedDevices::One(DeviceClauses {
                device,
                places: named.into_iter().map(|(_, place)| place).collect(),
            }),
            false => NamedDevices::Mixed,
        }
    }

    /// Whether two files of a program may be planned together.
    pub fn goes_with(&self, other: &NamedDevices) -> bool {
        match (self, other) {
            (NamedDevices::One(a), NamedDevices::One(b)) => is_same(&a.device, &b.device),
            (NamedDevices::Mixed, _) | (_, NamedDevices::Mixed) => false,
            (NamedDevices::Nothing, _) | (_, NamedDevices::Nothing) => true,
            (NamedDevices::Default, NamedDevices::Default) => true,
            _ => false,
        }
    }
}

impl DeviceClauses {
    /// The clauses' places, and the comments that hide them.
    pub fn hidden(&self) -> impl Iterator<Item = (Span, Vec<u8>)> {
        let numbered = self.places.iter().enumerate();
        numbered.filter_map(|(number, place)| Some((*place, stand_in(number, place.len())?)))
    }

    /// A text that was made of the one without the clauses, with them, and with one on each new directive.
    pub fn shown(&self, original: &[u8], made: &[u8]) -> Option<Vec<u8>> {
        let mut text = made.to_vec();
        for (place, marker) in self.hidden() {
            // A clause goes with its directive.
            if let Some(at) = text.windows(marker.len()).position(|there| there == marker) {
                text[at..at + marker.len()].copy_from_slice(original.get(place.start..place.end)?);
            }
        }
        let mut edits = EditSet::new();
        for (at, directive) in directives(&text) {
            if named(&text, at, &directive).is_none() {
                let clause = format!(" device({})", self.device.trim());
                edits.insert(at.start + directive.span.end, 0, clause).ok()?;
            }
        }
        Some(edits.apply(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_come_back_and_new_directives_get_one() {
        let text = b"#pragma omp target device( gpu ) map(a[0:n])\nfor (;;) ;\n#pragma omp target map(b[0:n]) device(gpu)\nfor (;;) ;\n";
        let NamedDevices::One(clauses) = NamedDevices::of(text) else {
            panic!("one device");
        };
        let mut hidden = text.to_vec();
        for (place, marker) in clauses.hidden() {
            hidden[place.start..place.end].copy_from_slice(&marker);
        }
        assert!(!String::from_utf8_lossy(&hidden).contains("device"));
        let made = [b"#pragma omp target data map(a[0:n]) // c\n".to_vec(), hidden].concat();
        let shown = clauses.shown(text, &made).expect("a text");
        let new = "#pragma omp target data map(a[0:n]) device(gpu) // c\n";
        assert_eq!(
            String::from_utf8_lossy(&shown),
            format!("{new}{}", String::from_utf8_lossy(text))
        );
    }

    #[test]
    fn directives_for_several_devices_stay() {
        let mixed = |text: &[u8]| matches!(NamedDevices::of(text), NamedDevices::Mixed);
        assert!(mixed(
            b"#pragma omp target device(0)\n;\n#pragma omp target device(1)\n;\n"
        ));
        assert!(mixed(b"#pragma omp target device(0)\n;\n#pragma omp target\n;\n"));
        assert!(mixed(b"#pragma omp target device(ancestor: 1)\n;\n"));
        assert!(matches!(
            NamedDevices::of(b"#pragma omp target\n;\n"),
            NamedDevices::Default
        ));
    }
}
