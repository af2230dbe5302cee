//! Functions that the program's start and end call by themselves.
//!
//! ```c
//! __attribute__((constructor)) static void fill(void)   { … }   /* before `main`                              */
//! __attribute__((destructor))  static void report(void) { … }   /* when `main` has returned, or at `exit`     */
//! ```
//!
//! Nothing in the text calls them. The compiler lists them in globals that the linker appends to each other. A program may write such
//! a list itself, as a variable with a section of its own (`.fini_array`): what any such variable names may run at the end.
//!
//! What destructors call gets no directives: when they run the device is gone. A global array that they look at may stay
//! on the device all the same if every function with kernels on it brings it back before it returns, and before the
//! program may end in it. What runs before `main` alone finds nothing on the device, and is left as it is.

use super::ir::{FuncId, Global, Module, Operand};

/// What runs before `main`.
pub const AT_START: &str = "llvm.global_ctors";
/// What runs when the program ends.
const AT_EXIT: &str = "llvm.global_dtors";
/// The functions of the library that register what is to run when the program ends.
pub const REGISTERING: [&str; 3] = ["atexit", "on_exit", "at_quick_exit"];
/// The functions of the library that end the program and run what is registered.
pub const EXIT: [&str; 2] = ["exit", "quick_exit"];

impl Module {
    /// The functions of the lists with this name.
    pub fn listed<'m>(&'m self, list: &'m str) -> impl Iterator<Item = FuncId> + 'm {
        self.named_by(move |g| g.name == list)
    }

    /// The functions that may run when the program ends: those that the compiler lists, and those of lists by hand.
    pub fn ending(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.named_by(|g| g.name == AT_EXIT || g.in_section && g.name != AT_START)
    }

    /// The functions that the initialisers of such globals name.
    fn named_by<'m>(&'m self, is_list: impl Fn(&Global) -> bool + 'm) -> impl Iterator<Item = FuncId> + 'm {
        let lists = self.globals.iter().filter(move |g| is_list(g));
        lists
            .flat_map(|g| &g.init_pointers)
            .filter_map(|(_, entry)| match entry {
                Operand::Function(f) => Some(*f),
                _ => None,
            })
    }
}
