//! The shipped tasks. That their cells do them is shown where there are sandboxes, by the target `sandbox` of the program.

mod offline;
