//! Breakpoints as text, and what they say at single steps.

use tokio_util::sync::CancellationToken;

use super::*;
use crate::condition::ConditionError;
use crate::controller::Controller;
use crate::head::Head;
use crate::recorded_agent::RecordedAgent;
use crate::tests::corridor::{CorridorSpec, NullSink, driver, head, script};
use mageyard_domain::{SearchLimits, Setting};

fn read(text: &str) -> Result<String, ConditionError> {
    text.parse::<Breakpoints>().map(|breaks| breaks.to_string())
}

#[test]
fn names_are_parsed_with_commas_or_spaces_and_displayed() {
    for (text, shown) in [
        ("dead off_path", "dead,off_path"),
        ("ia, ra,parse,same", "ia,ra,parse,same"),
        ("parse error", "parse"),
        ("frame_same,deadlock", "same,dead"),
        ("none", "none"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(shown), "{text}");
    }
    assert!(read("").is_err() && read("none,ia").is_err());
    let toggled = Breakpoints::default().toggled(1);
    assert!(toggled.has(Mark::Dead) && !toggled.has(Mark::OffPath));
    assert!(toggled.toggled(1).is_empty() && Breakpoints::default().toggled(9).is_empty());
}

#[test]
fn options_are_parsed_and_displayed_and_own_conditions_can_be_removed() {
    for text in [
        "ra>=3 once",
        "ia; tokens>4000 before request",
        "text~wall after reply after 3 once",
        "action=Up after act",
        "ia or ra and not same once",
    ] {
        match text {
            "ia; tokens>4000 before request" => assert!(read(text).is_err(), "no tokens before the request"),
            _ => assert_eq!(read(text).as_deref(), Ok(text)),
        }
    }
    let both: Breakpoints = "ia,step=4".parse().unwrap();
    assert_eq!((both.to_string().as_str(), both.own().count()), ("ia; step=4", 1));
    assert_eq!(both.toggled(6).to_string(), "ia");
    assert_eq!(both.clone().with("dead,ia".parse().unwrap()).to_string(), "ia; step=4; dead");
    assert_eq!("ra after the reply".parse::<Breakpoints>().unwrap_err().span, 0..2, "not known yet");
}

#[test]
fn a_wrong_breakpoint_has_its_place() {
    for (text, place) in [
        ("ia; dedd", 4..8),
        ("reward>0 before request", 0..8),
        ("ia after noon", 3..13),
        ("ia after 0", 3..10),
        ("ia before reply", 3..9),
        ("ia; ;", 4..4),
        ("step=3 ia", 7..9),
    ] {
        assert_eq!(text.parse::<Breakpoints>().unwrap_err().span, place, "{text}");
    }
}

#[test]
fn effects_are_read_after_the_options_and_displayed_as_they_are_read() {
    for text in [
        "ia seat oracle 3",
        "ra>=3 once seat human",
        "dead fork prompt=HD-CoT am=1 why \"it; turns\"",
        "step=3 before request after 2 once fork",
        "ia tag wall; same tag x",
        "ia fork am=1; ra seat replay:last",
    ] {
        assert_eq!(read(text).as_deref(), Ok(text));
    }
    assert_eq!(
        read("ia or ra pause").as_deref(),
        Ok("ia,ra"),
        "a pause is what a breakpoint does without one"
    );
    assert_eq!(read("ia,ra seat idle").as_deref(), Ok("ia or ra seat idle"));
    let places: Vec<_> =
        "ia; ra fork  am=1 ".parse::<Breakpoints>().unwrap().effects().map(|one| one.1).collect();
    assert_eq!(places, vec![std::ops::Range { start: 7, end: 17 }]);
    for (text, place) in [
        ("ia seat", 7..7),
        ("ia tag", 6..6),
        ("ia tag =x", 7..9),
        ("ia seat oracle 0", 15..16),
        ("ia seat oracle fork", 15..19),
        ("seat oracle", 0..4),
        ("ia sate oracle", 3..7),
        ("ia seat oracle three", 15..20),
    ] {
        assert_eq!(text.parse::<Breakpoints>().unwrap_err().span, place, "{text}");
    }
}

/// The reasons at which a run pauses, played on after each, with the number of steps that were finished.
async fn pauses(breakpoints: &str, script: &[&'static str]) -> Vec<(u32, String)> {
    let driver = driver(head(Setting::Online, 9, 20), self::script(script), Box::new(NullSink::default()));
    let mut controller =
        Controller::new(driver, &CorridorSpec, Some(SearchLimits { states: 9, ..SearchLimits::NONE }));
    controller.set_breakpoints(breakpoints.parse().unwrap());
    let go = CancellationToken::new();
    let mut found = Vec::new();
    controller.half(&go).await.unwrap();
    while controller.episode().ending().is_none() {
        controller.step(&go).await.unwrap();
        if let Some(reason) = controller.control().break_reason().map(str::to_owned) {
            found.push((controller.episode().steps_done(), reason));
            controller.control_mut().clear_reasons();
        }
    }
    found
}

#[tokio::test]
async fn a_run_pauses_at_the_step_that_makes_a_condition_true() {
    // Right, then Left to the wall and on against it: steps 4 to 20 do not change the state, 8 to 20 are a repetition.
    let stuck: Vec<&'static str> = [&["Right"][..], &["Left"; 19]].concat();
    for (text, steps, reason) in [
        ("ra", vec![8], "step 8: repeating action (RA)"),
        ("ra>=8", vec![11], "step 11: ra>=8: 10 steps in a row: repeating action (RA)"),
        ("ra>=8 or step=2", vec![2, 11], "step 2: step=2: step is 2"),
        ("same after 3 once", vec![6], "step 6: same after 3 once: ineffective action"),
        (
            "same and not ra once",
            vec![4],
            "step 4: same and not ra once: ineffective action, not marked repeating action (RA)",
        ),
        ("step=3 before request", vec![2], "step 3, before the request: step=3 before request: step is 3"),
        (
            "action=Left after reply once",
            vec![1],
            "step 2, after the reply: action=Left after reply once: the action is Left",
        ),
        ("sum<=-5 after act once", vec![5], "step 5: sum<=-5 after act once: sum is -5"),
        ("distance>8 once", vec![3], "step 3: distance>8 once: distance is 9"),
        (
            "distance>8 before request once",
            vec![3],
            "step 4, before the request: distance>8 before request once: distance is 9",
        ),
    ] {
        let found = pauses(text, &stuck).await;
        let at: Vec<u32> = found.iter().map(|(step, _)| *step).collect();
        assert_eq!((at, found[0].1.as_str()), (steps, reason), "{text}");
    }
    assert!(pauses("ia,parse,dead,tokens>0,action=Up", &stuck).await.is_empty());
    let off = pauses("off_path", &stuck).await;
    assert_eq!(off[0], (2, "step 2 left the shortest path (7 moves left, then 8)".to_owned()));
}

#[tokio::test]
async fn a_condition_that_stays_unknown_pauses_nothing_and_says_so_once() {
    let head = Head {
        agent: RecordedAgent { model: Some("m".into()), ..RecordedAgent::named("script") },
        ..head(Setting::Online, 9, 4)
    };
    let driver = driver(head, script(&["Right"]), Box::new(NullSink::default()));
    let mut controller = Controller::new(driver, &CorridorSpec, None);
    controller.set_breakpoints("differs(last)".parse().unwrap());
    let go = CancellationToken::new();
    for _ in 0..2 {
        controller.step(&go).await.unwrap();
        let said = "breakpoint differs(last) not checked: last has no recording of corridor";
        let control = controller.control();
        assert_eq!((control.break_reason(), control.unjudged_step()), (None, Some(said)));
    }
}
