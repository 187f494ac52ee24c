//! What level files can have beyond the levels that every environment parses.

use crate::{CheckoutImport, FileNotes, LevelCheck, LevelFormat, LevelNeeds, LevelRecords};

/// Formats, comments and checks of level files.
#[derive(Clone, Copy)]
pub struct LevelFiles {
    /// The formats for import and export. The format with the name of the usual file extension is the native one.
    pub formats: &'static [LevelFormat],
    /// The titles, authors and comments of a level file.
    pub notes: fn(&str) -> FileNotes,
    /// The check of levels beyond their text.
    pub check: Option<&'static dyn LevelCheck>,
    /// How levels are read from files of records, such as JSON Lines; `None` if its levels are no records.
    pub records: Option<&'static dyn LevelRecords>,
    /// What levels need of the machine; `None` if they need nothing.
    pub needs: Option<&'static dyn LevelNeeds>,
    /// The import of level sets from a checkout of another program.
    pub checkout_import: Option<&'static dyn CheckoutImport>,
}

impl LevelFiles {
    /// Nothing beyond levels.
    pub const NONE: Self = Self {
        formats: &[],
        notes: |_| FileNotes::default(),
        check: None,
        records: None,
        needs: None,
        checkout_import: None,
    };
}
