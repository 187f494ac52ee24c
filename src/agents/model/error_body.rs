//! What the body of an error says: its message and its code. Servers use various fields for each.

use serde_json::Value;

use super::error::truncated;
use super::html::page_words;

/// Codes and types of errors that mean that the account has no money or quota left.
pub(super) const QUOTA_CODES: [&str; 7] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
    "insufficient_credits",
    "insufficient_balance",
    "payment_required",
];
/// Names of codes that stand for a status, or parts of such names.
const NAMED_CODES: [(&str, u16); 17] = [
    ("invalid_request", 400),
    ("invalid_prompt", 400),
    ("authentication_error", 401),
    ("billing_error", 402),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", 413),
    ("overloaded", 529),
    ("rate_limit", 429),
    ("too_many_requests", 429),
    ("resource_exhausted", 429),
    ("unavailable", 503),
    ("bad_gateway", 502),
    ("timeout", 504),
    ("server_error", 500),
    ("internal", 500),
    ("api_error", 500),
];

/// The message of an error body, sanitized.
pub(super) fn error_message(body: &str) -> String {
    let parsed = unwrapped(body);
    let places = ["/error/message", "/error", "/detail", "/message"];
    let found =
        parsed.as_ref().and_then(|value| places.iter().find_map(|place| value.pointer(place)?.as_str()));
    if let Some(words) = page_words(found.unwrap_or(body)) {
        return format!("{} (an HTML page)", truncated(&words, 300));
    }
    match found.unwrap_or(body).trim() {
        "" => "no error message".to_owned(),
        text => truncated(text, 500),
    }
}

/// The JSON of a body; of a list, as which some servers write errors, its first item.
pub(super) fn unwrapped(body: &str) -> Option<Value> {
    match serde_json::from_str(body).ok()? {
        Value::Array(items) => items.into_iter().next(),
        other => Some(other),
    }
}

/// The code of an error within a reply, as a status: a number, digits, or a name.
pub(super) fn error_code(error: &Value) -> Option<u16> {
    let values = ["code", "status", "type"].iter().map(|name| &error[*name]);
    values.filter_map(code_of).find(|code| (400..600).contains(code))
}

fn code_of(value: &Value) -> Option<u16> {
    match value {
        Value::String(text) => text.parse().ok().or_else(|| named_code(&text.to_lowercase())),
        number => u16::try_from(number.as_u64()?).ok(),
    }
}

fn named_code(name: &str) -> Option<u16> {
    NAMED_CODES.iter().find(|(known, _)| name.contains(known)).map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_message_of_a_list_is_that_of_its_first_error() {
        let body = json!([{"error": {"message": "slow down"}}]).to_string();
        assert_eq!(error_message(&body), "slow down");
    }

    #[test]
    fn a_code_is_a_number_or_a_name() {
        for (error, code) in [
            (json!({"code": 502}), Some(502)),
            (json!({"code": "429"}), Some(429)),
            (json!({"code": null, "type": "overloaded_error"}), Some(529)),
            (json!({"code": "rate_limit_exceeded", "status": 503}), Some(429)),
            (json!({"status": "UNAVAILABLE"}), Some(503)),
            (json!({"code": 7}), None),
            (json!("text"), None),
        ] {
            assert_eq!(error_code(&error), code, "{error}");
        }
    }
}
