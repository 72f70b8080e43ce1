//! NUMA (non-uniform memory access): if no node has enough CPUs for all search threads, we bind each thread to a node.
//!
//! The system places a page of memory on the node of the thread that touches it first. So the histories of a bound
//! thread stay on its node, and the transposition table spreads over all nodes. We don't copy the network to each node,
//! because it fits into every CPU's cache.

use std::path::Path;

/// For each NUMA node, the CPUs that this process may use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NumaNodes(Vec<Vec<usize>>);

impl NumaNodes {
    /// Returns the nodes of this machine; empty if the system does not report them.
    pub fn detect() -> Self {
        let nodes = Self::read(Path::new("/sys/devices/system/node"));
        match allowed_processors() {
            Some(allowed) => nodes.retain(|processor| allowed.contains(&processor)),
            None => Self::default(),
        }
    }

    /// Reads `nodeN/cpulist` for every node number N in `folder`. The result includes nodes without CPUs.
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

    fn retain(self, is_allowed: impl Fn(usize) -> bool) -> Self {
        let nodes = self.0.into_iter().map(|mut processors| {
            processors.retain(|&processor| is_allowed(processor));
            processors
        });
        Self(nodes.filter(|processors| !processors.is_empty()).collect())
    }

    /// Returns the CPUs for thread `thread` of `threads`, or `None` if all threads fit into one node. The system then
    /// places the threads better than we could, because it knows what other programs are running.
    pub fn processors_for(&self, thread: usize, threads: usize) -> Option<&[usize]> {
        let largest = self.0.iter().map(Vec::len).max()?;
        if self.0.len() < 2 || threads <= largest {
            return None;
        }
        // We place the threads one by one, each on the node that would then have the fewest threads per CPU.
        let mut counts = vec![0; self.0.len()];
        let mut assigned = 0;
        for _ in 0..=thread {
            let load = |&node: &usize| (counts[node] + 1) * LOAD_UNIT / self.0[node].len();
            assigned = (0..self.0.len()).min_by_key(load)?;
            counts[assigned] += 1;
        }
        Some(&self.0[assigned])
    }
}

/// The load of a node with one thread per CPU. It is large because loads are integers and get rounded down.
const LOAD_UNIT: usize = 1000;

/// Parses a CPU list such as `0-3,8-11`.
fn parse_list(text: &str) -> Option<Vec<usize>> {
    let mut processors = Vec::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        processors.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(processors)
}

/// Returns the CPUs that the calling thread may run on; `None` if the system does not report them.
#[cfg(target_os = "linux")]
pub(super) fn allowed_processors() -> Option<Vec<usize>> {
    // SAFETY: a set of zero bits is valid and empty, and the system writes at most the size that we pass.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        (libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) == 0).then_some(set)?
    };
    let processors = 0..libc::CPU_SETSIZE as usize;
    // SAFETY: the range ends at `CPU_SETSIZE`, so `CPU_ISSET` stays inside the set.
    Some(processors.filter(|&processor| unsafe { libc::CPU_ISSET(processor, &set) }).collect())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn allowed_processors() -> Option<Vec<usize>> {
    None
}

/// Binds the calling thread to `processors`. We ignore errors, because binding only affects speed.
#[cfg(target_os = "linux")]
pub fn bind_thread(processors: &[usize]) {
    // SAFETY: a set of zero bits is valid and empty, we only add CPUs below its size, and the system only reads it.
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

    /// Creates a folder with these node names and CPU lists, and reads the nodes from it.
    pub fn nodes_from_lists(lists: &[(&str, &str)]) -> NumaNodes {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("online"), "0-1").unwrap();
        for (name, list) in lists {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("cpulist"), list).unwrap();
        }
        NumaNodes::read(folder.path())
    }

    #[test]
    fn nodes_are_read_from_lists() {
        let nodes = nodes_from_lists(&[("node1", "4-5,10\n"), ("node0", "0-3,8-9\n"), ("node2", "\n")]);
        assert_eq!(nodes.0, [vec![0, 1, 2, 3, 8, 9], vec![4, 5, 10], vec![]]);
        assert_eq!(nodes.retain(|processor| processor != 5).0, [vec![0, 1, 2, 3, 8, 9], vec![4, 10]]);
        assert_eq!(NumaNodes::read(Path::new("/no/such/folder")), NumaNodes::default());
        assert_eq!(parse_list("3-x"), None);
    }

    #[test]
    fn threads_are_spread_over_nodes() {
        let nodes = nodes_from_lists(&[("node0", "0-7"), ("node1", "8-11")]);
        for threads in 1..=8 {
            assert_eq!(nodes.processors_for(0, threads), None, "{threads}");
        }
        let on_first = |threads| {
            (0..threads).filter(|&thread| nodes.processors_for(thread, threads).unwrap()[0] == 0).count()
        };
        assert_eq!([9, 12, 24].map(on_first), [6, 8, 16]);
        assert_eq!(nodes_from_lists(&[("node0", "0-1")]).processors_for(5, 64), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn bound_thread_keeps_its_processor() {
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
        assert_eq!(allowed_processors().unwrap(), all, "other threads must stay unbound");
    }
}
