//! What commands cost grows about as the program does: four times the kernels take less than [`MOST_POWER`] allows. What `check` is
//! measured on is what `rewrite` has made of a program, for that has regions, updates and kernels.
//!
//! Each shape is a function with so many kernels in one arrangement. What is measured is the processor's time, less that for a
//! program with one kernel.

use super::Sandbox;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::fmt::Write;
use std::process::Stdio;

const FEW: usize = 32;
const MANY: usize = 4 * FEW;
/// Time may grow with this power of the number of kernels: 1 is linear, and the rest is for noise and for what is sorted.
const MOST_POWER: f64 = 1.5;
/// The power where there are as many arrays as kernels: each array's residency is looked for in all of the function.
const WITH_ARRAYS: f64 = 1.9;
/// Other programs take caches and clocks away for a while: so often a shape may be measured.
const TRIES: usize = 5;

/// The text of a program with so many kernels.
type Shape = fn(usize) -> String;

const SHAPES: &[(&str, f64, Shape)] = &[
    ("one after another on one array", MOST_POWER, same),
    ("with reads of the host between", MOST_POWER, reads),
    ("each on an array of its own", WITH_ARRAYS, own),
    ("on ten arrays in turn", MOST_POWER, ten),
    ("in one loop", MOST_POWER, time),
    ("in two loops", MOST_POWER, nest),
    ("each under a condition", MOST_POWER, ifs),
    ("each in a function of its own", MOST_POWER, callees),
    ("in one loop, each on an array of its own", WITH_ARRAYS, one_loop),
];

#[test]
fn cost_of_rewrite_grows_as_programs_do() {
    grows_as_programs_do("rewrite");
}

#[test]
fn cost_of_check_grows_as_programs_do() {
    grows_as_programs_do("check");
}

fn grows_as_programs_do(command: &str) {
    let one = seconds(command, &same(1));
    let mut slow = String::new();
    for (name, most, shape) in SHAPES {
        let power = || {
            let (few, many) = (
                seconds(command, &shape(FEW)) - one,
                seconds(command, &shape(MANY)) - one,
            );
            // The clock counts hundredths.
            (many / few.max(0.02)).ln() / 4f64.ln()
        };
        let mut least = f64::INFINITY;
        for _ in 0..TRIES {
            least = least.min(power());
            if least <= *most {
                break;
            }
        }
        println!("{command}, kernels {name}: power {least:.2}");
        if least > *most {
            writeln!(slow, "{command}, kernels {name}: power {least:.2}, of at most {most}").unwrap();
        }
    }
    assert!(slow.is_empty(), "{slow}");
}

/// The processor's seconds that a command takes.
fn seconds(command: &str, text: &str) -> f64 {
    let sandbox = Sandbox::new(&[("program.c", text)]);
    if command == "check" {
        let mut rewrite = sandbox.command(&["rewrite", "--in-place", "--no-cache", "program.c"]);
        assert!(rewrite.output().unwrap().status.success(), "{text}");
    }
    let mut command = sandbox.command(&[command, "--no-cache", "program.c"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    // Until it is waited for, an ended process says what it has used.
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let ended = child.wait().unwrap();
    assert!(matches!(ended.code(), Some(0 | 1)), "{text}");
    // The name before may have spaces in it.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks = fields.split(' ').skip(11).take(2).map(|f| f.parse::<f64>().unwrap());
    ticks.sum::<f64>() / 100.0
}

/// A program with some arrays and functions, whose `main` fills the arrays, does something and prints them.
fn program(arrays: usize, functions: &str, body: &str) -> String {
    let mut text = String::from("#include <stdio.h>\n#define N 1000\n");
    (0..arrays).for_each(|a| writeln!(text, "double a{a}[N];").unwrap());
    text += functions;
    text += "int main(int argc, char **argv)\n{\n";
    for a in 0..arrays {
        writeln!(text, "    for (int i = 0; i < N; i++)\n        a{a}[i] = i;").unwrap();
    }
    text += body;
    for a in 0..arrays {
        writeln!(
            text,
            "    for (int i = 0; i < N; i++)\n        printf(\"%g\\n\", a{a}[i]);"
        )
        .unwrap();
    }
    text + "    return 0;\n}\n"
}

fn kernel(array: &str, number: usize) -> String {
    format!(
        "    #pragma omp target teams distribute parallel for map(tofrom: {array}[0:N])\n    \
             for (int i = 0; i < N; i++)\n        {array}[i] = {array}[i] * 0.5 + {number};\n"
    )
}

/// Kernels that use so many arrays in turn.
fn kernels(count: usize, arrays: usize) -> String {
    (0..count).map(|k| kernel(&format!("a{}", k % arrays), k)).collect()
}

fn same(count: usize) -> String {
    program(1, "", &kernels(count, 1))
}

fn reads(count: usize) -> String {
    let one = |k| kernel("a0", k) + &format!("    printf(\"%g\\n\", a0[{k}]);\n");
    program(1, "", &(0..count).map(one).collect::<String>())
}

fn own(count: usize) -> String {
    program(count, "", &kernels(count, count))
}

fn ten(count: usize) -> String {
    program(10, "", &kernels(count, 10))
}

fn looped(body: &str) -> String {
    format!("    for (int t = 0; t < 10; t++) {{\n{body}    }}\n")
}

fn time(count: usize) -> String {
    program(4, "", &looped(&kernels(count, 4)))
}

fn nest(count: usize) -> String {
    let inner = format!("    for (int s = 0; s < 10; s++) {{\n{}    }}\n", kernels(count, 4));
    program(4, "", &looped(&inner))
}

fn ifs(count: usize) -> String {
    let one = |k| format!("    if (argc > {k}) {{\n{}    }}\n", kernel("a0", k));
    program(1, "", &(0..count).map(one).collect::<String>())
}

fn callees(count: usize) -> String {
    let function = |k| format!("static void f{k}(double *x)\n{{\n{}}}\n", kernel("x", k));
    let calls: String = (0..count).map(|k| format!("        f{k}(a0);\n")).collect();
    program(1, &(0..count).map(function).collect::<String>(), &looped(&calls))
}

fn one_loop(count: usize) -> String {
    program(count, "", &looped(&kernels(count, count)))
}
