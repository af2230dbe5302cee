//! The arguments, and their help.

use crate::analysis::libc::optional_libraries;
use crate::openmp::SpecVersion;
use crate::plan::{Dialect, RegionStyle};
use crate::rewrite::Dump;
use crate::rules::{NamedRules, RuleSelection};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0  nothing to do, or all done
  1  there is a patch (or files were changed, with --exit-non-zero-on-change), a check found something, or a verification
     found a difference, or that a program fails or does not end on several ranks
  2  wrong usage or configuration, a file that cannot be read or compiled, an internal error, or an inconclusive verification
  128 + N  ended by signal N: 130 by Ctrl-C, 143 by SIGTERM

Environment:
  OMPMEMOPT_CLANG  the clang to use, of the version that `ompmemopt version` shows; default: clang-VERSION, else clang
  MPICC, MPIEXEC   the compiler wrapper and the launcher of MPI for verify --ranks; default: mpicc, and mpiexec or mpirun
  XDG_CACHE_HOME   the folder of the cache `ompmemopt`; default: ~/.cache";

/// Rewrites C programs with OpenMP target offloading so that they move little data between host and device.
#[derive(Parser, Debug)]
#[command(name = "ompmemopt", version, max_term_width = 100, after_help = EXIT_CODES, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// When to colour messages.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
    /// Say every decision and every missed optimisation, with its reason.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Say errors only.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Optimise the data movement of existing target regions: print a patch, or write the files with -i.
    Rewrite(RewriteArgs),
    /// Write OpenMP or OpenACC directives for loops of plain C that can run on a device: print a patch, or write the files with -i.
    Annotate(AnnotateArgs),
    /// Verify the mappings that a program makes by hand: say where host or device read old values, and what does nothing.
    Check(CheckArgs),
    /// Print what a rule or a remark is about, or what each construct of files does to which arrays: copy in, persistent in, alloc, copy out, persistent out.
    Explain(ExplainArgs),
    /// List the rules that `check` knows.
    Rules,
    /// Build and run a program before and after rewriting on a device with its own memory; compare and count transfers.
    Verify(VerifyArgs),
    /// Serve an editor: what `check` and `rewrite` find, while you write. Editors start this; docs/editors.md says how.
    Lsp(LspArgs),
    /// Write what `rewrite --summaries` needs to know of each file, so that a build system can do it anywhere.
    Summarize(SummarizeArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of a command, or write those of all commands.
    Man {
        /// The command; default: all of them together.
        command: Option<String>,
        /// Write a page for each command into this folder instead.
        #[arg(long, value_name = "DIR", conflicts_with = "command")]
        output_dir: Option<PathBuf>,
    },
    /// Print the version, and that of the compiler used.
    Version {
        /// Print under which terms stands what is linked into the program.
        #[arg(long)]
        licenses: bool,
    },
}

/// Options of `rewrite` and `annotate`.
#[derive(Args, Debug)]
pub struct RewriteArgs {
    /// C files, folders, or parts of files as FILE:LINE or FILE:LINE-LINE.
    /// Default: all files of the summaries, or of the compilation database that -p names.
    #[arg(required_unless_present_any = ["summaries", "build_path"], value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Folder with what `ompmemopt summarize` wrote. All these files are one program with the PATHs, if any; only the
    /// PATHs are written then.
    #[arg(long, value_name = "DIR")]
    pub summaries: Option<PathBuf>,
    /// Write the files instead of printing a patch.
    #[arg(short, long)]
    pub in_place: bool,
    /// Ask of each decision whether it is to be made, as `git add -p` asks of hunks.
    #[arg(long, conflicts_with_all = ["only", "skip", "dump"])]
    pub interactive: bool,
    /// Make these decisions and no others: ids as -v shows them, as main/u.
    #[arg(long, value_name = "ID", value_delimiter = ',', conflicts_with = "dump")]
    pub only: Vec<String>,
    /// Make all decisions but these.
    #[arg(long, value_name = "ID", value_delimiter = ',', conflicts_with = "dump")]
    pub skip: Vec<String>,
    /// Look at what would be written as `check` does, and write nothing of a program in which that surely finds something
    /// wrong that was not there. Always done with -i.
    #[arg(long)]
    pub self_check: bool,
    /// With -i: exit with 1 if a file was changed.
    #[arg(long)]
    pub exit_non_zero_on_change: bool,
    /// Format of the output; all but `human` replace the patch on standard output.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: Format,
    /// Print what was seen or decided instead of the patch.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub dump: Vec<DumpArg>,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub tool: ToolArgs,
}

/// Options of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// C files, folders, or parts of files as FILE:LINE or FILE:LINE-LINE.
    /// Default: all files of the summaries, or of the compilation database that -p names.
    #[arg(required_unless_present_any = ["summaries", "build_path"], value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Folder with what `ompmemopt summarize` wrote. All these files are one program with the PATHs, if any; only what is
    /// wrong in the PATHs is said then.
    #[arg(long, value_name = "DIR")]
    pub summaries: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Say only what is not among what an earlier run printed with --output-format json.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: Format,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub tool: ToolArgs,
}

/// Which rules are looked for.
#[derive(Args, Clone, Debug)]
pub struct RuleArgs {
    /// Say what these rules find, and no others: codes, names, or the begin of codes, as OMM2 for copies that could go.
    /// Default: what ompmemopt.toml says, else all but OMM2.
    #[arg(long, value_name = "RULE", value_parser = NamedRules::parse, value_delimiter = ',')]
    pub select: Vec<NamedRules>,
    /// Do not say what these rules find.
    #[arg(long, value_name = "RULE", value_parser = NamedRules::parse, value_delimiter = ',')]
    pub ignore: Vec<NamedRules>,
}

impl RuleArgs {
    /// What the options say.
    pub fn selection(&self) -> RuleSelection {
        RuleSelection::new(&self.select, &self.ignore)
    }
}

/// Options of `explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A rule's code or name, as OMM102 or missing-from, or the word that a remark ends with, as moves-no-less; or C files, folders, or parts of files as FILE:LINE or FILE:LINE-LINE.
    #[arg(required_unless_present_any = ["summaries", "build_path"], value_name = "RULE|PATH")]
    pub what: Vec<PathBuf>,
    /// Folder with what `ompmemopt summarize` wrote. All these files are one program with the PATHs, if any.
    #[arg(long, value_name = "DIR")]
    pub summaries: Option<PathBuf>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: ExplainFormat,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub tool: ToolArgs,
}

/// Options of `lsp`.
#[derive(Args, Clone, Debug)]
pub struct LspArgs {
    /// Speak on standard input and output: always done, and said by editors that know other ways.
    #[arg(long)]
    pub stdio: bool,
    /// Say what is wrong only, and not what `rewrite` would write, and would not.
    #[arg(long)]
    pub no_rewrite: bool,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Say only what is not among what `check --output-format json` has printed, in the first folder of the workspace.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Address of the folder with rules.md and remarks.md, which messages lead to.
    #[arg(long, value_name = "ADDRESS")]
    pub docs_url: Option<String>,
    /// Write what is done, and how long it takes, into this file.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub tool: ToolArgs,
}

/// Options of `annotate`.
#[derive(Args, Debug)]
pub struct AnnotateArgs {
    /// Offload every loop that can be, also where its work is too little for a launch.
    #[arg(long)]
    pub all: bool,
    /// What directives are written in.
    #[arg(long, value_enum, default_value_t, value_name = "DIALECT")]
    pub dialect: DialectArg,
    /// Let sums, products and extremes in floating point be computed in another order: they may be rounded differently.
    #[arg(long)]
    pub reassociate: bool,
    #[command(flatten)]
    pub rewrite: RewriteArgs,
}

/// Options that say how files are compiled and rewritten.
#[derive(Args, Clone, Debug)]
pub struct ToolArgs {
    /// Folder of compile_commands.json; default: what ompmemopt.toml says, else the nearest one above each file.
    #[arg(short = 'p', long, value_name = "FOLDER")]
    pub build_path: Option<PathBuf>,
    /// What is to be assumed of the program, and settings; default: the nearest ompmemopt.toml above each file.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// OpenMP version: 4.5, 5.0, 5.1, 5.2 or 6.0; default: what ompmemopt.toml says, else 5.1.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub openmp: Option<SpecVersion>,
    /// How data regions are written: `target data`, `target enter/exit data`, or what fits; default: what ompmemopt.toml says, else what fits.
    #[arg(long, value_enum, value_name = "STYLE")]
    pub style: Option<StyleArg>,
    /// Never copy where the original might not: keep transfers in loops and branches that may not run.
    #[arg(long)]
    pub no_speculation: bool,
    /// Leave data directives as they are that somebody wrote; without it they are planned anew where that moves less.
    #[arg(long)]
    pub keep_directives: bool,
    /// Take for granted what cannot be proved; `noalias`: pointer parameters overlap neither each other nor variables.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub assume: Vec<AssumeArg>,
    /// Take functions of a library for unknown code of which there is a table: `mpi`, or `numeric` (BLAS, LAPACK, FFTW, HDF5, NetCDF).
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(optional_libraries()))]
    pub no_library: Vec<String>,
    /// Compiler flags, as -Iinclude -DN=8.
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

/// Options of `verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// The C files of one program, or folders with them.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The rewritten files, in the same order; default: rewrite them now.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub rewritten: Vec<PathBuf>,
    /// Arguments of the program, as one shell-quoted text.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, default_value = "")]
    pub args: String,
    /// File that the program reads on standard input; on several ranks, rank 0 does.
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// What is right: the program built without OpenMP, or the original on the device.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub reference: ReferenceArg,
    /// Run the program as it is on N ranks of this machine's MPI instead, and say whether it ends there; `check` (OMM302) says why
    /// it may not.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=64), conflicts_with_all = ["rewritten", "reference", "by_array"])]
    pub ranks: Option<u32>,
    /// Seconds after which a run is ended; where that happens to the reference the verdict is `inconclusive`.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub timeout: u64,
    /// Also count by array, in two more and slower runs, and say how much any placement of copies has to move.
    #[arg(long)]
    pub by_array: bool,
    /// Host threads of each run, or of each rank.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: TableFormat,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub tool: ToolArgs,
}

/// Options of `summarize`.
#[derive(Args, Debug)]
pub struct SummarizeArgs {
    /// C files or folders. The summary of F.c is F.omps in the current folder.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The summary to write, of a single file.
    #[arg(short, long, value_name = "FILE", conflicts_with = "output_dir")]
    pub output: Option<PathBuf>,
    /// Write below this folder, each summary where its file is below the current one: DIR/src/F.omps.
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
    /// Beside each F.omps write F.omps.d, a rule for make or ninja that names the headers.
    #[arg(long)]
    pub depfile: bool,
    /// Folder of compile_commands.json; default: the nearest one above each file.
    #[arg(short = 'p', long, value_name = "FOLDER")]
    pub build_path: Option<PathBuf>,
    /// OpenMP version: 4.5, 5.0, 5.1, 5.2 or 6.0.
    #[arg(long, value_name = "VERSION", value_parser = version, default_value = "5.1")]
    pub openmp: SpecVersion,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Compiler flags, as -Iinclude -DN=8.
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

/// Where results are kept between runs.
#[derive(Args, Clone, Debug)]
pub struct CacheArgs {
    /// Folder that keeps results for the next run; default: ompmemopt in $XDG_CACHE_HOME, else in ~/.cache.
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub cache_dir: Option<PathBuf>,
    /// Keep no results for the next run, and use none of the last.
    #[arg(long)]
    pub no_cache: bool,
}

/// When to colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Output formats of `rewrite`, `annotate` and `check`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// A patch, or what was found, and messages on standard error.
    #[default]
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub workflow commands.
    Github,
}

/// Output formats of `verify`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableFormat {
    /// A table.
    #[default]
    Human,
    /// One JSON object.
    Json,
}

/// Formats of explanations.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExplainFormat {
    /// A table.
    #[default]
    Human,
    /// One JSON object.
    Json,
    /// One page for a browser: the texts as they are written and rewritten, with what each line moves.
    Html,
}

/// What a right result is.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReferenceArg {
    /// The program built without OpenMP.
    #[default]
    Sequential,
    /// The original on the device.
    Original,
}

/// What can be dumped.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpArg {
    /// The scope tree.
    Scopes,
    /// The intermediate representation.
    Ir,
    /// Constructs and statement graphs.
    Program,
    /// What happens to each array where it was tried to keep it on the device.
    Problem,
    /// The plan.
    Plan,
}

/// What directives are written in.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DialectArg {
    /// `#pragma omp target …`
    #[default]
    Openmp,
    /// `#pragma acc …`
    Openacc,
}

/// What is taken for granted.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssumeArg {
    /// Pointer parameters overlap neither each other nor variables.
    Noalias,
}

/// How regions are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StyleArg {
    /// What fits.
    #[default]
    Auto,
    /// `target data` only.
    Structured,
    /// `target enter data` and `target exit data` only.
    Unstructured,
}

impl From<DumpArg> for Dump {
    fn from(arg: DumpArg) -> Dump {
        match arg {
            DumpArg::Scopes => Dump::Scopes,
            DumpArg::Ir => Dump::Ir,
            DumpArg::Program => Dump::Program,
            DumpArg::Problem => Dump::Problem,
            DumpArg::Plan => Dump::Plan,
        }
    }
}

impl From<DialectArg> for Dialect {
    fn from(arg: DialectArg) -> Dialect {
        match arg {
            DialectArg::Openmp => Dialect::OpenMp,
            DialectArg::Openacc => Dialect::OpenAcc,
        }
    }
}

impl From<StyleArg> for RegionStyle {
    fn from(arg: StyleArg) -> RegionStyle {
        match arg {
            StyleArg::Auto => RegionStyle::Auto,
            StyleArg::Structured => RegionStyle::Structured,
            StyleArg::Unstructured => RegionStyle::Unstructured,
        }
    }
}

fn version(text: &str) -> Result<SpecVersion, String> {
    SpecVersion::from_number(text).ok_or_else(|| "known versions are 4.5, 5.0, 5.1, 5.2 and 6.0".to_owned())
}

impl SummarizeArgs {
    /// The options as [`ToolArgs`]; those about plans have no bearing on summaries.
    pub fn tool(&self) -> ToolArgs {
        ToolArgs {
            build_path: self.build_path.clone(),
            openmp: Some(self.openmp),
            style: None,
            config: None,
            no_speculation: false,
            keep_directives: false,
            assume: Vec::new(),
            no_library: Vec::new(),
            flags: self.flags.clone(),
        }
    }
}

impl VerifyArgs {
    /// The program's arguments, taken apart as a shell would.
    ///
    /// # Errors
    /// What is wrong with the quoting.
    pub fn program_args(&self) -> Result<Vec<OsString>, String> {
        let words = shlex::split(&self.args).ok_or("--args: a quote is not closed")?;
        Ok(words.into_iter().map(OsString::from).collect())
    }

    /// What the program reads on standard input.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub fn program_input(&self) -> Result<Vec<u8>, String> {
        let Some(path) = &self.stdin else { return Ok(Vec::new()) };
        std::fs::read(path).map_err(|e| format!("{}: cannot be read ({e})", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_follow_two_dashes() {
        let cli = Cli::try_parse_from(["ompmemopt", "rewrite", "-i", "a.c", "src", "--", "-Iinc", "-DN=8"]).unwrap();
        let Command::Rewrite(args) = cli.command else {
            panic!("not rewrite")
        };
        assert_eq!(args.paths.len(), 2);
        assert_eq!(args.tool.flags, ["-Iinc", "-DN=8"]);
        assert_eq!(args.tool.openmp, None);
    }

    #[test]
    fn configurations_have_the_styles_of_the_command_line() {
        let styles = StyleArg::value_variants()
            .iter()
            .filter_map(StyleArg::to_possible_value);
        assert!(
            styles
                .map(|style| style.get_name().to_owned())
                .eq(crate::config::settings::STYLES)
        );
    }

    #[test]
    fn a_version_that_does_not_exist_is_refused() {
        let error = Cli::try_parse_from(["ompmemopt", "rewrite", "a.c", "--openmp", "4.0"]).unwrap_err();
        assert!(error.to_string().contains("known versions"));
    }
}
