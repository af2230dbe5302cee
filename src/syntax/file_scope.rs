//! What a file declares at file scope, its headers included, read from its preprocessed text.

use super::declarators::{file_variables, signature, span_of};
use super::unfold::{Unfolded, unfold};
use super::{dialect, parser};
use crate::source::Span;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

/// What a file declares at file scope. Positions are bytes of a text of their own: they only say what comes first.
#[derive(Clone, Debug, Default)]
pub struct FileScope {
    /// The file's variables, in order; one that is declared twice is there twice.
    pub variables: Vec<FileVariable>,
    /// Tags of records with their members, sorted; for those without one, the name of the type.
    pub records: Vec<String>,
    /// Functions that it defines or declares.
    pub functions: Vec<FileFunction>,
    /// Words of declarations that the parser does not read.
    pub unclear: Vec<(usize, String)>,
    /// All pragmas, without `#pragma`.
    pub pragmas: Vec<(usize, String)>,
}

impl FileScope {
    /// The function that a directive stands in. Its body is blank, so that the directive has the place of the first token
    /// after it: at most the closing brace.
    pub fn function_around(&self, at: usize) -> Option<&FileFunction> {
        self.functions.iter().find(|f| f.span.start < at && at < f.span.end)
    }
}

/// A function that is defined or declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFunction {
    /// The function's name.
    pub name: String,
    /// From where to where.
    pub span: Span,
}

/// A declaration of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVariable {
    /// The variable.
    pub name: String,
    /// Where it is declared.
    pub at: usize,
    /// The line of the main file after which it is.
    pub line: u32,
    /// The variable's type is complete, and that of the record that it points to, if it does.
    pub complete: bool,
    /// The variable is declared `static`.
    pub internal: bool,
}

/// Reads a preprocessed text with line markers. What the parser does not understand is left out.
pub fn file_scope(preprocessed: &[u8]) -> FileScope {
    let mut unfolded = unfold(preprocessed);
    dialect::simplify(&mut unfolded.text);
    let mut reader = FileScopeReader {
        pragmas: std::mem::take(&mut unfolded.pragmas),
        unfolded,
        found: FileScope::default(),
        tags: FxHashMap::default(),
        aliases: FxHashMap::default(),
    };
    if let Some(tree) = parser::parse(&reader.unfolded.text) {
        let mut cursor = tree.walk();
        let nodes: Vec<Node<'_>> = tree.root_node().children(&mut cursor).collect();
        nodes.iter().for_each(|node| reader.types(*node));
        nodes.iter().for_each(|node| reader.names(*node));
    }
    let tags = std::mem::take(&mut reader.tags);
    reader.found.records.extend(tags.into_keys());
    reader.found.records.sort();
    reader.found.pragmas = reader.pragmas;
    reader.found
}

struct FileScopeReader {
    unfolded: Unfolded,
    pragmas: Vec<(usize, String)>,
    found: FileScope,
    /// Records with their members: by tag, where that is.
    tags: FxHashMap<String, usize>,
    /// Names of types: from where on they are complete, `None` for nowhere.
    aliases: FxHashMap<String, Option<usize>>,
}

impl FileScopeReader {
    fn text(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(&self.unfolded.text[node.byte_range()]).into_owned()
    }

    /// Notes the types that a node of the file defines.
    fn types(&mut self, node: Node<'_>) {
        let record = match node.kind() {
            "struct_specifier" | "union_specifier" => Some(node),
            "declaration" | "type_definition" | "function_definition" => node.child_by_field_name("type"),
            _ => None,
        };
        let record = record.filter(|record| record.child_by_field_name("body").is_some());
        let Some(record) = record else { return };
        let tag = record.child_by_field_name("name");
        let name = tag.map(|name| self.text(name)).or_else(|| {
            let names = file_variables(node, &self.unfolded.text).into_iter();
            names
                .map(|(name, _)| name.name)
                .next()
                .filter(|_| node.kind() == "type_definition")
        });
        if let Some(name) = name {
            self.tags.entry(name).or_insert(node.start_byte());
        }
    }

    /// From where on a type is complete; `None`: nowhere. `Some(0)` for what has always been.
    fn complete_from(&self, ty: Node<'_>) -> Option<usize> {
        match ty.kind() {
            "struct_specifier" | "union_specifier" if ty.child_by_field_name("body").is_none() => {
                let name = ty.child_by_field_name("name").map(|name| self.text(name))?;
                self.tags.get(&name).copied()
            }
            "type_identifier" => self.aliases.get(&self.text(ty)).copied().unwrap_or(Some(0)),
            _ => Some(0),
        }
    }

    /// Notes what a node of the file declares.
    fn names(&mut self, node: Node<'_>) {
        let at = node.start_byte();
        if node.has_error() && node.kind() != "function_definition" {
            self.unclear(node);
            return;
        }
        match node.kind() {
            "function_definition" => match signature(node, &self.unfolded.text) {
                Some((name, _)) => self.function(node, name.name),
                None => self.unclear(node),
            },
            "declaration" | "type_definition" => {
                let Some(ty) = node.child_by_field_name("type") else {
                    return;
                };
                let whole = self.complete_from(ty);
                let mut cursor = node.walk();
                let internal = node
                    .children(&mut cursor)
                    .any(|child| child.kind() == "storage_class_specifier" && self.text(child) == "static");
                for (name, kind) in file_variables(node, &self.unfolded.text) {
                    let complete = whole.filter(|_| kind.sized);
                    if node.kind() == "type_definition" {
                        self.aliases.insert(name.name, complete);
                    } else if kind.function {
                        self.function(node, name.name);
                    } else {
                        self.found.variables.push(FileVariable {
                            name: name.name,
                            at,
                            line: self.unfolded.line(name.span.end.max(complete.unwrap_or(0))),
                            complete: complete.is_some(),
                            internal,
                        });
                    }
                }
            }
            _ => {}
        }
    }

    fn function(&mut self, node: Node<'_>, name: String) {
        let span = span_of(node);
        self.found.functions.push(FileFunction { name, span });
    }

    fn unclear(&mut self, node: Node<'_>) {
        let words = super::identifiers(&self.unfolded.text, span_of(node));
        let words = words.into_iter().map(|(word, span)| (span.start, word));
        self.found.unclear.extend(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(text: &str) -> Vec<(String, u32, bool)> {
        let scope = file_scope(text.as_bytes());
        let variables = scope.variables.into_iter();
        variables.map(|v| (v.name, v.line, v.complete)).collect()
    }

    fn is(found: &[(String, u32, bool)], wanted: &[(&str, u32, bool)]) {
        let wanted: Vec<(String, u32, bool)> = wanted.iter().map(|(n, l, c)| ((*n).to_owned(), *l, *c)).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn variables_of_all_forms() {
        let found = variables(
            "extern double a[4], *b, (*c)[3];\nint f(int n);\ntypedef double row[8];\nextern row d;\nstatic int e = 3;\n\
             double (*g)(double);\nint h(void) { int local; return local; }\n\
             extern double i[2] __attribute__((aligned(64)));\nvoid (*table[])(int) = { h };\n",
        );
        is(
            &found,
            &[
                ("a", 1, true),
                ("b", 1, true),
                ("c", 1, true),
                ("d", 4, true),
                ("e", 5, true),
                ("g", 6, true),
                ("i", 8, true),
                ("table", 9, true),
            ],
        );
    }

    #[test]
    fn what_is_not_complete() {
        let found = variables(
            "extern double u[];\nextern double v[][4];\nstruct s;\nextern struct s *p;\ntypedef struct t t;\nextern t q;\n\
             struct late *r;\nstruct late { int x; };\nextern struct late w;\ntypedef struct { int n; } whole;\n\
             extern whole z;\n",
        );
        is(
            &found,
            &[
                ("u", 1, false),
                ("v", 2, false),
                ("p", 4, false),
                ("q", 6, false),
                ("r", 8, true),
                ("w", 9, true),
                ("z", 11, true),
            ],
        );
    }

    #[test]
    fn records_with_members() {
        let text =
            b"struct a;\nstruct b { int x; } v;\ntypedef struct { int y; } c;\ntypedef union d { int z; } e, *f;\n";
        assert_eq!(file_scope(text).records, ["b", "c", "d"]);
    }

    #[test]
    fn what_cannot_be_read_is_unclear() {
        let scope = file_scope(b"int good;\nDECLARE(double) bad what;\nint other;\n");
        assert!(scope.variables.iter().any(|v| v.name == "good"));
        let known = |name: &str| scope.variables.iter().any(|v| v.name == name);
        let unclear = |name: &str| scope.unclear.iter().any(|(_, word)| word == name);
        assert!(known("what") || unclear("what"), "{scope:?}");
    }

    #[test]
    fn anything_is_read() {
        for text in [
            "",
            "}}}{{{",
            "# 1 \"",
            "# 99999999999 \"x\" 1\nint a;",
            "#pragma",
            "int",
            "\"",
            "struct { } ;",
        ] {
            file_scope(text.as_bytes());
        }
    }
}
