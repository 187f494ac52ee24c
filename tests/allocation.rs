//! What allocates no memory: a binary of its own, because it counts every allocation in it.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use allocation_counter::measure;
use async_trait::async_trait;
use mageyard::dialog::{ReaderRules, Spans};
use mageyard::domain::{
    Action, Agent, AgentError, Answer, DecisionInput, EnvironmentSpec, Level, Observation, Options, Outcome,
    Reply, Window, World,
};
use mageyard::engine::{
    Driver, Episode, EpisodeSummary, Event, EventSink, Head, Journal, JournalError, Participants,
    RecordedAgent, Session, SessionCommand, SessionOptions, read_journal,
};
use mageyard::envs::sokoban::{Direction, FastRoom, Room, RoomBatch, RoomEnd, Sokoban};

fn levels() -> Vec<Level> {
    Sokoban.parse_levels(Sokoban.level_sets()[0].text).unwrap()
}

/// Pseudo-random directions, the same ones every time.
fn ways() -> impl Iterator<Item = usize> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(7_u32), next).map(|state| (state >> 30) as usize)
}

fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

#[test]
fn the_allocation_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7)))), 1);
}

#[test]
fn stepping_encoding_and_painting_a_fast_room_allocates_nothing() {
    for level in levels() {
        let mut room = FastRoom::new(&level, &Options::new()).unwrap();
        let (rows, columns) = room.size();
        let mut rgb = vec![0; room.bytes()];
        let mut states = vec![0; rows * columns];
        let mut good = true;
        let count = allocations(|| {
            for way in ways().take(500) {
                room.step(Direction::ALL[way]);
                good &= room.repaint(&mut rgb) && room.paint(&mut rgb) && room.encode(&mut states);
            }
            room.reset();
        });
        assert_eq!((count, good), (0, true), "{level:?}");
    }
}

#[test]
fn stepping_and_painting_a_batch_allocates_nothing() {
    let levels = levels();
    let mut rooms = RoomBatch::new(&levels, &Options::new(), 50).unwrap();
    let mut rewards = vec![0; levels.len()];
    let mut ends = vec![RoomEnd::Running; levels.len()];
    let mut rgb = vec![0; rooms.bytes()];
    let mut actions = vec![0; levels.len()];
    let mut ways = ways();
    let mut ended = 0;
    let mut good = true;
    let count = allocations(|| {
        for _ in 0..200 {
            for (action, way) in actions.iter_mut().zip(&mut ways) {
                *action = u8::try_from(way).unwrap_or(0);
            }
            good &= rooms.step(&actions, &mut rewards, &mut ends).is_ok();
            good &= rooms.repaint(&mut rgb).is_ok() && rooms.paint(&mut rgb).is_ok();
            ended += ends.iter().filter(|end| **end != RoomEnd::Running).count();
        }
    });
    assert_eq!((count, good), (0, true));
    assert!(ended >= 4 * levels.len(), "rooms have opened again: {ended}");
}

/// Rooms, some with many boxes and long text.
fn rooms() -> Vec<Level> {
    let hall = format!("{0}\n#{1}#\n#@{2}#\n{0}", "#".repeat(251), " $".repeat(124), ". ".repeat(124));
    let odd = Sokoban.parse_levels(&hall).unwrap();
    levels().into_iter().chain(odd).collect()
}

/// It reuses the memory of the previous observation, which has been dropped.
#[test]
fn digesting_an_observation_that_nobody_keeps_allocates_nothing_after_the_first() {
    let actions = Direction::ALL.map(|way| Action::plain(way.name()));
    let mut seen = HashSet::new();
    for level in rooms() {
        let mut room = Room::new(&level, &Options::new()).unwrap();
        room.observe().digest();
        for way in ways().take(50) {
            room.step(&actions[way]).unwrap();
            let mut digest = None;
            assert_eq!(allocations(|| digest = Some(room.observe().digest())), 0, "{level:?}");
            seen.insert(digest.unwrap());
        }
    }
    assert!(seen.len() > 100, "rooms have changed: {}", seen.len());
}

/// One allocation for the observation itself, which never changes; its digest allocates nothing.
#[test]
fn keeping_an_observation_costs_one_allocation() {
    let actions = Direction::ALL.map(|way| Action::plain(way.name()));
    for level in levels() {
        let mut room = Room::new(&level, &Options::new()).unwrap();
        let mut held = vec![room.observe()];
        held[0].digest();
        held.reserve(50);
        let mut digests = vec![held[0].digest()];
        for way in ways().take(50) {
            room.step(&actions[way]).unwrap();
            assert_eq!(allocations(|| held.push(room.observe())), 1, "{level:?}");
            let mut digest = None;
            assert_eq!(allocations(|| digest = held.last().map(Observation::digest)), 0, "{level:?}");
            digests.push(digest.unwrap());
        }
        let read =
            |seen: &Observation| Observation::from_parts(vec![], seen.text().clone(), seen.facts().clone());
        assert_eq!(held.iter().map(|seen| read(seen).digest()).collect::<Vec<_>>(), digests, "{level:?}");
    }
}

/// The list of parts, the picture, its paint function, the pixels, and their shared owner.
#[test]
fn rendering_a_frame_costs_five_allocations() {
    let mut room = Room::new(&levels()[0], &Options::new()).unwrap();
    let mut look = || room.observe().picture().map(|picture| picture.pixels().unwrap().len());
    let first = look();
    let mut again = None;
    assert_eq!(allocations(|| again = look()), 5);
    assert_eq!(again, first);
}

/// Only the explanation of a push that makes the level dead allocates.
#[test]
fn stepping_a_world_without_a_note_allocates_nothing() {
    let actions = Direction::ALL.map(|way| Action::plain(way.name()));
    let mut quiet = 0;
    for level in levels() {
        let mut room = Room::new(&level, &Options::new()).unwrap();
        for way in ways().take(300) {
            let mut note = None;
            let count = allocations(|| note = room.step(&actions[way]).unwrap().1);
            if note.is_none() {
                assert_eq!(count, 0, "{level:?}");
                quiet += 1;
            }
        }
    }
    assert!(quiet > 1000);
}

fn head(level: &Level) -> Head {
    let agent = RecordedAgent::named("random");
    let rules = ReaderRules::named("strict").unwrap();
    let head = Head::new("sokoban", "sokoban/full/1", level.clone(), agent, rules, 0);
    Head { seed: 1, window: Window::new(5, 1).unwrap(), prompt: "0s-CoT".into(), max_steps: 50, ..head }
}

/// An event is copied to be stored, with its text; its line and its seal allocate nothing.
#[test]
fn journaling_an_event_costs_its_copy() {
    let folder = tempfile::tempdir().unwrap();
    let level = &levels()[0];
    let mut journal = Journal::create(folder.path(), &head(level)).unwrap();
    let mut room = Room::new(level, &Options::new()).unwrap();
    let action = Action::plain("Left");
    let observation = room.observe();
    let space = room.space();
    let status = room.status();
    observation.digest();
    let outcome = Outcome {
        observation,
        space,
        reward: -0.5,
        status,
        note: None,
        problem: None,
        questions: Vec::new(),
    };
    let reply = Reply { text: "### Action\nLeft".into(), ..Reply::default() };
    for (event, count) in [
        (Event::Asked, 0),
        (Event::Replied(reply), 1),
        (Event::Accepted(action.clone(), Spans::default()), 1),
        (Event::Acted(action, outcome), 1),
    ] {
        assert_eq!(allocations(|| journal.append(7, &event).unwrap()), count, "{}", event.name());
    }
    assert_eq!(read_journal(&folder.path().join("journal.jsonl")).unwrap().lines.len(), 4);
}

/// Walks to and fro.
struct Shuttle;

#[async_trait]
impl Agent for Shuttle {
    async fn decide(&mut self, input: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let action = Action::plain(if input.step.is_multiple_of(2) { "Left" } else { "Right" });
        Ok(Answer::Replied(input.form.write("to and fro", &[action], input.space).into()))
    }
}

/// Discards all events.
struct Discard;

impl EventSink for Discard {
    fn append(&mut self, _: u64, _: &Event) -> Result<(), JournalError> {
        Ok(())
    }

    fn finish(&mut self, _: &Episode, _: Duration) -> Result<Option<EpisodeSummary>, JournalError> {
        Ok(None)
    }
}

/// Plays a session of so many steps to its end, on this thread.
async fn play_session(steps: u32) {
    let kind = mageyard::envs::environment("sokoban").unwrap();
    let level = &levels()[0];
    let head = Head { max_steps: steps, ..head(level) };
    let participants = Participants {
        environment: kind.open(level, &head.options, head.seed).unwrap(),
        agent: Box::new(Shuttle),
        form: kind.reply_format(head.setting).unwrap(),
        prompts: Arc::default(),
        reference_search: None,
        roles: mageyard_engine::RoleSeats::default(),
    };
    let driver = Driver::new(Episode::new(head.into()), participants, Box::new(Discard), Duration::ZERO);
    let pace = Duration::ZERO;
    let folder = "nowhere".into();
    let options = SessionOptions { kind, person: None, pace, distance_limits: None, folder };
    let mut session = Session::start(driver, options);
    session.commands.as_ref().unwrap().send(SessionCommand::Run(None)).unwrap();
    let ended = session.snapshots.wait_for(|snapshot| snapshot.run.waiting.ending().is_some()).await;
    assert_eq!(ended.unwrap().steps_done(), steps);
}

#[test]
fn a_step_of_a_long_session_allocates_no_more_than_one_of_a_short_session() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let bytes = |steps| measure(|| runtime.block_on(play_session(steps))).bytes_total;
    let short = bytes(500);
    let long = bytes(4000);
    // Eight times the steps; copying the steps at each snapshot made it forty times.
    assert!(long < 9 * short, "{short} bytes for 500 steps, {long} for 4000");
}

/// Values in memory are many times as large as their text; a file may not use more than one room's worth.
#[test]
fn a_hostile_list_uses_no_more_memory_than_one_room() {
    let gym = Sokoban.capabilities().files.formats.iter().find(|format| format.name == "gym").unwrap();
    let many = "1,".repeat(2 << 20) + "1";
    let room = r#""room_fixed": [[0,0,0,0,0],[0,1,1,2,0],[0,0,0,0,0]], "room_state": [[0,0,0,0,0],[0,5,4,2,0],[0,0,0,0,0]]"#;
    for (text, read) in [
        (format!("[{many}]"), false),
        (format!("[[{many}]]"), false),
        (format!("[[[{many}]]]"), false),
        (format!(r#"{{"room_fixed": [[{many}]]}}"#), false),
        (format!(r#"{{"published": [{many}], {room}}}"#), false),
        (format!(r#"{{"other": [{many}], {room}}}"#), true),
        (format!("[[[0]], [[0]], [{many}]]"), false),
    ] {
        let mut levels = None;
        let most = measure(|| levels = (gym.read)(text.as_bytes()).ok().map(|levels| levels.len())).bytes_max;
        assert_eq!(levels, read.then_some(1), "{}", &text[..40]);
        assert!(most < 4 << 20, "{most} bytes for {} bytes of {}", text.len(), &text[..40]);
    }
}
