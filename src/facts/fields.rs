//! How serde writes types that other rooms define without it. For `#[serde(with = "…")]`.

/// A path, as the bytes that it has: it need not be UTF-8.
pub(super) mod path {
    use serde::de::{Error, SeqAccess, Visitor};
    use serde::{Deserializer, Serializer};
    use std::ffi::OsString;
    use std::fmt;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(path.as_os_str().as_bytes())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        deserializer.deserialize_byte_buf(PathBytes)
    }

    struct PathBytes;

    impl<'de> Visitor<'de> for PathBytes {
        type Value = PathBuf;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the bytes of a path")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<PathBuf, E> {
            Ok(OsString::from_vec(bytes.to_vec()).into())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<PathBuf, A::Error> {
            let mut all = Vec::new();
            while let Some(byte) = bytes.next_element()? {
                all.push(byte);
            }
            Ok(OsString::from_vec(all).into())
        }
    }
}

/// How a file is compiled.
pub(super) mod options {
    use super::path;
    use crate::llvm::ClangOptions;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::path::PathBuf;

    /// Mirrors [`ClangOptions`]: a field that is new there does not compile here.
    #[derive(Serialize, Deserialize)]
    #[serde(remote = "ClangOptions")]
    struct OptionsMirror {
        flags: Vec<String>,
        openmp_version: u32,
        #[serde(with = "path")]
        working_dir: PathBuf,
        #[serde(skip)]
        instead: Option<std::sync::Arc<Vec<crate::llvm::Instead>>>,
        #[serde(skip)]
        unsaved: std::sync::Arc<Vec<crate::llvm::Instead>>,
        builds: crate::llvm::BuildScope,
    }

    pub fn serialize<S: Serializer>(options: &ClangOptions, serializer: S) -> Result<S::Ok, S::Error> {
        OptionsMirror::serialize(options, serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ClangOptions, D::Error> {
        OptionsMirror::deserialize(deserializer)
    }
}

/// Disjoint sorted spans, each as the distance from the one before and its length.
pub(super) mod spans {
    use crate::source::Span;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(spans: &[Span], serializer: S) -> Result<S::Ok, S::Error> {
        let mut end = 0;
        let steps = spans.iter().map(|span| {
            let step = (span.start - end, span.len());
            end = span.end;
            step
        });
        steps.collect::<Vec<(usize, usize)>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Span>, D::Error> {
        let mut at: usize = 0;
        let mut forward = |step: usize| {
            at = at
                .checked_add(step)
                .ok_or_else(|| Error::custom("a span lies too far out"))?;
            Ok(at)
        };
        Vec::<(usize, usize)>::deserialize(deserializer)?
            .into_iter()
            .map(|(gap, len)| Ok(Span::new(forward(gap)?, forward(len)?)))
            .collect()
    }
}
