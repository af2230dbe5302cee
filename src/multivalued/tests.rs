//! Flows of functions, and values where ways meet, on what clang makes of C. Needs clang 19, like the tool itself.

use super::causes::{CauseKind, Causes};
use super::flow::{BlockEnd, BlockFlow, ProgramEnd};
use super::interpretation::{Interpreter, JudgedAgents};
use super::keys::{Key, KeyId, Keys};
use super::memory::HeldValue;
use super::roles::AgentKind;
use super::slice::Slice;
use super::solved::SolvedProgram;
use super::surroundings::Surroundings;
use super::teams::TeamBodies;
use crate::analysis::effects::Effects;
use crate::analysis::known::KnownFunctions;
use crate::analysis::points_to::PointsTo;
use crate::llvm::{ClangOptions, Input, analyse_file, find_clang};
use crate::program::ir::{Callee, Function, InstId, Module, Op};
use crate::program::objects::{MemLoc, ObjectId};
use std::collections::BTreeSet;
use std::path::Path;

fn module(text: &str) -> Module {
    let clang = find_clang(None).expect("clang 19 is installed");
    let input = Input::text(Path::new("t.c"), text.as_bytes());
    analyse_file(&clang, &input, &ClangOptions::default()).expect("the test's C compiles")
}

/// The flow of `f`, and its blocks by the calls in them: `a()` is in the block `a`.
struct Flow {
    module: Module,
    flow: BlockFlow,
}

impl Flow {
    /// `stops` never returns, which nothing but the test knows.
    fn of(text: &str) -> Flow {
        let declared = "void a(void); void b(void); void c(void); void stops(void); _Noreturn void quits(void);\n";
        let module = module(&format!("{declared}{text}"));
        let stops = |inst: InstId| called(&module, function(&module), inst) == Some("stops");
        let ends = |inst: InstId| stops(inst).then_some(ProgramEnd::InOrder);
        let flow = BlockFlow::of(function(&module), &ends);
        Flow { module, flow }
    }

    /// The block with a call.
    fn with(&self, name: &str) -> usize {
        let function = function(&self.module);
        let call = function
            .inst_ids()
            .find(|inst| called(&self.module, function, *inst) == Some(name));
        function.inst(call.expect("there is such a call")).block.0 as usize
    }

    /// The first block that control leaves by more than one way.
    fn branch(&self) -> usize {
        let mut order = self.flow.order.iter().copied();
        order.find(|b| self.flow.succs[*b].len() > 1).expect("a branch")
    }
}

fn function(module: &Module) -> &Function {
    module.function(module.find_function("f").expect("there is an f"))
}

fn called<'m>(module: &'m Module, function: &Function, inst: InstId) -> Option<&'m str> {
    match &function.inst(inst).op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => Some(&module.function(*callee).name),
        _ => None,
    }
}

#[test]
fn ways_from_a_branch_meet_behind_both_sides() {
    let of = Flow::of("void f(int n) { if (n) a(); else b(); c(); }");
    let branch = of.branch();
    assert_eq!(of.flow.meeting[branch], Some(of.with("c")));
    assert_eq!(of.flow.regions[branch], BTreeSet::from([of.with("a"), of.with("b")]));
    assert_eq!(of.flow.ends[of.with("c")], BlockEnd::Returns);
}

#[test]
fn a_dead_end_is_no_side() {
    for end in ["stops", "quits"] {
        let of = Flow::of(&format!("void f(int n) {{ a(); if (n) {end}(); b(); }}"));
        let (branch, dead) = (of.with("a"), of.with(end));
        assert_eq!(of.flow.ends[dead], BlockEnd::DeadEnd);
        assert_eq!(of.flow.meeting[branch], Some(of.with("b")));
        assert!(of.flow.regions[branch].is_empty(), "{:?}", of.flow.regions[branch]);
    }
    let of = Flow::of("void f(int n) { if (n) stops(); b(); }");
    assert!(of.flow.cut[of.with("stops")].is_some());
}

#[test]
fn a_loop_is_on_the_ways_from_its_own_condition() {
    let of = Flow::of("void f(int n) { while (n > 0) { a(); n--; } b(); }");
    let branch = of.branch();
    assert_eq!(of.flow.meeting[branch], Some(of.with("b")));
    assert!(of.flow.regions[branch].is_superset(&BTreeSet::from([branch, of.with("a")])));
}

#[test]
fn who_never_returns_ends_where_it_stops() {
    let of = Flow::of("void f(int n) { if (n) { a(); stops(); } b(); stops(); }");
    let branch = of.branch();
    assert_eq!(of.flow.meeting[branch], None);
    for end in ["a", "b"] {
        assert_eq!(of.flow.ends[of.with(end)], BlockEnd::Returns);
        assert!(of.flow.regions[branch].contains(&of.with(end)));
    }
}

/// A `main` that knows its `rank` and the number of processes, interpreted.
struct Interpreted {
    keys: Keys,
    causes: Causes,
    /// The last condition that is left over.
    last: HeldValue,
}

impl Interpreted {
    fn of(body: &str) -> Interpreted {
        let module = module(&format!(
            "int MPI_Comm_rank(int, int *), MPI_Comm_size(int, int *), MPI_Barrier(int);\n\
             static void use(void) {{ MPI_Barrier(0); }}\n\
             int main(int argc, char **argv) {{ int rank, size, n = 0;\n\
             MPI_Comm_rank(0, &rank); MPI_Comm_size(0, &size);\n{body} }}"
        ));
        let points_to = PointsTo::solve_knowing(&module, KnownFunctions::of_library(&module));
        let effects = Effects::solve(&module, &points_to);
        let around = Surroundings::of(
            &SolvedProgram {
                module: &module,
                points_to: &points_to,
                effects: &effects,
            },
            AgentKind::Processes,
            TeamBodies::default(),
        );
        let slice = Slice::of(&around);
        let processes = JudgedAgents {
            equal: Default::default(),
            communicators: None,
            private: Default::default(),
            around: &around,
            slice: &slice,
        };
        let mut keys = Keys::default();
        let mut interpreter = Interpreter::new(&processes, &mut keys);
        let context = interpreter.begin(module.find_function("main").expect("a main"), Vec::new());
        let blocks = &interpreter.contexts[context.0 as usize].blocks;
        let branches = blocks.iter().filter_map(|block| block.branch);
        let last = branches
            .max_by_key(|branch| branch.site)
            .expect("a condition that nobody knows")
            .condition;
        let causes = std::mem::take(&mut interpreter.causes);
        drop(interpreter);
        Interpreted { keys, causes, last }
    }

    fn differs(&self) -> bool {
        self.last.differs.is_some()
    }

    /// Whether some key that the last condition is made of is as wanted.
    fn made_of(&self, wanted: impl Fn(&Key) -> bool) -> bool {
        let mut waiting: Vec<KeyId> = vec![self.last.key];
        while let Some(key) = waiting.pop() {
            match self.keys.get(key) {
                key if wanted(key) => return true,
                Key::Operation(_, of) => waiting.extend(of),
                _ => {}
            }
        }
        false
    }
}

#[test]
fn what_a_branch_assigns_is_chosen_by_its_condition() {
    for (condition, differs) in [("size > 2", false), ("rank > 2", true)] {
        let run = Interpreted::of(&format!("if ({condition}) n = argc; else n = size;\nif (n > 7) use();"));
        assert!(run.made_of(|key| matches!(key, Key::Choice { .. })), "{condition}");
        assert_eq!(run.differs(), differs, "{condition}");
    }
    let run = Interpreted::of("if (rank > 2) n = argc;\nif (n > 7) use();");
    let steps = run.causes.chain(run.last.differs.expect("a reason"));
    assert!(steps.iter().any(|step| step.kind == CauseKind::Control), "{steps:?}");
}

#[test]
fn one_value_on_all_sides_is_that_value() {
    for body in ["if (rank) n = size; else n = size;", "n = size; if (rank) use();"] {
        let run = Interpreted::of(&format!("{body}\nif (n > 7) use();"));
        assert!(!run.differs(), "{body}");
        assert!(!run.made_of(|key| matches!(key, Key::Choice { .. })), "{body}");
    }
}

#[test]
fn three_ways_that_meet_have_no_gate() {
    let switch = "switch (argc) { case 1: n = size; break; case 2: n = size + 1; break; default: n = size + 2; }";
    let run = Interpreted::of(&format!("{switch}\nif (n > 7) use();"));
    assert!(run.made_of(|key| matches!(key, Key::Merged(..))));
    assert!(!run.differs());
    let run = Interpreted::of(&format!("{}\nif (n > 7) use();", switch.replace("argc", "rank")));
    assert!(run.differs());
}

#[test]
fn counters_are_known_by_start_and_step() {
    for body in [
        "for (n = 0; n < size; n += 2) use();",
        "n = size; while (n > argc) { n--; use(); }",
    ] {
        let run = Interpreted::of(body);
        assert!(run.made_of(|key| matches!(key, Key::Induction { .. })), "{body}");
        assert!(!run.differs(), "{body}");
    }
}

#[test]
fn behind_a_loop_that_some_leave_earlier_what_it_wrote_differs() {
    for (condition, differs) in [("i == rank", true), ("i == size", false)] {
        let body = format!("for (int i = 0; i < argc; i++) {{ n = i; if ({condition}) break; }}\nif (n > 7) use();");
        assert_eq!(Interpreted::of(&body).differs(), differs, "{condition}");
    }
}

#[test]
fn elements_are_told_apart_in_the_first_kibibyte_of_an_object() {
    for (element, differs) in [(0, false), (255, false), (256, true)] {
        let other = 300;
        let body = format!("int v[512]; v[{other}] = rank; v[{element}] = size;\nif (v[{element}] > 7) use();");
        assert_eq!(Interpreted::of(&body).differs(), differs, "{element}");
    }
}

#[test]
fn an_element_that_a_variable_names_is_another_value_once_some_element_is_written() {
    let twice = |between: &str| {
        let body = format!("int v[2]; v[argc] = size; n = v[argc]; {between} if (n != v[argc]) use();");
        let run = Interpreted::of(&body);
        let Key::Operation(_, operands) = run.keys.get(run.last.key).clone() else {
            panic!("a comparison")
        };
        operands[0] == operands[1]
    };
    assert!(twice(""));
    assert!(!twice("v[1] = 3;"));
    assert!(!twice("v[size] = 3;"));
}

/// The variables that are followed, by name.
fn followed(text: &str) -> BTreeSet<String> {
    let declared = "int MPI_Comm_rank(int, int *), MPI_Barrier(int), MPI_Bcast(void *, int, int, int, int), MPI_Abort(int, int);\n";
    let module = module(&format!("{declared}{text}"));
    let points_to = PointsTo::solve_knowing(&module, KnownFunctions::of_library(&module));
    let effects = Effects::solve(&module, &points_to);
    let program = SolvedProgram {
        module: &module,
        points_to: &points_to,
        effects: &effects,
    };
    let around = Surroundings::of(&program, AgentKind::Processes, TeamBodies::default());
    let slice = Slice::of(&around);
    let objects = (0..points_to.objects().len() as u32).map(ObjectId);
    let kept = objects.filter(|object| slice.has_place(MemLoc::whole(*object)));
    kept.map(|object| points_to.object(object).name.clone()).collect()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_no_collective_depends_on_is_not_followed() {
    let sums = "int main(int argc, char **argv) { int rank, n = argc; double x[9], sum = 0; MPI_Comm_rank(0, &rank);
        for (int i = 0; i < n; i++) sum += x[i]; if (n > rank) MPI_Barrier(0); return sum > 3; }";
    assert_eq!(followed(sums), names(&["argc", "n", "rank"]));
    let none = "int main(int argc, char **argv) { int rank; MPI_Comm_rank(0, &rank); return rank; }";
    assert_eq!(followed(none), names(&[]));
    let sent = "int main(int argc, char **argv) { int rank, n = argc, m = n; MPI_Comm_rank(0, &rank);
        MPI_Bcast(&n, 1, 0, 0, 0); while (n--) MPI_Barrier(0); return m; }";
    assert_eq!(followed(sent), names(&["argc", "n"]));
}

#[test]
fn what_decides_on_a_store_is_followed() {
    let stored = "int k, m; int main(int argc, char **argv) { int n = 0, *p = &n; if (k) *p = 2; if (m) k++;
        if (n) MPI_Barrier(0); return 0; }";
    assert_eq!(followed(stored), names(&["k", "m", "n", "p"]));
    let other_member = "struct { int own, other; } s; int k; int main(int argc, char **argv) { if (k) s.other = 1;
        s.own = argc; if (s.own) MPI_Barrier(0); return 0; }";
    assert_eq!(followed(other_member), names(&["argc", "s"]));
}

#[test]
fn calls_are_followed_by_what_they_return_and_by_what_they_leave() {
    let called = "static int twice(int n, int m) { return 2 * n; } static void put(int *to, int n) { *to = n; }
        int main(int argc, char **argv) { int a = 1, b = 2, c = 3, d; put(&d, c);
        if (twice(a, b) > d) MPI_Barrier(0); return b; }";
    let kept = followed(called);
    assert!(
        ["a", "c", "d", "n", "to"].iter().all(|name| kept.contains(*name)),
        "{kept:?}"
    );
    assert!(["b", "m"].iter().all(|name| !kept.contains(*name)), "{kept:?}");
}

#[test]
fn who_goes_on_knows_that_the_program_has_not_ended() {
    let ends = "int main(int argc, char **argv) { int n = argc, k = 0; if (n != 2) MPI_Abort(0, 1); if (k) k++;
        MPI_Barrier(0); return 0; }";
    assert_eq!(followed(ends), names(&["argc", "n"]));
}
