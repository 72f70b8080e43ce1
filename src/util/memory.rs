//! Zeroed memory on huge pages, for tables that threads share without locks and for large values that only one thread
//! uses. If an allocation fails, we return `None` rather than abort.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;

use super::host::Pages;

/// An entry of a [`SharedTable`], which any number of threads read and write at once.
///
/// # Safety
/// - Any bytes, zeros included, are a valid value.
/// - Values change only through shared references (atomics), by any number of threads.
/// - The alignment is at most 4096.
pub unsafe trait AtomicEntry: Sync {}

/// A table of zeroed entries that threads read and write without locks, such as the TT.
pub struct SharedTable<T> {
    memory: Pages,
    entries: PhantomData<T>,
}

impl<T: AtomicEntry> SharedTable<T> {
    /// Allocates a zeroed table of `mebibytes` MiB; `None` if that is 0 or more than the system provides.
    pub fn new(mebibytes: usize) -> Option<Self> {
        const { assert!(align_of::<T>() <= 4096 && size_of::<T>() > 0) };
        let size = mebibytes.checked_mul(1 << 20).filter(|&size| size >= size_of::<T>())?;
        Some(Self { memory: Pages::zeroed(size)?, entries: PhantomData })
    }
}

impl<T: AtomicEntry> Deref for SharedTable<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let length = self.memory.size() / size_of::<T>();
        // SAFETY: the table owns the memory, which is aligned to a page. Any bytes are valid entries, and only atomic
        // operations change them.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast_const().cast(), length) }
    }
}

/// The size of a huge page on x86-64, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// A large value that one thread uses, on huge pages of its own.
pub struct HugeBox<T> {
    memory: Pages,
    value: PhantomData<T>,
}

impl<T: Pod> HugeBox<T> {
    /// Returns a value whose bytes are all 0; `None` if the allocation fails.
    pub fn zeroed() -> Option<Self> {
        const { assert!(align_of::<T>() <= 4096 && size_of::<T>() > 0) };
        let memory = Pages::zeroed(size_of::<T>().next_multiple_of(HUGE_PAGE))?;
        Some(Self { memory, value: PhantomData })
    }
}

impl<T: Pod> Deref for HugeBox<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the memory is aligned to a page and as large as `T`; any bytes are a valid value.
        unsafe { &*self.memory.as_mut_ptr().cast_const().cast() }
    }
}

impl<T: Pod> DerefMut for HugeBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and the mutable borrow excludes all others.
        unsafe { &mut *self.memory.as_mut_ptr().cast() }
    }
}

/// Starts loading the cache line of `target`, which we need soon. Does nothing on CPUs other than x86-64 and AArch64.
#[inline]
pub fn prefetch<T>(target: &T) {
    let address = std::ptr::from_ref(target);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is only a hint and cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch is only a hint and cannot fault. We write assembly because the intrinsic isn't stable yet.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    // SAFETY: atomic integers meet all three conditions of `AtomicEntry`.
    unsafe impl<const N: usize> AtomicEntry for [AtomicU64; N] {}

    #[test]
    fn impossible_sizes_refused() {
        // (2⁴⁴ + 1) MiB would wrap around to one MiB.
        for mebibytes in [0, usize::MAX, usize::MAX >> 20, (1 << 44) + 1, 1 << 40] {
            assert!(SharedTable::<[AtomicU64; 2]>::new(mebibytes).is_none(), "{mebibytes}");
        }
        let table = SharedTable::<[AtomicU64; 2]>::new(1).unwrap();
        assert_eq!(table.len(), 65_536);
    }

    #[test]
    fn huge_box_holds_values() {
        let mut numbers = HugeBox::<[u64; 400_000]>::zeroed().unwrap();
        assert_eq!((numbers[0], numbers[399_999]), (0, 0));
        numbers.fill(7);
        assert!(numbers.iter().all(|&number| number == 7));
    }
}
