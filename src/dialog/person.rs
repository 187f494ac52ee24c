//! Questions to a person: what can be asked, what can be answered, and how an answer is written in a line.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::side::read_answer;
use mageyard_domain::{Action, AnswerForm, Question};

/// A question that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonQuestion {
    /// Whether this action may be carried out.
    Confirm(Action),
    /// Whether the environment may do this when it opens, a sentence each.
    Allow(Vec<String>),
    /// A question of the environment or of a role that a person has. What the environment asks to be done on the surface is
    /// one too.
    Ask(Arc<Question>),
}

/// What a person answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonAnswer {
    /// The action is carried out, the environment may open, what was to be done is done.
    Yes,
    /// The action is not carried out, and the agent reads this reason.
    Refuse(Arc<str>),
    /// The episode ends.
    End,
    /// This text.
    Text(Arc<str>),
}

/// A question with its answer, as an episode takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonReply {
    /// What was asked.
    pub question: PersonQuestion,
    /// What was answered.
    pub answer: PersonAnswer,
    /// What was read in a text; an error is why nothing can be read.
    pub read: Option<Result<Value, String>>,
    /// How many milliseconds the question was open, while a program had the episode open.
    pub milliseconds: u32,
}

impl PersonReply {
    /// What is read in its text now.
    pub fn read_again(&self) -> Option<Result<Value, String>> {
        match (&self.question, &self.answer) {
            (PersonQuestion::Ask(asked), PersonAnswer::Text(text)) => Some(read_answer(asked.form, text)),
            _ => None,
        }
    }
}

/// A question that waits for a person, with what a person is shown of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// The question.
    pub question: PersonQuestion,
    /// What is asked, in full. It may have text of a page or a model, so it is untrusted.
    pub text: Arc<str>,
}

/// Why an answer was not taken; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PersonError {
    /// The episode has moved on.
    #[error("the answer is to a question that is not open any more: nothing was changed")]
    NotOpen,
    /// It is no answer to this question.
    #[error("the question takes another answer: {0}")]
    Unfit(&'static str),
}

/// What a person writes in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonLine {
    /// An answer.
    Answer(PersonAnswer),
    /// Another action in place of the one that is asked for, as written.
    Edit(String),
}

impl PersonQuestion {
    /// Whether a person is to do something on the surface.
    pub fn is_take_over(&self) -> bool {
        matches!(self, Self::Ask(question) if question.form == AnswerForm::Done)
    }

    /// Whether it is answered with a text.
    pub fn takes_text(&self) -> bool {
        matches!(self, Self::Ask(question) if question.form != AnswerForm::Done)
    }

    /// What is asked, as a heading.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Confirm(_) => "Carry out this action?",
            Self::Allow(_) => "Allow this before the environment opens?",
            Self::Ask(_) if self.is_take_over() => "Will you do this on the surface?",
            Self::Ask(_) => "What do you answer?",
        }
    }

    /// Whether this can be its answer.
    pub fn takes(&self, answer: &PersonAnswer) -> bool {
        match answer {
            PersonAnswer::Yes | PersonAnswer::End => !self.takes_text(),
            PersonAnswer::Refuse(_) => matches!(self, Self::Confirm(_)),
            PersonAnswer::Text(_) => self.takes_text(),
        }
    }

    /// How it is answered in a line.
    pub fn line_help(&self) -> &'static str {
        match self {
            Self::Confirm(_) => {
                "y carries it out; edit ACTION changes it; no REASON refuses it; end ends the episode"
            }
            Self::Allow(_) => "y allows it; n ends the episode before anything happens",
            Self::Ask(_) if self.is_take_over() => "done goes on; end ends the episode",
            Self::Ask(_) => "write the answer in one line; it may be empty",
        }
    }

    /// Reads an answer that was written in a line.
    ///
    /// # Errors
    /// How it is answered.
    pub fn read_line(&self, line: &str) -> Result<PersonLine, PersonError> {
        let line = line.trim();
        if self.takes_text() {
            return Ok(PersonLine::Answer(PersonAnswer::Text(line.into())));
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let answer = match (word, self) {
            ("y" | "yes" | "run", Self::Confirm(_)) | ("y" | "yes", Self::Allow(_)) => PersonAnswer::Yes,
            ("y" | "yes" | "done", Self::Ask(_)) => PersonAnswer::Yes,
            ("edit", Self::Confirm(_)) if !rest.trim().is_empty() => {
                return Ok(PersonLine::Edit(rest.trim().to_owned()));
            }
            ("n" | "no" | "refuse", Self::Confirm(_)) => PersonAnswer::Refuse(rest.trim().into()),
            ("n" | "no", Self::Allow(_)) | ("end", _) => PersonAnswer::End,
            _ => return Err(PersonError::Unfit(self.line_help())),
        };
        Ok(PersonLine::Answer(answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(question: &PersonQuestion, lines: &[&str]) -> Vec<Option<PersonAnswer>> {
        let read = |line: &&str| match question.read_line(line) {
            Ok(PersonLine::Answer(answer)) => Some(answer),
            _ => None,
        };
        lines.iter().map(read).collect()
    }

    #[test]
    fn each_question_is_answered_in_a_line_of_its_own_form() {
        use PersonAnswer::{End, Refuse, Text, Yes};
        let confirm = PersonQuestion::Confirm(Action::plain("Up"));
        let lines = ["y", " yes ", "no too far", "n", "end", "", "edit", "what"];
        let no = |reason: &str| Some(Refuse(reason.into()));
        let expected = [Some(Yes), Some(Yes), no("too far"), no(""), Some(End), None, None, None];
        assert_eq!(answers(&confirm, &lines), expected);
        assert_eq!(confirm.read_line("edit Down"), Ok(PersonLine::Edit("Down".into())));
        let allow = PersonQuestion::Allow(vec!["deletes a file".into()]);
        assert_eq!(
            answers(&allow, &["y", "n", "end", "", "no way"]),
            [Some(Yes), Some(End), Some(End), None, Some(End)]
        );
        let surface = PersonQuestion::Ask(Question::take_over("solve it").into());
        assert_eq!(answers(&surface, &["done", "end", ""]), [Some(Yes), Some(End), None]);
        let open = PersonQuestion::Ask(Question::to_person("is it done?").into());
        assert_eq!(answers(&open, &["", "end"]), [Some(Text("".into())), Some(Text("end".into()))]);
    }

    #[test]
    fn an_answer_fits_only_its_kind_of_question() {
        let confirm = PersonQuestion::Confirm(Action::plain("Up"));
        let allow = PersonQuestion::Allow(Vec::new());
        let open = PersonQuestion::Ask(Question::to_person("is it done?").into());
        let fits = |question: &PersonQuestion| {
            let all = [PersonAnswer::Yes, PersonAnswer::Refuse("".into()), PersonAnswer::End];
            all.map(|answer| question.takes(&answer))
        };
        assert_eq!((fits(&confirm), fits(&allow), fits(&open)), ([true; 3], [true, false, true], [false; 3]));
        assert!(open.takes(&PersonAnswer::Text("".into())) && !allow.takes(&PersonAnswer::Text("".into())));
    }
}
