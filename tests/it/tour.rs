//! The tour of the README, played as written by the real binary in a pseudo-terminal.

use std::fs;
use std::path::Path;

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use crate::server::{Behavior, Server};

/// The address in the README, in whose place the test has a server of its own.
const ADDRESS: &str = "http://127.0.0.1:8080/v1";
const SERVER: &str = "cargo run --example server";

/// What a step of the tour says: `**key**` is pressed, a command in backquotes is run, and text in backquotes
/// after "shows" must appear.
#[derive(Debug, PartialEq, Eq)]
enum Action {
    Run(Vec<String>),
    Serve,
    Press(String),
    Expect(String),
}

/// The numbered steps of the section, each with its continuation lines.
fn steps(readme: &str) -> Vec<String> {
    let section = readme.split("\n## ").find(|section| section.starts_with("A tour\n")).expect("a tour");
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

/// `3 Space` as the test terminal names it: `3 space`.
fn keys(text: &str) -> String {
    let name = |key: &str| if key.len() > 1 { key.to_lowercase() } else { key.to_owned() };
    text.split(' ').map(name).collect::<Vec<_>>().join(" ")
}

/// The place of the tour: a sandbox, the screen if one is open, and what the last verb printed.
struct Tour {
    sandbox: Sandbox,
    server: Option<Server>,
    screen: Option<Pty>,
    output: String,
}

impl Tour {
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
            screen.sees("step ").settle();
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
        screen.press(keys);
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
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let sandbox = Sandbox::new().with("TERM", "xterm-256color").with("COLORTERM", "truecolor");
    let mut tour = Tour { sandbox, server: None, screen: None, output: String::new() };
    for step in steps(&readme) {
        let actions = actions(&step);
        assert!(!actions.is_empty(), "this step does nothing: {step}");
        for action in &actions {
            println!("{step}\n  {action:?}");
            tour.act(action);
        }
    }
    tour.wait_for_exit();
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
    assert_eq!(steps("# A\n\n## A tour\n\n1. One\n    two\n\ntext\n2. Three\n\n## B\n1. no").len(), 2);
}
