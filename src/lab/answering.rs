//! Asks questions outside of an episode: those of a verdict that is given again. Nothing is written to a journal.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::roles::{RoleChoice, role_seats};
use mageyard_config::{Config, Problem};
use mageyard_dialog::{Request, compose_side, read_answer};
use mageyard_domain::{
    AgentError, AgentEvent, AgentObserver, Answer, Answered, DecisionInput, DecodedTurn, Digest,
    EnvironmentSpec, Message, Observation, PartId, Question, ReplyFormat, SentRequest, estimate_tokens,
};
use mageyard_engine::{Episode, Head, RoleSeat};

use super::{Lab, LabError};

/// Those who answer the questions of one episode.
pub(super) struct Answering<'a> {
    episode: &'a Episode,
    seats: BTreeMap<mageyard_domain::SideRole, RoleSeat>,
    tries: u32,
}

impl<'a> Answering<'a> {
    /// Those that the present settings name for an episode.
    pub(super) fn new(
        lab: &Lab,
        config: &Config,
        spec: &'static dyn EnvironmentSpec,
        episode: &'a Episode,
    ) -> Result<Self, LabError> {
        let head = episode.head();
        let roles = RoleChoice::new(lab, config, spec, &head.agent)?;
        let roles = roles.of_level(&head.to_level(), &head.options)?;
        let head = Head { roles, ..head.as_ref().clone() };
        let tries = config.settings().roles.tries;
        Ok(Self { episode, seats: role_seats(lab, spec, &head)?.into_inner(), tries })
    }

    /// A rough estimate of the tokens that go out with a question once.
    pub(super) fn estimate(&self, question: &Question) -> Result<u64, LabError> {
        let request = self.request(question)?;
        let characters = request.messages.iter().map(|message| message.text().chars().count()).sum();
        let sizes = request.messages.iter().flat_map(Message::images);
        let sizes: Vec<(u32, u32)> = sizes.map(|(_, picture)| (picture.width(), picture.height())).collect();
        Ok(estimate_tokens(characters, sizes))
    }

    fn request(&self, question: &Question) -> Result<Request, LabError> {
        let steps = self.episode.steps().iter();
        let observations: Vec<(u32, &Observation)> =
            steps.map(|step| (step.number, &step.observation)).collect();
        let role = question.role;
        let seat = self.seats.get(&role);
        let seat = seat.ok_or_else(|| Problem::new(format!("no one answers for the role {role}")))?;
        compose_side(&seat.prompt, question, &observations, seat.system_role).map_err(|part| {
            let what = format!(
                "the role {role} is to be shown part {} of a step, which is not stored",
                part.index + 1
            );
            Problem::new(what).into()
        })
    }

    /// Sends a question until its answer can be read, as often as the settings allow.
    pub(super) async fn ask(&mut self, question: &Question) -> Result<Answered, LabError> {
        let request = self.request(question)?;
        let Some(last) = self.episode.steps().last().cloned() else {
            return Err(Problem::new("nothing was observed").into());
        };
        let observer = ProvingObserver { request: &request };
        let mut answer = Err("it was not asked".to_owned());
        for attempt in 1..=self.tries {
            let Some(seat) = self.seats.get_mut(&question.role) else { break };
            let input = DecisionInput {
                step: last.number,
                attempt,
                setting: self.episode.head().setting,
                form: &ReplyFormat::headings("", "", false),
                observation: &last.observation,
                space: &last.space,
                steps_left: 1,
                request: &request.messages,
                question: Some(question),
                probe: None,
                observer: &observer,
            };
            answer = match seat.agent.decide(input).await.map_err(LabError::failed)? {
                Answer::Replied(reply) => read_answer(question.form, &reply.text),
                Answer::GaveUp => Err("there is no answer".to_owned()),
            };
            if answer.is_ok() {
                break;
            }
        }
        Ok(Answered { question: Arc::new(question.clone()), answer })
    }
}

/// Proves a request before it is sent.
struct ProvingObserver<'a> {
    request: &'a Request,
}

impl AgentObserver for ProvingObserver<'_> {
    fn verify(
        &self,
        sent: &[&DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        self.request.verify(sent, encoded).map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, _: &AgentError) -> Result<(), AgentError> {
        Ok(())
    }

    fn notify(&self, _: AgentEvent) {}
}
