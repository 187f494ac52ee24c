//! Delays before a request is retried.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::error::RequestError;
use mageyard_domain::AgentError;

/// The first delay; each further one is twice as long.
const FIRST_DELAY: Duration = Duration::from_millis(500);
/// The longest exponential delay.
const MAX_DELAY: Duration = Duration::from_secs(30);
/// A longer delay requested by the server is not awaited: the request fails.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(2);

/// The delay before the next try, or `None` if there is none. `attempt` is the failed try, from 1.
pub(super) fn retry_delay(trouble: &RequestError, attempt: u32, retries: u32) -> Option<Duration> {
    match trouble.pause {
        _ if attempt > retries || !trouble.is_retryable() => None,
        Some(requested) => (requested <= MAX_RETRY_AFTER).then_some(requested),
        None => Some(exponential_delay(attempt, random_jitter())),
    }
}

/// The pause that the server asks for and the longest one, in seconds, if only that prevents a retry.
pub(super) fn too_long(error: &RequestError) -> Option<(u64, u64)> {
    let requested = error.pause.filter(|pause| error.is_retryable() && *pause > MAX_RETRY_AFTER)?;
    let seconds = requested.as_secs() + u64::from(requested.subsec_nanos() > 0);
    Some((seconds, MAX_RETRY_AFTER.as_secs()))
}

/// Whether the server has too many requests.
pub(super) fn is_overload(error: &AgentError) -> bool {
    match error {
        AgentError::Api { status, .. } => matches!(status, 429 | 503 | 529),
        AgentError::ErrorWithinReply { code, .. } => matches!(code, Some(429 | 503 | 529)),
        _ => false,
    }
}

/// The time for which the server asked all clients to wait; no longer than a request would wait.
pub(super) fn shared_pause(error: &RequestError) -> Option<Duration> {
    match &error.error {
        AgentError::Api { .. } if is_overload(&error.error) => {
            error.pause.filter(|pause| *pause <= MAX_RETRY_AFTER)
        }
        _ => None,
    }
}

/// `jitter` from 0 to 1 shortens the delay by up to half, so that clients do not retry simultaneously.
fn exponential_delay(attempt: u32, jitter: f64) -> Duration {
    let doubled = FIRST_DELAY.saturating_mul(1 << (attempt - 1).min(16));
    doubled.min(MAX_DELAY).mul_f64(1.0 - jitter / 2.0)
}

fn random_jitter() -> f64 {
    let drawn = u32::try_from(RandomState::new().hash_one(0) >> 32).unwrap_or_default();
    f64::from(drawn) / f64::from(u32::MAX)
}

/// The delay requested by the server: in milliseconds, in seconds, or until a date.
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let exact = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0);
    if let Some(seconds) = exact.or_else(|| number(RETRY_AFTER.as_str())) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(text(RETRY_AFTER.as_str())?).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(pause: Option<Duration>) -> RequestError {
        RequestError::api(429, String::new(), pause)
    }

    #[test]
    fn zero_retries_means_no_retry_and_a_permanent_error_is_not_retried() {
        for pause in [None, Some(Duration::ZERO)] {
            assert_eq!(retry_delay(&busy(pause), 1, 0), None);
        }
        assert_eq!(retry_delay(&RequestError::api(400, String::new(), Some(Duration::ZERO)), 1, 9), None);
        assert_eq!(retry_delay(&AgentError::PersonLeft.into(), 1, 9), None);
        assert_eq!(retry_delay(&busy(None), 3, 2), None);
    }

    #[test]
    fn delays_double_up_to_a_limit_with_jitter() {
        let milliseconds = |attempt, jitter| exponential_delay(attempt, jitter).as_millis();
        assert_eq!(
            [1, 2, 3, 7, 60].map(|attempt| milliseconds(attempt, 0.0)),
            [500, 1000, 2000, 30_000, 30_000]
        );
        assert_eq!(milliseconds(1, 1.0), 250);
        let drawn: Vec<_> = (0..50).map(|_| retry_delay(&busy(None), 1, 1).unwrap()).collect();
        assert!(drawn.iter().all(|delay| (250..=500).contains(&delay.as_millis())));
        assert!(drawn.iter().any(|delay| *delay != drawn[0]));
    }

    #[test]
    fn retry_after_is_honoured_up_to_a_limit() {
        let after = |seconds| busy(Some(Duration::from_secs(seconds)));
        assert_eq!(retry_delay(&after(7), 1, 1), Some(Duration::from_secs(7)));
        assert_eq!(retry_delay(&after(3600), 1, 1), None);
        assert_eq!((too_long(&after(7)), too_long(&after(3600))), (None, Some((3600, 120))));
    }

    #[test]
    fn only_a_busy_server_that_names_a_time_pauses_everybody() {
        let pause = |status, seconds: Option<u64>| {
            shared_pause(&RequestError::api(status, String::new(), seconds.map(Duration::from_secs)))
        };
        assert_eq!([429, 503, 529].map(|status| pause(status, Some(7))), [Some(Duration::from_secs(7)); 3]);
        assert_eq!([pause(429, None), pause(500, Some(7)), pause(429, Some(3600))], [None; 3]);
    }

    #[test]
    fn every_form_of_retry_after_is_read() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:30 GMT").unwrap();
        for (name, value, milliseconds) in [
            ("retry-after", "2", Some(2000)),
            ("retry-after", "0.25", Some(250)),
            ("retry-after-ms", "150", Some(150)),
            ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT", Some(7000)),
            ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("retry-after", "-1", None),
            ("retry-after", "soon", None),
            ("other", "2", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            assert_eq!(
                retry_after(&headers, now).map(|delay| delay.as_millis()),
                milliseconds,
                "{name}: {value}"
            );
        }
    }
}
