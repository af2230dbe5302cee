//! A program's files with other numbers in the place of those that it can be compiled with otherwise.
//!
//! ```c
//! #ifndef N
//! #define N 1000                   N is worth 1000, or what `-DN=…` says
//! #endif
//! #define CELLS (N * 8)            CELLS follows N
//! #define BITS (1 << 10)           BITS is worth 1024
//! enum { ROWS = 64, COLUMNS };     COLUMNS follows ROWS
//! static const int steps = 20;
//! int n = 4000;                    in a function that never changes it
//! ```
//!
//! A *root* is a number that has a name and is made of no names ([`super::numbers`] finds them). A *sample* is the program with another
//! number in the place of each root. Roots of one name change alike wherever they stand, and each name changes by another
//! amount, so that what follows one of them is told from what follows another. Other numbers of the text are what the source
//! says, and nobody gives them another value.
//!
//! A macro that follows others only where nobody says otherwise has a value of its own, too, so that in a sample something is
//! added to it:
//!
//! ```c
//! #ifndef K
//! #define K N                      K is worth N, or what `-DK=…` says: ((N)+61) in a sample
//! #endif
//! ```
//!
//! Variables that a function never changes are no configurations: nobody builds the program with another value of theirs. But
//! the compiler knows their values as well, and what is written should say their names.
//!
//! **Limits.** Macros of the system's headers keep their values.

use super::factors::Factors;
use super::numbers::{LEAST, Root, RootKind, flagged, number, roots};
use super::program_texts::{ProgramTexts, asked_conditions};
use super::unknown_numbers::{self, nameable};
use crate::rewrite::unit::ToolOptions;
use crate::source::Span;
use crate::syntax::{ChosenMacro, chosen_macros, identifiers};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How samples differ from the program as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shift {
    /// All numbers are several times as large.
    Far,
    /// Numbers are a little larger.
    Above,
    /// Numbers are a little larger, by other amounts: what is added to one in [`Shift::Above`] may be the difference of what is added
    /// to two others, and is not here.
    Aside,
    /// Sizes that macros say are a little smaller, and larger ones lose more: what covers an array in the program as it is may not, and a
    /// loop that ends with an array of another length (`i < ROWS - 2` over `a[N]`) ends before it. What is too small for a size stays.
    Less,
    /// Each number is a multiple of what it is: a program that asserts what its sizes are multiples of can be compiled so.
    Multiples(Factors),
    /// Macros are worth more than this: what a literal is enough for may be more in another build.
    Past(i128),
    /// The first macros are small, and the larger one of two is the smaller one here; the others as in [`Shift::Less`].
    Turned {
        /// The first macros are smaller than this.
        limit: i128,
        /// How many there are of these.
        names: i128,
    },
    /// Numbers are so large that kernels run that do not run for less work than that.
    High,
    /// Numbers are so small that these kernels do not.
    Low,
    /// Macros are names of numbers that nothing is known of.
    Unknown,
}

/// The names whose numbers differ between samples; each has its place among all, which says by how much.
pub(super) type Varied = BTreeMap<String, i128>;

/// Macros of a header that are worth a number and mean the same throughout, with their values in it and in its samples.
pub(super) fn macros<'s>(text: &[u8], samples: impl Iterator<Item = &'s [u8]>) -> Vec<(String, Vec<i128>)> {
    let samples: Vec<Vec<Root>> = samples.map(roots).collect();
    let own = roots(text);
    let words = identifiers(text, Span::new(0, text.len()));
    let undefined = |name: &str| words.windows(2).any(|w| w[0].0 == "undef" && w[1].0 == name);
    let once = |name: &str| own.iter().filter(|r| r.name == name).count() == 1;
    let alone = |root: &Root| {
        let before = text[..root.digits.start].trim_ascii_end();
        let behind = &text[root.digits.end..];
        let line = &behind[..behind.iter().position(|b| *b == b'\n').unwrap_or(behind.len())];
        before.ends_with(root.name.as_bytes()) && line.trim_ascii().is_empty()
    };
    let usable = own
        .iter()
        .enumerate()
        .filter(|(_, r)| alone(r) && once(&r.name) && !undefined(&r.name));
    let values = usable.filter_map(|(i, root)| {
        let more = samples.iter().map(|roots| roots.get(i).map(|r| r.value));
        let values: Option<Vec<i128>> = std::iter::once(Some(root.value)).chain(more).collect();
        Some((root.name.clone(), values?))
    });
    values.collect()
}

/// The names of all roots of some texts and flags, with `unchanged` those of variables that are only never changed, too. A
/// variable whose number the source has elsewhere does not change: `const int n = 30;` beside `double a[30];`.
pub(super) fn varied<'t>(
    texts: &ProgramTexts<'_>,
    options: impl Iterator<Item = &'t ToolOptions>,
    unchanged: bool,
) -> Varied {
    let said: BTreeSet<i128> = texts.literals().filter(|l| !l.named).map(|l| l.value).collect();
    let followers: Vec<Follower> = texts.all().flat_map(followers).collect();
    let roots = texts
        .roots()
        .filter(|r| !r.is_variable() || !said.contains(&r.value))
        .filter(|r| unchanged || r.kind != RootKind::Unchanged);
    let mut found: BTreeMap<String, i128> = BTreeMap::new();
    for root in roots {
        found.entry(root.name.clone()).or_insert(root.value);
    }
    for options in options {
        let flags = options.compile.flags.iter();
        for (name, _, value) in flags.filter_map(|f| flagged(f)) {
            found.insert(name.to_owned(), value);
        }
    }
    // Macros that follow these have no number of their own, and come first.
    loop {
        let known = found.len();
        for follower in &followers {
            if follower.names.iter().all(|name| found.contains_key(name)) {
                found.entry(follower.name.clone()).or_insert(-1);
            }
        }
        if found.len() == known {
            break;
        }
    }
    // What is larger stays larger.
    let mut by_value: Vec<(i128, String)> = found.into_iter().map(|(name, value)| (value, name)).collect();
    by_value.sort();
    by_value
        .into_iter()
        .zip(0..)
        .map(|((_, name), at)| (name, at))
        .collect()
}

/// A macro that is worth what others are, and that another build may define otherwise.
struct Follower {
    name: String,
    body: Span,
    /// The names in its body.
    names: Vec<String>,
}

/// The macros of a text that follow others where nobody says otherwise.
fn followers(text: &[u8]) -> Vec<Follower> {
    let plain = |body: &[u8]| {
        body.iter()
            .all(|b| b.is_ascii_alphanumeric() || b"_+-*/%() \t".contains(b))
    };
    let chosen = chosen_macros(text).into_iter();
    let chosen = chosen.filter(|m| plain(&text[m.body.start..m.body.end]));
    let follower = |m: ChosenMacro| {
        let names: Vec<String> = identifiers(text, m.body).into_iter().map(|(name, _)| name).collect();
        (!names.is_empty()).then_some(Follower {
            name: m.name,
            body: m.body,
            names,
        })
    };
    chosen.filter_map(follower).collect()
}

/// What is added to a macro that follows others, in a sample; `at` is the place of its name among all. What is added to these
/// leaves other remainders.
fn added(at: i128, shift: Shift) -> i128 {
    match shift {
        Shift::Less | Shift::Turned { .. } | Shift::Multiples(_) | Shift::Unknown => 0,
        Shift::Far | Shift::High => APART * (at + 1),
        Shift::Above | Shift::Past(_) | Shift::Low => at + 1,
        Shift::Aside => scattered(at),
    }
}

/// Smaller numbers become larger by little more than the place of their name, in all samples but the largest.
pub(super) const SMALL: i128 = 8;
/// So many names are told apart by what is added to them in [`Shift::Far`].
pub(super) const FEW: usize = 60;
/// The smallest number in [`Shift::Turned`]: nothing need stay on the device over a loop that runs once.
const TWICE: i128 = 2;
/// What is added to a number in [`Shift::Far`] leaves a remainder of its own when divided by this.
const APART: i128 = 61;

/// What a number becomes in a sample; `at` is the place of its name among all.
///
/// As much is added to no two of thousands of names both in `Far` and in `Above`, nor to two of [`FEW`] in `Far` alone, whatever
/// their numbers are: else one would be written for the other, with the difference of the two added. Nor is as much added to a
/// name in both, as it is to what another number limits. What is larger stays larger.
fn shifted(value: i128, at: i128, shift: Shift) -> i128 {
    match (shift, value) {
        (Shift::Unknown, _) => value,
        (_, 0) => 1,
        (Shift::Multiples(factors), _) => value * factors.of(at),
        (Shift::Far, SMALL..) => value + APART * (1 + (2 * value + 1) / APART) + at + 3,
        (Shift::Far, _) => value + at + 3,
        (Shift::High, _) => 50 * value + 2 + 3 * at,
        (Shift::Less, LEAST..) => value - 1 - at.min((value - 3) / 2),
        (Shift::Less, _) => value,
        (Shift::Turned { limit, names }, _) if at < names => (TWICE + names - 1 - at).min(limit - 1),
        (Shift::Turned { .. }, _) => shifted(value, at, Shift::Less),
        (Shift::Low, 64..) => value / 16 + at % 4,
        (Shift::Aside, _) => value + 1 + scattered(at),
        (Shift::Past(limit), _) if value <= limit => limit + value + 1 + 3 * at,
        (Shift::Above | Shift::Past(_) | Shift::Low, _) => value + 2 + 3 * at.min(8) + (at - 8).max(0) % 59,
    }
}

/// What a macro that follows others is in a sample, in the place of its body; `at` is the place of its name among all.
fn following(body: &str, at: i128, shift: Shift) -> String {
    match shift {
        Shift::Multiples(factors) => format!("(({body})*{})", factors.of(at)),
        _ => format!("(({body})+{})", added(at, shift)),
    }
}

/// From 1 to 83, in no order: of no three of [`FEW`] places is one the difference of the two others both here and in
/// [`Shift::Above`].
fn scattered(at: i128) -> i128 {
    1 + (at * at * at + 17 * at) % 83
}

/// A text of a program with the numbers of a sample, where it has these roots. Lines stay where they are, and conditions of the
/// preprocessor come out as they do in the program.
pub(super) fn sample(text: &[u8], roots: &[Root], texts: &ProgramTexts<'_>, names: &Varied, shift: Shift) -> Vec<u8> {
    let mut edits: Vec<(Span, String)> = Vec::new();
    for condition in asked_conditions(text) {
        let known: Vec<(&str, Span, i128)> = condition
            .words
            .iter()
            .filter_map(|(word, span)| Some((word.as_str(), *span, texts.asked(word)?)))
            .collect();
        if !known.is_empty() {
            let start = Span::new(condition.start, condition.start);
            edits.push((start, still_asks(known.iter().map(|(word, ..)| *word))));
        }
        edits.extend(known.into_iter().map(|(_, span, value)| (span, value.to_string())));
    }
    for root in roots {
        let Some(at) = names.get(&root.name) else { continue };
        if shift == Shift::Unknown {
            edits.extend(nameable(text, root));
            continue;
        }
        // No flag changes a variable, and what others rely on it for is not known.
        if matches!(shift, Shift::Less | Shift::Past(_) | Shift::Turned { .. }) && root.is_variable() {
            continue;
        }
        edits.push((root.digits, shifted(root.value, *at, shift).to_string()));
    }
    for follower in followers(text) {
        let Some(at) = names.get(&follower.name) else { continue };
        let body = String::from_utf8_lossy(&text[follower.body.start..follower.body.end]).into_owned();
        edits.push((follower.body, following(&body, *at, shift)));
    }
    edits.sort_by_key(|(span, _)| *span);
    let (mut out, mut copied) = (Vec::with_capacity(text.len() + 64), 0);
    for (span, said) in edits {
        out.extend_from_slice(&text[copied..span.start]);
        out.extend_from_slice(said.as_bytes());
        copied = span.end;
    }
    out.extend_from_slice(&text[copied..]);
    out
}

/// What stands before a condition in which numbers have replaced these names: a branch is still one that another build may choose, and
/// what the names stand for is not evaluated. A macro of which nothing is known is worth 0 to the preprocessor, and others may be divided by
/// it.
fn still_asks<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let asked: String = names.map(|name| format!(" && defined({name})")).collect();
    format!(" (0{asked}) ||")
}

/// The names of macros that are worth in a sample what they are worth in the program, or what the macros are worth that they follow.
pub(super) fn kept<'t>(
    texts: &ProgramTexts<'_>,
    options: impl Iterator<Item = &'t ToolOptions>,
    names: &Varied,
    shift: Shift,
) -> BTreeSet<String> {
    let stays = |name: &str, value: i128| names.get(name).is_some_and(|at| shifted(value, *at, shift) == value);
    let macros = texts.roots().filter(|r| !r.is_variable());
    let macros = macros.filter(|r| stays(&r.name, r.value)).map(|r| r.name.clone());
    let flags = options.flat_map(|options| &options.compile.flags);
    let flags = flags.filter_map(|flag| flagged(flag));
    let flags = flags.filter(|(name, _, value)| stays(name, *value));
    let flags = flags.map(|(name, _, _)| name.to_owned());
    let adds_nothing = |at: &i128| !matches!(shift, Shift::Multiples(_)) && added(*at, shift) == 0;
    let only_follows = |f: &Follower| names.get(&f.name).is_some_and(adds_nothing);
    let followers = texts.all().flat_map(followers).filter(only_follows);
    macros.chain(flags).chain(followers.map(|f| f.name)).collect()
}

/// Options with the numbers of a sample.
pub(super) fn options(of: &ToolOptions, names: &Varied, shift: Shift) -> ToolOptions {
    let mut options = of.clone();
    options.compile.instead = Some(Arc::default());
    for flag in &mut options.compile.flags {
        if let Some((name, start, value)) = flagged(flag)
            && let Some(at) = names.get(name)
        {
            *flag = match shift {
                Shift::Unknown => unknown_numbers::flag(name),
                _ => format!("{}{}", &flag[..start], shifted(value, *at, shift)),
            };
        }
    }
    if shift == Shift::Unknown {
        options.plan.defines.retain(|(name, _)| !names.contains_key(name));
    }
    for (name, body) in &mut options.plan.defines {
        if let (Some(at), Some(value)) = (names.get(name), number(body.trim().as_bytes())) {
            *body = shifted(value, *at, shift).to_string();
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::super::factors::FactorSeries;
    use super::*;

    const TEXT: &str = "#define N 1000\n#define CELLS (N * 8UL)\n#define F(x) ((x) + 3)\n#define DT 0.5\n\
                        enum { ROWS = 64, RED = 1, COLUMNS };\nstatic const int steps = 20;\nvoid f(void) {\nint k = 90, n = 70L;\nk--;\n}\nint g = 80;\n";

    fn sampled(text: &[u8], names: &Varied, shift: Shift) -> Vec<u8> {
        let texts = ProgramTexts::new(vec![text], Vec::new(), &[]);
        sample(text, texts.roots_of_file(0), &texts, names, shift)
    }

    fn names_of(text: &str) -> Varied {
        let texts = ProgramTexts::new(vec![text.as_bytes()], Vec::new(), &[]);
        varied(&texts, std::iter::empty(), true)
    }

    fn listed(text: &str) -> String {
        let found = roots(text.as_bytes());
        let words: Vec<String> = found.iter().map(|r| format!("{}={}", r.name, r.value)).collect();
        words.join(" ")
    }

    #[test]
    fn numbers_pass_what_the_source_says() {
        let text = b"#define ROWS 4\n#define COLS 3\n#define N 1000\nstatic const int few = 5;\n";
        let names = BTreeMap::from([("COLS", 0), ("ROWS", 1), ("few", 2), ("N", 3)].map(|(n, at)| (n.to_owned(), at)));
        let sample = String::from_utf8(sampled(text, &names, Shift::Past(12))).unwrap();
        assert_eq!(listed(&sample), "ROWS=20 COLS=16 N=1011 few=5");
    }

    #[test]
    fn order_turns_below_what_the_source_says() {
        let text = b"#define ROWS 5\n#define COLS 300\n#define N 1000\n#define HALO 2\nstatic const int many = 50;\n";
        let by_place = [("HALO", 0), ("ROWS", 1), ("many", 2), ("COLS", 3), ("N", 4)];
        let names = BTreeMap::from(by_place.map(|(n, at)| (n.to_owned(), at)));
        let turned = Shift::Turned { limit: 12, names: 4 };
        let sample = String::from_utf8(sampled(text, &names, turned)).unwrap();
        assert_eq!(listed(&sample), "ROWS=4 COLS=2 N=995 HALO=5 many=50");
    }

    #[test]
    fn what_is_small_keeps_its_number_where_others_are_smaller() {
        let text = "#define M 2\n#define N 256\n#ifndef K\n#define K N\n#endif\nstatic const int steps = 20;\n";
        let texts = ProgramTexts::new(vec![text.as_bytes()], Vec::new(), &[]);
        let kept = |shift| {
            let names = names_of(text);
            let kept = kept(&texts, std::iter::empty(), &names, shift);
            kept.into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(kept(Shift::Less), "K M");
        assert_eq!(kept(Shift::Far), "");
        assert_eq!(kept(Shift::Multiples(Factors::Rising(FactorSeries::First))), "");
    }

    #[test]
    fn what_ends_alike_here_ends_otherwise_in_both_directions() {
        let text = "#define N 4\n#define ROWS 6\n#define COLS 100\n#define DEPTH 101\n";
        let names = names_of(text);
        let behind = |shift| {
            let other = sampled(text.as_bytes(), &names, shift);
            let values: Vec<i128> = roots(&other).iter().map(|r| r.value).collect();
            [values[1] - 2 - values[0], values[3] - 1 - values[2]].map(i128::signum)
        };
        assert_eq!(
            [Shift::Far, Shift::Above, Shift::Less].map(behind),
            [[1, 1], [1, 1], [-1, -1]]
        );
    }

    #[test]
    fn multiples_stay_multiples() {
        let text = "#define M 64\n#define N 256\n#ifndef K\n#define K N\n#endif\n";
        let names = names_of(text);
        for (factors, said) in [
            (Factors::Rising(FactorSeries::First), "M=192 N=1024"),
            (Factors::Rising(FactorSeries::Second), "M=320 N=1792"),
            (Factors::Doubling(FactorSeries::First), "M=256 N=2048"),
            (Factors::Doubling(FactorSeries::Second), "M=1024 N=16384"),
        ] {
            let sample = String::from_utf8(sampled(text.as_bytes(), &names, Shift::Multiples(factors))).unwrap();
            assert_eq!(listed(&sample), said);
            assert!(sample.contains("#define K ((N)*"), "{sample}");
        }
    }

    #[test]
    fn conditions_of_the_preprocessor_stay_what_they_are() {
        let text =
            "#define V 3\n#define CELLS (V * 8)\n#if V > 5 || F(CELLS)\n#elif(CELLS == 24)\n#endif\n#ifdef V\n#endif\n";
        let far = sampled(text.as_bytes(), &names_of(text), Shift::Far);
        let far = String::from_utf8(far).unwrap();
        assert!(
            far.contains("#if (0 && defined(V) && defined(CELLS)) || 3 > 5 || F(24)\n"),
            "{far}"
        );
        assert!(far.contains("#elif (0 && defined(CELLS)) ||(24 == 24)\n"), "{far}");
        assert!(far.contains("#ifdef V\n") && !far.contains("#define V 3\n"), "{far}");
    }

    #[test]
    fn roots_are_numbers_that_have_names() {
        assert_eq!(listed(TEXT), "N=1000 ROWS=64 steps=20 n=70");
        assert_eq!(
            listed("#ifndef N\n# define N (40) /* cells */\n#endif\n#define HEX 0x40\n"),
            "N=40 HEX=64"
        );
        assert_eq!(
            listed(
                "#define A (1 << 10)\n#define B 64*64\n#define C -1\n#define D (1.0/64)\n#define E 0x1\n#define F 0 /* */\n"
            ),
            "A=1024 B=4096 C=1 F=0"
        );
    }

    #[test]
    fn names_are_told_apart_whatever_their_numbers_are() {
        // Of many names and numbers, the same is added to no two by all samples that are always there.
        let mut by: BTreeMap<(i128, i128), i128> = BTreeMap::new();
        for at in 0..1000 {
            for value in (1..40).chain([63, 64, 100, 999, 1000, 4096]) {
                let added = [Shift::Far, Shift::Above].map(|shift| shifted(value, at, shift) - value);
                assert_ne!(added[0], added[1], "{value} at {at}");
                assert_eq!(*by.entry(added.into()).or_insert(at), at, "{value} at {at}");
            }
        }
        let mut far: BTreeMap<i128, i128> = BTreeMap::new();
        for at in 0..FEW as i128 {
            for value in (1..40).chain([63, 64, 100, 999, 1000, 4096]) {
                let added = shifted(value, at, Shift::Far) - value;
                assert_eq!(*far.entry(added).or_insert(at), at, "{value} at {at}");
            }
        }
    }

    #[test]
    fn differences_of_two_are_told_apart_from_a_third() {
        let added = |at: i128| [Shift::Above, Shift::Aside].map(|shift| shifted(500, at, shift) - 500);
        let few = 0..FEW as i128;
        for (a, b) in few.clone().flat_map(|a| (0..FEW as i128).map(move |b| (a, b))) {
            let (of_a, of_b) = (added(a), added(b));
            let difference = [of_a[0] - of_b[0], of_a[1] - of_b[1]];
            let mut others = few.clone().filter(|c| *c != a && *c != b);
            assert_eq!(others.find(|c| added(*c) == difference), None, "{a} - {b}");
        }
    }

    #[test]
    fn macros_that_others_may_say_are_apart_from_what_they_follow() {
        let text = "#define N 400\n#ifndef K\n#define K N / 2\n#endif\n#ifndef R\n#define R double\n#endif\n#define M (N - 1)\n";
        let names = names_of(text);
        assert_eq!(names.keys().collect::<Vec<_>>(), ["K", "N"]);
        let far = String::from_utf8(sampled(text.as_bytes(), &names, Shift::Far)).unwrap();
        assert!(
            far.contains("#define K ((N / 2)+61)\n") && far.contains("#define R double\n"),
            "{far}"
        );
        assert!(far.contains("#define M (N - 1)\n"));
    }

    #[test]
    fn many_small_numbers_are_told_apart() {
        let text: String = (0..40).map(|i| format!("#define K{i} {}\n", 1 + i % 7)).collect();
        let names = names_of(&text);
        let values = |shift| -> Vec<i128> {
            let other = sampled(text.as_bytes(), &names, shift);
            roots(&other).iter().map(|r| r.value).collect()
        };
        let own: Vec<i128> = roots(text.as_bytes()).iter().map(|r| r.value).collect();
        let (far, above) = (values(Shift::Far), values(Shift::Above));
        let by: BTreeSet<(i128, i128)> = (0..40).map(|i| (far[i] - own[i], above[i] - own[i])).collect();
        assert_eq!(by.len(), 40);
        let few: String = (0..FEW).map(|i| format!("#define K{i} {}\n", 1 + i % 7)).collect();
        let names = names_of(&few);
        let other = sampled(few.as_bytes(), &names, Shift::Far);
        let both = roots(&other).into_iter().zip(roots(few.as_bytes()));
        let by: BTreeSet<i128> = both.map(|(far, own)| far.value - own.value).collect();
        assert_eq!(by.len(), FEW);
    }

    #[test]
    fn samples_have_other_numbers_on_the_same_lines() {
        let names = names_of(TEXT);
        for shift in [Shift::Far, Shift::Above, Shift::Less, Shift::High, Shift::Low] {
            let other = String::from_utf8(sampled(TEXT.as_bytes(), &names, shift)).unwrap();
            assert_eq!(other.lines().count(), TEXT.lines().count());
            let values: Vec<i128> = roots(other.as_bytes()).iter().map(|r| r.value).collect();
            let own: Vec<i128> = roots(TEXT.as_bytes()).iter().map(|r| r.value).collect();
            assert!(
                values.iter().zip(&own).all(|(a, b)| a != b || shift == Shift::Less),
                "{values:?}"
            );
        }
    }

    #[test]
    fn macros_become_constants_on_their_lines() {
        let text = b"#define START 40 /* first */\n  # define HALO (2)\n#define BITS (1 << 10)\n#define LONG 40UL\n#define NEG -1\n\
                     #define HUGE 40000\nstatic const int few = 5;\n";
        let names = ["START", "HALO", "BITS", "LONG", "NEG", "HUGE", "few"];
        let names: Varied = names.map(|name| (name.to_owned(), 0)).into();
        let sample = String::from_utf8(sampled(text, &names, Shift::Unknown)).unwrap();
        let is_declared = |line: &str| line.trim_start().starts_with("extern const unsigned short ");
        let declared: Vec<bool> = sample.lines().map(is_declared).collect();
        assert_eq!(declared, [true, true, true, false, false, false, false], "{sample}");
        assert!(
            sample
                .starts_with("extern const unsigned short START __asm__(\"__ompmemopt_choice:START@\"); /* first */\n")
        );
        assert!(
            unknown_numbers::flag("START")
                .starts_with("-DSTART=({extern const unsigned short ompmemopt_START __asm__(")
        );
    }
}
