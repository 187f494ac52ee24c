//! Questions to a person: every answer, over kills, and without a trace in what an agent and an environment do.

use std::time::Duration;

use mageyard_dialog::{PersonAnswer, PersonError, PersonQuestion};
use mageyard_domain::{ActProblem, Judgement, Question, SideRole};
use mageyard_engine::{Driver, DriverError, Edit, EditTarget, Ending, Need};

use super::episode::{LiveEpisode, REPLIES};

const TIMEOUT: Duration = Duration::from_secs(20);

/// Plays until a person is asked or the episode is over.
async fn play(driver: &mut Driver) {
    tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
}

/// Plays to the end with these answers, the last one again and again.
async fn finish(mut driver: Driver, answers: &[PersonAnswer]) -> Driver {
    let mut answers = answers.iter();
    let mut answer = answers.next();
    loop {
        play(&mut driver).await;
        let Some(open) = driver.open_question() else { break };
        driver.answer(&open.question, answer.unwrap().clone()).unwrap();
        answer = answers.next().or(answer);
    }
    driver.close().await;
    driver
}

fn refuse(reason: &str) -> PersonAnswer {
    PersonAnswer::Refuse(reason.into())
}

fn text(text: &str) -> PersonAnswer {
    PersonAnswer::Text(text.into())
}

#[tokio::test]
async fn a_confirmed_action_is_carried_out_and_costs_no_time_of_the_episode() {
    let live = LiveEpisode::with(mageyard_domain::Setting::Online, Some(1), "confirm");
    let head = live.head.clone().limited_to(live.head.max_time);
    let live = live.headed(head);
    let mut driver = live.start();
    play(&mut driver).await;
    let open = driver.open_question().unwrap();
    assert_eq!(
        (open.text.as_ref(), open.question.title()),
        ("type(text=\"hello\")", "Carry out this action?")
    );
    assert!(live.acts().is_empty(), "nothing is carried out before the answer");
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let driver = finish(driver, &[PersonAnswer::Yes]).await;
    let episode = driver.episode();
    assert_eq!((episode.ending(), episode.is_mixed(), episode.steps_done()), (Some(Ending::Won), false, 3));
    assert!(episode.time_of_persons() >= Duration::from_millis(1200));
    assert!(driver.elapsed() >= episode.time_of_persons(), "the journal counts it");
    assert_eq!(
        live.events()[..6],
        ["opened", "asked", "replied", "accepted", "person", "acting"].map(str::to_owned)
    );
}

#[tokio::test]
async fn a_refused_action_does_not_happen_and_the_agent_reads_why() {
    let live =
        LiveEpisode::new("confirm").saying(&["click(at=(1, 2))", "type(text=hello)", "click(at=(125, 65))"]);
    let driver = finish(live.start(), &[refuse("not there"), PersonAnswer::Yes]).await;
    let episode = driver.episode();
    let first = &episode.steps()[0];
    assert_eq!(first.problem(), Some(&ActProblem::Refused("not there".into())));
    assert_eq!(
        (first.state, episode.ending(), live.acts().len()),
        (episode.steps()[1].state, Some(Ending::Won), 2)
    );
    assert!(episode.is_mixed(), "the agent reads what a person wrote");
    let spec = &crate::pages::PagesSpec;
    let analysis = mageyard_engine::analyze(episode, spec, episode.head().conduct.thresholds);
    assert!(analysis.at(0).has(mageyard_engine::Mark::InvalidAction));
    let live = LiveEpisode::new("confirm");
    let driver = finish(live.start(), &[refuse(""), PersonAnswer::End]).await;
    let reason = driver.episode().steps()[0].problem().unwrap().reason().to_string();
    assert_eq!(reason, "a person refused this action");
}

#[tokio::test]
async fn an_action_that_a_person_refused_is_not_repeated_when_the_episode_comes_back() {
    let live = LiveEpisode::new("confirm\nrepeat").saying(&[
        "type(text=a)",
        "type(text=hello)",
        "click(at=(125, 65))",
    ]);
    let mut driver = live.start();
    for answer in [refuse("too short"), PersonAnswer::Yes] {
        play(&mut driver).await;
        let open = driver.open_question().unwrap();
        driver.answer(&open.question, answer).unwrap();
    }
    play(&mut driver).await;
    driver.close().await;
    drop(driver);
    let driver = finish(live.resume().await, &[PersonAnswer::Yes]).await;
    assert_eq!(driver.episode().ending(), Some(Ending::Won));
    assert_eq!(live.acts_of(2).len(), 2, "type and click");
}

#[tokio::test]
async fn an_edited_action_is_confirmed_again_and_the_end_is_judged() {
    let live = LiveEpisode::new("confirm\njudge");
    let mut driver = live.start();
    play(&mut driver).await;
    let step = driver.episode().steps().last().unwrap().clone();
    let edited = step.space.parse("type(text=other)").unwrap();
    driver.edit(EditTarget::of(&step), Edit::Actions(vec![edited.clone()])).unwrap();
    assert_eq!(driver.episode().person_question(), Some(PersonQuestion::Confirm(edited)));
    let driver = finish(driver, &[PersonAnswer::Yes, PersonAnswer::End]).await;
    let episode = driver.episode();
    assert_eq!((episode.ending(), episode.is_mixed(), live.acts().len()), (Some(Ending::Stopped), true, 1));
    let verdict = episode.judgement().and_then(Judgement::verdict).unwrap();
    assert_eq!((verdict.score, verdict.success), (Some(0.0), false));
}

#[tokio::test]
async fn answers_to_another_question_or_of_another_form_change_nothing() {
    let live = LiveEpisode::new("confirm");
    let mut driver = live.start();
    play(&mut driver).await;
    let open = driver.open_question().unwrap().question;
    let other = PersonQuestion::Allow(Vec::new());
    let refused = driver.answer(&other, PersonAnswer::Yes);
    assert!(matches!(refused, Err(DriverError::Person(PersonError::NotOpen))), "{refused:?}");
    let refused = driver.answer(&open, text("yes"));
    assert!(matches!(refused, Err(DriverError::Person(PersonError::Unfit(_)))), "{refused:?}");
    assert_eq!(driver.episode().person_question(), Some(open));
    driver.close().await;
}

#[tokio::test]
async fn what_is_destroyed_is_allowed_before_the_environment_opens() {
    let live = LiveEpisode::new("destructive the folder is emptied; a program is ended");
    let mut driver = live.start();
    play(&mut driver).await;
    let open = driver.open_question().unwrap();
    assert_eq!(open.text.as_ref(), "the folder is emptied\na program is ended");
    assert!(live.events().is_empty() && driver.episode().steps().is_empty(), "nothing has happened");
    driver.close().await;
    drop(driver);
    let driver = finish(live.resume().await, &[PersonAnswer::Yes]).await;
    assert_eq!(driver.episode().ending(), Some(Ending::Won));
    assert_eq!(live.events()[..2], ["person", "opened"].map(str::to_owned));

    let live = LiveEpisode::new("destructive the folder is emptied\njudge");
    let driver = finish(live.start(), &[PersonAnswer::End]).await;
    assert_eq!((driver.episode().ending(), driver.episode().steps().len()), (Some(Ending::Abandoned), 0));
    assert_eq!(live.events(), ["person"]);
}

#[tokio::test]
async fn a_person_takes_the_surface_over_and_it_is_looked_at_again() {
    let live = LiveEpisode::new("captcha 1");
    let mut driver = live.start();
    play(&mut driver).await;
    let open = driver.open_question().unwrap();
    assert!(open.question.is_take_over(), "{open:?}");
    assert_eq!(open.text.as_ref(), "The page shows a captcha. Solve it.");
    live.act_from_outside(r#"{"name":"click","args":{"at":[3,4]}}"#);
    driver.answer(&open.question, PersonAnswer::Yes).unwrap();
    assert_eq!(*driver.episode().need(), Need::Look);
    let driver = finish(driver, &[PersonAnswer::End]).await;
    let steps = driver.episode().steps();
    assert_eq!(
        (steps[1].observation.facts()["clicks"].clone(), driver.episode().ending()),
        (1.into(), Some(Ending::Won))
    );
    assert_eq!(steps.len(), 4, "no step of its own");
    assert_eq!(live.events()[4..8], ["acting", "acted", "person", "looked"].map(str::to_owned));
    let live = LiveEpisode::new("captcha 1");
    let driver = finish(live.start(), &[PersonAnswer::End]).await;
    assert_eq!((driver.episode().ending(), live.acts().len()), (Some(Ending::Stopped), 1));
}

#[tokio::test]
async fn a_captcha_before_a_question_of_the_environment_leaves_that_question() {
    let live = LiveEpisode::new("captcha 1\nasks").answering(&["```0.6```"]);
    let driver = finish(live.start(), &[PersonAnswer::Yes]).await;
    assert_eq!(driver.episode().steps()[0].effect.as_ref().unwrap().reward, 2.0);
    assert_eq!(driver.episode().ending(), Some(Ending::Won));
}

#[tokio::test]
async fn a_person_judges_the_end_and_an_empty_answer_is_success() {
    for (said, success, feedback) in
        [("", true, vec![]), (" the text is odd", false, vec!["the text is odd"])]
    {
        let live = LiveEpisode::new("judge person");
        let driver = finish(live.start(), &[text(said)]).await;
        let verdict = driver.episode().judgement().and_then(Judgement::verdict).unwrap();
        assert_eq!(
            (verdict.success, verdict.feedback.clone()),
            (success, feedback.iter().map(|&one| one.into()).collect())
        );
        assert_eq!(
            live.events()[live.events().len() - 3..],
            ["questioned", "person", "judged"].map(str::to_owned)
        );
        let person = &driver.episode().roles()[&SideRole::Person];
        assert_eq!(
            (person.requests, person.replies, person.spent.usage.total()),
            (0, 1, 0),
            "it costs no tokens"
        );
    }
}

#[tokio::test]
async fn a_person_can_be_the_judge_and_the_text_is_read_as_that_of_a_model() {
    let live = LiveEpisode::new("asks").judged_by_person();
    let mut driver = live.start();
    play(&mut driver).await;
    let open = driver.open_question().unwrap();
    assert!(open.text.contains("What is right:") && open.text.contains("hello"), "{}", open.text);
    let driver = finish(driver, &[text("half"), text("```0.6```")]).await;
    let effect = driver.episode().steps()[0].effect.clone().unwrap();
    assert_eq!((effect.reward, effect.note.as_deref()), (2.0, Some("judged 0.6")));
    let judge = &driver.episode().roles()[&SideRole::Judge];
    assert_eq!((judge.requests, judge.replies, judge.unread), (0, 2, 1));
    assert_eq!(driver.episode().spent().usage.total(), 0);
    let returns = driver.episode().returns();
    drop(driver);
    assert_eq!(live.resume().await.episode().returns(), returns, "what was read is stored");
}

/// A plan is confirmed action by action; one that is refused is left out.
#[tokio::test]
async fn each_action_of_a_plan_is_confirmed() {
    let live = LiveEpisode::with(mageyard_domain::Setting::Global, None, "confirm");
    let driver = finish(live.start(), &[PersonAnswer::Yes, refuse("no"), PersonAnswer::Yes]).await;
    assert_eq!((driver.episode().ending(), live.acts().len()), (Some(Ending::Won), REPLIES.len() - 1));
}

/// Each prefix of the journal resumes to the same end: an open question is asked again, an answered one is not.
#[tokio::test]
async fn an_episode_cut_after_any_event_asks_again_what_was_open() {
    let answers = [PersonAnswer::Yes, PersonAnswer::Yes, PersonAnswer::Yes, refuse("no"), PersonAnswer::Yes];
    let level = "confirm\ncaptcha 1\ndestructive the folder is emptied\njudge person";
    let replies: &[&str] = &["type(text=hello)", "click(at=(1, 2))", "click(at=(125, 65))"];
    let answer = |driver: &Driver, index: usize| match driver.open_question().unwrap().question {
        PersonQuestion::Ask(question) if question == Question::to_person(JUDGE).into() => text(""),
        _ => answers[index].clone(),
    };
    let live = LiveEpisode::new(level).saying(replies);
    let mut driver = live.start();
    let mut asked = 0;
    loop {
        play(&mut driver).await;
        let Some(open) = driver.open_question() else { break };
        let answer = answer(&driver, asked);
        driver.answer(&open.question, answer).unwrap();
        asked += 1;
    }
    driver.close().await;
    let expected = (driver.episode().steps_done(), driver.episode().judgement().cloned());
    drop(driver);
    let whole = std::fs::read_to_string(live.journal()).unwrap();
    let acts = live.acts();
    let lines: Vec<&str> = whole.lines().collect();
    let count = |kept: usize, event: &str| {
        lines[..kept].iter().filter(|line| line.contains(&format!("\"event\":\"{event}\""))).count()
    };
    // An action that had begun is not done again, so the episode goes another way there.
    for kept in (1..lines.len()).filter(|kept| count(*kept, "acting") == count(*kept, "acted")) {
        std::fs::write(live.journal(), format!("{}\n", lines[..kept].join("\n"))).unwrap();
        live.reset_surface(&acts[..count(kept, "acted")]);
        let mut driver = live.resume().await;
        let mut index = count(kept, "person");
        loop {
            play(&mut driver).await;
            let Some(open) = driver.open_question() else { break };
            let answer = answer(&driver, index);
            driver.answer(&open.question, answer).unwrap();
            index += 1;
        }
        driver.close().await;
        assert_eq!(index, asked, "after {kept} lines");
        let ended = (driver.episode().steps_done(), driver.episode().judgement().cloned());
        assert_eq!(ended, expected, "after {kept} lines");
    }
}

const JUDGE: &str = "Is the form filled in well? Write what is wrong; nothing if it is right.";
