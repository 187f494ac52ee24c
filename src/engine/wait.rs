//! A wait for a model server, in words.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt;

use mageyard_domain::sanitize;

/// What an agent waits for, with the seconds that are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The first part of a reply, so many seconds after the request was sent.
    Reply {
        /// The seconds since then.
        seconds: u64,
        /// The number of this try, from 1.
        attempt: u32,
        /// The largest number of tries; 0 if only the time of all waits is limited.
        most: u32,
    },
    /// The next try of a request.
    Retry {
        /// The seconds until then.
        seconds: u64,
        /// The number of the next try: 1 if other requests made the server ask for a pause, else from 2.
        attempt: u32,
        /// The largest number of tries; 0 if only the time of all waits is limited.
        most: u32,
        /// The error of the try before it.
        why: String,
    },
}

impl Wait {
    /// The wait without its seconds, for a screen that does not count: `retry 2 of 2`.
    pub fn uncounted(&self) -> String {
        match self {
            Self::Reply { attempt: 0 | 1, .. } => "waiting for the server".to_owned(),
            Self::Reply { attempt, most, .. } => {
                format!("{}: waiting for the server", retry_words(*attempt, *most))
            }
            Self::Retry { attempt: 0 | 1, .. } => "paused, because the server is busy".to_owned(),
            Self::Retry { attempt, most, .. } => format!("waiting for {}", retry_words(*attempt, *most)),
        }
    }

    /// The wait without its reason: `retry 2 of 2 in 14 s`.
    pub fn brief(&self) -> String {
        match self {
            Self::Reply { seconds, .. } => format!("{}, {seconds} s", self.uncounted()),
            Self::Retry { seconds, attempt: 0 | 1, .. } => format!("paused for {seconds} s"),
            Self::Retry { seconds, attempt, most, .. } => {
                format!("{} in {seconds} s", retry_words(*attempt, *most))
            }
        }
    }
}

/// The retry before this try, and the largest number of retries if there is one.
fn retry_words(attempt: u32, most: u32) -> String {
    match most {
        0 => format!("retry {}", attempt - 1),
        most => format!("retry {} of {}", attempt - 1, most - 1),
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reply { .. } => f.write_str(&self.brief()),
            Self::Retry { why, .. } => write!(f, "{}: {}", self.brief(), sanitize(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_says_which_retry_of_how_many_it_is_for() {
        let retry = |attempt, most| Wait::Retry { seconds: 14, attempt, most, why: "busy".into() };
        let reply = |attempt, most| Wait::Reply { seconds: 3, attempt, most };
        for (wait, brief, uncounted) in [
            (retry(2, 3), "retry 1 of 2 in 14 s", "waiting for retry 1 of 2"),
            (retry(5, 0), "retry 4 in 14 s", "waiting for retry 4"),
            (retry(1, 3), "paused for 14 s", "paused, because the server is busy"),
            (reply(1, 3), "waiting for the server, 3 s", "waiting for the server"),
            (
                reply(2, 3),
                "retry 1 of 2: waiting for the server, 3 s",
                "retry 1 of 2: waiting for the server",
            ),
            (reply(5, 0), "retry 4: waiting for the server, 3 s", "retry 4: waiting for the server"),
        ] {
            assert_eq!((wait.brief(), wait.uncounted()), (brief.to_owned(), uncounted.to_owned()));
        }
    }
}
