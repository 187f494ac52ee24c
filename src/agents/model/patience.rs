//! How long to wait before a request is tried again.

use std::hash::BuildHasher;
use std::hash::RandomState;
use std::time::Duration;
use std::time::SystemTime;

use reqwest::header::HeaderMap;
use reqwest::header::RETRY_AFTER;

use super::trouble::Again;
use super::trouble::Trouble;

/// The first pause of our own; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(500);
/// The longest pause of our own.
const LONGEST: Duration = Duration::from_secs(30);
/// A server that asks for more than this is not waited for.
const BOUND: Duration = Duration::from_mins(2);

/// The pause before the next try, or `None` when there is to be none. `attempt` is the one that failed.
pub(super) fn pause(trouble: &Trouble, attempt: u32, retries: u32) -> Option<Duration> {
    match trouble.again {
        _ if attempt > retries => None,
        Again::Never => None,
        Again::After(asked) => (asked <= BOUND).then_some(asked),
        Again::Soon => Some(own(attempt, jitter())),
    }
}

/// `jitter` from 0 to 1 takes up to half of the pause away, so that many clients do not come back at once.
fn own(attempt: u32, jitter: f64) -> Duration {
    let doubled = FIRST.saturating_mul(1 << (attempt - 1).min(16));
    doubled.min(LONGEST).mul_f64(1.0 - jitter / 2.0)
}

fn jitter() -> f64 {
    let drawn = u32::try_from(RandomState::new().hash_one(0) >> 32).unwrap_or_default();
    f64::from(drawn) / f64::from(u32::MAX)
}

/// The pause that the server asks for: in milliseconds, in seconds, or until a date.
pub(super) fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
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
    use crate::domain::AgentError;

    fn trouble(again: Again) -> Trouble {
        Trouble { error: AgentError::Empty, again }
    }

    #[test]
    fn zero_retries_means_zero_and_a_hopeless_try_is_not_repeated() {
        for again in [Again::Soon, Again::After(Duration::ZERO), Again::Never] {
            assert_eq!(pause(&trouble(again), 1, 0), None);
        }
        assert_eq!(pause(&trouble(Again::Never), 1, 9), None);
        assert_eq!(pause(&trouble(Again::Soon), 3, 2), None);
    }

    #[test]
    fn pauses_double_up_to_a_bound_with_jitter() {
        let milliseconds = |attempt, jitter| own(attempt, jitter).as_millis();
        assert_eq!(
            [1, 2, 3, 7, 60].map(|attempt| milliseconds(attempt, 0.0)),
            [500, 1000, 2000, 30_000, 30_000]
        );
        assert_eq!(milliseconds(1, 1.0), 250);
        let drawn: Vec<_> = (0..50).map(|_| pause(&trouble(Again::Soon), 1, 1).unwrap()).collect();
        assert!(drawn.iter().all(|pause| (250..=500).contains(&pause.as_millis())));
        assert!(drawn.iter().any(|pause| *pause != drawn[0]));
    }

    #[test]
    fn what_the_server_asks_for_is_honoured_within_a_bound() {
        let after = |seconds| pause(&trouble(Again::After(Duration::from_secs(seconds))), 1, 1);
        assert_eq!(after(7), Some(Duration::from_secs(7)));
        assert_eq!(after(3600), None);
    }

    #[test]
    fn every_way_to_ask_is_understood() {
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
            assert_eq!(asked(&headers, now).map(|pause| pause.as_millis()), milliseconds, "{name}: {value}");
        }
    }
}
