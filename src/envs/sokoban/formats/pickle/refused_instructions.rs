//! The names of the instructions that are not carried out, so that a refusal can say which it was.

/// Instructions that a saved environment does not need.
const REFUSED: &[(u8, &str)] = &[
    (b'2', "DUP"),
    (b'F', "FLOAT"),
    (b'I', "INT"),
    (b'L', "LONG"),
    (b'P', "PERSID"),
    (b'Q', "BINPERSID"),
    (b'S', "STRING"),
    (b'V', "UNICODE"),
    (b'd', "DICT"),
    (b'g', "GET"),
    (b'i', "INST"),
    (b'l', "LIST"),
    (b'o', "OBJ"),
    (b'p', "PUT"),
    (0x82, "EXT1"),
    (0x83, "EXT2"),
    (0x84, "EXT4"),
    (0x97, "NEXT_BUFFER"),
    (0x98, "READONLY_BUFFER"),
];

/// What is said of an instruction that is not carried out.
pub(super) fn refusal(code: u8) -> String {
    match REFUSED.iter().find(|row| row.0 == code) {
        Some((_, name)) => {
            format!("the instruction {name} (0x{code:02x}) has no place in a saved environment")
        }
        None => format!("0x{code:02x} is no instruction of a pickle"),
    }
}
