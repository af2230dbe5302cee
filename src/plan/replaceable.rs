//! What of a file's mappings by hand could be planned anew: directives without which the program does the same, if its kernels then map what they use.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n])          // could go …
//! {
//!     #pragma omp target teams distribute parallel for // … if this had map(tofrom: a[0:n])
//! ```

use super::decision::MapItem;
use crate::source::Span;

/// What of a file's mappings by hand could be planned anew, all of it together with that of the program's other files.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReplaceableMaps {
    /// The directives that can go, or some of their items, in text order.
    pub directives: Vec<ReplaceableItems>,
    /// Kernels that have to map something else where these are gone, in text order.
    pub kernels: Vec<KernelMaps>,
}

/// The items of a directive that can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplaceableItems {
    /// The directive's pragma.
    pub directive: Span,
    /// The items, as they are written.
    pub items: Vec<String>,
    /// These are all that the directive has.
    pub all: bool,
}

/// What a kernel maps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelMaps {
    /// The kernel's pragma.
    pub kernel: Span,
    /// All its `map` items, in clause order.
    pub maps: Vec<MapItem>,
}
