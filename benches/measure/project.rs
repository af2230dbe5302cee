//! A program of many files, as a simulation code has them: the same texts on every machine.
//!
//! A *model* is a structure of arrays and five files around it: kernels, the step in time that calls them, memory and
//! first state, options and reports, tables. Only the first two know OpenMP. `main.c` has the time loop over all models,
//! `common.c` what all use. Templates are in `project/`; `//: each N` repeats what follows with `@K` from 0, `//: models`
//! for each model with `@M`; `@F` is a number.

use super::generate::Random;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Files of each model.
const MODEL: [(&str, &str); 5] = [
    ("kernels", include_str!("project/kernels.c.in")),
    ("step", include_str!("project/step.c.in")),
    ("state", include_str!("project/state.c.in")),
    ("report", include_str!("project/report.c.in")),
    ("tables", include_str!("project/tables.c.in")),
];

/// Writes a program with so many models. Returns its C files, sorted.
pub fn write(folder: &Path, models: usize) -> Result<Vec<PathBuf>> {
    let mut random = Random::new();
    let mut sources = Vec::new();
    let mut put = |name: String, template: &str, model: usize| {
        let path = folder.join(&name);
        std::fs::write(&path, text(template, model, models, &mut random))
            .with_context(|| format!("{} cannot be written", path.display()))?;
        if name.ends_with(".c") {
            sources.push(path);
        }
        anyhow::Ok(())
    };
    put("common.h".into(), include_str!("project/common.h.in"), 0)?;
    put("common.c".into(), include_str!("project/common.c.in"), 0)?;
    put("main.c".into(), include_str!("project/main.c.in"), 0)?;
    for model in 0..models {
        put(format!("model_{model}.h"), include_str!("project/model.h.in"), model)?;
        for (kind, template) in MODEL {
            put(format!("model_{model}_{kind}.c"), template, model)?;
        }
    }
    sources.sort();
    Ok(sources)
}

/// What a template says for one model.
fn text(template: &str, model: usize, models: usize, random: &mut Random) -> String {
    let mut out = String::new();
    for section in template.split("//: ").skip(1) {
        let (how, body) = section.split_once('\n').unwrap_or((section, ""));
        let (each, count) = match how.strip_prefix("each ") {
            Some(count) => ("@K", count.trim().parse().unwrap_or(0)),
            None if how == "models" => ("@M", models),
            None => ("", 1),
        };
        for index in 0..count {
            let body = match each {
                "" => body.to_owned(),
                each => body.replace(each, &index.to_string()),
            };
            fill(&mut out, &body.replace("@M", &model.to_string()), random);
        }
    }
    out
}

/// Puts a number for each `@F`.
fn fill(out: &mut String, text: &str, random: &mut Random) {
    for (index, part) in text.split("@F").enumerate() {
        if index > 0 {
            out.push_str(&random.factor());
        }
        out.push_str(part);
    }
}
