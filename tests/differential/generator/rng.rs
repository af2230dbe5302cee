//! A pseudo-random stream that never changes: a failing seed must name the same program for ever, whatever the
//! versions of the crates around it. SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
//! OOPSLA 2014) is ten lines long, so it lives here instead of in a dependency.

/// A SplitMix64 stream.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of `seed`; neighbouring seeds give unrelated streams.
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed ^ 0x6a09_e667_f3bc_c909);
        rng.next();
        rng
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }

    /// A number in `lo..=hi`; `lo` when the range is empty.
    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        if hi <= lo {
            lo
        } else {
            lo + (self.next() % (hi - lo + 1) as u64) as i64
        }
    }

    /// True in `percent` of 100 draws.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.next() % 100 < u64::from(percent)
    }

    /// One of `items`, or `None` when there are none.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() {
            None
        } else {
            Some(items[self.below(items.len())].clone())
        }
    }

    /// One of the weighted `items` (which must not be empty); all weights zero means the first.
    pub fn weighted<T: Clone>(&mut self, items: &[(u32, T)]) -> T {
        let total: u64 = items.iter().map(|(w, _)| u64::from(*w)).sum();
        let mut left = if total == 0 { 0 } else { self.next() % total };
        for (w, item) in items {
            if left < u64::from(*w) {
                return item.clone();
            }
            left -= u64::from(*w);
        }
        items[0].1.clone()
    }
}
