//! What moved between host and device, as the counting tool wrote it.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Transfers, allocations and launches of one run, or of one section of it.
///
/// Bytes are those that the OpenMP runtime moved on the program's behalf; loading device images is not among them. A copy
/// between two blocks of one device that goes through the host counts as both a copy up and a copy down, as it costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Bytes copied from host to device.
    pub h2d_bytes: u64,
    /// Copies from host to device.
    pub h2d_calls: u64,
    /// Bytes copied from device to host.
    pub d2h_bytes: u64,
    /// Copies from device to host.
    pub d2h_calls: u64,
    /// Bytes copied inside one device.
    pub d2d_bytes: u64,
    /// Copies inside one device.
    pub d2d_calls: u64,
    /// Bytes of device memory allocated.
    pub alloc_bytes: u64,
    /// Allocations of device memory.
    pub allocs: u64,
    /// Releases of device memory.
    pub deletes: u64,
    /// Kernels launched.
    pub launches: u64,
}

impl Counts {
    /// Bytes that crossed between host and device, both ways.
    pub fn moved_bytes(&self) -> u64 {
        self.h2d_bytes + self.d2h_bytes
    }

    /// Copies between host and device, both ways.
    pub fn moved_calls(&self) -> u64 {
        self.h2d_calls + self.d2h_calls
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.h2d_bytes += other.h2d_bytes;
        self.h2d_calls += other.h2d_calls;
        self.d2h_bytes += other.d2h_bytes;
        self.d2h_calls += other.d2h_calls;
        self.d2d_bytes += other.d2d_bytes;
        self.d2d_calls += other.d2d_calls;
        self.alloc_bytes += other.alloc_bytes;
        self.allocs += other.allocs;
        self.deletes += other.deletes;
        self.launches += other.launches;
    }
}

/// What moved between two calls of `omp_control_tool(64, index, NULL)`, or since the start of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedInterval {
    /// The number that the program gave to the section's end.
    pub index: u64,
    #[serde(flatten)]
    pub counts: Counts,
}

/// The whole file that the counting tool writes.
#[derive(Debug, Deserialize)]
pub(super) struct CountFile {
    pub total: Counts,
    pub sections: Vec<CountedInterval>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_tool_writes() {
        let fields = |n: u64| {
            format!(
                r#""h2d_bytes":{n},"h2d_calls":1,"d2h_bytes":{},"d2h_calls":2,"d2d_bytes":0,"d2d_calls":0,"alloc_bytes":8,"allocs":1,"deletes":1,"launches":3"#,
                n + 1
            )
        };
        let text = format!(
            r#"{{"total":{{{}}},"sections":[{{"index":7,{}}}]}}"#,
            fields(10),
            fields(4)
        );
        let file: CountFile = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (file.total.moved_bytes(), file.total.moved_calls(), file.total.launches),
            (21, 3, 3)
        );
        assert_eq!((file.sections[0].index, file.sections[0].counts.h2d_bytes), (7, 4));
        let mut sum = file.total;
        sum += file.sections[0].counts;
        assert_eq!((sum.h2d_bytes, sum.d2h_bytes, sum.allocs), (14, 16, 2));
    }
}
