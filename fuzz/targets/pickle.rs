//! MageBench level files: pickled environments.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| mageyard_fuzz::check_level_import("magebench", bytes));
