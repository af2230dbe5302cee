//! Ways of a value from where it is made to where it is used: what was the same everywhere stays so, and what differed differs.
//!
//! ```c
//! struct pair pair4;              /* Flow::Field takes `rank`, which differs,                    */
//! pair4.left = size;              /* beside a value of the other sort, to mix them up            */
//! pair4.right = rank;             /* from here on the value is `pair4.right`, each = [0, 1, 2]   */
//! ```

mod records;
mod ways;

use super::builder::{Builder, Value};
use super::features::Feature;

/// A way of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flow {
    Direct,
    Arithmetic,
    Variable,
    /// A variable that had a value of the other sort before.
    Overwritten,
    /// A field of a structure whose other field is of the other sort.
    Field,
    /// A field that a function fills in, as above.
    FilledField,
    /// A field of a structure that is assigned as a whole.
    AssignedRecord,
    /// A field of a structure that is passed as a whole.
    PassedRecord,
    /// A field of a structure that a function returns.
    ReturnedRecord,
    /// The result of a function that calls itself.
    Recursive,
    /// An element of an array whose elements are all of one sort.
    Element,
    /// The one element of an array that differs between agents, which a later store to another element does not change.
    WeakElement,
    OutParameter,
    /// The result of a function that is also called with a value of the other sort.
    Returned,
    /// A result that comes back through two functions.
    ReturnedTwice,
    /// A file-scope variable, one for each agent.
    Global,
    /// As above, set in a function.
    GlobalByCall,
    Pointer,
    Conditional,
    /// A variable that is assigned in a branch on the value.
    Assigned,
    /// A loop that counts up to the value.
    Counted,
    Switched,
    /// An element of a constant array, with the value as its index.
    Indexed,
}

/// Every way that both sorts of value can take.
pub const FLOWS: [Flow; 22] = [
    Flow::Direct,
    Flow::Arithmetic,
    Flow::Variable,
    Flow::Overwritten,
    Flow::Field,
    Flow::FilledField,
    Flow::AssignedRecord,
    Flow::PassedRecord,
    Flow::ReturnedRecord,
    Flow::Recursive,
    Flow::Element,
    Flow::OutParameter,
    Flow::Returned,
    Flow::ReturnedTwice,
    Flow::Global,
    Flow::GlobalByCall,
    Flow::Pointer,
    Flow::Conditional,
    Flow::Assigned,
    Flow::Counted,
    Flow::Switched,
    Flow::Indexed,
];

/// What a way may mention besides its value.
#[derive(Clone, Debug)]
pub struct Around {
    /// An expression that differs between agents.
    pub divergent: String,
    /// An expression that is the same on all agents.
    pub uniform: String,
    /// What stands before the type of a file-scope variable of which each agent has its own.
    pub own: &'static str,
}

impl Around {
    /// An expression of the other sort than `value`.
    fn other(&self, value: &Value) -> &str {
        if value.diverges() {
            &self.uniform
        } else {
            &self.divergent
        }
    }
}

/// The value behind up to `most` ways, chosen at random.
pub fn flows(b: &mut Builder, value: Value, around: &Around, most: i64) -> Value {
    let mut value = value;
    for _ in 0..b.rng.range(0, most) {
        let flow = b.pick(&FLOWS);
        value = go(b, value, around, flow);
    }
    value
}

/// The value behind `flow`.
pub fn go(b: &mut Builder, value: Value, around: &Around, flow: Flow) -> Value {
    let flow = if flow == Flow::Counted && !(0..=12).contains(&value.least().min(12 - value.most())) {
        Flow::Variable
    } else {
        flow
    };
    b.note(Feature::Flow(flow));
    match flow {
        Flow::Direct => value,
        Flow::Arithmetic | Flow::Conditional | Flow::Indexed => ways::computed(b, value, flow),
        Flow::Variable | Flow::Overwritten | Flow::Pointer => ways::stored(b, value, around, flow),
        Flow::Field | Flow::FilledField => ways::field(b, value, around, flow),
        Flow::AssignedRecord | Flow::PassedRecord | Flow::ReturnedRecord => records::record(b, value, around, flow),
        Flow::Recursive => records::recursive(b, value),
        Flow::Element | Flow::WeakElement => ways::element(b, value, around, flow),
        Flow::OutParameter | Flow::Returned | Flow::ReturnedTwice => ways::called(b, value, around, flow),
        Flow::Global | Flow::GlobalByCall => ways::global(b, value, around, flow),
        Flow::Assigned | Flow::Counted | Flow::Switched => ways::controlled(b, value, flow),
    }
}
