//! The memory of programs: what each has in its pages, and what is in files that are kept in memory.
//!
//! Pages that several processes map are counted once. Files in memory are those of folders in memory, of `memfd_create` and of
//! System V; what is mapped of them is among the pages too, so that the larger of the two sums counts.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;

use super::processes::Listed;
use crate::confine::inside;

/// A block of the count of blocks of a file, in bytes.
const BLOCK: u64 = 512;

/// What a process uses, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) id: u32,
    /// Its pages, of shared ones its part.
    pages: u64,
    /// Those of its pages that are of files in memory.
    mapped: u64,
    /// Files without a name that it has open. Others may have them open too.
    files: u64,
}

impl Use {
    #[cfg(test)]
    pub(super) fn of(id: u32, pages: u64, mapped: u64, files: u64) -> Self {
        Self { id, pages, mapped, files }
    }

    /// What its end may free.
    pub(super) fn freed(&self) -> u64 {
        self.pages.saturating_add(self.files.saturating_sub(self.mapped))
    }
}

/// What all programs use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) programs: Vec<Use>,
    /// All files in memory, in bytes.
    pub(super) files: u64,
    /// Those of them that are segments of System V, which outlive their programs.
    pub(super) segments: u64,
}

impl Memory {
    /// What the processes use together. `own` says whether the folders in memory are those of this sandbox alone.
    ///
    /// Shared pages are looked at only if the limit might be exceeded, since that takes long.
    pub(super) fn of(running: &[Listed], own: bool, most: u64) -> Self {
        let mut nameless = HashMap::new();
        let programs = running.iter().map(|process| {
            let files = nameless_files(process.id);
            nameless.extend(files.iter().copied());
            let files = files.iter().map(|(_, bytes)| bytes).sum();
            Use { id: process.id, pages: process.memory, mapped: 0, files }
        });
        let programs = programs.collect();
        let (folders, segments) = if own { (folders(), segments()) } else { (0, 0) };
        let nameless: u64 = nameless.values().sum();
        let files = nameless.saturating_add(folders).saturating_add(segments);
        let mut memory = Self { programs, files, segments };
        if memory.bytes() > most {
            memory.programs.iter_mut().for_each(look_at_pages);
        }
        memory
    }

    /// All of it, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let pages: u64 = self.programs.iter().map(|program| program.pages).sum();
        let mapped: u64 = self.programs.iter().map(|program| program.mapped).sum();
        pages.saturating_add(self.files.saturating_sub(mapped))
    }
}

/// Replaces the resident pages by the part of the process in them, where the system says it.
fn look_at_pages(program: &mut Use) {
    let text = fs::read_to_string(format!("/proc/{}/smaps_rollup", program.id)).unwrap_or_default();
    if let Some(pages) = field(&text, "Pss:") {
        program.pages = pages;
        program.mapped = field(&text, "Pss_Shmem:").unwrap_or_default();
    }
}

/// A field in kB, as bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The files of `memfd_create` that a process has open: device and number of each, and its bytes.
fn nameless_files(id: u32) -> Vec<((u64, u64), u64)> {
    let Ok(entries) = fs::read_dir(format!("/proc/{id}/fd")) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let nameless = paths.filter(|path| {
        fs::read_link(path).is_ok_and(|target| target.to_string_lossy().starts_with("/memfd:"))
    });
    let found = nameless.filter_map(|path| fs::metadata(path).ok());
    let mut found: Vec<_> =
        found.map(|file| ((file.dev(), file.ino()), file.blocks().saturating_mul(BLOCK))).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What is in the folders in memory.
fn folders() -> u64 {
    let used = |folder: &str| {
        let found = rustix::fs::statvfs(folder).ok()?;
        Some(found.f_blocks.saturating_sub(found.f_bfree).saturating_mul(found.f_frsize))
    };
    inside::IN_MEMORY.iter().filter_map(|folder| used(folder)).sum()
}

/// What is in segments of System V. Their list has a heading, and a column for the resident bytes.
fn segments() -> u64 {
    let text = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    let mut lines = text.lines();
    let column = lines.next().and_then(|heading| heading.split_whitespace().position(|name| name == "rss"));
    let Some(column) = column else { return 0 };
    lines.filter_map(|line| line.split_whitespace().nth(column)?.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mapped_and_in_files_counts_once() {
        let memory =
            |files, programs: &[Use]| Memory { programs: programs.to_vec(), files, segments: 0 }.bytes();
        assert_eq!(memory(0, &[Use::of(2, 60, 0, 0), Use::of(3, 40, 10, 0)]), 100);
        assert_eq!(memory(10, &[Use::of(2, 60, 10, 10)]), 60, "all of the file is mapped");
        assert_eq!(memory(30, &[Use::of(2, 60, 10, 30)]), 80, "20 of the file are mapped nowhere");
        assert_eq!(Use::of(2, 60, 10, 30).freed(), 80);
    }

    #[test]
    fn the_pages_of_this_process_are_found() {
        let this = std::process::id();
        let mut program = Use { id: this, ..Use::default() };
        look_at_pages(&mut program);
        assert!(program.pages > 100 << 10, "{program:?}");
        assert_eq!(field("Rss:  8 kB\nPss:                3 kB\n", "Pss:"), Some(3072));
        assert_eq!(field("Pss_Shmem: x kB", "Pss_Shmem:"), None);
    }

    #[test]
    fn a_file_without_a_name_is_counted() {
        let file = rustix::fs::memfd_create("counted", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::io::write(&file, &vec![1; 200_000]).unwrap();
        let found: u64 = nameless_files(std::process::id()).iter().map(|(_, bytes)| bytes).sum();
        assert!(found >= 200_000, "{found}");
    }
}
