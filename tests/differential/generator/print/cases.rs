//! The function that runs a case: it sets everything up, holds the statements or calls what does, and shows the results.

use super::Printer;
use crate::generator::ast::*;

/// Lets what watches the run tell this case's transfers from the next one's.
///
/// The runtime tells tools nothing before its threads are set up, which the first kernel does and directives that only move
/// data do not. The question for their number sets them up.
pub fn finish(index: usize) -> String {
    format!(
        "    fflush(stdout);\n#ifdef _OPENMP\n    (void)omp_get_max_threads();\n    omp_control_tool((omp_control_tool_t)64, {index}, NULL);\n#endif\n"
    )
}

impl Printer<'_> {
    /// Parameters of the work function, and the arguments for them.
    fn work_parameters(&self) -> (Vec<String>, Vec<String>) {
        let program = self.program;
        let sizes = program
            .sizes
            .iter()
            .filter(|s| matches!(s.kind, SizeKind::Constant | SizeKind::Opaque));
        let (mut parameters, mut args): (Vec<String>, Vec<String>) =
            sizes.map(|s| (format!("int {}", s.ident), s.ident.clone())).unzip();
        if self.has_struct() {
            parameters.push(format!("struct box_{} *box", program.seed));
            args.push("box".into());
        }
        for (name, n) in program.names.iter().enumerate().filter(|(_, n)| n.live) {
            match n.kind {
                NameKind::Heap { .. } | NameKind::Static | NameKind::Stack | NameKind::Vla => {
                    args.push(n.ident.clone());
                }
                NameKind::Alias {
                    place: AliasPlace::Param,
                    ..
                } => args.push(self.alias_value(name)),
                _ => continue,
            }
            parameters.push(self.parameter(name));
        }
        if !program.global_hash {
            parameters.push("unsigned long *h".into());
            args.push("&h".into());
        }
        if self.hands_device() {
            parameters.push("int gpu".into());
            args.push("gpu".into());
        }
        (parameters, args)
    }

    fn work_signature(&self) -> String {
        let parameters = self.work_parameters().0;
        let parameters = if parameters.is_empty() {
            "void".into()
        } else {
            parameters.join(", ")
        };
        let away = self.program.functions[0].home != MAIN;
        let linkage = if away { "" } else { "static " };
        format!("{linkage}void work_{}({parameters})", self.program.seed)
    }

    /// What the header says of a work function that stands in another file.
    pub(super) fn work_prototype(&self) -> String {
        if self.program.functions[0].home == MAIN {
            String::new()
        } else {
            format!("{};\n", self.work_signature())
        }
    }

    /// The function that holds the statements, where the arrays are its parameters; returns the call of it.
    fn work(&mut self) -> String {
        self.out += &format!("{}\n{{\n", self.work_signature());
        self.declare_device();
        self.locals();
        self.block(&self.program.functions[0].body);
        self.mix_scalars();
        self.out += "}\n\n";
        format!("work_{}({});", self.program.seed, self.work_parameters().1.join(", "))
    }

    /// The function that holds the statements, if they have one of their own, and the one that runs the case.
    pub(super) fn case(&mut self) -> (String, String) {
        let program = self.program;
        let seed = program.seed;
        let call = if program.layout == Layout::Function {
            Some(self.work())
        } else {
            None
        };
        let work = std::mem::take(&mut self.out);
        self.out += &match program.layout {
            Layout::Main => "int main(void)\n{\n".to_string(),
            _ => format!("static void case_{seed}(void)\n{{\n"),
        };
        self.choose_device();
        self.sizes();
        self.arrays();
        self.everywhere("setup");
        if !program.global_hash {
            self.line("unsigned long h = 7;");
        }
        match call {
            Some(call) => self.line(&call),
            None => {
                self.locals();
                self.block(&program.functions[0].body);
                let mut exits = false;
                visit(&program.functions[0].body, &mut |s| {
                    exits |= matches!(s, Stmt::Jump { kind: Jump::Exit, .. })
                });
                if exits {
                    self.out += &format!("done_{seed}: ;\n");
                }
                self.mix_scalars();
            }
        }
        let hash = if program.global_hash {
            format!("hash_{seed}")
        } else {
            "h".into()
        };
        self.results(&hash);
        self.everywhere("show");
        if program.layout == Layout::Main {
            self.out += &finish(0);
            self.line("return 0;");
        }
        self.out += "}\n\n";
        (work, std::mem::take(&mut self.out))
    }
}
