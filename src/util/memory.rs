//! Memory for tables that threads share without locks: zeroed, taken from the system page by page as it is first
//! written, and refused rather than aborted on when there is not enough.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use memmap2::{MmapOptions, MmapRaw};

/// Entries of atomics, of which all bytes zero make a valid one.
///
/// # Safety
/// Any bytes are a valid value, which is changed through shared references only (atomics), by any number of threads; its
/// alignment is at most 4096.
pub unsafe trait AtomicEntry: Sync {}

// SAFETY: atomic integers are all of that.
unsafe impl<const N: usize> AtomicEntry for [AtomicU64; N] {}

/// A table of entries, as many as its bytes have room for.
pub struct SharedTable<T> {
    memory: MmapRaw,
    entries: PhantomData<T>,
}

impl<T: AtomicEntry> SharedTable<T> {
    /// A table of `mebibytes`, all zero; `None` when that is 0 or more than the system gives.
    pub fn new(mebibytes: usize) -> Option<Self> {
        const { assert!(align_of::<T>() <= 4096 && size_of::<T>() > 0) };
        let size = mebibytes.checked_mul(1 << 20).filter(|&size| size >= size_of::<T>())?;
        let memory: MmapRaw = MmapOptions::new().len(size).map_anon().ok()?.into();
        // Probes go all over the table: with large pages far fewer of them miss the processor's page tables. It is
        // only advice, and a system without such pages may refuse it.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self { memory, entries: PhantomData })
    }
}

impl<T: AtomicEntry> Deref for SharedTable<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let length = self.memory.len() / size_of::<T>();
        // SAFETY: the memory is this table's alone, lives as long as it, is aligned to a page, and any bytes are valid
        // entries, which only atomic operations change.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), length) }
    }
}

/// Has the processor fetch what will soon be read.
#[inline]
pub fn prefetch<T>(target: &T) {
    let address = std::ptr::from_ref(target);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching reads nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above; the intrinsic for it is not stable yet.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_cannot_give_is_refused() {
        // The last but one would wrap around to one MiB.
        for mebibytes in [0, usize::MAX, usize::MAX >> 20, (1 << 44) + 1, 1 << 40] {
            assert!(SharedTable::<[AtomicU64; 2]>::new(mebibytes).is_none(), "{mebibytes}");
        }
        let table = SharedTable::<[AtomicU64; 2]>::new(1).unwrap();
        assert_eq!(table.len(), 65_536);
    }
}
