//! The end-to-end tests, one module a subject.

mod environments;
