//! Barriers and worksharing constructs as text.

use crate::collectives::generator::builder::{Builder, Function};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::tree::{Stmt, block, line, omp};

/// A barrier, or a construct that shares work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sync {
    Barrier,
    For,
    ForDynamic,
    ForNowait,
    ForOrdered,
    ForReduction,
    Single,
    SingleNowait,
    Copyprivate,
    Sections,
    SectionsNowait,
}

/// What a defect can miss, with weights.
const MISSED: [(u32, Sync); 8] = [
    (6, Sync::Barrier),
    (2, Sync::For),
    (1, Sync::ForDynamic),
    (1, Sync::ForNowait),
    (2, Sync::Single),
    (1, Sync::SingleNowait),
    (1, Sync::Copyprivate),
    (1, Sync::Sections),
];

/// Every construct, with weights.
pub const ALL: [(u32, Sync); 11] = [
    (5, Sync::Barrier),
    (3, Sync::For),
    (1, Sync::ForDynamic),
    (2, Sync::ForNowait),
    (1, Sync::ForOrdered),
    (1, Sync::ForReduction),
    (3, Sync::Single),
    (1, Sync::SingleNowait),
    (2, Sync::Copyprivate),
    (2, Sync::Sections),
    (1, Sync::SectionsNowait),
];

impl Sync {
    /// Any of them.
    pub fn any(b: &mut Builder) -> Sync {
        b.rng.weighted(&ALL)
    }

    /// One that a defect can miss.
    pub fn missed(b: &mut Builder) -> Sync {
        b.rng.weighted(&MISSED)
    }

    /// Whether no thread gets past it before all have come.
    pub fn waits(self) -> bool {
        !matches!(self, Sync::ForNowait | Sync::SingleNowait | Sync::SectionsNowait)
    }

    /// The construct as statements, on variables of its own.
    pub fn stmts(self, b: &mut Builder) -> Vec<Stmt> {
        b.note(Feature::OmpSync(self));
        let (i, k) = (b.name("i"), b.rng.range(1, 9));
        let head = format!("for (int {i} = 0; {i} < {}; {i}++)", b.pick(&[6, 8, 13]));
        let looped = |clauses: &str, body: Vec<Stmt>| vec![omp(format!("for{clauses}")), block(head.clone(), body)];
        match self {
            Sync::Barrier => vec![omp("barrier")],
            Sync::For => {
                let schedule = b.pick(&["", " schedule(static)", " schedule(static, 1)"]);
                if b.rng.chance(50) {
                    let cells = b.name("cells");
                    b.global(&format!("static int {cells}[16];"));
                    return looped(schedule, vec![line(format!("{cells}[{i}] = {i} * {k};"))]);
                }
                looped(schedule, vec![used(b, &i)])
            }
            Sync::ForDynamic => {
                let schedule = b.pick(&[" schedule(dynamic)", " schedule(dynamic, 2)", " schedule(guided)"]);
                looped(schedule, vec![used(b, &i)])
            }
            Sync::ForNowait => looped(" nowait", vec![used(b, &i)]),
            Sync::ForOrdered => {
                let body = vec![omp("ordered"), block("", vec![used(b, &i)])];
                looped(" ordered", body)
            }
            Sync::ForReduction => {
                let sum = b.name("sum");
                b.global(&format!("static int {sum};"));
                looped(&format!(" reduction(+ : {sum})"), vec![line(format!("{sum} += {i};"))])
            }
            Sync::Single => vec![omp("single"), block("", vec![used(b, &k.to_string())])],
            Sync::SingleNowait => vec![omp("single nowait"), block("", vec![used(b, &k.to_string())])],
            Sync::Copyprivate => {
                let name = b.name("c");
                vec![
                    line(format!("int {name} = 0;")),
                    omp(format!("single copyprivate({name})")),
                    block("", vec![line(format!("{name} = {k};"))]),
                    used(b, &name),
                ]
            }
            Sync::Sections | Sync::SectionsNowait => {
                let mut body = Vec::new();
                for _ in 0..b.rng.range(1, 3) {
                    body.push(omp("section"));
                    body.push(block("", vec![used(b, &k.to_string())]));
                }
                let nowait = if self == Sync::Sections { "" } else { " nowait" };
                vec![omp(format!("sections{nowait}")), block("", body)]
            }
        }
    }
}

/// A statement that does something with `expr` and touches no memory that threads share.
pub fn used(b: &mut Builder, expr: &str) -> Stmt {
    let text = "static void use(int x)\n{\n    volatile int kept = x;\n    (void)kept;\n}\n";
    if !b.functions.iter().any(|function| function.name == "use") {
        b.functions.insert(
            0,
            Function {
                name: "use".to_string(),
                text: text.to_string(),
            },
        );
    }
    line(format!("use({expr});"))
}
