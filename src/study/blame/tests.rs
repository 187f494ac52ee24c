//! Blame on random episodes: the verdict of the solver, that of playing on, and an independent search agree.

use crate::{
    ContinuationRequest, Samples, Study, StudyEnd, StudyEvent, blame_by_playing, blame_by_solver, blame_steps,
};
use mageyard_lab::{WrittenArgs, new_head, open_new, read_written_args, recorded_episode, select_level};
use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::*;
use mageyard_config::{AssignedSetting, Config, Folders, Origin};
use mageyard_engine::{Episode, Store};
use mageyard_lab::Lab;
use std::sync::Arc;

/// The lab of the program, with no secrets.
fn lab() -> Lab {
    Lab::new(mageyard_envs::environments(), mageyard_agents::AGENTS, Arc::new(|_| None))
}

/// A level as an independent search sees it: walls, goals, boxes and the man, by cell.
#[derive(Clone)]
struct Grid {
    width: usize,
    walls: Vec<bool>,
    goals: Vec<bool>,
}

type State = (usize, Vec<usize>);

impl Grid {
    /// Reads the text of a board.
    fn read(text: &str) -> (Self, State) {
        let lines: Vec<&str> = text.lines().collect();
        let width = lines.iter().map(|line| line.len()).max().unwrap() + 1;
        let mut cells = Vec::new();
        for line in &lines {
            cells.extend(line.bytes().chain(std::iter::repeat(b' ')).take(width));
        }
        let is =
            |wanted: &'static [u8]| cells.iter().map(move |cell| wanted.contains(cell)).collect::<Vec<_>>();
        let boxes = (0..cells.len()).filter(|at| b"$*".contains(&cells[*at])).collect();
        let man = cells.iter().position(|cell| b"@+".contains(cell)).unwrap();
        (Self { width, walls: is(b"#"), goals: is(b".*+") }, (man, boxes))
    }

    fn step(&self, (man, boxes): &State, by: isize) -> Option<State> {
        let to = man.checked_add_signed(by)?;
        if *self.walls.get(to)? {
            return None;
        }
        let mut boxes = boxes.clone();
        if let Some(pushed) = boxes.iter().position(|at| *at == to) {
            let beyond = to.checked_add_signed(by)?;
            if *self.walls.get(beyond)? || boxes.contains(&beyond) {
                return None;
            }
            boxes[pushed] = beyond;
            boxes.sort_unstable();
        }
        Some((to, boxes))
    }

    fn steps(&self) -> [isize; 4] {
        let width = isize::try_from(self.width).unwrap();
        [-1, 1, -width, width]
    }

    /// Whether the goal can be reached, by breadth-first search over moves, without any knowledge of deadlocks.
    fn is_solvable(&self, from: &State) -> bool {
        let mut seen = HashSet::from([from.clone()]);
        let mut queue = VecDeque::from([from.clone()]);
        while let Some(state) = queue.pop_front() {
            if state.1.iter().all(|at| self.goals[*at]) {
                return true;
            }
            for next in self.steps().into_iter().filter_map(|by| self.step(&state, by)) {
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        false
    }
}

struct Played {
    root: TempDir,
    journal: PathBuf,
    config: Config,
    episode: Episode,
}

fn with_settings<const N: usize>(config: &Config, set: [(&str, serde_json::Value); N]) -> Config {
    let assigned = set.map(|(name, value)| AssignedSetting {
        name: name.to_owned(),
        value,
        origin: Origin::Flag("--set".to_owned()),
    });
    config.with_assigned(&assigned).unwrap()
}

async fn random_episode(reference: &str, seed: u64, steps: u32) -> Played {
    let root = tempfile::tempdir().unwrap();
    let set = [("play.agent", "random".into()), ("play.max_steps", steps.into())];
    let config = with_settings(&Config::shipped(Folders::under(root.path())).unwrap(), set);
    let lab = lab();
    let store = Store::new(root.path().join("sessions"));
    let level = select_level(&lab, config.folders(), reference).unwrap();
    let head = new_head(&lab, &config, &level, seed).unwrap();
    let session = store.create_session(Duration::ZERO, "x").unwrap();
    let mut episode = open_new(&lab, &store, &session, 1, head, &config).unwrap();
    episode.driver.run_to_end().await.unwrap();
    let journal = store.journal_path(&session, 1);
    let episode = recorded_episode(&lab, &journal).restore().await.unwrap().episode;
    Played { root, journal, config, episode }
}

/// The step after which an independent search finds no solution.
fn lost_step(episode: &Episode) -> Option<u32> {
    let board = |step: u32| {
        let text = episode.steps().numbered(step).unwrap().observation.text().clone();
        Grid::read(text.split("\n\n").next().unwrap())
    };
    // An unsolvable state stays unsolvable, so the last state decides whether there is such a step.
    let last = episode.steps_done() + 1;
    let is_solvable = |step: u32| {
        let (grid, state) = board(step);
        grid.is_solvable(&state)
    };
    if episode.steps().numbered(last).is_none() || is_solvable(last) {
        return None;
    }
    // The first step after which it is not solvable, by bisection.
    let mut solvable = 0;
    let mut unsolvable = last;
    while unsolvable - solvable > 1 {
        let middle = u32::midpoint(solvable, unsolvable);
        if is_solvable(middle) { solvable = middle } else { unsolvable = middle }
    }
    (solvable > 0).then(|| unsolvable - 1)
}

/// Random episodes of small levels that were lost, each with the step that an independent search names.
async fn lost_episodes(count: usize) -> Vec<(Played, u32)> {
    let mut lost = Vec::new();
    for seed in 0.. {
        let played = random_episode(&format!("sokoban/full/{}", 1 + seed % 9), seed, 40).await;
        if let Some(step) = lost_step(&played.episode) {
            lost.push((played, step));
        }
        if lost.len() == count {
            break;
        }
    }
    lost
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_step_is_that_of_an_independent_search_in_200_lost_episodes() {
    let mut steps = HashSet::new();
    for (played, expected) in lost_episodes(200).await {
        let verdict = blame_by_solver(&lab(), &played.journal, &played.config).await.unwrap();
        let SolverVerdict::Lost { step, action, before } = verdict else { panic!("{verdict:?}") };
        assert_eq!(step, expected, "{}", played.episode.head().reference);
        let taken = played.episode.steps().numbered(step).unwrap().action.as_ref().unwrap().to_string();
        assert!(action == taken && before > 0);
        assert!(played.root.path().exists());
        steps.insert(step);
    }
    assert!(steps.len() > 10, "of many kinds: {steps:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn playing_on_with_the_solver_names_the_same_step() {
    for (played, expected) in lost_episodes(6).await {
        // The solver's ways may be longer than what is left of the recorded limit.
        let set = [("play.agent", "oracle".into()), ("play.max_steps", 300.into())];
        let config = with_settings(&played.config, set);
        let given = vec!["play.agent".to_owned(), "play.max_steps".to_owned()];
        let request = ContinuationRequest { samples: 1, given, ..ContinuationRequest::default() };
        let lab = lab();
        let stop = CancellationToken::new();
        let blame = blame_by_playing(&lab, &played.journal, &request, (&config, 1), &stop, &mut |_, _| {})
            .await
            .unwrap();
        let PlayedVerdict::Step { step, p } = blame.verdict else { panic!("{:?}", blame.verdict) };
        assert_eq!(step, expected);
        assert!(p.is_none_or(|p| (p - 1.0).abs() < 1e-9), "one sample each proves nothing: {p:?}");
        let (steps, most) = blame_steps(&lab, &played.journal).await.unwrap();
        assert!(blame.probes.len() <= most as usize && steps.contains(&step));
        // Asked again, only those try once more whose agent found no action.
        let stuck = blame.probes.iter().filter(|probe| probe.row.won.count == 0).count();
        let mut played_again = 0;
        let again =
            blame_by_playing(&lab, &played.journal, &request, (&config, 1), &stop, &mut |_, event| {
                played_again += usize::from(matches!(event, ProbeEvent::Ended(_)));
            })
            .await
            .unwrap();
        assert_eq!((again.verdict, played_again), (PlayedVerdict::Step { step, p }, stuck));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_for_the_step_has_its_table_at_any_time() {
    let played = random_episode("sokoban/full/3", 1, 9).await;
    let args = BlameArgs { play: true, samples: 2, seed: 0, concurrency: Some(1), allow_unsafe: false };
    let lab = lab();
    let judged = judge_blame(&lab, &played.journal, (&args, Vec::new()), &played.config).await.unwrap();
    let Judged::Planned(study) = judged else { panic!("it is to be played") };
    assert!(study.planned().left >= 2 && study.table(Samples::All).rows.is_empty());
    let mut events = 0;
    let mut report = |_: StudyEvent<'_>, done: usize| {
        assert_eq!(study.table(Samples::All).done, done);
        events += 1;
    };
    let end = study.run(&lab, &CancellationToken::new(), &mut report).await.unwrap();
    assert!(end == StudyEnd::Complete && events >= 3, "{end:?} after {events} events");
    let table = study.table(Samples::All);
    assert!(!table.tail.is_empty() && table.rows.iter().all(|row| row.samples.len() == 2), "{table:?}");
    assert!(study.table(Samples::None).rows.iter().all(|row| row.samples.is_empty()));
}

#[tokio::test]
async fn an_episode_that_was_won_or_can_be_won_has_no_such_step() {
    let played = random_episode("sokoban/full/1", 3, 2).await;
    let verdict = blame_by_solver(&lab(), &played.journal, &played.config).await.unwrap();
    assert!(matches!(verdict, SolverVerdict::StillPossible { left: 1.., .. }), "{verdict:?}");
    let played = random_episode("football/mini/1", 3, 2).await;
    let verdict = blame_by_solver(&lab(), &played.journal, &played.config).await.unwrap();
    assert_eq!(verdict, SolverVerdict::NoSolver);
}

#[test]
fn words_that_say_nothing_here_and_numbers_beyond_those_of_the_verb_are_refused() {
    let lab = lab();
    let read = |words: &str| -> Result<WrittenArgs<BlameArgs>, String> {
        read_written_args(&lab, words).map_err(|problem| problem.to_string())
    };
    let args = read("--play samples=10000 seed=2").unwrap().args;
    assert_eq!((args.play, args.samples, args.seed), (true, 10_000, 2));
    for (words, says) in [
        ("play samples=10001", "10001 is not in 1..=10000"),
        ("play samples=0", "0 is not in 1..=10000"),
        ("play prompts=A", "prompts is neither an argument of this command nor a setting"),
    ] {
        let error = read(words).unwrap_err();
        assert!(error.contains(says), "{words}: {error}");
    }
}
