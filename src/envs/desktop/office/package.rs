//! The archive of a document, read with limits.

use std::io::{Cursor, Read};

use mageyard_domain::sanitize;
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Element, Unreadable, xml};

/// What is read of an archive at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Parts in the archive.
    pub(crate) parts: usize,
    /// Bytes of one part.
    pub(crate) part: u64,
    /// Bytes of all parts that are read.
    pub(crate) all: u64,
    /// The size of a part divided by its compressed size, above [`SMALL`].
    pub(crate) ratio: u64,
}

/// Parts up to this many bytes may be compressed as much as they can be.
const SMALL: u64 = 1 << 20;

impl Default for Limits {
    fn default() -> Self {
        Self { parts: 10_000, part: 64 << 20, all: 256 << 20, ratio: 200 }
    }
}

/// An archive of parts.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    limits: Limits,
    read: u64,
}

impl<'a> Package<'a> {
    /// Opens an archive.
    ///
    /// # Errors
    /// It is damaged, or has too many parts.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        Self::open_within(bytes, Limits::default())
    }

    /// Opens an archive with limits of its own.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub(crate) fn open_within(bytes: &'a [u8], limits: Limits) -> Result<Self, Unreadable> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        if archive.len() > limits.parts {
            return Err(Unreadable::TooManyParts { found: archive.len(), limit: limits.parts });
        }
        if archive.has_duplicate_names() {
            return Err(Unreadable::Archive("two parts have the same name".to_owned()));
        }
        Ok(Self { archive, limits, read: 0 })
    }

    /// The bytes of a part; `None` if it is not there.
    ///
    /// # Errors
    /// It is damaged or over a limit.
    pub(crate) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let limits = self.limits;
        let part = match self.archive.by_name(name) {
            Ok(part) => part,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(Unreadable::part(name, error)),
        };
        let packed = part.compressed_size();
        let mut bytes = Vec::new();
        let left = limits.all.saturating_sub(self.read);
        let allowed = limits.part.min(left).min(SMALL.max(packed.saturating_mul(limits.ratio)));
        // The size in the header may be wrong: what comes out counts.
        part.take(allowed + 1).read_to_end(&mut bytes).map_err(|error| Unreadable::part(name, error))?;
        let size = bytes.len() as u64;
        if size > allowed {
            return Err(over(name, allowed, left, limits));
        }
        self.read += size;
        Ok(Some(bytes))
    }

    /// The root element of a part; `None` if it is not there.
    ///
    /// # Errors
    /// It is damaged, over a limit, or not XML.
    pub(crate) fn xml(&mut self, name: &str) -> Result<Option<Element>, Unreadable> {
        let Some(bytes) = self.bytes(name)? else { return Ok(None) };
        xml::parse(&bytes).map(Some).map_err(|error| Unreadable::part(name, error))
    }

    /// The root element of a part that must be there.
    ///
    /// # Errors
    /// It is missing, damaged, over a limit, or not XML.
    pub(crate) fn required(&mut self, name: &str) -> Result<Element, Unreadable> {
        self.xml(name)?.ok_or_else(|| Unreadable::Missing(name.to_owned()))
    }
}

fn over(name: &str, allowed: u64, left: u64, limits: Limits) -> Unreadable {
    if allowed == limits.part {
        Unreadable::PartTooLarge { part: name.to_owned(), limit: limits.part }
    } else if allowed == left {
        Unreadable::TooLarge { limit: limits.all }
    } else {
        Unreadable::Bomb { part: name.to_owned(), limit: limits.ratio }
    }
}

fn damaged(error: &ZipError) -> Unreadable {
    Unreadable::Archive(sanitize(&error.to_string()).into_owned())
}
