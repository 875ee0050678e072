//! How much room the machine has, where the system tells: the only module that asks for it.

use std::path::Path;

/// Bytes free for us on the disk of a directory that exists.
#[cfg(unix)]
pub(super) fn disk(directory: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(directory).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

/// Elsewhere the system is not asked: a full disk is found out in the end, and loses nothing that is finished.
#[cfg(not(unix))]
pub(super) fn disk(_: &Path) -> Option<u64> {
    None
}

/// Bytes of memory that can be had without taking them from others; only Linux says so in a file.
pub(super) fn memory() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}
