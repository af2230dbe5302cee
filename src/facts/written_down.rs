//! What a file does that the compiler would not see in its text: written down in texts for the compiler, of the file and of its
//! headers.
//!
//! | what | by |
//! |---|---|
//! | expressions that the host evaluates for directives | [`super::evaluations`] |
//! | branches of `#if` that this build leaves out | [`super::left_out`] |
//! | macros that do something else in another build | [`super::other_macros`] |
//! | conditions that macros decide | [`super::choices`] |
//!
//! What is written down may not compile where it stands. Then less is written, and the functions that would have needed it are
//! *unseen* ([`crate::program::ir::Unseen`]).

use super::choices::{Choices, choices};
use super::evaluations::{DirectiveEvaluations, evaluations, written};
use super::header_texts::{HeaderText, with_headers};
use super::includes::included_files;
use super::left_out::{FileName, KnownText, LeftOutBranches, macros_of};
use super::other_macros::OtherMacros;
use super::source::UnitSource;
use super::unseen;
use crate::llvm::{self, Analysed, BuildScope, Input, LlvmError};
use crate::program::ir::{Declarations, Module, Unseen};
use crate::source::Span;
use crate::syntax::{Define, LeftOutDefinitions, LeftOutFunction, ScopeTree, identifiers, unread_bodies};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What a file does that the compiler would not see in its text.
pub(super) struct WrittenDown<'a> {
    evaluated: DirectiveEvaluations,
    /// Of the file itself, then of its headers.
    pages: Vec<WrittenPage<'a>>,
    choices: Choices,
    /// Functions that branches define which this build leaves out.
    left_out: Vec<LeftOutFunction>,
    macros: &'a [Define],
    /// The words in what macros stand for, by name, once somebody has asked.
    words_of_macros: OnceCell<Vec<(String, Vec<String>)>>,
}

/// What is written down in one text.
struct WrittenPage<'a> {
    text: &'a [u8],
    tree: &'a ScopeTree,
    left_out: LeftOutBranches,
    other_macros: OtherMacros,
}

/// What texts for the compiler leave unsaid.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Unwritten {
    macros: bool,
    headers: bool,
    choices: bool,
    left_out: bool,
    evaluated: bool,
}

impl<'a> WrittenDown<'a> {
    /// What a file with this scope tree and these headers does.
    pub(super) fn of(
        source: &'a UnitSource<'a>,
        tree: &'a ScopeTree,
        headers: &'a [HeaderText],
        declared: &'a Declarations,
    ) -> WrittenDown<'a> {
        if source.options.builds == BuildScope::This {
            return WrittenDown::of_this_build(source, tree, declared);
        }
        let own = std::iter::once((source.text, tree));
        let texts: Vec<(&[u8], &ScopeTree)> = own
            .chain(headers.iter().map(|h| (h.text.as_slice(), &h.tree)))
            .collect();
        let named = || declared.names.iter().filter(|d| d.from.is_some());
        let left_out = left_out_definitions(source, &texts, headers);
        let macros = macros_of(&declared.macros, texts.iter().map(|(_, tree)| *tree));
        let mut pages = Vec::new();
        for (number, (text, tree)) in texts.iter().enumerate() {
            let variables: Vec<FileName<'_>> = match number.checked_sub(1).map(|at| &headers[at]) {
                None => { named() }
                    .filter_map(|d| Some(FileName::new(&d.name, d.from?.line)))
                    .collect(),
                Some(header) => {
                    let lines = header.first_lines(named().map(|d| d.name.as_str()));
                    lines
                        .into_iter()
                        .map(|(name, line)| FileName::new(name, line))
                        .collect()
                }
            };
            let page = KnownText {
                number,
                text,
                tree,
                macros: &macros,
                variables: &variables,
            };
            pages.push(WrittenPage {
                text,
                tree,
                left_out: page.left_out(),
                other_macros: page.other_macros(&left_out.macros),
            });
        }
        WrittenDown {
            evaluated: evaluations(source.text, tree, &declared.macros),
            pages,
            left_out: left_out.functions,
            choices: choices(&texts, &declared.own_macros, &source.name.to_string_lossy()),
            macros: &declared.macros,
            words_of_macros: OnceCell::new(),
        }
    }

    /// What a file does in this build.
    fn of_this_build(source: &'a UnitSource<'a>, tree: &'a ScopeTree, declared: &'a Declarations) -> WrittenDown<'a> {
        let own = WrittenPage {
            text: source.text,
            tree,
            left_out: LeftOutBranches::default(),
            other_macros: OtherMacros::default(),
        };
        WrittenDown {
            evaluated: evaluations(source.text, tree, &declared.macros),
            pages: vec![own],
            choices: Choices::none(),
            left_out: Vec::new(),
            macros: &declared.macros,
            words_of_macros: OnceCell::new(),
        }
    }

    /// What texts for the compiler may leave unsaid, those that say more first; the last one is the text as it is.
    fn attempts(&self) -> Vec<Unwritten> {
        let some = |edits: &dyn Fn(usize) -> bool| (0..self.pages.len()).any(edits);
        let in_headers = |page: usize| page > 0 && self.writes(page, Unwritten::default());
        let mut left = Unwritten::default();
        let mut attempts = vec![left];
        left.macros = some(&|page| !self.pages[page].other_macros.edits.is_empty());
        attempts.push(left);
        left.headers = some(&in_headers);
        attempts.push(left);
        left.choices = some(&|page| !self.choices.edits[page].is_empty());
        attempts.push(left);
        left.left_out = some(&|page| !self.pages[page].left_out.edits.is_empty());
        attempts.push(left);
        left.evaluated = !self.evaluated.edits.is_empty();
        attempts.push(left);
        attempts.dedup();
        attempts
    }

    /// Whether the text of a page for the compiler differs from its own.
    fn writes(&self, page: usize, unwritten: Unwritten) -> bool {
        !self.edits(page, unwritten).is_empty()
    }

    fn edits(&self, page: usize, unwritten: Unwritten) -> Vec<(Span, String)> {
        const NONE: &Vec<(Span, String)> = &Vec::new();
        if page > 0 && unwritten.headers {
            return Vec::new();
        }
        let parts = [
            (
                if page == 0 { &self.evaluated.edits } else { NONE },
                unwritten.evaluated,
            ),
            (&self.pages[page].left_out.edits, unwritten.left_out),
            (&self.pages[page].other_macros.edits, unwritten.macros),
            (&self.choices.edits[page], unwritten.choices),
        ];
        let said = parts.into_iter().filter(|(_, unwritten)| !unwritten);
        said.flat_map(|(edits, _)| edits.iter().cloned()).collect()
    }

    /// The plain IR of a file, with as much of this in it as compiles, and what is not in there.
    ///
    /// # Errors
    /// The errors of [`llvm::analyse`].
    pub(super) fn analyse(
        &self,
        source: &UnitSource<'_>,
        headers: &[HeaderText],
    ) -> Result<(Analysed, Unwritten), LlvmError> {
        let mut attempts = self.attempts();
        let last = attempts.pop().unwrap_or_default();
        for unwritten in attempts {
            let text = written(source.text, &self.edits(0, unwritten));
            let mut options = source.options.clone();
            let texts = headers
                .iter()
                .enumerate()
                .filter(|(at, _)| self.writes(at + 1, unwritten));
            let texts = texts.map(|(at, h)| (h.path.clone(), written(&h.text, &self.edits(at + 1, unwritten))));
            let texts: Vec<llvm::Instead> = texts.collect();
            if !texts.is_empty() {
                options = with_headers(&options, texts);
            }
            if !unwritten.choices {
                options.flags.extend(self.choices.flags.iter().cloned());
            }
            if let Ok(analysed) = llvm::analyse(source.clang, &Input::text(source.name, &text), &options) {
                return Ok((analysed, unwritten));
            }
        }
        let input = Input::text(source.name, source.text);
        Ok((llvm::analyse(source.clang, &input, source.options)?, last))
    }

    /// Functions that do what is not in the IR, where that much was left unsaid, and why.
    pub(super) fn unseen(&self, declared: &Declarations, unwritten: Unwritten) -> Vec<(String, Unseen)> {
        let mut found = unseen::of_directives(&self.evaluated, declared, unwritten.evaluated);
        let mut add = |functions: BTreeSet<String>, why: &str| {
            found.extend(functions.into_iter().map(|name| (name, Unseen::because(why))));
        };
        for (at, page) in self.pages.iter().enumerate() {
            let header = at > 0 && unwritten.headers;
            if header || unwritten.left_out {
                let why = "a branch of `#if` that this build leaves out names what is not declared where it stands";
                add(page.left_out.written.clone(), why);
            }
            let why = "a macro in it does something in another build that cannot be written down where it stands";
            if header || unwritten.macros {
                add(self.users(&page.other_macros.written), why);
            }
            add(self.users(&page.other_macros.unwritten), why);
            add(self.users_with_locals(&page.other_macros), why);
            if header || unwritten.choices {
                let why = "a condition in it, which macros decide, cannot be left open where it stands";
                add(self.choices.functions[at].clone(), why);
                add(self.users(&self.choices.macros[at]), why);
            }
        }
        found.extend(self.pages.iter().flat_map(|page| page.left_out.unseen.iter().cloned()));
        let others = self.left_out.iter();
        found.extend(others.map(|f| (f.name.clone(), Unseen::elsewhere(Unseen::OTHER_BODY))));
        found
    }

    /// The names of functions that branches define which this build leaves out, where other files have them or call them.
    pub(super) fn defined_elsewhere(&self, module: &Module) -> Vec<String> {
        let declared = |name: &str| module.functions.iter().any(|f| f.declaration && f.name == name);
        let shared = self.left_out.iter().filter(|f| !f.internal || declared(&f.name));
        let names: BTreeSet<&String> = shared.map(|f| &f.name).collect();
        names.into_iter().cloned().collect()
    }

    /// Whether functions that no scope tree has by their names do something else in another build, or would have to be told of it.
    pub(super) fn has_unread(&self, module: &Module, unwritten: Unwritten) -> bool {
        self.pages.iter().enumerate().any(|(at, page)| {
            let open = unwritten.choices || at > 0 && unwritten.headers;
            let mut bodies = unread_bodies(page.text, page.tree);
            // Macros make other names of these.
            let others = page.tree.functions.iter();
            let others = others.filter(|f| !module.functions.iter().any(|own| own.name == f.name));
            bodies.extend(others.map(|f| f.span));
            let within = |span: &Span| bodies.iter().any(|body| body.encloses(*span));
            page.tree.left_out.iter().any(within) || open && self.choices.unread[at]
        })
    }

    /// Whether a scope tree has a function.
    pub(super) fn has_function(&self, name: &str) -> bool {
        self.pages
            .iter()
            .any(|page| page.tree.functions.iter().any(|f| f.name == name))
    }

    /// The functions that use macros of which the other body may name variables of theirs.
    fn users_with_locals(&self, macros: &OtherMacros) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (name, locals) in macros.locals.iter().filter(|(_, locals)| !locals.is_empty()) {
            let users = self.users(&BTreeSet::from([name.clone()]));
            for page in &self.pages {
                for function in page.tree.functions.iter().filter(|f| users.contains(&f.name)) {
                    let words = identifiers(page.text, function.span);
                    if words.iter().any(|(word, _)| locals.contains(word)) {
                        found.insert(function.name.clone());
                    }
                }
            }
        }
        found
    }

    /// The functions that use macros of these names, or others that stand for them.
    fn users(&self, names: &BTreeSet<String>) -> BTreeSet<String> {
        let (mut names, mut users) = (names.clone(), BTreeSet::new());
        if names.is_empty() {
            return users;
        }
        loop {
            let known = names.len();
            for (name, words) in self.words_of_macros.get_or_init(|| words_of(self.macros)) {
                if words.iter().any(|word| names.contains(word)) {
                    names.insert(name.clone());
                }
            }
            if names.len() == known {
                break;
            }
        }
        for page in &self.pages {
            for function in &page.tree.functions {
                let words = identifiers(page.text, function.span);
                if words.iter().any(|(word, _)| names.contains(word)) {
                    users.insert(function.name.clone());
                }
            }
        }
        users
    }
}

/// What branches define that this build leaves out, of a file and of its headers, and the files that such branches include.
fn left_out_definitions(
    source: &UnitSource<'_>,
    texts: &[(&[u8], &ScopeTree)],
    headers: &[HeaderText],
) -> LeftOutDefinitions {
    let mut all = LeftOutDefinitions::default();
    for (number, (text, tree)) in texts.iter().enumerate() {
        let own = LeftOutDefinitions::of(text, tree);
        let path = number
            .checked_sub(1)
            .map_or(source.name, |at| headers[at].path.as_path());
        let files = included_files(&own.includes, path, source.options);
        let included = files.iter().map(|text| LeftOutDefinitions::of_file(text));
        for found in std::iter::once(own).chain(included) {
            all.functions.extend(found.functions);
            all.macros.extend(found.macros);
        }
    }
    all
}

/// The words in what macros stand for, by the macros' names.
fn words_of(macros: &[Define]) -> Vec<(String, Vec<String>)> {
    let words = |define: &Define| {
        let all = identifiers(define.body.as_bytes(), Span::new(0, define.body.len()));
        let words = all.into_iter().map(|(word, _)| word).collect();
        (define.name.clone(), words)
    };
    macros.iter().map(words).collect()
}
