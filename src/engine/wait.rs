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
            Self::Reply { .. } => "waiting for the server".to_owned(),
            Self::Retry { attempt: 0 | 1, .. } => "paused, because the server is busy".to_owned(),
            Self::Retry { attempt, most, .. } => format!("waiting for {}", retry_words(*attempt, *most)),
        }
    }

    /// The wait without its reason: `retry 2 of 2 in 14 s`.
    pub fn brief(&self) -> String {
        match self {
            Self::Reply { seconds } => format!("waiting for the server, {seconds} s"),
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
