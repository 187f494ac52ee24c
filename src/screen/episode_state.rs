//! What an episode does, or how it ended: the word, the sign and the style that the status line, the lists and the dashboard
//! of a sweep show alike. States that differ have another word, another sign and another colour.

use ratatui::text::Span;

use crate::model::{EpisodeView, Model};
use crate::requests::SessionSummary;
use mageyard_engine::{Ending, Mode, Snapshot, Waiting};
use mageyard_terminal::{StyleRole, Theme};

/// The state of an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EpisodeState {
    /// Its environment is opening.
    Opening,
    /// It waits for a key.
    Paused,
    /// It waits at a breakpoint.
    Breakpoint,
    /// It runs by itself.
    Running,
    /// A person plays it in real time.
    RealTime,
    /// It waits for a reply or for its environment.
    Waiting,
    /// A question waits for the person.
    Question,
    /// Something failed; a key goes on.
    Error,
    /// A recording, which does not change.
    Recorded,
    /// A recording that is shown step by step by itself.
    Playing,
    /// A change that is not made yet.
    Preview,
    /// It was left before its end.
    #[default]
    Unfinished,
    /// Nothing can be read of it.
    Unreadable,
    /// It is over.
    Ended(Ending),
}

impl EpisodeState {
    /// The word, in lower case.
    pub(crate) fn word(self) -> String {
        let word = match self {
            Self::Opening => "opening",
            Self::Paused => "paused",
            Self::Breakpoint => "breakpoint",
            Self::Running => "running",
            Self::RealTime => "real time",
            Self::Waiting => "waiting",
            Self::Question => "question",
            Self::Error => "error",
            Self::Recorded => "recorded",
            Self::Playing => "playing",
            Self::Preview => "preview",
            Self::Unfinished => "unfinished",
            Self::Unreadable => "unreadable",
            Self::Ended(ending) => return ending.to_string(),
        };
        word.to_owned()
    }

    /// A sign of one column.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Opening => "·",
            Self::Paused | Self::Unfinished => "‖",
            Self::Breakpoint => "●",
            Self::Running | Self::RealTime | Self::Playing => "▶",
            Self::Waiting => "…",
            Self::Question => "?",
            Self::Error | Self::Unreadable => "!",
            Self::Recorded => "□",
            Self::Preview => "◇",
            Self::Ended(Ending::Won) => "✓",
            Self::Ended(Ending::Lost) => "✗",
            Self::Ended(_) => "■",
        }
    }

    pub(crate) fn role(self) -> StyleRole {
        match self {
            Self::Opening | Self::Paused | Self::Breakpoint | Self::Unfinished => StyleRole::StatePaused,
            Self::Running | Self::RealTime | Self::Playing => StyleRole::StateRunning,
            Self::Waiting | Self::Question | Self::Preview => StyleRole::StateWaiting,
            Self::Error | Self::Unreadable => StyleRole::StateError,
            Self::Recorded => StyleRole::StateRecorded,
            Self::Ended(Ending::Won) => StyleRole::StateWon,
            Self::Ended(Ending::Lost) => StyleRole::StateLost,
            Self::Ended(_) => StyleRole::StateStopped,
        }
    }

    /// `✓ won`.
    pub(crate) fn label(self) -> String {
        format!("{} {}", self.sign(), self.word())
    }

    /// The label in a list.
    pub(crate) fn span(self, theme: &Theme) -> Span<'static> {
        Span::styled(self.label(), theme.style(self.role()))
    }

    /// The state of what is shown.
    pub(crate) fn of(model: &Model, viewed: &EpisodeView) -> Self {
        let run = &viewed.snapshot.run;
        match (run.mode, run.waiting) {
            _ if run.error.is_some() => Self::Error,
            _ if viewed.previews() => Self::Preview,
            (Mode::Recorded, _) if viewed.playback.is_some() => Self::Playing,
            (Mode::Recorded, _) => Self::Recorded,
            (_, Waiting::Ended(ending)) => Self::Ended(ending),
            (_, Waiting::Person) => Self::Question,
            (_, Waiting::Opening) => Self::Opening,
            _ if viewed.step().is_none() => Self::Opening,
            (Mode::Running { .. }, _) => Self::Running,
            (Mode::Paused, _) if model.is_real_time() => Self::RealTime,
            (Mode::Paused, Waiting::Ask | Waiting::Apply) if run.break_reason.is_some() => Self::Breakpoint,
            (Mode::Paused, Waiting::Reply | Waiting::Environment) => Self::Waiting,
            (Mode::Paused, _) => Self::Paused,
        }
    }

    /// How an episode is listed: how it ended, or what it does.
    pub(crate) fn listed(snapshot: &Snapshot) -> Self {
        match (snapshot.run.mode, snapshot.run.waiting) {
            (_, Waiting::Ended(ending)) => Self::Ended(ending),
            _ if snapshot.run.error.is_some() => Self::Error,
            (Mode::Recorded, _) => Self::Unfinished,
            (_, Waiting::Person) => Self::Question,
            (Mode::Running { .. }, _) => Self::Running,
            (Mode::Paused, Waiting::Opening) => Self::Opening,
            (Mode::Paused, Waiting::Reply | Waiting::Environment) => Self::Waiting,
            (Mode::Paused, _) => Self::Paused,
        }
    }

    /// The ending that this word names.
    pub(crate) fn ended(word: &str) -> Option<Self> {
        Ending::ALL.into_iter().find(|ending| ending.to_string() == word).map(Self::Ended)
    }
}

/// The states of a session in a list: how its episodes ended, and whether one has not.
pub(crate) fn session_states(session: &SessionSummary, is_unfinished: bool) -> Vec<EpisodeState> {
    let endings = session.fields.endings.iter().filter_map(|word| EpisodeState::ended(word));
    is_unfinished.then_some(EpisodeState::Unfinished).into_iter().chain(endings).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ratatui::style::{Color, Style};

    use super::*;
    use mageyard_terminal::{ColorDepth, console_symbol};

    /// The states that a person must tell apart.
    const TOLD_APART: [EpisodeState; 8] = [
        EpisodeState::Paused,
        EpisodeState::Running,
        EpisodeState::Waiting,
        EpisodeState::Ended(Ending::Won),
        EpisodeState::Ended(Ending::Lost),
        EpisodeState::Ended(Ending::StepLimit),
        EpisodeState::Error,
        EpisodeState::Recorded,
    ];

    #[test]
    fn states_differ_in_word_sign_and_colour_in_every_theme() {
        let count = TOLD_APART.len();
        let words: HashSet<String> = TOLD_APART.iter().map(|state| state.word()).collect();
        let signs: HashSet<&str> = TOLD_APART.iter().map(|state| state.sign()).collect();
        assert_eq!((words.len(), signs.len()), (count, count));
        for name in ["dark", "light", "ansi16", "ansi16-light"] {
            let theme = Theme::named(name).unwrap();
            let style = |state: &EpisodeState| theme.style(state.role());
            let colours: HashSet<Style> = TOLD_APART.iter().map(style).collect();
            assert_eq!(colours.len(), count, "{name}: {colours:?}");
        }
        let plain = Theme::named("dark").unwrap().for_depth(ColorDepth::None);
        for state in TOLD_APART {
            let style = plain.style(state.role());
            assert!(matches!(style.fg, None | Some(Color::Reset)), "{state:?}: {style:?}");
        }
    }

    #[test]
    fn every_sign_is_one_column_and_differs_on_a_console() {
        let shown = TOLD_APART.map(|state| {
            let sign = state.sign();
            sign.chars().next().and_then(console_symbol).unwrap_or(sign)
        });
        assert_eq!(HashSet::from(shown).len(), TOLD_APART.len(), "{shown:?}");
        assert!(TOLD_APART.iter().all(|state| Span::raw(state.sign()).width() == 1));
    }

    #[test]
    fn an_ending_is_found_by_its_word() {
        for ending in Ending::ALL {
            assert_eq!(EpisodeState::ended(&ending.to_string()), Some(EpisodeState::Ended(ending)));
        }
        assert_eq!(EpisodeState::ended("elsewhere"), None);
    }
}
