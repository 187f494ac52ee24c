//! States: the same actions, checkpoints, going back, refused actions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use mageyard_dialog::ReaderRules;
use mageyard_domain::{
    Action, Agent, AgentError, Answer, Arg, Checkpoint, DecisionInput, Digest, EnvironmentSpec, Level,
    Observation, Opening, Setting, Status,
};
use mageyard_engine::{
    Driver, Episode, EpisodeSummary, Event, EventSink, Head, JournalError, Participants, RecordedAgent,
    rewind,
};

use super::{action_index, context, open_level, shipped, with_timeout};

/// Plays a level with a fixed, irregular sequence of actions.
async fn play(kind: &dyn EnvironmentSpec, level: &Level, steps: usize) -> Vec<(Digest, String, Status)> {
    let mut environment = open_level(kind, level);
    let opening = environment.open(&context()).await.unwrap();
    let mut visited = vec![(opening.observation.digest(), String::new(), opening.status)];
    let mut space = opening.space;
    for step in 0..steps {
        let verbs = space.specs();
        let action = verbs[action_index(step) % verbs.len()].example();
        let outcome = environment.act(&action, &context()).await.unwrap();
        visited.push((
            outcome.observation.digest(),
            format!("{} {:?}", outcome.reward, outcome.note),
            outcome.status,
        ));
        space = outcome.space;
    }
    environment.close().await;
    visited
}

#[tokio::test]
async fn the_same_actions_give_the_same_states() {
    for (kind, _, level) in shipped().into_iter().step_by(7) {
        let visited = with_timeout(play(kind, &level, 60)).await;
        assert_eq!(visited, with_timeout(play(kind, &level, 60)).await, "{}", level.label());
        let states: HashSet<_> = visited.iter().map(|(digest, ..)| digest).collect();
        assert!(states.len() > 1, "{}: nothing ever changes", level.label());
    }
}

/// An observed state without rewards: digest, action names, status.
fn state_of(seen: &Opening) -> (Digest, Vec<String>, Status) {
    (seen.observation.digest(), seen.space.names().map(str::to_owned).collect(), seen.status)
}

/// Each state is restored in an environment that is elsewhere, is looked at, and goes on as before.
#[tokio::test]
async fn a_checkpoint_restores_every_step_and_goes_on_the_same() {
    for (kind, _, level) in shipped().into_iter().step_by(7) {
        let mut played = open_level(kind, &level);
        let mut saved = Vec::new();
        let mut seen = with_timeout(played.open(&context())).await.unwrap();
        for step in 0..40 {
            let action = seen.space.specs()[action_index(step) % seen.space.specs().len()].example();
            let checkpoint = with_timeout(played.checkpoint(&context())).await.unwrap();
            let outcome = with_timeout(played.act(&action, &context())).await.unwrap();
            let next = Opening {
                observation: outcome.observation,
                space: outcome.space,
                status: outcome.status,
                points: 0.0,
            };
            saved.push((checkpoint, state_of(&seen), action, state_of(&next)));
            seen = next;
        }
        for (checkpoint, before, action, after) in saved.iter().rev() {
            with_timeout(played.restore(checkpoint, &context())).await.unwrap();
            for _ in 0..2 {
                let looked = with_timeout(played.look(&context())).await.unwrap();
                assert_eq!(&state_of(&looked), before, "{}", level.label());
            }
            with_timeout(played.act(action, &context())).await.unwrap();
            let looked = with_timeout(played.look(&context())).await.unwrap();
            assert_eq!(&state_of(&looked), after, "{}", level.label());
        }
        let foreign = Checkpoint::of_value("not a state");
        with_timeout(played.restore(&foreign, &context())).await.unwrap_err();
        let mut fresh = open_level(kind, &level);
        with_timeout(fresh.restore(&saved[20].0, &context())).await.unwrap();
        assert_eq!(state_of(&with_timeout(fresh.look(&context())).await.unwrap()), saved[20].1);
    }
}

/// Chooses irregular actions.
struct Irregular;

#[async_trait::async_trait]
impl Agent for Irregular {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let specs = input.space.specs();
        let action = specs[action_index(usize::try_from(input.step).unwrap()) % specs.len()].example();
        Ok(Answer::Replied(input.form.write("", &[action], input.space).into()))
    }
}

struct NoSink;

impl EventSink for NoSink {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<Option<EpisodeSummary>, JournalError> {
        Ok(None)
    }
}

/// An episode of 20 steps.
async fn recorded(kind: &dyn EnvironmentSpec, level: &Level) -> Episode {
    let agent = RecordedAgent::named("random");
    let rules = ReaderRules::named("strict").unwrap();
    let head = Head { max_steps: 20, ..Head::new(kind.name(), "level", level.clone(), agent, rules, 0) };
    let cast = Participants {
        environment: open_level(kind, level),
        agent: Box::new(Irregular),
        form: kind.reply_format(Setting::Online).unwrap(),
        prompts: Arc::default(),
        reference_search: None,
        roles: mageyard_engine::RoleSeats::default(),
    };
    let mut driver = Driver::new(Episode::new(head.into()), cast, Box::new(NoSink), Duration::ZERO);
    with_timeout(driver.run_to_end()).await.unwrap();
    driver.close().await;
    driver.episode().clone()
}

/// What forks build on: from the start and from a checkpoint, every step is reached exactly.
#[tokio::test]
async fn an_environment_returns_to_every_step() {
    for (kind, _, level) in shipped().into_iter().step_by(23) {
        let episode = recorded(kind, &level).await;
        let steps = episode.steps();
        let mut saved = open_level(kind, &level);
        // An episode can end early.
        let kept = u32::try_from(steps.len()).unwrap().min(7);
        with_timeout(rewind(saved.as_mut(), &context(), steps, kept, None)).await.unwrap();
        let checkpoint = with_timeout(saved.checkpoint(&context())).await.unwrap();
        for step in 1..=u32::try_from(steps.len()).unwrap() {
            let from = (step >= kept).then_some((kept, &checkpoint));
            for from in [None, from] {
                let mut fresh = open_level(kind, &level);
                let seen = with_timeout(rewind(fresh.as_mut(), &context(), steps, step, from)).await.unwrap();
                assert_eq!(seen.observation.digest(), steps[step as usize - 1].state, "{}", level.label());
            }
        }
        let mut fresh = open_level(kind, &level);
        let missing = with_timeout(rewind(fresh.as_mut(), &context(), steps, 99, None)).await.unwrap_err();
        assert_eq!(missing.to_string(), "there is no step 99");
        // A checkpoint of another step leads to another state, which is noticed.
        let state = |step: u32| steps[step as usize - 1].state;
        let Some(moved) = (1..=kept).find(|&step| state(step) != state(kept)) else { continue };
        let wrong =
            with_timeout(rewind(fresh.as_mut(), &context(), steps, moved, Some((moved, &checkpoint)))).await;
        assert!(wrong.unwrap_err().to_string().contains("the environment has changed"));
    }
}

#[tokio::test]
async fn every_allowed_action_is_accepted_and_others_are_refused() {
    for (kind, _, level) in shipped() {
        let mut environment = open_level(kind, &level);
        let opening = with_timeout(environment.open(&context())).await.unwrap();
        let mut twin = open_level(kind, &level);
        with_timeout(twin.open(&context())).await.unwrap();
        for verb in opening.space.specs() {
            for name in
                ["", "no such act", "\u{1b}[2J", &format!("{}!", verb.name), &format!("{} ", verb.name)]
            {
                let error =
                    with_timeout(environment.act(&Action::plain(name), &context())).await.unwrap_err();
                assert!(error.to_string().contains(&verb.name), "{error}");
            }
            let action = Action::plain(&*verb.name).with("x", Arg::Text("1".into()));
            with_timeout(environment.act(&action, &context())).await.unwrap_err();
            let outcome = with_timeout(environment.act(&verb.example(), &context())).await.unwrap();
            let unharmed = with_timeout(twin.act(&verb.example(), &context())).await.unwrap();
            assert_eq!(outcome.observation.digest(), unharmed.observation.digest(), "{}", level.label());
            assert!((outcome.reward - unharmed.reward).abs() < 1e-9);
        }
    }
}

/// Text, facts and picture show the same state: two steps differ in all of them or in none.
#[tokio::test]
async fn text_facts_and_picture_agree() {
    for (kind, _, level) in shipped().into_iter().step_by(5) {
        let mut environment = open_level(kind, &level);
        let opening = with_timeout(environment.open(&context())).await.unwrap();
        let mut known: HashMap<String, Vec<u8>> = HashMap::new();
        let mut painted: HashMap<Vec<u8>, String> = HashMap::new();
        let mut look = |seen: &Observation| {
            let text = seen.text().to_string();
            let facts = seen.facts().to_string();
            let state = format!("{text}{facts}");
            let Some(picture) = seen.picture() else { return };
            let frame = picture.pixels().unwrap().to_vec();
            assert_eq!(
                known.entry(text.clone()).or_insert(frame.clone()),
                &frame,
                "the same text with two frames"
            );
            assert_eq!(
                painted.entry(frame).or_insert(state.clone()),
                &state,
                "the same frame with two states"
            );
        };
        look(&opening.observation);
        for step in 0..80_usize {
            let verbs = opening.space.specs();
            let action = verbs[action_index(step) % verbs.len()].example();
            let outcome = with_timeout(environment.act(&action, &context())).await.unwrap();
            look(&outcome.observation);
            if outcome.status != Status::Running {
                break;
            }
        }
        assert!(known.len() > 1, "{}", level.label());
    }
}
