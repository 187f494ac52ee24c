//! What an empty pane or list says: what fills it, and which key or command does. All of them are here, so that each says both.

use ratatui::text::{Line, Span};

use crate::command::CommandId;
use crate::model::{EpisodeView, Model};
use mageyard_engine::Waiting;
use mageyard_terminal::{StyleRole, wrap};

/// What is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Empty {
    /// The agent pane.
    Agent,
    /// The memory pane, before the environment is open.
    Memory,
    /// The filmstrip, before the environment is open.
    Steps,
    /// The list of episodes and recorded sessions.
    Recordings,
    /// A list of which a filter leaves nothing.
    Filtered,
    Suites,
    Branches,
    /// The steps that a search has found.
    Found,
    /// What was asked at a step, or about a suite.
    Asks {
        of_suite: bool,
    },
    Models,
    Seats,
    Themes,
}

/// The words.
pub(crate) fn words(model: &Model, what: Empty) -> String {
    let key = |id| model.key_or_name(id);
    match what {
        Empty::Agent => model.episode().map_or_else(String::new, |viewed| of_agent(model, viewed)),
        Empty::Memory if asks(model) => {
            "Which outputs and frames of earlier steps a request has is here once the level is open."
                .to_owned()
        }
        Empty::Memory => format!(
            "Which outputs and frames of earlier steps a request has is here once the level is open; {} cancels.",
            key(CommandId::Cancel)
        ),
        Empty::Steps => {
            format!("Each step gets a tick here once the level is open; {} makes one.", key(CommandId::Step))
        }
        Empty::Recordings => format!(
            "Nothing is recorded yet: every episode that is played is listed here; {} LEVEL plays one.",
            name(CommandId::Open)
        ),
        Empty::Filtered => "Nothing has these words; Backspace or Ctrl-U takes them back.".to_owned(),
        Empty::Suites => format!(
            "No suites: {} add NAME keeps the shown step as a state of one, which it creates.",
            name(CommandId::Suite)
        ),
        Empty::Branches => {
            format!("No branches: {} begins one at the shown step.", key(CommandId::Fork))
        }
        Empty::Found => format!("{} and another condition searches again.", name(CommandId::Find)),
        Empty::Asks { of_suite } => {
            let where_to = if of_suite { "about this suite" } else { "at this step" };
            format!("Nothing was asked {where_to} yet: Enter asks what the fields above say.")
        }
        Empty::Models => "No models: l looks for servers on this machine, u asks one by its URL.".to_owned(),
        Empty::Seats => format!(
            "No other agent can decide here; {} LEVEL begins an episode with one.",
            name(CommandId::Open)
        ),
        Empty::Themes => format!(
            "No themes: a file in the folder of themes is one; {} NAME takes one by its name.",
            name(CommandId::Theme)
        ),
    }
}

/// The command as it is typed.
fn name(id: CommandId) -> String {
    format!(":{}", id.command().name)
}

/// Whether a question waits for the person.
fn asks(model: &Model) -> bool {
    model.episode().is_some_and(|viewed| viewed.snapshot.run.waiting == Waiting::Person)
}

fn of_agent(model: &Model, viewed: &EpisodeView) -> String {
    let key = |id| model.key_or_name(id);
    match viewed.snapshot.run.waiting {
        Waiting::Person if viewed.step().is_none() => {
            format!("The level opens when you have answered: {} shows the question.", key(CommandId::Step))
        }
        _ if viewed.step().is_none() => {
            format!(
                "The replies of the agent are here once the level is open; {} cancels.",
                key(CommandId::Cancel)
            )
        }
        Waiting::Ask if viewed.live && viewed.is_human() => String::new(),
        Waiting::Ask if viewed.live && !viewed.looks_back() => format!(
            "The first reply appears here, with how it was read: {} sends the request and then carries out the action, {} \
             runs on.",
            key(CommandId::Step),
            key(CommandId::Run)
        ),
        _ => format!(
            "This step has no reply; {} and {} show other steps.",
            key(CommandId::Back),
            key(CommandId::Forward)
        ),
    }
}

/// The words in lines of this width.
pub(crate) fn lines(model: &Model, what: Empty, width: u16) -> Vec<Line<'static>> {
    let words = words(model, what);
    if words.is_empty() {
        return Vec::new();
    }
    wrap(&words, width, &Span::raw(""), model.style(StyleRole::Dim))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn everything_that_is_empty_says_what_fills_it_and_which_key_does() {
        let model = testing::model(120, 40);
        let opening = testing::with(testing::model(120, 40), |model| {
            let snapshot = std::sync::Arc::make_mut(&mut model.episodes[0].snapshot);
            snapshot.steps = mageyard_engine::Steps::default();
            snapshot.run.waiting = Waiting::Opening;
        });
        for what in [
            Empty::Agent,
            Empty::Memory,
            Empty::Steps,
            Empty::Recordings,
            Empty::Filtered,
            Empty::Suites,
            Empty::Branches,
            Empty::Found,
            Empty::Asks { of_suite: true },
            Empty::Models,
            Empty::Seats,
            Empty::Themes,
        ] {
            for model in [&model, &opening] {
                let said = words(model, what);
                let names_key = ["Enter", "Esc", "Ctrl-U", " f ", ":", " l ", " h "];
                assert!(names_key.iter().any(|key| said.contains(key)), "{what:?}: {said}");
            }
        }
        let text = crate::tests::screen_text(&opening);
        for part in ["The replies of the agent are here", "Which outputs and frames", "Each step gets a tick"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
