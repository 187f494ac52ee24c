//! Splits a list of actions in written form.

use std::ops::Range;

/// The members of a list, separated by these characters. With `calls`, a separator between the parentheses of a call,
/// or in a string there, does not count. Parsing takes linear time.
pub fn split_list(text: &str, separators: &[char], calls: bool) -> Vec<Range<usize>> {
    let mut members = Vec::new();
    let mut start = 0;
    let mut nesting = Nesting::default();
    for (at, sign) in text.char_indices() {
        if calls && !nesting.is_outside(sign) || !separators.contains(&sign) {
            continue;
        }
        members.push(start..at);
        start = at + sign.len_utf8();
    }
    members.push(start..text.len());
    members
}

/// Where a character is: outside all parentheses, inside some, or in a string inside them.
#[derive(Default)]
struct Nesting {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Nesting {
    /// Takes the next character; whether it is outside all parentheses.
    fn is_outside(&mut self, sign: char) -> bool {
        let escaped = std::mem::take(&mut self.escaped);
        match sign {
            '"' if self.depth > 0 && !escaped => self.in_string = !self.in_string,
            '\\' if self.in_string => self.escaped = !escaped,
            '(' if !self.in_string => self.depth += 1,
            ')' if !self.in_string => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.depth == 0
    }
}
