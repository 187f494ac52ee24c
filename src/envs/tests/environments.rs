//! The contract that every environment in the list must fulfil.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mageyard_dialog::{ReaderRules, parse_reply};
use mageyard_domain::{
    Action, ActionSpec, Agent, AgentError, Answer, Arg, Checkpoint, DecisionInput, Digest, Environment,
    EnvironmentContext, EnvironmentSpec, Level, Objective, Observation, Opening, Options, Recovery,
    Reference, Returns, SearchBudget, Setting, Status,
};
use mageyard_engine::{
    Driver, Episode, EpisodeSummary, Event, EventSink, Head, JournalError, Participants, RecordedAgent,
    rewind,
};
use mageyard_envs::{environment, environments};

const TIMEOUT: Duration = Duration::from_mins(1);

/// The environments that need nothing outside this process.
fn pure_environments() -> impl Iterator<Item = &'static dyn EnvironmentSpec> {
    let level = |kind: &dyn EnvironmentSpec| kind.parse_levels(kind.level_sets()[0].text).unwrap().remove(0);
    let pure =
        move |kind: &&dyn EnvironmentSpec| open_level(*kind, &level(*kind)).recovery() == Recovery::Replay;
    environments().iter().copied().filter(pure)
}

/// All scenes of football have the same rules and large frames: a few of the full set are enough.
fn is_sample(kind: &dyn EnvironmentSpec, set: &str, level: &Level) -> bool {
    kind.name() != "football" || set != "full" || level.number % 20 == 1
}

/// The shipped levels of these with their environments and sets.
fn shipped() -> Vec<(&'static dyn EnvironmentSpec, &'static str, Level)> {
    let of_kind = |kind: &'static dyn EnvironmentSpec| {
        kind.level_sets().iter().flat_map(move |set| {
            let levels = kind.parse_levels(set.text).unwrap_or_else(|error| panic!("{}: {error}", set.name));
            let wanted = |level: &Level| is_sample(kind, set.name, level);
            levels.into_iter().filter(wanted).map(move |level| (kind, set.name, level))
        })
    };
    pure_environments().flat_map(of_kind).collect()
}

/// The same without the rooms of `full` that are slow to solve in a debug build.
fn quickly_solved() -> Vec<(&'static dyn EnvironmentSpec, &'static str, Level)> {
    let soon = |set: &str, level: &Level| set != "full" || level.label().starts_with("small");
    shipped().into_iter().filter(|(_, set, level)| soon(set, level)).collect()
}

fn open_level(kind: &dyn EnvironmentSpec, level: &Level) -> Box<dyn Environment> {
    kind.open(level, &Options::new(), 7).expect("the defaults are valid")
}

fn context() -> EnvironmentContext {
    EnvironmentContext::default()
}

/// A fixed sequence that is not periodic in any number of actions.
fn action_index(step: usize) -> usize {
    step.wrapping_mul(2_654_435_761) >> 7
}

/// Plays a level with a fixed, irregular sequence of actions.
async fn play(kind: &dyn EnvironmentSpec, level: &Level, steps: usize) -> Vec<(Digest, String, Status)> {
    let mut environment = open_level(kind, level);
    let opening = environment.open(&context()).await.unwrap();
    let mut visited = vec![(opening.observation.digest(), String::new(), opening.status)];
    let mut space = opening.space;
    for step in 0..steps {
        let verbs = space.specs();
        let action = Action::plain(&*verbs[action_index(step) % verbs.len()].name);
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

async fn with_timeout<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(TIMEOUT, work).await.expect("within the time limit")
}

#[test]
fn environments_have_unique_names_and_sets() {
    let names: HashSet<_> = environments().iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), environments().len());
    for each in environments() {
        assert_eq!(environment(each.name()).map(EnvironmentSpec::name), Some(each.name()));
        assert!(!each.level_sets().is_empty() && !each.file_extensions().is_empty());
        let sets: HashSet<_> = each.level_sets().iter().map(|set| set.name).collect();
        assert_eq!(sets.len(), each.level_sets().len());
        assert!(
            each.reply_format(Setting::Online).is_some_and(|form| !form.list),
            "one action per observation"
        );
    }
    assert!(environment("no such kind").is_none());
}

/// Live environments are played by tests of their own.
#[test]
fn levels_of_live_environments_survive_a_round_trip() {
    let pure: HashSet<_> = pure_environments().map(EnvironmentSpec::name).collect();
    let live: Vec<_> = environments().iter().filter(|kind| !pure.contains(kind.name())).collect();
    assert_eq!(live.iter().map(|kind| kind.name()).collect::<Vec<_>>(), ["webui"]);
    for kind in live {
        for set in kind.level_sets() {
            for level in kind.parse_levels(set.text).unwrap() {
                let again = kind.parse_levels(level.text()).unwrap();
                assert_eq!((again.len(), again[0].text()), (1, level.text()));
                assert!(level.title.is_some() && kind.open(&level, &Options::new(), 7).is_ok());
                assert!(reference(*kind, &level).is_some());
            }
        }
    }
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
            let action =
                Action::plain(&*seen.space.specs()[action_index(step) % seen.space.specs().len()].name);
            let checkpoint = with_timeout(played.checkpoint(&context())).await.unwrap();
            let outcome = with_timeout(played.act(&action, &context())).await.unwrap();
            let next =
                Opening { observation: outcome.observation, space: outcome.space, status: outcome.status };
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
                ["", "no such act", "\u{1b}[2J", &verb.name.to_uppercase(), &format!("{} ", verb.name)]
            {
                let error =
                    with_timeout(environment.act(&Action::plain(name), &context())).await.unwrap_err();
                assert!(error.to_string().contains(&verb.name), "{error}");
            }
            let action = Action::plain(&*verb.name).with("x", Arg::Text("1".into()));
            with_timeout(environment.act(&action, &context())).await.unwrap_err();
            let outcome =
                with_timeout(environment.act(&Action::plain(&*verb.name), &context())).await.unwrap();
            let unharmed = with_timeout(twin.act(&Action::plain(&*verb.name), &context())).await.unwrap();
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
            let action = Action::plain(&*verbs[action_index(step) % verbs.len()].name);
            let outcome = with_timeout(environment.act(&action, &context())).await.unwrap();
            look(&outcome.observation);
            if outcome.status != Status::Running {
                break;
            }
        }
        assert!(known.len() > 1, "{}", level.label());
    }
}

#[tokio::test]
async fn every_shipped_level_opens_and_survives_a_round_trip() {
    for (kind, set, level) in quickly_solved() {
        let opening = with_timeout(open_level(kind, &level).open(&context())).await.unwrap();
        let picture = opening.observation.picture().expect("a frame");
        let grain = picture.grain();
        assert_eq!((picture.width() % grain, picture.height() % grain), (0, 0));
        assert_eq!(
            picture.pixels().unwrap().len() as u64,
            u64::from(picture.width()) * u64::from(picture.height()) * 3
        );
        assert_eq!(opening.status, Status::Running, "{set}/{}", level.label());
        let is_relative = kind.score(Returns::default(), None).is_none();
        assert!(!is_relative || reference(kind, &level).is_some(), "{set}/{}", level.label());
        let again = kind.parse_levels(level.text()).unwrap();
        assert_eq!((again.len(), again[0].text()), (1, level.text()));
        assert!(level.title.is_some());
    }
}

static GO: AtomicBool = AtomicBool::new(false);

fn reference(kind: &'static dyn EnvironmentSpec, level: &Level) -> Option<Reference> {
    kind.capabilities().scoring.reference(level, &Options::new(), &GO)
}

/// The action without blank lines around its code: the reader of the benchmark's public code keeps those of the fences.
fn without_blank_lines(action: &Action) -> Action {
    let trimmed = |arg: &Arg| match arg {
        Arg::Code(code) => Arg::Code(code.trim_matches('\n').to_owned()),
        arg => arg.clone(),
    };
    let args = action.args.iter().map(|(name, arg)| (name.clone(), trimmed(arg)));
    Action { args: args.collect(), ..action.clone() }
}

/// Each reader parses what agents without a model write in its format.
#[tokio::test]
async fn every_reader_reads_replies_in_its_own_format() {
    for kind in environments().iter().copied() {
        let level = &kind.parse_levels(kind.level_sets()[0].text).unwrap()[0];
        let mut environment = open_level(kind, level);
        let space = match environment.recovery() {
            Recovery::Replay => with_timeout(environment.open(&context())).await.unwrap().space,
            _ => mageyard_envs::webui::action_space(),
        };
        let every: Vec<Action> = space.specs().iter().map(ActionSpec::example).collect();
        for setting in [Setting::Global, Setting::Online] {
            let Some(own) = kind.reply_format(setting) else { continue };
            for (name, _) in ReaderRules::shipped() {
                let rules = ReaderRules::named(name).unwrap();
                let form = rules.reply_format(&own);
                let plans: Vec<&[Action]> = if own.list { vec![&every] } else { every.chunks(1).collect() };
                for actions in plans {
                    for reason in ["", "Why?", &form.write("a", actions, &space), "```\nx", "{\"a\": 1}"] {
                        let reply = form.write(reason, actions, &space);
                        let reading = parse_reply(&rules, &form, &reply, &space);
                        assert_eq!(
                            reading.result.map(|actions| actions.iter().map(without_blank_lines).collect()),
                            Ok(actions.to_vec()),
                            "{} {setting} {name}",
                            kind.name()
                        );
                    }
                }
            }
        }
    }
}

/// The environment confirms what policies and solvers claim.
#[tokio::test]
async fn the_oracle_reaches_the_full_score() {
    for (kind, set, level) in quickly_solved() {
        let Some(mut oracle) = kind.capabilities().policies.create_oracle() else { continue };
        let mut environment = open_level(kind, &level);
        let opening = with_timeout(environment.open(&context())).await.unwrap();
        let (actions, reason) = oracle.plan(&opening.observation, &opening.space, 200, &GO).unwrap();
        assert!(!reason.is_empty());
        let mut seen = opening.observation;
        let mut returns = Returns::default();
        let mut status = opening.status;
        for (step, planned) in (1..).zip(&actions) {
            let (action, reason) =
                oracle.next_action(step, &seen, &opening.space, &GO).unwrap().expect("an action");
            assert_eq!(&action, planned, "{set}/{} step {step}: online and global agree", level.label());
            assert!(reason.ends_with('.'), "{reason}");
            let outcome = with_timeout(environment.act(&action, &context())).await.unwrap();
            (seen, returns, status) = (outcome.observation, returns.plus(outcome.reward), outcome.status);
        }
        assert_eq!(status, Status::Won);
        let reference = reference(kind, &level);
        let score = |returns| kind.score(returns, reference.as_ref()).expect("a score");
        assert!((score(returns) - 100.0).abs() < 1e-9, "{set}/{}: {}", level.label(), score(returns));
        let best = reference.as_ref().map_or(0.0, |reference| reference.best);
        assert!((score(Returns::default()) - (100.0 - best)).abs() < 1e-9, "score without any action");
        assert_eq!(kind.score(returns, None), None);
    }
}

#[test]
fn every_sokoban_level_is_solved_within_50_moves() {
    let sokoban = environment("sokoban").unwrap();
    let stop = AtomicBool::new(false);
    for (_, set, level) in quickly_solved().into_iter().filter(|(kind, ..)| kind.name() == "sokoban") {
        let bounds = SearchBudget::with_states(2_000_000, &stop);
        let solver = sokoban.capabilities().tools.solver.unwrap();
        let solution = solver.solve(&level, Objective::ACTIONS, bounds).unwrap().unwrap();
        let moves = solution.actions.len();
        assert!((1..=50).contains(&moves), "{set}/{}: {moves}", level.label());
        let lurd = solution.notation;
        let pushes = solution.sizes[1];
        assert_eq!(lurd.len(), moves);
        assert_eq!(pushes as usize, lurd.bytes().filter(u8::is_ascii_uppercase).count());
    }
}

#[test]
fn the_mini_set_has_the_documented_groups() {
    let sokoban = environment("sokoban").unwrap();
    assert_eq!(sokoban.level_sets()[0].name, "mini");
    let mut groups: BTreeMap<(String, usize, usize, usize), usize> = BTreeMap::new();
    for level in sokoban.parse_levels(sokoban.level_sets()[0].text).unwrap() {
        let rows: Vec<&str> = level.text().lines().collect();
        let boxes = level.text().chars().filter(|c| "$*".contains(*c)).count();
        let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let title = level.label();
        let group = title.rsplit_once('-').map(|(group, _)| group.to_owned()).unwrap();
        *groups.entry((group, rows.len(), columns, boxes)).or_default() += 1;
    }
    let groups: Vec<_> = groups
        .iter()
        .map(|((name, rows, columns, boxes), n)| (name.as_str(), *rows, *columns, *boxes, *n))
        .collect();
    assert_eq!(
        groups,
        [
            ("huge-v0", 13, 13, 5, 2),
            ("large-v0", 13, 11, 3, 3),
            ("small-v0", 7, 7, 2, 9),
            ("small-v1", 7, 7, 3, 3),
            ("v0", 10, 10, 3, 2),
            ("v1", 10, 10, 4, 1),
        ]
    );
}

/// The eight rotations and reflections of a board, as text.
fn symmetries(text: &str) -> Vec<String> {
    let width = text.lines().map(str::len).max().unwrap_or(0);
    let mut grid: Vec<Vec<u8>> = text.lines().map(|row| format!("{row:width$}").into_bytes()).collect();
    let mut all = Vec::new();
    for _ in 0..2 {
        for _ in 0..4 {
            let rows = grid.len();
            let columns = grid[0].len();
            grid = (0..columns).map(|x| (0..rows).rev().map(|y| grid[y][x]).collect()).collect();
            all.push(grid.iter().map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect());
        }
        for row in &mut grid {
            row.reverse();
        }
    }
    all
}

#[test]
fn no_two_sokoban_levels_are_equal_under_the_eight_symmetries() {
    let mut known: HashMap<String, String> = HashMap::new();
    for (_, set, level) in shipped().into_iter().filter(|(kind, ..)| kind.name() == "sokoban") {
        let turned = symmetries(level.text());
        assert!(turned.len() == 8 && turned.contains(&(level.text().to_owned() + "\n")));
        let least = turned.into_iter().min().unwrap();
        let name = format!("{set}/{}", level.label());
        // The levels of mini are levels of full.
        if let Some(twin) = known.insert(least, name.clone()) {
            let same =
                twin.strip_prefix("mini").is_some_and(|title| name.strip_prefix("full") == Some(title));
            assert!(same, "{name} is {twin} turned or mirrored");
        }
    }
    assert!(known.len() >= 190);
}
