//! Snapshots made by hand, for tests of the screen.

mod board;
mod told;
pub(crate) use self::board::observation;
use self::told::LIST;
use self::told::SOLO;
pub(crate) use self::told::Told;
use crate::dialog::Prompt;
use crate::domain::Action;
use crate::domain::AgentError;
use crate::domain::Message;
use crate::domain::Packing;
use crate::domain::Sent;
use crate::domain::Setting;
use crate::domain::Status;
use crate::engine::Distance;
use crate::engine::Distances;
use crate::engine::Mode;
use crate::engine::Snapshot;
use crate::tui::keymap::Keymap;
use crate::tui::look::Look;
use crate::tui::look::Settings;
use crate::tui::look::View;
use crate::tui::model::Model;
use crate::tui::model::Viewed;
use crate::tui::theme::Depth;
use crate::tui::theme::Theme;
use crossterm::event::KeyEvent;
use ratatui::layout::Size;
use std::sync::Arc;
use std::time::Duration;

/// A run of some steps with everything in it, an accepted action pending at its end.
pub(crate) fn story() -> Told {
    Told::new("oracle", Setting::Online, (3, 2))
        .step("Left", -0.5, true)
        .step("Up", 4.5, true)
        .step("Up", -0.5, false)
        .say("I think the box should go to the left, so my answer is Left.")
        .step("Right", -0.5, true)
        .say("# analyze\nnothing\n\n# action\nleft")
        .say("# analyze\nstill nothing\n\n# action\nJump")
        .say("no heading at all")
        .step("Down", -5.5, true)
        .say(&SOLO.write(
            "The right box is free on its left side. Pushing it right twice would lock it against the wall, so I go round by the lower row first and come back from above.",
            &[Action::plain("Right")],
        ))
}

/// A run in which everything went wrong that has a name.
pub(crate) fn faulty() -> Told {
    let unread = |told: Told| (0..3).fold(told, |told, _| told.say("I cannot see the frame."));
    let walked = Told::new("faulty", Setting::Online, (3, 2))
        .step("Left", -0.5, true)
        .step("Up", 4.5, true)
        .say("no heading at all")
        .step("Up", -0.5, false);
    let stuck = (0..6).fold(unread(walked), |told, _| told.step("Right", -0.5, false));
    stuck.step("Left", -0.5, true).lose().step("Up", -5.5, true).step("Down", -0.5, true)
}

/// The same with the distances of its states: a detour at the first step, and a search that proves the level
/// lost a step before the rules do.
pub(crate) fn astray() -> Snapshot {
    let left = [9, 10, 9, 9, 9, 9, 9, 9, 9, 9, 9].map(|left| Some(Distance::ToGo(left)));
    let lost = [(); 3].map(|()| Some(Distance::Lost));
    faulty().snapshot().along(Distances::new(left.into_iter().chain(lost).collect(), true))
}

pub(crate) fn plan() -> Told {
    let actions = ["Left", "Up", "Up", "Right", "Right", "Down", "Left", "Left", "Up"].map(Action::plain);
    Told::new("oracle", Setting::Global, (5, 1))
        .say(&LIST.write("Nine moves solve it: the left box first, then the right one.", &actions))
        .act(-0.5, true, Status::Running)
        .act(-0.5, true, Status::Running)
        .act(4.5, true, Status::Running)
}

pub(crate) fn look(theme: &str) -> Look {
    let pace = Duration::from_millis(300);
    let settings = Settings { depth: Depth::True, view: View::Auto, mouse: true, pace, tmux: false };
    Look {
        theme: Theme::named(theme).unwrap(),
        keys: Keymap::default(),
        settings,
        prices: crate::domain::Prices::default(),
    }
}

pub(crate) fn on(snapshot: Snapshot, width: u16, height: u16) -> Model {
    let live = snapshot.mode != Mode::Recorded;
    Model::new(look("dark"), Size::new(width, height), vec![Viewed::new(Arc::new(snapshot), live)])
}

/// The story on a screen of this size.
pub(crate) fn model(width: u16, height: u16) -> Model {
    on(story().snapshot(), width, height)
}

const PROMPT: &str = "+++
name = \"plain\"
summary = \"few words\"
+++
## system
You play.
## task
Solve it.
## io
{format}
## turn
Then:
## placeholder
(no frame)
## retry
Again:
{format}
";

/// The story of an agent that can be asked by two prompts, `plain` and `blind`.
pub(crate) fn asking() -> Model {
    let plain = Prompt::parse(PROMPT).unwrap();
    let blind = Prompt::parse(&PROMPT.replace("\"plain\"", "\"blind\"\nimages = false")).unwrap();
    let prompts: Arc<[Prompt]> = [plain, blind].into();
    let snapshot = Snapshot { prompt: "plain".into(), prompts, form: Some(SOLO), ..story().snapshot() };
    on(snapshot, 120, 40)
}

/// A server that nothing is ever sent to.
#[derive(Debug)]
struct There;

impl Packing for There {
    fn pack(&self, _: &[Message]) -> Result<Sent, AgentError> {
        Ok(Sent::default())
    }

    fn scaled(&self, painted: (u32, u32)) -> (u32, u32) {
        painted
    }

    fn address(&self) -> &'static str {
        "http://127.0.0.1:1/v1"
    }

    fn key_variable(&self) -> &'static str {
        ""
    }
}

/// The same with an agent that sends requests.
pub(crate) fn sending(snapshot: Snapshot) -> Snapshot {
    Snapshot { packing: Some(Arc::new(There)), ..snapshot }
}

/// A key as `keys.toml` spells it, or one letter.
pub(crate) fn key(name: &str) -> KeyEvent {
    super::still::key(name).unwrap()
}
