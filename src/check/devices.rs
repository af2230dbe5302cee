//! Whose memory a directive speaks of: each device has its own, with its own copies and counts.
//!
//! ```c
//! #pragma omp target enter data map(to: a[0:n]) device(d)
//! #pragma omp target … device(d)                  // one expression, one value: the same device, and `a` is there
//! #pragma omp target … device(0)                  // another one, or the same: that depends on `d`
//! ```
//!
//! An object of one device is walked as if the clause were not there. Where all devices of an object are different numbers, the object is walked once for each of
//! them ([`StepGraph::views`]): what a kernel writes on another device is newer than the copy on this one, as what the host writes is. Where two may be
//! one or not, nothing is said.
//!
//! **Limits.** In the walk for one device the host has what another device has written: that it may not have got it is found in the walk for that
//! one.

use super::step_device::StepDevice;
use super::steps::{Step, StepAction, StepGraph};
use crate::symbolic::Expr;
use std::sync::Arc;

impl StepGraph {
    /// The graph as each of its devices sees it; `None` where two of them may be one. What is done where a device may be the `host` is not known.
    pub fn views(self: &Arc<StepGraph>, host: &dyn Fn(&Expr) -> bool) -> Option<Vec<Arc<StepGraph>>> {
        let mut devices: Vec<&StepDevice> = Vec::new();
        self.add_devices(&mut devices);
        let is_clear = |device: &StepDevice| match device {
            StepDevice::Default => true,
            StepDevice::Numbered(number) => !host(number),
            StepDevice::Unclear => false,
        };
        let clear: Vec<&StepDevice> = devices.iter().copied().filter(|d| is_clear(d)).collect();
        let apart = |(at, one): (usize, &&StepDevice)| clear[at + 1..].iter().all(|other| one.is_apart(other));
        if !clear.iter().enumerate().all(apart) {
            return None;
        }
        Some(match clear.as_slice() {
            [_] | [] if clear.len() == devices.len() => vec![Arc::clone(self)],
            [] => vec![Arc::new(self.seen_by(&StepDevice::Default, &is_clear))],
            each => each
                .iter()
                .map(|device| Arc::new(self.seen_by(device, &is_clear)))
                .collect(),
        })
    }

    /// Whether directives name devices.
    pub fn names_devices(&self) -> bool {
        let mut devices = Vec::new();
        self.add_devices(&mut devices);
        devices.iter().any(|device| **device != StepDevice::Default)
    }

    fn add_devices<'a>(&'a self, found: &mut Vec<&'a StepDevice>) {
        for step in self.nodes.iter().flat_map(|node| &node.steps) {
            match &step.action {
                StepAction::Call(graphs) => graphs.iter().for_each(|graph| graph.add_devices(found)),
                action if action.is_on_device() && !found.contains(&&step.device) => found.push(&step.device),
                _ => {}
            }
        }
    }

    fn seen_by(&self, device: &StepDevice, is_clear: &dyn Fn(&StepDevice) -> bool) -> StepGraph {
        let mut graph = self.clone();
        for node in &mut graph.nodes {
            let steps = std::mem::take(&mut node.steps);
            node.steps = steps
                .into_iter()
                .filter_map(|step| step.seen_by(device, is_clear))
                .collect();
        }
        graph
    }
}

impl Step {
    fn seen_by(self, device: &StepDevice, is_clear: &dyn Fn(&StepDevice) -> bool) -> Option<Step> {
        let is_elsewhere = self.action.is_on_device() && self.device != *device;
        let action = match self.action {
            StepAction::Call(graphs) => {
                let seen = graphs.iter().map(|graph| Arc::new(graph.seen_by(device, is_clear)));
                StepAction::Call(seen.collect())
            }
            _ if is_elsewhere && !is_clear(&self.device) => StepAction::Unknown,
            StepAction::KernelWrite(used) if is_elsewhere => StepAction::OtherDeviceWrite(used),
            _ if is_elsewhere => return None,
            action => action,
        };
        Some(Step { action, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::stale::StepId;
    use crate::check::steps::Used;
    use crate::symbolic::Sym;

    fn on(device: StepDevice) -> Step {
        Step {
            id: StepId(1),
            when: Vec::new(),
            device,
            action: StepAction::KernelWrite(Used::default()),
        }
    }

    fn views(devices: &[StepDevice]) -> Option<Vec<Vec<StepAction>>> {
        let mut graph = StepGraph::nothing();
        graph.nodes[0].steps = devices.iter().cloned().map(on).collect();
        let graph = Arc::new(graph);
        let actions = |graph: &Arc<StepGraph>| graph.nodes[0].steps.iter().map(|s| s.action.clone()).collect();
        Some(graph.views(&|_| false)?.iter().map(actions).collect())
    }

    #[test]
    fn one_device_is_as_none() {
        let variable = StepDevice::Numbered(Expr::sym(Sym(0)));
        let kernel = StepAction::KernelWrite(Used::default());
        let both = vec![vec![kernel.clone(), kernel]];
        assert_eq!(views(&[variable.clone(), variable.clone()]), Some(both.clone()));
        assert_eq!(views(&[StepDevice::Default, StepDevice::Default]), Some(both));
        assert_eq!(views(&[variable, StepDevice::Default]), None);
    }

    #[test]
    fn different_numbers_are_different_memories() {
        let number = |n| StepDevice::Numbered(Expr::constant(n));
        let (kernel, newer) = (
            StepAction::KernelWrite(Used::default()),
            StepAction::OtherDeviceWrite(Used::default()),
        );
        let seen = vec![vec![kernel.clone(), newer.clone()], vec![newer, kernel.clone()]];
        assert_eq!(views(&[number(0), number(1)]), Some(seen));
        let unclear = StepAction::Unknown;
        assert_eq!(
            views(&[number(0), StepDevice::Unclear]),
            Some(vec![vec![kernel, unclear.clone()]])
        );
        assert_eq!(views(&[StepDevice::Unclear]), Some(vec![vec![unclear]]));
    }
}
