//! Edits of pending replies and actions.

use super::*;

fn says(line: &str) -> Edit {
    Edit::Reply(format!("# analyze\nby hand\n# action\n{line}\n"))
}

fn does(names: &[&str]) -> Edit {
    Edit::Actions(names.iter().copied().map(Action::plain).collect())
}

fn picked(line: &str) -> Edit {
    let reply =
        Reply { latency_ms: Some(9), ..Reply::from(format!("# analyze\nelsewhere\n# action\n{line}\n")) };
    Edit::Picked(PickedReply { reply, from: "ask 1, variant 1, sample 2".to_owned() }.into())
}

fn target(driver: &Driver) -> EditTarget {
    EditTarget::of(driver.episode().steps().last().unwrap())
}

/// A driver advanced until `stop` holds.
async fn at(setting: Setting, lines: &[&'static str], stop: impl Fn(&Episode) -> bool) -> Driver {
    let mut driver = driver(head(setting, 5, 50), script(lines), Box::new(NullSink::default()));
    while !stop(driver.episode()) {
        driver.advance().await.unwrap();
    }
    driver
}

fn acts(episode: &Episode) -> bool {
    matches!(episode.need(), Need::Act(_))
}

fn last(driver: &Driver) -> &Step {
    driver.episode().steps().last().unwrap()
}

#[tokio::test]
async fn an_edited_reply_is_read_again_and_the_original_is_kept() {
    let mut driver = at(Setting::Online, &["Left"], acts).await;
    assert!(!driver.episode().is_mixed());
    driver.edit(target(&driver), says("Right")).unwrap();
    assert_eq!(*driver.episode().need(), Need::Act(Action::plain("Right")));
    let attempt = &last(&driver).attempts[0];
    assert!(attempt.is_edited() && attempt.reply.contains("by hand"));
    assert!(attempt.original().reply.contains("step 1"));
    assert_eq!(attempt.original().verdict, Some(Ok(vec![Action::plain("Left")])));
    assert!(driver.episode().is_mixed() && last(&driver).is_edited());
    driver.advance().await.unwrap();
    assert_eq!(transcript(driver.episode())[0], ".@.... Right -1");
    assert!(!last(&driver).is_edited(), "the next step is the agent's");
}

#[tokio::test]
async fn a_picked_reply_is_read_as_one_of_the_agent_and_says_where_it_comes_from() {
    let undecided = |episode: &Episode| *episode.need() == Need::Decide { step: 1, attempt: 1 };
    let mut driver = at(Setting::Online, &["Left"], undecided).await;
    driver.edit(target(&driver), picked("Right")).unwrap();
    assert_eq!(*driver.episode().need(), Need::Act(Action::plain("Right")));
    let attempt = &last(&driver).attempts[0];
    assert_eq!(attempt.picked_from.as_deref(), Some("ask 1, variant 1, sample 2"));
    assert!(attempt.latency_ms.is_none() && !attempt.is_edited(), "its time belongs to the ask");
    assert!(last(&driver).is_edited() && driver.episode().is_mixed());
    driver.advance().await.unwrap();
    assert_eq!(transcript(driver.episode())[0], ".@.... Right -1");
    assert!(!last(&driver).is_edited());
}

#[tokio::test]
async fn a_picked_reply_replaces_a_reply_that_is_pending_and_comes_too_late_after_the_end() {
    let mut driver = at(Setting::Online, &["Left"], acts).await;
    driver.edit(target(&driver), picked("Fly")).unwrap();
    let attempts = &last(&driver).attempts;
    assert!(attempts[0].replaced && attempts[1].is_refused(), "{attempts:?}");
    assert_eq!(*driver.episode().need(), Need::Decide { step: 1, attempt: 3 });
    driver.edit(target(&driver), picked("Right")).unwrap();
    assert_eq!(*driver.episode().need(), Need::Act(Action::plain("Right")));
    driver.abandon().unwrap();
    let refused = driver.edit(target(&driver), picked("Left")).unwrap_err().to_string();
    assert!(refused.contains("the episode is over"), "{refused}");
}

#[tokio::test]
async fn editing_a_refused_reply_uses_no_attempt() {
    let second = |episode: &Episode| *episode.need() == Need::Decide { step: 1, attempt: 3 };
    let mut driver = at(Setting::Online, &["Fly"], second).await;
    driver.edit(target(&driver), says("Swim")).unwrap();
    assert_eq!(*driver.episode().need(), Need::Decide { step: 1, attempt: 3 }, "still two refused replies");
    driver.edit(target(&driver), says("Right")).unwrap();
    assert_eq!(*driver.episode().need(), Need::Act(Action::plain("Right")));
    let step = last(&driver);
    assert_eq!((step.attempts.len(), step.parse_errors()), (2, 1));
    assert!(step.attempts[1].original().is_refused() && step.attempts[1].original().reply.contains("Fly"));
    let back = Edit::Reply(step.attempts[1].original().reply.to_string());
    driver.edit(target(&driver), back).unwrap();
    assert!(!last(&driver).is_edited(), "the reply is the agent's own again");
    assert!(driver.episode().is_mixed(), "but a person intervened");
}

#[tokio::test]
async fn an_edited_action_is_applied_and_keeps_the_reply() {
    let mut driver = at(Setting::Online, &["Left"], acts).await;
    driver.edit(target(&driver), does(&["Right"])).unwrap();
    assert!(last(&driver).edited && !last(&driver).attempts[0].is_edited());
    driver.advance().await.unwrap();
    let steps = driver.episode().steps();
    assert_eq!(steps[0].action, Some(Action::plain("Right")));
    assert_eq!((&**steps[1].observation.text(), steps[1].edited), ("..@...", false));
}

#[tokio::test]
async fn the_rest_of_a_plan_can_be_replaced() {
    let mut driver = at(Setting::Global, &["Left,Left,Left"], |episode| episode.steps_done() == 1).await;
    driver.edit(target(&driver), does(&["Right", "Right"])).unwrap();
    assert_eq!(driver.episode().plan().len(), 1);
    driver.run_to_end().await.unwrap();
    let done: Vec<_> = driver.episode().steps().iter().filter(|step| step.is_done()).collect();
    let actions: Vec<_> = done.iter().map(|step| step.action.as_ref().unwrap().name.as_str()).collect();
    assert_eq!(actions, ["Left", "Right", "Right"]);
    assert_eq!(done.iter().map(|step| step.is_edited()).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(driver.episode().ending(), Some(Ending::PlanEnded));
}

#[tokio::test]
async fn a_plan_can_be_replaced_before_its_first_action() {
    let mut driver = at(Setting::Global, &["Left,Left"], acts).await;
    driver.edit(target(&driver), says("Right")).unwrap();
    assert_eq!(
        (driver.episode().need(), driver.episode().plan().len()),
        (&Need::Act(Action::plain("Right")), 0)
    );
}

#[tokio::test]
async fn an_impossible_edit_is_refused_and_changes_nothing() {
    let fresh = |episode: &Episode| matches!(episode.need(), Need::Decide { .. });
    let begun = |episode: &Episode| episode.steps_done() == 1;
    for (mut driver, edit, says) in [
        (at(Setting::Online, &["Left"], fresh).await, says("Right"), "the agent has not replied yet"),
        (at(Setting::Online, &["Left"], fresh).await, does(&["Right"]), "no action is pending"),
        (
            at(Setting::Online, &["Left"], acts).await,
            does(&["Fly"]),
            "\"Fly\" is not an action here; the actions are Left, Right",
        ),
        (at(Setting::Online, &["Left"], acts).await, does(&["Left"]), "the edit changes nothing"),
        (at(Setting::Online, &["Left"], acts).await, does(&[]), "Online takes exactly one action, not 0"),
        (at(Setting::Online, &["Left"], acts).await, does(&["Right", "Left"]), "exactly one action, not 2"),
        (
            at(Setting::Global, &["Left,Left"], acts).await,
            does(&["Left", "Left"]),
            "the edit changes nothing",
        ),
        (at(Setting::Global, &["Left,Left"], acts).await, does(&[]), "at least one action"),
        (
            at(Setting::Global, &["Left,Left"], begun).await,
            says("Right"),
            "the plan was given at the first step",
        ),
    ] {
        let before = transcript(driver.episode());
        let need = driver.episode().need().clone();
        let error = driver.edit(target(&driver), edit).unwrap_err().to_string();
        assert!(error.to_lowercase().contains(&says.to_lowercase()), "{error}\nwanted {says}");
        assert_eq!((transcript(driver.episode()), driver.episode().need()), (before, &need));
        assert!(!driver.episode().is_mixed());
    }
    let mut driver = at(Setting::Online, &["Left"], acts).await;
    let stale = EditTarget { replies: 2, ..target(&driver) };
    let error = driver.edit(stale, says("Right")).unwrap_err().to_string();
    assert!(error.contains("made for reply 2 of step 1") && error.contains("nothing was changed"), "{error}");
}

#[tokio::test]
async fn a_journal_cut_anywhere_around_an_edit_can_be_resumed() {
    for (setting, edits) in [
        (Setting::Online, vec![says("Fly"), says("Right"), does(&["Left"])]),
        (Setting::Global, vec![says("Left, Right"), does(&["Right", "Right", "Left"])]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let head = head(setting, 3, 6);
        let journal = Journal::create(folder.path(), &head).unwrap();
        let mut driver = driver(head.clone(), script(&["Right"]), Box::new(journal));
        let mut states = vec![(driver.episode().need().clone(), driver.episode().is_mixed())];
        while !acts(driver.episode()) {
            driver.advance().await.unwrap();
        }
        for edit in edits {
            driver.edit(target(&driver), edit).unwrap();
            states.push((driver.episode().need().clone(), driver.episode().is_mixed()));
        }
        let steps = driver.episode().steps().clone();
        drop(driver);
        let path = folder.path().join("journal.jsonl");
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(String::from_utf8_lossy(&whole).matches("\"event\":\"edited\"").count(), states.len() - 1);
        let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        for cut in ends {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let episode = resume(&path, &["Right"]).await.unwrap();
            let edited = String::from_utf8_lossy(&whole[..cut]).contains("\"event\":\"edited\"");
            assert_eq!(episode.is_mixed(), edited, "{setting} cut at {cut}");
            assert!(episode.ending().is_some());
        }
        std::fs::write(&path, &whole).unwrap();
        let recorded = read_journal(&path).unwrap();
        let again = restore(&recorded, environment(&head).as_mut()).await.unwrap();
        assert_eq!(*again.need(), states.last().unwrap().0);
        let before = &steps[0].attempts[0];
        let now = &again.steps()[0].attempts[0];
        assert_eq!((&before.reply, &before.original().reply), (&now.reply, &now.original().reply));
        assert!(now.is_edited() && again.steps()[0].edited);
    }
}

#[tokio::test]
async fn later_requests_contain_the_edited_text() {
    let mut driver = at(Setting::Online, &["Left"], acts).await;
    driver.edit(target(&driver), says("Right")).unwrap();
    driver.advance().await.unwrap();
    let text = "+++\nname = \"p\"\nsummary = \"s\"\n+++\n## system\ns\n## io\nio\n## turn\nt\n## placeholder\np\n## retry\nr\n";
    let prompt = mageyard_dialog::Prompt::parse(text).unwrap();
    let episode = driver.episode();
    let form = CorridorSpec.reply_format(Setting::Online).unwrap();
    let steps = episode.steps();
    let last = episode.steps().len() - 1;
    let request =
        compose_request(episode.head(), steps, last, episode.window(), &prompt, &form, false).unwrap();
    let said: Vec<_> = request.messages.iter().filter(|turn| turn.role == Role::Assistant).collect();
    assert_eq!(said.len(), 1);
    assert!(said[0].text().contains("by hand") && !said[0].text().contains("step 1"));
}
