//! What the constructs of files do to which arrays, as a table and as JSON.
//!
//! ```text
//! sim.c, main
//!   30  target enter data                             a[0:n]  copy in                          8 bytes each
//!   31  target teams distribute parallel for          a[0:n]  persistent in    persistent out  8 bytes each
//!   36  target exit data                              a[0:n]                   copy out        8 bytes each
//! ```

use super::Report;
use crate::openmp::effects::MapEffect;
use crate::plan::ExplainedItem;
use crate::source::LineIndex;
use serde::Serialize;
use std::fmt::Write;

/// A list item of a construct, or an array that a kernel uses without naming it in a clause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainedRow {
    /// Where the construct's directive begins, counted from 1.
    pub line: u32,
    pub column: u32,
    /// The line in which the construct ends, with the statement that it is about.
    pub end_line: u32,
    /// The construct's name, as `target enter data`.
    pub construct: String,
    /// The function that it stands in.
    pub function: String,
    /// The item, as the text has it, or the array's name.
    pub item: String,
    /// No clause names it.
    pub implied: bool,
    /// Bytes per element.
    pub element_bytes: u64,
    /// The bytes that it names, where their number is a constant.
    pub bytes: Option<u64>,
    /// What happens where control meets the construct: several things, if it is one in some calls or ways and another in others.
    pub entry: Vec<MapEffect>,
    /// What happens at the construct's end.
    pub exit: Vec<MapEffect>,
}

impl ExplainedRow {
    /// The row of an item.
    pub fn of(lines: &LineIndex, item: &ExplainedItem) -> ExplainedRow {
        let place = lines.position(item.span.start);
        ExplainedRow {
            line: place.line,
            column: place.column,
            end_line: lines.position(item.end).line,
            construct: item.construct.clone(),
            function: item.function.clone(),
            item: item.item.clone(),
            implied: item.implied,
            element_bytes: item.element,
            bytes: item.bytes,
            entry: item.entry.clone(),
            exit: item.exit.clone(),
        }
    }

    fn cells(&self) -> [String; 6] {
        let implied = if self.implied { " (implied)" } else { "" };
        [
            self.line.to_string(),
            self.construct.clone(),
            format!("{}{implied}", self.item),
            effect_names(&self.entry),
            effect_names(&self.exit),
            size_of(self),
        ]
    }
}

/// How large the item is, as far as that is known.
pub fn size_of(row: &ExplainedRow) -> String {
    match row.bytes {
        Some(bytes) => format!("{bytes} bytes"),
        None => format!("{} bytes each", row.element_bytes),
    }
}

/// The names of effects, of which one or another comes about.
pub fn effect_names(effects: &[MapEffect]) -> String {
    let names: Vec<&str> = effects.iter().map(|effect| effect.name()).collect();
    names.join(" or ")
}

/// The constructs of all files as tables, one for each function, with a line above.
pub fn explained(report: &Report) -> String {
    let mut out = String::new();
    for file in &report.files {
        let mut rows = file.explained.as_slice();
        while let Some(first) = rows.first() {
            let (ours, rest) = rows.split_at(rows.iter().take_while(|r| r.function == first.function).count());
            let gap = if out.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{gap}{}, {}", file.path, first.function);
            out.push_str(&table(ours));
            rows = rest;
        }
    }
    out
}

/// Rows below each other: numbers to the right, all else to the left.
fn table(rows: &[ExplainedRow]) -> String {
    let cells: Vec<[String; 6]> = rows.iter().map(ExplainedRow::cells).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut out = String::new();
    let mut last = "";
    for row in &cells {
        let [line, construct, others @ ..] = row;
        let shown = if line == last { "" } else { construct };
        let number = if line == last { "" } else { line };
        let mut text = format!("  {number:>0$}  {shown:<1$}", widths[0], widths[1]);
        for (cell, width) in others.iter().zip(&widths[2..]) {
            let _ = write!(text, "  {cell:<width$}");
        }
        let _ = writeln!(out, "{}", text.trim_end());
        last = line;
    }
    out
}

#[derive(Serialize)]
struct ExplainedDocument<'a> {
    version: u32,
    files: Vec<ExplainedFile<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct ExplainedFile<'a> {
    path: &'a str,
    items: &'a [ExplainedRow],
}

/// The constructs of all files as JSON, with a newline at the end.
pub fn explained_json(report: &Report) -> String {
    let files = report.files.iter().map(|f| ExplainedFile {
        path: &f.path,
        items: &f.explained,
    });
    let document = ExplainedDocument {
        version: 1,
        files: files.collect(),
        notes: &report.notes,
    };
    // Nothing in the document can fail to be written: it has string keys only.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
