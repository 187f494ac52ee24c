//! How an element is written in one line.

use std::fmt::Write;

use mageyard_domain::sanitize;

use super::ReadElement;

/// The blanks of one level.
const INDENT: &str = "  ";

/// A line such as `  [7] checkbox 'News' checked`.
pub(super) fn written(element: &ReadElement, indent: u32) -> String {
    let ReadElement { number, role, label, value, states, .. } = element;
    let mut line = INDENT.repeat(usize::try_from(indent).unwrap_or(0));
    // Writing into a text does not fail.
    let _ = write!(line, "[{number}] {role} '{}'", one_line(label));
    if let Some(value) = value {
        let _ = write!(line, " value '{}'", one_line(value));
    }
    for state in states {
        line.push(' ');
        line.push_str(state);
    }
    line
}

/// The first line of a page.
pub(super) fn title(title: &str) -> String {
    format!("current web tab name is '{}'", one_line(title))
}

/// A line without a number.
pub(super) fn note(text: &str, indent: u32) -> String {
    format!("{}({})", INDENT.repeat(usize::try_from(indent).unwrap_or(0)), one_line(text))
}

/// A text of a page with visible signs in the places of control characters and marks of the reading order.
pub(super) fn one_line(text: &str) -> String {
    sanitize(text).replace(['\n', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::ElementKind;

    #[test]
    fn a_line_has_the_label_the_value_and_states() {
        let element = ReadElement {
            number: 7,
            kind: ElementKind::Element,
            role: "textbox".into(),
            label: "Na\u{202e}me\u{1b}[31m\nx".into(),
            tag: "input".into(),
            value: Some("a\tb".into()),
            states: vec!["disabled".into(), "required".into()],
            rect: [0.0; 4],
            acts: true,
            depth: 0,
            frame: 0,
            key: 0,
        };
        let line = "    [7] textbox 'Na⟨U+202E⟩me␛[31m x' value 'a b' disabled required";
        assert_eq!(written(&element, 2), line);
        assert_eq!(title("a\u{2028}b"), "current web tab name is 'a⟨U+2028⟩b'");
    }
}
