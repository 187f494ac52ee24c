//! Questions to a person: what a person is shown of one, and how an answer is taken. No call waits for a person.

use super::Driver;
use super::error::DriverError;
use crate::event::Event;
use crate::step_request::{ModuleContext, compose_side_request};
use mageyard_dialog::{OpenQuestion, PersonAnswer, PersonError, PersonQuestion, PersonReply, SidePrompt};
use mageyard_domain::{Message, Question};

impl Driver {
    /// The question that waits for a person, if one does.
    pub fn open_question(&self) -> Option<OpenQuestion> {
        let question = self.episode().person_question()?;
        let text = match &question {
            PersonQuestion::Confirm(action) => action.to_string(),
            PersonQuestion::Allow(sentences) => sentences.join("\n"),
            PersonQuestion::Ask(asked) => self.text_of(asked),
        };
        Some(OpenQuestion { question, text: text.into() })
    }

    /// Takes the answer of a person to this question.
    pub fn answer(&mut self, question: &PersonQuestion, answer: PersonAnswer) -> Result<(), DriverError> {
        self.log.flush()?;
        if self.episode().person_question().as_ref() != Some(question) {
            return Err(PersonError::NotOpen.into());
        }
        if !question.takes(&answer) {
            return Err(PersonError::Unfit(question.line_help()).into());
        }
        let milliseconds = u32::try_from(self.log.question_time().as_millis()).unwrap_or(u32::MAX);
        let reply = PersonReply { question: question.clone(), answer, read: None, milliseconds };
        self.repeat_answer(PersonReply { read: reply.read_again(), ..reply })
    }

    /// Records an answer as another episode has it.
    pub fn repeat_answer(&mut self, reply: PersonReply) -> Result<(), DriverError> {
        self.log.record(Event::Person(reply.into()))
    }

    /// What the role of a question would be asked, as text.
    fn text_of(&self, question: &Question) -> String {
        let recorded = self.episode().head().roles.get(&question.role);
        let file = recorded.map_or(SidePrompt::shipped(question.role), |role| &role.prompt);
        let context = ModuleContext {
            prompt: self.participants.prompt(self.episode().prompt()).ok(),
            form: &self.participants.form,
        };
        let composed = SidePrompt::parse(question.role, file)
            .ok()
            .and_then(|prompt| compose_side_request(self.episode(), question, &prompt, true, context).ok());
        let texts = composed.iter().flat_map(|request| &request.messages).map(Message::text);
        texts.collect::<Vec<_>>().join("\n\n").trim().to_owned()
    }
}
