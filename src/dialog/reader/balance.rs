//! Whether a code is complete so far: an open HTML element, bracket, comment or template shows that a fence in it does not
//! end it.

/// HTML elements whose end must follow.
const ELEMENTS: [&str; 7] = ["html", "body", "pre", "code", "textarea", "script", "style"];

/// What is open in a code, line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Balance {
    /// Whether the code is markup: its first character is `<`. `None` while it is empty.
    is_markup: Option<bool>,
    /// Open elements, of each kind.
    elements: [i64; ELEMENTS.len()],
    brackets: i64,
    comments: i64,
    backticks: usize,
}

impl Balance {
    /// Adds a line of the code.
    pub(super) fn push(&mut self, line: &str) {
        if self.is_markup.is_none() && !line.trim().is_empty() {
            self.is_markup = Some(line.trim_start().starts_with('<'));
        }
        if self.is_markup == Some(true) {
            self.push_tags(&line.to_ascii_lowercase());
            return;
        }
        let count = |text: &str| i64::try_from(line.matches(text).count()).unwrap_or(i64::MAX);
        self.brackets = self.brackets.saturating_add(count("{")).saturating_sub(count("}"));
        self.comments = self.comments.saturating_add(count("/*")).saturating_sub(count("*/"));
        self.backticks += line.matches('`').count();
    }

    fn push_tags(&mut self, line: &str) {
        for tag in line.split('<').skip(1) {
            let (name, change) = tag.strip_prefix('/').map_or((tag, 1), |name| (name, -1));
            let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
            if let Some(index) = ELEMENTS.iter().position(|element| *element == &name[..end]) {
                self.elements[index] += change;
            }
        }
    }

    /// Whether something is open.
    pub(super) fn is_open(&self) -> bool {
        self.elements.iter().any(|open| *open > 0)
            || self.brackets > 0
            || self.comments > 0
            || self.backticks % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_open(code: &str) -> bool {
        let mut balance = Balance::default();
        code.lines().for_each(|line| balance.push(line));
        balance.is_open()
    }

    #[test]
    fn what_has_no_end_is_open() {
        for code in [
            "<html>\n<body>",
            "<pre class=\"a\">",
            "<!DOCTYPE html>\n<HTML><body><pre>",
            "a {\n  color: red;",
            "/* a",
            "const text = `",
        ] {
            assert!(is_open(code), "{code}");
        }
        for code in ["", "<h1>Hi", "<pre>a</pre>", "<p>{ `", "a { }", "/* a */", "const text = `a`", "}"] {
            assert!(!is_open(code), "{code}");
        }
    }
}
