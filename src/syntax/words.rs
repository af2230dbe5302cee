//! Keywords, as far as it matters which statement or declaration they start.

/// Words that look like a function-like macro at the start of a statement and are none.
pub(super) const NOT_MACROS: [&str; 18] = [
    "__attribute__",
    "__attribute",
    "__declspec",
    "typeof",
    "__typeof__",
    "__typeof",
    "typeof_unqual",
    "_Atomic",
    "_Alignas",
    "alignas",
    "_BitInt",
    "asm",
    "__asm__",
    "__asm",
    "_Static_assert",
    "static_assert",
    "__extension__",
    "_Generic",
];

/// Keywords that start a statement.
pub(super) const STATEMENT_WORDS: [&str; 12] = [
    "if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto", "break", "continue",
];

/// Keywords that start a declaration.
pub(super) const TYPE_WORDS: [&str; 26] = [
    "auto",
    "char",
    "const",
    "double",
    "enum",
    "extern",
    "float",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "short",
    "signed",
    "static",
    "struct",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "_Bool",
    "bool",
    "_Complex",
    "_Noreturn",
    "_Thread_local",
];

/// What may stand before the name of an integer variable.
pub(super) const INTEGER_WORDS: [&[u8]; 18] = [
    b"static",
    b"extern",
    b"const",
    b"char",
    b"short",
    b"int",
    b"long",
    b"signed",
    b"unsigned",
    b"size_t",
    b"ssize_t",
    b"ptrdiff_t",
    b"int16_t",
    b"int32_t",
    b"int64_t",
    b"uint16_t",
    b"uint32_t",
    b"uint64_t",
];

/// Operators that are words.
pub(super) const OPERATOR_WORDS: [&str; 5] = ["sizeof", "_Alignof", "alignof", "__alignof__", "__extension__"];

/// Whether `word` is in `list`.
pub(super) fn among(word: &[u8], list: &[&str]) -> bool {
    list.iter().any(|entry| entry.as_bytes() == word)
}
