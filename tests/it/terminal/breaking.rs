//! A screen of the library that breaks when it is told to: `:open panic` brings the house down, and
//! the agent falls when it is asked. It runs in this same test binary, started anew in a terminal.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use async_trait::async_trait;
use mageyard::config::Problem;
use mageyard::dialog::Layout;
use mageyard::dialog::Prompt;
use mageyard::dialog::Rules;
use mageyard::domain::Agent;
use mageyard::domain::AgentError;
use mageyard::domain::Answer;
use mageyard::domain::Ask;
use mageyard::domain::Setting;
use mageyard::domain::Window;
use mageyard::engine::Cast;
use mageyard::engine::Driver;
use mageyard::engine::Episode;
use mageyard::engine::Head;
use mageyard::engine::Journal;
use mageyard::engine::Session;
use mageyard::engine::Terms;
use mageyard::tui;
use mageyard::tui::Depth;
use mageyard::tui::House;
use mageyard::tui::Keymap;
use mageyard::tui::Look;
use mageyard::tui::Settings;
use mageyard::tui::Sitting;
use mageyard::tui::Theme;
use mageyard::tui::View;

use super::HALL;
use crate::pty::Pty;
use crate::world::World;

/// Where the journal goes; set in the process that is to be the screen, and only there.
const FOLDER: &str = "MAGEYARD_TEST_EPISODE";

/// The breaking screen in a terminal, drawn.
pub(super) fn breaking(world: &World) -> Pty {
    let folder = world.path("data/mageyard/sessions/20260101-000000-breaking/0001");
    std::fs::create_dir_all(&folder).unwrap();
    let usual = world.command(&[]);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["terminal::breaking::the_screen", "--exact", "--ignored", "--nocapture"]);
    command.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env(FOLDER, folder).current_dir(usual.get_current_dir().unwrap());
    let mut screen = Pty::start(&command, 120, 40);
    screen.sees("Enter asks the agent").drawn();
    screen
}

struct Breaking;

impl House for Breaking {
    fn open(&mut self, _: &str) -> Result<Session, Problem> {
        panic!("the house fell down");
    }

    fn levels(&self) -> Vec<String> {
        Vec::new()
    }

    fn themes(&self) -> Vec<String> {
        Vec::new()
    }

    fn theme(&mut self, name: &str) -> Result<Theme, Problem> {
        Theme::named(name)
    }

    fn draft(&mut self, _: &str, _: &str) -> Result<String, Problem> {
        Err(Problem::new("there are no prompts"))
    }

    fn keep(&mut self, _: &str, _: &str) -> Result<Prompt, Problem> {
        Err(Problem::new("there are no prompts"))
    }

    fn editor(&self) -> Option<String> {
        None
    }

    fn reload(&mut self) -> Result<Look, Problem> {
        Ok(look())
    }
}

#[async_trait]
impl Agent for Breaking {
    async fn decide(&mut self, _: Ask<'_>) -> Result<Answer, AgentError> {
        panic!("the agent fell down");
    }
}

fn look() -> Look {
    Look {
        theme: Theme::named("dark").unwrap(),
        keys: Keymap::default(),
        settings: settings(),
        prices: mageyard::domain::Prices::default(),
    }
}

fn session(folder: PathBuf) -> Session {
    let kind = mageyard::envs::kind("sokoban").unwrap();
    let level = kind.read(HALL).unwrap().remove(0);
    let environment = kind.open(&level, &mageyard::domain::Options::new()).unwrap();
    let head = Head {
        program: "a test".into(),
        started: 0,
        environment: "sokoban".into(),
        reference: "hall.xsb".into(),
        number: level.number,
        title: level.title,
        level: level.text,
        options: mageyard::domain::Options::new(),
        agent: "oracle".into(),
        seated: mageyard::domain::Options::new(),
        seed: 0,
        setting: Setting::Online,
        window: Window::new(5, 1).unwrap(),
        prompt: String::new(),
        layout: Layout::default(),
        rules: Rules::named("strict").unwrap(),
        max_steps: 50,
        max_time: None,
        budget: mageyard::domain::Budget::default(),
        conduct: mageyard::domain::Conduct::default(),
    };
    let journal = Box::new(Journal::create(&folder, &head).unwrap());
    let form = kind.form(Setting::Online).unwrap();
    let cast =
        Cast { environment, agent: Box::new(Breaking), form, prompts: Vec::new().into(), reference: None };
    let driver = Driver::new(Episode::new(head.into()), cast, journal, Duration::ZERO);
    Session::start(driver, Terms { kind, person: None, pace: Duration::ZERO, allowance: None, folder })
}

#[test]
#[ignore = "not a test: the stories start it in a terminal of its own"]
fn the_screen() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (_tell, changes) = tokio::sync::mpsc::unbounded_channel();
    let exit = threads.block_on(async {
        tui::run(&mut Breaking, Sitting::of(session(folder.into())), look(), changes).await
    });
    if let Err(error) = exit {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn settings() -> Settings {
    Settings { depth: Depth::True, view: View::Auto, mouse: true, pace: Duration::ZERO, tmux: false }
}
