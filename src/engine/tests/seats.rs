//! Changes of seat: who decides which step, what the journal has of it, and what resumes.

use std::path::PathBuf;

use super::*;

/// Agents that always write the action of their name, in lower case; `wall` is known and cannot be created. A branch is
/// not made but written down.
#[derive(Default)]
struct Compass {
    forks: std::sync::Mutex<Vec<(PathBuf, u32, String)>>,
}

const NAMES: [(&str, &str); 2] = [("left", "Left"), ("right", "Right")];

#[async_trait::async_trait]
impl EpisodeServices for Compass {
    fn seat_choices(&self) -> Vec<SeatChoice> {
        NAMES
            .map(|(name, action)| SeatChoice { name: name.into(), summary: action.into(), refusal: None })
            .to_vec()
    }

    fn find_agent(&self, name: &str, _: &RecordedAgent) -> Result<RecordedAgent, String> {
        let known = NAMES.iter().any(|(known, _)| *known == name) || name == "script";
        if known { Ok(RecordedAgent::named(name)) } else { Err(format!("there is no agent {name}")) }
    }

    fn create_agent(&self, agent: &RecordedAgent) -> Result<SeatedAgent, String> {
        let line = NAMES.iter().find(|(name, _)| *name == agent.name).map_or("Right", |(_, line)| line);
        Ok(SeatedAgent { agent: Box::new(script(&[line])), person: None })
    }

    fn tag(&self, _: &Path, step: u32, name: &str) -> Result<String, String> {
        Ok(format!("tagged {step} {name}"))
    }

    async fn fork(&self, journal: &Path, step: u32, changes: &str) -> Result<String, String> {
        self.forks.lock().unwrap().push((journal.to_owned(), step, changes.to_owned()));
        if changes == "bad" { Err("it is bad".to_owned()) } else { Ok("b1".to_owned()) }
    }
}

/// A driver at its first step, of an agent that always goes to the right.
async fn opened(setting: Setting, log: Box<dyn EventSink>) -> Driver {
    let line = if setting == Setting::Global { "Right,Right,Right" } else { "Right" };
    let mut driver =
        driver(head(setting, 9, 50), script(&[line]), log).with_services(Arc::new(Compass::default()));
    driver.advance().await.unwrap();
    driver
}

async fn step(driver: &mut Driver) {
    let done = driver.episode().steps_done();
    while driver.episode().steps_done() == done {
        driver.advance().await.unwrap();
    }
}

/// Who decided each finished step, and how.
fn names(episode: &Episode) -> String {
    let done = episode.steps().iter().filter(|step| step.is_done());
    let words: Vec<String> =
        done.map(|step| format!("{}:{}", step.agent.name, step.action.as_ref().unwrap())).collect();
    words.join(" ")
}

#[tokio::test]
async fn a_seat_for_some_steps_ends_by_itself_and_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::create(folder.path(), &head(Setting::Online, 9, 50)).unwrap();
    let mut driver = opened(Setting::Online, Box::new(journal)).await;
    step(&mut driver).await;
    assert!(!driver.episode().is_mixed());
    driver.seat("left", Some(2)).unwrap();
    assert_eq!(driver.episode().steps().last().unwrap().agent.name, "left");
    assert!(!driver.episode().is_mixed(), "it has decided nothing yet");
    for _ in 0..3 {
        step(&mut driver).await;
    }
    let expected = "script:Right left:Left left:Left script:Right";
    assert_eq!(names(driver.episode()), expected);
    assert!(driver.episode().is_mixed());
    drop(driver);
    let path = folder.path().join("journal.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(r#""event":"seated","agent":"left","from":2,"until":4"#), "{text}");
    let (_, recorded) = open_when_free(&path).unwrap();
    let again = restore(&recorded, environment(&recorded.head).as_mut()).await.unwrap();
    assert_eq!(names(&again), expected);
    assert!(again.is_mixed() && again.seat().is_none());
}

#[tokio::test]
async fn the_same_agent_in_a_seat_leaves_the_episode_clean() {
    let driver = opened(Setting::Online, Box::new(NullSink::default())).await;
    let own = driver.episode().head().agent.clone();
    let other = RecordedAgent { name: "left".into(), ..own.clone() };
    for (agents, is_mixed) in [(vec![&own], false), (vec![&other, &own], false), (vec![&other], true)] {
        let mut episode = driver.episode().clone();
        for agent in agents {
            let seat = episode.seat_of(agent.clone(), None);
            episode.apply(Event::Seated(Arc::new(seat))).unwrap();
        }
        episode.apply(Event::Asked).unwrap();
        assert_eq!(episode.is_mixed(), is_mixed);
    }
}

#[tokio::test]
async fn a_driver_that_continues_seats_who_is_due() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::create(folder.path(), &head(Setting::Online, 9, 50)).unwrap();
    let mut before = opened(Setting::Online, Box::new(journal)).await;
    before.seat("left", Some(2)).unwrap();
    step(&mut before).await;
    drop(before);
    let (journal, recorded) = open_when_free(&folder.path().join("journal.jsonl")).unwrap();
    let mut world = environment(&recorded.head);
    let episode = restore(&recorded, world.as_mut()).await.unwrap();
    assert_eq!(episode.agent().name, "left");
    let seated = Compass::default().create_agent(episode.agent()).unwrap();
    let form = CorridorSpec.reply_format(Setting::Online).unwrap();
    let cast = Participants {
        environment: world,
        agent: seated.agent,
        form,
        prompts: Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    let driver = Driver::new(episode, cast, Box::new(journal), Duration::ZERO);
    let mut driver = driver.with_services(Arc::new(Compass::default()));
    step(&mut driver).await;
    step(&mut driver).await;
    assert_eq!(names(driver.episode()), "left:Left left:Left script:Right");
}

#[tokio::test]
async fn a_seat_given_while_an_action_waits_begins_with_the_next_step() {
    let mut driver = opened(Setting::Online, Box::new(NullSink::default())).await;
    while !matches!(driver.episode().need(), Need::Act(_)) {
        driver.advance().await.unwrap();
    }
    driver.seat("left", Some(1)).unwrap();
    assert_eq!(driver.episode().agent().name, "left");
    for _ in 0..3 {
        step(&mut driver).await;
    }
    assert_eq!(names(driver.episode()), "script:Right left:Left script:Right");
}

#[tokio::test]
async fn a_refused_seat_leaves_no_trace() {
    let log = NullSink::default();
    let unopened = driver(head(Setting::Online, 9, 5), script(&["Right"]), Box::new(log.clone()));
    let mut unopened = unopened.with_services(Arc::new(Compass::default()));
    assert!(matches!(unopened.seat("left", None), Err(DriverError::Seat(SeatError::NotOpen))));
    let mut global = opened(Setting::Global, Box::new(NullSink::default())).await;
    step(&mut global).await;
    assert!(matches!(global.seat("left", None), Err(DriverError::Seat(SeatError::PlanGiven))));
    let mut driver = opened(Setting::Online, Box::new(log.clone())).await;
    let written = log.written.load(Ordering::Relaxed);
    let error = driver.seat("nobody", None).unwrap_err();
    assert_eq!(error.to_string(), "there is no agent nobody");
    assert_eq!((log.written.load(Ordering::Relaxed), driver.episode().is_mixed()), (written, false));
    driver.run_to_end().await.unwrap();
    assert!(matches!(driver.seat("left", None), Err(DriverError::Seat(SeatError::Over))));
}

#[tokio::test]
async fn tokens_are_counted_by_the_model_that_was_seated() {
    let mut episode = Episode::new(Arc::new(Head {
        agent: RecordedAgent { model: Some("small".into()), ..RecordedAgent::named("model") },
        ..head(Setting::Online, 9, 50)
    }));
    let mut world = environment(episode.head());
    let opening = world.open(&EnvironmentContext::default()).await.unwrap();
    episode.apply(Event::Opened(opening, None)).unwrap();
    assert!(episode.models().is_empty());
    let large = RecordedAgent { model: Some("large".into()), ..RecordedAgent::named("model") };
    let seat = episode.seat_of(large, None);
    episode.apply(Event::Seated(seat.into())).unwrap();
    let request = Arc::new(SentRequest::default());
    let version = PromptVersion { prompt: "p".into(), segments: std::collections::BTreeMap::new() };
    episode.apply(Event::Sent(request, version.into())).unwrap();
    let usage = Some(Usage { input: 100, output: 10, ..Usage::default() });
    episode.apply(Event::Replied(Reply { usage, ..Reply::default() })).unwrap();
    let models = episode.models();
    let by_model: Vec<_> = models.iter().map(|one| (one.model.as_deref(), one.spent.usage.input)).collect();
    assert_eq!(by_model, [(Some("large"), 100)]);
}

/// Plays to the end; the agents that decided each step, what breakpoints did, and why the run was paused.
async fn broken(breakpoints: &str, services: &Arc<Compass>) -> (String, Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::create(folder.path(), &head(Setting::Online, 9, 6)).unwrap();
    let driver = driver(head(Setting::Online, 9, 6), script(&["Right", "Fly", "Right"]), Box::new(journal));
    let mut controller = Controller::new(driver.with_services(services.clone()), &CorridorSpec, None);
    controller.set_breakpoints(breakpoints.parse().unwrap());
    let go = CancellationToken::new();
    let mut notes = Vec::new();
    let mut pauses = Vec::new();
    controller.half(&go).await.unwrap();
    while controller.episode().ending().is_none() {
        controller.step(&go).await.unwrap();
        notes.extend(controller.take_break_notes());
        pauses.extend(controller.control().break_reason().map(str::to_owned));
        controller.control_mut().clear_reasons();
    }
    let who: Vec<_> = controller.episode().steps().iter().filter(|step| step.is_done()).cloned().collect();
    let who = who.iter().map(|step| step.agent.name.chars().next().unwrap()).collect();
    (who, notes, pauses)
}

#[tokio::test]
async fn a_breakpoint_gives_the_seat_or_makes_a_branch_and_the_run_goes_on() {
    let services = Arc::<Compass>::default();
    let (who, notes, pauses) = broken("ia once seat left 2", &services).await;
    assert_eq!(who, "ssllss");
    assert_eq!(
        notes,
        [
            "step 2: ia once seat left 2: invalid action (IA): left decides from the next request on, for 2 steps"
        ]
    );
    assert!(pauses.is_empty());
    let (who, ..) = broken("step=3 before request seat left", &services).await;
    assert_eq!(who, "ssllll");
    let (_, notes, pauses) = broken("step=4 fork am=1 why x; ia fork", &services).await;
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[0].starts_with("step 2: ia fork: ") && notes[0].ends_with("branch b1 begins at step 2"));
    assert!(pauses.is_empty());
    let made: Vec<_> =
        services.forks.lock().unwrap().iter().map(|(_, step, changes)| (*step, changes.clone())).collect();
    assert_eq!(made, [(2, String::new()), (4, "am=1 why x".to_owned()), (5, String::new())]);
    let (who, notes, _) = broken("step=2 tag wall", &services).await;
    assert_eq!(
        (who.as_str(), &notes[..]),
        ("ssssss", &["step 2: step=2 tag wall: step is 2: tagged 2 wall".to_owned()][..])
    );
    for (text, why) in [("step=2 seat nobody", "there is no agent nobody"), ("step=2 fork bad", "it is bad")]
    {
        let (_, notes, pauses) = broken(text, &services).await;
        assert!(notes.is_empty());
        assert_eq!(pauses, [format!("step 2: {text}: step is 2: not possible: {why}")]);
    }
}
