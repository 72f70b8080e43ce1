//! The transposition table: shared by all threads, without locks, in buckets of one cache line.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use memmap2::{MmapOptions, MmapRaw};

use super::score::Score;
use crate::chess::Move;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Nothing known.
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The true score.
    Exact,
}

impl Bound {
    const ALL: [Self; 4] = [Self::None, Self::Upper, Self::Lower, Self::Exact];

    /// `true` when a score of this kind settles a search between `alpha` and `beta`.
    #[inline]
    pub fn settles(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::None => false,
            Self::Upper => score <= alpha,
            Self::Lower => score >= beta,
            Self::Exact => true,
        }
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the one that refuted; its legality is not certain.
    pub mv: Option<Move>,
    /// The score, mates counted from this position.
    pub score: Score,
    /// The raw static evaluation; [`Entry::NO_EVAL`] where there was none.
    pub eval: Score,
    /// Depth searched, 0 for quiescence.
    pub depth: i32,
    /// What the score bounds.
    pub bound: Bound,
    /// `true` when the position was on a principal variation once.
    pub was_pv: bool,
}

impl Entry {
    /// Stands for no evaluation.
    pub const NO_EVAL: Score = i16::MIN as Score;

    /// move 16 | score 16 | eval 16 | depth 8 | age 5, pv 1, bound 2
    fn pack(self, age: u8) -> u64 {
        let mv = self.mv.map_or(0, Move::code);
        let flags = age << 3 | u8::from(self.was_pv) << 2 | self.bound as u8;
        u64::from(mv)
            | u64::from(self.score as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(flags) << 56
    }

    fn unpack(data: u64) -> Self {
        Self {
            mv: Move::from_code(data as u16),
            score: Score::from((data >> 16) as i16),
            eval: Score::from((data >> 32) as i16),
            depth: i32::from((data >> 48) as u8),
            bound: Bound::ALL[(data >> 56 & 3) as usize],
            was_pv: data >> 58 & 1 != 0,
        }
    }
}

/// Ages count modulo this.
const AGES: u8 = 32;
const BUCKET_SIZE: usize = 4;

/// The packed entry, and the key mixed with it: a torn write makes a key that matches nothing.
#[derive(Default)]
struct Slot {
    mixed_key: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.mixed_key.load(Ordering::Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.mixed_key.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET_SIZE]);

/// The table.
pub struct TranspositionTable {
    memory: MmapRaw,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of `mebibytes`; `None` when the machine cannot give them.
    pub fn new(mebibytes: usize) -> Option<Self> {
        let size = mebibytes.checked_mul(1 << 20).filter(|&size| size > 0)?;
        // The system hands out such memory zeroed, page by page when it is first written.
        let memory: MmapRaw = MmapOptions::new().len(size).map_anon().ok()?.into();
        // Probes go all over the table: with large pages far fewer of them miss the processor's page tables. It is
        // only advice, and a system without such pages may refuse it.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self { memory, age: AtomicU8::new(0) })
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        let length = self.memory.len() / size_of::<Bucket>();
        // SAFETY: the memory is the table's alone, aligned to a page, and any bytes are valid buckets of atomics.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), length) }
    }

    /// Forgets everything, with `threads` threads.
    pub fn clear(&self, threads: usize) {
        let share = self.buckets().len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for part in self.buckets().chunks(share) {
                scope.spawn(move || {
                    part.iter().flat_map(|bucket| &bucket.0).for_each(|slot| slot.store(0, 0));
                });
            }
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// Starts a new search: what is in the table counts as older from now on.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let buckets = self.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        debug_assert!((index as usize) < buckets.len());
        // SAFETY: a 64-bit fraction of the length is below the length.
        unsafe { buckets.get_unchecked(index as usize) }
    }

    /// Asks the processor to have the bucket of `key` at hand soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching reads nothing and the address is inside the table.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(key)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            let (stored, data) = slot.load();
            if stored == key && data != 0 {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Stores what was learnt of a position. A shallow result does not push out a much deeper one of the
    /// same position; otherwise the least worth of the bucket goes: shallow and old first.
    pub fn put(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim: Option<(&Slot, i32)> = None;
        for slot in &self.bucket(key).0 {
            let (stored, data) = slot.load();
            let old = Entry::unpack(data);
            let old_age = (data >> 59) as u8;
            if data != 0 && stored == key {
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                let replaces = entry.bound == Bound::Exact
                    || old_age != age
                    || entry.depth + 4 + 2 * i32::from(entry.was_pv) > old.depth;
                if replaces {
                    slot.store(key, entry.pack(age));
                }
                return;
            }
            let years = i32::from((age + AGES - old_age) % AGES);
            let worth = if data == 0 { i32::MIN } else { old.depth - 4 * years };
            if victim.is_none_or(|(_, least)| worth < least) {
                victim = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = victim {
            slot.store(key, entry.pack(age));
        }
    }

    /// Thousandths of the table that this search has filled, by a sample.
    pub fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let buckets = self.buckets();
        let sample = &buckets[..buckets.len().min(1000)];
        let is_current = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && (data >> 59) as u8 == age
        };
        let filled = sample.iter().flat_map(|bucket| &bucket.0).filter(is_current).count();
        filled * 1000 / (sample.len() * BUCKET_SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: Move::from_code(1234),
            score: -31_990,
            eval: 77,
            depth,
            bound: Bound::Lower,
            was_pv: true,
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = TranspositionTable::new(1).unwrap();
        table.put(42, entry(200));
        assert_eq!(table.get(42), Some(entry(200)));
        assert_eq!(table.get(43), None);
        table.clear(2);
        assert_eq!(table.get(42), None);
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_and_old_entries_go_first() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.put(key, entry(depth));
        }
        assert_eq!(table.get(2), None);
        assert_eq!(table.get(1), Some(entry(9)));
        table.new_search();
        table.put(3, entry(8));
        table.new_search();
        table.put(6, entry(1));
        table.put(7, entry(1));
        assert!(table.get(3).is_some(), "used in the last search");
        assert_eq!(table.hashfull(), 2 * 1000 / 4000);
    }

    #[test]
    fn a_missing_move_keeps_the_one_known() {
        let table = TranspositionTable::new(1).unwrap();
        table.put(9, entry(5));
        table.put(9, Entry { mv: None, ..entry(6) });
        assert_eq!(table.get(9).unwrap().mv, Move::from_code(1234));
        table.put(9, entry(60));
        table.put(9, entry(1));
        assert_eq!(table.get(9).unwrap().depth, 60);
    }
}
