//! Servers with a model that really reads what it is sent: it writes words, remembers earlier turns, obeys the system
//! turn and names the colours of images. Some of them drop a part of a request without saying so.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Behavior;

/// One turn as the model receives it.
struct Turn {
    role: String,
    text: String,
    images: Vec<Vec<[u8; 3]>>,
}

/// The reply of a model that reads; `None` for the other servers and for other requests.
pub(super) fn reply(behavior: Behavior, request: &Value) -> Option<String> {
    let turns = received(behavior, request)?;
    let last = turns.last().filter(|turn| turn.role == "user")?;
    let users = || turns.iter().filter(|turn| turn.role == "user");
    let text = if let Some(word) = after(&last.text, "Write only this word: ") {
        word
    } else if last.text.contains("Which word did I ask you to remember?") {
        users().find_map(|turn| after(&turn.text, "Remember this word: ")).unwrap_or("none".to_owned())
    } else if let Some(word) = after(&last.text, "Tell me the word ") {
        match request["response_format"]["type"].as_str() {
            Some("json_schema") if behavior != Behavior::NoSchema => json!({"word": word}).to_string(),
            _ => format!("The word is {word}."),
        }
    } else if last.images.is_empty() {
        return None;
    } else {
        last.images.iter().flatten().map(|color| name(*color)).collect::<Vec<_>>().join(", ")
    };
    let mut system = turns.iter().filter(|turn| turn.role == "system");
    let ending = system.find_map(|turn| after(&turn.text, "End every reply with the word "));
    Some(ending.map_or(text.clone(), |ending| format!("{text} {ending}")))
}

/// The tokens of a request as the model receives it: a quarter of the characters and 80 for an image.
pub(super) fn usage(behavior: Behavior, request: &Value) -> Option<Value> {
    let turns = received(behavior, request)?;
    let tokens = turns.iter().map(|turn| turn.text.len() / 4 + 80 * turn.images.len()).sum::<usize>();
    Some(json!({"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}))
}

/// The turns without what the server drops.
fn received(behavior: Behavior, request: &Value) -> Option<Vec<Turn>> {
    let reads = [
        Behavior::Seeing,
        Behavior::DropsLists,
        Behavior::DropsImages,
        Behavior::DropsSystem,
        Behavior::Forgetful,
        Behavior::NoSchema,
        Behavior::StringsOnly,
        Behavior::NoSampling,
    ];
    if !reads.contains(&behavior) {
        return None;
    }
    let mut turns: Vec<Turn> =
        request["messages"].as_array()?.iter().map(|turn| read(behavior, turn)).collect();
    match behavior {
        Behavior::DropsSystem => turns.retain(|turn| turn.role != "system"),
        Behavior::Forgetful => turns = turns.pop().into_iter().collect(),
        _ => {}
    }
    Some(turns)
}

fn read(behavior: Behavior, turn: &Value) -> Turn {
    let role = turn["role"].as_str().unwrap_or_default().to_owned();
    let parts = match &turn["content"] {
        Value::String(text) => return Turn { role, text: text.clone(), images: vec![] },
        Value::Array(_) if behavior == Behavior::DropsLists => &[],
        parts => parts.as_array().map_or(&[][..], Vec::as_slice),
    };
    let text = parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n");
    let urls = parts.iter().filter_map(|part| part["image_url"]["url"].as_str());
    let images = urls.filter(|_| behavior != Behavior::DropsImages).map(colors).collect();
    Turn { role, text, images }
}

/// The colours in the middle of the quarters of an image, one if all are the same.
fn colors(url: &str) -> Vec<[u8; 3]> {
    let (_, data) = url.split_once(";base64,").unwrap();
    let image = image::load_from_memory(&STANDARD.decode(data).unwrap()).unwrap().to_rgb8();
    let (width, height) = image.dimensions();
    let places = [(1, 1), (3, 1), (1, 3), (3, 3)];
    let mut colors: Vec<[u8; 3]> =
        places.iter().map(|(x, y)| image.get_pixel(x * width / 4, y * height / 4).0).collect();
    colors.dedup();
    colors
}

fn name([red, green, blue]: [u8; 3]) -> &'static str {
    match (red > 128, green > 200, green > 100, blue > 128) {
        (true, true, _, true) => "white",
        (true, true, _, false) => "yellow",
        (true, false, true, false) => "orange",
        (true, false, false, true) => "purple",
        (true, false, false, false) => "red",
        (false, _, true, false) => "green",
        (false, _, _, true) => "blue",
        _ => "black",
    }
}

fn after(text: &str, start: &str) -> Option<String> {
    let rest = &text[text.find(start)? + start.len()..];
    Some(rest.chars().take_while(|c| c.is_alphanumeric()).collect())
}
