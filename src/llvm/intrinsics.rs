//! What LLVM's intrinsics are to the analyses: library functions under their C names, functions of LLVM under theirs
//! (`llvm.smax`: a program may have an `smax` of its own), or nothing.

use std::borrow::Cow;

/// How calls of an intrinsic are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Intrinsic<'a> {
    /// Says something about the code, does nothing: calls are left out.
    Skip,
    /// Bookkeeping that touches no variable: calls become [`Op::Other`](crate::program::ir::Op::Other).
    Harmless(&'a str),
    /// A function. `volatile_flag`: its last argument is LLVM's own and no C argument.
    Function {
        /// The function's C name, or LLVM's without types.
        name: Cow<'a, str>,
        /// Whether LLVM's `isvolatile` follows the C arguments.
        volatile_flag: bool,
    },
}

/// Reads the name of an intrinsic (`llvm.memcpy.p0.p0.i64`).
pub(super) fn classify(name: &str) -> Intrinsic<'_> {
    let base = name.strip_prefix("llvm.").unwrap_or(name);
    const NOTHING: [&str; 9] = [
        "lifetime.",
        "invariant.",
        "assume",
        "donothing",
        "sideeffect",
        "prefetch",
        "experimental.noalias",
        "var.annotation",
        "pseudoprobe",
    ];
    if NOTHING.iter().any(|prefix| base.starts_with(prefix)) {
        return Intrinsic::Skip;
    }
    let name = without_types(base);
    match name {
        "stacksave" | "stackrestore" => Intrinsic::Harmless(name),
        "memcpy" | "memcpy.inline" => Intrinsic::Function {
            name: "memcpy".into(),
            volatile_flag: true,
        },
        "memset" | "memset.inline" => Intrinsic::Function {
            name: "memset".into(),
            volatile_flag: true,
        },
        "memmove" => Intrinsic::Function {
            name: "memmove".into(),
            volatile_flag: true,
        },
        _ => Intrinsic::Function {
            name: match C_NAMES.contains(&name) {
                true => name.into(),
                false => format!("llvm.{name}").into(),
            },
            volatile_flag: false,
        },
    }
}

/// Intrinsics that are functions of C, under the same names and with the same arguments first.
const C_NAMES: [&str; 34] = [
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "exp",
    "exp10",
    "exp2",
    "fabs",
    "floor",
    "fma",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log2",
    "lrint",
    "lround",
    "nearbyint",
    "pow",
    "rint",
    "round",
    "roundeven",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];

/// Strips the types that an overloaded intrinsic's name ends with.
fn without_types(name: &str) -> &str {
    let mut name = name;
    while let Some((rest, last)) = name.rsplit_once('.') {
        if !is_type(last) {
            break;
        }
        name = rest;
    }
    name
}

/// `p0`, `i64`, `f32`, `bf16`, `v4f64`, `nxv2i64`, `a3i8`, and the like.
fn is_type(part: &str) -> bool {
    let rest = part.trim_start_matches("nx");
    let Some(rest) = { rest.strip_prefix("bf") }.or_else(|| rest.strip_prefix(['p', 'i', 'f', 'v', 'a'])) else {
        return false;
    };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let had_digits = part.ends_with(|c: char| c.is_ascii_digit());
    had_digits && (rest.is_empty() || is_type(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let function = |name: &'static str, volatile_flag| Intrinsic::Function {
            name: name.into(),
            volatile_flag,
        };
        assert_eq!(classify("llvm.memcpy.p0.p0.i64"), function("memcpy", true));
        assert_eq!(classify("llvm.memset.p0.i64"), function("memset", true));
        assert_eq!(classify("llvm.fabs.f64"), function("fabs", false));
        assert_eq!(classify("llvm.fma.v4f32"), function("fma", false));
        assert_eq!(
            classify("llvm.umul.with.overflow.i64"),
            function("llvm.umul.with.overflow", false)
        );
        assert_eq!(classify("llvm.x86.sse2.pause"), function("llvm.x86.sse2.pause", false));
        assert_eq!(classify("llvm.exp2.f64"), function("exp2", false));
        assert_eq!(classify("llvm.nvvm.barrier0"), function("llvm.nvvm.barrier0", false));
        assert_eq!(classify("llvm.trap"), function("llvm.trap", false));
        assert_eq!(classify("llvm.stacksave.p0"), Intrinsic::Harmless("stacksave"));
        assert_eq!(classify("llvm.lifetime.start.p0"), Intrinsic::Skip);
        assert_eq!(classify("llvm.assume"), Intrinsic::Skip);
    }
}
