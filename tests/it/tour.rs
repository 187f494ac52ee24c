//! The tour of the README and the tasks of `docs/tasks.md`, played as written by the real binary in a pseudo-terminal. The keys of
//! the tasks are counted.

use std::fs;
use std::path::Path;

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// The address in the documents, in whose place the test has a server of its own, and its port where keys type it.
const ADDRESS: &str = "http://127.0.0.1:8080/v1";
const PORT: &str = "8080";
const SERVER: &str = "cargo run --example server";
/// What separates the keys of a task from what is made before.
const KEYS: &str = " Keys: ";

/// What a step of the tour says: `**key**` is pressed, a command in backquotes is run, and text in backquotes
/// after "shows" must appear.
#[derive(Debug, PartialEq, Eq)]
enum Action {
    Run(Vec<String>),
    Serve,
    Press(String),
    Expect(String),
}

/// A document of the project.
fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap()
}

/// The section of a document with this title.
fn section<'a>(document: &'a str, title: &str) -> &'a str {
    let is_it = |section: &&str| section.lines().next() == Some(title);
    document.split("\n## ").find(is_it).unwrap_or_else(|| panic!("there is no section {title}"))
}

/// The numbered steps of a section, each with its continuation lines.
fn steps(section: &str) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    for line in section.lines() {
        let number = line.split_once(". ").and_then(|(number, _)| number.parse::<usize>().ok());
        match (number, steps.last_mut()) {
            (Some(number), _) => {
                assert_eq!(number, steps.len() + 1, "the steps are not in order: {line}");
                steps.push(line.to_owned());
            }
            (None, Some(step)) if line.starts_with("    ") => {
                step.push(' ');
                step.push_str(line.trim());
            }
            _ => {}
        }
    }
    steps
}

/// What a step says, in order.
fn actions(step: &str) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut rest = step;
    while let Some(at) = rest.find(['`', '*']) {
        let (before, marked) = rest.split_at(at);
        let mark = if marked.starts_with("**") { "**" } else { "`" };
        let (text, after) =
            marked[mark.len()..].split_once(mark).unwrap_or_else(|| panic!("unclosed: {step}"));
        rest = after;
        match mark {
            "**" => actions.push(Action::Press(keys(text))),
            _ if text == SERVER => actions.push(Action::Serve),
            _ if text == "mageyard" || text.starts_with("mageyard ") => {
                actions.push(Action::Run(shlex::split(text).unwrap().into_iter().skip(1).collect()));
            }
            _ if before.ends_with("shows ") => actions.push(Action::Expect(text.to_owned())),
            _ => {}
        }
    }
    actions
}

/// Whether this is the name of a key, and not what is typed.
fn is_key(name: &str) -> bool {
    matches!(name, "enter" | "space" | "esc" | "tab" | "up" | "down" | "left" | "right")
        || name.starts_with("ctrl-")
}

/// `3 Space` as the test terminal names it: `3 space`.
fn keys(text: &str) -> String {
    let name = |key: &str| Some(key.to_lowercase()).filter(|name| is_key(name)).unwrap_or(key.to_owned());
    text.split(' ').map(name).collect::<Vec<_>>().join(" ")
}

/// How many keys a task takes: those that are pressed, and for a command of the shell its letters and Enter.
fn key_count(task: &str) -> usize {
    let task = task.split_once(KEYS).map_or(task, |(_, counted)| counted);
    let commands = task.split('`').skip(1).step_by(2);
    let is_typed = |command: &&str| *command == "mageyard" || command.starts_with("mageyard ");
    let typed = commands.filter(is_typed).map(|command| command.chars().count() + 1);
    let count = |key: &str| if is_key(&key.to_lowercase()) { 1 } else { key.chars().count() };
    let pressed = task.split("**").skip(1).step_by(2).flat_map(|keys| keys.split(' ')).map(count);
    typed.chain(pressed).sum()
}

/// The place of the tour: the screen if one is open, a server, a sandbox, and what the last verb printed.
struct Tour {
    screen: Option<Pty>,
    server: Option<Server>,
    sandbox: Sandbox,
    output: String,
}

impl Tour {
    fn begin() -> Self {
        let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
        Self { screen: None, server: None, sandbox, output: String::new() }
    }

    /// Does what a step says.
    fn play(&mut self, step: &str) {
        let actions = actions(step);
        assert!(!actions.is_empty(), "this step does nothing: {step}");
        for action in &actions {
            println!("{step}\n  {action:?}");
            self.act(action);
        }
    }

    fn act(&mut self, action: &Action) {
        match action {
            Action::Serve => self.server = Some(Server::start(Behavior::Normal)),
            Action::Run(args) => self.run(args),
            Action::Press(keys) => self.press(keys),
            Action::Expect(text) => match &mut self.screen {
                Some(screen) => drop(screen.sees(text)),
                None => assert!(self.output.contains(text), "{text:?} is not in {}", self.output),
            },
        }
    }

    /// Starts the screen, or runs another verb to its end. A screen that is open must have been quit.
    fn run(&mut self, args: &[String]) {
        self.wait_for_exit();
        let url = self.server.as_ref().map(Server::url).unwrap_or_default();
        let args: Vec<&str> =
            args.iter().map(|arg| if arg == ADDRESS { url.as_str() } else { arg.as_str() }).collect();
        if matches!(args.first(), None | Some(&("play" | "view" | "replay" | "--resume"))) {
            let mut screen = Pty::start(&self.sandbox.command(&args), 120, 40);
            let is_shown = |text: String| text.contains("step ") || text.contains("▾ Recordings");
            screen.until("an episode or home", |screen| is_shown(screen.contents())).settle();
            self.screen = Some(screen);
        } else {
            let result = self.sandbox.run(&args);
            assert_eq!(result.code, Some(0), "{result:?}");
            self.output = result.out;
        }
    }

    /// Presses keys. A key that changes nothing on the screen fails the test, except once the screen says that the episode
    /// is over, which is said once.
    fn press(&mut self, keys: &str) {
        let screen = self.screen.as_mut().unwrap_or_else(|| panic!("no screen is open for {keys}"));
        let before = screen.byte_count();
        let url = self.server.as_ref().map(Server::url).unwrap_or_default();
        let port = url.rsplit(':').next().and_then(|rest| rest.split('/').next()).unwrap_or(PORT);
        screen.press(&keys.replace(PORT, port));
        let over = screen.text().contains("the episode is over");
        screen.poll(&format!("a reaction to {keys}"), |screen| over || screen.byte_count() > before);
        screen.settle();
    }

    fn wait_for_exit(&mut self) {
        if let Some(screen) = self.screen.take() {
            screen.wait_for_exit().assert_restored(0);
        }
    }
}

#[test]
fn every_step_of_the_tour_works_as_written() {
    let readme = document("README.md");
    let mut tour = Tour::begin();
    for step in steps(section(&readme, "A tour")) {
        tour.play(&step);
    }
    tour.wait_for_exit();
}

/// Plays the tasks with these numbers, each in a store of its own.
fn play_tasks(numbers: std::ops::RangeInclusive<usize>) {
    let page = document("docs/tasks.md");
    for task in &steps(section(&page, "The tasks"))[*numbers.start() - 1..*numbers.end()] {
        Tour::begin().play(task);
    }
}

#[test]
fn the_tasks_of_a_newcomer_work_as_written() {
    play_tasks(1..=4);
}

#[test]
fn the_tasks_of_a_prompt_engineer_work_as_written() {
    play_tasks(5..=8);
}

#[test]
fn the_tasks_of_an_agent_debugger_work_as_written() {
    play_tasks(9..=12);
}

#[test]
fn the_tasks_of_a_researcher_work_as_written() {
    play_tasks(13..=15);
}

/// The middle one of an odd number of counts.
fn median(mut counts: Vec<usize>) -> usize {
    counts.sort_unstable();
    counts[counts.len() / 2]
}

#[test]
fn the_table_of_the_tasks_has_the_keys_as_written() {
    let page = document("docs/tasks.md");
    let tasks = steps(section(&page, "The tasks"));
    let table = section(&page, "The table");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("---"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let counts = |column: usize| -> Vec<usize> {
        rows[1..=tasks.len()].iter().map(|row| row[column].parse().expect(table)).collect()
    };
    let counted: Vec<usize> = tasks.iter().map(|task| key_count(task)).collect();
    assert_eq!(counts(3), counted, "the last column is not what the tasks press");
    let medians = ["median", "", &median(counts(2)).to_string(), &median(counted).to_string()];
    assert_eq!(rows[tasks.len() + 1], medians);
}

#[test]
fn a_step_is_read_as_keys_commands_and_expected_text() {
    let step = "4. Run `mageyard play x`, press **3 Space**, then **R**. It shows `step 5` as `curl`.";
    let expected = [
        Action::Run(vec!["play".to_owned(), "x".to_owned()]),
        Action::Press("3 space".to_owned()),
        Action::Press("R".to_owned()),
        Action::Expect("step 5".to_owned()),
    ];
    assert_eq!(actions(step), expected);
    let text = "# A\n\n## A tour\n\n1. One\n    two\n\ntext\n2. Three\n\n## B\n1. no";
    assert_eq!(steps(section(text, "A tour")).len(), 2);
    let task =
        "Made before: `mageyard x`, **a**. Keys: run `mageyard`, press **,HD Right Space** and **Enter**.";
    assert_eq!(key_count(task), 9 + 3 + 2 + 1);
}
