//! The keyboard: keys go down and up, one by one.

use serde_json::{Value, json};

use super::key_codes::{Key, key, modifier};
use crate::{BrowserError, InteractionFault, Page, PageFault, Target};

/// Types text at whatever has the focus.
pub(super) async fn type_text(page: &Page, text: &str) -> Result<(), BrowserError> {
    for character in text.chars() {
        let name = match character {
            '\n' | '\r' => "Enter".to_owned(),
            '\t' => "Tab".to_owned(),
            character => character.to_string(),
        };
        let key = key(&name).unwrap_or_else(|| Key::of_character(character));
        dispatch(page, stroke(&key, 0)).await?;
    }
    Ok(())
}

/// Presses and releases a key, given by its name with modifiers in front.
pub(super) async fn press(page: &Page, keys: &str) -> Result<(), BrowserError> {
    let unknown = || {
        let reason = InteractionFault::InvalidExpression(format!("there is no key {keys:?}"));
        PageFault::Interaction { target: Target::Css(":focus".to_owned()), reason }
    };
    dispatch(page, events(keys).ok_or_else(unknown)?).await
}

async fn dispatch(page: &Page, events: impl IntoIterator<Item = Value>) -> Result<(), BrowserError> {
    for params in events {
        page.call("Input.dispatchKeyEvent", params).await?;
    }
    Ok(())
}

/// The events of pressing and releasing a key, given by its name with modifiers in front; `None` if there is no such
/// key.
pub(crate) fn events(keys: &str) -> Option<Vec<Value>> {
    let (held, last) = split(keys);
    let held: Vec<_> = held.iter().map(|name| modifier(name)).collect::<Option<_>>()?;
    let mut characters = last.chars();
    let single = characters.next().filter(|_| characters.next().is_none());
    let last = key(last).or_else(|| single.map(Key::of_character))?;
    let mut events = Vec::new();
    let mut bits = 0;
    for (key, bit) in &held {
        bits |= bit;
        events.push(event("rawKeyDown", key, bits, false));
    }
    events.extend(stroke(&last, bits));
    for (key, bit) in held.iter().rev() {
        bits &= !bit;
        events.push(event("keyUp", key, bits, false));
    }
    Some(events)
}

/// The modifiers and the key; a plus sign at the end is the key.
fn split(keys: &str) -> (Vec<&str>, &str) {
    let cut = keys.trim_end_matches('+').rfind('+').filter(|_| keys.len() > 1);
    let plus = keys.strip_suffix("++");
    match (plus, cut) {
        (Some(held), _) => (held.split('+').collect(), "+"),
        (None, Some(at)) => (keys[..at].split('+').collect(), &keys[at + 1..]),
        (None, None) => (Vec::new(), keys),
    }
}

/// With Control, Alt or Meta held a key types nothing.
fn stroke(key: &Key, bits: u8) -> [Value; 2] {
    let types = bits & !8 == 0;
    let down = if types && key.text.is_some() { "keyDown" } else { "rawKeyDown" };
    [event(down, key, bits, types), event("keyUp", key, bits, false)]
}

fn event(kind: &str, key: &Key, bits: u8, types: bool) -> Value {
    let mut params = json!({
        "type": kind,
        "key": key.name,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
        "modifiers": bits | if key.shifted { 8 } else { 0 },
    });
    if let Some(text) = key.text.as_deref().filter(|_| types) {
        params["text"] = Value::from(text);
    }
    if bits & 2 != 0 && key.name.eq_ignore_ascii_case("a") && kind == "rawKeyDown" {
        params["commands"] = json!(["selectAll"]);
    }
    params
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn modifiers_stand_in_front_of_the_key() {
        assert_eq!(split("a"), (vec![], "a"));
        assert_eq!(split("+"), (vec![], "+"));
        assert_eq!(split("Control+a"), (vec!["Control"], "a"));
        assert_eq!(split("Control+Shift+ArrowLeft"), (vec!["Control", "Shift"], "ArrowLeft"));
        assert_eq!(split("Control++"), (vec!["Control"], "+"));
    }
}
