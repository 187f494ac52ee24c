//! The tests of the whole: one binary, one module a subject.

mod environments;
mod layers;
