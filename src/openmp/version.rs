//! Versions of the OpenMP specification, 4.5 to 6.0.

use serde::Serialize;

/// A version of the specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub enum SpecVersion {
    /// 4.5, November 2015.
    V45,
    /// 5.0, November 2018.
    V50,
    /// 5.1, November 2020: what clang 19 implements unless told otherwise.
    #[default]
    V51,
    /// 5.2, November 2021.
    V52,
    /// 6.0, November 2024.
    V60,
}

/// Every version with its number as written after `-fopenmp-version=` and the value of `_OPENMP`.
const VERSIONS: [(SpecVersion, u32, u32); 5] = [
    (SpecVersion::V45, 45, 201511),
    (SpecVersion::V50, 50, 201811),
    (SpecVersion::V51, 51, 202011),
    (SpecVersion::V52, 52, 202111),
    (SpecVersion::V60, 60, 202411),
];

impl SpecVersion {
    /// The newest version that a compiler with this value of `_OPENMP` implements; `None` before 4.5.
    pub fn from_macro(openmp: u32) -> Option<SpecVersion> {
        VERSIONS.iter().rev().find(|row| row.2 <= openmp).map(|row| row.0)
    }
    /// The version written as `5.1` or `51`.
    pub fn from_number(text: &str) -> Option<SpecVersion> {
        let digits: String = text.split('.').collect();
        let dots = text.matches('.').count();
        VERSIONS
            .iter()
            .find(|row| dots <= 1 && row.1.to_string() == digits)
            .map(|row| row.0)
    }
    /// The number as clang's `-fopenmp-version=` takes it, e.g. 51.
    pub fn number(self) -> u32 {
        VERSIONS[self as usize].1
    }
    /// The value of the macro `_OPENMP`, a year and month, e.g. 202011.
    pub fn macro_value(self) -> u32 {
        VERSIONS[self as usize].2
    }
}

impl std::fmt::Display for SpecVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.number() / 10, self.number() % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_by_number_and_macro() {
        for (version, number, value) in VERSIONS {
            assert_eq!((version.number(), version.macro_value()), (number, value));
            assert_eq!(SpecVersion::from_number(&number.to_string()), Some(version));
            assert_eq!(SpecVersion::from_number(&version.to_string()), Some(version));
            assert_eq!(SpecVersion::from_macro(value), Some(version));
        }
        assert_eq!(SpecVersion::from_macro(201911), Some(SpecVersion::V50));
        assert_eq!(SpecVersion::from_macro(201307), None);
        assert_eq!(SpecVersion::from_number("4.0"), None);
        assert_eq!(SpecVersion::from_number("5..1"), None);
    }
}
