//! Draws programs about what the host does.
//!
//! ```text
//! Kind::Loops     kernels in a loop, then a loop of the host: write p0 (all, or almost), swap or not, read p0; perhaps all of this again
//! ```

use super::{
    Bounds, Call, Called, Form, Kind, Loop, Mapped, Nest, Number, Op, Program, Reading, Scalar, Stopped, StoppedWork,
    What, Writing,
};
use crate::generator::rng::Rng;

/// Nesting of what a program does.
const DEPTH: u32 = 2;
/// Fewest rows and columns.
const LEAST: i64 = 3;
/// Elements that are there in any event.
const NEAR: i64 = LEAST * LEAST - 5;

/// More iterations than any loop has that ends by itself.
const MANY: i64 = 99;

/// The program of `seed`.
pub fn grow(seed: u64, kind: Kind) -> Program {
    let mut rng = Rng::new(seed);
    let rng = &mut rng;
    let arrays = match kind {
        Kind::Addresses => rng.range(1, 2),
        _ => rng.range(2, 3),
    };
    let looks = match kind {
        Kind::Loops => 25,
        Kind::Swaps => 25,
        _ => 60,
    };
    let scalars = if kind == Kind::Addresses { rng.range(1, 3) } else { 0 };
    let types = [(3, Scalar::Unsigned), (2, Scalar::Long), (2, Scalar::Double)];
    let mut program = Program {
        seed,
        kind,
        rows: rng.range(LEAST, 6),
        columns: rng.range(LEAST, 7),
        end: match kind {
            Kind::Ends | Kind::Exits => rng.weighted(&[(3, Number::Unsigned), (2, Number::Size)]),
            _ => Number::Int,
        },
        is_apart: kind != Kind::Exits && rng.chance(35),
        arrays: (0..arrays).map(|_| rng.chance(looks)).collect(),
        scalars: (0..scalars).map(|_| rng.weighted(&types)).collect(),
        ops: Vec::new(),
    };
    let drawn = Drawn {
        kind,
        end: program.end,
        arrays: program.arrays.len(),
        scalars: program.scalars.len(),
    };
    program.ops = drawn.program(rng);
    program
}

/// What there is to draw from.
struct Drawn {
    kind: Kind,
    end: Number,
    arrays: usize,
    scalars: usize,
}

impl Drawn {
    fn array(&self, rng: &mut Rng) -> usize {
        rng.below(self.arrays)
    }

    fn program(&self, rng: &mut Rng) -> Vec<Op> {
        let most = if self.kind == Kind::Swaps { 2 } else { 4 };
        let count = rng.range(most / 2, most);
        let mut ops: Vec<Op> = (0..count).flat_map(|_| self.part(rng)).collect();
        if self.kind == Kind::Exits {
            ops.extend(self.stopped(rng));
        }
        ops
    }

    /// Some operations at the top of the program.
    fn part(&self, rng: &mut Rng) -> Vec<Op> {
        match self.kind {
            Kind::Loops => self.host_loops(rng),
            Kind::Swaps => vec![self.before(rng), self.region(rng), self.before(rng)],
            Kind::Addresses => vec![self.addresses(rng, 0)],
            Kind::Ends | Kind::Exits => vec![self.counted(rng, 0)],
        }
    }

    fn before(&self, rng: &mut Rng) -> Op {
        match rng.chance(80) {
            true => self.kernel(rng),
            false => self.host(rng),
        }
    }

    /// What the host does on its own.
    fn host(&self, rng: &mut Rng) -> Op {
        match rng.below(3) {
            0 => Op::Write(self.array(rng), writing(rng)),
            1 => Op::Write(self.array(rng), Writing::All),
            _ => Op::Read(self.array(rng), reading(rng)),
        }
    }

    fn kernel(&self, rng: &mut Rng) -> Op {
        let (written, read) = (self.array(rng), self.array(rng));
        Op::Kernel(what(rng), written, read)
    }

    fn kernels(&self, rng: &mut Rng) -> Op {
        let count = rng.range(1, 2);
        let body = (0..count).map(|_| self.kernel(rng)).collect();
        Op::Loop(repeated(rng), body)
    }

    /// Kernels, and loops of the host behind them, perhaps in a loop around both.
    fn host_loops(&self, rng: &mut Rng) -> Vec<Op> {
        let mut ops = vec![match rng.chance(60) {
            true => self.kernels(rng),
            false => self.kernel(rng),
        }];
        let count = rng.range(1, 2);
        for _ in 0..count {
            let fed = rng.range(1, 2);
            let body: Vec<Op> = (0..fed).flat_map(|_| self.feeding(rng)).collect();
            ops.push(Op::Loop(repeated(rng), body));
        }
        match rng.chance(45) {
            true => vec![Op::Loop(repeated(rng), ops)],
            false => ops,
        }
    }

    /// The host writes an array and reads it, or does almost that.
    fn feeding(&self, rng: &mut Rng) -> Vec<Op> {
        let array = self.array(rng);
        if rng.chance(20) {
            // So few elements that the array stays on the device meanwhile.
            let write = Op::Write(array, Writing::One(rng.range(0, NEAR)));
            return vec![if rng.chance(60) {
                Op::Sometimes(vec![write])
            } else {
                write
            }];
        }
        let mut ops = Vec::new();
        if rng.chance(12) {
            ops.push(Op::Read(array, reading(rng)));
        }
        let write = Op::Write(array, writing(rng));
        ops.push(match rng.below(10) {
            0 => Op::Shorter(rng.range(1, 2), vec![write]),
            1 => Op::Sometimes(vec![write]),
            _ => write,
        });
        if rng.chance(12) {
            ops.push(Op::Swap(array, self.array(rng)));
        }
        let read = Op::Read(array, reading(rng));
        match rng.below(12) {
            0 => ops.push(Op::Shorter(1, vec![read])),
            1 => ops.push(Op::Sometimes(vec![read])),
            // Nobody but a later kernel reads it.
            2 | 3 => {}
            _ => ops.push(read),
        }
        ops
    }

    /// A region around two arrays that are swapped in it.
    fn region(&self, rng: &mut Rng) -> Op {
        let one = self.array(rng);
        let other = (one + 1) % self.arrays;
        let pair = [one, other];
        let mapped = [
            (4, Mapped::Both),
            (2, Mapped::Apart),
            (2, Mapped::Fresh),
            (2, Mapped::Updated),
        ];
        let count = rng.range(1, 3);
        let mut body: Vec<Op> = (0..count).map(|_| inside(rng, pair, 0)).collect();
        if rng.chance(50) {
            // What the region copies in is needed by nobody.
            let fills = pair.map(|at| Op::Kernel(What::Fill(rng.range(1, 90)), at, at));
            body.splice(0..0, fills);
        }
        body.push(Op::Loop(repeated(rng), swapping(rng, pair, 1)));
        Op::Region(rng.weighted(&mapped), pair, body)
    }

    fn addresses(&self, rng: &mut Rng, depth: u32) -> Op {
        let deeper = u32::from(depth < DEPTH);
        let scalar = rng.below(self.scalars);
        let some = |rng: &mut Rng| -> Vec<Op> {
            let count = rng.range(2, 4);
            (0..count).map(|_| self.addresses(rng, depth + 1)).collect()
        };
        match rng.weighted(&[
            (10, 0),
            (4, 1),
            (3, 2),
            (2, 3),
            (8 * deeper, 4),
            (2 * deeper, 5),
            (2, 6),
            (2 * deeper, 7),
        ]) {
            0 => Op::Call(self.call(rng, scalar)),
            1 => Op::PeekScalar(scalar),
            2 => Op::PokeScalar(scalar, rng.range(0, 9)),
            3 => Op::Direct(scalar, self.array(rng)),
            4 => Op::Loop(repeated(rng), some(rng)),
            5 => Op::Held(scalar, some(rng)),
            6 => self.before(rng),
            _ => Op::Sometimes(vec![Op::PokeScalar(scalar, rng.range(0, 9)), Op::PeekScalar(scalar)]),
        }
    }

    fn call(&self, rng: &mut Rng, scalar: usize) -> Call {
        let what = [
            (4, Called::Count),
            (4, Called::Add),
            (3, Called::Most),
            (2, Called::Set),
            (3, Called::Use),
        ];
        Call {
            what: rng.weighted(&what),
            scalar,
            array: self.array(rng),
            by_hand: rng.chance(35),
            is_relayed: rng.chance(25),
        }
    }

    /// Loops that count to ends without a sign, and what is between them.
    fn counted(&self, rng: &mut Rng, depth: u32) -> Op {
        let deeper = u32::from(depth < DEPTH);
        match rng.weighted(&[(10, 0), (2, 1), (3, 2), (6 * deeper, 3)]) {
            0 => Op::Nest(self.nest(rng)),
            1 => self.kernel(rng),
            2 => self.host(rng),
            _ => {
                let count = rng.range(2, 3);
                let body = (0..count).map(|_| self.counted(rng, depth + 1)).collect();
                Op::Loop(repeated(rng), body)
            }
        }
    }

    fn nest(&self, rng: &mut Rng) -> Nest {
        let (is_kernel, counter) = (rng.chance(70), counter(rng));
        // LLVM 19 gets the iterations of kernels wrong whose counters have no sign and are narrower than the end.
        let is_miscounted = is_kernel && counter == Number::Unsigned;
        Nest {
            array: self.array(rng),
            is_kernel,
            is_nest: rng.chance(60),
            collapses: rng.chance(30),
            counter: if is_miscounted { self.end } else { counter },
            inner: bounds(rng),
            outer: bounds(rng),
            adds: rng.chance(30),
            is_apart: rng.chance(35),
            salt: rng.range(1, 50),
        }
    }

    /// Kernels, and a loop behind them that a call may end.
    fn stopped(&self, rng: &mut Rng) -> Vec<Op> {
        let does = [
            (2, StoppedWork::Write),
            (2, StoppedWork::Read),
            (3, StoppedWork::WriteRow),
            (3, StoppedWork::ReadRow),
            (3, StoppedWork::Kernel),
        ];
        let (array, stops) = (self.array(rng), rng.chance(70));
        let kernels = vec![Op::Kernel(what(rng), array, self.array(rng))];
        let stopped = Op::Stopped(Stopped {
            array,
            counter: counter(rng),
            after: if stops { rng.range(0, LEAST - 1) } else { MANY },
            is_far: stops && rng.chance(75),
            is_first: rng.chance(50),
            does: rng.weighted(&does),
        });
        vec![Op::Loop(repeated(rng), kernels), stopped]
    }
}

/// What happens in a region around two arrays that a loop swaps.
fn swapping(rng: &mut Rng, pair: [usize; 2], depth: u32) -> Vec<Op> {
    let count = rng.range(1, 3);
    let mut body: Vec<Op> = (0..count).map(|_| inside(rng, pair, depth)).collect();
    let swap = Op::Swap(pair[0], pair[1]);
    let swap = match rng.chance(7) {
        true => Op::Sometimes(vec![swap]),
        false => swap,
    };
    let at = rng.below(body.len() + 1);
    body.insert(at, swap);
    body
}

/// What happens to arrays in a region.
fn inside(rng: &mut Rng, pair: [usize; 2], depth: u32) -> Op {
    let deeper = u32::from(depth < DEPTH);
    let at = rng.below(2);
    match rng.weighted(&[(60, 0), (10, 1), (6, 2), (12 * deeper, 3), (1, 4)]) {
        0 => Op::Kernel(what(rng), pair[at], pair[1 - at]),
        1 => Op::Look(pair[at]),
        2 => Op::Renew(pair[at], rng.range(0, 9)),
        3 => Op::Loop(repeated(rng), swapping(rng, pair, depth + 1)),
        _ => Op::Shorter(1, vec![Op::Kernel(what(rng), pair[at], pair[1 - at])]),
    }
}

fn what(rng: &mut Rng) -> What {
    let c = rng.range(1, 90);
    rng.weighted(&[
        (5, What::Copy(c)),
        (4, What::Add(c)),
        (3, What::Shift),
        (1, What::Fill(c)),
    ])
}

fn repeated(rng: &mut Rng) -> Loop {
    Loop {
        form: rng.weighted(&[(6, Form::For), (2, Form::While), (2, Form::Do)]),
        times: rng.weighted(&[(1, 0), (2, 1), (4, 2), (4, 3), (1, 4)]),
        is_opaque: rng.chance(40),
    }
}

fn counter(rng: &mut Rng) -> Number {
    let each = [
        (6, Number::Int),
        (1, Number::Long),
        (1, Number::Unsigned),
        (1, Number::Size),
    ];
    rng.weighted(&each)
}

fn bounds(rng: &mut Rng) -> Bounds {
    Bounds {
        from: rng.weighted(&[(7, 0), (1, 1), (1, 2)]),
        step: rng.weighted(&[(8, 1), (1, 2)]),
        less: rng.weighted(&[(7, 0), (1, 1), (1, 2)]),
        is_through: rng.chance(25),
    }
}

/// All elements in more than half of all cases.
fn writing(rng: &mut Rng) -> Writing {
    let k = rng.range(0, NEAR);
    rng.weighted(&[
        (12, Writing::All),
        (9, Writing::ByFill),
        (2, Writing::Backwards),
        (3, Writing::Halves),
        (2, Writing::Memset),
        (2, Writing::ButFirst),
        (2, Writing::ButLast),
        (3, Writing::ButOne(k)),
        (1, Writing::Even),
        (1, Writing::One(k)),
        (3, Writing::Small),
        (3, Writing::Broken(k)),
        (2, Writing::AsRead),
        (3, Writing::ByEarly),
        (3, Writing::ByPartly),
    ])
}

fn reading(rng: &mut Rng) -> Reading {
    let k = rng.range(0, NEAR);
    rng.weighted(&[
        (6, Reading::All),
        (1, Reading::Last),
        (2, Reading::One(k)),
        (4, Reading::ByTotal),
    ])
}
