//! Words that macros must leave alone.
//!
//! ```c
//! #define update refresh
//! #pragma omp target update from(v)              /* to the compiler: `target refresh from(v)`, a kernel and no copy */
//! ```
//!
//! Compilers expand macros in directives, their names included.

/// Words of the directives that the tool writes, those of clauses with a list or an expression apart.
const ALONE: [&str; 16] = [
    "alloc",
    "data",
    "delete",
    "distribute",
    "enter",
    "exit",
    "for",
    "max",
    "min",
    "parallel",
    "present",
    "release",
    "target",
    "teams",
    "tofrom",
    "update",
];

/// Words of clauses that the tool writes, and that a parenthesis follows.
const CLAUSES: [&str; 9] = [
    "collapse",
    "firstprivate",
    "from",
    "if",
    "map",
    "private",
    "reduction",
    "to",
    "use_device_ptr",
];

/// The first word of the directives that are written which the program defines as a macro. `alone`: as one that stands for
/// something wherever it stands; `called`: as any, one that only counts before a parenthesis included.
pub fn redefined(alone: &dyn Fn(&str) -> bool, called: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    let mut words = ALONE.into_iter().filter(|word| alone(word));
    words.next().or_else(|| CLAUSES.into_iter().find(|word| called(word)))
}

/// Why nothing is written, or read, where such a word is a macro.
pub fn why_unsafe(word: &str) -> String {
    format!("`{word}`, a word of OpenMP, is a macro here: no directive is safe from it")
}

#[cfg(test)]
mod tests {
    use super::redefined;

    #[test]
    fn what_follows_decides() {
        let none = |_: &str| false;
        assert_eq!(redefined(&|w| w == "update", &|w| w == "update"), Some("update"));
        // `#define update(x) x` changes no `target update from(…)`.
        assert_eq!(redefined(&none, &|w| w == "update"), None);
        assert_eq!(redefined(&none, &|w| w == "from"), Some("from"));
        assert_eq!(redefined(&none, &none), None);
    }
}
