//! The memory of a table: zeroed, in large pages, cleared and touched by several threads.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};

use bytemuck::Zeroable;

use crate::crew;

/// Words that a thread clears at a time.
const PORTION: usize = 1 << 18;

/// What tables are made of.
pub(super) trait Word: Zeroable + Sync {
    fn zero(&self);
}

impl Word for AtomicU16 {
    fn zero(&self) {
        self.store(0, Relaxed);
    }
}

impl Word for AtomicU64 {
    fn zero(&self) {
        self.store(0, Relaxed);
    }
}

/// A fixed number of words, all zero at first.
#[derive(Debug)]
pub(super) struct Memory<W> {
    words: Vec<W>,
    /// Whether anything was stored: memory fresh from the system need not be cleared.
    is_used: AtomicBool,
    /// Whether the system has given all of it: it hands out its pages when they are first written.
    is_held: AtomicBool,
}

impl<W> Deref for Memory<W> {
    type Target = [W];

    #[inline]
    fn deref(&self) -> &[W] {
        &self.words
    }
}

impl<W: Word> Memory<W> {
    /// So many words; none if memory is short.
    pub fn new(count: usize) -> Option<Memory<W>> {
        let words: Vec<W> = bytemuck::allocation::try_zeroed_vec(count).ok()?;
        ask_for_large_pages(&words);
        Some(Memory { words, is_used: AtomicBool::new(false), is_held: AtomicBool::new(false) })
    }

    /// Notes that something is about to be written.
    #[inline]
    pub fn use_it(&self) {
        if !self.is_used.load(Relaxed) {
            self.is_used.store(true, Relaxed);
        }
    }

    /// Zeroes everything, if anything was written.
    pub fn clear(&self, threads: usize) {
        if self.is_used.swap(false, Relaxed) {
            self.zero(threads);
        }
    }

    /// Has the system give the memory now; nothing written is lost.
    pub fn hold(&self, threads: usize) {
        if !self.is_held.load(Relaxed) && !self.is_used.load(Relaxed) {
            self.zero(threads);
        }
    }

    fn zero(&self, threads: usize) {
        let threads = threads.max(std::thread::available_parallelism().map_or(1, |cores| cores.get()));
        let (portions, next) = (self.words.len().div_ceil(PORTION), AtomicUsize::new(0));
        let zero = || {
            while let Some(portion) = self.words.chunks(PORTION).nth(next.fetch_add(1, Relaxed)) {
                portion.iter().for_each(W::zero);
            }
        };
        crew::run((1..threads.min(portions)).map(|_| zero), |_| zero());
        self.is_held.store(true, Relaxed);
    }
}

/// Asks the system to map fresh memory in pages of 2 MiB: most probes of a small page find no address translation.
fn ask_for_large_pages<W>(words: &[W]) {
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code)]
    {
        const PAGE: usize = 4096;
        let skip = words.as_ptr().align_offset(PAGE).min(words.len());
        let length = size_of_val(&words[skip..]) / PAGE * PAGE;
        if length > 0 {
            // SAFETY: the range lies inside the slice, and the advice changes nothing that can be read. A refusal
            // costs speed only.
            unsafe { libc::madvise(words[skip..].as_ptr().cast_mut().cast(), length, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = words;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_held_once_and_what_is_written_stays() {
        let memory: Memory<AtomicU64> = Memory::new(10).unwrap();
        memory.hold(2);
        assert!(memory.is_held.load(Relaxed));
        memory.use_it();
        memory[3].store(7, Relaxed);
        memory.hold(2);
        assert_eq!(memory[3].load(Relaxed), 7);
        memory.clear(2);
        assert_eq!(memory[3].load(Relaxed), 0);
    }
}
