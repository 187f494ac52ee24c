//! Tests of reading: hostile archives and XML. [`write`] makes the documents, here and for the handlers.

pub(crate) mod write;

mod hostile;
pub(crate) mod mutated;
