//! Random C programs with OpenMP `target` kernels, for differential testing.
//!
//! [`generate_case`] is a pure function of a seed and a [`Profile`]. Its programs are deterministic and free of undefined
//! behaviour, compute the same bits with and without OpenMP, and map what their kernels use, naively: every kernel copies
//! in what it may read and copies out what it may write, and nothing stays on the device in between except where a
//! generated user asked for it.
//!
//! A case is one text, or a part for each of several files and their header ([`Parts`]). Cases of a batch share the files.
//!
//! - `ast`: the tree. `facts` runs kernels symbolically, `simulate` runs control flow, `frames` says what may stand where.
//! - `arrays`, `aliases`, `kernels`, `host`, `control`, `helpers`, `calls`, `changing`: grow the tree. `spread`, `meet`: grow what only
//!   programs of several files have.
//! - `choices`: pointers that a test chooses.
//! - `by_hand`: wraps what is grown into mappings by hand and chooses devices.
//! - `configure`: other values for macros. `traps`, `hostile`: what hostile programs do, and their profiles.
//! - `linkage`: what is called what in which file, and what is `static`.
//! - `census`: which features of several files a program has.
//! - `print`: the tree as C. `shrink`: smaller trees for a failing case.

pub mod ast;
pub mod census;
pub mod hostile;
pub mod pitfall_census;
pub mod print;
pub mod profile;
pub mod rng;
pub mod shrink;
pub mod simulate;
pub mod traps;

mod aliases;
mod arrays;
mod by_hand;
mod calls;
mod changing;
mod choices;
mod configure;
mod control;
mod edges;
mod facts;
mod frames;
mod grow;
mod helpers;
mod host;
mod kernels;
mod linkage;
mod meet;
mod pitfalls;
mod safety;
mod spread;
mod walk;

use crate::{handles, hosts, loops, numbers, rows};
pub use by_hand::TOGETHER;
pub use configure::Configuration;

use ast::{Layout, NameKind, Program};
use profile::Profile;

/// One test case: its tree and its text.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub tree: Tree,
    /// The case's definitions, without what stands above them in the files; see [`assemble`].
    pub parts: Parts,
    /// Other values for its macros, under which its rewritten text has to be right as well.
    pub configurations: Vec<Configuration>,
}

/// What a case is printed from.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A program with kernels, for `rewrite`.
    Kernels(Box<Program>),
    /// A program of plain loops, for `annotate`.
    Loops(Box<loops::ast::Program>),
    /// A program about an opaque handle, for `rewrite`.
    Handles(Box<handles::Program>),
    /// A program about numbers, for `rewrite`, and a plain one for `annotate`.
    Numbers(Box<numbers::Program>),
    /// A program about rows of variable length, for `rewrite`.
    Rows(Box<rows::Program>),
    /// A program about what the host does beside kernels, for `rewrite`.
    Hosts(Box<hosts::Program>),
}

/// The text of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// What stands in the header; empty where the case is one file.
    pub header: String,
    /// What stands in the main file, and in further ones.
    pub files: Vec<String>,
}

/// One file of a C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's name, without a folder: all files of a program share one.
    pub name: String,
    pub text: String,
}

impl Source {
    /// Whether it is there to be included and not compiled.
    pub fn is_header(&self) -> bool {
        self.name.ends_with(".h")
    }
}

impl Case {
    /// The case that `program` describes.
    pub fn of(program: Program) -> Case {
        Case {
            seed: program.seed,
            parts: print::print(&program),
            configurations: configure::configurations(&program),
            tree: Tree::Kernels(Box::new(program)),
        }
    }

    /// The case of a program of plain loops.
    pub fn of_loops((program, ran): (loops::ast::Program, loops::Ran)) -> Case {
        let parts = Parts {
            header: String::new(),
            files: vec![loops::print::print(&program, &ran)],
        };
        Case {
            seed: program.seed,
            parts,
            configurations: Vec::new(),
            tree: Tree::Loops(Box::new(program)),
        }
    }

    /// The case of a program about an opaque handle.
    pub fn of_handles(program: handles::Program) -> Case {
        Case {
            seed: program.seed,
            parts: handles::print::print(&program),
            configurations: Vec::new(),
            tree: Tree::Handles(Box::new(program)),
        }
    }

    /// The case of a program about numbers.
    pub fn of_numbers(program: numbers::Program) -> Case {
        Case {
            seed: program.seed,
            parts: numbers::print::print(&program),
            configurations: Vec::new(),
            tree: Tree::Numbers(Box::new(program)),
        }
    }

    /// The case of a program about rows of variable length.
    pub fn of_rows(program: rows::Program) -> Case {
        Case {
            seed: program.seed,
            parts: rows::print::print(&program),
            configurations: Vec::new(),
            tree: Tree::Rows(Box::new(program)),
        }
    }

    /// The case of a program about what the host does.
    pub fn of_hosts(program: hosts::Program) -> Case {
        Case {
            seed: program.seed,
            parts: hosts::print::print(&program),
            configurations: Vec::new(),
            tree: Tree::Hosts(Box::new(program)),
        }
    }

    /// The case with macros that may have other values.
    pub fn configurable(self) -> Case {
        match self.tree {
            Tree::Kernels(mut program) => {
                program.configurable = true;
                Case::of(*program)
            }
            _ => self,
        }
    }

    /// The tree of a program with kernels.
    pub fn program(&self) -> Option<&Program> {
        match &self.tree {
            Tree::Kernels(program) => Some(program),
            _ => None,
        }
    }

    /// All of its text.
    pub fn text(&self) -> String {
        self.parts.header.clone() + &self.parts.files.concat()
    }

    /// Whether kernels may map what pointers at file scope point to, by these pointers.
    pub fn maps_global_pointers(&self) -> bool {
        let mut names = self.program().into_iter().flat_map(|p| &p.names);
        names.any(|n| n.live && n.kind == NameKind::GlobalHeap)
    }

    /// Whether every loop with kernels, whenever control gets to it, surely runs one of them: then nothing may move more than
    /// before, whatever is taken for granted of loops.
    pub fn loops_launch(&self) -> bool {
        let outcome = self.program().map(simulate::simulate);
        outcome.is_some_and(|o| !o.idle && !o.uncertain)
    }

    /// Whether all is won that `rewrite` bets on: every loop with kernels, whenever control gets to it, runs them in more than one
    /// iteration, and nothing that the host does there under a condition is done every time.
    pub fn bets_hold(&self) -> bool {
        let outcome = self.program().map(simulate::simulate);
        outcome.is_some_and(|o| !o.idle && !o.brief && !o.insistent && !o.uncertain)
    }

    /// Whether only a device says what is right: kernels may lose what they write.
    pub fn loses(&self) -> bool {
        self.program().is_some_and(|p| p.loses)
    }

    /// Whether arrays are reached through members of structs.
    pub fn has_members(&self) -> bool {
        let mut names = self.program().into_iter().flat_map(|p| &p.names);
        names.any(|n| n.live && n.kind == NameKind::Member)
    }

    /// Whether the case is a whole program of its own and shares its files with no other.
    pub fn whole_main(&self) -> bool {
        match &self.tree {
            Tree::Kernels(program) => program.layout == Layout::Main,
            Tree::Handles(_) => true,
            Tree::Hosts(program) => program.kind == hosts::Kind::Exits,
            _ => false,
        }
    }
}

/// The case of `seed` under `profile`.
pub fn generate_case(seed: u64, profile: &Profile) -> Case {
    let traps = &profile.traps;
    match (&profile.loops, traps.hosts) {
        _ if traps.numbers => Case::of_numbers(numbers::grow(seed, profile.loops.is_some())),
        (Some(weights), _) => Case::of_loops(loops::grow(seed, weights)),
        (None, Some(kind)) => Case::of_hosts(hosts::grow(seed, kind)),
        _ if traps.rows => Case::of_rows(rows::grow(seed)),
        _ if traps.handles => Case::of_handles(handles::grow(seed)),
        _ => {
            let mut program = grow::grow(seed, profile);
            by_hand::decorate(&mut program, profile);
            Case::of(program)
        }
    }
}

/// The program under the `k`th configuration of each case: what `-D` would do for them all.
pub fn configured(program: &[Source], cases: &[Case], k: usize) -> Vec<Source> {
    let values = cases.iter().filter_map(|c| c.configurations.get(k)).flatten();
    let defines: String = values
        .map(|(name, value)| format!("#define {name} {value}\n"))
        .collect();
    let define = |s: &Source| Source {
        name: s.name.clone(),
        text: if s.is_header() {
            s.text.clone()
        } else {
            defines.clone() + &s.text
        },
    };
    program.iter().map(define).collect()
}

/// The name of the header of programs of several files.
const SHARED: &str = "shared.h";

/// A C program that runs the cases in order, the main file first. Each case prints lines that start with `case <seed>:`,
/// then flushes, then calls `omp_control_tool(64, <index>, NULL)` when compiled with OpenMP. A case with
/// [`Case::whole_main`] must come alone.
pub fn assemble(cases: &[Case]) -> Vec<Source> {
    let mut main = String::new();
    if !cases.iter().any(Case::whole_main) {
        main += "int main(void)\n{\n";
        for (index, case) in cases.iter().enumerate() {
            main += &format!("    case_{}();\n{}", case.seed, print::finish(index));
        }
        main += "    return 0;\n}\n";
    }
    let header: String = cases.iter().map(|c| c.parts.header.as_str()).collect();
    let count = cases.iter().map(|c| c.parts.files.len()).max().unwrap_or(1);
    let file = |k: usize| -> String {
        let parts = cases.iter().filter_map(|c| c.parts.files.get(k));
        parts.map(String::as_str).collect()
    };
    let source = |name: String, text: String| {
        // Line ends are a property of a file, so the first case speaks for all.
        let crlf = cases.first().and_then(Case::program).is_some_and(|p| p.crlf);
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        Source { name, text }
    };
    if header.is_empty() {
        return vec![source("case.c".into(), print::HEADER.to_string() + &file(0) + &main)];
    }
    let include = format!("#include \"{SHARED}\"\n\n");
    let mut out = vec![source("main.c".into(), include.clone() + &file(0) + &main)];
    let shared = format!("#ifndef SHARED_H\n#define SHARED_H\n{}{header}#endif\n", print::HEADER);
    out.push(source(SHARED.into(), shared));
    let further = (1..count).map(|k| (k, file(k))).filter(|(_, text)| !text.is_empty());
    out.extend(further.map(|(k, text)| source(format!("part{k}.c"), include.clone() + &text)));
    out
}
