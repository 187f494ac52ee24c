//! Questions to the person at the terminal of a run: each is written to standard error and answered in a line.

use std::io::{IsTerminal, stderr, stdin};

use crate::diagnostics::{print_message, print_prompt};
use mageyard_domain::sanitize;
use mageyard_lab::AskedPerson;

/// Whether a person can answer: one episode at a time is played, on a terminal.
pub(super) fn has_person(jobs: usize) -> bool {
    jobs == 1 && stdin().is_terminal() && stderr().is_terminal()
}

/// Asks, and reads the answer in a thread of its own, which nothing waits for: at the end of the input there is none.
pub(super) fn ask_person(AskedPerson { place, asked, problem, answer }: AskedPerson) {
    if let Some(problem) = problem {
        print_message(&problem);
    }
    print_message(&format!("{place}: {}", asked.question.title()));
    for line in asked.text.lines() {
        print_message(&format!("  {}", sanitize(line)));
    }
    print_prompt(&format!("{}: ", asked.question.line_help()));
    std::thread::spawn(move || {
        let mut line = String::new();
        if stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
            // A run that was stopped needs no answer.
            let _ = answer.send(line);
        } else {
            // What is printed next begins a line.
            print_message("");
        }
    });
}
