//! What a person did in the window of the browser, as acts that nodes are compared with.

use mageyard_browser::web::{PageListener, PageReport, WebSession};
use mageyard_domain::sanitize;

use crate::facts::ActFacts;
use crate::nodes::quoted;
use crate::options::WebOptions;
use crate::page::{TOUCHES, Touch, TouchVerb, read_touch, touch_argument};
use crate::task::Task;

/// What listens in the pages of a task: only a browser with a window has someone who can touch them.
pub(super) fn listener(task: &Task, options: &WebOptions) -> Option<PageListener> {
    let listener = || PageListener { function: TOUCHES, argument: touch_argument(&task.references()) };
    options.window.then(listener)
}

/// What was touched since the last call.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// The acts, oldest first.
    pub(super) acts: Vec<ActFacts>,
    /// How many more there were, whose reports were too long or too many.
    pub(super) left_out: u64,
}

impl Touched {
    /// That not all of it could be recorded, if that is so.
    pub(super) fn fault(&self) -> Option<String> {
        let left_out = self.left_out;
        (left_out > 0).then(|| format!("what was done in the window, {left_out} reports"))
    }

    /// What a person did, in words; `None` if it was nothing.
    pub(super) fn note(&self) -> Option<String> {
        let mut said: Vec<String> = self.acts.iter().map(words).collect();
        if self.left_out > 0 {
            said.push(format!("{} more that could not be recorded", self.left_out));
        }
        (!said.is_empty()).then(|| format!("done in the window: {}", said.join(", ")))
    }
}

/// An act in words, such as `click link "More"`.
fn words(act: &ActFacts) -> String {
    let what = act.element.as_ref().map_or_else(String::new, |element| {
        let role = if element.role.is_empty() { &element.tag } else { &element.role };
        format!(" {} {}", sanitize(role), quoted(&element.label))
    });
    let text = act.text.as_ref().map_or_else(String::new, |text| format!(" with {}", quoted(text)));
    format!("{}{what}{text}", act.verb)
}

/// Takes what was touched in the window; the current tab is at `address` now.
pub(super) fn take(session: &WebSession, address: &str) -> Touched {
    let (reports, left_out) = session.take_reports();
    touched(&reports, left_out, address)
}

fn touched(reports: &[PageReport], left_out: u64, address: &str) -> Touched {
    let mut touched = Touched { acts: Vec::new(), left_out };
    for report in reports {
        match read_touch(&report.text) {
            Ok(touch) => add(&mut touched.acts, touch, &report.address),
            Err(_) => touched.left_out += 1,
        }
    }
    // The page after an act is that of the next one, at last the present one.
    let mut after = address.to_owned();
    for act in touched.acts.iter_mut().rev() {
        act.after = std::mem::replace(&mut after, act.before.clone());
    }
    touched
}

fn add(acts: &mut Vec<ActFacts>, touch: Touch, address: &str) {
    let Touch { verb, text, element } = touch;
    // Each key changes the text of a field: only the last one counts.
    if verb == TouchVerb::FillForm
        && let Some(last) = acts.last_mut()
        && last.verb == verb.name()
        && last.before == address
        && last.element.as_ref().is_some_and(|last| {
            last.xpath == element.xpath && last.css == element.css && last.document == element.document
        })
    {
        last.text = text;
        return;
    }
    acts.push(ActFacts {
        before: address.to_owned(),
        after: String::new(),
        verb: verb.name().to_owned(),
        element: Some(element),
        text,
        done: true,
        in_window: true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report(address: &str, verb: &str, id: &str, text: Option<&str>) -> PageReport {
        let element = json!({
            "tag": "input", "css": format!("#{id}"), "codeCss": null, "xpath": format!("/html/body[1]/{id}[1]"),
            "rect": [0.0, 0.0, 1.0, 1.0], "document": address, "paths": [],
        });
        let text = json!({
            "verb": verb, "text": text, "cut": false, "role": "textbox", "label": "Name", "element": element,
        });
        PageReport { tab: 1, address: address.to_owned(), text: text.to_string() }
    }

    #[test]
    fn a_text_counts_once_and_pages_follow_each_other() {
        let reports = [
            report("http://a.test/1", "click", "name", None),
            report("http://a.test/1", "fill_form", "name", Some("t")),
            report("http://a.test/1", "fill_form", "name", Some("to")),
            report("http://a.test/1", "fill_form", "city", Some("p")),
            PageReport { text: "forged".to_owned(), ..report("http://a.test/1", "click", "name", None) },
            report("http://a.test/2", "select_option", "size", Some("Large")),
        ];
        let Touched { acts, left_out } = touched(&reports, 2, "http://a.test/3");
        let shown: Vec<_> = acts
            .iter()
            .map(|act| (act.verb.as_str(), act.text.as_deref(), act.before.as_str(), act.after.as_str()))
            .collect();
        let [one, two, three] = ["http://a.test/1", "http://a.test/2", "http://a.test/3"];
        assert_eq!(
            shown,
            [
                ("click", None, one, one),
                ("fill_form", Some("to"), one, one),
                ("fill_form", Some("p"), one, two),
                ("select_option", Some("Large"), two, three),
            ]
        );
        assert!(acts.iter().all(|act| act.in_window && act.done));
        assert_eq!(left_out, 3, "two by the browser and one that cannot be read");
        let note = Touched { acts: acts[..2].to_vec(), left_out }.note().unwrap();
        assert_eq!(
            note,
            "done in the window: click textbox \"Name\", fill_form textbox \"Name\" with \"to\", \
             3 more that could not be recorded"
        );
        assert_eq!((Touched::default().note(), Touched::default().fault()), (None, None));
        let fault = Touched { acts: Vec::new(), left_out }.fault();
        assert_eq!(fault.as_deref(), Some("what was done in the window, 3 reports"));
    }
}
