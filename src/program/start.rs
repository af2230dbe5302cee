//! Functions that the program's start and end call by themselves.
//!
//! ```c
//! __attribute__((constructor)) static void fill(void)   { … }   /* before `main`                              */
//! __attribute__((destructor))  static void report(void) { … }   /* when `main` has returned, or at `exit`     */
//! ```
//!
//! Nothing in the text calls them. The compiler lists them in globals that the linker appends to each other.
//!
//! What destructors call gets no directives: when they run the device is gone. A global array that they look at may stay
//! on the device all the same if every function with kernels on it brings it back before it returns, and before the
//! program may end in it. What runs before `main` alone finds nothing on the device, and is left as it is.

use super::ir::{FuncId, Module, Operand};

/// What runs before `main`.
pub const AT_START: &str = "llvm.global_ctors";
/// What runs when the program ends.
pub const AT_EXIT: &str = "llvm.global_dtors";
/// The functions of the library that register what is to run when the program ends.
pub const REGISTERING: [&str; 3] = ["atexit", "on_exit", "at_quick_exit"];

impl Module {
    /// The functions of the lists with this name.
    pub fn listed<'m>(&'m self, list: &'m str) -> impl Iterator<Item = FuncId> + 'm {
        let lists = self.globals.iter().filter(move |g| g.name == list);
        lists
            .flat_map(|g| &g.init_pointers)
            .filter_map(|(_, entry)| match entry {
                Operand::Function(f) => Some(*f),
                _ => None,
            })
    }
}
