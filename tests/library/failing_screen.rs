//! A screen of the library that fails on demand: the drawing panics after `:open`, and the agent fails when asked. It
//! runs in this test binary, started again in a terminal.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mageyard::config::{LinkSetting, PictureForm};
use mageyard::dialog::ReaderRules;
use mageyard::domain::{
    Agent, AgentError, Answer, DecisionInput, DetailsError, Observation, ObservationDetails,
    ObservationInspector, Setting, Window,
};
use mageyard::engine::{
    Driver, Episode, Head, Journal, Participants, RecordedAgent, Session, SessionOptions, Snapshot,
};
use mageyard::screen::{
    Appearance, DisplaySettings, FrameView, Keymap, LabLink, Motion, Opened, Request, ScreenSpec,
};
use mageyard::terminal::{ColorDepth, Theme};

use crate::pty::Pty;
use crate::sandbox::Sandbox;

/// Three steps to the right solve it.
const HALL_LEVEL: &str = "; the hall\n#######\n#@ $ .#\n#######\n";

const LONG_LEVEL: &str = "; a longer hall\n########\n#@ $  .#\n########\n";

/// The folder of the journal; set only in the process that runs the screen.
const FOLDER: &str = "MAGEYARD_TEST_EPISODE";

/// Starts the failing screen in a terminal and waits for its first drawing.
pub(super) fn start_failing_screen(sandbox: &Sandbox) -> Pty {
    let folder = sandbox.path("data/mageyard/sessions/20260101-000000-breaking/0001");
    std::fs::create_dir_all(&folder).unwrap();
    let usual = sandbox.command(&[]);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["failing_screen::the_screen", "--exact", "--ignored", "--nocapture"]);
    command.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env(FOLDER, folder).current_dir(usual.get_current_dir().unwrap());
    let mut screen = Pty::start(&command, 120, 40);
    screen.sees("Enter asks the agent").drawing_ends();
    screen
}

/// Fails unless the sandbox has one journal, which is complete and valid.
fn assert_journal_valid(sandbox: &Sandbox) {
    let result = sandbox.run(&["log", "check", "--json"]);
    assert_eq!(result.code, Some(0), "{result:?}");
    let rows = result.json_lines();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0]["whole"] == true && rows[0]["torn"].is_null(), "{rows:?}");
}

/// A lab task whose only answer to `:open` is a session that makes the screen panic when it is drawn: its state was not
/// inspected before.
fn failing_lab(mut opened: Session) -> LabLink {
    let (link, mut requests, answers) = LabLink::new();
    tokio::spawn(async move {
        while let Some(requested) = requests.recv().await {
            let (Request::OpenLevel(_), answers) = requested.split(&answers) else { continue };
            let has_begun = |snapshot: &Arc<Snapshot>| snapshot.steps.last().is_some();
            let mut snapshot = Snapshot::clone(&opened.snapshots.wait_for(has_begun).await.unwrap().clone());
            snapshot.presentation.inspector = Some(&FailingInspector);
            let snapshots = tokio::sync::watch::channel(Arc::new(snapshot)).1;
            answers.opened(Opened::Level(Ok(Session { commands: None, snapshots })));
        }
    });
    link
}

#[derive(Debug)]
struct FailingInspector;

impl ObservationInspector for FailingInspector {
    fn inspect(&self, _: &Observation) -> Result<ObservationDetails, DetailsError> {
        panic!("the house fell down");
    }
}

struct FailingAgent;

#[async_trait]
impl Agent for FailingAgent {
    async fn decide(&mut self, _: DecisionInput<'_>) -> Result<Answer, AgentError> {
        panic!("the agent fell down");
    }
}

fn plain_appearance() -> Appearance {
    Appearance {
        theme: Theme::named("dark").unwrap(),
        keys: Keymap::default(),
        settings: settings(),
        prices: mageyard::domain::Prices::default(),
    }
}

fn session(folder: PathBuf, level: &str) -> Session {
    let kind = mageyard::envs::environment("sokoban").unwrap();
    let level = kind.parse_levels(level).unwrap().remove(0);
    let environment = kind.open(&level, &mageyard::domain::Options::new(), 0).unwrap();
    let agent = RecordedAgent::named("oracle");
    let rules = ReaderRules::named("strict").unwrap();
    let window = Window::new(5, 1).unwrap();
    let head = Head { window, max_steps: 50, ..Head::new("sokoban", "hall.xsb", level, agent, rules, 0) };
    let journal = Box::new(Journal::create(&folder, &head).unwrap());
    let form = kind.reply_format(Setting::Online).unwrap();
    let cast = Participants {
        environment,
        agent: Box::new(FailingAgent),
        form,
        prompts: Vec::new().into(),
        reference_search: None,
        roles: mageyard_engine::RoleSeats::default(),
    };
    let driver = Driver::new(Episode::new(head.into()), cast, journal, Duration::ZERO);
    Session::start(
        driver,
        SessionOptions { kind, person: None, pace: Duration::ZERO, distance_limits: None, folder },
    )
}

#[test]
#[ignore = "not a test: the stories start it in a terminal of its own"]
fn the_screen() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (_tell, changes) = tokio::sync::mpsc::unbounded_channel();
    let exit = threads.block_on(async {
        let folder = PathBuf::from(folder);
        // Outside of the store, which has one journal at the end.
        let other = folder.ancestors().nth(5).unwrap().join("other");
        std::fs::create_dir_all(&other).unwrap();
        let lab = failing_lab(session(other, LONG_LEVEL));
        mageyard::screen::run(
            lab,
            ScreenSpec::single(session(folder, HALL_LEVEL)),
            plain_appearance(),
            changes,
        )
        .await
    });
    if let Err(error) = exit {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn settings() -> DisplaySettings {
    DisplaySettings {
        pictures: Some(PictureForm::HalfBlocks),
        passthrough: false,
        outside: mageyard::terminal::OutsideTerminal::default(),
        known: None,
        assumed_size: mageyard::terminal::USUAL_SIZE,
        can_ask: false,
        link: LinkSetting::Fast,
        remote: false,
        depth: ColorDepth::TrueColor,
        view: FrameView::Auto,
        mouse: true,
        layout: mageyard::terminal::Proportions::default(),
        copy_route: mageyard::terminal::CopyRoute::Terminal,
        linear: false,
        motion: Motion::Full,
        pace: Duration::ZERO,
        tmux: false,
        console: false,
    }
}

#[test]
fn on_a_panic_with_its_message_readable() {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    let mut screen = start_failing_screen(&sandbox);
    screen.command("open panic");
    let ended = screen.wait_for_exit().assert_restored(101);
    assert!(ended.text_after_screen().contains("the house fell down"), "{}", ended.text_after_screen());
    assert_journal_valid(&sandbox);
}

#[test]
fn on_an_error_with_its_message_readable() {
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    let mut screen = start_failing_screen(&sandbox);
    screen.press("enter");
    let ended = screen.wait_for_exit().assert_restored(1);
    assert!(ended.text_after_screen().contains("the agent fell down"), "{}", ended.text_after_screen());
    assert!(
        ended.text_after_screen().contains("sessions are saved up to their last event"),
        "{}",
        ended.text_after_screen()
    );
    assert_journal_valid(&sandbox);
}
