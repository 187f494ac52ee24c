//! Delays before a request is retried.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

use super::error::RequestError;
use mageyard_domain::AgentError;

/// The first delay; each further one is twice as long.
const FIRST_DELAY: Duration = Duration::from_millis(500);
/// The longest exponential delay.
const MAX_DELAY: Duration = Duration::from_secs(30);
/// The same after a rate limit, most of which are limits per minute.
const MAX_RATE_LIMIT_DELAY: Duration = Duration::from_mins(1);
/// A longer delay requested by the server is not awaited: the request fails.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(2);

/// How often and how long a request is retried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// The retries, whatever failed (`model.max_retries`).
    pub(super) retries: u32,
    /// The total of the delays after which a rate limit is still retried (`model.rate_limit_wait`).
    pub(super) rate_limit: Duration,
}

/// The delay before the next try, or `None` if there is none. `attempt` is the failed try, from 1, and `waited` the total of
/// the delays before it.
///
/// A rate limit is retried as long as its patience lasts. The time that the server names is believed as often as other
/// errors are retried; after that a time that is too short does not count, so that no server is asked without a pause.
pub(super) fn retry_delay(
    trouble: &RequestError,
    (attempt, waited): (u32, Duration),
    patience: Patience,
) -> Option<Duration> {
    if !trouble.is_retryable() || too_long(trouble).is_some() {
        return None;
    }
    let is_counted = attempt <= patience.retries;
    if !is_rate_limit(&trouble.error) || patience.rate_limit.is_zero() {
        let delay = || exponential_delay(attempt, MAX_DELAY, random_jitter());
        return is_counted.then(|| trouble.pause.unwrap_or_else(delay));
    }
    let own = || exponential_delay(attempt, MAX_RATE_LIMIT_DELAY, random_jitter());
    let delay = match trouble.pause {
        Some(requested) if is_counted => requested,
        Some(requested) => requested.max(own()),
        None => own(),
    };
    (waited + delay <= patience.rate_limit).then_some(delay)
}

/// Whether the server limits the rate of requests.
pub(super) fn is_rate_limit(error: &AgentError) -> bool {
    matches!(
        error,
        AgentError::Api { status: 429, .. } | AgentError::ErrorWithinReply { code: Some(429), .. }
    )
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

/// The time for which all requests to the server wait: the one for which an overloaded server asked, no longer than a
/// request would wait, or the delay of this request after a rate limit.
pub(super) fn shared_pause(error: &RequestError, delay: Option<Duration>) -> Option<Duration> {
    let named = error.pause.filter(|pause| is_overload(&error.error) && *pause <= MAX_RETRY_AFTER);
    named.max(delay.filter(|_| is_rate_limit(&error.error)))
}

/// `jitter` from 0 to 1 shortens the delay by up to half, so that clients do not retry simultaneously.
fn exponential_delay(attempt: u32, longest: Duration, jitter: f64) -> Duration {
    let doubled = FIRST_DELAY.saturating_mul(1 << (attempt - 1).min(16));
    doubled.min(longest).mul_f64(1.0 - jitter / 2.0)
}

fn random_jitter() -> f64 {
    let drawn = u32::try_from(RandomState::new().hash_one(0) >> 32).unwrap_or_default();
    f64::from(drawn) / f64::from(u32::MAX)
}

/// The delay requested by the server: in milliseconds, in seconds, or until a date. A date is one of the server's clock, so
/// it is compared with the `Date` of the same response, and with `now` only if there is none (RFC 9110, 10.2.3).
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let exact = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0);
    if let Some(seconds) = exact.or_else(|| number(RETRY_AFTER.as_str())) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    let sent = date(DATE.as_str()).unwrap_or(now);
    Some(date(RETRY_AFTER.as_str())?.duration_since(sent).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(pause: Option<Duration>) -> RequestError {
        RequestError::api(429, String::new(), pause)
    }

    fn patience(retries: u32, rate_limit: u64) -> Patience {
        Patience { retries, rate_limit: Duration::from_secs(rate_limit) }
    }

    /// The delay of a first try without patience for rate limits.
    fn delay(error: &RequestError, attempt: u32, retries: u32) -> Option<Duration> {
        retry_delay(error, (attempt, Duration::ZERO), patience(retries, 0))
    }

    #[test]
    fn zero_retries_means_no_retry_and_a_permanent_error_is_not_retried() {
        for pause in [None, Some(Duration::ZERO)] {
            assert_eq!(delay(&busy(pause), 1, 0), None);
        }
        assert_eq!(delay(&RequestError::api(400, String::new(), Some(Duration::ZERO)), 1, 9), None);
        assert_eq!(delay(&AgentError::PersonLeft.into(), 1, 9), None);
        assert_eq!(delay(&busy(None), 3, 2), None);
    }

    #[test]
    fn delays_double_up_to_a_limit_with_jitter() {
        let milliseconds = |attempt, jitter| exponential_delay(attempt, MAX_DELAY, jitter).as_millis();
        assert_eq!(
            [1, 2, 3, 7, 60].map(|attempt| milliseconds(attempt, 0.0)),
            [500, 1000, 2000, 30_000, 30_000]
        );
        assert_eq!(milliseconds(1, 1.0), 250);
        let drawn: Vec<_> = (0..50).map(|_| delay(&busy(None), 1, 1).unwrap()).collect();
        assert!(drawn.iter().all(|delay| (250..=500).contains(&delay.as_millis())));
        assert!(drawn.iter().any(|delay| *delay != drawn[0]));
    }

    #[test]
    fn a_rate_limit_is_waited_for_in_growing_steps_until_its_patience_ends() {
        let mut waited = Duration::ZERO;
        let mut delays = Vec::new();
        for attempt in 1..1000 {
            let Some(delay) = retry_delay(&busy(None), (attempt, waited), patience(2, 600)) else { break };
            waited += delay;
            delays.push(delay);
        }
        assert!(delays.len() > 12 && waited > Duration::from_mins(9), "{delays:?}");
        assert!(waited <= Duration::from_mins(10), "{waited:?}");
        assert!(delays[0] <= Duration::from_millis(500) && delays[9..].iter().max() > Some(&MAX_DELAY));
        assert!(delays.iter().all(|delay| *delay <= Duration::from_mins(1)), "{delays:?}");
        let down = RequestError::api(503, String::new(), None);
        assert_eq!(retry_delay(&down, (3, Duration::ZERO), patience(2, 600)), None);
    }

    #[test]
    fn a_named_time_that_is_always_too_short_is_not_believed_for_ever() {
        let zero = busy(Some(Duration::ZERO));
        let delay = |attempt| retry_delay(&zero, (attempt, Duration::ZERO), patience(2, 600));
        assert_eq!([delay(1), delay(2)], [Some(Duration::ZERO); 2]);
        assert!(delay(3) >= Some(Duration::from_secs(1)), "{:?}", delay(3));
        let longer = busy(Some(Duration::from_secs(70)));
        let again = |waited| retry_delay(&longer, (9, Duration::from_secs(waited)), patience(2, 600));
        assert_eq!([again(500), again(540)], [Some(Duration::from_secs(70)), None]);
    }

    #[test]
    fn retry_after_is_honoured_up_to_a_limit() {
        let after = |seconds| busy(Some(Duration::from_secs(seconds)));
        assert_eq!(delay(&after(7), 1, 1), Some(Duration::from_secs(7)));
        assert_eq!(delay(&after(3600), 1, 1), None);
        assert_eq!((too_long(&after(7)), too_long(&after(3600))), (None, Some((3600, 120))));
    }

    #[test]
    fn a_busy_server_that_names_a_time_and_any_rate_limit_pause_everybody() {
        let pause = |status, named: Option<u64>, own: Option<u64>| {
            let error = RequestError::api(status, String::new(), named.map(Duration::from_secs));
            shared_pause(&error, own.map(Duration::from_secs)).map(|pause| pause.as_secs())
        };
        assert_eq!([429, 503, 529].map(|status| pause(status, Some(7), Some(7))), [Some(7); 3]);
        assert_eq!([pause(429, None, Some(4)), pause(429, Some(7), None)], [Some(4), Some(7)]);
        assert_eq!([pause(503, None, Some(4)), pause(500, Some(7), Some(7))], [None; 2]);
        assert_eq!([pause(429, None, None), pause(429, Some(3600), None)], [None; 2]);
    }

    #[test]
    fn a_date_is_one_of_the_clock_of_the_server() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:30 GMT").unwrap();
        for date in ["Sun, 06 Nov 1994 08:44:27 GMT", "Sun, 06 Nov 1994 08:54:27 GMT"] {
            let mut headers = HeaderMap::new();
            headers.insert(DATE, date.parse().unwrap());
            let later = httpdate::parse_http_date(date).unwrap() + Duration::from_secs(3);
            headers.insert(RETRY_AFTER, httpdate::fmt_http_date(later).parse().unwrap());
            assert_eq!(retry_after(&headers, now), Some(Duration::from_secs(3)), "{date}");
        }
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
