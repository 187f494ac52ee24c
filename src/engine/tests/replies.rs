//! What becomes of an episode whose replies were cut, have members that are not actions, or say that nothing changes.

use std::collections::VecDeque;
use std::time::Duration;

use async_trait::async_trait;

use super::corridor::{Corridor, CorridorSpec, NullSink, head};
use crate::*;
use mageyard_dialog::{ReaderRules, Spans};
use mageyard_domain::*;

const NOTHING: &str = "# Analyze\nAlike.\n# Regenerate\n*The HTML does not need to be changed.*\n\
    *The CSS does not need to be changed.*\n*The JavaScript does not need to be changed.*\n";
const PAGE: &str = "# Regenerate\n```html\n<p>\n```\n";

/// Three files that an action writes.
#[derive(Clone, Default)]
struct Files([String; 3]);

const PARAMETERS: [(&str, &str); 3] = [("html", "html"), ("css", "css"), ("js", "javascript")];

impl World for Files {
    fn space(&self) -> ActionSpace {
        let file = |(name, language): (&str, &str)| {
            ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
        };
        let write =
            PARAMETERS.map(file).into_iter().fold(ActionSpec::new("write", ""), ActionSpec::with_param);
        [write].into_iter().collect()
    }

    fn observe(&mut self) -> Observation {
        Observation::from_parts(vec![], self.0.join("|"), serde_json::json!({}))
    }

    fn status(&self) -> Status {
        Status::Running
    }

    fn step(&mut self, action: &Action) -> Result<(f64, Option<String>), EnvironmentError> {
        self.space().check(action)?;
        for (file, (name, _)) in self.0.iter_mut().zip(PARAMETERS) {
            if let Some(Arg::Code(text)) = action.args.get(name) {
                file.clone_from(text);
            }
        }
        Ok((0.0, None))
    }
}

/// Gives these replies, the last one again and again.
struct Replies(VecDeque<Reply>);

#[async_trait]
impl Agent for Replies {
    async fn decide(&mut self, _: DecisionInput<'_>) -> Result<Answer, AgentError> {
        let reply = if self.0.len() > 1 { self.0.pop_front() } else { self.0.front().cloned() };
        Ok(Answer::Replied(reply.unwrap_or_default()))
    }
}

fn complete(text: &str) -> Reply {
    text.to_owned().into()
}

fn cut(text: &str) -> Reply {
    let ending = ReplyEnding::Cut { why: "at 4000 tokens".into() };
    Reply { ending, ..complete(text) }
}

/// An episode in this environment with these replies, with its analysis.
async fn played(
    head: Head,
    own: &ReplyFormat,
    environment: Box<dyn Environment>,
    replies: impl IntoIterator<Item = Reply>,
) -> (Episode, ErrorAnalysis) {
    let cast = Participants {
        environment,
        agent: Box::new(Replies(replies.into_iter().collect())),
        form: head.rules.reply_format(own),
        prompts: std::sync::Arc::default(),
        reference_search: None,
        roles: crate::RoleSeats::default(),
    };
    let log = Box::new(NullSink::default());
    let mut driver = Driver::new(Episode::new(head.into()), cast, log, Duration::ZERO);
    driver.run_to_end().await.unwrap();
    let episode = driver.episode().clone();
    let analysis = analyze(&episode, &CorridorSpec, episode.head().conduct.thresholds);
    (episode, analysis)
}

fn head_with(reader: &str, setting: Setting, on_cut: OnCut, max_steps: u32) -> Head {
    let conduct = EpisodePolicy { on_cut, ..EpisodePolicy::default() };
    let rules = ReaderRules::named(reader).unwrap();
    Head { rules, conduct, ..head(setting, 9, max_steps) }
}

/// An episode that writes files.
async fn pages(head: Head, replies: impl IntoIterator<Item = Reply>) -> (Episode, ErrorAnalysis) {
    let online =
        ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks);
    let own = if head.setting == Setting::Global { ReplyFormat::whole_blocks(true) } else { online };
    played(head, &own, from_world(Files::default()), replies).await
}

/// An episode in a corridor of length 9.
async fn walk(head: Head, replies: impl IntoIterator<Item = Reply>) -> (Episode, ErrorAnalysis) {
    let own = CorridorSpec.reply_format(head.setting).unwrap();
    played(head, &own, from_world(Corridor { at: 1, length: 9 }), replies).await
}

fn seen(episode: &Episode) -> Vec<&str> {
    episode.steps().iter().map(|step| &**step.observation.text()).collect()
}

fn steps_with(analysis: &ErrorAnalysis, mark: Mark) -> Vec<usize> {
    (1..).zip(analysis.marks()).filter(|(_, marks)| marks.has(mark)).map(|(number, _)| number).collect()
}

#[tokio::test]
async fn a_reply_that_says_that_nothing_changes_is_an_action_that_changes_nothing() {
    for reader in ["strict", "lenient", "magebench"] {
        let head = head_with(reader, Setting::Online, OnCut::Unreadable, 3);
        let replies = [complete(PAGE), complete(NOTHING), complete("# Regenerate\n```css\na\n```\n")];
        let (episode, analysis) = pages(head, replies).await;
        let second = &episode.steps()[1];
        assert_eq!(
            (second.attempts.len(), second.action.clone()),
            (1, Some(Action::plain("write"))),
            "{reader}"
        );
        assert!(second.is_unchanged() && !second.skipped, "{reader}");
        assert_eq!((analysis.parse_errors, &analysis.invalid), (0, &None), "{reader}");
        let states = seen(&episode);
        assert_eq!((states[1] == states[2], states[2] == states[3]), (true, false), "{reader}: {states:?}");
    }
}

#[tokio::test]
async fn a_reply_without_blocks_that_does_not_say_so_is_a_parse_error() {
    let head = head_with("lenient", Setting::Online, OnCut::Unreadable, 2);
    let reply = NOTHING.replace("*The CSS does not need to be changed.*\n", "");
    let (episode, analysis) = pages(head, [complete(PAGE), complete(&reply)]).await;
    assert!(episode.steps()[1].skipped);
    assert_eq!((analysis.parse_errors, steps_with(&analysis, Mark::InvalidAction)), (3, vec![2]));
}

#[tokio::test]
async fn a_page_at_once_can_also_stay_as_it_is() {
    let head = head_with("lenient", Setting::Global, OnCut::Unreadable, 3);
    let (episode, analysis) = pages(head, [complete(NOTHING)]).await;
    assert_eq!((episode.ending(), episode.steps_done()), (Some(Ending::PlanEnded), 1));
    assert_eq!((seen(&episode), analysis.parse_errors), (vec!["||", "||"], 0));
}

#[tokio::test]
async fn dropped_members_are_marked_and_count_as_invalid_only_by_the_rules_of_the_benchmark() {
    for (reader, is_invalid) in [("strict", false), ("lenient", false), ("magebench", true)] {
        let head = head_with(reader, Setting::Global, OnCut::Unreadable, 9);
        let (episode, analysis) = walk(head, [complete("# action\nRight, Jump, Right, Fly high")]).await;
        let first = &episode.steps()[0];
        assert_eq!(
            (first.dropped(), first.attempts[0].dropped_words()),
            (2, vec!["Jump".into(), "Fly high".into()])
        );
        assert_eq!(episode.steps_done(), 2, "the others are carried out");
        assert_eq!(steps_with(&analysis, Mark::Dropped), [1], "{reader}");
        assert_eq!(analysis.reason(Mark::Dropped).unwrap(), "2 dropped members, at 1 step");
        let why = "step 1 has 2 dropped members, which the reader counts as an invalid action";
        assert_eq!(analysis.invalid.as_deref(), is_invalid.then_some(why), "{reader}");
        assert_eq!(steps_with(&analysis, Mark::InvalidAction).len(), usize::from(is_invalid), "{reader}");
        let summary = EpisodeSummary::of(&episode, &CorridorSpec, Duration::ZERO);
        assert_eq!((summary.dropped, summary.count(Mark::Dropped)), (2, 1));
        assert_eq!(summary.first_steps["dropped"], 1);
    }
    let head = head_with("magebench", Setting::Global, OnCut::Unreadable, 9);
    let (_, analysis) = walk(head, [complete("# action\nRight, Right")]).await;
    assert_eq!((analysis.count(Mark::Dropped), &analysis.invalid), (0, &None));
}

#[tokio::test]
async fn the_number_of_dropped_members_is_a_condition() {
    let head = head_with("strict", Setting::Global, OnCut::Unreadable, 9);
    let (episode, errors) = walk(head, [complete("# action\nRight, Jump, Right, Fly")]).await;
    let distances = Distances::default();
    let known = Known::default();
    let truths = |condition: &str| -> Vec<bool> {
        let condition: Condition = condition.parse().unwrap();
        let step = |index| FinishedStep { index, marks: errors.at(index), continued: MarkSet::default() };
        let view = |index| StepView {
            head: episode.head(),
            steps: episode.steps(),
            prompt: "",
            step: step(index),
            is_finished: true,
            errors: &errors,
            distances: &distances,
            known: &known,
            annotations: None,
        };
        (0..2).map(|index| condition.judge(&view(index)).truth == Truth::True).collect()
    };
    assert_eq!(truths("dropped>=1"), [true, false]);
    assert_eq!(truths("dropped=2"), [true, false]);
    assert_eq!(truths("dropped>2"), [false, false]);
    assert_eq!(truths("dropped"), [true, false]);
    assert_eq!(truths("not dropped"), [false, true]);
    let needed = |text: &str| text.parse::<Condition>().unwrap().needed_marks();
    assert_eq!(needed("dropped>=1"), Some([Mark::Dropped].into_iter().collect()));
    assert_eq!(needed("dropped=0"), None);
}

/// The paper's example of a repeating action.
#[tokio::test]
async fn a_runaway_list_that_is_read_is_a_repeating_action() {
    let runaway = format!("# analyze\nThe goal is left.\n# action\n{}Le", "Left, ".repeat(1300));
    for (on_cut, is_read) in [(OnCut::Read, true), (OnCut::Unreadable, false), (OnCut::End, false)] {
        let (episode, analysis) =
            walk(head_with("strict", Setting::Global, on_cut, 50), [cut(&runaway)]).await;
        let first = &episode.steps()[0];
        if is_read {
            assert_eq!((episode.ending(), episode.steps_done()), (Some(Ending::StepLimit), 50));
            let why = "Left 49 times in a row with the state unchanged, steps 2 to 50";
            assert_eq!(analysis.repeating.as_deref(), Some(why));
            assert_eq!((first.attempts.len(), first.attempts[0].is_unread(), first.dropped()), (1, false, 1));
        } else {
            let attempts = if on_cut == OnCut::End { 1 } else { 3 };
            assert_eq!((first.attempts.len(), first.attempts[0].is_unread()), (attempts, true), "{on_cut:?}");
            assert_eq!((first.attempts[0].marks.clone(), &analysis.repeating), (Spans::default(), &None));
        }
        assert_eq!(steps_with(&analysis, Mark::IncompleteReply), [1]);
    }
}

#[tokio::test]
async fn a_page_that_was_cut_in_its_last_block_keeps_its_blocks_if_it_is_read() {
    let reply = "```html\n<p>\n```\n```css\np {\n  col";
    for reader in ["strict", "lenient", "magebench"] {
        let (episode, analysis) =
            pages(head_with(reader, Setting::Global, OnCut::Read, 3), [cut(reply)]).await;
        assert_eq!(seen(&episode).last(), Some(&"<p>|p {\n  col|"), "{reader}");
        assert_eq!((analysis.parse_errors, analysis.count(Mark::IncompleteReply)), (0, 1), "{reader}");
        let head = head_with(reader, Setting::Global, OnCut::Unreadable, 3);
        let (episode, analysis) = pages(head, [cut(reply)]).await;
        assert_eq!((episode.ending(), analysis.parse_errors), (Some(Ending::Unreadable), 3), "{reader}");
    }
    // A complete reply with an open block is no cut one.
    let head = head_with("strict", Setting::Global, OnCut::Read, 3);
    let (episode, _) = pages(head, [complete(reply)]).await;
    assert_eq!(episode.ending(), Some(Ending::Unreadable));
}

#[tokio::test]
async fn an_action_that_was_cut_is_read_only_if_it_is_complete() {
    for (text, action) in [("# action\nLeft", Some("Left")), ("# action\nLef", None), ("The goal is", None)] {
        let head = head_with("strict", Setting::Online, OnCut::Read, 1);
        let (episode, _) = walk(head, [cut(text)]).await;
        let first = &episode.steps()[0];
        assert_eq!(first.action.as_ref().map(|action| action.name.as_str()), action, "{text}");
        assert_eq!(first.attempts.len(), if action.is_some() { 1 } else { 3 }, "{text}");
        assert!(!first.attempts[0].is_unread(), "{text}: it was read");
    }
}
