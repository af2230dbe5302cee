//! What kernels copy as written: the measure of what others may copy in their place.
//!
//! ```c
//! #pragma omp target … map(tofrom: a[0:k]) map(to: b)     /* a: a[0:k] two times; b: all of it once */
//! ```

use crate::symbolic::Section;

/// How often a section is copied where nothing is present.
#[derive(Clone, PartialEq, Debug)]
pub struct Payment {
    /// The section; `None` for all of the array, whatever that is.
    pub section: Option<Section>,
    /// How many times: at least. Negative where so much more is copied than that.
    pub copies: i64,
}

impl Payment {
    /// Copies of all of an array.
    pub fn whole(copies: i64) -> Payment {
        Payment { section: None, copies }
    }

    /// The copies where sections are said otherwise; `None` where this one is not said there.
    pub fn translated(&self, section: impl FnOnce(&Section) -> Option<Section>) -> Option<Payment> {
        let section = match &self.section {
            Some(own) => Some(section(own)?),
            None => None,
        };
        Some(Payment { section, ..*self })
    }
}

/// How many copies payments come to, whatever they are of.
pub fn count(payments: &[Payment]) -> i64 {
    payments.iter().map(|p| p.copies).sum()
}
