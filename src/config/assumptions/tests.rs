use super::*;
use crate::config::parse;
use crate::program::ir::Type;
use crate::program::ir_build::ModuleBuilder;

/// A program that defines `step` and calls `log_state` and `solve`.
fn program() -> Module {
    let mut m = ModuleBuilder::default();
    let step = m.function("step", &[Type::Ptr, Type::Ptr], Type::Void);
    m.declare("log_state", &[Type::Ptr], Type::Void);
    m.declare("solve", &[Type::Ptr], Type::Void);
    m.body(step, |_| ());
    m.finish()
}

fn speaker<'a>(text: &'a str, config: &'a Config) -> Speaker<'a> {
    Speaker {
        name: "a.c",
        text: text.as_bytes(),
        inactive: &[],
        is_header: false,
        config,
    }
}

fn id(module: &Module, name: &str) -> FuncId {
    module.find_function(name).unwrap()
}

#[test]
fn comments_go_before_files() {
    let (config, _) = parse(
        "o.toml",
        "[functions.log_state]\npure = true\n[functions.solve]\npure = true",
    );
    let module = program();
    let text = "// ompmemopt: reads(0) writes() io\nlog_state(u);\n";
    let mut all = Assumptions::new(vec![speaker(text, &config)]);
    let known = all.known(&module, &[0]);
    assert!(known.of(id(&module, "log_state")).unwrap().io);
    assert!(!known.of(id(&module, "solve")).unwrap().io);
    assert_eq!(
        (all.problems().count(), all.unknown().len(), all.notes().len()),
        (0, 0, 0)
    );
}

#[test]
fn of_a_definition_only_noalias_counts() {
    let text = "[functions.step]\npure = true\n[assume]\nnoalias = [\"step\"]";
    let (config, _) = parse("o.toml", text);
    let module = program();
    let mut all = Assumptions::new(vec![speaker("", &config)]);
    let known = all.known(&module, &[0]);
    let step = id(&module, "step");
    assert!(known.of(step).is_none() && known.is_noalias(step));
    assert_eq!(
        all.notes(),
        ["o.toml:1:12: `step` is defined in the program, so what is said of it here has no effect"]
    );
    let (everywhere, _) = parse("o.toml", "[assume]\nnoalias = true");
    let mut all = Assumptions::new(vec![speaker("", &everywhere)]);
    assert!(all.known(&module, &[0]).is_noalias(step));
}

#[test]
fn a_name_that_nothing_has_is_unknown() {
    let text = "[functions.log_sate]\npure = true\n[functions.declared]\npure = true\n[assume]\nnoalias = [\"tep\"]";
    let (config, _) = parse("o.toml", text);
    let mut all = Assumptions::new(vec![speaker("void declared(int);", &config)]);
    all.known(&program(), &[0]);
    let unknown = all.unknown();
    let shown: Vec<String> = unknown
        .iter()
        .map(|u| format!("{} {}{}", u.place, u.name, u.hint))
        .collect();
    assert_eq!(
        shown,
        [
            "o.toml:1:12 log_sate; did you mean `log_state`?",
            "o.toml:6:12 tep; did you mean `step`?"
        ]
    );
}

#[test]
fn an_entry_that_does_not_fit_is_a_problem() {
    let (config, _) = parse("o.toml", "[functions.solve]\nreads = [3]\nwrites = []");
    let module = program();
    let mut all = Assumptions::new(vec![speaker("", &config)]);
    assert!(all.known(&module, &[0]).of(id(&module, "solve")).is_none());
    let problems: Vec<String> = all.problems().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        ["o.toml:1:12: `solve` has no argument 3: it has one argument, which is 0"]
    );
}

#[test]
fn of_a_static_function_only_its_own_file_speaks() {
    let mut m = ModuleBuilder::default();
    let functions = [
        m.internal("row", &[Type::Ptr], Type::Void),
        m.internal("row", &[Type::Ptr], Type::Void),
        m.function("shared", &[Type::Ptr], Type::Void),
    ];
    functions.into_iter().for_each(|f| m.body(f, |_| ()));
    m.edit(functions[1]).unit = 1;
    m.edit(functions[2]).unit = 1;
    let module = m.finish();
    let config = Config::default();
    let text = "// ompmemopt: noalias\nvoid row(int *);\n// ompmemopt: noalias\nvoid shared(int *);\n";
    let mut all = Assumptions::new(vec![speaker(text, &config), speaker("", &config)]);
    let known = all.known(&module, &[0, 1]);
    let promised: Vec<bool> = (0..3).map(|f| known.is_noalias(FuncId(f))).collect();
    assert_eq!(promised, [true, false, true]);
}
