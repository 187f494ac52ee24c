//! Reads a reply as its episode does. One that was truncated or refused is unreadable, whatever its text is, unless the
//! policy of the episode reads what has come.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use mageyard_dialog::{ParseError, ParseOutcome, ReaderRules, Spans, parse_reply};
use mageyard_domain::{ActionSpace, EpisodePolicy, ReplyEnding, ReplyFormat};

/// How the replies of an episode are read.
#[derive(Clone, Copy, Debug)]
pub struct ReplyReader<'a> {
    /// The reader.
    pub rules: &'a ReaderRules,
    /// The format that [`ReaderRules::reply_format`] gives for the environment.
    pub format: &'a ReplyFormat,
    /// What happens after a reply that failed.
    pub policy: EpisodePolicy,
}

impl ReplyReader<'_> {
    /// Reads a reply with this ending. Of one that is not read, the name of the ending is the rule that failed. One that
    /// was truncated and is read may end in an open code block.
    pub fn read(self, text: &str, ending: &ReplyEnding, space: &ActionSpace) -> ParseOutcome {
        let Self { rules, format, policy } = self;
        match ending.name().filter(|_| policy.on_failed_reply(ending).is_some()) {
            Some(rule) => {
                let why = ending.to_string();
                let error = ParseError { rule: rule.to_owned(), why, at: None, near: Vec::new() };
                ParseOutcome { result: Err(error), spans: Spans::default() }
            }
            None if matches!(ending, ReplyEnding::Cut { .. }) => {
                parse_reply(&rules.for_cut_reply(), format, text, space)
            }
            None => parse_reply(rules, format, text, space),
        }
    }
}
