//! What the body of a refusal says about its limit: whether the limit is one of the account, and when to ask again.
//!
//! Providers use the same words for a limit per minute and for an empty account. Only what is specific decides: a code of
//! the account, the period in the identifier of a quota, a delay.

use std::time::Duration;

use serde_json::Value;

use super::error_body::{QUOTA_CODES, unwrapped};

/// Parts of messages that only an account without money has.
const CREDIT_PHRASES: [&str; 2] = ["credit balance is too low", "insufficient balance"];
/// Words that providers use for both: a limit per minute and an empty account.
const AMBIGUOUS_PHRASE: &str = "exceeded your current quota";
/// What names a period of less than a day, without spaces and marks.
const SHORT_PERIODS: [&str; 8] =
    ["persecond", "perminute", "permin", "aminute", "perhour", "anhour", "minutely", "hourly"];
/// The same for a day and more.
const LONG_PERIODS: [&str; 5] = ["perday", "aday", "daily", "permonth", "monthly"];
/// Abbreviations of limits: requests and tokens per minute, per day.
const ABBREVIATIONS: [(&str, Period); 4] =
    [("rpm", Period::Short), ("tpm", Period::Short), ("rpd", Period::Long), ("tpd", Period::Long)];
/// What stands before a delay in a message.
const DELAY_PHRASES: [&str; 9] = [
    "try again in",
    "try again after",
    "retry in",
    "retry after",
    "retry-after",
    "please wait",
    "available in",
    "reset in",
    "resets in",
];
/// Fields with a delay in seconds, without marks and in lower case.
const SECONDS_FIELDS: [&str; 5] =
    ["retrydelay", "retryafter", "retryafterseconds", "retryafterdelay", "retryinseconds"];
/// Fields with a delay in milliseconds.
const MILLISECONDS_FIELDS: [&str; 2] = ["retryafterms", "retrydelayms"];
/// The deepest value of a body that is searched.
const MAX_DEPTH: u32 = 12;

/// The period of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    /// Up to an hour: waiting helps.
    Short,
    /// A day or more.
    Long,
}

/// Whether a refusal with this status means that further requests fail today: the account has no money or quota left, or
/// a limit per day is reached. `asked` is the delay that the server names.
pub(super) fn is_account_limit(status: u16, body: &str, asked: Option<Duration>) -> bool {
    let parsed = unwrapped(body).unwrap_or_default();
    let codes = ["/error/code", "/error/type", "/code", "/type"];
    let mut codes = codes.iter().filter_map(|place| parsed.pointer(place)?.as_str());
    if status == 402 || codes.any(|code| QUOTA_CODES.contains(&code)) {
        return true;
    }
    if !matches!(status, 400 | 403 | 429) {
        return false;
    }
    let said = body.to_lowercase();
    if CREDIT_PHRASES.iter().any(|phrase| said.contains(phrase)) {
        return true;
    }
    let ambiguous = said.contains(AMBIGUOUS_PHRASE) && !said.contains("resource_exhausted");
    match (identified_period(&parsed), asked) {
        (Some(Period::Long), _) => true,
        (Some(Period::Short), _) | (None, Some(_)) => false,
        (None, None) => match period(&said) {
            Some(Period::Long) => status == 429,
            Some(Period::Short) => false,
            None => ambiguous,
        },
    }
}

/// Whether a refusal is about a limit per day or month, which is renewed without money.
pub(super) fn is_long_period(body: &str) -> bool {
    let parsed = unwrapped(body).unwrap_or_default();
    identified_period(&parsed).or_else(|| period(&body.to_lowercase())) == Some(Period::Long)
}

/// The delay that a body names, in a field or in its message.
pub(super) fn body_delay(body: &str) -> Option<Duration> {
    let Some(parsed) = unwrapped(body) else { return delay_in_text(body) };
    let field = find(&parsed, MAX_DEPTH, &mut |name, value| delay_of_field(name, value));
    field.or_else(|| find(&parsed, MAX_DEPTH, &mut |_, value| value.as_str().and_then(delay_in_text)))
}

/// The period that identifiers of quotas and limits name; the longest one, because all limits must allow a request.
fn identified_period(body: &Value) -> Option<Period> {
    let mut short = false;
    let long = find(body, MAX_DEPTH, &mut |name, value| {
        let name = plain(name);
        let is_identifier = name.contains("quota") || name.contains("limit");
        let found = value.as_str().filter(|_| is_identifier).and_then(|text| period(&text.to_lowercase()));
        short |= found == Some(Period::Short);
        found.filter(|found| *found == Period::Long)
    });
    long.or(short.then_some(Period::Short))
}

/// The longest period that a text in lower case names.
fn period(said: &str) -> Option<Period> {
    let joined = plain(said);
    let names = |names: &[&str]| names.iter().any(|name| joined.contains(name));
    let abbreviated = |period| {
        let mut words = said.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| ABBREVIATIONS.contains(&(word, period)))
    };
    if names(&LONG_PERIODS) || abbreviated(Period::Long) {
        return Some(Period::Long);
    }
    (names(&SHORT_PERIODS) || abbreviated(Period::Short)).then_some(Period::Short)
}

/// The text in lower case without spaces and marks.
fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The first result for a field of the value, at any depth. Texts that are JSON, as gateways pass them on, are searched too.
fn find<T>(value: &Value, depth: u32, take: &mut impl FnMut(&str, &Value) -> Option<T>) -> Option<T> {
    let depth = depth.checked_sub(1)?;
    match value {
        Value::Object(fields) => {
            fields.iter().find_map(|(name, value)| take(name, value).or_else(|| find(value, depth, take)))
        }
        Value::Array(items) => items.iter().find_map(|item| find(item, depth, take)),
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
            find(&serde_json::from_str(text).ok()?, depth, take)
        }
        _ => None,
    }
}

fn delay_of_field(name: &str, value: &Value) -> Option<Duration> {
    let name = plain(name);
    if MILLISECONDS_FIELDS.contains(&name.as_str()) {
        return seconds(number(value)? / 1000.0);
    }
    if !SECONDS_FIELDS.contains(&name.as_str()) {
        return None;
    }
    match value {
        Value::String(text) => duration_at(text),
        // The JSON form of a duration of gRPC in some gateways.
        Value::Object(parts) => {
            let part = |name: &str| parts.get(name).and_then(number).unwrap_or_default();
            seconds(part("seconds") + part("nanos") / 1e9)
        }
        other => seconds(number(other)?),
    }
}

/// A number, or digits in a text.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// The delay that a message names, such as `try again in 4.2s`.
fn delay_in_text(text: &str) -> Option<Duration> {
    let said = text.to_ascii_lowercase();
    DELAY_PHRASES.iter().find_map(|phrase| {
        said.match_indices(phrase).find_map(|(at, _)| duration_at(&said[at + phrase.len()..]))
    })
}

/// The duration at the beginning of a text: `4.2s`, `1m30s`, `850 ms`, `20 seconds`; a number alone is in seconds.
fn duration_at(text: &str) -> Option<Duration> {
    let mut rest = text.trim_start_matches([' ', ':', '=', '"', '\'']);
    let mut total = None;
    loop {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let Ok(count) = rest[..digits].trim_end_matches('.').parse::<f64>() else { break };
        let after = rest[digits..].trim_start();
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let factor = match (unit(&after[..letters]), total) {
            (Some(factor), _) => factor,
            (None, None) => 1.0,
            (None, Some(_)) => break,
        };
        total = Some(total.unwrap_or_default() + count * factor);
        rest = after[letters..].trim_start();
    }
    seconds(total?)
}

/// The seconds of a unit of time.
fn unit(name: &str) -> Option<f64> {
    Some(match name {
        "ms" | "millisecond" | "milliseconds" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
