//! What a response says about its origin: the name of the model, and for some behaviors an identifier and a fingerprint.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use super::Behavior;

/// So many requests are answered by the first model.
const OF_FIRST_MODEL: usize = 3;

/// The fields of the origin of the response to the request with this number, from 1.
pub(super) fn fields(behavior: Behavior, number: usize, request: &Value) -> Value {
    let id = format!("reply-{number}");
    match behavior {
        Behavior::StoredReplies => {
            json!({"model": "mock-1", "id": format!("stored-{}", content(request)), "system_fingerprint": "fp-1"})
        }
        Behavior::OwnReplies => json!({"model": request["model"], "id": id, "system_fingerprint": "fp-1"}),
        Behavior::SwitchesModel if number > OF_FIRST_MODEL => {
            json!({"model": "other-2", "id": id, "system_fingerprint": "fp-2"})
        }
        Behavior::SwitchesModel => json!({"model": request["model"], "id": id, "system_fingerprint": "fp-1"}),
        _ => json!({"model": "mock-1"}),
    }
}

/// The number that decides about the reply to the request with this number.
pub(super) fn deciding_number(behavior: Behavior, number: usize, request: &Value) -> usize {
    match behavior {
        Behavior::StoredReplies => usize::try_from(content(request) % 1000).unwrap_or_default(),
        _ => number,
    }
}

/// A number for the turns of a request, whatever its seed is.
fn content(request: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    request["messages"].to_string().hash(&mut hasher);
    hasher.finish()
}
