//! The vocabulary: what `[functions.NAME]` in a file and `/* ompmemopt: … */` in a text can say.
//!
//! | key | items | says |
//! |---|---|---|
//! | `reads`, `writes` | `0` `1..` `0[2]` `0[1*2]` `0[2*#8]` `0[#8]` `0[s]` `0[*]` | what it reads or writes through arguments |
//! | `frees` | `0` `*0` | what an argument points to, or the pointer that is stored there |
//! | `allocates` | `result` `0`, with a size `result[1]` | fresh memory, returned or stored where an argument points to |
//! | `returns` | `0` `in 0` `outside` | a pointer result: an argument, into what it points to, storage of its own |
//! | `keeps` | `0` `0:NAME` | an argument that it remembers, under a name for those that use it: `reads = ":NAME"` |
//! | `shares` | `0` `result` | memory that others may use at any time from now on |
//! | `fills` | `0` | it stores pointers to memory of its own where the argument points to |
//! | `callbacks` | `3(0,-)` | it calls argument 3, with what argument 0 leads to and with a plain value |
//! | `later` | `3(0,-)` | somebody does so at any time from now on: another thread, a handler of signals |
//! | `pure` | flag | it does nothing but compute; without `reads`, from all that its arguments lead to |
//! | `io`, `state`, `exits` | flags | input or output; state of its own; may not return |
//! | `noalias` | flag | the pointer parameters overlap neither each other nor variables |
//!
//! The items are words of the library table ([`crate::analysis::libc`]), and end up in its form. They differ in one point:
//! `0` without brackets is all that can be reached through the argument, since that is what people mean; the table's `r0`
//! is `0[*]`.

use super::suggest;
use super::{EntryPlace, FunctionEntry};
use crate::analysis::libc::{self, ArgAccess, ByteExtent, LibFn};

/// Keys with items.
const LISTS: [&str; 10] = [
    "reads",
    "writes",
    "frees",
    "allocates",
    "returns",
    "keeps",
    "shares",
    "fills",
    "callbacks",
    "later",
];
/// Keys that hold or do not.
const FLAGS: [&str; 5] = ["pure", "io", "state", "exits", "noalias"];

/// What a key takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Items.
    List,
    /// Yes or no.
    Flag,
}

/// What a key takes, or why there is no such key.
pub fn takes(key: &str) -> Result<Takes, String> {
    match key {
        _ if LISTS.contains(&key) => Ok(Takes::List),
        _ if FLAGS.contains(&key) => Ok(Takes::Flag),
        _ => {
            let hint = suggest::hint(key, LISTS.into_iter().chain(FLAGS));
            let rest = if hint.is_empty() {
                format!("; the keys are {}, {}", LISTS.join(", "), FLAGS.join(", "))
            } else {
                hint
            };
            Err(format!("there is no key `{key}`{rest}"))
        }
    }
}

/// An entry in the making.
#[derive(Debug)]
pub struct Draft {
    effects: LibFn,
    /// Keys met, `noalias` and flags that do not hold apart.
    keys: Vec<String>,
    noalias: bool,
    pure: bool,
}

impl Draft {
    /// An entry that says nothing yet.
    pub fn new(name: &str) -> Draft {
        Draft {
            effects: LibFn {
                name: name.to_owned(),
                ..LibFn::default()
            },
            keys: Vec::new(),
            noalias: false,
            pure: false,
        }
    }

    /// Sets a flag.
    pub fn flag(&mut self, key: &str, holds: bool) {
        match key {
            "noalias" => self.noalias = holds,
            "pure" => self.pure = holds,
            "io" => self.effects.io = holds,
            "state" => self.effects.state = holds,
            _ => self.effects.exits = holds,
        }
        // `noalias` says nothing of what the function does, and neither does what is not so.
        if key != "noalias" && holds {
            self.keys.push(key.to_owned());
        }
    }

    /// Notes that a list is given, if only an empty one.
    pub fn list(&mut self, key: &str) {
        self.keys.push(key.to_owned());
    }

    /// Adds an item of a list.
    ///
    /// # Errors
    /// What an item of this list looks like.
    pub fn item(&mut self, key: &str, item: &str) -> Result<(), String> {
        let plain: String = item.split_whitespace().collect();
        let begins_with_number = plain.starts_with(|c: char| c.is_ascii_digit());
        let is_kept = plain.starts_with(':');
        let word = match key {
            "reads" if begins_with_number || is_kept => Some(format!("r{plain}")),
            "writes" if begins_with_number || is_kept => Some(format!("w{plain}")),
            "frees" => Some(format!("free{plain}")),
            "allocates" if self.effects.alloc.is_some() => {
                return Err("only one result can be allocated".into());
            }
            "allocates" => match plain.strip_prefix("result") {
                Some(rest) if rest.is_empty() || rest.starts_with('[') => Some(format!("alloc{rest}")),
                _ if begins_with_number => Some(format!("alloc{plain}")),
                _ => None,
            },
            "returns" => match plain.strip_prefix("in") {
                _ if plain == "outside" => Some("ret=ext".into()),
                Some(rest) => Some(format!("ret^{rest}")),
                None if begins_with_number => Some(format!("ret={plain}")),
                None => None,
            },
            "keeps" => Some(format!("keep{plain}")),
            "shares" if plain == "result" => Some("shareret".into()),
            "shares" if begins_with_number => Some(format!("share{plain}")),
            "fills" => Some(format!("fill{plain}")),
            "callbacks" => Some(format!("call{plain}")),
            "later" => Some(format!("later{plain}")),
            _ => None,
        };
        let accesses = matches!(key, "reads" | "writes");
        // `[*]` is the table's way to give no extent at all.
        let word = word.map(|w| if accesses { w.replace("[*]", "") } else { w });
        let understood = word.and_then(|w| libc::apply(&mut self.effects, &w));
        if understood.is_none() {
            return Err(format!("`{item}` is not understood in `{key}`; write {}", form(key)));
        }
        if accesses && !is_kept && !plain.contains('[') {
            let list = if key == "reads" {
                &mut self.effects.reads
            } else {
                &mut self.effects.writes
            };
            if let Some(access) = list.last_mut() {
                access.extent = ByteExtent::Reachable;
            }
        }
        Ok(())
    }

    /// The entry.
    ///
    /// # Errors
    /// What contradicts itself, or that it says nothing.
    pub fn finish(mut self, place: EntryPlace) -> Result<FunctionEntry, String> {
        let says = |key: &str| self.keys.iter().any(|k| k == key);
        if self.pure {
            let beside = ["pure", "reads", "returns"];
            let bare = |key: &&String| {
                let empty = match key.as_str() {
                    "writes" => self.effects.writes.is_empty(),
                    "frees" => self.effects.frees.is_empty() && self.effects.frees_content.is_empty(),
                    "allocates" => self.effects.alloc.is_none(),
                    "keeps" => self.effects.keeps.is_empty(),
                    "shares" => self.effects.shares.is_empty(),
                    "fills" => self.effects.fills.is_empty(),
                    "callbacks" | "later" => self.effects.callbacks.is_empty(),
                    _ => false,
                };
                !empty && !beside.contains(&key.as_str())
            };
            if let Some(key) = self.keys.iter().find(bare) {
                return Err(format!(
                    "`pure` and `{key}` contradict each other; take one of them away"
                ));
            }
            if !says("reads") {
                self.effects.reads.push(ArgAccess {
                    arg: 0,
                    rest: true,
                    behind: false,
                    extent: ByteExtent::Reachable,
                });
            }
        }
        if self.keys.is_empty() && !self.noalias {
            let name = &self.effects.name;
            return Err(format!(
                "nothing is said of `{name}`; write `pure`, or what it does, as `reads` and `writes`"
            ));
        }
        // What is not listed is not done: that nobody says by accident.
        if let Some(missing) = ["reads", "writes"].into_iter().find(|key| !says(key))
            && !self.keys.is_empty()
            && !self.pure
        {
            return Err(format!(
                "`{missing}` is missing: say what `{}` {missing}, if only an empty list",
                self.effects.name
            ));
        }
        Ok(FunctionEntry {
            effects: (!self.keys.is_empty()).then_some(self.effects),
            noalias: self.noalias,
            place,
        })
    }
}

/// What items of a list look like.
fn form(key: &str) -> &'static str {
    match key {
        "reads" | "writes" => {
            "an argument's number, counted from 0, as 0 or 1.. or, with how many bytes, 0[2], 0[2*#8], 0[#8], 0[s], 0[*]; or :NAME"
        }
        "frees" => "an argument's number, counted from 0, as 0 or *0",
        "allocates" => "result or an argument's number, and perhaps a size in bytes, as result[0*1]",
        "returns" => "an argument's number, as 0 or in 0, or outside",
        "keeps" => "an argument's number, counted from 0, as 0 or 0:NAME",
        "shares" => "an argument's number, counted from 0, or result",
        "callbacks" | "later" => "the number of the argument that is called, and what it gets, as 3(0,-)",
        _ => "an argument's number, counted from 0",
    }
}

#[cfg(test)]
mod tests;
