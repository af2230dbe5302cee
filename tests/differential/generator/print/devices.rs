//! The `device` clauses of a program, and what their devices come from.
//!
//! ```c
//! static void help1_7(double *q3, int gpu)
//! {
//!     #pragma omp target map(tofrom: q3[0:8]) device(gpu)
//! ```
//!
//! Clauses are put into the text when it is printed: each directive gets one, whatever printed it. What they name has the name that other
//! cases have for theirs, for a program of many cases must name one device.

use super::Printer;
use crate::generator::ast::*;
use crate::generator::rng::Rng;

/// How a directive begins that takes the clause.
const DIRECTIVE: &str = "omp target";

impl Printer<'_> {
    /// Declares the device in a function of its own, where functions do that.
    pub(super) fn declare_device(&mut self) {
        if let Devices::One(DeviceForm::Local, number) = self.program.devices {
            self.line(&format!("const int gpu = {number};"));
        }
    }

    /// Declares the device that the function which runs the case hands on.
    pub(super) fn choose_device(&mut self) {
        if let Devices::One(DeviceForm::Parameter, number) = self.program.devices {
            self.line(&format!("int gpu = {number};"));
        }
        self.declare_device();
    }

    /// Whether functions are handed the device.
    pub(super) fn hands_device(&self) -> bool {
        matches!(self.program.devices, Devices::One(DeviceForm::Parameter, _))
    }

    /// What stands above all else.
    pub(super) fn device_definition(&self) -> String {
        match self.program.devices {
            Devices::One(DeviceForm::Macro, number) => format!("#define GPU {number}\n"),
            Devices::One(DeviceForm::Constant, number) => {
                format!("#ifndef HAS_GPU\n#define HAS_GPU\nstatic const int gpu = {number};\n#endif\n")
            }
            _ => String::new(),
        }
    }

    /// The clause of a directive, with a blank before it.
    fn device_clause(&self, directive: &str) -> String {
        let by_text = || {
            let hash = directive
                .bytes()
                .fold(self.program.seed, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
            Rng::new(hash).below(3)
        };
        let device = match self.program.devices {
            Devices::Default => return String::new(),
            Devices::One(DeviceForm::Number, number) => number.to_string(),
            Devices::One(DeviceForm::Macro, _) => "GPU".to_owned(),
            Devices::One(..) => "gpu".to_owned(),
            Devices::Several if by_text() == 0 => return String::new(),
            Devices::Several => (by_text() - 1).to_string(),
            Devices::Partly if by_text() == 0 => return String::new(),
            Devices::Partly => "0".to_owned(),
        };
        format!(" device({device})")
    }

    /// A text with the clauses of its directives.
    pub(super) fn with_devices(&self, text: &str) -> String {
        if self.program.devices == Devices::Default {
            return text.to_owned();
        }
        let mut out = String::new();
        let mut directive = String::new();
        for line in text.lines() {
            let begins = line.trim_start().starts_with(&format!("#pragma {DIRECTIVE}"));
            if begins || !directive.is_empty() {
                directive += line.trim();
                out += line;
                if !line.ends_with('\\') {
                    out += &self.device_clause(&directive);
                    directive.clear();
                }
            } else if let Some((before, rest)) = line.split_once(&format!("_Pragma(\"{DIRECTIVE}"))
                && let Some((clauses, behind)) = rest.split_once("\")")
            {
                let clause = self.device_clause(clauses);
                out += &format!("{before}_Pragma(\"{DIRECTIVE}{clauses}{clause}\"){behind}");
            } else {
                out += line;
            }
            out.push('\n');
        }
        out
    }
}
