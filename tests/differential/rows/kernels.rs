//! Kernels of functions that get matrices, as C.

use super::{Kernel, What};

/// What a kernel calls things.
pub(super) struct Words<'a> {
    pub written: &'a str,
    /// The matrix that is read, if it is another one.
    pub read: Option<&'a str>,
    pub rows: &'a str,
    /// How long rows are, in words that are right where the kernel stands.
    pub columns: &'a str,
}

/// A number that stays small, from one that is whole.
fn small(value: &str) -> String {
    format!("(double)((long)({value}) % 1009)")
}

impl Kernel {
    /// The lines of the kernel.
    pub(super) fn lines(&self, words: &Words<'_>) -> Vec<String> {
        let Words {
            written: d,
            rows,
            columns,
            ..
        } = words;
        let (s, c) = (words.read.unwrap_or(d), self.salt);
        let both = [
            format!("for (int i = 0; i < {rows}; i++)"),
            format!("    for (int j = 0; j < {columns}; j++)"),
        ];
        let body: Vec<String> = match self.what {
            What::Copy => with(
                &both,
                format!("        {d}[i][j] = {};", small(&format!("{s}[i][j] + {c} + i"))),
            ),
            What::Add => with(&both, format!("        {d}[i][j] += {c};")),
            What::Above => {
                let first = format!("for (int i = 1; i < {rows}; i++)");
                let value = small(&format!("{d}[i][j] + {s}[i - 1][j]"));
                with(&[first, both[1].clone()], format!("        {d}[i][j] = {value};"))
            }
            What::Sums => vec![
                both[0].clone(),
                "{".into(),
                format!("    double sum = {c};"),
                both[1].clone(),
                format!("        sum += {s}[i][j];"),
                format!("    {d}[i][0] = {};", small("sum")),
                "}".into(),
            ],
            What::OneRow => vec![
                format!("for (int j = 0; j < {columns}; j++)"),
                format!("    {d}[1][j] += {c};"),
            ],
            What::OneColumn => vec![both[0].clone(), format!("    {d}[i][1] += {c};")],
        };
        let mut lines = vec![self.directive(words)];
        lines.extend(body);
        lines
    }

    fn directive(&self, words: &Words<'_>) -> String {
        let is_nest = matches!(self.what, What::Copy | What::Add | What::Above);
        let collapse = if is_nest && self.collapses { " collapse(2)" } else { "" };
        let section = |name: &str| match self.whole_rows {
            true => format!("{name}[0:{}]", words.rows),
            false => format!("{name}[0:{}][0:{}]", words.rows, words.columns),
        };
        let reads = matches!(self.what, What::Copy | What::Above | What::Sums);
        let read = words.read.filter(|_| reads);
        let back = if read.is_some() && self.what == What::Copy {
            "from"
        } else {
            "tofrom"
        };
        let to = read.map(|s| format!(" map(to: {})", section(s))).unwrap_or_default();
        let out = format!(" map({back}: {})", section(words.written));
        format!("#pragma omp target teams distribute parallel for{collapse}{to}{out}")
    }
}

fn with(headers: &[String], last: String) -> Vec<String> {
    headers.iter().cloned().chain([last]).collect()
}
