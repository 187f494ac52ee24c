//! Failures of a server that accepts connections: errors by status, errors within a reply, and connections that break after
//! the usage was reported. Most of them happen to the first request only.

use serde_json::{Value, json};

use super::Behavior;

/// The status, a header and the body with which a server refuses a request.
pub(super) type Refusal = (u16, Option<(&'static str, &'static str)>, Value);

/// How the server refuses this request, if it does.
pub(super) fn refusal(behavior: Behavior, number: usize) -> Option<Refusal> {
    let error = |status, code: &str, message: &str| {
        (status, None, json!({"error": {"code": code, "message": message}}))
    };
    Some(match behavior {
        Behavior::Forbidden => error(403, "forbidden", "this key may not use the model"),
        Behavior::QuotaUsedUp => error(429, "insufficient_quota", "You exceeded your current quota"),
        Behavior::TooEarlyOnce if number == 1 => error(425, "early", "too early"),
        Behavior::OverloadedOnce if number == 1 => error(529, "overloaded_error", "overloaded"),
        Behavior::BusySeconds if number == 1 => {
            let (status, _, body) = error(429, "rate_limit_exceeded", "busy for a while");
            (status, Some(("retry-after", "5")), body)
        }
        _ => return None,
    })
}

/// The events of a failed reply before the connection breaks or ends, if the reply fails.
pub(super) fn failed_events(behavior: Behavior, number: usize) -> Option<Vec<Value>> {
    match behavior {
        Behavior::BadGatewayInsideOnce if number == 1 => {
            Some(vec![json!({"error": {"code": 502, "message": "the provider failed"}})])
        }
        Behavior::BreaksAfterUsageOnce if number == 1 => {
            let usage = json!({"prompt_tokens": 1000, "completion_tokens": 7});
            let choice = json!({"index": 0, "delta": {"content": "# ana"}});
            Some(vec![json!({"choices": [choice]}), json!({"choices": [], "usage": usage})])
        }
        Behavior::TooLongInside => {
            let message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";
            Some(vec![json!({"error": {"message": message, "code": "context_length_exceeded"}})])
        }
        Behavior::NoTemperatureInside => {
            let message = "Unsupported parameter: 'temperature' is not supported with this model.";
            Some(vec![json!({"error": {"message": message, "code": 400}})])
        }
        _ => None,
    }
}

/// Whether the server never answers this request.
pub(super) fn is_silent(behavior: Behavior, number: usize) -> bool {
    behavior == Behavior::NeverAnswers || behavior == Behavior::SilentOnce && number == 1
}
