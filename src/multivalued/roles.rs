//! What calls of the library mean for those who run side by side: tables, one for each kind of them, one function a line.
//!
//! | word | means |
//! |---|---|
//! | `result` | each agent gets another result |
//! | `own`, `own=1` | the result, or what this argument points to, is the agent's own number, in the communicator that argument 0 is |
//! | `count`, `count=1` | so is how many agents there are |
//! | `differs=1,2` | each agent gets something else in what these arguments point to |
//! | `received=0,6` | each agent gets what another one has sent in what these arguments point to, which may be the same for all |
//! | `equal=0` | all agents have the same in what this argument points to, afterwards |
//! | `items=1` | of so many elements, which are of the type that the next argument says |
//! | `comm=0` | all members of this communicator have to come here; `comm=*0`: of the one that it points to |
//! | `file` | that is a file: where nobody knows who has opened it, it may be one process by itself |
//! | `world` | all processes have to come here |
//! | `root=3`, `operator=4` | arguments that have to be the same for all |
//! | `same=1` | what this argument points to becomes a communicator with the same members |
//! | `part=3` with `colour=1` | it becomes the communicator of those who gave the same colour |
//! | `subset=5` | it becomes a communicator of some of the members, and no communicator for the others |
//! | `members=2` | it becomes a communicator of whose members nothing is known |
//! | `alike` | the same communicator, or none, for all who are looked at |
//! | `all` | all threads have to come here |
//! | `barrier` | all threads of the team have to come here, and have the same shared memory afterwards |
//! | `called=NAME` | what it is called in messages |
//! | `steps=A,B` | it is what these are, one after the other: else it is like none but itself |
//! | `alloc` | it gives fresh memory |
//! | `worksharing=for` | all threads of the team have to come here, or none: to a construct that is called so |
//! | `equal_behind=3` | all threads have the same in what the pointers point to that this argument points to, afterwards |
//! | `enter=critical`, `leave` | a region begins in which no barrier may stand, and ends |
//! | `cancels` | threads may go on behind the construct without those that are left in it |
//! | `ends` | the program ends |
//! | `-` | nothing: what is handed to it stays as it is |

use crate::program::linker_names::linker_name;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The argument of what the runtime of OpenMP calls at a loop that is shared that says how.
pub const SCHEDULE: usize = 2;

/// Who runs side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgentKind {
    /// The processes of an MPI program.
    Processes,
    /// The threads of an OpenMP team.
    Threads,
    /// The threads of a CUDA block.
    Block,
    /// The threads of a UPC program.
    UpcThreads,
}

impl AgentKind {
    /// Whether there is memory that all of them have together.
    pub fn share_memory(self) -> bool {
        self != AgentKind::Processes
    }
}

/// A region in which no barrier may stand, by its construct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ClosedRegion {
    /// A loop or sections whose iterations the threads share.
    Worksharing,
    /// `critical`.
    Critical,
    /// `ordered`.
    Ordered,
    /// The body of a task.
    Task,
}

/// Which communicator a call is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommunicatorArgument {
    /// The argument.
    Value(usize),
    /// What the argument points to.
    Behind(usize),
    /// All processes.
    World,
}

/// Where a call gives something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValuePlace {
    /// The result.
    Result,
    /// Where the argument points to.
    Argument(usize),
}

/// What becomes of a variable that a call makes a communicator of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeCommunicator {
    /// A communicator with the same members.
    Same,
    /// A communicator of the members that gave one colour, which is this argument.
    Part(usize),
    /// A communicator of some of the members, and none for the others.
    Subset,
    /// Nothing is known of its members.
    Unknown,
}

/// What a call means.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LibraryRole {
    pub result: bool,
    pub own: Option<ValuePlace>,
    pub count: Option<ValuePlace>,
    pub differs: Vec<usize>,
    pub received: Vec<usize>,
    pub equal: Vec<usize>,
    /// The argument that says how many elements it is about; the next one says of which type.
    pub items: Option<usize>,
    pub communicator: Option<CommunicatorArgument>,
    /// The communicator is that of a file.
    pub of_file: bool,
    pub root: Option<usize>,
    pub operator: Option<usize>,
    /// The argument that points to the variable, and what it becomes.
    pub makes: Option<(usize, MadeCommunicator)>,
    /// The communicator that it makes is one, or none, for all.
    pub alike: bool,
    /// All threads have to come here.
    pub all: bool,
    /// That, and they have the same shared memory afterwards.
    pub barrier: bool,
    /// What it is called.
    pub called: Option<&'static str>,
    /// What it does, step by step; empty where it is a step by itself.
    pub steps: Vec<String>,
    /// It gives fresh memory.
    pub allocates: bool,
    /// What the construct is called.
    pub worksharing: Option<&'static str>,
    pub equal_behind: Option<usize>,
    pub enter: Option<ClosedRegion>,
    pub leave: bool,
    pub cancels: bool,
    pub ends: bool,
}

impl LibraryRole {
    /// What it is called, if not by the name of the function.
    pub fn name(&self) -> Option<&'static str> {
        self.worksharing.or(self.called)
    }

    /// The arguments that point to what the call gives, as far as the table says it.
    pub fn given_arguments(&self) -> Vec<usize> {
        let place = |place: Option<ValuePlace>| match place {
            Some(ValuePlace::Argument(at)) => Some(at),
            _ => None,
        };
        let mut given = [&self.differs[..], &self.received, &self.equal].concat();
        given.extend(place(self.own).into_iter().chain(place(self.count)));
        given.extend(self.makes.map(|(at, _)| at));
        given
    }

    /// The arguments that it depends on what the call does, as far as the table says it.
    pub fn asked_arguments(&self) -> Vec<usize> {
        let mut asked = self.given_arguments();
        asked.extend(self.items.into_iter().flat_map(|at| [at, at + 1]));
        asked.extend(self.root.into_iter().chain(self.operator).chain(self.equal_behind));
        asked.extend(self.own.or(self.count).map(|_| 0));
        match self.communicator {
            Some(CommunicatorArgument::Value(at) | CommunicatorArgument::Behind(at)) => asked.push(at),
            Some(CommunicatorArgument::World) | None => {}
        }
        if let Some((_, MadeCommunicator::Part(colour))) = self.makes {
            asked.push(colour);
        }
        asked.extend(self.enter.map(|_| SCHEDULE));
        asked
    }

    /// Whether all have to come here, or none.
    pub fn is_collective(&self) -> bool {
        self.communicator.is_some() || self.all || self.barrier || self.worksharing.is_some()
    }
}

type Roles = FxHashMap<&'static str, LibraryRole>;

static OF_PROCESSES: LazyLock<Roles> = LazyLock::new(|| parsed(include_str!("mpi.txt")));
static OF_THREADS: LazyLock<Roles> = LazyLock::new(|| parsed(include_str!("openmp.txt")));
static OF_BLOCK: LazyLock<Roles> = LazyLock::new(|| parsed(include_str!("cuda.txt")));
static OF_UPC: LazyLock<Roles> = LazyLock::new(|| parsed(include_str!("upc.txt")));

/// What a function of the library means for those who run side by side, if it means anything.
pub fn role(agents: AgentKind, function: &str) -> Option<&'static LibraryRole> {
    match agents {
        AgentKind::Processes => {
            let profiled = function.strip_prefix('P').filter(|f| f.starts_with("MPI_"));
            OF_PROCESSES.get(profiled.unwrap_or(function))
        }
        AgentKind::Threads => OF_THREADS.get(function),
        AgentKind::Block => OF_BLOCK.get(linker_name(function)),
        AgentKind::UpcThreads => OF_UPC.get(linker_name(function)),
    }
}

/// Reads a table. Words that it does not know are mistakes of ours, which a test finds.
fn parsed(table: &'static str) -> Roles {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(line).collect()
}

fn line(line: &'static str) -> Option<(&'static str, LibraryRole)> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let mut role = LibraryRole::default();
    let mut colour = 0;
    for word in words {
        let (word, value) = word.split_once('=').unwrap_or((word, ""));
        let numbers: Vec<usize> = value.split(',').filter_map(|n| n.parse().ok()).collect();
        let first = numbers.first().copied();
        match word {
            "result" => role.result = true,
            "own" => role.own = Some(first.map_or(ValuePlace::Result, ValuePlace::Argument)),
            "count" => role.count = Some(first.map_or(ValuePlace::Result, ValuePlace::Argument)),
            "differs" => role.differs = numbers,
            "received" => role.received = numbers,
            "equal" => role.equal = numbers,
            "items" => role.items = first,
            "comm" => {
                let behind = value.strip_prefix('*').and_then(|n| n.parse().ok());
                role.communicator = behind
                    .map(CommunicatorArgument::Behind)
                    .or(first.map(CommunicatorArgument::Value));
            }
            "file" => role.of_file = true,
            "world" => role.communicator = Some(CommunicatorArgument::World),
            "root" => role.root = first,
            "operator" => role.operator = first,
            "colour" => colour = first?,
            "same" => role.makes = Some((first?, MadeCommunicator::Same)),
            "part" => role.makes = Some((first?, MadeCommunicator::Part(colour))),
            "subset" => role.makes = Some((first?, MadeCommunicator::Subset)),
            "members" => role.makes = Some((first?, MadeCommunicator::Unknown)),
            "alike" => role.alike = true,
            "all" => role.all = true,
            "barrier" => role.barrier = true,
            "called" => role.called = Some(value),
            "steps" => role.steps = value.split(',').map(str::to_owned).collect(),
            "alloc" => role.allocates = true,
            "worksharing" => role.worksharing = Some(value),
            "equal_behind" => role.equal_behind = first,
            "enter" => role.enter = closed_region(value),
            "leave" => role.leave = true,
            "cancels" => role.cancels = true,
            "ends" => role.ends = true,
            _ => {}
        }
    }
    Some((name, role))
}

/// The region that a word of a table stands for.
fn closed_region(word: &str) -> Option<ClosedRegion> {
    match word {
        "worksharing" => Some(ClosedRegion::Worksharing),
        "critical" => Some(ClosedRegion::Critical),
        "ordered" => Some(ClosedRegion::Ordered),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_tables_is_known() {
        let words = [
            "result",
            "own",
            "count",
            "differs",
            "received",
            "equal",
            "items",
            "comm",
            "file",
            "world",
            "root",
            "operator",
            "colour",
            "same",
            "part",
            "subset",
            "members",
            "alike",
            "all",
            "barrier",
            "called",
            "steps",
            "alloc",
            "worksharing",
            "equal_behind",
            "enter",
            "leave",
            "cancels",
            "ends",
            "-",
        ];
        let tables = [
            include_str!("mpi.txt"),
            include_str!("openmp.txt"),
            include_str!("cuda.txt"),
            include_str!("upc.txt"),
        ];
        for line in { tables.iter() }
            .flat_map(|t| t.lines())
            .filter(|l| !l.starts_with('#'))
        {
            for word in line.split_whitespace().skip(1) {
                let word = word.split_once('=').map_or(word, |(word, _)| word);
                assert!(words.contains(&word), "{line}: {word}");
            }
        }
    }

    #[test]
    fn a_line_is_read_word_by_word() {
        let split = role(AgentKind::Processes, "MPI_Comm_split").expect("a line");
        assert_eq!(split.makes, Some((3, MadeCommunicator::Part(1))));
        assert_eq!(split.communicator, Some(CommunicatorArgument::Value(0)));
        let reduce = role(AgentKind::Processes, "PMPI_Reduce").expect("by the profiling name as well");
        assert_eq!((reduce.root, reduce.operator), (Some(5), Some(4)));
        assert!(role(AgentKind::Processes, "printf").is_none());
        let sections = role(AgentKind::Threads, "__kmpc_for_static_init_4").expect("a line");
        assert_eq!(
            (sections.worksharing, sections.enter),
            (Some("for"), Some(ClosedRegion::Worksharing))
        );
    }
}
