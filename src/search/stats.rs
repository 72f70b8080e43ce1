//! Counts what the search does, by kind and depth of the node. Only builds with the feature `stats` count, and their
//! command `stats` prints the tables; otherwise `count` and `add` are empty.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};

use super::node_state::{Node, NodeKind};

/// Labels of the [`NodeKind`]s. Quiescence search gets no rows in the tables, only a total.
const KINDS: [&str; 4] = ["PV", "cut", "all", "quiescence"];
const QUIESCENCE: usize = 3;

/// The depth bands that the tables distinguish: the maximum depth of each, and its label.
const BANDS: [(i32, &str); 5] = [(3, "1-3"), (6, "4-6"), (9, "7-9"), (13, "10-13"), (i32::MAX, "14-")];

/// [`Counter::HistoryReduction`] is in 1024ths of a ply.
const PLY: f64 = 1024.0;

#[derive(Clone, Copy)]
pub(super) enum Counter {
    Calls,
    TtCutoffs,
    ReverseFutility,
    Razoring,
    NullMoves,
    NullMoveCutoffs,
    ProbCut,
    /// Nodes whose moves were searched.
    Loops,
    Cutoffs,
    FirstMoveCutoffs,
    LateMoves,
    /// Sum of the reductions of late moves, plies.
    Reduction,
    /// How much histories added to the reductions of late moves (or, if negative, took away), 1024ths of a ply.
    HistoryReduction,
    /// Late moves that raised alpha and were searched again.
    Researches,
    SingularTests,
    /// Singular TT moves that we extended by 1, 2 or 3 plies.
    Extended1,
    Extended2,
    Extended3,
    /// TT moves with a negative extension, because they aren't singular.
    Shortened,
    Multicuts,
}

const COUNTERS: usize = Counter::Multicuts as usize + 1;

/// Where something is counted: the kind of node, an index into [`KINDS`], and its depth.
#[derive(Clone, Copy)]
pub(super) struct Site {
    kind: usize,
    depth: i32,
}

impl Site {
    pub(super) const QUIESCENCE: Self = Self { kind: QUIESCENCE, depth: 0 };

    #[inline(always)]
    pub(super) fn new(kind: NodeKind, depth: i32) -> Self {
        Self { kind: kind as usize, depth }
    }
}

impl From<&Node> for Site {
    #[inline(always)]
    fn from(node: &Node) -> Self {
        Self::new(node.kind, node.depth)
    }
}

struct Table([[[AtomicI64; COUNTERS]; BANDS.len()]; KINDS.len()]);

static TABLE: Table = Table::new();

#[inline(always)]
pub(super) fn count(site: impl Into<Site>, counter: Counter) {
    add(site, counter, 1);
}

#[inline(always)]
pub(super) fn add(site: impl Into<Site>, counter: Counter, amount: i32) {
    if cfg!(feature = "stats") {
        TABLE.add(site.into(), counter, amount);
    }
}

/// Returns the tables of everything counted since the last call, and resets the counters.
pub fn take() -> String {
    let text = TABLE.to_string();
    TABLE.clear();
    text
}

impl Table {
    const fn new() -> Self {
        Self([const { [const { [const { AtomicI64::new(0) }; COUNTERS] }; BANDS.len()] }; KINDS.len()])
    }

    fn add(&self, site: Site, counter: Counter, amount: i32) {
        let band = BANDS.iter().position(|&(greatest, _)| site.depth <= greatest).unwrap_or(0);
        self.0[site.kind][band][counter as usize].fetch_add(i64::from(amount), Ordering::Relaxed);
    }

    fn clear(&self) {
        for counter in self.0.iter().flatten().flatten() {
            counter.store(0, Ordering::Relaxed);
        }
    }

    /// Writes a table with a row for each node kind and depth band that we counted. `cells` makes a row of counters.
    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        heads: &[&str],
        cells: impl Fn(&dyn Fn(Counter) -> f64) -> Vec<String>,
    ) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, kind: &str, band: &str, cells: &[String]| {
            write!(f, "{kind:<4}{band:>6}")?;
            cells.iter().try_for_each(|cell| write!(f, "{cell:>9}"))?;
            writeln!(f)
        };
        line(f, "node", "depth", &heads.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        for (kind, bands) in KINDS.iter().zip(&self.0).take(QUIESCENCE) {
            for ((_, band), counters) in BANDS.iter().zip(bands) {
                let get = |counter: Counter| counters[counter as usize].load(Ordering::Relaxed) as f64;
                if get(Counter::Calls) > 0.0 {
                    line(f, kind, band, &cells(&get))?;
                }
            }
        }
        Ok(())
    }
}

fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1}%", 100.0 * part / whole) } else { "-".to_owned() }
}

fn mean(sum: f64, number: f64) -> String {
    if number > 0.0 { format!("{:.2}", sum / number) } else { "-".to_owned() }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Counter::*;
        let heads = ["calls", "tt", "rfp", "razor", "null", "of these", "probcut"];
        self.write(f, &heads, |get| {
            let share = |counter| percent(get(counter), get(Calls));
            vec![
                get(Calls).to_string(),
                share(TtCutoffs),
                share(ReverseFutility),
                share(Razoring),
                share(NullMoves),
                percent(get(NullMoveCutoffs), get(NullMoves)),
                share(ProbCut),
            ]
        })?;
        writeln!(f)?;
        let heads = ["loops", "cutoffs", "first", "late", "plies", "history", "again"];
        self.write(f, &heads, |get| {
            vec![
                get(Loops).to_string(),
                percent(get(Cutoffs), get(Loops)),
                percent(get(FirstMoveCutoffs), get(Cutoffs)),
                get(LateMoves).to_string(),
                mean(get(Reduction), get(LateMoves)),
                mean(get(HistoryReduction) / PLY, get(LateMoves)),
                percent(get(Researches), get(LateMoves)),
            ]
        })?;
        writeln!(f)?;
        let heads = ["tests", "+1", "+2", "+3", "shorter", "multicut"];
        self.write(f, &heads, |get| {
            let share = |counter| percent(get(counter), get(SingularTests));
            let shares = [Extended1, Extended2, Extended3, Shortened, Multicuts].map(share);
            [vec![get(SingularTests).to_string()], shares.to_vec()].concat()
        })?;
        let calls = |kind: usize| -> i64 {
            self.0[kind].iter().map(|counters| counters[Calls as usize].load(Ordering::Relaxed)).sum()
        };
        let quiescence = calls(QUIESCENCE);
        let all = (0..KINDS.len()).map(calls).sum::<i64>();
        write!(f, "\nquiescence {quiescence} calls, {} of all", percent(quiescence as f64, all as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_by_kind_and_depth() {
        let table = Table::new();
        for (kind, depth, counter, amount) in [
            (NodeKind::Cut, 5, Counter::Calls, 8),
            (NodeKind::Cut, 6, Counter::TtCutoffs, 2),
            (NodeKind::All, 6, Counter::Calls, 1),
            (NodeKind::Cut, 4, Counter::LateMoves, 4),
            (NodeKind::Cut, 4, Counter::HistoryReduction, -2048),
        ] {
            table.add(Site::new(kind, depth), counter, amount);
        }
        table.add(Site::QUIESCENCE, Counter::Calls, 3);
        let text = table.to_string();
        let words: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
        assert_eq!(words[1], ["cut", "4-6", "8", "25.0%", "0.0%", "0.0%", "0.0%", "-", "0.0%"]);
        assert_eq!(words[2][..4], ["all", "4-6", "1", "0.0%"]);
        assert_eq!(words[5], ["cut", "4-6", "0", "-", "-", "4", "0.00", "-0.50", "0.0%"]);
        assert_eq!(text.lines().last(), Some("quiescence 3 calls, 25.0% of all"));
        assert!(text.lines().all(|line| line.len() <= 82), "{text}");
        table.clear();
        assert!(table.to_string().ends_with("quiescence 0 calls, - of all"));
    }

    #[test]
    fn bands_include_their_ends() {
        for (depth, band) in [(1, "1-3"), (3, "1-3"), (4, "4-6"), (13, "10-13"), (14, "14-"), (127, "14-")] {
            let table = Table::new();
            table.add(Site::new(NodeKind::Pv, depth), Counter::Calls, 1);
            let text = table.to_string();
            let row = text.lines().nth(1).map(|line| line.split_whitespace().take(3).collect::<Vec<_>>());
            assert_eq!(row, Some(vec!["PV", band, "1"]), "{depth}");
        }
    }
}
