//! Looks for states in which a known mistake is possible, along shortest solutions of generated levels.

use std::collections::{BTreeMap, BTreeSet};

use mageyard_domain::{Action, Digest, EnvironmentContext, EnvironmentSpec, Observation, Options, Status};
use mageyard_engine::{Distance, search_distance};

use super::board::{Board, WAYS, opposite};

/// The kind of the levels, and the seed that they are generated from.
const KIND: &str = "small-v0";
const SEED: u64 = 17;

/// A state in which a mistake is possible.
pub(super) struct Found {
    pub(super) category: &'static str,
    pub(super) level: String,
    pub(super) text: String,
    pub(super) actions: Vec<String>,
    pub(super) digest: Digest,
    pub(super) mistake: String,
    pub(super) why: String,
}

/// What each action leads to: `None` if it changes nothing, else the distance, `None` if the goal is out of reach.
pub(super) type Results = BTreeMap<&'static str, Option<Option<u32>>>;

fn spec() -> &'static dyn EnvironmentSpec {
    mageyard_envs::environment("sokoban").unwrap()
}

async fn distance(seen: &Observation) -> Option<u32> {
    let limits = spec().capabilities().tools.solver.unwrap().limits(&Options::new());
    match search_distance(spec(), seen.for_one_use(), limits).await.unwrap() {
        Distance::Exact(actions) => Some(actions),
        Distance::Unreachable => None,
        Distance::Unknown(why) => panic!("{why}"),
    }
}

/// The state after these actions, whether it is won, and its observation.
async fn played(text: &str, actions: &[String]) -> (Observation, bool) {
    let level = spec().parse_levels(text).unwrap().remove(0);
    let mut environment = spec().open(&level, &Options::new(), 0).unwrap();
    let context = EnvironmentContext::default();
    let mut seen = environment.open(&context).await.unwrap().observation;
    let mut won = false;
    for action in actions {
        let outcome = environment.act(&Action::plain(action.clone()), &context).await.unwrap();
        won = outcome.status == Status::Won;
        seen = outcome.observation;
    }
    (seen, won)
}

async fn results(text: &str, actions: &[String]) -> (Digest, Option<u32>, Results) {
    let (seen, _) = played(text, actions).await;
    let mut results = Results::new();
    for (name, _) in WAYS {
        let (after, won) = played(text, &[actions, &[name.to_owned()]].concat()).await;
        let result = if after.digest() == seen.digest() {
            None
        } else if won {
            Some(Some(0))
        } else {
            Some(distance(&after).await)
        };
        results.insert(name, result);
    }
    (seen.digest(), distance(&seen).await, results)
}

/// The digest and the distance of the state after these actions, and what each action leads to.
pub(super) fn outcomes(text: &str, actions: &[String]) -> (Digest, Option<u32>, Results) {
    runtime().block_on(results(text, actions))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// So many states of each category, at most one of each in a level.
pub(super) fn find_states(categories: &[&'static str], each: usize) -> Vec<Found> {
    let kinds = spec().capabilities().tools.generator.unwrap().kinds();
    let mut worker = kinds.iter().find(|kind| kind.name == KIND).unwrap().source.worker(SEED);
    let mut found: BTreeMap<&str, Vec<Found>> = BTreeMap::new();
    let mut used = BTreeSet::new();
    let runtime = runtime();
    for number in 0.. {
        let full = |name: &&&str| found.get(**name).is_some_and(|states| states.len() >= each);
        if categories.iter().filter(full).count() == categories.len() {
            break;
        }
        let Ok(candidate) = worker.candidate(number, None) else { continue };
        let level = format!("{KIND}-{number}");
        let text = spec().parse_levels(&candidate.text).unwrap().remove(0).text().to_owned();
        for one in runtime.block_on(states_of(&level, &text)) {
            let states = found.entry(one.category).or_default();
            let is_new = states.iter().all(|other| other.level != one.level);
            let place = (one.digest, one.actions.clone());
            // A state is in one category only.
            if is_new && states.len() < each && used.insert(place) {
                states.push(one);
            }
        }
    }
    categories.iter().flat_map(|name| found.remove(name).unwrap()).collect()
}

/// The states with mistakes along a shortest solution.
async fn states_of(level: &str, text: &str) -> Vec<Found> {
    let mut board = Board::parse(text);
    let mut actions = Vec::new();
    let mut all = Vec::new();
    loop {
        let (digest, Some(distance), results) = results(text, &actions).await else { return all };
        let right = WAYS.iter().find(|(name, _)| results[name] == Some(Some(distance - 1)));
        let Some((right, _)) = right else { return all };
        for (category, mistake, why, more) in mistakes(&board, right, distance, &results) {
            all.push(Found {
                category,
                level: level.to_owned(),
                text: text.to_owned(),
                actions: actions.iter().cloned().chain(more).collect(),
                digest,
                mistake: mistake.to_owned(),
                why,
            });
        }
        if distance <= 1 {
            return all;
        }
        board.act(right);
        actions.push((*right).to_owned());
    }
}

type Mistake = (&'static str, &'static str, String, Vec<String>);

/// The mistakes that are possible: category, action, description, and the actions that go before.
fn mistakes(board: &Board, right: &str, distance: u32, results: &Results) -> Vec<Mistake> {
    let mut found: Vec<Mistake> = Vec::new();
    for (name, _) in WAYS {
        let Some(after) = results[name] else { continue };
        let pushed = board.pushed_to(name);
        let mut next = board.clone();
        next.act(name);
        let is_wasteful = after.is_some_and(|after| after >= distance);
        if let (Some(to), None) = (pushed, after) {
            if next.is_stuck_corner(to) {
                let why = format!("{name} pushes a box into a corner; {right} is on a shortest way");
                found.push(("stuck corner", name, why, Vec::new()));
            } else if next.is_pair_at_wall(to) {
                let why = format!("{name} puts two boxes in line along a wall; {right} is on a shortest way");
                found.push(("two boxes in line", name, why, Vec::new()));
            }
        }
        if pushed.is_some() && is_wasteful && board.walks(right) {
            let why = format!("{name} pushes a box from the wrong side; {right} goes round it");
            found.push(("wrong side", name, why, Vec::new()));
        }
        if distance > 3 && board.walks(name) && is_wasteful && next.walks(opposite(name)) {
            let back = opposite(name);
            let walked = [name, back, name, back].map(str::to_owned).to_vec();
            let why =
                format!("the last four moves were {name} and {back}; {name} would go on, {right} ends it");
            found.push(("loop", name, why, walked));
        }
        if distance == 1 && name != right {
            let why = format!("{right} is the last push; {name} misses it");
            found.push(("missed last push", name, why, Vec::new()));
        }
    }
    found
}
