//! gym-sokoban's arrays as JSON, and whatever else of the formats of other programs a text looks like.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| mageyard_fuzz::format_file("gym", bytes));
