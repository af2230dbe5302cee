//! OMM304 `divergent-upc-barrier`: not every thread of a UPC program comes to a barrier.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM304",
    name: "divergent-upc-barrier",
    says: "Not every thread of a UPC program comes to a barrier or a collective, or the threads come to them in different orders.",
    why: "All threads have to come to each `upc_barrier`, `upc_notify`, `upc_wait`, `upc_all_alloc` and collective (`upc_all_broadcast` and the like), in one order; `upc_barrier` is `upc_notify` and `upc_wait`. Where a condition that differs between them (by `MYTHREAD`, by the iterations of a `upc_forall`, by a private variable, by shared memory that some have written and nobody has waited for) decides whether one is called, the others wait for ever. Shared variables are the same for all behind a barrier. Files named `*.upc` are looked at, as C that is made of them; so are headers that they name in quotes; `THREADS` counts as constant where C needs a constant.",
    fix: "Call it outside of the condition, or make the condition the same for all: of shared variables behind a barrier.",
    wrong: r#"#include <upc.h>
shared int sum;

int main(void)
{
    if (MYTHREAD == 0) {
        sum = 0;
        upc_barrier;
    }
    return 0;
}
"#,
    right: r#"#include <upc.h>
shared int sum;

int main(void)
{
    if (MYTHREAD == 0)
        sum = 0;
    upc_barrier;
    return 0;
}
"#,
};
