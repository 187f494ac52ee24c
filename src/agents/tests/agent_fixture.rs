//! The model agent without a driver.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mageyard_agents::{AgentContext, ModelPool, create_agent};
use mageyard_dialog::{Request, verify};
use mageyard_domain::{
    ActionSpace, Agent, AgentError, AgentEvent, AgentObserver, Answer, DecisionInput, DecodedTurn, Digest,
    Message, MessagePart, Observation, PartId, Picture, Reply, ReplyFormat, Role, Segment, SentRequest,
    Setting,
};
use serde_json::{Value, json};

/// Longer than any request here.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);

pub(super) const FORM: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);

/// An agent for this server with additional settings.
pub(super) fn agent(url: &str, more: &Value) -> Box<dyn Agent> {
    agent_of(&ModelPool::default(), url, more)
}

/// The same, with this pool.
pub(super) fn agent_of(pool: &ModelPool, url: &str, more: &Value) -> Box<dyn Agent> {
    create(AgentContext { pool: pool.clone(), ..AgentContext::default() }, url, more)
}

/// The same, with these environment variables.
pub(super) fn agent_with(url: &str, more: &Value, variables: &[(&str, &str)]) -> Box<dyn Agent> {
    let values: BTreeMap<String, String> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let key_lookup = Arc::new(move |name: &str| values.get(name).cloned());
    create(AgentContext { key_lookup, ..AgentContext::default() }, url, more)
}

fn create(context: AgentContext, url: &str, more: &Value) -> Box<dyn Agent> {
    let mut options = mageyard_domain::Options::new();
    options.insert("name".into(), json!("mock"));
    options.insert("base_url".into(), json!(url));
    options.extend(more.as_object().unwrap().clone());
    create_agent("model", AgentContext { options, ..context }).unwrap().agent
}

pub(super) fn text(text: &str) -> MessagePart {
    MessagePart::Text(Segment::Turn, text.into())
}

pub(super) fn frame(step: u32) -> MessagePart {
    let shade = u8::try_from(step).unwrap();
    MessagePart::Image(PartId { step, index: 0 }, Arc::new(Picture::new(8, 8, 1, vec![shade; 192]).unwrap()))
}

/// One turn with a frame and the names of the actions.
pub(super) fn request() -> Vec<Message> {
    vec![Message { role: Role::User, parts: vec![text("The action is one of: Left, Up."), frame(1)] }]
}

/// Compares sent requests with the expected turns, and records events.
pub(super) struct RecordingObserver {
    expected: Vec<Message>,
    pub(super) events: Mutex<Vec<AgentEvent>>,
    /// For each try, its error if it has failed.
    pub(super) tries: Mutex<Vec<Option<AgentError>>>,
}

impl RecordingObserver {
    pub(super) fn new(expected: Vec<Message>) -> Self {
        Self { expected, events: Mutex::default(), tries: Mutex::default() }
    }

    /// The text received since the last wait for a retry.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for event in self.events.lock().unwrap().iter() {
            match event {
                AgentEvent::RetryScheduled { .. } => text.clear(),
                AgentEvent::TextReceived(new) => text.push_str(new),
                _ => {}
            }
        }
        text
    }
}

impl AgentObserver for RecordingObserver {
    fn verify(
        &self,
        sent: &[&DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        verify(&self.expected, sent, encoded).map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        self.tries.lock().unwrap().push(None);
        Ok(())
    }

    fn failed(&self, error: &AgentError) -> Result<(), AgentError> {
        *self.tries.lock().unwrap().last_mut().expect("a try was sent") = Some(error.clone());
        Ok(())
    }

    /// A complete line below the heading of the action.
    fn gives_action(&self, text: &str) -> bool {
        text.split_once("# action\n").is_some_and(|(_, action)| action.ends_with('\n'))
    }

    fn notify(&self, event: AgentEvent) {
        self.events.lock().unwrap().push(event);
    }
}

/// Compares sent requests with a composed one and its ledger.
pub(super) struct RequestObserver(pub(super) Request);

impl AgentObserver for RequestObserver {
    fn verify(
        &self,
        sent: &[&DecodedTurn],
        encoded: &dyn Fn(PartId) -> Option<Digest>,
    ) -> Result<(), AgentError> {
        self.0.verify(sent, encoded).map_err(|error| AgentError::MemoryMismatch(error.to_string()))
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, _: &AgentError) -> Result<(), AgentError> {
        Ok(())
    }

    fn notify(&self, _: AgentEvent) {}
}

/// Asks once in Online, within the time limit.
pub(super) async fn ask(
    agent: &mut dyn Agent,
    request: &[Message],
    line: &dyn AgentObserver,
) -> Result<Reply, AgentError> {
    ask_in(Setting::Online, agent, request, line).await
}

/// Asks once, within the time limit.
pub(super) async fn ask_in(
    setting: Setting,
    agent: &mut dyn Agent,
    request: &[Message],
    line: &dyn AgentObserver,
) -> Result<Reply, AgentError> {
    let space = ActionSpace::new(&[("Left", ""), ("Up", "")]);
    let observation = Observation::from_parts(vec![], "", Value::Null);
    let ask = DecisionInput {
        step: 1,
        attempt: 1,
        setting,
        form: &FORM,
        observation: &observation,
        space: &space,
        steps_left: 9,
        request,
        question: None,
        probe: None,
        observer: line,
    };
    match tokio::time::timeout(TIMEOUT, agent.decide(ask)).await.expect("the time limit") {
        Ok(Answer::Replied(reply)) => Ok(reply),
        Ok(Answer::GaveUp) => panic!("a model never gives up"),
        Err(error) => Err(error),
    }
}
