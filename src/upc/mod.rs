//! UPC as C, for who asks what its threads do.
//!
//! ```c
//! shared [4] int a[4*THREADS];              →              int a[4*(4)    ];
//! upc_forall (i = 0; i < n; i++; &a[i]) {   →   upc_forall (i = 0; i < n; i++)_F      {
//!     upc_barrier 1;                        →       upc_barrier  ;
//! ```
//!
//! Only clang reads the result, behind a header of ours (`src/llvm/upc.h`) in which `upc_forall` is `for`, `_F` the question whether an
//! iteration is the thread's own, and `upc_barrier` a call. Each byte that stays stands where it stood, so that places in the one text are
//! places in the other one ([`translation`]). What is `shared` is all threads' ([`sharing`]), all else each thread has for itself.
//!
//! **Limits.** What macros hide is not seen, but for words of UPC in `#define` lines. Headers are translated that are named in quotes and
//! lie beside the file. Where C needs a constant (bounds of shared arrays, `#if`, macros), `THREADS` is 4.

mod sharing;
mod tokens;
mod translation;

pub use sharing::SharedNames;
pub use translation::translated;
