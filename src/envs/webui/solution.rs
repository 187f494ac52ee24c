//! The solution of a task: the files of its target, without annotations.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::files::{FileKind, Files, KINDS};
use super::task::Task;

/// The names of the annotations, without `data-`.
const ANNOTATIONS: [&str; 2] = ["evalby", "filter-by"];
/// The same as properties of `dataset`.
const PROPERTIES: [(&str, &str); 2] = [("dataset.evalby", "dataset.e"), ("dataset.filterBy", "dataset.f")];

/// The media type of a stored solution. It is not a text, so no request has it.
pub(super) const SOLUTION_MEDIA: &str = "application/vnd.mageyard.webui-solution";

/// A stored solution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Solution {
    html: Option<Arc<str>>,
    css: Option<Arc<str>>,
    js: Option<Arc<str>>,
}

impl Solution {
    /// The files of a target without annotations.
    pub(super) fn of_task(task: &Task) -> Self {
        let [html, css, js] = KINDS.map(|kind: FileKind| {
            let text = task.file(kind.name).and_then(|file| file.text())?;
            Some(without_annotations(text).into())
        });
        Self { html, css, js }
    }

    /// As the files that an agent writes.
    pub(super) fn files(&self) -> Files {
        Files::new([self.html.clone(), self.css.clone(), self.js.clone()])
    }
}

/// The text of a page, a style sheet or a script without annotations: attributes are left out, and where a script sets
/// one, its name is replaced.
pub(super) fn without_annotations(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, name)) = next_annotation(rest) {
        let before = &rest[..at];
        let after = &rest[at + name.len()..];
        match attribute_value(after) {
            Some(length) if before.ends_with(char::is_whitespace) => {
                kept.push_str(before.trim_end_matches([' ', '\t']));
                rest = &after[length..];
            }
            _ => {
                kept.push_str(before);
                kept.push_str("data-x");
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    PROPERTIES.iter().fold(kept, |text, (name, other)| text.replace(name, other))
}

/// The first name of an annotation and its place.
fn next_annotation(text: &str) -> Option<(usize, &str)> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find("data-")?;
        let found = |name: &&&str| text[at + 5..].get(..name.len());
        let fits = |name: &&&str| found(name).is_some_and(|found| found.eq_ignore_ascii_case(name));
        if let Some(name) = ANNOTATIONS.iter().find(fits) {
            let end = at + 5 + name.len();
            return Some((at, &text[at..end]));
        }
        from = at + 5;
    }
}

/// The length of `="value"` at the beginning of a text, with any quotes, which may be escaped; `None` if it is not there.
fn attribute_value(text: &str) -> Option<usize> {
    let value = text.trim_start().strip_prefix('=')?.trim_start();
    let escapes = value.len() - value.trim_start_matches('\\').len();
    let quote = value[escapes..].chars().next().filter(|c| ['"', '\''].contains(c))?;
    let close = format!("{}{quote}", &value[..escapes]);
    let inner = &value[close.len()..];
    let end = inner.find(&close)?;
    Some(text.len() - inner.len() + end + close.len())
}

#[cfg(test)]
mod tests {
    use super::super::task::levels;
    use super::super::task::testing::COUNTER;
    use super::*;

    #[test]
    fn annotations_are_left_out_and_nothing_else() {
        for (text, expected) in [
            (r#"<p class="a" data-filter-by="text" data-evalby="text|color">x</p>"#, r#"<p class="a">x</p>"#),
            ("<p data-evalby='a'\n  data-filter-by = 'b' id=c>", "<p\n id=c>"),
            (r#"e.innerHTML = "<i data-evalby=\"a|b\" id=\"c\">";"#, r#"e.innerHTML = "<i id=\"c\">";"#),
            ("`<b data-EVALBY=\"x\">`", "`<b>`"),
            (
                "e.setAttribute('data-evalby', 'a'); e.dataset.filterBy = 'b';",
                "e.setAttribute('data-x', 'a'); e.dataset.f = 'b';",
            ),
            ("data-other=\"1\" data-evalby", "data-other=\"1\" data-x"),
        ] {
            assert_eq!(without_annotations(text), expected);
        }
    }

    #[test]
    fn the_solution_has_the_written_files() {
        let task = Task::of_level(&levels(COUNTER).unwrap()[0]).unwrap();
        let solution = Solution::of_task(&task);
        let files = solution.files();
        assert_eq!(files.written().count(), 3);
        assert!(files.written().all(|(_, text)| !text.contains("data-evalby")));
        let stored = serde_json::to_string(&solution).unwrap();
        assert_eq!(serde_json::from_str::<Solution>(&stored).unwrap(), solution);
    }
}
