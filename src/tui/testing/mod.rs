//! Snapshots made by hand, for tests of the screen.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::layout::Size;

use super::keymap::Keymap;
use super::look::Look;
use super::look::Settings;
use super::look::View;
use super::model::Model;
use super::model::Viewed;
use super::theme::Depth;
use super::theme::Theme;
use crate::dialog::Layout;
use crate::dialog::Prompt;
use crate::dialog::Rules;
use crate::dialog::read;
use crate::domain::Action;
use crate::domain::ActionSpace;
use crate::domain::AgentError;
use crate::domain::Conduct;
use crate::domain::Form;
use crate::domain::Message;
use crate::domain::Observation;
use crate::domain::Opening;
use crate::domain::Options;
use crate::domain::Outcome;
use crate::domain::Packing;
use crate::domain::Part;
use crate::domain::Picture;
use crate::domain::Reference;
use crate::domain::Sent;
use crate::domain::Setting;
use crate::domain::Status;
use crate::domain::Window;
use crate::engine::Distance;
use crate::engine::Distances;
use crate::engine::Episode;
use crate::engine::Event;
use crate::engine::Head;
use crate::engine::Mode;
use crate::engine::Need;
use crate::engine::Snapshot;
use crate::engine::Waiting;
use crate::engine::judge;

const BOARD: [&str; 7] = ["#######", "#  .  #", "# $ $ #", "#  @  #", "# ##  #", "#  . ##", "#######"];
const SOLO: Form = Form::headings("# analyze", "# action", false);
const LIST: Form = Form::headings("### Analyze", "### Actions", true);

pub(crate) fn space() -> ActionSpace {
    ActionSpace::of(&[("Up", "up"), ("Down", "down"), ("Left", "left"), ("Right", "right")])
}

pub(crate) fn head(agent: &str, setting: Setting, window: (u16, u16)) -> Head {
    Head {
        program: "mageyard 0.1.0".into(),
        started: 0,
        environment: "sokoban".into(),
        reference: "sokoban/mini/7".into(),
        title: Some("Two doors".into()),
        number: 1,
        level: BOARD.join("\n"),
        options: Options::new(),
        agent: agent.into(),
        seated: Options::new(),
        seed: 1,
        setting,
        window: Window::new(window.0, window.1).unwrap(),
        prompt: "0s-CoT".into(),
        layout: Layout::default(),
        rules: Rules::named("strict").unwrap(),
        max_steps: 50,
        max_time: None,
        budget: crate::domain::Budget::default(),
        conduct: Conduct::default(),
    }
}

/// A board with the player so many columns from where it stands at first.
pub(crate) fn observation(moved: usize) -> Observation {
    let mut rows: Vec<String> = BOARD.map(String::from).to_vec();
    rows[3] = ["#  @  #", "# @   #", "#@    #", "#   @ #", "#    @#"][moved % 5].into();
    let text = rows.join("\n");
    Observation::told(vec![Part::Picture(Arc::new(painted(&rows)))], text, moved)
}

/// The same with the left box in a corner.
fn lost(moved: usize) -> Observation {
    let seen = observation(moved);
    let text = seen.text().replace("#  .  #\n# $ $ #", "#$ .  #\n#   $ #");
    Observation::told(seen.parts().to_vec(), text, moved)
}

fn cornered(seen: &Observation) -> Option<String> {
    seen.text()
        .contains("#$ .")
        .then(|| "the box at row 2, column 2 is in a corner that is no target".to_owned())
}

/// Tiles of 16 pixels, each kind plain to tell from the others.
fn painted(rows: &[String]) -> Picture {
    let tiles: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let (wide, high) = (tiles[0].len() * 16, tiles.len() * 16);
    let pixel = |x: usize, y: usize| paint(tiles[y / 16][x / 16], x % 16, y % 16);
    let rgb = (0..high).flat_map(|y| (0..wide).flat_map(move |x| pixel(x, y))).collect();
    Picture::new(u32::try_from(wide).unwrap(), u32::try_from(high).unwrap(), 16, rgb).unwrap()
}

fn paint(tile: char, x: usize, y: usize) -> [u8; 3] {
    let rim = x.min(y).min(15 - x).min(15 - y);
    match tile {
        '#' if y % 8 == 7 || (x + y / 8 * 8) % 16 == 15 => [120, 92, 84],
        '#' => [150, 74, 38],
        '$' if rim < 2 || x == y || x + y == 15 => [168, 96, 20],
        '$' => [222, 178, 60],
        '.' if rim >= 4 => [226, 70, 70],
        '@' if (3..13).contains(&x) && (2..14).contains(&y) => [70, 190, 90],
        _ => [34, 36, 44],
    }
}

/// An episode told by hand.
pub(crate) struct Told {
    pub(crate) episode: Episode,
    head: Arc<Head>,
    moved: usize,
    lost: bool,
}

impl Told {
    pub(crate) fn new(agent: &str, setting: Setting, window: (u16, u16)) -> Self {
        let head = Arc::new(head(agent, setting, window));
        let mut episode = Episode::new(head.clone());
        let opening = Opening { observation: observation(0), space: space(), status: Status::Running };
        let best = Reference { best: 57.5, steps: 9 };
        episode.apply(Event::Opened(opening, Some(best))).unwrap();
        Self { episode, head, moved: 0, lost: false }
    }

    /// The agent says this and it is read.
    pub(crate) fn say(mut self, reply: &str) -> Self {
        let form = if self.head.setting == Setting::Global { LIST } else { SOLO };
        let reading = read(&self.head.rules, &form, reply, &space());
        let verdict = match reading.verdict {
            Ok(actions) if form.list => Event::Planned(actions, reading.marks),
            Ok(actions) => Event::Accepted(actions[0].clone(), reading.marks),
            Err(failure) => Event::Refused(failure, reading.marks),
        };
        for event in [Event::Asked, Event::Replied(reply.to_owned().into()), verdict] {
            self.episode.apply(event).unwrap();
        }
        if *self.episode.need() == Need::Pass {
            self.episode.apply(Event::Passed).unwrap();
        }
        self
    }

    /// The environment does what is due.
    pub(crate) fn act(mut self, reward: f64, moves: bool, status: Status) -> Self {
        let Need::Act(action) = self.episode.need().clone() else { panic!("nothing is due") };
        self.moved += usize::from(moves);
        let observation = if self.lost { lost } else { observation }(self.moved);
        let note = (reward > 0.0).then(|| "a box entered a target".to_owned());
        let outcome = Outcome { observation, space: space(), reward, status, note };
        self.episode.apply(Event::Acted(action, outcome)).unwrap();
        self
    }

    /// From the next act on a box stands in a corner.
    pub(crate) fn lose(mut self) -> Self {
        self.lost = true;
        self
    }

    /// One whole step in the Online setting.
    pub(crate) fn step(self, action: &str, reward: f64, moves: bool) -> Self {
        let why = "The upper box stands one tile below its target. I walk round it, so that I can push it up from below.";
        let reply = SOLO.write(why, &[Action::plain(action)]);
        self.say(&reply).act(reward, moves, Status::Running)
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let waiting = match self.episode.need() {
            Need::Open => Waiting::Opening,
            Need::Act(_) => Waiting::Apply,
            Need::Nothing(ending) => Waiting::Ended(*ending),
            _ => Waiting::Ask,
        };
        Snapshot {
            head: self.head.clone(),
            steps: self.episode.steps().to_vec(),
            plan: self.episode.plan().cloned().collect(),
            window: self.episode.window(),
            returns: self.episode.returns(),
            faults: Arc::new(judge(&self.episode, &cornered, self.head.conduct.thresholds)),
            distances: Arc::default(),
            reference: self.episode.reference().cloned(),
            score: Some(self.episode.returns().best - 57.5 + 100.0),
            published: None,
            mode: Mode::Standing,
            waiting,
            pace: Duration::from_millis(300),
            mixed: self.episode.is_mixed(),
            fault: None,
            breaks: crate::engine::Breaks::default(),
            stopped: None,
            passed: None,
            heard: None,
            person: self.head.agent == "human",
            prompt: self.episode.prompt().to_owned(),
            prompts: Arc::default(),
            form: None,
            packing: None,
            journal: None,
            folder: PathBuf::from("/sessions/1"),
        }
    }
}

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
