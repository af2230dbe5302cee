//! What each object of a program moved, as the tracing library wrote it (`runtime/trace/`).
//!
//! ```text
//! {"place":"heap 0","names":["u","grid"],"h2d_bytes":4000,"h2d_calls":5,"h2d_floor":800,"d2h_bytes":…}
//! ```
//!
//! A block of the heap that the program asked for first was mapped as `u` and as `grid`. Five copies moved 4,000 bytes of
//! it to the device, of which a kernel read 800 for the first time since the host had written them: the *floor*.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Copies of one object or array between host and device.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Bytes copied from host to device.
    pub h2d_bytes: u64,
    /// Copies from host to device.
    pub h2d_calls: u64,
    /// Bytes copied from device to host.
    pub d2h_bytes: u64,
    /// Copies from device to host.
    pub d2h_calls: u64,
}

/// Bytes that any placement of copies has to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Floor {
    /// Bytes that kernels read when only the host had their newest values.
    #[serde(rename = "h2d_floor")]
    pub h2d: u64,
    /// Bytes that the host read when only the device had their newest values.
    #[serde(rename = "d2h_floor")]
    pub d2h: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.h2d_bytes += other.h2d_bytes;
        self.h2d_calls += other.h2d_calls;
        self.d2h_bytes += other.d2h_bytes;
        self.d2h_calls += other.d2h_calls;
    }
}

impl AddAssign for Floor {
    fn add_assign(&mut self, other: Floor) {
        self.h2d += other.h2d;
        self.d2h += other.d2h;
    }
}

impl Traffic {
    /// Bytes that crossed between host and device, both ways.
    pub fn moved_bytes(&self) -> u64 {
        self.h2d_bytes + self.d2h_bytes
    }

    /// Copies between host and device, both ways.
    pub fn moved_calls(&self) -> u64 {
        self.h2d_calls + self.d2h_calls
    }
}

impl Floor {
    /// Bytes that have to cross, both ways.
    pub fn bytes(&self) -> u64 {
        self.h2d + self.d2h
    }
}

/// One object in one run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ObjectTraffic {
    /// Where it lies, in words that are equal in each build of one program: `heap 3`, `static grid`, or `other` for what only
    /// its names tell apart.
    pub place: String,
    /// Names that directives have for it, each without what part of it is meant, in the order in which they were met.
    pub names: Vec<String>,
    #[serde(flatten)]
    pub traffic: Traffic,
    #[serde(flatten)]
    pub floor: Floor,
}

/// The whole file that the tracing library writes.
#[derive(Debug, Deserialize)]
pub(super) struct TraceFile {
    pub objects: Vec<ObjectTraffic>,
}
