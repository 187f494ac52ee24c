//! Reads stored requests for display and for copies. One reader for all protocols: a turn is stored without the body
//! around it, and their parts cannot be confused.

use serde_json::Value;

use super::turns::TurnFields;
use mageyard_domain::{BLOB_SCHEME, OutlineReader, RequestReader, SentRequest, SentTurn, Turn, TurnPart};

/// Reads the turns of all protocols.
#[derive(Debug)]
pub(crate) struct ModelReader;

/// Where a part has its image: chat completions, Responses, Messages.
const IMAGE_ADDRESSES: [&str; 3] = ["/image_url/url", "/image_url", "/source/data"];

impl RequestReader for ModelReader {
    fn read(&self, turn: &SentTurn) -> Turn {
        let value: Value = serde_json::from_str(turn.json()).unwrap_or_default();
        let mut outline = turn.outline().reader();
        let parts: Vec<TurnPart> = match &value["content"] {
            Value::String(text) => read_texts(text, &mut outline),
            Value::Array(parts) => parts.iter().flat_map(|part| read_part(part, &mut outline)).collect(),
            Value::Null => Vec::new(),
            other => vec![TurnPart::Unknown(other.to_string())],
        };
        let joined = value["content"].is_string() && parts.len() > 1;
        let last = value["content"].as_array().and_then(|parts| parts.last());
        let cache_mark = last.is_some_and(|part| part.get("cache_control").is_some());
        Turn { role: value["role"].as_str().unwrap_or("?").to_owned(), parts, joined, cache_mark }
    }

    fn parameters(&self, request: &SentRequest) -> Vec<(String, Value)> {
        let turns = TurnFields::of_envelope(&request.envelope);
        let fields = request.envelope.as_object().into_iter().flatten();
        let fields = fields.filter(|(name, _)| *name != turns.list && Some(name.as_str()) != turns.system);
        fields.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn streams(&self, request: &SentRequest) -> bool {
        request.envelope["stream"] == true
    }

    fn body(&self, request: &SentRequest, url: &mut dyn FnMut(&str) -> String) -> String {
        let Some(fields) = request.envelope.as_object() else { return request.envelope.to_string() };
        let places = TurnFields::of_envelope(&request.envelope);
        let (system, list) =
            request.turns.split_at(usize::from(places.system.is_some()).min(request.turns.len()));
        let turns = list.iter().map(|turn| turn_with_images(turn, url)).collect::<Vec<_>>().join(",");
        let field = |(name, value): (&String, &Value)| match name.as_str() {
            list if list == places.list => format!("{}:[{turns}]", Value::from(list)),
            system_field if Some(system_field) == places.system => {
                format!(
                    "{}:{}",
                    Value::from(system_field),
                    content(system.first().map_or("", |turn| turn.json()))
                )
            }
            name => format!("{}:{value}", Value::from(name)),
        };
        format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
    }
}

/// The content of a turn, which is the system text of a body.
fn content(turn: &str) -> Value {
    serde_json::from_str::<Value>(turn).unwrap_or_default()["content"].take()
}

fn read_part(part: &Value, outline: &mut OutlineReader<'_>) -> Vec<TurnPart> {
    if let Some(text) = part["text"].as_str() {
        return read_texts(text, outline);
    }
    outline.skip();
    let address = image_address(part).and_then(|pointer| part.pointer(pointer)?.as_str());
    vec![match address.and_then(|address| address.strip_prefix(BLOB_SCHEME)) {
        Some(digest) => TurnPart::Image { digest: digest.to_owned(), image: None },
        None => TurnPart::Unknown(part.to_string()),
    }]
}

fn read_texts(text: &str, outline: &mut OutlineReader<'_>) -> Vec<TurnPart> {
    outline.texts(text).into_iter().map(|(segment, text)| TurnPart::Text(segment, text.to_owned())).collect()
}

fn image_address(part: &Value) -> Option<&'static str> {
    IMAGE_ADDRESSES.into_iter().find(|pointer| part.pointer(pointer).is_some_and(Value::is_string))
}

fn turn_with_images(turn: &SentTurn, url: &mut dyn FnMut(&str) -> String) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(turn.json()) else { return turn.json().to_owned() };
    let parts = value.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten();
    for part in parts {
        let Some(pointer) = image_address(part) else { continue };
        let Some(address) = part.pointer_mut(pointer) else { continue };
        let url = url(address.as_str().unwrap_or_default());
        *address = if pointer == "/source/data" { bare_data(&url).into() } else { url.into() };
    }
    value.to_string()
}

/// The data of a URL that contains an image; Messages names the media type in another field.
fn bare_data(url: &str) -> &str {
    url.split_once(";base64,").map_or(url, |(_, data)| data)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use mageyard_domain::{Message, MessagePart, Outline, Role, Segment};

    fn read<const N: usize>(turn: &Value, outline: [Option<Segment>; N]) -> Turn {
        ModelReader.read(&SentTurn::new(turn.to_string(), outline))
    }

    #[test]
    fn a_turn_is_read_with_its_segments() {
        let plain = read(&json!({"role": "system", "content": "S"}), [Some(Segment::System)]);
        assert_eq!(
            (&*plain.role, &plain.parts[..]),
            ("system", &[TurnPart::Text(Some(Segment::System), "S".into())][..])
        );
        let image = json!({"image_url": {"url": "blob:00a1"}});
        let turn =
            read(&json!({"role": "user", "content": [{"text": "T"}, image]}), [Some(Segment::Task), None]);
        let parts = [
            TurnPart::Text(Some(Segment::Task), "T".into()),
            TurnPart::Image { digest: "00a1".into(), image: None },
        ];
        assert_eq!((&*turn.role, &turn.parts[..]), ("user", &parts[..]));
    }

    #[test]
    fn a_turn_in_one_string_is_read_with_all_its_segments() {
        let text = |segment, text: &str| MessagePart::Text(segment, text.into());
        let message = Message {
            role: Role::User,
            parts: vec![text(Segment::Task, "T"), text(Segment::StateText, "#\n\n#"), text(Segment::Io, "I")],
        };
        let json = json!({"role": "user", "content": message.text()}).to_string();
        let turn = ModelReader.read(&SentTurn::new(json, Outline::of(&message)));
        let parts = [
            TurnPart::Text(Some(Segment::Task), "T".into()),
            TurnPart::Text(Some(Segment::StateText), "#\n\n#".into()),
            TurnPart::Text(Some(Segment::Io), "I".into()),
        ];
        assert_eq!((&turn.parts[..], turn.joined), (&parts[..], true));
    }

    #[test]
    fn a_mark_for_the_cache_is_read() {
        let mark = json!({"text": "T", "cache_control": {"type": "ephemeral"}});
        assert!(read(&json!({"role": "user", "content": [{"text": "S"}, mark]}), []).cache_mark);
        assert!(!read(&json!({"role": "user", "content": [{"text": "S"}]}), []).cache_mark);
        assert!(!read(&json!({"role": "user", "content": "cache_control"}), []).cache_mark);
    }

    #[test]
    fn a_malformed_turn_is_read_without_failure() {
        for turn in [json!(7), json!([]), json!({"content": [7, {"image_url": {}}]}), json!({"content": {}})]
        {
            let turn = read(&turn, []);
            assert_eq!(turn.role, "?");
            assert!(turn.parts.iter().all(|part| matches!(part, TurnPart::Unknown(_))), "{turn:?}");
        }
        assert_eq!(ModelReader.read(&SentTurn::new("{", [])).parts, []);
    }

    #[test]
    fn the_body_is_put_together_with_its_images() {
        let turn = r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"blob:00"}}]}"#;
        let request = SentRequest {
            envelope: json!({"model": "m", "messages": [], "stream": true}).into(),
            turns: vec![Arc::new(SentTurn::new(turn, [])), Arc::new(SentTurn::new("7", []))],
            ..SentRequest::default()
        };
        let body = ModelReader.body(&request, &mut |address| format!("data:{address}"));
        let expected = turn.replace("blob:00", "data:blob:00");
        assert_eq!(body, format!(r#"{{"model":"m","messages":[{expected},7],"stream":true}}"#));
        assert!(ModelReader.streams(&request));
        let names: Vec<String> = ModelReader.parameters(&request).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["model", "stream"]);
    }
}
