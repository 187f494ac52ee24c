//! The raw view: marked spans, findings and positions.

use std::ops::Range;
use std::sync::Arc;

use super::findings::{accepted_findings, position_text, with_visible_blanks};
use super::*;
use crate::testing;
use crate::tests::screen_text;
use mageyard_dialog::{ParseError, Spans};
use mageyard_domain::{LogProb, Reply, RequestOutcome, TokenOdds};
use mageyard_engine::FailedTry;

/// The raw view of the replies of the fifth step of the sample episode.
fn seen(reply: Option<usize>, width: u16) -> Vec<String> {
    let mut model = testing::model(120, 40);
    model.agent.shown_reply = reply;
    let viewed = model.episode().unwrap();
    let step = viewed.snapshot.steps.iter().find(|step| step.attempts.len() == 3).unwrap();
    lines(&model, viewed, step, width).iter().map(|line| line.to_string().trim_end().to_owned()).collect()
}

#[test]
fn a_rejected_reply_shows_the_characters_and_the_nearest_actions() {
    assert_eq!(
        seen(Some(0), 70),
        [
            "── raw reply 1 of 3, 32 bytes ────────────────────────────────────────",
            "✗ rejected by rule action of strict/1: \"left\" is not an action",
            "· error at characters 29 to 32, line 5 (bytes 28..32): ⟦left⟧",
            "· nearest actions: Left (suggestion only)",
            "",
            "         │ # analyze",
            "analysis │ nothing",
            "         │",
            "         │ # action",
            "   error │ left",
        ]
    );
}

#[test]
fn the_last_reply_is_shown_by_default() {
    assert!(seen(None, 70)[0].starts_with("── raw reply 3 of 3"));
    assert!(seen(Some(1), 70)[0].starts_with("── raw reply 2 of 3"));
    assert!(seen(Some(99), 70)[0].starts_with("── raw reply 3 of 3"));
}

#[test]
fn spans_within_a_line_are_shown_on_lines_of_their_own() {
    let marks = Spans { action: Some(4..11), dropped: std::iter::once(4..7).collect(), ..Spans::default() };
    let attempt = refused("# a\nx y, z\u{1b}\n", 9..10, marks);
    let model = testing::model(120, 40);
    let shown: Vec<_> = attempt_lines(&model, &attempt, 40)
        .iter()
        .map(|line| line.to_string().trim_end().to_owned())
        .collect();
    assert_eq!(shown, ["         │ # a", " dropped │ x y", "✗ action ┊ ,", "   error ┊ z", "✗ action ┊ ␛"]);
}

#[test]
fn a_fallback_rule_is_named_with_what_it_matched() {
    use mageyard_dialog::ReaderRules;
    use mageyard_domain::{ActionSpace, ReplyFormat};
    let reply = "So.\nAnswer: Up";
    let space = ActionSpace::new(&[("Up", ""), ("Down", "")]);
    let rules = ReaderRules::named("rescue").unwrap();
    let format = ReplyFormat::headings("# analyze", "# action", false);
    let outcome = mageyard_dialog::parse_reply(&rules, &format, reply, &space);
    let mut attempt = Attempt::pending(reply.to_owned().into(), None);
    (attempt.verdict, attempt.marks) = (Some(outcome.result.map_err(Box::new)), outcome.spans);
    let actions = attempt.verdict.clone().unwrap().unwrap();
    let found: Vec<_> =
        accepted_findings("rescue/1", &actions, &attempt).into_iter().map(|line| line.0).collect();
    assert_eq!(found[1], "· fallback rule \"answer line\" matched characters 5 to 14, line 2 (bytes 4..14)");
    let model = testing::model(120, 40);
    let shown: Vec<_> = attempt_lines(&model, &attempt, 40)
        .iter()
        .map(|line| line.to_string().trim_end().to_owned())
        .collect();
    assert_eq!(shown, ["analysis │ So.", " matched │ Answer:", "  action ┊ Up"]);
    assert_eq!(applied_leniencies(&attempt.marks).unwrap(), "fallback rule \"answer line\"");
}

#[test]
fn arguments_are_marked_and_listed() {
    use mageyard_dialog::ReaderRules;
    use mageyard_domain::ReplyFormat;
    let reply = "# action\nclick((1, 2), left)";
    let space = testing::space_with_params();
    let rules = ReaderRules::named("strict").unwrap();
    let format = ReplyFormat::headings("# analyze", "# action", false);
    let outcome = mageyard_dialog::parse_reply(&rules, &format, reply, &space);
    let mut attempt = Attempt::pending(reply.to_owned().into(), None);
    (attempt.verdict, attempt.marks) = (Some(outcome.result.map_err(Box::new)), outcome.spans);
    let actions = attempt.verdict.clone().unwrap().unwrap();
    let found: Vec<_> =
        accepted_findings("strict/1", &actions, &attempt).into_iter().map(|line| line.0).collect();
    assert_eq!(found[2], "· argument at: characters 16 to 21, line 2 (bytes 15..21)");
    let model = testing::model(120, 40);
    let shown: Vec<_> = attempt_lines(&model, &attempt, 40)
        .iter()
        .map(|line| line.to_string().trim_end().to_owned())
        .collect();
    let expected = [
        "         │ # action",
        "  action │ click(",
        "argument ┊ (1, 2)",
        "  action ┊ ,",
        "argument ┊ left",
        "  action ┊ )",
    ];
    assert_eq!(shown, expected);
}

fn refused(reply: &str, at: Range<usize>, marks: Spans) -> Attempt {
    let failure = ParseError { rule: "action".into(), why: "no".into(), at: Some(at), near: Vec::new() };
    let verdict = Some(Err(failure.into()));
    Attempt { verdict, marks, ..Attempt::pending(reply.to_owned().into(), None) }
}

#[test]
fn spans_outside_the_reply_are_ignored() {
    let attempt = refused("é", 1..9, Spans { analysis: Some(1..2), ..Spans::default() });
    assert_eq!(split_spans(&attempt), [(SpanKind::Unmarked, 0..2)]);
    assert_eq!(with_visible_blanks("a b\t\n"), "a·b⇥⏎");
    assert_eq!(position_text("é\nab", &(3..5)), "characters 3 to 4, line 2 (bytes 3..5)");
}

#[test]
fn thoughts_are_shown_where_they_were() {
    let thought = |at, text: &str| mageyard_domain::Thought {
        at,
        open: "<think>".into(),
        text: text.into(),
        close: "</think>\n".into(),
    };
    let model = testing::model(120, 40);
    let shown = |attempt: &Attempt| {
        let lines = attempt_lines(&model, attempt, 40);
        lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect::<Vec<_>>()
    };
    let mut attempt = Attempt::pending("# a\nx\n".to_owned().into(), None);
    attempt.thoughts = [thought(0, "one"), thought(4, "two\nlines"), thought(99, "three")].into();
    assert_eq!(
        shown(&attempt),
        [
            " thought │ <think>one</think>",
            "         │ # a",
            " thought │ <think>two",
            "         │ lines</think>",
            "         │ x",
            " thought │ <think>three</think>",
        ]
    );
    assert_eq!(amount(&attempt), "6 bytes, 3 thoughts");
    attempt.reply = "".into();
    attempt.thoughts.truncate(1);
    assert_eq!(shown(&attempt), [" thought │ <think>one</think>"], "an unclosed thought has no text");
}

#[test]
fn the_odds_of_the_action_are_beside_it_and_among_the_findings() {
    let mut snapshot = testing::sample_episode().snapshot();
    let step = Arc::make_mut(snapshot.steps.get_mut(0).unwrap());
    let attempt = step.attempts.last_mut().unwrap();
    let Range { start, end } = attempt.marks.action.clone().unwrap();
    let logprob = LogProb::from_natural(0.83_f64.ln()).unwrap();
    let top = vec![("\u{1b}[2J".to_owned(), logprob)];
    attempt.token_odds = [TokenOdds { at: start, bytes: end - start, logprob, top }].into();
    let mut model = testing::model_of(snapshot, 120, 40);
    model.episodes[0].cursor = Some(0);
    assert!(screen_text(&model).contains("Left · p 0.83"), "{}", screen_text(&model));
    let viewed = model.episode().unwrap();
    let shown = lines(&model, viewed, viewed.step().unwrap(), 90);
    let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
    let odds = "· odds of the action: p 0.83; first token \"\\u{1b}[2J\" 0.83";
    assert!(shown.iter().any(|line| line.trim_end() == odds), "{shown:?}");
}

#[test]
fn a_request_that_the_server_refused_or_lost_is_not_called_cancelled() {
    let failed = |why: &str, outcome| FailedTry { why: why.into(), class: "".into(), outcome, usage: None };
    let without_reply = |tries: Vec<FailedTry>, last_try| Attempt {
        cancelled: true,
        failed_tries: tries.into(),
        last_try,
        ..Attempt::pending(Reply::default(), None)
    };
    let refused = failed("error 429: slow\u{1b}", RequestOutcome::Refused);
    let lost = failed("the reply was interrupted", RequestOutcome::Failed);
    for (attempt, says) in [
        (without_reply(vec![refused.clone()], None), "✗ no reply: error 429: slow␛; not counted"),
        (
            without_reply(vec![refused.clone(), lost], None),
            "✗ no reply: the reply was interrupted; not counted",
        ),
        (without_reply(vec![refused], Some(RequestOutcome::Cancelled)), "✂ cancelled; not counted"),
        (
            without_reply(Vec::new(), Some(RequestOutcome::Lost)),
            "✗ the reply was lost, because the program ended; not counted",
        ),
    ] {
        assert_eq!(cancelled_text(&attempt), says);
    }
}
