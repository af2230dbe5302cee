//! What calls of the library mean for those who run side by side: a table, `mpi.txt`, one function a line.
//!
//! | word | means |
//! |---|---|
//! | `result` | each agent gets another result |
//! | `differs=1,2` | each agent gets something else in what these arguments point to |
//! | `equal=0` | all agents have the same in what this argument points to, afterwards |
//! | `comm=0` | all members of this communicator have to come here; `comm=*0`: of the one that it points to |
//! | `world` | all processes have to come here |
//! | `root=3`, `operator=4` | arguments that have to be the same for all |
//! | `same=1` | what this argument points to becomes a communicator with the same members |
//! | `part=3` with `colour=1` | it becomes the communicator of those who gave the same colour |
//! | `of=1` | this argument gets a number of the communicator that argument 0 is: where that differs, it does |
//! | `subset=5` | it becomes a communicator of some of the members, and no communicator for the others |
//! | `members=2` | it becomes a communicator of whose members nothing is known |
//! | `ends` | the program ends |

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

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
    pub differs: Vec<usize>,
    pub equal: Vec<usize>,
    pub communicator: Option<CommunicatorArgument>,
    /// The argument that gets a number of the communicator.
    pub number_of: Option<usize>,
    pub root: Option<usize>,
    pub operator: Option<usize>,
    /// The argument that points to the variable, and what it becomes.
    pub makes: Option<(usize, MadeCommunicator)>,
    pub ends: bool,
}

impl LibraryRole {
    /// Whether all have to come here, or none.
    pub fn is_collective(&self) -> bool {
        self.communicator.is_some()
    }
}

type Roles = FxHashMap<&'static str, LibraryRole>;

static ROLES: LazyLock<Roles> = LazyLock::new(|| parsed(include_str!("mpi.txt")));

/// What a function of the library means for processes side by side, if it means anything.
pub fn role(function: &str) -> Option<&'static LibraryRole> {
    let profiled = function.strip_prefix('P').filter(|f| f.starts_with("MPI_"));
    ROLES.get(profiled.unwrap_or(function))
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
            "differs" => role.differs = numbers,
            "equal" => role.equal = numbers,
            "comm" => {
                let behind = value.strip_prefix('*').and_then(|n| n.parse().ok());
                role.communicator = behind
                    .map(CommunicatorArgument::Behind)
                    .or(first.map(CommunicatorArgument::Value));
            }
            "world" => role.communicator = Some(CommunicatorArgument::World),
            "root" => role.root = first,
            "operator" => role.operator = first,
            "colour" => colour = first?,
            "same" => role.makes = Some((first?, MadeCommunicator::Same)),
            "part" => role.makes = Some((first?, MadeCommunicator::Part(colour))),
            "of" => role.number_of = first,
            "subset" => role.makes = Some((first?, MadeCommunicator::Subset)),
            "members" => role.makes = Some((first?, MadeCommunicator::Unknown)),
            "ends" => role.ends = true,
            _ => {}
        }
    }
    Some((name, role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_tables_is_known() {
        let words = [
            "result", "differs", "equal", "comm", "world", "root", "operator", "colour", "same", "part", "subset",
            "members", "of", "ends", "-",
        ];
        for line in include_str!("mpi.txt").lines().filter(|l| !l.starts_with('#')) {
            for word in line.split_whitespace().skip(1) {
                let word = word.split_once('=').map_or(word, |(word, _)| word);
                assert!(words.contains(&word), "{line}: {word}");
            }
        }
    }

    #[test]
    fn a_line_is_read_word_by_word() {
        let split = role("MPI_Comm_split").expect("a line");
        assert_eq!(split.makes, Some((3, MadeCommunicator::Part(1))));
        assert_eq!(split.communicator, Some(CommunicatorArgument::Value(0)));
        let reduce = role("PMPI_Reduce").expect("by the profiling name as well");
        assert_eq!((reduce.root, reduce.operator), (Some(5), Some(4)));
        assert!(role("printf").is_none());
    }
}
