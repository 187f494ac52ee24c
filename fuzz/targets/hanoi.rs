//! Book Hanoi's level files: tables, comments, titles.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mageyard::envs::kind;

fuzz_target!(|bytes: &[u8]| {
    let hanoi = kind("hanoi").expect("it ships");
    mageyard_fuzz::level_file(hanoi, bytes);
});
