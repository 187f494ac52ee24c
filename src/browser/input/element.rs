//! The element that a step is about.

use serde::Deserialize;
use serde_json::json;

use crate::{BrowserError, BrowserFailure, InteractionFault, Page, PageFault, Place};

/// The largest answer of the script.
pub(super) const MOST_BYTES: usize = 4096;

const LOCATE: &str = include_str!("locate.js");

/// What an element is found for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use<'a> {
    /// To press a button of the pointer on it.
    Point,
    /// To move the pointer over it.
    Hover,
    /// To give it the keyboard.
    Focus,
    Clear,
    Submit,
    Scroll,
    /// To type this text into it.
    Type(&'a str),
    /// To choose this option of a list.
    Option(&'a str),
}

impl Use<'_> {
    fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Hover => "hover",
            Self::Focus => "focus",
            Self::Clear => "clear",
            Self::Submit => "submit",
            Self::Scroll => "scroll",
            Self::Type(_) => "type",
            Self::Option(_) => "option",
        }
    }

    fn text(self) -> Option<String> {
        match self {
            Self::Type(text) | Self::Option(text) => Some(text.to_owned()),
            _ => None,
        }
    }
}

/// A prepared element.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Found {
    /// Where to point, in the viewport; only for uses of the pointer.
    #[serde(default)]
    pub(super) at: [i32; 2],
    /// Whether the script did everything.
    #[serde(default)]
    pub(super) done: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Located {
    Found { found: Found },
    Fault { fault: String, detail: String },
}

/// Finds an element and prepares it for its use.
pub(super) async fn prepare(page: &Page, place: &Place, r#use: Use<'_>) -> Result<Found, BrowserError> {
    let order = json!({
        "kind": place.target.kind(),
        "value": place.target.value(),
        "index": place.index,
        "use": r#use.name(),
        "text": r#use.text(),
    });
    let answer = page.value(&format!("({LOCATE})({order})"), MOST_BYTES).await?;
    match serde_json::from_value(answer) {
        Ok(Located::Found { mut found }) => {
            let [x, y] = place.offset.unwrap_or_default();
            found.at = [found.at[0].saturating_add(x), found.at[1].saturating_add(y)];
            Ok(found)
        }
        Ok(Located::Fault { fault, detail }) => {
            let reason = reason(&fault, detail)?;
            Err(PageFault::Interaction { target: place.target.clone(), reason }.into())
        }
        Err(error) => Err(unreadable(error.to_string()).into()),
    }
}

fn reason(name: &str, detail: String) -> Result<InteractionFault, BrowserFailure> {
    Ok(match name {
        "not_found" => InteractionFault::NotFound,
        "invalid_expression" => InteractionFault::InvalidExpression(detail),
        "not_displayed" => InteractionFault::NotDisplayed,
        "hidden" => InteractionFault::Hidden,
        "no_size" => InteractionFault::NoSize,
        "out_of_reach" => InteractionFault::OutOfReach,
        "covered" => InteractionFault::Covered(detail),
        "ignores_pointer" => InteractionFault::IgnoresPointer,
        "not_focusable" => InteractionFault::NotFocusable,
        "no_form" => InteractionFault::NoForm,
        "not_editable" => InteractionFault::NotEditable,
        "not_a_select" => InteractionFault::NotASelect,
        "no_option" => InteractionFault::NoOption(detail),
        "disabled_option" => InteractionFault::DisabledOption,
        other => return Err(unreadable(other.to_owned())),
    })
}

fn unreadable(message: String) -> BrowserFailure {
    BrowserFailure::Refused { method: "Runtime.evaluate".to_owned(), message }
}
