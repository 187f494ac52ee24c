//! An episode of `pages` with scripted replies and a journal.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mageyard_dialog::{ReaderRules, SidePrompt};
use mageyard_domain::{
    Action, Agent, AgentError, Answer, Confirm, DecisionInput, DecodedPart, DecodedTurn, Digest, Environment,
    EnvironmentSpec, EpisodePolicy, Message, MessagePart, Options, PartId, Reply, RequestEncoder, Seconds,
    SentRequest, SentTurn, Setting, SideRole, Usage, VariableText,
};
use mageyard_engine::{
    Driver, Episode, EventSink, Head, Journal, Participants, RecordedAgent, RecordedRole, RoleSeat,
    RoleSeats, restore,
};

use crate::pages::{LOG, PagesSpec, acts};

/// Types a text, clicks beside the button, and then on it.
pub(super) const REPLIES: [&str; 3] = ["type(text=hello)", "click(at=(1, 2))", "click(at=(125, 65))"];

/// A folder with the surface and the journal.
pub(super) struct LiveEpisode {
    folder: tempfile::TempDir,
    pub(super) head: Head,
    /// What the agent says at each step; the last one is repeated.
    replies: &'static [&'static str],
    /// What those say who answer side requests.
    answers: &'static [&'static str],
    with_module: bool,
    /// What is changed in side requests before they are sent.
    tampering: Tampering,
}

/// A change of what is sent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Tampering {
    #[default]
    None,
    /// A text more than was composed.
    More,
    /// The last part is missing.
    Less,
    /// The image of another step.
    OtherStep,
}

impl Tampering {
    /// The turns as they would go out.
    fn sent(self, request: &[Message]) -> Vec<DecodedTurn> {
        let back = u32::from(matches!(self, Self::OtherStep));
        let part = |part: &MessagePart| match part {
            MessagePart::Text(_, text) => DecodedPart::Text(text.to_string()),
            MessagePart::Image(PartId { step, index }, _) => {
                DecodedPart::Image(image_digest(PartId { step: step - back, index: *index }))
            }
        };
        let turn = |message: &Message| {
            let mut parts: Vec<DecodedPart> = message.parts.iter().map(part).collect();
            match self {
                Self::More => parts.push(DecodedPart::Text("one more".to_owned())),
                Self::Less => _ = parts.pop(),
                Self::None | Self::OtherStep => {}
            }
            DecodedTurn::new(message.role, parts)
        };
        request.iter().map(turn).collect()
    }
}

/// The digest of the encoded image of a part.
fn image_digest(part: PartId) -> Digest {
    Digest::of(format!("{part:?}").as_bytes())
}

/// Sends each request, and gives these answers in turn.
struct Answering {
    answers: &'static [&'static str],
    given: usize,
    tampering: Tampering,
}

#[async_trait]
impl Agent for Answering {
    fn reads_requests(&self) -> bool {
        true
    }

    fn request_encoder(&self) -> Option<Arc<dyn RequestEncoder>> {
        Some(Arc::new(PlainEncoder))
    }

    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let turns = self.tampering.sent(input.request);
        input.observer.verify(&turns.iter().collect::<Vec<_>>(), &|part| Some(image_digest(part)))?;
        let sent = PlainEncoder.encode(input.request, 0)?;
        input.observer.sending(&sent.into())?;
        if self.answers.is_empty() {
            std::future::pending::<()>().await;
        }
        let answer = self.answers[self.given.min(self.answers.len() - 1)];
        self.given += 1;
        let usage = Some(Usage { input: 10, output: 1, ..Usage::default() });
        Ok(Answer::Replied(Reply { usage, ..Reply::from(answer.to_owned()) }))
    }
}

/// Encodes the texts of a request, at temperature 0.
#[derive(Debug)]
struct PlainEncoder;

impl RequestEncoder for PlainEncoder {
    fn encode(&self, request: &[Message], _: usize) -> Result<SentRequest, AgentError> {
        let turn =
            |message: &Message| Arc::new(SentTurn::new(serde_json::json!(message.text()).to_string(), []));
        Ok(SentRequest { turns: request.iter().map(turn).collect(), ..SentRequest::default() })
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32) {
        painted
    }

    fn url(&self) -> &'static str {
        "http://test.invalid"
    }

    fn headers(&self) -> Vec<(String, VariableText)> {
        Vec::new()
    }
}

/// Replies with the line of the step; the last one is repeated.
struct Scripted(&'static [&'static str]);

#[async_trait]
impl Agent for Scripted {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let each = || self.0.iter().map(|reply| (*reply).to_owned()).collect();
        let replies: Vec<String> = if input.form.list { vec![self.0.join(", ")] } else { each() };
        let index = usize::try_from(input.step - 1).unwrap().min(replies.len() - 1);
        let heading = if input.form.list { "actions" } else { "action" };
        Ok(Answer::Replied(format!("# analyze\n\n# {heading}\n{}\n", replies[index]).into()))
    }
}

impl LiveEpisode {
    /// An episode of a level with these faults.
    pub(super) fn new(faults: &str) -> Self {
        Self::with(Setting::Online, None, faults)
    }

    pub(super) fn with(setting: Setting, max_time: Option<u64>, faults: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("field hello\nsurface {}\n{faults}", folder.path().join("surface").display());
        let level = PagesSpec.parse_levels(&text).unwrap().remove(0);
        let agent = RecordedAgent::named("random");
        let rules = ReaderRules::named("strict").unwrap();
        let new = Head::new("pages", "live.pages#1", level, agent, rules, 0);
        let verdict_limit = faults
            .contains("judge")
            .then(|| Seconds::whole(if faults.contains("judge hang") { 1 } else { 20 }));
        let max_time = max_time.map(Seconds::whole);
        let conduct = EpisodePolicy {
            confirm: if faults.contains("confirm") { Confirm::Each } else { Confirm::Never },
            ..EpisodePolicy::default()
        };
        let level_of = new.to_level();
        let persons = PagesSpec.capabilities().persons.unwrap();
        let allow = persons.destroys(&level_of, &Options::new());
        let head = Head { setting, max_steps: 40, max_time, verdict_limit, conduct, allow, ..new };
        Self { folder, head, replies: &REPLIES, answers: &[], with_module: false, tampering: Tampering::None }
    }

    /// The same with these replies.
    pub(super) fn saying(self, replies: &'static [&'static str]) -> Self {
        Self { replies, ..self }
    }

    /// The same with another head.
    pub(super) fn headed(self, head: Head) -> Self {
        Self { head, ..self }
    }

    /// A new environment on the same surface.
    pub(super) fn environment(&self) -> Box<dyn Environment> {
        PagesSpec.open(&self.head.to_level(), &Options::new(), 0).unwrap()
    }

    /// The same with a judge and a module that give these answers in turn, the last one again and again.
    pub(super) fn answering(mut self, answers: &'static [&'static str]) -> Self {
        self.answers = answers;
        let role = |role: SideRole| {
            let prompt = SidePrompt::shipped(role).into();
            (role, RecordedRole { agent: RecordedAgent::named("random"), prompt, tries: 2, price: None })
        };
        self.head.roles = [role(SideRole::Judge)].into();
        if self.with_module {
            self.head.roles.extend([role(SideRole::Reward)]);
        }
        self
    }

    /// The same with a person as its judge.
    pub(super) fn judged_by_person(mut self) -> Self {
        let prompt = SidePrompt::shipped(SideRole::Judge).into();
        let person = RecordedRole { agent: RecordedAgent::named("human"), prompt, tries: 2, price: None };
        self.head.roles = [(SideRole::Judge, person)].into();
        self
    }

    /// The same with a module that looks back.
    pub(super) fn reflecting(mut self, answers: &'static [&'static str]) -> Self {
        self.with_module = true;
        self.answering(answers)
    }

    /// The same with side requests that are changed before they are sent.
    pub(super) fn tampering(self, tampering: Tampering) -> Self {
        Self { tampering, ..self }
    }

    fn roles(&self) -> RoleSeats {
        let seat = |(role, recorded): (&SideRole, &RecordedRole)| {
            let agent = Box::new(Answering { answers: self.answers, given: 0, tampering: self.tampering });
            let prompt = SidePrompt::parse(*role, &recorded.prompt).unwrap();
            (*role, RoleSeat { agent, prompt, system_role: true })
        };
        let asked = self.head.roles.iter().filter(|(_, recorded)| !recorded.agent.is_person());
        RoleSeats::new(asked.map(seat))
    }

    /// A driver of this episode that writes to this sink.
    pub(super) fn driver(&self, episode: Episode, log: Box<dyn EventSink>) -> Driver {
        self.driver_with(self.environment(), episode, log)
    }

    /// The same with another environment.
    pub(super) fn driver_with(
        &self,
        environment: Box<dyn Environment>,
        episode: Episode,
        log: Box<dyn EventSink>,
    ) -> Driver {
        let form = PagesSpec.reply_format(self.head.setting).unwrap();
        let cast = Participants {
            environment,
            agent: Box::new(Scripted(self.replies)),
            form,
            prompts: Arc::default(),
            reference_search: None,
            roles: self.roles(),
        };
        Driver::new(episode, cast, log, Duration::ZERO)
    }

    /// A driver of a new episode with a journal.
    pub(super) fn start(&self) -> Driver {
        std::fs::create_dir_all(self.journal().parent().unwrap()).unwrap();
        let journal = Journal::create(self.journal().parent().unwrap(), &self.head).unwrap();
        let journal = journal.storing_observations(true);
        self.driver(Episode::new(self.head.clone().into()), Box::new(journal))
    }

    /// A driver that continues the episode of the journal.
    pub(super) async fn resume(&self) -> Driver {
        let (journal, recorded) = Journal::open(&self.journal()).unwrap();
        let mut environment = self.environment();
        let episode = restore(&recorded, environment.as_mut()).await.unwrap();
        self.driver_with(environment, episode, Box::new(journal.storing_observations(true)))
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.folder.path().join("session").join("0001").join("journal.jsonl")
    }

    /// The names of the events in the journal.
    pub(super) fn events(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.journal()).unwrap();
        let event = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["event"].take();
        text.lines().skip(1).map(|line| event(line).as_str().unwrap().to_owned()).collect()
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("surface").join(LOG)
    }

    /// Something else acts on the surface.
    pub(super) fn act_from_outside(&self, action: &str) {
        let mut log = std::fs::OpenOptions::new().append(true).open(self.log()).unwrap();
        writeln!(log, "act {action}").unwrap();
    }

    /// What was really done on the surface with this number, of an episode that repeats.
    pub(super) fn acts_of(&self, surface: u32) -> Vec<Action> {
        acts(&self.folder.path().join("surface").join(surface.to_string()).join(LOG))
    }

    /// Adds that the pending action has begun to the journal, as a program does that is killed right after it.
    pub(super) fn announce_act(&self) {
        let (mut journal, recorded) = Journal::open(&self.journal()).unwrap();
        let accepted = recorded.lines.iter().rev().find_map(|line| match &line.stored {
            mageyard_engine::StoredEvent::Accepted { action, .. } => Some(action.clone()),
            _ => None,
        });
        journal.append(9, &mageyard_engine::Event::Acting(accepted.unwrap())).unwrap();
    }

    /// What was really done on the surface.
    pub(super) fn acts(&self) -> Vec<Action> {
        acts(&self.log())
    }

    /// Puts the surface into the state after these actions.
    pub(super) fn reset_surface(&self, acts: &[Action]) {
        let line = |action| format!("act {}\n", serde_json::to_string(action).unwrap());
        std::fs::write(self.log(), acts.iter().map(line).collect::<String>()).unwrap();
    }

    /// How often the surface was opened and closed.
    pub(super) fn opened_and_closed(&self) -> (usize, usize) {
        let text = std::fs::read_to_string(self.log()).unwrap();
        let count = |what| text.lines().filter(|line| *line == what).count();
        (count("open"), count("close"))
    }
}
