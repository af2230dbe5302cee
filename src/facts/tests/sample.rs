//! Facts with one of everything in them.

use crate::facts::{Dependency, UnitFacts};
use crate::llvm::ClangOptions;
use crate::program::ir::*;
use crate::source::Span;
use std::sync::Arc;

/// Facts to test with, equal at every call.
pub fn facts() -> UnitFacts {
    UnitFacts {
        file: "/src/a.c".into(),
        name: "a.c".into(),
        options: ClangOptions {
            flags: vec!["-DN=3".to_owned(), "-Iinc".to_owned()],
            openmp_version: 202_111,
            working_dir: "/src".into(),
            ..ClangOptions::default()
        },
        inputs: blake3::hash(b"inputs"),
        text: blake3::hash(b"text"),
        dependencies: vec![
            Dependency {
                path: "/src/inc/a.h".into(),
                hash: Some(blake3::hash(b"header")),
            },
            Dependency {
                path: "/src/new.h".into(),
                hash: None,
            },
        ],
        inactive: vec![Span::new(3, 10), Span::new(300, 301)],
        module: module(),
    }
}

fn module() -> Module {
    Module {
        functions: vec![Arc::new(function())],
        globals: vec![Global {
            name: "table".to_owned(),
            ty: Type::Array(Box::new(Type::Struct(StructId(0))), 1 << 40),
            size: 24 << 40,
            constant: true,
            internal: false,
            external: true,
            replaceable: true,
            on_device: true,
            in_section: true,
            source_type: Some(SourceType::Array {
                elem: Box::new(SourceType::Record {
                    name: "pair".to_owned(),
                    bytes: 24,
                }),
                dims: vec![Some(7), None],
            }),
            decl: Some(Loc { line: 300, col: 5 }),
            in_function: Some("f".to_owned()),
            init_pointers: vec![(8, Operand::Function(FuncId(0))), (16, Operand::Global(GlobalId(0)))],
            init_int: Some(i128::MIN),
            prints_errno: true,
            counts_printed: true,
        }],
        structs: vec![Struct {
            name: "struct.pair".to_owned(),
            fields: vec![Type::Float(64), Type::Other(16)],
            offsets: vec![0, 8],
            size: 24,
            field_names: vec!["x".to_owned(), String::new()],
            field_types: vec![SourceType::Float { bytes: 8 }, SourceType::Unknown],
        }],
        notes: vec!["assembly at file scope was not analysed".to_owned()],
        declared: Declarations {
            own_headers: Vec::new(),
            elsewhere: vec!["other".into()],
            names: vec![Declared {
                name: "field".to_owned(),
                from: Some(Loc { line: 3, col: u32::MAX }),
                complete: true,
                internal: false,
                on_device: false,
            }],
            records: vec!["pair".to_owned()],
            directives: vec![("f".to_owned(), 2, true)],
            threads: vec![("f".to_owned(), 1, true)],
            unseen: vec![("f".to_owned(), Unseen::because("a `declare variant` names another"))],
            told: Vec::new(),
            macros: Arc::default(),
            own_macros: Arc::default(),
            definitions: Arc::default(),
            headers: vec![SeenHeader {
                path: "/p/kernels.h".to_owned(),
                code: vec![(3, 9)],
                pragmas: vec![(4, "omp target".to_owned())],
            }],
            constants: vec![("SIZE".to_owned(), "(16)".to_owned())],
        },
        units: Vec::new(),
    }
}

fn function() -> Function {
    Function {
        name: "f".to_owned(),
        declaration: false,
        internal: true,
        replaceable: false,
        unit: 3,
        variadic: true,
        in_header: false,
        header_mentions_target: true,
        directives: 2,
        enters_data: true,
        host_directives: 1,
        makes_tasks: true,
        unseen: Some(Unseen::because("a `declare variant` names another")),
        header: Some("kernels.h".to_owned()),
        included: vec!["/p/body.h".to_owned()],
        params: vec![Type::Ptr],
        ret: Type::Void,
        decl: None,
        attrs: Attrs {
            memory_read: true,
            ..Attrs::default()
        },
        blocks: vec![Block {
            label: "for.cond".to_owned(),
            first: InstId(0),
            end: InstId(17),
            succs: vec![BlockId(0)],
        }],
        insts: ops().into_iter().enumerate().map(inst).collect(),
        variables: vec![Variable {
            name: "α".to_owned(),
            alloca: Some(InstId(0)),
            arg: Some(0),
            source_type: SourceType::Pointer {
                to: Box::new(SourceType::Int { bytes: 4, signed: true }),
                const_pointee: true,
                restrict: false,
            },
            decl: Some(Loc { line: 1, col: 70_000 }),
            vla: true,
        }],
    }
}

fn inst((index, op): (usize, Op)) -> Inst {
    Inst {
        op,
        ty: Type::Int(32),
        loc: (index % 3 != 0).then_some(Loc {
            line: index as u32 + 1,
            col: 200,
        }),
        block: BlockId(0),
    }
}

fn ops() -> Vec<Op> {
    let value = || Operand::Inst(InstId(300));
    let element = Operand::ConstGep {
        base: Box::new(Operand::Global(GlobalId(0))),
        bytes: -8,
    };
    let loc = Some(Loc { line: 9, col: 3 });
    vec![
        Op::Alloca {
            ty: Type::Ptr,
            count: Some(Operand::Arg(0)),
        },
        Op::Load {
            ptr: element,
            volatile: true,
        },
        Op::Store {
            ptr: value(),
            value: Operand::Float(-0.1),
            ty: Type::Float(64),
            volatile: false,
        },
        Op::Gep {
            base: value(),
            source_ty: Type::Int(8),
            indices: vec![Operand::Int(-1), Operand::Int(i128::MAX)],
        },
        Op::Binary {
            op: BinOp::FRem,
            lhs: Operand::Undef,
            rhs: Operand::OtherConst,
            nsw: true,
        },
        Op::Cmp {
            pred: Pred::Other,
            lhs: value(),
            rhs: Operand::Null,
            signed: true,
            float: false,
        },
        Op::Cast {
            kind: Cast::Float,
            value: value(),
            from: Type::Int(1),
        },
        Op::Phi {
            incoming: vec![(BlockId(0), value())],
        },
        Op::Select {
            cond: value(),
            then: value(),
            other: Operand::Float(f64::INFINITY),
        },
        Op::Call {
            callee: Callee::Direct(FuncId(0)),
            args: vec![value()],
        },
        Op::Call {
            callee: Callee::Indirect(value()),
            args: Vec::new(),
        },
        Op::Call {
            callee: Callee::Asm { names_memory: true },
            args: Vec::new(),
        },
        Op::Atomic {
            ptr: value(),
            value: value(),
            ty: Type::Int(64),
        },
        Op::Br {
            target: BlockId(0),
            latch: loc,
        },
        Op::CondBr {
            cond: value(),
            then: BlockId(0),
            other: BlockId(0),
            latch: loc,
        },
        Op::Switch {
            value: value(),
            default: BlockId(0),
            cases: vec![(-3, BlockId(0))],
        },
        Op::Ret(Some(value())),
        Op::Unreachable,
        Op::Other {
            mnemonic: "fneg".to_owned(),
            operands: vec![value()],
            touches_memory: true,
        },
    ]
}
