//! What `send_keys` types: texts and keys.

use mageyard_browser::{Place, Step};
use mageyard_kit::Expression;

/// Keys by their names in the class `Keys`, with their names in a page.
const KEYS: [(&str, &str); 20] = [
    ("ENTER", "Enter"),
    ("RETURN", "Enter"),
    ("TAB", "Tab"),
    ("ESCAPE", "Escape"),
    ("BACKSPACE", "Backspace"),
    ("BACK_SPACE", "Backspace"),
    ("DELETE", "Delete"),
    ("SPACE", " "),
    ("HOME", "Home"),
    ("END", "End"),
    ("PAGE_UP", "PageUp"),
    ("PAGE_DOWN", "PageDown"),
    ("ARROW_UP", "ArrowUp"),
    ("UP", "ArrowUp"),
    ("ARROW_DOWN", "ArrowDown"),
    ("DOWN", "ArrowDown"),
    ("ARROW_LEFT", "ArrowLeft"),
    ("LEFT", "ArrowLeft"),
    ("ARROW_RIGHT", "ArrowRight"),
    ("RIGHT", "ArrowRight"),
];
/// Keys that are held down for the rest of a call.
const MODIFIERS: [(&str, &str); 4] =
    [("CONTROL", "Control"), ("SHIFT", "Shift"), ("ALT", "Alt"), ("META", "Meta")];

/// The steps of a call `send_keys(…)`, with the element that gets them, or with the focus.
pub(super) fn typed(
    arguments: &[(Option<String>, Expression)],
    into: Option<Place>,
) -> Result<Vec<Step>, String> {
    let mut typing = Typing { steps: Vec::new(), into, held: String::new() };
    for (keyword, argument) in arguments {
        if let Some(keyword) = keyword {
            return Err(format!("send_keys has no argument {keyword}"));
        }
        typing.part(argument)?;
    }
    if typing.steps.is_empty() { Err("send_keys types nothing".into()) } else { Ok(typing.steps) }
}

struct Typing {
    steps: Vec<Step>,
    /// Where the first step goes; the others go to the focus, as with real keys.
    into: Option<Place>,
    /// The modifiers that are held, each with a plus.
    held: String,
}

impl Typing {
    fn part(&mut self, part: &Expression) -> Result<(), String> {
        match part {
            Expression::Sum(left, right) => {
                self.part(left)?;
                self.part(right)
            }
            Expression::Text(text) => self.text(text.clone()),
            Expression::Number(number) => self.text(number.to_string()),
            Expression::Attribute(class, name) if **class == Expression::Name("Keys".into()) => {
                self.key(name)
            }
            _ => Err(format!("{part} is not a text or a key; only those are typed")),
        }
    }

    fn text(&mut self, text: String) -> Result<(), String> {
        if self.held.is_empty() {
            let into = self.into.take();
            self.steps.extend((!text.is_empty()).then_some(Step::Type { into, text }));
            return Ok(());
        }
        match text.chars().count() {
            1 => {
                self.press(&text);
                Ok(())
            }
            _ => Err(format!("{text:?} is typed with {} held; only one character is", self.held)),
        }
    }

    fn key(&mut self, name: &str) -> Result<(), String> {
        if let Some((_, held)) = MODIFIERS.iter().find(|(key, _)| *key == name.trim_start_matches("LEFT_")) {
            self.held.push_str(held);
            self.held.push('+');
            return Ok(());
        }
        let (_, key) = KEYS
            .iter()
            .find(|(key, _)| *key == name)
            .ok_or_else(|| format!("Keys.{name} is not known here"))?;
        self.press(key);
        Ok(())
    }

    fn press(&mut self, key: &str) {
        let key = format!("{}{key}", self.held);
        self.steps.push(Step::Press { key, on: self.into.take() });
    }
}
