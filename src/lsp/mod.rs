//! The language server, `ompmemopt lsp`: what the commands say, in an editor, while somebody writes.
//!
//! ```text
//! editor ⇄ JSON-RPC on standard input and output ⇄ hearing ─► server ─► worker ─► Analyst (the commands, put together by `cli`)
//!                                                               │  ▲         │
//!                                  documents, programs ◄────────┘  └─────────┘ what is known of each file
//!                                  diagnostics, hover, actions, edits: that in the terms of the protocol
//! ```
//!
//! | part | files |
//! |---|---|
//! | the loop | [`serve()`], `hearing` (messages), `server` (state), `requests` (questions that wait), `client` (what is said) |
//! | texts | `documents`, `positions`, `uris`; `watching` looks for changes on the disk |
//! | runs | `programs` (what is due, what is known), `worker` (the thread), `run_progress`, `analyst` (who is asked) |
//! | answers | `diagnostics`, `compile_errors`, `hover`, `documentation`, `offers`, `actions`, `decisions`, `edits` |
//!
//! **Invariants.** Nothing here writes a file but the log that was asked for: changes are handed to the editor. What is said of a text is
//! said of the version that the editor has, and is what a run of the command line would say of it. Nothing that an editor says ends the
//! server but `exit`, or its going away.

mod actions;
mod analyst;
mod client;
mod compile_errors;
mod decisions;
mod diagnostics;
mod documentation;
mod documents;
mod edits;
mod hearing;
mod hover;
mod log;
mod offers;
mod positions;
mod programs;
mod requests;
mod run_progress;
mod serve;
mod server;
mod uris;
mod watching;
mod worker;

pub use analyst::{AnalysedFile, Analyst, ProgramAnalysis, ProgramFiles, ProgramQuestion};
pub use documentation::DocumentationAddress;
pub use log::ServerLog;
pub use serve::{ServerEnd, ServerSettings, serve};
