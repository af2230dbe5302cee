//! Puts a program together: arrays, helpers, body; then checks how long it runs and tries again if need be.

use super::ast::*;
use super::frames::Frame;
use super::profile::Profile;
use super::rng::Rng;
use super::{safety, simulate};
use std::collections::BTreeMap;

/// A case that launches more kernels than this is thrown away: starting one costs the host plugin tens of microseconds.
const MAX_LAUNCHES: u64 = 120;
/// Statements that a case may run.
const MAX_STEPS: u64 = 3_000;
/// Tries before a seed settles for a body cut short.
const TRIES: u64 = 24;

/// A program under construction.
pub struct Grower<'a> {
    pub rng: Rng,
    pub profile: &'a Profile,
    pub program: Program,
    pub scope: Scope,
    /// Further files of the program.
    pub files: usize,
    /// The arrays that parameters of helpers are like. A helper leaves them alone, so that it can be given them.
    pub likes: BTreeMap<NameId, NameId>,
    /// The bounds that may leave nothing to do.
    pub edges: Vec<Edge>,
    /// What the handler of signals does, and the other thread.
    pub elsewhere: Option<Elsewhere>,
}

/// What the statement being grown may use.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub function: FunctionId,
    /// The helpers before this one may be called.
    pub callees: FunctionId,
    pub names: Vec<NameId>,
    pub scalars: Vec<ScalarId>,
    pub frames: Vec<Frame>,
    /// Kernels may stand here.
    pub device: bool,
    /// Array contents may be touched by the host here.
    pub host: bool,
    /// Jumps may stand here.
    pub jumps: bool,
}

impl Scope {
    /// The loops whose counters are in scope, innermost last.
    pub fn counters(&self) -> Vec<LoopId> {
        let loops = self.frames.iter().filter_map(|f| match f {
            Frame::Loop(id) => Some(*id),
            _ => None,
        });
        loops.collect()
    }
}

fn attempt(seed: u64, profile: &Profile, attempt: u64) -> Program {
    let mut rng = Rng::new(seed.wrapping_mul(TRIES + 1).wrapping_add(attempt));
    let layout = match () {
        () if profile.whole_main => Layout::Main,
        () if rng.chance(profile.p_work_function) => Layout::Function,
        () => Layout::Inline,
    };
    let files = rng.range(profile.files.0, profile.files.1) as usize;
    let program = Program {
        seed,
        layout,
        global_hash: rng.chance(40),
        inline_hash: rng.chance(50),
        crlf: rng.chance(profile.p_crlf),
        speculation_safe: profile.speculation_safe,
        configurable: profile.traps.configurable,
        minimal: false,
        arrow: layout == Layout::Function || rng.chance(60),
        heap_struct: rng.chance(50),
        field_extents: files > 0 && rng.chance(25),
        shared_pointers: files > 0 && rng.chance(50),
        local_prototypes: files > 0 && rng.chance(25),
        allocators: profile.traps.allocators,
        slack: if profile.traps.managed && rng.chance(50) { 3 } else { 0 },
        loses: profile.traps.loses,
        hides: profile.traps.hides,
        spot: (0, 0, [0, 0]),
        sizes: Vec::new(),
        names: Vec::new(),
        objects: Vec::new(),
        scalars: Vec::new(),
        runtimes: Vec::new(),
        flags: Vec::new(),
        marks: Vec::new(),
        functions: vec![Function {
            ident: format!("case_{seed}"),
            params: Vec::new(),
            sizes: Vec::new(),
            recursion: Recursion::None,
            partner: None,
            home: MAIN,
            hidden: false,
            nick: None,
            nullable: false,
            body: Vec::new(),
        }],
        loops: 0,
        kernels: 0,
        devices: Devices::Default,
    };
    let mut g = Grower {
        rng,
        profile,
        program,
        scope: Scope::default(),
        files,
        likes: BTreeMap::new(),
        edges: Vec::new(),
        elsewhere: None,
    };
    if layout == Layout::Function {
        g.program.functions[0].home = g.place();
    }
    g.declare();
    g.flags();
    g.helpers();
    let home = g.program.functions[0].home;
    let names = (0..g.program.names.len()).filter(|n| {
        let kind = g.program.names[*n].kind;
        kind != NameKind::Param
            && !matches!(kind, NameKind::Optional { .. } | NameKind::Chosen { .. })
            && g.seen_from(home, *n)
            && !matches!(
                kind,
                NameKind::Alias {
                    place: AliasPlace::Middle,
                    ..
                }
            )
    });
    let scalars = (0..g.program.scalars.len()).filter(|s| !g.program.scalars[*s].middle);
    g.scope = Scope {
        callees: g.program.functions.len(),
        names: names.collect(),
        scalars: scalars.collect(),
        device: true,
        host: true,
        jumps: true,
        ..Scope::default()
    };
    // Later tries ask for less, so that some try fits the limits.
    let most = (profile.statements.1 - attempt as i64 / 3).max(2);
    let statements = g.rng.range(profile.statements.0.min(most), most);
    g.program.functions[0].body = g.block(0, statements);
    g.reach();
    g.hand_nothing();
    g.again();
    g.program
}

/// The program of `seed`.
pub fn grow(seed: u64, profile: &Profile) -> Program {
    let mut program = attempt(seed, profile, 0);
    for k in 1..=TRIES {
        if profile.speculation_safe {
            safety::repair(&mut program);
        }
        let outcome = simulate::simulate(&program);
        let short = outcome.launches <= MAX_LAUNCHES && outcome.steps <= MAX_STEPS;
        let safe = !profile.speculation_safe || outcome.starved.is_empty();
        if short && safe && outcome.launches > 0 {
            return program;
        }
        program = attempt(seed, profile, k);
    }
    while simulate::simulate(&program).launches > MAX_LAUNCHES {
        program.functions[0].body.pop();
    }
    if profile.speculation_safe {
        safety::repair(&mut program);
    }
    program
}
