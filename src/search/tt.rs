//! The transposition table: shared by all threads, without locks, in buckets of one cache line.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use super::score::{Bound, Score, from_tt, is_decisive, to_tt};
use crate::chess::Move;
use crate::util::memory::{AtomicEntry, SharedTable, prefetch};

/// What the table knows of a position, as seen from the node that probed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, or the one that refuted; its legality is not certain.
    pub mv: Option<Move>,
    /// The score: mates counted from the root of the search, none that the fifty-move limit would cut short.
    pub score: Score,
    /// What the score bounds.
    pub bound: Bound,
    /// The raw static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// Depth searched, plies; 0 for quiescence.
    pub depth: i32,
    /// `true` when the position was on a principal variation once.
    pub tt_pv: bool,
}

impl TtEntry {
    /// `true` when the score settles a search between `alpha` and `beta`.
    #[inline]
    pub fn causes_cutoff(&self, alpha: Score, beta: Score) -> bool {
        self.bound.causes_cutoff(self.score, alpha, beta)
    }

    /// The score where it is nearer to the truth than the estimate `eval`, else that; decisive ones are no estimates.
    #[inline]
    pub fn refine(&self, eval: Score) -> Score {
        let is_better = !is_decisive(self.score) && self.bound.improves(self.score, eval);
        if is_better { self.score } else { eval }
    }

    /// move 16 | score 16 | eval 16 | depth 8 | age 5, pv 1, bound 2
    fn pack(self, ply: usize, age: u8) -> u64 {
        let mv = self.mv.map_or(0, Move::code);
        let score = to_tt(self.score, ply) as i16;
        let eval = self.eval.map_or(NO_EVAL, |eval| eval as i16);
        let flags = age << 3 | u8::from(self.tt_pv) << 2 | self.bound as u8;
        u64::from(mv)
            | u64::from(score as u16) << 16
            | u64::from(eval as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(flags) << 56
    }

    fn unpack(data: u64, ply: usize, halfmove_clock: u16) -> Self {
        let eval = (data >> 32) as i16;
        Self {
            mv: Move::from_code(data as u16),
            score: from_tt(Score::from((data >> 16) as i16), ply, halfmove_clock),
            bound: match data >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            eval: (eval != NO_EVAL).then_some(Score::from(eval)),
            depth: depth_of(data),
            tt_pv: data >> 58 & 1 != 0,
        }
    }
}

/// Stands for no evaluation in a slot.
const NO_EVAL: i16 = i16::MIN;

const fn depth_of(data: u64) -> i32 {
    (data >> 48) as u8 as i32
}

const fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
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

// SAFETY: atomic integers, aligned to 64.
unsafe impl AtomicEntry for Bucket {}

/// Bytes that one thread empties as fast as several, for which others would have to be started.
const CLEARED_ALONE: usize = 32 << 20;

fn clear_buckets(buckets: &[Bucket]) {
    buckets.iter().flat_map(|bucket| &bucket.0).for_each(|slot| slot.store(0, 0));
}

pub struct TranspositionTable {
    buckets: SharedTable<Bucket>,
    age: AtomicU8,
    /// No search has begun since it was all zero.
    is_fresh: AtomicBool,
}

impl TranspositionTable {
    /// A table of `mebibytes`; `None` when the machine cannot give them.
    pub fn new(mebibytes: usize) -> Option<Self> {
        Some(Self {
            buckets: SharedTable::new(mebibytes)?,
            age: AtomicU8::new(0),
            is_fresh: AtomicBool::new(true),
        })
    }

    /// Empties the table, a large one on all cores; one that no search has used is empty.
    pub fn clear(&self) {
        if self.is_fresh.swap(true, Ordering::Relaxed) {
            return;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let part_count = (self.buckets.len() * size_of::<Bucket>()).div_ceil(CLEARED_ALONE).clamp(1, cores);
        let mut parts = self.buckets.chunks(self.buckets.len().div_ceil(part_count));
        let own = parts.next();
        std::thread::scope(|scope| {
            for part in parts {
                // Where no thread is to be had, this one does it.
                if std::thread::Builder::new().spawn_scoped(scope, move || clear_buckets(part)).is_err() {
                    clear_buckets(part);
                }
            }
            own.map(clear_buckets);
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// Starts a new search: what is in the table counts as older from now on.
    pub fn new_search(&self) {
        self.is_fresh.store(false, Ordering::Relaxed);
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let buckets = &*self.buckets;
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        debug_assert!((index as usize) < buckets.len());
        // SAFETY: a 64-bit fraction of the length is below the length.
        unsafe { buckets.get_unchecked(index as usize) }
    }

    /// Asks the processor to have the bucket of `key` at hand soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known of the position with this key, for a node `ply` plies from the root with this halfmove clock.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize, halfmove_clock: u16) -> Option<TtEntry> {
        let data = self.find(key)?;
        Some(TtEntry::unpack(data, ply, halfmove_clock))
    }

    /// The best move known of the position with this key; its legality is not certain.
    pub fn probe_move(&self, key: u64) -> Option<Move> {
        Move::from_code(self.find(key)? as u16)
    }

    #[inline]
    fn find(&self, key: u64) -> Option<u64> {
        for slot in &self.bucket(key).0 {
            let (stored, data) = slot.load();
            if stored == key && data != 0 {
                return Some(data);
            }
        }
        None
    }

    /// Stores what was learnt of a position, `ply` plies from the root. A shallow result does not push out a much
    /// deeper one of the same position; otherwise the least worth of the bucket goes: shallow and old first.
    pub fn store(&self, key: u64, ply: usize, mut hit: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim: Option<(&Slot, i32)> = None;
        for slot in &self.bucket(key).0 {
            let (stored, data) = slot.load();
            if data != 0 && stored == key {
                if hit.mv.is_none() {
                    hit.mv = Move::from_code(data as u16);
                }
                let replaces = hit.bound == Bound::Exact
                    || age_of(data) != age
                    || hit.depth + 4 + 2 * i32::from(hit.tt_pv) > depth_of(data);
                if replaces {
                    slot.store(key, hit.pack(ply, age));
                }
                return;
            }
            let searches_ago = i32::from((age + AGES - age_of(data)) % AGES);
            let worth = if data == 0 { i32::MIN } else { depth_of(data) - 4 * searches_ago };
            if victim.is_none_or(|(_, lowest)| worth < lowest) {
                victim = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = victim {
            slot.store(key, hit.pack(ply, age));
        }
    }

    /// Thousandths of the table that this search has filled, by a sample.
    pub fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let buckets = &*self.buckets;
        let sample = &buckets[..buckets.len().min(1000)];
        let is_current = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        };
        let filled = sample.iter().flat_map(|bucket| &bucket.0).filter(is_current).count();
        filled * 1000 / (sample.len() * BUCKET_SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::mate_in;
    use super::*;

    fn hit(depth: i32) -> TtEntry {
        let (mv, score, eval) = (Move::from_code(1234), -31_990, Some(77));
        TtEntry { mv, score, bound: Bound::Lower, eval, depth, tt_pv: true }
    }

    fn probe(tt: &TranspositionTable, key: u64) -> Option<TtEntry> {
        tt.probe(key, 0, 0)
    }

    #[test]
    fn what_goes_in_comes_out() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(42, 0, hit(200));
        assert_eq!(probe(&tt, 42), Some(hit(200)));
        assert_eq!(probe(&tt, 43), None);
        let other = TtEntry { eval: None, bound: Bound::Upper, tt_pv: false, mv: None, ..hit(3) };
        tt.store(43, 0, other);
        assert_eq!(probe(&tt, 43), Some(other));
        tt.new_search();
        tt.clear();
        assert_eq!(probe(&tt, 42), None);
    }

    #[test]
    fn a_hit_is_ready_to_use() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(1, 5, TtEntry { score: mate_in(9), ..hit(7) });
        assert_eq!(
            tt.probe(1, 3, 0).map(|hit| hit.score),
            Some(mate_in(7)),
            "four plies from the stored position"
        );
        let late = tt.probe(1, 3, 98).unwrap();
        assert!(!is_decisive(late.score) && late.score > 0, "the fifty-move limit comes first: {late:?}");
        let estimate = TtEntry { score: 50, bound: Bound::Lower, ..hit(1) };
        assert_eq!((estimate.refine(30), estimate.refine(70)), (50, 70));
        assert!(estimate.causes_cutoff(10, 40) && !estimate.causes_cutoff(60, 70));
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_and_old_entries_go_first() {
        let tt = TranspositionTable::new(1).unwrap();
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            tt.store(key, 0, hit(depth));
        }
        assert_eq!(probe(&tt, 2), None);
        assert_eq!(probe(&tt, 1), Some(hit(9)));
        tt.new_search();
        tt.store(3, 0, hit(8));
        tt.new_search();
        tt.store(6, 0, hit(1));
        tt.store(7, 0, hit(1));
        assert!(probe(&tt, 3).is_some(), "used in the last search");
        assert_eq!(tt.hashfull(), 2 * 1000 / 4000);
    }

    #[test]
    fn a_missing_move_keeps_the_one_known() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(9, 0, hit(5));
        tt.store(9, 0, TtEntry { mv: None, ..hit(6) });
        assert_eq!(tt.probe_move(9), Move::from_code(1234));
        tt.store(9, 0, hit(60));
        tt.store(9, 0, hit(1));
        assert_eq!(probe(&tt, 9).unwrap().depth, 60);
    }

    /// Writers race for the same few buckets: what is read is one of the things written for that key, or nothing.
    #[test]
    fn a_torn_write_is_never_read_as_an_entry() {
        let tt = TranspositionTable::new(1).unwrap();
        let entry = |key: u64, writer: u64| TtEntry {
            mv: Move::from_code(1 + (key * 7 + writer) as u16),
            score: (key * 100 + writer) as Score,
            eval: Some((writer * 31) as Score),
            depth: 1 + writer as i32,
            bound: Bound::Exact,
            tt_pv: false,
        };
        let rounds = if cfg!(miri) { 50 } else { 100_000 };
        let seen = std::sync::atomic::AtomicU64::new(0);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (tt, seen) = (&tt, &seen);
                scope.spawn(move || {
                    for round in 0..rounds {
                        let key = (round + writer) % 9;
                        tt.store(key, 0, entry(key, writer));
                        if let Some(found) = probe(tt, (round * 5) % 9) {
                            let key = (round * 5) % 9;
                            assert!((0..4).any(|writer| found == entry(key, writer)), "{key}: {found:?}");
                            seen.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert!(seen.into_inner() > rounds / 100, "the race must be seen");
    }
}
