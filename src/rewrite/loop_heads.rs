//! Files whose loops have heads that macros stand for, rewritten with these heads written out.
//!
//! ```text
//! FOR(i, n) a[i] = 0;  ─►  for (/*^0*/int i = 0; i < n; i++) a[i] = 0;  ─► … ─►  FOR(i, n) a[i] = 0;
//! ```
//!
//! What is written is as right with the macro as with its head: the preprocessor makes one of the other. A comment with a number
//! stands in each head, by which the macro's use is found again. Where one is not, or clang does not accept what comes of it, the
//! files are rewritten as they are.

use super::chain::{After, BetweenSteps};
use super::progress::Silent;
use super::services::Services;
use super::unit::{GivenUnit, Outcome, Rewritten, Unit};
use crate::llvm::{self, Input};
use crate::source::EditSet;
use crate::syntax::{HiddenHead, hidden_heads};

/// What the comment in a head begins with: no stand-in of what other steps hide.
const BEGINS: &str = "/*^";

/// What is done with the files of a run.
type Work<'w> = &'w dyn for<'g> Fn(Vec<GivenUnit<'g>>, &Services<'g>) -> Rewritten;

/// Lets `work` see files with the heads of their loops written out.
pub(super) fn with_loop_heads<'a>(given: Vec<GivenUnit<'a>>, services: &Services<'a>, work: Work<'_>) -> Rewritten {
    let units: Vec<(Unit<'a>, bool)> = given.iter().map(|g| (g.unit, g.context)).collect();
    let directives = units.iter().flat_map(|(unit, _)| directive_lines(unit.text));
    let including: Vec<&[u8]> = directives.filter(|line| has(line, b"include")).collect();
    let heads: Vec<Vec<HiddenHead>> = units.iter().map(|(unit, _)| heads_of(*unit, &including)).collect();
    if heads.iter().all(Vec::is_empty) {
        return work(given, services);
    }
    let first: Vec<Outcome> = units.iter().zip(&heads).map(|((u, _), h)| written_out(u, h)).collect();
    let facts = given.into_iter().map(|g| g.facts);
    let steps = units.iter().zip(&first).enumerate();
    let steps: Vec<BetweenSteps<'_>> = steps
        .map(|(at, ((unit, context), first))| BetweenSteps::new(at, *unit, *context, first, After::LoopHeads))
        .collect();
    let each = steps.iter().zip(facts).zip(&heads);
    let again = each.map(|((step, facts), heads)| step.given(facts.filter(|_| heads.is_empty())));
    let mut made = work(again.collect(), services);
    for ((outcome, step), heads) in made.files.iter_mut().zip(&steps).zip(&heads) {
        let second = match outcome {
            Ok(second) => second,
            // What is wrong with a text that nobody wrote is nobody's business.
            Err(_) if !heads.is_empty() => return as_they_are(&units, services, work),
            Err(_) => continue,
        };
        let bound = second.bound;
        let mut joined = step.with(std::mem::take(second));
        if !with_macros(&mut joined, step.unit, heads) {
            return as_they_are(&units, services, work);
        }
        *second = Outcome { bound, ..joined };
    }
    made
}

/// The heads that are written out in a file, of which no line of another includes one of its name: such a part is read from the disk.
fn heads_of(unit: Unit<'_>, including: &[&[u8]]) -> Vec<HiddenHead> {
    if !unit.is_source() || !unit.options.dumps.is_empty() || !may_define_heads(unit.text) {
        return Vec::new();
    }
    let name = unit.path.file_name().unwrap_or_default().as_encoded_bytes();
    let heads = hidden_heads(unit.text);
    match heads.is_empty() || has_markers(unit.text) || including.iter().any(|line| has(line, name)) {
        true => Vec::new(),
        false => heads,
    }
}

/// The lines of directives in a text.
fn directive_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|b| *b == b'\n');
    lines.filter(|line| line.trim_ascii_start().first() == Some(&b'#'))
}

/// Whether one text stands in another.
fn has(text: &[u8], piece: &[u8]) -> bool {
    text.windows(piece.len().max(1)).any(|there| there == piece)
}

/// Whether a line of a text may define such a macro, as a glance says: most texts have none.
fn may_define_heads(text: &[u8]) -> bool {
    let is_loop = |line: &[u8]| has(line, b"for") || has(line, b"while") || line.trim_ascii_end().ends_with(b"\\");
    directive_lines(text).any(|line| has(line, b"define") && is_loop(line))
}

/// A head with its comment, behind which no directive can be put.
fn marked(number: usize, head: &HiddenHead) -> Vec<u8> {
    let written = &head.head;
    let open = written.find('(').map_or(0, |at| at + 1);
    format!("{}{BEGINS}{number}*/{}", &written[..open], &written[open..]).into_bytes()
}

/// Whether a text has something that could be taken for such a comment.
fn has_markers(text: &[u8]) -> bool {
    has(text, BEGINS.as_bytes())
}

/// A file's text with its heads written out.
fn written_out(unit: &Unit<'_>, heads: &[HiddenHead]) -> Outcome {
    let mut edits = EditSet::new();
    for (number, head) in heads.iter().enumerate() {
        // What stands within another use is written out by that.
        drop(edits.replace(head.span, marked(number, head)));
    }
    Outcome {
        new_text: (!edits.is_empty()).then(|| edits.apply(unit.text)),
        edits,
        ..Outcome::default()
    }
}

/// Puts the macros back into what was made; whether that is a text which clang accepts.
fn with_macros(outcome: &mut Outcome, unit: Unit<'_>, heads: &[HiddenHead]) -> bool {
    outcome.edits = EditSet::new();
    let Some(made) = outcome.new_text.take().filter(|_| !heads.is_empty()) else {
        return true;
    };
    let Some(text) = shown(&made, unit.text, heads) else {
        return false;
    };
    let changed = text != unit.text;
    let input = Input::text(unit.path, &text);
    let accepted = !changed || llvm::syntax_only(&unit.options.clang, &input, &unit.options.compile, true).is_ok();
    outcome.new_text = changed.then_some(text);
    accepted
}

/// A text with the macros back; `None` where a head is not what was written out.
fn shown(made: &[u8], original: &[u8], heads: &[HiddenHead]) -> Option<Vec<u8>> {
    let mut text: Vec<u8> = Vec::with_capacity(made.len());
    let mut rest = made;
    let find = |rest: &[u8]| rest.windows(BEGINS.len()).position(|there| there == BEGINS.as_bytes());
    while let Some(at) = find(rest) {
        let digits = &rest[at + BEGINS.len()..];
        let digits = &digits[..digits.iter().take_while(|b| b.is_ascii_digit()).count()];
        let number: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
        let head = heads.get(number)?;
        let written = marked(number, head);
        // The comment stands within the head.
        let start = at.checked_sub(find(&written)?)?;
        let behind = rest.get(start..)?.strip_prefix(written.as_slice())?;
        text.extend(&rest[..start]);
        text.extend(original.get(head.span.start..head.span.end)?);
        rest = behind;
    }
    text.extend(rest);
    Some(text)
}

/// What comes of the files with their macros.
fn as_they_are<'a>(units: &[(Unit<'a>, bool)], services: &Services<'a>, work: Work<'_>) -> Rewritten {
    // Who waits has been told of these files.
    let services = Services {
        store: services.store,
        progress: &Silent,
    };
    let given = units.iter().map(|(unit, context)| GivenUnit {
        unit: *unit,
        facts: None,
        context: *context,
    });
    work(given.collect(), &services)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_come_back_wherever_their_heads_are() {
        let text = b"#define FOR(i, n) for (int i = 0; i < n; i++)\nvoid f(void) { FOR(i, 3) ; FOR(k, 4) ; }\n";
        let heads = hidden_heads(text);
        let first = |number: usize| String::from_utf8(marked(number, &heads[number])).expect("text");
        let made = format!("{{ {} ; {} ; {} ; }}", first(1), first(0), first(1));
        let back = shown(made.as_bytes(), text, &heads).expect("a text");
        assert_eq!(
            String::from_utf8_lossy(&back),
            "{ FOR(k, 4) ; FOR(i, 3) ; FOR(k, 4) ; }"
        );
        assert_eq!(shown(made.replace("int k", "int l").as_bytes(), text, &heads), None);
        assert_eq!(shown(b"for (/*^7*/;;) ;", text, &heads), None);
    }
}
