//! Transposition table: shared by all threads without locks.
//!
//! The key selects a bucket of four entries, which fill one cache line. Mate scores are stored relative to the
//! position, not to the root. When a bucket is full, shallow entries and those of earlier searches are replaced first.
//! A slot can also hold a static eval alone.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use super::score::{Bound, Score, from_tt, is_decisive, to_tt};
use crate::chess::Move;
use crate::util::memory::{AtomicEntry, SharedTable, prefetch};
use crate::util::scale;

/// A TT entry as the search sees it: mate distances count from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// Best or refuting move. It may be illegal, because different positions can have the same key.
    pub mv: Option<Move>,
    /// In an entry that the table returns, this is never a mate that the fifty-move rule prevents.
    pub score: Score,
    pub bound: Bound,
    /// Static eval before correction; `None` in check.
    pub eval: Option<Score>,
    /// In plies; 0 if the entry comes from quiescence search.
    pub depth: i32,
    /// Whether the position was ever on a PV.
    pub tt_pv: bool,
}

impl TtEntry {
    /// Returns the TT score if it is a better estimate than `eval`, otherwise `eval`. A decisive score never is.
    #[inline]
    pub fn refine(&self, eval: Score) -> Score {
        let is_better = !is_decisive(self.score) && self.bound.improves(self.score, eval);
        if is_better { self.score } else { eval }
    }

    /// Packs the entry into 64 bits, from the lowest up: move 16, score 16, eval 16, depth 8, bound 2, PV 1, age 5.
    fn pack(self, ply: usize, age: u8) -> u64 {
        let mv = self.mv.map_or(0, Move::code);
        let score = to_tt(self.score, ply) as i16;
        let eval = self.eval.map_or(NO_EVAL, |eval| eval as i16);
        let depth = self.depth.clamp(0, i32::from(u8::MAX)) as u8;
        u64::from(mv)
            | u64::from(score as u16) << SCORE_SHIFT
            | u64::from(eval as u16) << EVAL_SHIFT
            | u64::from(depth) << DEPTH_SHIFT
            | (self.bound as u64) << BOUND_SHIFT
            | u64::from(self.tt_pv) << PV_SHIFT
            | u64::from(age) << AGE_SHIFT
    }

    fn unpack(data: u64, ply: usize, halfmove_clock: u16) -> Self {
        Self {
            mv: move_of(data),
            score: from_tt(Score::from((data >> SCORE_SHIFT) as i16), ply, halfmove_clock),
            bound: match data >> BOUND_SHIFT & BOUND_MASK {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            eval: eval_of(data),
            depth: depth_of(data),
            tt_pv: data >> PV_SHIFT & 1 != 0,
        }
    }
}

const SCORE_SHIFT: u32 = 16;
const EVAL_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const BOUND_SHIFT: u32 = 56;
const BOUND_MASK: u64 = 0b11;
const PV_SHIFT: u32 = 58;
const AGE_SHIFT: u32 = 59;

const NO_EVAL: i16 = i16::MIN;

const fn move_of(data: u64) -> Option<Move> {
    Move::from_code(data as u16)
}

fn eval_of(data: u64) -> Option<Score> {
    let eval = (data >> EVAL_SHIFT) as i16;
    (eval != NO_EVAL).then_some(Score::from(eval))
}

/// Packs an entry that holds only a static eval: no move, depth or bound.
fn pack_evaluation(eval: Score, age: u8) -> u64 {
    u64::from(eval as i16 as u16) << EVAL_SHIFT | u64::from(age) << AGE_SHIFT
}

const fn is_evaluation(data: u64) -> bool {
    data >> BOUND_SHIFT & BOUND_MASK == 0
}

const fn depth_of(data: u64) -> i32 {
    (data >> DEPTH_SHIFT) as u8 as i32
}

const fn age_of(data: u64) -> u8 {
    (data >> AGE_SHIFT) as u8
}

/// Each search gets the next age, modulo this, because an entry has 5 bits for it.
const AGES: u8 = 32;
const BUCKET_SIZE: usize = 4;
/// To choose which entry to replace, we count an entry as this many plies shallower per search since it was stored.
const AGE_PENALTY: i32 = 4;
/// A new entry for the same position replaces the old one if the old one is less than this many plies deeper.
const REPLACEMENT_MARGIN: i32 = 4;
/// We add this to [`REPLACEMENT_MARGIN`] if the new entry is or was on a PV.
const PV_REPLACEMENT_MARGIN: i32 = 2;
/// How many buckets [`TranspositionTable::hashfull`] looks at.
const HASHFULL_SAMPLE: usize = 1000;

/// A packed entry, and the key XORed with it: after a torn write the key doesn't match.
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

// SAFETY: a bucket has only atomic integers, for which any bytes are valid, and its alignment is 64.
unsafe impl AtomicEntry for Bucket {}

/// What the table knows about a position.
#[derive(Clone, Copy, Default)]
pub struct Probe {
    pub entry: Option<TtEntry>,
    /// Raw eval, from the entry or stored alone.
    pub eval: Option<Score>,
}

/// We clear the table with one thread per this many bytes; for less, starting a thread takes longer than it saves.
const CLEAR_CHUNK: usize = 32 << 20;

fn clear_buckets(buckets: &[Bucket]) {
    buckets.iter().flat_map(|bucket| &bucket.0).for_each(|slot| slot.store(0, 0));
}

/// The transposition table. All methods take `&self`, because the search threads share it.
pub struct TranspositionTable {
    buckets: SharedTable<Bucket>,
    age: AtomicU8,
    /// Whether no search has begun since the table was cleared.
    is_clear: AtomicBool,
}

impl TranspositionTable {
    /// Returns `None` if the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Option<Self> {
        Some(Self {
            buckets: SharedTable::new(mebibytes)?,
            age: AtomicU8::new(0),
            is_clear: AtomicBool::new(true),
        })
    }

    /// Clears the table, on all cores if it is large. Does nothing if no search has used it.
    pub fn clear(&self) {
        if self.is_clear.swap(true, Ordering::Relaxed) {
            return;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let chunk_count = (self.buckets.len() * size_of::<Bucket>()).div_ceil(CLEAR_CHUNK).clamp(1, cores);
        let mut chunks = self.buckets.chunks(self.buckets.len().div_ceil(chunk_count));
        let own_chunk = chunks.next();
        std::thread::scope(|scope| {
            for chunk in chunks {
                // If no new thread can be started, the current thread clears the chunk.
                if std::thread::Builder::new().spawn_scoped(scope, move || clear_buckets(chunk)).is_err() {
                    clear_buckets(chunk);
                }
            }
            own_chunk.map(clear_buckets);
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// Must be called before each search: everything in the table becomes one search older.
    pub fn new_search(&self) {
        self.is_clear.store(false, Ordering::Relaxed);
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let buckets = &*self.buckets;
        let index = scale(key, buckets.len() as u64);
        debug_assert!((index as usize) < buckets.len());
        // SAFETY: `scale` returns key × length / 2⁶⁴, which is below the length.
        unsafe { buckets.get_unchecked(index as usize) }
    }

    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Returns the entry and the raw eval for a position `ply` plies from the root. An eval that is stored alone doesn't
    /// count as an entry.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize, halfmove_clock: u16) -> Probe {
        let Some(data) = self.find(key) else { return Probe::default() };
        let entry = (!is_evaluation(data)).then(|| TtEntry::unpack(data, ply, halfmove_clock));
        Probe { entry, eval: eval_of(data) }
    }

    /// Returns the stored move. It may be illegal, because different positions can have the same key.
    pub fn probe_move(&self, key: u64) -> Option<Move> {
        move_of(self.find(key)?)
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

    /// Stores an entry for a position `ply` plies from the root. An entry for the same position is replaced unless it
    /// is from this search, much deeper, and the new score isn't exact. If the bucket has no entry for the position,
    /// its least valuable entry is replaced: shallow and old entries go first.
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let (slot, same) = self.slot_for(key, age);
        if let Some(data) = same {
            if entry.mv.is_none() {
                entry.mv = move_of(data);
            }
            let margin = REPLACEMENT_MARGIN + PV_REPLACEMENT_MARGIN * i32::from(entry.tt_pv);
            let replaces =
                entry.bound == Bound::Exact || age_of(data) != age || entry.depth + margin > depth_of(data);
            if !replaces {
                return;
            }
        }
        slot.store(key, entry.pack(ply, age));
    }

    /// Stores the raw eval of a position that has no entry yet, so that we don't compute it again if the search of that
    /// position stores nothing.
    pub fn store_evaluation(&self, key: u64, eval: Score) {
        let age = self.age.load(Ordering::Relaxed);
        let (slot, same) = self.slot_for(key, age);
        if same.is_none() {
            slot.store(key, pack_evaluation(eval, age));
        }
    }

    /// Returns the slot that holds this key, with its data, or the least valuable slot of the bucket.
    #[inline]
    fn slot_for(&self, key: u64, age: u8) -> (&Slot, Option<u64>) {
        let slots = &self.bucket(key).0;
        let (mut least, mut lowest) = (&slots[0], i32::MAX);
        for slot in slots {
            let (stored, data) = slot.load();
            if data != 0 && stored == key {
                return (slot, Some(data));
            }
            let searches_ago = i32::from((age + AGES - age_of(data)) % AGES);
            let value = if data == 0 { i32::MIN } else { depth_of(data) - AGE_PENALTY * searches_ago };
            if value < lowest {
                (least, lowest) = (slot, value);
            }
        }
        (least, None)
    }

    /// Returns how much of the table the current search has filled, in thousandths, estimated from a sample.
    pub fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let buckets = &*self.buckets;
        let sample = &buckets[..buckets.len().min(HASHFULL_SAMPLE)];
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

    fn entry(depth: i32) -> TtEntry {
        let (mv, score, eval) = (Move::from_code(1234), -31_990, Some(77));
        TtEntry { mv, score, bound: Bound::Lower, eval, depth, tt_pv: true }
    }

    fn probe(tt: &TranspositionTable, key: u64) -> Option<TtEntry> {
        tt.probe(key, 0, 0).entry
    }

    #[test]
    fn evaluation_is_no_entry() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store_evaluation(42, -77);
        let evaluation = || tt.probe(42, 0, 0).eval;
        assert_eq!((probe(&tt, 42), evaluation(), tt.probe_move(42)), (None, Some(-77), None));
        tt.store(42, 0, entry(0));
        assert_eq!(probe(&tt, 42), Some(entry(0)));
        tt.store_evaluation(42, -77);
        assert_eq!((probe(&tt, 42), evaluation()), (Some(entry(0)), Some(77)));
    }

    #[test]
    fn probe_returns_stored_entry() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(42, 0, entry(200));
        assert_eq!(probe(&tt, 42), Some(entry(200)));
        assert_eq!(probe(&tt, 43), None);
        let other = TtEntry { eval: None, bound: Bound::Upper, tt_pv: false, mv: None, ..entry(3) };
        tt.store(43, 0, other);
        assert_eq!(probe(&tt, 43), Some(other));
        tt.new_search();
        tt.clear();
        assert_eq!(probe(&tt, 42), None);
    }

    #[test]
    fn probe_adjusts_mate_scores() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(1, 5, TtEntry { score: mate_in(9), ..entry(7) });
        let earlier = tt.probe(1, 3, 0).entry.map(|entry| entry.score);
        assert_eq!(earlier, Some(mate_in(7)), "four plies from the stored position");
        let late = tt.probe(1, 3, 98).entry.unwrap();
        assert!(!is_decisive(late.score) && late.score > 0, "the fifty-move limit comes first: {late:?}");
        let estimate = TtEntry { score: 50, bound: Bound::Lower, ..entry(1) };
        assert_eq!((estimate.refine(30), estimate.refine(70)), (50, 70));
    }

    #[test]
    fn shallow_and_old_entries_are_replaced() {
        let tt = TranspositionTable::new(1).unwrap();
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            tt.store(key, 0, entry(depth));
        }
        assert_eq!(probe(&tt, 2), None);
        assert_eq!(probe(&tt, 1), Some(entry(9)));
        tt.new_search();
        tt.store(3, 0, entry(8));
        tt.new_search();
        tt.store(6, 0, entry(1));
        tt.store(7, 0, entry(1));
        assert!(probe(&tt, 3).is_some(), "used in the last search");
        assert_eq!(tt.hashfull(), 2 * 1000 / 4000);
    }

    #[test]
    fn missing_move_keeps_old_move() {
        let tt = TranspositionTable::new(1).unwrap();
        tt.store(9, 0, entry(5));
        tt.store(9, 0, TtEntry { mv: None, ..entry(6) });
        assert_eq!(tt.probe_move(9), Move::from_code(1234));
        tt.store(9, 0, entry(60));
        tt.store(9, 0, entry(1));
        assert_eq!(probe(&tt, 9).unwrap().depth, 60);
    }

    /// While writers race for a few keys, a probe returns a whole entry that one of them stored for the key, or none.
    #[test]
    fn torn_write_is_not_read() {
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
        let hits = std::sync::atomic::AtomicU64::new(0);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (tt, hits) = (&tt, &hits);
                scope.spawn(move || {
                    for round in 0..rounds {
                        let key = (round + writer) % 9;
                        tt.store(key, 0, entry(key, writer));
                        if let Some(found) = probe(tt, (round * 5) % 9) {
                            let key = (round * 5) % 9;
                            assert!((0..4).any(|writer| found == entry(key, writer)), "{key}: {found:?}");
                            hits.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert!(hits.into_inner() > rounds / 100, "too few probes found an entry");
    }
}
