//! The text of a snapshot before it is checked.

use serde::Deserialize;

use super::element::present;
use super::{Element, MAX_ELEMENTS, SnapshotError, VERSION, properties};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    version: u32,
    pub(super) viewport: [f64; 2],
    pub(super) document: [f64; 2],
    #[serde(default)]
    pub(super) base: String,
    pub(super) properties: Vec<String>,
    pub(super) elements: Vec<Element>,
    /// Why the script stopped early.
    #[serde(deserialize_with = "present")]
    limit: Option<String>,
}

impl Written {
    pub(super) fn check(&self) -> Result<(), SnapshotError> {
        if self.version != VERSION {
            return Err(SnapshotError::Version { found: self.version });
        }
        if let Some(reason) = &self.limit {
            return Err(SnapshotError::Limit { reason: reason.clone() });
        }
        if self.elements.len() > MAX_ELEMENTS {
            return Err(SnapshotError::TooManyElements { count: self.elements.len() });
        }
        properties::check(&self.properties)?;
        let faults = self.elements.iter().map(|element| element.fault(self.properties.len()));
        let fault = faults.enumerate().find_map(|(index, fault)| Some((index, fault?)));
        fault.map_or(Ok(()), |(index, fault)| Err(SnapshotError::Element { index, fault }))
    }
}
