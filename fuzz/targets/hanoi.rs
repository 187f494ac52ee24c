//! Book Hanoi level files: tables, comments, titles.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mageyard::envs::environment;

fuzz_target!(|bytes: &[u8]| {
    let hanoi = environment("hanoi").expect("it is shipped");
    mageyard_fuzz::check_level_file(hanoi, bytes);
});
