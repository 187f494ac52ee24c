//! An episode built event by event.

use super::board::{BOARD, corner_check, lost_observation, observation, space};
use mageyard_dialog::{ReaderRules, parse_reply};
use mageyard_domain::{
    Action, EpisodePolicy, Level, Opening, Outcome, Perception, Presentation, Reference, ReplyFormat,
    Setting, Status, Window,
};
use mageyard_engine::{
    Episode, Event, Head, Mode, Need, RecordedAgent, RequestContext, RunState, Snapshot, Waiting,
    analyze_with,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub(super) const ONLINE_FORMAT: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);

pub(super) const GLOBAL_FORMAT: ReplyFormat = ReplyFormat::headings("### Analyze", "### Actions", true);

fn head(agent: &str, setting: Setting, window: (u16, u16)) -> Head {
    let level = Level { number: 1, title: Some("Two doors".into()), source: BOARD.join("\n").into() };
    let agent = RecordedAgent::named(agent);
    let rules = ReaderRules::named("strict").unwrap();
    Head {
        seed: 1,
        setting,
        window: Window::new(window.0, window.1).unwrap(),
        prompt: "0s-CoT".into(),
        max_steps: 50,
        ..Head::new("sokoban", "sokoban/mini/7", level, agent, rules, 0)
    }
}

/// An episode built event by event.
pub(crate) struct ScriptedEpisode {
    pub(crate) episode: Episode,
    head: Arc<Head>,
    moves: usize,
    lost: bool,
}

impl ScriptedEpisode {
    pub(crate) fn new(agent: &str, setting: Setting, window: (u16, u16)) -> Self {
        Self::with_policy(agent, setting, window, EpisodePolicy::default())
    }

    /// An episode with these rules.
    pub(crate) fn with_policy(
        agent: &str,
        setting: Setting,
        window: (u16, u16),
        conduct: EpisodePolicy,
    ) -> Self {
        let head = Arc::new(Head { conduct, ..head(agent, setting, window) });
        let mut episode = Episode::new(head.clone());
        let opening =
            Opening { observation: observation(0), space: space(), status: Status::Running, points: 0.0 };
        let best = Reference { best: 57.5, steps: 9 };
        episode.apply(Event::Opened(opening, Some(best))).unwrap();
        Self { episode, head, moves: 0, lost: false }
    }

    /// The agent replies and the reply is parsed.
    pub(crate) fn reply(mut self, reply: &str) -> Self {
        let form = if self.head.setting == Setting::Global { GLOBAL_FORMAT } else { ONLINE_FORMAT };
        let reading = parse_reply(&self.head.rules, &form, reply, &space());
        let verdict = match reading.result {
            Ok(actions) if form.list => Event::Planned(actions, reading.spans),
            Ok(actions) => Event::Accepted(actions[0].clone(), reading.spans),
            Err(failure) => Event::Refused(failure, reading.spans),
        };
        for event in [Event::Asked, Event::Replied(reply.to_owned().into()), verdict] {
            self.episode.apply(event).unwrap();
        }
        if *self.episode.need() == Need::Skip {
            self.episode.apply(Event::Skipped).unwrap();
        }
        self
    }

    /// The environment applies the pending action.
    pub(crate) fn act(mut self, reward: f64, moves: bool, status: Status) -> Self {
        let Need::Act(action) = self.episode.need().clone() else { panic!("no action is pending") };
        self.moves += usize::from(moves);
        let observation = if self.lost { lost_observation } else { observation }(self.moves);
        let note = (reward > 0.0).then(|| "a box entered a target".to_owned());
        let outcome = Outcome {
            observation,
            space: space(),
            reward,
            status,
            note,
            problem: None,
            questions: Vec::new(),
        };
        self.episode.apply(Event::Acted(action, outcome)).unwrap();
        self
    }

    /// From the next action on a box is in a corner.
    pub(crate) fn corner_box(mut self) -> Self {
        self.lost = true;
        self
    }

    /// One complete step in the Online setting.
    pub(crate) fn step(self, action: &str, reward: f64, moves: bool) -> Self {
        let why = "The upper box stands one tile below its target. I walk round it, so that I can push it up from below.";
        let reply =
            ONLINE_FORMAT.write(why, &[Action::plain(action)], &mageyard_domain::ActionSpace::new(&[]));
        self.reply(&reply).act(reward, moves, Status::Running)
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let waiting = match self.episode.need() {
            Need::Open => Waiting::Opening,
            Need::Act(_) => Waiting::Apply,
            Need::Nothing(ending) => Waiting::Ended(*ending),
            _ => Waiting::Ask,
        };
        Snapshot {
            hint: None,
            state_editor: None,
            continues_online: false,
            head: self.head.clone(),
            steps: self.episode.steps().clone(),
            plan: self.episode.plan().clone(),
            window: self.episode.window(),
            returns: self.episode.returns(),
            smallest_loss: self.episode.smallest_loss(),
            spent: self.episode.spent(),
            models: self.episode.models(),
            error_analysis: Arc::new(analyze_with(
                &self.episode,
                &corner_check,
                self.head.conduct.thresholds,
            )),
            distances: Arc::default(),
            reference: self.episode.reference().cloned(),
            score: Some(self.episode.returns().best - 57.5 + 100.0),
            judgement: None,
            published: None,
            mixed: self.episode.is_mixed(),
            seat: self.episode.seat().cloned(),
            prompt: self.episode.prompt().to_owned(),
            requests: RequestContext::default(),
            run: RunState {
                mode: Mode::Paused,
                pace: Duration::from_millis(300),
                person: self.head.agent.name == "human",
                ..RunState::recorded(waiting)
            },
            presentation: Presentation::NONE,
            perception: Perception::NONE,
            journal: None,
            folder: PathBuf::from("/sessions/1"),
        }
    }
}
