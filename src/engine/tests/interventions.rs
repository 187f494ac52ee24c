//! Hints, and agents that are asked again.

use super::*;
use crate::AskAgainError;

/// A driver with a journal in `folder`, whose agent goes to the left at the first reply.
fn recorded(folder: &Path, head: &Head) -> Driver {
    let log = Journal::create(folder, head).unwrap();
    driver(head.clone(), script(&["Left"]), Box::new(log))
}

async fn until_action(driver: &mut Driver) {
    while !matches!(driver.episode().need(), Need::Act(_)) {
        driver.advance().await.unwrap();
    }
}

#[tokio::test]
async fn an_agent_that_is_asked_again_has_all_attempts_and_the_replies_before_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let head = head(Setting::Online, 5, 4);
    let mut driver = recorded(folder.path(), &head);
    driver.advance().await.unwrap();
    let fresh = driver.ask_again().unwrap_err().to_string();
    assert_eq!(fresh, AskAgainError::NoReply.to_string());
    until_action(&mut driver).await;
    driver.set_window(Window::new(2, 2).unwrap()).unwrap();
    driver.set_hint(Some(" go right ")).unwrap();
    let step = driver.episode().steps().last().unwrap();
    assert_eq!((step.window, step.hint.as_deref()), (head.window, None), "its request was sent before");
    driver.ask_again().unwrap();
    assert_eq!(*driver.episode().need(), Need::Decide { step: 1, attempt: 2 });
    let step = driver.episode().steps().last().unwrap();
    assert_eq!((step.window.am(), step.hint.as_deref()), (2, Some("go right")));
    assert!(step.action.is_none() && step.last_reply().is_none() && step.is_edited());
    until_action(&mut driver).await;
    let step = driver.episode().steps().last().unwrap();
    let replaced: Vec<_> = step.attempts.iter().map(|attempt| attempt.replaced).collect();
    assert_eq!(replaced, [true, false]);
    driver.set_hint(Some("  ")).unwrap();
    driver.run_to_end().await.unwrap();
    let steps = driver.episode().steps().clone();
    let mixed = driver.episode().is_mixed();
    assert!(mixed && !steps[1].is_edited());
    assert_eq!((steps[0].hint.is_some(), steps[1].hint.is_some()), (true, false), "it was removed");
    drop(driver);
    let recorded = read_journal(&folder.path().join("journal.jsonl")).unwrap();
    let again = restore(&recorded, environment(&head).as_mut()).await.unwrap();
    let told = |steps: &Steps| -> Vec<_> {
        let one = |step: &Arc<Step>| {
            let replies: Vec<_> = step.attempts.iter().map(|it| (it.reply.clone(), it.replaced)).collect();
            (step.hint.clone(), step.window, step.action.clone(), replies)
        };
        steps.iter().map(one).collect()
    };
    assert_eq!(told(again.steps()), told(&steps));
}

#[tokio::test]
async fn refused_replies_before_the_agent_is_asked_again_use_no_attempts() {
    let mut driver = driver(head(Setting::Online, 5, 4), script(&["Fly"]), Box::new(NullSink::default()));
    while *driver.episode().need() != (Need::Decide { step: 1, attempt: 3 }) {
        driver.advance().await.unwrap();
    }
    driver.ask_again().unwrap();
    while driver.episode().steps_done() == 0 {
        driver.advance().await.unwrap();
    }
    let step = &driver.episode().steps()[0];
    let replaced: Vec<_> = step.attempts.iter().map(|attempt| attempt.replaced).collect();
    assert_eq!(replaced, [true, true, false, false, false]);
    assert_eq!((step.parse_errors(), step.skipped), (3, true));
}

#[tokio::test]
async fn a_plan_is_asked_for_again_only_at_its_own_step() {
    let log = Box::new(NullSink::default());
    let mut driver = driver(head(Setting::Global, 5, 9), script(&["Left,Left"]), log);
    until_action(&mut driver).await;
    driver.ask_again().unwrap();
    assert!(driver.episode().plan().is_empty());
    until_action(&mut driver).await;
    driver.advance().await.unwrap();
    let late = driver.ask_again().unwrap_err().to_string();
    assert_eq!(late, AskAgainError::Planned.to_string());
    driver.run_to_end().await.unwrap();
    assert_eq!(driver.ask_again().unwrap_err().to_string(), AskAgainError::TooLate.to_string());
    assert_eq!(driver.episode().steps_done(), 2);
}

#[tokio::test]
async fn a_hint_is_a_text_of_its_own_at_the_end_of_the_newest_state() {
    let log = Box::new(NullSink::default());
    let mut driver = driver(head(Setting::Online, 5, 4), script(&["Left"]), log);
    driver.advance().await.unwrap();
    until_action(&mut driver).await;
    driver.set_hint(Some("go right")).unwrap();
    driver.advance().await.unwrap();
    let text = "+++\nname = \"p\"\nsummary = \"s\"\n+++\n## system\ns\n## io\nio\n## turn\nt\n## placeholder\np\n## retry\nr\n";
    let prompt = mageyard_dialog::Prompt::parse(text).unwrap();
    let episode = driver.episode();
    let form = CorridorSpec.reply_format(Setting::Online).unwrap();
    let hints = |index: usize| {
        let steps = episode.steps();
        let request = compose_request(episode.head(), steps, index, episode.window(), &prompt, &form, false);
        let turns = request.unwrap().messages;
        let of_turn = |turn: &mageyard_domain::Message| {
            let part = turn.parts.last().unwrap().clone();
            matches!(part, MessagePart::Text(Segment::Hint, text) if &*text == "go right")
        };
        turns.iter().map(of_turn).collect::<Vec<_>>()
    };
    assert!(hints(0).iter().all(|hinted| !hinted));
    let second = hints(1);
    assert_eq!((second.last(), second.iter().filter(|hinted| **hinted).count()), (Some(&true), 1));
}
