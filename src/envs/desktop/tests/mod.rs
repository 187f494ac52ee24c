//! The tasks that need nothing but this machine, done by their own cells.

mod machine;
mod offline;
