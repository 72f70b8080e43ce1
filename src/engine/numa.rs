//! NUMA: where memory is in several nodes, each near some of the processors, the threads of a search that takes more
//! than one node stay where they are, and so does the memory that they touch first: their histories.
//!
//! The transposition table is spread over all nodes by itself, since whichever thread touches a page first has it near.
//! The network is small enough for every processor's cache.

use std::path::Path;

/// The processors of each node that this process may use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nodes(Vec<Vec<usize>>);

impl Nodes {
    /// Those of this machine; none where the system does not tell.
    pub fn detect() -> Self {
        let nodes = Self::read(Path::new("/sys/devices/system/node"));
        match allowed_processors() {
            Some(allowed) => nodes.retain(|processor| allowed.contains(&processor)),
            None => Self::default(),
        }
    }

    /// Reads `nodeN/cpulist` of all nodes in a folder.
    fn read(folder: &Path) -> Self {
        let Ok(entries) = std::fs::read_dir(folder) else { return Self::default() };
        let mut nodes: Vec<(usize, Vec<usize>)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let number = entry.file_name().to_str()?.strip_prefix("node")?.parse().ok()?;
                let list = std::fs::read_to_string(entry.path().join("cpulist")).ok()?;
                Some((number, parse_list(&list)?))
            })
            .collect();
        nodes.sort_unstable();
        Self(nodes.into_iter().map(|(_, processors)| processors).collect())
    }

    /// Only the processors that `is_allowed`.
    fn retain(self, is_allowed: impl Fn(usize) -> bool) -> Self {
        let nodes = self.0.into_iter().map(|mut processors| {
            processors.retain(|&processor| is_allowed(processor));
            processors
        });
        Self(nodes.filter(|processors| !processors.is_empty()).collect())
    }

    /// Where thread `thread` of `threads` belongs; `None` where all fit into one node, as then the system may place them
    /// better, beside other engines say.
    pub fn of_thread(&self, thread: usize, threads: usize) -> Option<&[usize]> {
        let largest = self.0.iter().map(Vec::len).max()?;
        if self.0.len() < 2 || threads <= largest {
            return None;
        }
        // Dealt out one by one, each to the node that has fewest for its size.
        let mut counts = vec![0; self.0.len()];
        let mut chosen = 0;
        for _ in 0..=thread {
            let load = |&node: &usize| (counts[node] + 1) * 1000 / self.0[node].len();
            chosen = (0..self.0.len()).min_by_key(load)?;
            counts[chosen] += 1;
        }
        Some(&self.0[chosen])
    }
}

/// `0-3,8-11` and the like.
fn parse_list(text: &str) -> Option<Vec<usize>> {
    let mut processors = Vec::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        processors.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(processors)
}

/// The processors that this thread may run on; `None` where the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn allowed_processors() -> Option<Vec<usize>> {
    // SAFETY: all zero bits are an empty set, and the system writes no more than its size.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        (libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) == 0).then_some(set)?
    };
    // SAFETY: the numbers are below the set's size.
    Some(
        (0..libc::CPU_SETSIZE as usize)
            .filter(|&processor| unsafe { libc::CPU_ISSET(processor, &set) })
            .collect(),
    )
}

#[cfg(not(target_os = "linux"))]
pub(super) fn allowed_processors() -> Option<Vec<usize>> {
    None
}

/// Keeps this thread on the `processors`. It is only for speed: a system that refuses is left alone.
#[cfg(target_os = "linux")]
pub fn bind_thread(processors: &[usize]) {
    // SAFETY: all zero bits are an empty set; the numbers are below its size; the system only reads it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &processor in processors.iter().filter(|&&processor| processor < libc::CPU_SETSIZE as usize) {
            libc::CPU_SET(processor, &mut set);
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
    }
}

#[cfg(not(target_os = "linux"))]
pub fn bind_thread(_: &[usize]) {}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What is read of a folder as the system shows a machine with these nodes.
    pub fn machine(lists: &[(&str, &str)]) -> Nodes {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("online"), "0-1").unwrap();
        for (name, list) in lists {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("cpulist"), list).unwrap();
        }
        Nodes::read(folder.path())
    }

    #[test]
    fn nodes_are_read_as_the_system_lists_them() {
        let nodes = machine(&[("node1", "4-5,10\n"), ("node0", "0-3,8-9\n"), ("node2", "\n")]);
        assert_eq!(nodes.0, [vec![0, 1, 2, 3, 8, 9], vec![4, 5, 10], vec![]]);
        assert_eq!(nodes.retain(|processor| processor != 5).0, [vec![0, 1, 2, 3, 8, 9], vec![4, 10]]);
        assert_eq!(Nodes::read(Path::new("/no/such/folder")), Nodes::default());
        assert_eq!(parse_list("3-x"), None);
    }

    #[test]
    fn threads_that_do_not_fit_into_one_node_are_dealt_out() {
        let nodes = machine(&[("node0", "0-7"), ("node1", "8-11")]);
        for threads in 1..=8 {
            assert_eq!(nodes.of_thread(0, threads), None, "{threads}");
        }
        let on_first = |threads| {
            (0..threads).filter(|&thread| nodes.of_thread(thread, threads).unwrap()[0] == 0).count()
        };
        assert_eq!([9, 12, 24].map(on_first), [6, 8, 16]);
        assert_eq!(machine(&[("node0", "0-1")]).of_thread(5, 64), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_bound_thread_stays_there() {
        let all = allowed_processors().unwrap();
        let one = &all[all.len() - 1..];
        let bound = std::thread::spawn({
            let one = one.to_vec();
            move || {
                bind_thread(&one);
                allowed_processors().unwrap()
            }
        });
        assert_eq!(bound.join().unwrap(), one);
        assert_eq!(allowed_processors().unwrap(), all, "only that thread");
    }
}
