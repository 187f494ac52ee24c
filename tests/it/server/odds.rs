//! Token odds, for requests that ask for them: each token has a probability of a half.

use serde_json::{Value, json};

/// The odds of the tokens of this text, each of five characters, as a choice of chat completions has them.
pub(super) fn of_choice(request: &Value, text: &str) -> Value {
    if request["logprobs"] == true { json!({"content": list(text)}) } else { Value::Null }
}

/// The odds of the tokens of this text, as a part of responses has them.
pub(super) fn of_part(request: &Value, text: &str) -> Value {
    if request["include"] == json!(["message.output_text.logprobs"]) { list(text) } else { json!([]) }
}

fn list(text: &str) -> Value {
    let letters: Vec<char> = text.chars().collect();
    let tokens = letters.chunks(5).map(|piece| piece.iter().collect::<String>());
    let odds = |token: &str, p: f64| json!({"token": token, "logprob": p.ln(), "bytes": token.as_bytes()});
    let entry = |token: String| {
        let mut entry = odds(&token, 0.5);
        entry["top_logprobs"] = json!([odds(&token, 0.5), odds("\u{1b}[31m", 0.25)]);
        entry
    };
    tokens.map(entry).collect()
}
