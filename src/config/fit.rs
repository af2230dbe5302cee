//! Whether what is said of a function fits its declaration.

use crate::analysis::libc::{ArgAccess, ByteExtent, Keep, LibFn, Returned};
use crate::program::ir::{Function, Type};

/// What is said of a function, if it fits its parameters. A pointer result of which nothing is said may be anything that
/// the function can get at.
pub fn fitted(said: &LibFn, function: &Function) -> Result<LibFn, String> {
    let name = &said.name;
    let count = function.params.len() as u32;
    let is_pointer = |ty: &Type| !matches!(ty, Type::Void | Type::Int(_) | Type::Float(_));
    for (arg, pointer) in arguments(said) {
        match function.params.get(arg as usize) {
            Some(ty) if pointer && !is_pointer(ty) => {
                return Err(format!(
                    "argument {arg} of `{name}` is no pointer; arguments are counted from 0"
                ));
            }
            None if !function.variadic => {
                let has = match count {
                    0 => "no arguments".to_owned(),
                    1 => "one argument, which is 0".to_owned(),
                    _ => format!("{count} arguments, 0 to {}", count - 1),
                };
                return Err(format!("`{name}` has no argument {arg}: it has {has}"));
            }
            _ => {}
        }
    }
    let mut effects = said.clone();
    let said_of_result = !said.returns.is_empty() || said.alloc.is_some_and(|a| a.through.is_none());
    if is_pointer(&function.ret) && function.ret != Type::Void && !said_of_result {
        effects.returns.push(Returned::External);
        let pointers = (0..count).filter(|n| is_pointer(&function.params[*n as usize]));
        effects.keeps.extend(pointers.map(|arg| Keep { arg, name: None }));
    }
    Ok(effects)
}

/// The arguments that an entry speaks of, and whether they have to be pointers.
fn arguments(said: &LibFn) -> Vec<(u32, bool)> {
    let mut found = Vec::new();
    let mut extent = |extent: ByteExtent| match extent {
        ByteExtent::Bytes(n) | ByteExtent::Scaled(n, _) => found.push((n, false)),
        ByteExtent::Product(a, b) | ByteExtent::Typed(a, b) => found.extend([(a, false), (b, false)]),
        ByteExtent::Unknown | ByteExtent::Reachable | ByteExtent::Str | ByteExtent::Const(_) => {}
    };
    let accesses = || said.reads.iter().chain(&said.writes);
    accesses().for_each(|access: &ArgAccess| extent(access.extent));
    said.alloc.iter().for_each(|alloc| extent(alloc.size));
    // `1..` and what `pure` means by itself hold for whatever pointers there are.
    found.extend(accesses().filter(|a| !a.rest).map(|a| (a.arg, true)));
    found.extend(said.alloc.iter().filter_map(|a| a.through).map(|n| (n, true)));
    let lists = [&said.frees, &said.frees_content, &said.fills];
    found.extend(said.keeps.iter().map(|keep| (keep.arg, true)));
    found.extend(said.shares.iter().filter_map(|share| Some((share.arg?, true))));
    found.extend(lists.into_iter().flatten().map(|n| (*n, true)));
    found.extend(said.returns.iter().filter_map(|r| match r {
        Returned::Arg(n) | Returned::Into(n) | Returned::Anywhere(n) | Returned::IntoContent(n) => Some((*n, true)),
        Returned::External => None,
    }));
    for callback in &said.callbacks {
        found.push((callback.func, true));
        found.extend(callback.args.iter().flatten().map(|n| (*n, false)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::program::ir_build::ModuleBuilder;

    fn fit(said: &str, params: &[Type], ret: Type) -> Result<LibFn, String> {
        let mut m = ModuleBuilder::default();
        m.declare("f", params, ret);
        let (config, problems) = parse("o.toml", &format!("[functions.f]\n{said}"));
        assert_eq!(problems, []);
        fitted(
            config.functions["f"].effects.as_ref().unwrap(),
            &m.finish().functions[0],
        )
    }

    #[test]
    fn arguments_have_to_be_there_and_to_be_pointers() {
        let params = [Type::Ptr, Type::Int(32)];
        let both = |reads: &str| fit(&format!("reads = {reads}\nwrites = []"), &params, Type::Void);
        assert!(both("[\"0[1*#8]\"]").is_ok() && both("[\"0..\"]").is_ok());
        assert_eq!(
            both("[2]").unwrap_err(),
            "`f` has no argument 2: it has 2 arguments, 0 to 1"
        );
        assert_eq!(
            both("[1]").unwrap_err(),
            "argument 1 of `f` is no pointer; arguments are counted from 0"
        );
        assert!(both("[\"0[2]\"]").unwrap_err().contains("no argument 2"));
        assert!(fit("pure = true", &[], Type::Float(64)).is_ok());
    }

    #[test]
    fn a_pointer_result_may_be_anything_unless_it_is_said_what() {
        let result = |said: &str| fit(said, &[Type::Ptr], Type::Ptr).unwrap();
        let open = result("pure = true");
        assert_eq!(
            (open.returns, open.keeps),
            (vec![Returned::External], vec![Keep { arg: 0, name: None }])
        );
        let said = result("pure = true\nreturns = [\"in 0\"]");
        assert_eq!((said.returns, said.keeps), (vec![Returned::Anywhere(0)], vec![]));
        let fresh = result("reads = []\nwrites = []\nallocates = \"result\"");
        assert!(fresh.returns.is_empty() && fresh.returns_fresh());
    }
}
