//! A long C file with kernels: the same text for the same size, on every machine.
//!
//! The file is made of *modules*, each a handful of functions around one data structure, as in a simulation code that has
//! grown over years: structs with array members that belong to them, file-scope tables, stencils, reductions, transfers
//! of particles, time loops with host work between kernels, helpers that only the host calls. Sizes, names, operators and
//! the order of modules come from a small pseudo-random generator with a fixed seed.

use std::fmt::Write;

/// A program that compiles, with at least `lines` lines; every function in it is called from `main`.
pub fn program(lines: usize) -> String {
    let mut out = String::from(HEAD);
    let mut random = Random::new();
    let mut calls = String::new();
    let mut id = 0;
    while out.lines().count() + id * 2 + 20 < lines {
        match id % 4 {
            0 => grid(&mut out, id, &mut random),
            1 => particles(&mut out, id, &mut random),
            2 => sparse(&mut out, id, &mut random),
            _ => table(&mut out, id, &mut random),
        }
        let _ = writeln!(
            calls,
            "  total += run_{id}({}, {});",
            32 + random.below(64),
            2 + random.below(4)
        );
        id += 1;
    }
    let _ = write!(
        out,
        "\nint main(void)\n{{\n  double total = 0.0;\n{calls}  printf(\"%.6e\\n\", total);\n  return 0;\n}}\n"
    );
    out
}

const HEAD: &str = "/* Made by `make bench`: a long file for measuring run time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define AT(i, j, n) ((i) * (n) + (j))
";

/// Knuth's linear congruential generator; its low bits are poor, so the high ones are used.
pub struct Random(u64);

impl Random {
    /// A generator that gives equal numbers every time.
    pub fn new() -> Random {
        Random(0x9e37_79b9_7f4a_7c15)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A factor below one, as C writes it.
    pub fn factor(&mut self) -> String {
        format!("0.{:02}", 1 + self.below(98))
    }
}

fn put(out: &mut String, template: &str, id: usize, random: &mut Random) {
    let text = template.replace("@ID", &id.to_string());
    for (index, part) in text.split("@F").enumerate() {
        if index > 0 {
            out.push_str(&random.factor());
        }
        out.push_str(part);
    }
}

/// Two exchanged buffers on a square grid, with a source term that the host updates.
fn grid(out: &mut String, id: usize, random: &mut Random) {
    put(out, GRID, id, random);
}

/// A struct of arrays whose members are mapped through its pointer.
fn particles(out: &mut String, id: usize, random: &mut Random) {
    put(out, PARTICLES, id, random);
}

/// A sparse matrix in rows, applied again and again.
fn sparse(out: &mut String, id: usize, random: &mut Random) {
    put(out, SPARSE, id, random);
}

/// Global arrays, several kernels that use them, one function for each.
fn table(out: &mut String, id: usize, random: &mut Random) {
    put(out, TABLE, id, random);
}

const GRID: &str = include_str!("grid.c.in");
const PARTICLES: &str = include_str!("particles.c.in");
const SPARSE: &str = include_str!("sparse.c.in");
const TABLE: &str = include_str!("table.c.in");
