//! What is printed of the waits of a run where the output is not a terminal: one line at the beginning of each long
//! wait for a retry, and one for an episode whose server is slow to begin a reply. Nothing is repeated, so that a log stays
//! short.

use std::collections::BTreeMap;

use mageyard_engine::Wait;
use mageyard_lab::EpisodeWait;

/// A shorter wait for a retry is not worth a line, in seconds.
const LONG_RETRY: u64 = 3;
/// A shorter wait for a reply is not worth a line, in seconds.
const LONG_REPLY: u64 = 30;

/// What was printed of each episode.
#[derive(Default)]
pub(super) struct WaitNotices {
    /// The number of the try that the episode waited for last.
    retries: BTreeMap<usize, u32>,
    /// Whether the slow server was mentioned.
    replies: BTreeMap<usize, bool>,
}

impl WaitNotices {
    /// The lines for these waits that were not printed yet.
    pub(super) fn new_ones(&mut self, waits: &[EpisodeWait]) -> Vec<String> {
        self.retries.retain(|index, _| {
            waits.iter().any(|wait| wait.index == *index && matches!(wait.wait, Wait::Retry { .. }))
        });
        let lines = waits.iter().filter(|wait| self.is_new(wait));
        lines.map(|EpisodeWait { reference, wait, .. }| format!("{reference}: {wait}")).collect()
    }

    fn is_new(&mut self, EpisodeWait { index, wait, .. }: &EpisodeWait) -> bool {
        match wait {
            Wait::Retry { seconds, attempt, .. } if *seconds >= LONG_RETRY => {
                self.retries.insert(*index, *attempt) != Some(*attempt)
            }
            Wait::Reply { seconds, .. } if *seconds >= LONG_REPLY => {
                self.replies.insert(*index, true).is_none()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retry(seconds: u64, attempt: u32) -> [EpisodeWait; 1] {
        let wait = Wait::Retry { seconds, attempt, most: 3, why: "busy".into() };
        [EpisodeWait { index: 4, reference: "sokoban/mini/5".into(), wait }]
    }

    #[test]
    fn each_long_wait_has_one_line() {
        let mut notices = WaitNotices::default();
        assert!(notices.new_ones(&retry(2, 2)).is_empty());
        assert_eq!(notices.new_ones(&retry(14, 2)), ["sokoban/mini/5: retry 1 of 2 in 14 s: busy"]);
        assert!(notices.new_ones(&retry(13, 2)).is_empty());
        assert_eq!(notices.new_ones(&retry(9, 3)).len(), 1, "another try");
        assert!(notices.new_ones(&[]).is_empty());
        assert_eq!(notices.new_ones(&retry(9, 3)).len(), 1, "another request");
    }

    #[test]
    fn a_slow_server_is_mentioned_once_an_episode() {
        let slow = |seconds| {
            [EpisodeWait {
                index: 0,
                reference: "hall".into(),
                wait: Wait::Reply { seconds, attempt: 1, most: 1 },
            }]
        };
        let mut notices = WaitNotices::default();
        assert!(notices.new_ones(&slow(29)).is_empty());
        assert_eq!(notices.new_ones(&slow(31)), ["hall: waiting for the server, 31 s"]);
        assert!(notices.new_ones(&slow(32)).is_empty() && notices.new_ones(&slow(90)).is_empty());
    }
}
