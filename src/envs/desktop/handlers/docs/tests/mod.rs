//! Tests of the handlers of documents.
