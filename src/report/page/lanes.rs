//! What happens between host and device at the lines of a text.
//!
//! ```text
//! #pragma omp target map(tofrom: a[0:n])    a ───►  █     to the device before the kernel runs
//! for (int i = 0; i < n; i++)                       █
//!     a[i]++;                               a ◄───  █     back at its end
//! ```
//!
//! What happens at the start of a construct stands at its directive, what happens at its end at its last line.

use super::super::ExplainedRow;
use super::super::explained::{effect_names, size_of};
use crate::openmp::Directive;
use crate::openmp::effects::MapEffect;
use std::collections::BTreeMap;

/// Which way something goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TransferWay {
    In,
    Out,
    Kept,
    Memory,
    /// Nothing, or it is not known what.
    Unknown,
}

impl TransferWay {
    /// The class of the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            TransferWay::In => "in",
            TransferWay::Out => "out",
            TransferWay::Kept => "kept",
            TransferWay::Memory => "memory",
            TransferWay::Unknown => "unknown",
        }
    }

    pub fn arrow(self) -> &'static str {
        match self {
            TransferWay::In => "\u{2192}",
            TransferWay::Out => "\u{2190}",
            TransferWay::Kept => "\u{2022}",
            TransferWay::Memory => "+",
            TransferWay::Unknown => "?",
        }
    }

    /// What effects come down to: a copy, if one of them is one.
    fn of(effects: &[MapEffect]) -> Option<TransferWay> {
        let way = |effect: &MapEffect| match effect {
            MapEffect::CopyIn => Some(TransferWay::In),
            MapEffect::CopyOut => Some(TransferWay::Out),
            MapEffect::PersistentIn => Some(TransferWay::Kept),
            MapEffect::Alloc => Some(TransferWay::Memory),
            // What stays at the end of a construct was said to stay at its start, and what goes goes where its region ends.
            MapEffect::PersistentOut | MapEffect::Release => None,
            MapEffect::Nothing | MapEffect::Unknown => Some(TransferWay::Unknown),
        };
        effects.iter().filter_map(way).min()
    }
}

/// Something that happens to an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chip<'a> {
    pub way: TransferWay,
    pub item: &'a str,
    /// What it is, in words.
    pub says: String,
}

/// What the device does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Device {
    #[default]
    Idle,
    /// Data is there because of a region of the text.
    Holds,
    Runs,
}

impl Device {
    /// What follows the class of the lane.
    pub fn class(self) -> &'static str {
        match self {
            Device::Idle => "",
            Device::Holds => " holds",
            Device::Runs => " runs",
        }
    }
}

/// What happens at a line.
#[derive(Debug)]
pub struct LaneLine<'a> {
    pub chips: &'a [Chip<'a>],
    pub device: Device,
}

/// What happens at all lines, by number from 0.
#[derive(Default, Debug)]
pub struct Lane<'a> {
    chips: BTreeMap<usize, Vec<Chip<'a>>>,
    device: BTreeMap<usize, Device>,
}

impl<'a> Lane<'a> {
    /// What constructs do.
    pub fn new(rows: &'a [ExplainedRow]) -> Lane<'a> {
        let mut lane = Lane::default();
        for row in rows {
            let (first, last) = (row.line as usize - 1, row.end_line as usize - 1);
            lane.add(first, row, &row.entry);
            lane.add(last, row, &row.exit);
            let device = match Directive::parse(&format!("omp {}", row.construct)) {
                Some(directive) if directive.is_launch() => Device::Runs,
                Some(directive) if directive.is_target_data() => Device::Holds,
                _ => continue,
            };
            for line in first..=last {
                let known = lane.device.entry(line).or_default();
                *known = device.max(*known);
            }
        }
        lane
    }

    fn add(&mut self, line: usize, row: &'a ExplainedRow, effects: &[MapEffect]) {
        let Some(way) = TransferWay::of(effects) else { return };
        let meanings: Vec<&str> = effects.iter().map(|effect| effect.meaning()).collect();
        let implied = if row.implied { ", which no clause names" } else { "" };
        self.chips.entry(line).or_default().push(Chip {
            way,
            item: &row.item,
            says: format!(
                "{}: {}{implied}, {}. {}",
                row.construct,
                effect_names(effects),
                size_of(row),
                meanings.join(" Or: ")
            ),
        });
    }

    /// Whether anything happens at a line.
    pub fn says(&self, line: usize) -> bool {
        self.chips.contains_key(&line) || self.device.get(&line) == Some(&Device::Runs)
    }

    /// What happens at a line.
    pub fn at(&self, line: usize) -> LaneLine<'_> {
        LaneLine {
            chips: self.chips.get(&line).map(Vec::as_slice).unwrap_or_default(),
            device: self.device.get(&line).copied().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(construct: &str, lines: [u32; 2], entry: Vec<MapEffect>, exit: Vec<MapEffect>) -> ExplainedRow {
        ExplainedRow {
            line: lines[0],
            column: 1,
            end_line: lines[1],
            construct: construct.into(),
            function: "f".into(),
            item: "a[0:n]".into(),
            implied: false,
            element_bytes: 8,
            bytes: None,
            entry,
            exit,
        }
    }

    fn ways(lane: &Lane<'_>, line: usize) -> Vec<TransferWay> {
        lane.at(line).chips.iter().map(|chip| chip.way).collect()
    }

    #[test]
    fn copies_stand_at_the_ends_of_constructs_and_kernels_between() {
        let rows = [
            row("target data", [1, 9], vec![MapEffect::Alloc], vec![MapEffect::CopyOut]),
            row(
                "target teams",
                [3, 5],
                vec![MapEffect::PersistentIn],
                vec![MapEffect::PersistentOut],
            ),
            row("target update", [7, 7], vec![], vec![MapEffect::CopyOut]),
        ];
        let lane = Lane::new(&rows);
        assert_eq!(
            [0, 2, 4, 6, 8].map(|line| ways(&lane, line)),
            [
                vec![TransferWay::Memory],
                vec![TransferWay::Kept],
                vec![],
                vec![TransferWay::Out],
                vec![TransferWay::Out]
            ]
        );
        let device = [0, 2, 4, 6, 8, 9].map(|line| lane.at(line).device);
        use Device::{Holds, Idle, Runs};
        assert_eq!(device, [Holds, Runs, Runs, Holds, Holds, Idle]);
        assert!(lane.says(3) && !lane.says(5) && lane.says(6));
    }

    #[test]
    fn a_copy_on_some_ways_is_shown_as_one() {
        let entry = vec![MapEffect::CopyIn, MapEffect::PersistentIn];
        let rows = [row("target", [1, 1], entry, vec![])];
        let lane = Lane::new(&rows);
        assert_eq!(ways(&lane, 0), [TransferWay::In]);
        let says = &lane.at(0).chips[0].says;
        assert!(
            says.starts_with("target: copy in or persistent in, 8 bytes each."),
            "{says}"
        );
    }
}
