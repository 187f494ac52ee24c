//! The state of the session in a few words, and what comes next.

use ratatui::style::Modifier;
use ratatui::text::Span;

use crate::command::CommandId;
use crate::episode_state::EpisodeState;
use crate::model::{EpisodeView, Model};
use crate::tutor::{EnterUse, Tutor};
use mageyard_domain::Setting;
use mageyard_engine::{Ending, Mode, Waiting};
use mageyard_terminal::{StyleRole, delay, truncate};

/// The state of the session in capitals, on its colour.
pub(in crate::panes) fn state_span(model: &Model, viewed: &EpisodeView) -> Span<'static> {
    let state = EpisodeState::of(model, viewed);
    let style = model.style(StyleRole::Background).patch(model.style(state.role()));
    let text = format!(" {} {} ", state.sign(), state_words(model, viewed));
    Span::styled(text, style.add_modifier(Modifier::REVERSED | Modifier::BOLD))
}

/// The state of the session in capitals, with the steps that are left of a run.
pub(in crate::panes) fn state_words(model: &Model, viewed: &EpisodeView) -> String {
    match (EpisodeState::of(model, viewed), viewed.snapshot.run.mode) {
        (EpisodeState::Ended(ending), _) => ending_text(viewed, ending).to_uppercase(),
        (EpisodeState::Running, Mode::Running { left: Some(left) }) => format!("RUNNING {left}"),
        (state, _) => state.word().to_uppercase(),
    }
}

/// How the episode ended. A refusal is told apart from a filter and a tool call, which end an episode alike.
fn ending_text(viewed: &EpisodeView, ending: Ending) -> String {
    let failed = failed_reply(viewed).filter(|_| matches!(ending, Ending::ReplyCut | Ending::Refusal));
    failed.map_or_else(|| ending.to_string(), str::to_owned)
}

/// The text beside the state: the error, or the breakpoints and the next key.
pub(in crate::panes) fn next_text(model: &Model, viewed: &EpisodeView) -> (String, StyleRole) {
    if let Some(error) = &viewed.snapshot.run.error {
        return (error.clone(), StyleRole::Fault);
    }
    let words = [breakpoints(viewed), next_key(model, viewed)];
    let said: Vec<_> = words.into_iter().filter(|words| !words.is_empty()).collect();
    (said.join(" · "), StyleRole::Status)
}

/// The breakpoints that are set.
fn breakpoints(viewed: &EpisodeView) -> String {
    let breaks = &viewed.snapshot.run.breakpoints;
    if breaks.is_empty() { String::new() } else { format!("break on {breaks}") }
}

/// The next half of a step and the key that runs it.
fn next_key(model: &Model, viewed: &EpisodeView) -> String {
    let key = |deed| model.key_or_name(deed);
    let recorded = viewed.snapshot.run.mode == Mode::Recorded;
    match model.shown_tutor().map(Tutor::enter_use).filter(|_| !viewed.is_busy()) {
        Some(EnterUse::GoesOn) => return format!("{} goes on", key(CommandId::Step)),
        Some(EnterUse::Nothing) => return String::new(),
        Some(EnterUse::Steps) | None => {}
    }
    match viewed.snapshot.run.waiting {
        _ if viewed.previews() => format!("{} ends the preview", key(CommandId::Cancel)),
        _ if recorded && viewed.playback.is_some() => {
            let pace = viewed.playback_pace.unwrap_or(model.appearance.settings.pace);
            format!("{} pauses, {}", key(CommandId::Run), delay(pace))
        }
        _ if recorded && !viewed.looks_back() && viewed.newest_index() > 0 => {
            format!("at the end: {} plays it, {} first step", key(CommandId::Run), key(CommandId::First))
        }
        _ if recorded => format!("{} plays", key(CommandId::Run)),
        Waiting::Ended(_) => {
            let online = viewed.snapshot.continues_online && viewed.snapshot.head.setting == Setting::Global;
            let fork =
                if online { format!(", {} goes on Online", key(CommandId::Fork)) } else { String::new() };
            let next = model.names.level_after(&viewed.snapshot.head.reference).filter(|_| viewed.live);
            let again = format!("{} plays it again", key(CommandId::Restart));
            let next = next.map_or(again, |next| format!("{} plays {next}", key(CommandId::Step)));
            format!("{next}{fork}")
        }
        Waiting::Opening => String::new(),
        Waiting::Person => format!("{} answers the question", key(CommandId::Step)),
        _ if viewed.step().is_none() => format!("{} cancels", key(CommandId::Cancel)),
        Waiting::Reply => {
            let wait = model.wait_words().map(|words| format!("{words}, ")).unwrap_or_default();
            format!("{wait}{} cancels the request", key(CommandId::Cancel))
        }
        Waiting::Ask | Waiting::Environment if model.is_real_time() => {
            format!("{} stops the clock", key(CommandId::Run))
        }
        Waiting::Environment => format!("{} interrupts the environment", key(CommandId::Cancel)),
        _ if viewed.is_running() => format!("{} pauses, {}", key(CommandId::Run), delay(viewed.pace())),
        Waiting::Ask if viewed.is_human() => {
            let clock = model.clock.as_ref().map(|clock| format!(" · {clock}")).unwrap_or_default();
            match viewed.snapshot.head.setting {
                Setting::Online => format!("your move{clock}"),
                Setting::Global => format!("your plan: :plan Up,Left,…{clock}"),
            }
        }
        Waiting::Look => format!("{} looks at the environment", key(CommandId::Step)),
        Waiting::Settle => format!("{} asks what the last action came to", key(CommandId::Step)),
        Waiting::Verdict => format!("{} has the environment judge the episode", key(CommandId::Step)),
        Waiting::Ask => {
            let failed = failed_reply(viewed).map(|label| format!("{label} · ")).unwrap_or_default();
            format!("{failed}{} asks the agent", key(CommandId::Step))
        }
        Waiting::Apply => {
            let action = viewed.snapshot.steps.last().and_then(|step| step.action.as_ref());
            let name = action.map(|action| truncate(&action.label(), 20)).unwrap_or_default();
            format!("{} applies {name}", key(CommandId::Step))
        }
    }
}

/// What the last reply was, if it was cut, refused or filtered, or called a tool, and nothing came after it.
fn failed_reply(viewed: &EpisodeView) -> Option<&'static str> {
    let attempt = viewed.snapshot.steps.last()?.attempts.last()?;
    attempt.is_unread().then(|| attempt.ending.label())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing;
    use mageyard_domain::ReplyEnding;
    use mageyard_engine::{Attempt, Snapshot};

    /// The episode whose last reply had this ending, while this is waited for.
    fn with_last_reply(ending: ReplyEnding, waiting: Waiting) -> Model {
        let mut model = testing::model(120, 40);
        let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
        let last = snapshot.steps.len() - 1;
        let step = Arc::make_mut(snapshot.steps.get_mut(last).unwrap());
        step.attempts = vec![Attempt { ending, ..Attempt::pending(String::new().into(), None) }];
        (snapshot.run.waiting, snapshot.run.mode) = (waiting, Mode::Paused);
        model.episodes[0].snapshot = Arc::new(snapshot);
        model
    }

    #[test]
    fn a_refusal_a_cut_reply_and_a_filter_have_their_own_text() {
        let refused = || ReplyEnding::Refused { message: "no".into() };
        for (reply, ending, text) in [
            (refused(), Ending::Refusal, " ■ REFUSAL "),
            (ReplyEnding::Filtered, Ending::Refusal, " ■ FILTERED REPLY "),
            (ReplyEnding::ToolCall { name: "x".into() }, Ending::Refusal, " ■ TOOL CALL "),
            (ReplyEnding::Cut { why: String::new() }, Ending::ReplyCut, " ■ CUT REPLY "),
            (ReplyEnding::Filtered, Ending::TimeLimit, " ■ TIME LIMIT "),
        ] {
            let model = with_last_reply(reply, Waiting::Ended(ending));
            assert_eq!(state_span(&model, model.episode().unwrap()).content, text);
        }
        for (reply, text) in [
            (refused(), "refusal · Enter asks the agent"),
            (ReplyEnding::Filtered, "filtered reply · Enter asks the agent"),
            (ReplyEnding::Complete, "Enter asks the agent"),
        ] {
            let model = with_last_reply(reply, Waiting::Ask);
            assert_eq!(next_key(&model, model.episode().unwrap()), text);
        }
    }
}
