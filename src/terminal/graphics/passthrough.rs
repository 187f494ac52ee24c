//! Sequences through tmux to the terminal outside of it.

/// Wraps sequences so that tmux hands them on, which it does while its option `allow-passthrough` is on.
pub(crate) fn wrap(sequences: &str) -> String {
    format!("\x1bPtmux;{}\x1b\\", sequences.replace('\x1b', "\x1b\x1b"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_doubled() {
        assert_eq!(wrap("\x1b_Ga=q;\x1b\\"), "\x1bPtmux;\x1b\x1b_Ga=q;\x1b\x1b\\\x1b\\");
    }
}
