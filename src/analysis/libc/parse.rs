//! Reads the table of library functions; its first lines describe the format.

use super::functions::{Alloc, ArgAccess, ByteExtent, Callback, Keep, LibFn, PointerCopy, Returned, Share};

/// The functions of `text` in order, and a message for each word that is not understood.
pub fn parse(text: &str) -> (Vec<LibFn>, Vec<String>) {
    let mut functions = Vec::new();
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        // Comments stand on lines of their own: `#` inside a line is the sign of a constant extent.
        if line.starts_with('#') {
            continue;
        }
        let mut words = line.split_whitespace();
        match words.next() {
            None => {}
            Some(list @ ("math" | "pure")) => {
                // A name that does not exist (`isnan` + `l`) does no harm.
                let suffixes: &[&str] = if list == "math" { &["", "f", "l"] } else { &[""] };
                for name in words.flat_map(|name| suffixes.iter().map(move |s| format!("{name}{s}"))) {
                    functions.push(LibFn {
                        name,
                        ..LibFn::default()
                    });
                }
            }
            Some(name) => {
                let mut f = LibFn {
                    name: name.into(),
                    ..LibFn::default()
                };
                for word in words {
                    if apply(&mut f, word).is_none() {
                        problems.push(format!("line {}: `{word}`", number + 1));
                    }
                }
                functions.push(f);
            }
        }
    }
    (functions, problems)
}

/// Adds the meaning of one word of the table's language; `None` when it has none.
pub fn apply(f: &mut LibFn, word: &str) -> Option<()> {
    match word {
        "surely" => f.surely = true,
        "within" => f.within = true,
        "inline" => f.inline = true,
        "noreturn" => f.noreturn = true,
        "ends" => f.ends = true,
        "exits" => f.exits = true,
        "io" => f.io = true,
        "state" => f.state = true,
        "device" => f.device = true,
        "overwrites" => f.overwrites = true,
        "anytime" => f.anytime = true,
        "syncs" => f.synchronises = true,
        "zeroed" => f.alloc.as_mut()?.zeroed = true,
        _ => return apply_with_argument(f, word),
    }
    Some(())
}

fn apply_with_argument(f: &mut LibFn, word: &str) -> Option<()> {
    let (head, extent) = match word.split_once('[') {
        Some((head, rest)) => (head, parse_extent(rest.strip_suffix(']')?)?),
        None => (word, ByteExtent::Unknown),
    };
    if let Some(rest) = head.strip_prefix("alloc") {
        let through = if rest.is_empty() {
            None
        } else {
            Some(rest.parse().ok()?)
        };
        f.alloc = Some(Alloc {
            through,
            size: extent,
            zeroed: false,
        });
    } else if let Some(rest) = head.strip_prefix("free*") {
        f.frees_content.push(rest.parse().ok()?);
    } else if let Some(rest) = head.strip_prefix("free") {
        f.frees.push(rest.parse().ok()?);
    } else if let Some(rest) = head.strip_prefix("copy") {
        let (to, from) = rest.split_once('<')?;
        let to = if to == "ret" { None } else { Some(to.parse().ok()?) };
        f.copies.push(PointerCopy {
            to,
            from: from.parse().ok()?,
            extent,
        });
    } else if head == "ret=ext" {
        f.returns.push(Returned::External);
    } else if let Some(rest) = head.strip_prefix("ret=") {
        f.returns.push(Returned::Arg(rest.parse().ok()?));
    } else if let Some(rest) = head.strip_prefix("ret~") {
        f.returns.push(Returned::Into(rest.parse().ok()?));
    } else if let Some(rest) = head.strip_prefix("ret^") {
        f.returns.push(Returned::Anywhere(rest.parse().ok()?));
    } else if let Some(rest) = head.strip_prefix("ret@") {
        f.returns.push(Returned::IntoContent(rest.parse().ok()?));
    } else if let Some(rest) = head.strip_prefix("store") {
        let (to, from) = rest.split_once('~')?;
        f.stores.push((to.parse().ok()?, from.parse().ok()?));
    } else if let Some(rest) = head.strip_prefix("keep") {
        let (arg, name) = match rest.split_once(':') {
            Some((arg, name)) => (arg, Some(kept_name(name)?)),
            None => (rest, None),
        };
        f.keeps.push(Keep {
            arg: arg.parse().ok()?,
            name,
        });
    } else if let Some(rest) = head.strip_prefix("count") {
        let (format, written) = rest.split_once('<')?;
        f.counts = Some((format.parse().ok()?, access(written, extent)?));
    } else if let Some(name) = head.strip_prefix("sets:") {
        f.sets.push(kept_name(name)?);
    } else if let Some(rest) = head.strip_prefix("share") {
        f.shares.push(share(rest)?);
    } else if let Some(rest) = head.strip_prefix("fill") {
        f.fills.push(rest.parse().ok()?);
    } else if let Some(rest) = head.strip_prefix("mix") {
        f.mixes.push(rest.parse().ok()?);
    } else if let Some(rest) = head.strip_prefix("call") {
        f.callbacks.push(callback(rest, false)?);
    } else if let Some(rest) = head.strip_prefix("later") {
        f.callbacks.push(callback(rest, true)?);
    } else if let Some(name) = head.strip_prefix("r:") {
        f.reads_kept.push(kept_name(name)?);
    } else if let Some(name) = head.strip_prefix("w:") {
        f.writes_kept.push(kept_name(name)?);
    } else if let Some(rest) = head.strip_prefix('r') {
        f.reads.push(access(rest, extent)?);
    } else {
        f.writes.push(access(head.strip_prefix('w')?, extent)?);
    }
    Some(())
}

fn access(text: &str, extent: ByteExtent) -> Option<ArgAccess> {
    let (text, behind) = match text.strip_prefix('*') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (number, rest) = match text.strip_suffix("..") {
        Some(number) => (number, true),
        None => (text, false),
    };
    Some(ArgAccess {
        arg: number.parse().ok()?,
        rest,
        behind,
        extent,
    })
}

/// What follows `call` or `later`: `3(0,-)`, or `*1(-)` where the function's address is stored.
fn callback(text: &str, later: bool) -> Option<Callback> {
    let (func, args) = text.strip_suffix(')')?.split_once('(')?;
    let (func, behind) = match func.strip_prefix('*') {
        Some(func) => (func, true),
        None => (func, false),
    };
    let args = args.split(',').filter(|a| !a.is_empty());
    let args = args.map(|a| if a == "-" { Some(None) } else { a.parse().ok().map(Some) });
    Some(Callback {
        func: func.parse().ok()?,
        behind,
        later,
        args: args.collect::<Option<_>>()?,
    })
}

/// What follows `share`: `1`, `ret`, or `ret?3&1`.
fn share(text: &str) -> Option<Share> {
    let (what, only) = match text.split_once('?') {
        Some((what, condition)) => {
            let (arg, bits) = condition.split_once('&')?;
            (what, Some((arg.parse().ok()?, bits.parse().ok()?)))
        }
        None => (text, None),
    };
    let arg = if what == "ret" { None } else { Some(what.parse().ok()?) };
    Some(Share { arg, only })
}

/// A name for what is kept: a word.
fn kept_name(text: &str) -> Option<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (!text.is_empty() && text.chars().all(is_word)).then(|| text.to_owned())
}

fn parse_extent(text: &str) -> Option<ByteExtent> {
    if text == "s" {
        return Some(ByteExtent::Str);
    }
    if text == "all" {
        return Some(ByteExtent::Reachable);
    }
    if let Some(bytes) = text.strip_prefix('#') {
        return Some(ByteExtent::Const(bytes.parse().ok()?));
    }
    match text.split_once('*') {
        Some((a, b)) if b.starts_with('#') => Some(ByteExtent::Scaled(a.parse().ok()?, b[1..].parse().ok()?)),
        Some((a, b)) if b.starts_with('@') => Some(ByteExtent::Typed(a.parse().ok()?, b[1..].parse().ok()?)),
        Some((a, b)) => Some(ByteExtent::Product(a.parse().ok()?, b.parse().ok()?)),
        None => Some(ByteExtent::Bytes(text.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_add_up() {
        let (fs, problems) = parse("getline r0[#8] free*0 alloc0 io\nfoo copyret<0[1*2] call1(-,0) w2.. store1~0\n");
        assert!(problems.is_empty());
        assert_eq!(fs[0].frees_content, [0]);
        assert_eq!(
            fs[0].alloc,
            Some(Alloc {
                through: Some(0),
                size: ByteExtent::Unknown,
                zeroed: false
            })
        );
        assert_eq!(fs[0].reads[0].extent, ByteExtent::Const(8));
        assert_eq!(
            fs[1].copies,
            [PointerCopy {
                to: None,
                from: 0,
                extent: ByteExtent::Product(1, 2)
            }]
        );
        assert_eq!(
            fs[1].callbacks,
            [Callback {
                func: 1,
                behind: false,
                later: false,
                args: vec![None, Some(0)]
            }]
        );
        assert_eq!(fs[1].stores, [(1, 0)]);
        assert!(fs[1].writes[0].rest);
    }

    #[test]
    fn words_for_what_happens_later() {
        let (fs, problems) = parse(
            "create later2(3) keep3:boxes\naction later*1(-,-) w*2[s]\nmap shareret?3&1 share0\ngo r:boxes w:boxes\n",
        );
        assert_eq!(problems, Vec::<String>::new());
        assert!(fs[0].callbacks[0].later && !fs[0].callbacks[0].behind);
        let boxes = Keep {
            arg: 3,
            name: Some("boxes".into()),
        };
        assert_eq!(fs[0].keeps, [boxes]);
        assert!(fs[1].callbacks[0].behind && fs[1].writes[0].behind);
        assert_eq!((fs[2].shares[0].arg, fs[2].shares[0].only), (None, Some((3, 1))));
        assert_eq!((fs[2].shares[1].arg, fs[2].shares[1].only), (Some(0), None));
        assert_eq!(
            (&fs[3].reads_kept, &fs[3].writes_kept),
            (&vec!["boxes".into()], &vec!["boxes".into()])
        );
        assert!(
            ["keep0:", "r:a b", "later1", "shareret?3"]
                .iter()
                .all(|w| parse(&format!("f {w}")).1.len() == 1 || w.contains(' '))
        );
    }

    #[test]
    fn unknown_words_are_reported_with_their_line() {
        let (_, problems) = parse("# comment\nfoo r0 quux\nbar zeroed r0[\n");
        assert_eq!(problems, ["line 2: `quux`", "line 3: `zeroed`", "line 3: `r0[`"]);
    }
}
