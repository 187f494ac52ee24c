//! Sample episodes and models for tests of the screen.

mod board;
mod page;
mod scripted_episode;
pub(crate) use self::board::{observation, space_with_params};
pub(crate) use self::page::page_model;
pub(crate) use self::scripted_episode::ScriptedEpisode;
use self::scripted_episode::{GLOBAL_FORMAT, ONLINE_FORMAT};
use crate::appearance::{Appearance, DisplaySettings, FrameView, Motion};
use crate::keymap::{Keymap, parse_key};
use crate::model::{AskedAt, EpisodeView, Modal, Model, PersonSheet};
use crossterm::event::KeyEvent;
use mageyard_config::{LinkSetting, PictureForm};
use mageyard_dialog::{OpenQuestion, PersonQuestion, Prompt};
use mageyard_domain::{
    Action, ActionSpace, AgentError, BLOB_SCHEME, Digest, Message, RequestEncoder, RequestReader,
    SentRequest, SentTurn, Setting, Status, Turn, TurnPart, Usage, VariableText,
};
use mageyard_engine::{
    Distance, Distances, Head, Mode, Parent, RecordedAgent, RequestContext, Restored, RunState, Snapshot,
    Waiting,
};
use mageyard_terminal::{ColorDepth, Theme};
use ratatui::layout::Size;
use std::sync::Arc;
use std::time::Duration;

/// Some steps with every kind of reply; at the end an accepted action is pending.
pub(crate) fn sample_episode() -> ScriptedEpisode {
    ScriptedEpisode::new("oracle", Setting::Online, (3, 2))
        .step("Left", -0.5, true)
        .step("Up", 4.5, true)
        .step("Up", -0.5, false)
        .reply("I think the box should go to the left, so my answer is Left.")
        .step("Right", -0.5, true)
        .reply("# analyze\nnothing\n\n# action\nleft")
        .reply("# analyze\nstill nothing\n\n# action\nJump")
        .reply("no heading at all")
        .step("Down", -5.5, true)
        .reply(&ONLINE_FORMAT.write(
            "The right box is free on its left side. Pushing it right twice would lock it against the wall, so I go round by the lower row first and come back from above.",
            &[Action::plain("Right")],
            &ActionSpace::new(&[]),
        ))
}

/// An episode with every error mark.
pub(crate) fn faulty_episode() -> ScriptedEpisode {
    let unread = |told: ScriptedEpisode| (0..3).fold(told, |told, _| told.reply("I cannot see the frame."));
    let walked = ScriptedEpisode::new("faulty", Setting::Online, (3, 2))
        .step("Left", -0.5, true)
        .step("Up", 4.5, true)
        .reply("no heading at all")
        .step("Up", -0.5, false);
    let stuck = (0..6).fold(unread(walked), |told, _| told.step("Right", -0.5, false));
    stuck.step("Left", -0.5, true).corner_box().step("Up", -5.5, true).step("Down", -0.5, true)
}

/// The faulty episode with distances: a detour at the first step, and a search that proves the state dead
/// one step before the rules do.
pub(crate) fn detour_snapshot() -> Snapshot {
    let left = [9, 10, 9, 9, 9, 9, 9, 9, 9, 9, 9].map(|left| Some(Distance::Exact(left)));
    let lost = [(); 3].map(|()| Some(Distance::Unreachable));
    faulty_episode().snapshot().with_distances(Distances::new(left.into_iter().chain(lost), true))
}

pub(crate) fn planned_episode() -> ScriptedEpisode {
    let actions = ["Left", "Up", "Up", "Right", "Right", "Down", "Left", "Left", "Up"].map(Action::plain);
    ScriptedEpisode::new("oracle", Setting::Global, (5, 1))
        .reply(&GLOBAL_FORMAT.write(
            "Nine moves solve it: the left box first, then the right one.",
            &actions,
            &ActionSpace::new(&[]),
        ))
        .act(-0.5, true, Status::Running)
        .act(-0.5, true, Status::Running)
        .act(4.5, true, Status::Running)
}

pub(crate) fn appearance(theme: &str) -> Appearance {
    let pace = Duration::from_millis(300);
    let settings = DisplaySettings {
        pictures: Some(PictureForm::HalfBlocks),
        passthrough: false,
        outside: mageyard_terminal::OutsideTerminal::default(),
        known: None,
        can_ask: false,
        link: LinkSetting::Fast,
        remote: false,
        depth: ColorDepth::TrueColor,
        view: FrameView::Auto,
        mouse: true,
        layout: mageyard_terminal::Proportions::default(),
        copy_route: mageyard_terminal::CopyRoute::Terminal,
        linear: false,
        motion: Motion::Full,
        pace,
        tmux: false,
        assumed_size: mageyard_terminal::USUAL_SIZE,
        console: false,
    };
    Appearance {
        theme: Theme::named(theme).unwrap(),
        keys: Keymap::default(),
        settings,
        prices: mageyard_domain::Prices::default(),
    }
}

pub(crate) fn model_of(snapshot: Snapshot, width: u16, height: u16) -> Model {
    let live = snapshot.run.mode != Mode::Recorded;
    Model::new(
        appearance("dark"),
        &ListReader,
        Size::new(width, height),
        vec![EpisodeView::new(Arc::new(snapshot), live)],
    )
}

/// The model after a change.
pub(crate) fn with(mut model: Model, change: impl FnOnce(&mut Model)) -> Model {
    change(&mut model);
    model
}

/// The sample episode on a screen of this size.
pub(crate) fn model(width: u16, height: u16) -> Model {
    model_of(sample_episode().snapshot(), width, height)
}

/// An episode that asks a person this, with its dialog open.
pub(crate) fn asked(question: PersonQuestion) -> Model {
    let text = match &question {
        PersonQuestion::Confirm(action) => action.to_string(),
        PersonQuestion::Allow(sentences) => sentences.join("\n"),
        PersonQuestion::Ask(asked) => asked.values["question"].clone(),
    };
    let open = OpenQuestion { question, text: text.into() };
    let replied =
        ScriptedEpisode::new("model", Setting::Online, (3, 2)).reply("# analyze\nx\n# action\nLeft");
    let base = replied.snapshot();
    let run = RunState { waiting: Waiting::Person, question: Some(Arc::new(open)), ..base.run.clone() };
    let mut model = model_of(Snapshot { run, ..base }, 120, 40);
    let asked = AskedAt::of(&model.episodes[0]);
    model.episodes[0].told_question.clone_from(&asked);
    model.modal = asked.map(|asked| Modal::Person(Box::new(PersonSheet::new(asked))));
    model
}

/// A person who chooses among actions with parameters.
pub(crate) fn person_with_params(width: u16, height: u16) -> Model {
    let mut snapshot = ScriptedEpisode::new("human", Setting::Online, (5, 1)).snapshot();
    Arc::make_mut(snapshot.steps.last_mut().unwrap()).space = space_with_params();
    model_of(snapshot, width, height)
}

const PROMPT: &str = "+++
name = \"plain\"
summary = \"few words\"
+++
## system
You play.
## task
Solve it.
## io
{format}
## turn
Then:
## placeholder
(no frame)
## retry
Again:
{format}
";

/// The sample episode with two prompts, `plain` and `blind`.
pub(crate) fn model_with_prompts() -> Model {
    let plain = Prompt::parse(PROMPT).unwrap();
    let blind = Prompt::parse(&PROMPT.replace("\"plain\"", "\"blind\"\nimages = false")).unwrap();
    let prompts: Arc<[Prompt]> = [plain, blind].into();
    let snapshot = {
        let base = sample_episode().snapshot();
        Snapshot {
            prompt: "plain".into(),
            requests: RequestContext { prompts, form: Some(ONLINE_FORMAT), ..base.requests.clone() },
            ..base
        }
    };
    model_of(snapshot, 120, 40)
}

/// An encoder for a server that is never contacted.
#[derive(Debug)]
struct FakeEncoder;

impl RequestEncoder for FakeEncoder {
    fn encode(&self, _: &[Message], _: usize) -> Result<SentRequest, AgentError> {
        Ok(SentRequest::default())
    }

    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32) {
        painted
    }

    fn url(&self) -> &'static str {
        "http://127.0.0.1:1/v1"
    }

    fn headers(&self) -> Vec<(String, VariableText)> {
        Vec::new()
    }
}

/// Reads requests whose turns are lists: the role, then texts and the addresses of images.
#[derive(Debug)]
pub(crate) struct ListReader;

impl RequestReader for ListReader {
    fn read(&self, turn: &SentTurn) -> Turn {
        let words: Vec<String> = serde_json::from_str(turn.json()).unwrap();
        let mut outline = turn.outline().reader();
        let part = |words: &String| match words.strip_prefix(BLOB_SCHEME) {
            Some(digest) => {
                outline.skip();
                TurnPart::Image { digest: digest.to_owned(), image: None }
            }
            None => TurnPart::Text(outline.texts(words)[0].0, words.clone()),
        };
        Turn {
            role: words[0].clone(),
            parts: words[1..].iter().map(part).collect(),
            joined: false,
            cache_mark: false,
        }
    }

    fn parameters(&self, request: &SentRequest) -> Vec<(String, serde_json::Value)> {
        request
            .envelope
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    fn streams(&self, _: &SentRequest) -> bool {
        false
    }

    fn body(&self, request: &SentRequest, _: &mut dyn FnMut(&str) -> String) -> String {
        request.envelope.to_string()
    }
}

/// The snapshot of an agent that sends requests.
pub(crate) fn with_encoder(snapshot: Snapshot) -> Snapshot {
    {
        let base = snapshot;
        Snapshot {
            requests: RequestContext { encoder: Some(Arc::new(FakeEncoder)), ..base.requests.clone() },
            ..base
        }
    }
}

/// The sample episode of a model with this name, with one request of 1500 tokens.
pub(crate) fn model_agent(name: &str) -> Model {
    let mut model = model_with_prompts();
    let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let mut head = Head::clone(&snapshot.head);
    head.agent = RecordedAgent { model: Some(name.into()), ..RecordedAgent::named("model") };
    snapshot.head = Arc::new(head);
    let index = snapshot.steps.iter().position(|step| !step.attempts.is_empty()).unwrap();
    let attempt = &mut Arc::make_mut(snapshot.steps.get_mut(index).unwrap()).attempts[0];
    attempt.sent = Some(Arc::default());
    attempt.last_try = Some(mageyard_domain::RequestOutcome::Replied);
    attempt.usage = Some(Usage { input: 1000, output: 500, ..Usage::default() });
    snapshot.spent = attempt.spent();
    model.episodes[0].snapshot = Arc::new(snapshot);
    model
}

/// A branch at step 3 of an episode of the model `m`, with its last step in view.
pub(crate) fn branch_model(journal: &str) -> Model {
    let mut model = model_agent("m");
    let parent = Parent {
        branch: None,
        step: 3,
        lines: 1,
        offset: 1,
        seal: Digest::of(b"x"),
        restored: Restored::Exact,
        changes: Vec::new(),
        why: None,
        expect: None,
        continuation: None,
    };
    let snapshot = Arc::make_mut(&mut model.episodes[0].snapshot);
    Arc::make_mut(&mut snapshot.head).parent = Some(parent.into());
    snapshot.journal = Some(journal.into());
    model
}

/// A key in the notation of `keys.toml`, or one letter.
pub(crate) fn key(name: &str) -> KeyEvent {
    parse_key(name).unwrap()
}
