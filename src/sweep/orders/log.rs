//! The files of orders.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::OrderError;
use super::given::{GivenOrder, Order};
use crate::claims::{CONTROL_FOLDER, ControlFolder, DiskFolder};

/// The folder of orders in the control folder.
pub(super) const ORDERS: &str = "orders";
/// The version of the files.
const FORMAT: u32 = 1;
/// The number of digits of a name.
const DIGITS: usize = 6;
/// The longest texts, in bytes.
pub(super) const MAX_TEXT: usize = 2000;

/// The content of a file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredOrder {
    format: u32,
    /// Milliseconds since 1970-01-01 UTC.
    at: u64,
    by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// A text that no other order has, to find out whether the file is that of the process that reads it.
    id: String,
    what: Order,
}

/// The format of a file that another version has written.
#[derive(Deserialize)]
struct StoredFormat {
    format: u32,
}

/// The orders of the sweep in this folder, in their sequence; none if there never was one.
pub fn orders(folder: &Path) -> Result<Vec<GivenOrder>, OrderError> {
    OrderLog::of_sweep(folder).after(0)
}

/// The orders of a sweep as files.
pub(super) struct OrderLog {
    folder: Arc<dyn ControlFolder>,
}

impl OrderLog {
    /// The log of the sweep in this folder, which need not have one yet.
    pub(super) fn of_sweep(folder: &Path) -> Self {
        Self { folder: Arc::new(DiskFolder::at(folder.join(CONTROL_FOLDER))) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.root().join(ORDERS).join(name)
    }

    fn disk(&self, name: &str, source: io::Error) -> OrderError {
        OrderError::Disk { path: self.path(name), source }
    }

    /// The number of the newest order; 0 if there is none. It lists the folder: that also a network file system answers
    /// anew, while it may remember for a minute that a file did not exist.
    pub(super) fn newest(&self) -> Result<u32, OrderError> {
        let names = match self.folder.list(ORDERS) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            names => names.map_err(|source| self.disk("", source))?,
        };
        let mut newest = 0;
        for name in names {
            let number = parse_name(&name).ok_or_else(|| self.damaged(&name, FOREIGN.to_owned()))?;
            newest = newest.max(number);
        }
        Ok(newest)
    }

    /// The orders after this number.
    pub(super) fn after(&self, last: u32) -> Result<Vec<GivenOrder>, OrderError> {
        let newest = self.newest()?;
        (last.saturating_add(1)..=newest).map(|number| self.read(number)).collect()
    }

    /// The order with this number.
    pub(super) fn read(&self, number: u32) -> Result<GivenOrder, OrderError> {
        self.read_with_id(number).map(|(given, _)| given)
    }

    fn read_with_id(&self, number: u32) -> Result<(GivenOrder, String), OrderError> {
        let name = file_name(number);
        let bytes = match self.folder.read(&format!("{ORDERS}/{name}")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.damaged(&name, MISSING.to_owned()));
            }
            bytes => bytes.map_err(|source| self.disk(&name, source))?,
        };
        let stored = parse(&bytes).map_err(|why| self.damaged(&name, why))?;
        let StoredOrder { at, by, why, id, what, .. } = stored;
        Ok((GivenOrder { number, order: what, by, at: Duration::from_millis(at), why }, id))
    }

    /// Writes an order under this number; whether the number was free.
    pub(super) fn create(&self, given: &GivenOrder, id: &str) -> Result<bool, OrderError> {
        let name = file_name(given.number);
        let stored = StoredOrder {
            format: FORMAT,
            at: u64::try_from(given.at.as_millis()).unwrap_or(u64::MAX),
            by: given.by.clone(),
            why: given.why.clone(),
            id: id.to_owned(),
            what: given.order.clone(),
        };
        let text = serde_json::to_vec(&stored).map_err(|error| self.disk(&name, error.into()))?;
        self.create_folder()?;
        match self.folder.create_new(&format!("{ORDERS}/{name}"), &text) {
            // A network file system may repeat a request whose reply was lost; the file then is this one.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(self.read_with_id(given.number)?.1 == id)
            }
            created => {
                created.map_err(|source| self.disk(&name, source))?;
                self.sync(&format!("{ORDERS}/{name}"));
                self.sync(ORDERS);
                Ok(true)
            }
        }
    }

    fn create_folder(&self) -> Result<(), OrderError> {
        match self.folder.create_folder(ORDERS) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(self.disk("", error)),
            _ => Ok(()),
        }
    }

    /// Makes a file or folder survive a power failure. The order was given, so an error is only logged.
    fn sync(&self, path: &str) {
        if let Err(error) = self.folder.sync(path) {
            tracing::warn!(%error, path, "an order of the sweep cannot be flushed to disk");
        }
    }

    fn damaged(&self, name: &str, why: String) -> OrderError {
        OrderError::Damaged { path: self.path(name), why }
    }
}

/// What is wrong with a name.
const FOREIGN: &str = "the name of this file is not the number of an order; move it out of the folder";
/// What is wrong with a number without a file.
const MISSING: &str = "this order is missing, but there is a later one; put the file back, or move the later ones out of \
                       the folder and give them again";

/// The name of the file of an order.
fn file_name(number: u32) -> String {
    format!("{number:0DIGITS$}")
}

/// The number in a name as this program writes it.
fn parse_name(name: &str) -> Option<u32> {
    let number = name.parse().ok().filter(|number| *number > 0)?;
    (file_name(number) == name).then_some(number)
}

fn parse(bytes: &[u8]) -> Result<StoredOrder, String> {
    let stored = serde_json::from_slice::<StoredFormat>(bytes);
    if let Ok(StoredFormat { format }) = stored
        && format > FORMAT
    {
        return Err(format!(
            "the format {format} of this order is newer than {FORMAT}: use a newer mageyard"
        ));
    }
    let stored: StoredOrder = serde_json::from_slice(bytes).map_err(|error| {
        format!(
            "this order cannot be read: {error}; restore the file, or move it and the later ones out of the folder \
             and give them again"
        )
    })?;
    if [Some(&stored.by), stored.why.as_ref()].into_iter().flatten().any(|text| text.len() > MAX_TEXT) {
        return Err(format!("a text of this order is longer than {MAX_TEXT} bytes; restore the file"));
    }
    Ok(stored)
}
