//! Tests of the limits that bodies name.

use serde_json::json;

use super::*;

fn error(fields: &Value) -> String {
    json!({ "error": fields }).to_string()
}

/// A refusal as Google words it, with this identifier of the quota.
fn exhausted(identifier: &str, delay: &str) -> String {
    error(&json!({
        "code": 429,
        "message": format!("You exceeded your current quota, please check your plan and billing details. Please retry in {delay}."),
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": identifier}]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
        ],
    }))
}

#[test]
fn only_what_is_specific_makes_a_refusal_one_of_the_account() {
    let minute = exhausted("GenerateRequestsPerMinutePerProject", "2.5s");
    let quota = "You exceeded your current quota, please check your plan and billing details";
    for (status, body, is_account) in [
        (429, minute.clone(), false),
        (429, format!("[{minute}]"), false),
        (429, exhausted("GenerateRequestsPerDayPerProject-FreeTier", "2.5s"), true),
        (429, error(&json!({"message": quota, "type": "insufficient_quota"})), true),
        (429, error(&json!({"message": quota, "code": "insufficient_quota", "type": null})), true),
        (429, error(&json!({"message": format!("{quota}. Limit: 10 requests per minute.")})), false),
        (429, error(&json!({"message": format!("{quota}. Try again in 20s.")})), false),
        (429, error(&json!({"message": quota, "status": "RESOURCE_EXHAUSTED"})), false),
        (429, quota.to_owned(), true),
        (429, error(&json!({"message": "Rate limit exceeded: free-models-per-day"})), true),
        (429, error(&json!({"message": "Rate limit exceeded: free-models-per-min"})), false),
        (429, error(&json!({"message": "tokens per day (TPD): limit 100000. Try again in 8.64s."})), false),
        (429, error(&json!({"message": "limit of the organization on TPM: 6000"})), false),
        (429, error(&json!({"message": "rate limit", "type": "rate_limit_exceeded"})), false),
        (400, error(&json!({"message": "Your credit balance is too low to use the API"})), true),
        (403, error(&json!({"message": "Insufficient balance"})), true),
        (402, String::new(), true),
        (500, quota.to_owned(), false),
    ] {
        assert_eq!(is_account_limit(status, &body, body_delay(&body)), is_account, "{status} {body}");
    }
}

#[test]
fn a_delay_is_found_in_every_form_of_body() {
    let message = |text: &str| error(&json!({ "message": text }));
    for (body, milliseconds) in [
        (exhausted("x", "4.2s"), Some(4200)),
        (format!("[{}]", exhausted("x", "4.2s")), Some(4200)),
        (error(&json!({"metadata": {"raw": exhausted("x", "1s")}})), Some(1000)),
        (error(&json!({"details": [{"retryDelay": {"seconds": 3, "nanos": 500_000_000}}]})), Some(3500)),
        (json!({"retry_after": 0.25, "global": false}).to_string(), Some(250)),
        (error(&json!({"retry_after_ms": 150})), Some(150)),
        (error(&json!({"retryAfterSeconds": "7"})), Some(7000)),
        (message("Rate limit reached. Please try again in 4.2s. Visit the page of limits."), Some(4200)),
        (message("Please try again in 850ms."), Some(850)),
        (message("Please try again in 1m30.5s."), Some(90_500)),
        (message("Please retry after 6 seconds."), Some(6000)),
        (message("Too many requests, please wait 2 minutes"), Some(120_000)),
        ("Rate limited. Retry-After: 12".to_owned(), Some(12_000)),
        (message("try again in 1h2m3s"), Some(3_723_000)),
        (message("Please try again later."), None),
        (message("limit: 10 requests per 60 s"), None),
        (error(&json!({"retry_after": -1})), None),
        (String::new(), None),
    ] {
        assert_eq!(body_delay(&body).map(|delay| delay.as_millis()), milliseconds, "{body}");
    }
}

#[test]
fn a_limit_per_day_is_told_from_an_empty_account() {
    assert!(is_long_period(&exhausted("RequestsPerDay", "30s")));
    assert!(!is_long_period(&error(&json!({"code": "insufficient_quota", "message": "no money"}))));
}
