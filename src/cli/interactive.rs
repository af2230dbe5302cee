//! `--interactive`: one decision after the other, as `git add -p` asks of hunks.
//!
//! ```text
//! naive.c:21: simulate/u: `u` stays on the device over 2 kernels … (about 96 % less expected traffic)
//! @@ -18,6 +18,7 @@
//! +    #pragma omp target data map(tofrom: u[0:ny][0:nx]) if(steps > 0)
//! (2/4) Apply this decision [y,n,a,d,q,e,?]?
//! ```
//!
//! A decision is shown as what it adds to those taken before: the difference between the run with these and the run with one more
//! ([`Choosing::offer`]). So what has been refused is in neither, and what is shown last is what is written. A decision that needs others is shown with
//! them, and taken with them.
//!
//! **Edited hunks.** What comes back from the editor is the user's own text, laid over whatever the plan is ([`EditedHunks`]): to the plan that decision
//! is refused. What would change the same lines later is not offered.
//!
//! **Invariants.** Nothing is written before the last answer. The end of the answers is `q`.

use super::args::RewriteArgs;
use super::choice::{AskedRun, Wanted, missed};
use super::editor::edited;
use super::output::Output;
use super::rewrite::{Asks, RunRequest};
use crate::patience::Patience;
use crate::report::Verbosity;
use crate::report::{Level, coloured_diff, human};
use crate::rewrite::{Choosing, Offer, Outcome, Rewritten};
use crate::source::{EditedHunks, LineIndex, SourceFile, unified_diff};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

const HELP: &str = "\
y - make this decision
n - do not make it; what follows is planned without it
a - make this one and all that follow
d - make neither this one nor any that follows
q - quit: as d
e - edit what it writes by hand, in VISUAL or EDITOR
? - this help
";

/// The run with the decisions that the user takes.
pub fn chosen(args: &RewriteArgs, run: AskedRun<'_>, output: &Output) -> Rewritten {
    let AskedRun {
        choosing,
        all,
        names,
        files,
    } = run;
    let mut dialog = Dialog {
        args,
        output,
        choosing: &choosing,
        names,
        files,
        taken: BTreeSet::new(),
        open: (0..choosing.decisions.len()).collect(),
        current: nothing_of(all),
        edits: Vec::new(),
    };
    dialog.ask_all();
    dialog.finished()
}

/// A run as it would be without any decision.
fn nothing_of(all: Rewritten) -> Rewritten {
    let kept = |outcome: Outcome| Outcome {
        remarks: outcome.remarks,
        ..Outcome::default()
    };
    let files = all.files.into_iter().map(|file| file.map(kept));
    Rewritten {
        files: files.collect(),
        ..all
    }
}

/// What the user has said so far.
struct Dialog<'d, 'p> {
    args: &'d RewriteArgs,
    output: &'d Output,
    choosing: &'d Choosing<'p>,
    names: &'d [&'d str],
    files: &'d [&'d SourceFile],
    /// Decisions that were taken.
    taken: BTreeSet<usize>,
    /// Decisions that were not asked about yet.
    open: BTreeSet<usize>,
    /// The run with what was taken.
    current: Rewritten,
    /// Hunks of the user's own, each with the place of its file.
    edits: Vec<(usize, EditedHunks)>,
}

/// What an answer leads to.
enum Reply {
    Yes,
    No,
    All,
    Quit,
    Edit,
    Help,
}

impl Dialog<'_, '_> {
    fn ask_all(&mut self) {
        for next in 0..self.choosing.decisions.len() {
            if !self.open.contains(&next) {
                continue;
            }
            let Some(offer) = self.choosing.offer(&self.taken, next, &self.open) else {
                let others = BTreeSet::new();
                let why = missed(self.choosing, &self.taken, next, &others);
                self.output.messages(&format!("{why}\n"));
                self.open.remove(&next);
                continue;
            };
            let texts = match self.texts(&offer.rewritten) {
                Ok(texts) => texts,
                Err(_) => {
                    let id = &self.choosing.decisions[next].id;
                    let message = format!("`{id}` would change lines that you have edited: it is not made\n");
                    self.output.messages(&message);
                    self.open.remove(&next);
                    continue;
                }
            };
            if !self.ask(next, offer, &texts) {
                return;
            }
        }
    }

    /// Asks about a decision, until there is an answer; whether to go on.
    fn ask(&mut self, next: usize, offer: Offer, texts: &[Vec<u8>]) -> bool {
        let patch = self.patch(texts);
        self.show(&offer, &patch);
        loop {
            let progress = format!("({}/{})", next + 1, self.choosing.decisions.len());
            self.output.messages(&format!(
                "\x1b[1;34m{progress} Apply this decision [y,n,a,d,q,e,?]?\x1b[0m "
            ));
            match answer() {
                Reply::Yes => {
                    self.take(offer);
                    return true;
                }
                Reply::No => {
                    self.open.remove(&next);
                    return true;
                }
                Reply::All => return !self.take_all(),
                Reply::Quit => return false,
                Reply::Edit => match self.edit(&patch) {
                    Ok(edits) => {
                        self.edits.extend(edits);
                        offer.decisions.iter().for_each(|at| {
                            self.open.remove(at);
                        });
                        return true;
                    }
                    Err(why) => self.output.messages(&format!("{why}\n")),
                },
                Reply::Help => self.output.messages(HELP),
            }
        }
    }

    fn take(&mut self, offer: Offer) {
        for at in &offer.decisions {
            self.taken.insert(*at);
            self.open.remove(at);
        }
        self.current = offer.rewritten;
    }

    /// Takes all decisions that are open; whether that goes with what the user has edited.
    fn take_all(&mut self) -> bool {
        let all: BTreeSet<usize> = self.taken.union(&self.open).copied().collect();
        let rewritten = self.choosing.only(&all);
        if self.texts(&rewritten).is_err() {
            let message = "some of what follows would change lines that you have edited: one after the other, then\n";
            self.output.messages(message);
            return false;
        }
        self.current = rewritten;
        (self.taken, self.open) = (all, BTreeSet::new());
        true
    }

    /// The texts of a run, with what was edited by hand.
    ///
    /// # Errors
    /// What does not go together.
    fn texts(&self, run: &Rewritten) -> Result<Vec<Vec<u8>>, String> {
        let each = self.files.iter().zip(&run.files);
        let planned = each.map(|(file, outcome)| match outcome {
            Ok(Outcome {
                new_text: Some(new), ..
            }) => new.clone(),
            _ => file.bytes().to_vec(),
        });
        let mut texts: Vec<Vec<u8>> = planned.collect();
        for (file, hunks) in &self.edits {
            texts[*file] = hunks.applied(&texts[*file])?;
        }
        Ok(texts)
    }

    /// The difference from what was taken so far to these texts, file by file.
    fn patch(&self, texts: &[Vec<u8>]) -> Vec<FilePatch> {
        let now = self.texts(&self.current).unwrap_or_default();
        let each = now.iter().zip(texts).enumerate();
        let patches = each.map(|(file, (now, then))| FilePatch {
            file,
            bytes: unified_diff(self.names[file], now, then),
        });
        patches.filter(|patch| !patch.bytes.is_empty()).collect()
    }

    /// Says what a decision is, and what it changes.
    fn show(&self, offer: &Offer, patch: &[FilePatch]) {
        for at in &offer.decisions {
            let decision = &self.choosing.decisions[*at];
            let lines = LineIndex::new(self.files[decision.file].bytes());
            let line = lines.position(decision.notes[0].span.start).line;
            let said: Vec<&str> = decision.notes.iter().map(|note| note.message.as_str()).collect();
            let (name, id) = (self.names[decision.file], &decision.id);
            let header = format!("\x1b[1m{name}:{line}: {id}:\x1b[0m {}\n", said.join("\n    "));
            self.output.messages(&header);
        }
        if offer.decisions.len() > 1 {
            self.output.messages("(only together)\n");
        }
        let all: Vec<u8> = patch.iter().flat_map(|patch| patch.bytes.iter().copied()).collect();
        self.output.messages(&String::from_utf8_lossy(&coloured_diff(&all)));
    }

    /// What the user makes of a patch.
    ///
    /// # Errors
    /// Why it is not taken.
    fn edit(&self, patch: &[FilePatch]) -> Result<Vec<(usize, EditedHunks)>, String> {
        let whole: Vec<u8> = patch.iter().flat_map(|patch| patch.bytes.iter().copied()).collect();
        let hunks = EditedHunks::of_patch(&edited(&whole)?)?;
        if hunks.iter().all(EditedHunks::is_empty) {
            return Err("nothing is left of the patch: it stays as it was".to_owned());
        }
        if hunks.len() != patch.len() {
            return Err("the edited patch has more or fewer files than it had: the lines that begin with `---` and `+++` have to stay".to_owned());
        }
        let edits: Vec<(usize, EditedHunks)> = patch.iter().map(|patch| patch.file).zip(hunks).collect();
        let mut texts = self.texts(&self.current)?;
        for (file, hunks) in &edits {
            texts[*file] = hunks.applied(&texts[*file])?;
        }
        self.check(&texts)?;
        Ok(edits)
    }

    /// Says what `check` finds in texts with something of the user's own.
    ///
    /// # Errors
    /// The compiler does not accept one of them.
    fn check(&self, texts: &[Vec<u8>]) -> Result<(), String> {
        let mut instead = BTreeMap::new();
        for (file, text) in self.files.iter().zip(texts) {
            let text = String::from_utf8(text.clone());
            let text = text.map_err(|_| format!("{}: the edited text is not UTF-8", file.path().display()))?;
            instead.insert(file.path().to_owned(), text);
        }
        let request = RunRequest {
            paths: &self.args.paths,
            summaries: self.args.summaries.as_deref(),
            cache: &self.args.cache,
            tool: &self.args.tool,
            asks: Asks::CHECK,
            dumps: BTreeSet::new(),
            in_place: false,
            self_check: false,
            instead: &instead,
            wanted: Wanted::All,
            patience: Patience::default(),
        };
        let reported = request
            .reported(self.output)
            .ok_or("the edited text cannot be checked")?;
        let mut findings = reported.report.files.iter().flat_map(|file| &file.findings);
        if let Some(error) = findings.find(|finding| finding.level == Level::Error) {
            return Err(format!("the edited text is not accepted: {}", error.message));
        }
        self.output
            .messages("this is your own text now: the tool no longer vouches for it\n");
        self.output.messages(&human(&reported.report, Verbosity::Quiet));
        Ok(())
    }

    /// The run with all that was taken, and what was edited by hand.
    fn finished(self) -> Rewritten {
        let texts = self.texts(&self.current);
        let mut run = self.current;
        let edited: BTreeSet<usize> = self.edits.iter().map(|(file, _)| *file).collect();
        let Ok(texts) = texts else { return run };
        for (file, text) in texts.into_iter().enumerate().filter(|(file, _)| edited.contains(file)) {
            if let Ok(outcome) = &mut run.files[file] {
                outcome.new_text = (text != self.files[file].bytes()).then_some(text);
                outcome.bound |= edited.len() > 1 && outcome.new_text.is_some();
            }
            run.notes.push(format!(
                "{}: has hunks that were edited by hand: the tool does not vouch for them",
                self.names[file]
            ));
        }
        run
    }
}

/// What changes in one file.
struct FilePatch {
    file: usize,
    bytes: Vec<u8>,
}

/// The next answer; at the end of the input there is nothing more to come.
fn answer() -> Reply {
    let mut line = Vec::new();
    let read = io::stdin().lock().read_until(b'\n', &mut line);
    match (read, line.trim_ascii().first().map(u8::to_ascii_lowercase)) {
        (Err(_) | Ok(0), _) | (_, Some(b'q' | b'd')) => Reply::Quit,
        (_, Some(b'y')) => Reply::Yes,
        (_, Some(b'n')) => Reply::No,
        (_, Some(b'a')) => Reply::All,
        (_, Some(b'e')) => Reply::Edit,
        _ => Reply::Help,
    }
}
