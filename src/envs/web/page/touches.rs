//! What a person does in the window of the browser: a function listens in each document, and sends what was touched.

use serde::Deserialize;
use serde_json::{Value, json};

use super::ReferencePath;
use super::locate::Located;
use super::script;
use crate::facts::ChosenElement;

/// The source of the function that listens. It is called with [`touch_argument`] and with a function that sends a text,
/// which [`read_touch`] reads.
pub const TOUCHES: &str = script::TOUCHES;

/// What the function is called with: the references of a task that are looked for when something is touched.
pub fn touch_argument(paths: &[ReferencePath]) -> Value {
    let paths: Vec<_> = paths.iter().map(ReferencePath::argument).collect();
    json!({ "paths": paths })
}

/// What a person did to an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// The verb of the action that does the same.
    pub verb: TouchVerb,
    /// The text that is in the field now, or of the option that was chosen.
    pub text: Option<String>,
    /// The innermost element that was touched, without a number. Its rectangle is in the viewport of its frame.
    pub element: ChosenElement,
}

/// How an element was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TouchVerb {
    /// It was clicked, or pressed by a key.
    Click,
    /// A text was typed, pasted or picked.
    FillForm,
    /// An option was chosen.
    SelectOption,
    /// A field was reached by the Tab key.
    Focus,
}

impl TouchVerb {
    /// The verb in facts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::FillForm => "fill_form",
            Self::SelectOption => "select_option",
            Self::Focus => "focus",
        }
    }
}

#[derive(Deserialize)]
struct Sent {
    verb: TouchVerb,
    text: Option<String>,
    /// Whether the text was too long to be sent.
    cut: bool,
    role: String,
    label: String,
    element: Located,
}

/// What was sent.
///
/// # Errors
/// The text cannot be read, or what was typed is too long to be compared.
pub fn read_touch(text: &str) -> Result<Touch, String> {
    let sent: Sent = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if sent.cut {
        return Err("what was typed is too long".to_owned());
    }
    let element = sent.element.chosen(0, sent.role, sent.label, [0.0; 2]);
    Ok(Touch { verb: sent.verb, text: sent.text, element })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Relation;

    fn sent(cut: bool) -> String {
        json!({
            "verb": "fill_form", "text": "two words", "cut": cut, "role": "textbox", "label": "",
            "element": {
                "tag": "input", "css": "#name", "codeCss": null, "xpath": "/html/body[1]/input[1]",
                "rect": [1.0, 2.0, 3.0, 4.0], "document": "http://forms.test/",
                "paths": [{ "path": "label", "tag": "label", "relation": "operated", "code": null }],
            },
        })
        .to_string()
    }

    #[test]
    fn what_was_sent_is_read() {
        let touch = read_touch(&sent(false)).unwrap();
        assert_eq!((touch.verb.name(), touch.text.as_deref()), ("fill_form", Some("two words")));
        let element = touch.element;
        assert_eq!((element.number, element.css.as_deref()), (0, Some("#name")));
        assert_eq!(element.paths[0].relation, Some(Relation::Operated));
        assert!(read_touch(&sent(true)).unwrap_err().contains("too long"));
        for wrong in ["", "{}", &sent(false).replace("fill_form", "run")] {
            assert!(read_touch(wrong).is_err(), "{wrong}");
        }
    }
}
