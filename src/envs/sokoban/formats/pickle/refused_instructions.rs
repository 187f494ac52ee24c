//! The names of the instructions that are not supported, for error messages.

/// Instructions that saved environments do not need.
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

/// The error for an instruction that is not supported.
pub(super) fn refusal(code: u8) -> String {
    match REFUSED.iter().find(|row| row.0 == code) {
        Some((_, name)) => {
            format!("the instruction {name} (0x{code:02x}) is not supported")
        }
        None => format!("0x{code:02x} is not a pickle instruction"),
    }
}
