//! What `:set NAME=VALUE` changes in the running session, and why it does not change the rest.

use crate::command::CommandId;
use crate::model::{EpisodeView, Model};
use mageyard_config::{setting_default, setting_summary};
use mageyard_domain::nearest_names;

/// How a setting is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The number of outputs in the request.
    Actions,
    /// The number of frames in the request.
    Frames,
    /// By this command, with the value as its argument.
    By(CommandId),
    /// The delay between two steps, in milliseconds.
    Pace,
    /// A setting of the agent, from the next request on.
    Agent,
    /// An episode keeps it: a branch can have another one.
    Branch,
}

/// A setting that can be named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changeable {
    /// Its name after `:set`.
    pub(crate) name: &'static str,
    pub(crate) change: Change,
    /// Its name in the settings file, which says what it is; empty where `about` says it.
    full_name: &'static str,
    about: &'static str,
}

const fn row(name: &'static str, change: Change, full_name: &'static str, about: &'static str) -> Changeable {
    Changeable { name, change, full_name, about }
}

/// The settings of the session and the screen, then those of the agent's requests, then those that a branch changes.
const CHANGEABLE: &[Changeable] = &[
    row("am", Change::Actions, "", "how many of the last outputs are in the request, 0 and up"),
    row(
        "om",
        Change::Frames,
        "",
        "how many of the last frames are in the request, the current one included, 1 to AM",
    ),
    row("prompt", Change::By(CommandId::Prompt), "", "the prompt variant"),
    row("hint", Change::By(CommandId::Hint), "", "a text that requests have in addition; none removes it"),
    row("agent", Change::By(CommandId::Seat), "", "who decides from the next request on"),
    row("pace", Change::Pace, "screen.pace", ""),
    row("break", Change::By(CommandId::Break), "", "a condition that pauses a run"),
    row("temperature", Change::Agent, "model.temperature", ""),
    row("top_p", Change::Agent, "model.top_p", ""),
    row("max_tokens", Change::Agent, "model.max_tokens", ""),
    row("frequency_penalty", Change::Agent, "model.frequency_penalty", ""),
    row("top_logprobs", Change::Agent, "model.top_logprobs", ""),
    row("extra", Change::Agent, "model.extra", ""),
    row("resolution", Change::Agent, "model.resolution", ""),
    row("stream", Change::Agent, "model.stream", ""),
    row("max_retries", Change::Agent, "model.max_retries", ""),
    row("timeout", Change::Agent, "model.timeout", ""),
    row("reader", Change::Branch, "play.reader", ""),
    row("theme", Change::By(CommandId::Theme), "", "the colors"),
    row("pictures", Change::By(CommandId::Pictures), "", "the form of pictures"),
    row("link", Change::By(CommandId::Link), "", "auto, slow or fast"),
    row("mouse", Change::By(CommandId::Mouse), "", "on or off"),
];

impl Changeable {
    /// What it is, with its range.
    pub(crate) fn about(&self) -> String {
        match (self.full_name, self.change) {
            ("", _) => self.about.to_owned(),
            (name, Change::Branch) => format!("{}; changed in a branch", setting_summary(name)),
            (name, _) => setting_summary(name).to_owned(),
        }
    }
}

/// Those that can be named in the shown episode.
pub(crate) fn changeable(model: &Model) -> impl Iterator<Item = &'static Changeable> {
    let asks = model.episode().is_some_and(EpisodeView::sends_requests);
    CHANGEABLE.iter().filter(move |row| row.change != Change::Agent || asks)
}

/// The setting of this name; its full name is known too.
pub(crate) fn find(name: &str) -> Result<&'static Changeable, String> {
    let found = CHANGEABLE.iter().find(|row| row.name == name || (row.full_name == name && !name.is_empty()));
    found.ok_or_else(|| {
        if !setting_default(name).is_empty() {
            return format!("{name} is read when a session begins: start it with --set {name}=VALUE");
        }
        let near = nearest_names(name, CHANGEABLE.iter().map(|row| row.name));
        match near.as_slice() {
            [] => format!("there is no setting {name:?}; Tab after :set lists them"),
            near => format!("there is no setting {name:?}; did you mean {}?", near.join(" or ")),
        }
    })
}
