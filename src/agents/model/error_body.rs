//! What the body of an error says: its message, its code, and whether the quota of the account is used up. Servers use
//! various fields for each.

use serde_json::Value;

use super::error::truncated;
use super::html::page_words;

/// Codes and types of errors that mean that the account has no money or quota left.
const QUOTA_CODES: [&str; 7] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
    "insufficient_credits",
    "insufficient_balance",
    "payment_required",
];
/// Parts of messages that mean the same.
const QUOTA_PHRASES: [&str; 2] = ["exceeded your current quota", "credit balance is too low"];
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
    let parsed: Option<Value> = serde_json::from_str(body).ok();
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

/// Whether an error with this status and body means that the account has no money or quota left.
pub(super) fn is_quota_error(status: u16, body: &str) -> bool {
    let parsed: Value = serde_json::from_str(body).unwrap_or_default();
    let codes = ["/error/code", "/error/type", "/code", "/type"];
    let mut codes = codes.iter().filter_map(|place| parsed.pointer(place)?.as_str());
    let phrase = || QUOTA_PHRASES.iter().any(|phrase| body.contains(phrase));
    status == 402
        || codes.any(|code| QUOTA_CODES.contains(&code))
        || (matches!(status, 400 | 403 | 429) && phrase())
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
    fn a_used_up_quota_is_known_by_status_code_or_message() {
        let body =
            |code: &str, message: &str| json!({"error": {"code": code, "message": message}}).to_string();
        for (status, body, is_quota) in [
            (402, String::new(), true),
            (429, body("insufficient_quota", "You exceeded your current quota"), true),
            (429, "You exceeded your current quota, please check your plan".to_owned(), true),
            (400, body("invalid_request_error", "Your credit balance is too low"), true),
            (429, body("rate_limit_exceeded", "Rate limit reached"), false),
            (500, "exceeded your current quota".to_owned(), false),
        ] {
            assert_eq!(is_quota_error(status, &body), is_quota, "{status} {body}");
        }
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
