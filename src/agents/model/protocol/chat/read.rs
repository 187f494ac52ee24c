//! Reads stored requests for display and for copies.

use serde_json::Value;

use super::TURNS;
use crate::domain::BLOB_SCHEME;
use crate::domain::RequestReader;
use crate::domain::SentRequest;
use crate::domain::SentTurn;
use crate::domain::Turn;
use crate::domain::TurnPart;

/// Reads the turns of chat completions.
#[derive(Debug)]
pub(in crate::agents) struct ChatReader;

impl RequestReader for ChatReader {
    fn read(&self, turn: &SentTurn) -> Turn {
        let value: Value = serde_json::from_str(turn.json()).unwrap_or_default();
        let segment = |part: usize| turn.outline().get(part).copied().flatten();
        let parts = match &value["content"] {
            Value::String(text) => vec![TurnPart::Text(segment(0), text.clone())],
            Value::Array(parts) => {
                parts.iter().enumerate().map(|(index, part)| read_part(part, segment(index))).collect()
            }
            Value::Null => Vec::new(),
            other => vec![TurnPart::Unknown(other.to_string())],
        };
        Turn { role: value["role"].as_str().unwrap_or("?").to_owned(), parts }
    }

    fn parameters(&self, request: &SentRequest) -> Vec<(String, Value)> {
        let fields = request.envelope.as_object().into_iter().flatten().filter(|(name, _)| *name != TURNS);
        fields.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn streams(&self, request: &SentRequest) -> bool {
        request.envelope["stream"] == true
    }

    fn body(&self, request: &SentRequest, url: &mut dyn FnMut(&str) -> String) -> String {
        let Some(fields) = request.envelope.as_object() else { return request.envelope.to_string() };
        let turns =
            request.turns.iter().map(|turn| turn_with_images(turn, url)).collect::<Vec<_>>().join(",");
        let field = |(name, value): (&String, &Value)| match &**name {
            TURNS => format!("{}:[{turns}]", Value::from(TURNS)),
            name => format!("{}:{value}", Value::from(name)),
        };
        format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(","))
    }
}

fn read_part(part: &Value, segment: Option<crate::domain::Segment>) -> TurnPart {
    if let Some(text) = part["text"].as_str() {
        return TurnPart::Text(segment, text.to_owned());
    }
    let address = part.pointer("/image_url/url").and_then(Value::as_str);
    match address.and_then(|address| address.strip_prefix(BLOB_SCHEME)) {
        Some(digest) => TurnPart::Image { digest: digest.to_owned(), image: None },
        None => TurnPart::Unknown(part.to_string()),
    }
}

fn turn_with_images(turn: &SentTurn, url: &mut dyn FnMut(&str) -> String) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(turn.json()) else { return turn.json().to_owned() };
    let parts = value.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten();
    for address in parts.filter_map(|part| part.pointer_mut("/image_url/url")) {
        *address = url(address.as_str().unwrap_or_default()).into();
    }
    value.to_string()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::domain::Segment;

    fn read(turn: &Value, outline: &[Option<Segment>]) -> Turn {
        ChatReader.read(&SentTurn::new(turn.to_string(), outline))
    }

    #[test]
    fn a_turn_is_read_with_its_segments() {
        let plain = read(&json!({"role": "system", "content": "S"}), &[Some(Segment::System)]);
        assert_eq!(
            (&*plain.role, &plain.parts[..]),
            ("system", &[TurnPart::Text(Some(Segment::System), "S".into())][..])
        );
        let image = json!({"image_url": {"url": "blob:00a1"}});
        let turn =
            read(&json!({"role": "user", "content": [{"text": "T"}, image]}), &[Some(Segment::Task), None]);
        let parts = [
            TurnPart::Text(Some(Segment::Task), "T".into()),
            TurnPart::Image { digest: "00a1".into(), image: None },
        ];
        assert_eq!((&*turn.role, &turn.parts[..]), ("user", &parts[..]));
    }

    #[test]
    fn a_malformed_turn_is_read_without_failure() {
        for turn in [json!(7), json!([]), json!({"content": [7, {"image_url": {}}]}), json!({"content": {}})]
        {
            let turn = read(&turn, &[]);
            assert_eq!(turn.role, "?");
            assert!(turn.parts.iter().all(|part| matches!(part, TurnPart::Unknown(_))), "{turn:?}");
        }
        assert_eq!(ChatReader.read(&SentTurn::new("{", [])).parts, []);
    }

    #[test]
    fn the_body_is_put_together_with_its_images() {
        let turn = r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"blob:00"}}]}"#;
        let request = SentRequest {
            envelope: json!({"model": "m", "messages": [], "stream": true}).into(),
            turns: vec![Arc::new(SentTurn::new(turn, [])), Arc::new(SentTurn::new("7", []))],
            ..SentRequest::default()
        };
        let body = ChatReader.body(&request, &mut |address| format!("data:{address}"));
        let expected = turn.replace("blob:00", "data:blob:00");
        assert_eq!(body, format!(r#"{{"model":"m","messages":[{expected},7],"stream":true}}"#));
        assert!(ChatReader.streams(&request));
        let names: Vec<String> = ChatReader.parameters(&request).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["model", "stream"]);
    }
}
