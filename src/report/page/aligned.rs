//! Lines of two texts beside each other, and which of them are folded away.
//!
//! ```text
//! before  after
//!    0      0
//!           1     added in front of 1
//!    1      2
//! ```

use similar::{Algorithm, capture_diff_slices};

/// Lines without anything to see that still stand before and behind what there is to see.
const CONTEXT: usize = 4;
/// So many lines are folded away at least.
const FOLDED: usize = 8;

/// A line of one text or of both, by number from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlignedLine {
    pub before: Option<usize>,
    pub after: Option<usize>,
    /// The two have other words, or one of them is not there.
    pub differs: bool,
    /// The line of the old text that this is, or in front of which it stands.
    pub at: usize,
}

/// Lines that are shown, or folded away, together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownLines<'a> {
    pub lines: &'a [AlignedLine],
    pub folded: bool,
}

/// The lines of one text alone.
pub fn unchanged(text: &str) -> Vec<AlignedLine> {
    let line = |at| AlignedLine {
        before: Some(at),
        after: None,
        differs: false,
        at,
    };
    (0..text.lines().count()).map(line).collect()
}

/// The lines of two texts, those that they share beside each other. Where lines were replaced, those stand beside each other that begin alike. What was moved to the right only is no difference.
pub fn aligned(before: &str, after: &str) -> Vec<AlignedLine> {
    let words = |text: &'_ str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let (old, new) = (words(before), words(after));
    let mut lines = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (olds, news) = (op.old_range(), op.new_range());
        let both = olds.len().min(news.len());
        let (removed, added) = beside(&old[olds.clone()], &new[news.clone()]);
        let alone = |before: Option<usize>, after: Option<usize>| AlignedLine {
            before,
            after,
            differs: true,
            at: before.unwrap_or(olds.start),
        };
        lines.extend(olds.clone().take(removed).map(|at| alone(Some(at), None)));
        lines.extend(news.clone().take(added).map(|at| alone(None, Some(at))));
        let pairs = olds.clone().skip(removed).zip(news.clone().skip(added)).take(both);
        lines.extend(pairs.map(|(before, after)| AlignedLine {
            before: Some(before),
            after: Some(after),
            differs: old[before] != new[after],
            at: before,
        }));
        lines.extend(olds.clone().skip(removed + both).map(|at| alone(Some(at), None)));
        let behind = news.skip(added + both).map(|at| AlignedLine {
            at: olds.end,
            ..alone(None, Some(at))
        });
        lines.extend(behind);
    }
    lines
}

/// How many lines of two texts to leave out in front, so that what stands beside each other then begins alike: of the shorter text none. Where nothing
/// does, the last lines do: directives are added above what they are about.
fn beside(old: &[String], new: &[String]) -> (usize, usize) {
    let (short, long) = if old.len() < new.len() { (old, new) } else { (new, old) };
    let alike = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let score = |left_out: usize| -> usize {
        let pairs = short.iter().zip(&long[left_out..]);
        pairs.map(|(a, b)| alike(a, b)).sum()
    };
    let left_out = (0..=long.len() - short.len()).max_by_key(|left_out| score(*left_out));
    let left_out = left_out.unwrap_or_default();
    if old.len() < new.len() {
        (0, left_out)
    } else {
        (left_out, 0)
    }
}

/// The lines in stretches: shown is what `shows` something, and what stands near it; all, where nothing does.
pub fn stretches<'a>(lines: &'a [AlignedLine], shows: &dyn Fn(&AlignedLine) -> bool) -> Vec<ShownLines<'a>> {
    let seen: Vec<bool> = lines.iter().map(shows).collect();
    let near = |at: usize| seen[at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(seen.len())].contains(&true);
    let nothing = !seen.contains(&true);
    let mut out: Vec<ShownLines<'_>> = Vec::new();
    let mut from = 0;
    while from < lines.len() {
        let is_near = near(from);
        let to = (from..lines.len())
            .find(|at| near(*at) != is_near)
            .unwrap_or(lines.len());
        out.push(ShownLines {
            lines: &lines[from..to],
            folded: !is_near && !nothing && to - from >= FOLDED,
        });
        from = to;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(before: &str, after: &str) -> Vec<(Option<usize>, Option<usize>, bool)> {
        let lines = aligned(before, after).into_iter();
        lines.map(|line| (line.before, line.after, line.differs)).collect()
    }

    #[test]
    fn what_both_have_stands_beside_each_other() {
        let expected = [
            (Some(0), Some(0), false),
            (None, Some(1), true),
            (Some(1), Some(2), false),
        ];
        assert_eq!(pairs("a\nb\n", "a\nx\nb\n"), expected);
    }

    #[test]
    fn what_begins_alike_stands_beside_each_other() {
        let (above, both, below) = ((None, Some(0), true), (Some(0), Some(1), true), (None, Some(1), true));
        assert_eq!(pairs("map(tofrom)\n", "data\nmap(to)\n"), [above, both]);
        assert_eq!(
            pairs("if (x)\n", "if (x) {\n#pragma\n"),
            [(Some(0), Some(0), true), below]
        );
        assert_eq!(
            pairs("a\nb\n", "a\n"),
            [(Some(0), Some(0), false), (Some(1), None, true)]
        );
    }

    #[test]
    fn what_was_moved_to_the_right_is_the_same() {
        let expected = [(Some(0), Some(0), false)];
        assert_eq!(pairs("a\n", "    a\n"), expected);
    }

    #[test]
    fn far_lines_are_folded_away() {
        let text: String = (0..60).map(|at| format!("{at}\n")).collect();
        let lines = unchanged(&text);
        let counts = |shows: &dyn Fn(&AlignedLine) -> bool| -> Vec<(usize, bool)> {
            let all = stretches(&lines, shows).into_iter();
            all.map(|stretch| (stretch.lines.len(), stretch.folded)).collect()
        };
        assert_eq!(counts(&|line| line.at == 30), [(26, true), (9, false), (25, true)]);
        assert_eq!(counts(&|line| line.at == 2), [(7, false), (53, true)]);
        assert_eq!(counts(&|_| false), [(60, false)]);
    }
}
