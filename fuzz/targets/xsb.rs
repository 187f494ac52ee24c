//! Sokoban level files: boards, comments, titles, metadata.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mageyard::envs::sokoban::Sokoban;

fuzz_target!(|bytes: &[u8]| mageyard_fuzz::check_level_file(&Sokoban, bytes));
