//! gym-sokoban arrays as JSON, and texts in other level formats.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| mageyard_fuzz::check_level_import("gym", bytes));
