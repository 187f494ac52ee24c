//! The actions of section 4: eight of the paper (table 7), two of the released code, and three that complete them. They are the
//! same in every state: an element is a number of the observation.

use super::options::ActionSet;
use mageyard_domain::{Action, ActionSpace, ActionSpec, Arg, ParamKind, ParamSpec};

/// What an action does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Goto(String),
    Search(String),
    Click(u32),
    Hover(u32),
    Fill { number: u32, text: String, enter: bool },
    Select { number: u32, option: String },
    SwitchTab(u32),
    GoBack,
    Scroll { down: bool },
    Keep(String),
    Answer(String),
}

pub(crate) const GOTO: &str = "goto";
pub(crate) const GOOGLE_SEARCH: &str = "google_search";
pub(crate) const CLICK: &str = "click";
pub(crate) const HOVER: &str = "hover";
pub(crate) const FILL_FORM: &str = "fill_form";
pub(crate) const FILL_SEARCH: &str = "fill_search";
pub(crate) const SELECT_OPTION: &str = "select_option";
pub(crate) const SWITCH_TAB: &str = "switch_tab";
pub(crate) const GO_BACK: &str = "go_back";
pub(crate) const SCROLL_DOWN: &str = "scroll_down";
pub(crate) const SCROLL_UP: &str = "scroll_up";
pub(crate) const CACHE_DATA: &str = "cache_data";
pub(crate) const FINAL_ANSWER: &str = "get_final_answer";

/// The parameter with the number of an element.
pub(crate) const ID: &str = "id";
pub(crate) const TEXT: &str = "text";
pub(crate) const OPTION: &str = "option";
pub(crate) const URL: &str = "url";
pub(crate) const TAB: &str = "tab";

/// The largest number that can be written for an element.
const MOST_ELEMENTS: f64 = 1_000_000.0;
/// The most tabs.
const MOST_TABS: f64 = 20.0;

/// The actions of table 7 of the paper.
const PAPER: &[&str] = &[GOTO, GOOGLE_SEARCH, CLICK, HOVER, FILL_FORM, FILL_SEARCH, SWITCH_TAB, GO_BACK];
/// The actions that the prompt of the released code announces.
const CODE: &[&str] =
    &[GOTO, FILL_FORM, GOOGLE_SEARCH, CLICK, SELECT_OPTION, GO_BACK, CACHE_DATA, FINAL_ANSWER];

/// All actions.
pub fn action_space() -> ActionSpace {
    space(ActionSet::All)
}

/// The actions of this set.
pub(crate) fn space(set: ActionSet) -> ActionSpace {
    let names = match set {
        ActionSet::All => None,
        ActionSet::Paper => Some(PAPER),
        ActionSet::Code => Some(CODE),
    };
    all().into_iter().filter(|spec| names.is_none_or(|names| names.contains(&spec.name.as_str()))).collect()
}

fn all() -> Vec<ActionSpec> {
    let number = |name: &str, help: &str, max| {
        ParamSpec::new(name, help, ParamKind::Number { min: 1.0, max, integer: true })
    };
    let element = || number(ID, "the number of the element", MOST_ELEMENTS);
    let text = |name: &str, help: &str| ParamSpec::new(name, help, ParamKind::text());
    vec![
        ActionSpec::new(GOTO, "open an address in the current tab").with_param(text(URL, "the address")),
        ActionSpec::new(GOOGLE_SEARCH, "open the search page with a text")
            .with_param(text(TEXT, "what is searched")),
        ActionSpec::new(CLICK, "click on an element").with_param(element()),
        ActionSpec::new(HOVER, "move the mouse onto an element").with_param(element()),
        ActionSpec::new(FILL_FORM, "replace the text of a field")
            .with_param(element())
            .with_param(text(TEXT, "the new text")),
        ActionSpec::new(FILL_SEARCH, "replace the text of a field and press Enter")
            .with_param(element())
            .with_param(text(TEXT, "the new text")),
        ActionSpec::new(SELECT_OPTION, "choose an option of a list")
            .with_param(element())
            .with_param(text(OPTION, "the text of the option")),
        ActionSpec::new(SWITCH_TAB, "make another tab the current one").with_param(number(
            TAB,
            "the number of the tab",
            MOST_TABS,
        )),
        ActionSpec::new(GO_BACK, "go back to the page before"),
        ActionSpec::new(SCROLL_DOWN, "scroll down"),
        ActionSpec::new(SCROLL_UP, "scroll up"),
        ActionSpec::new(CACHE_DATA, "keep a text that the task needs later")
            .with_param(text(TEXT, "what is kept")),
        ActionSpec::new(FINAL_ANSWER, "end the task with an answer")
            .with_param(text(TEXT, "the answer, which may be empty")),
    ]
}

/// What this action of the space does; `None` for any other.
pub(crate) fn read(action: &Action) -> Option<Act> {
    let text = |name: &str| match action.args.get(name) {
        Some(Arg::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let number = |name: &str| match action.args.get(name) {
        Some(Arg::Number(number)) => number.as_integer().and_then(|number| u32::try_from(number).ok()),
        _ => None,
    };
    Some(match action.name.as_str() {
        GOTO => Act::Goto(text(URL)?),
        GOOGLE_SEARCH => Act::Search(text(TEXT)?),
        CLICK => Act::Click(number(ID)?),
        HOVER => Act::Hover(number(ID)?),
        FILL_FORM => Act::Fill { number: number(ID)?, text: text(TEXT)?, enter: false },
        FILL_SEARCH => Act::Fill { number: number(ID)?, text: text(TEXT)?, enter: true },
        SELECT_OPTION => Act::Select { number: number(ID)?, option: text(OPTION)? },
        SWITCH_TAB => Act::SwitchTab(number(TAB)?),
        GO_BACK => Act::GoBack,
        SCROLL_DOWN => Act::Scroll { down: true },
        SCROLL_UP => Act::Scroll { down: false },
        CACHE_DATA => Act::Keep(text(TEXT)?),
        FINAL_ANSWER => Act::Answer(text(TEXT)?),
        _ => return None,
    })
}

impl Act {
    /// The text that it types, chooses, opens, keeps or answers.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Fill { text, .. } | Self::Search(text) | Self::Keep(text) | Self::Answer(text) => {
                Some(text)
            }
            Self::Select { option, .. } => Some(option),
            Self::Goto(url) => Some(url),
            _ => None,
        }
    }
}

/// This action on this element.
pub(crate) fn on_element(name: &str, number: u32) -> Action {
    let number = mageyard_domain::Number::new(f64::from(number));
    number.into_iter().fold(Action::plain(name), |action, number| action.with(ID, Arg::Number(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_of_the_space_is_read() {
        for spec in action_space().specs() {
            assert!(read(&spec.example()).is_some(), "{}", spec.name);
        }
        assert_eq!(read(&Action::plain("close")), None);
    }

    #[test]
    fn the_paper_and_the_code_have_eight_actions_each() {
        assert_eq!(action_space().specs().len(), 13);
        assert_eq!(space(ActionSet::Paper).names().len(), 8);
        assert_eq!(space(ActionSet::Code).names().len(), 8);
    }
}
