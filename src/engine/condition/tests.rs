//! Conditions as text, and the steps of scripted episodes at which each is true.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::asker::Asker;
use super::expression::{Comparison, Match, Pattern};
use super::*;
use crate::tests::corridor::{CorridorSpec, head};
use crate::tests::run_episode;
use crate::{analyze, *};
use mageyard_domain::{Number, Setting, SideRole};

/// Right, Left, Left and then Left at the wall; the fifth reply is no action; then Right to the step limit.
const SCRIPT: [&str; 8] = ["Right", "Left", "Left", "Left", "Fly", "Right", "Right", "Right"];

async fn play(script: &[&'static str]) -> Episode {
    run_episode(head(Setting::Online, 9, 8), script).await
}

/// Steps 4 and 6 have tags, step 4 a comment.
fn annotations() -> BTreeMap<u32, StepAnnotations> {
    let texts = |texts: &[&str]| {
        texts.iter().map(|text| AnnotationText { at: 1, text: (*text).to_owned() }).collect::<Vec<_>>()
    };
    BTreeMap::from([
        (4, StepAnnotations { tags: texts(&["wall", "look"]), comments: texts(&["hits the wall"]) }),
        (6, StepAnnotations { tags: texts(&["look"]), comments: Vec::new() }),
    ])
}

/// The steps at which a condition is true, and why it is unknown at others.
async fn judged(text: &str, episode: &Episode, known: &Known) -> (Vec<u32>, Vec<String>) {
    let condition: Condition = text.parse().unwrap();
    let limits = mageyard_domain::SearchLimits { states: 9, ..mageyard_domain::SearchLimits::NONE };
    let mut search = DistanceSearch::new(&CorridorSpec, Some(limits));
    search.add_steps(episode.steps());
    let distances = search.search_all().await.clone();
    let errors = analyze(episode, &CorridorSpec, episode.head().conduct.thresholds);
    let errors = errors.with_distances(&distances);
    let mut found = Vec::new();
    let mut unknown = Vec::new();
    for (index, step) in episode.steps().iter().enumerate().filter(|(_, step)| step.is_done()) {
        let annotations = annotations();
        let view = StepView {
            annotations: annotations.get(&step.number),
            head: episode.head(),
            steps: episode.steps(),
            prompt: episode.prompt(),
            step: FinishedStep { index, marks: errors.at(index), continued: MarkSet::default() },
            is_finished: true,
            errors: &errors,
            distances: &distances,
            known,
        };
        let judgement = condition.judge(&view);
        match judgement.truth {
            Truth::True => found.push(step.number),
            Truth::False => {}
            Truth::NeedsDistance | Truth::Unknown => unknown.extend(judgement.facts),
        }
    }
    (found, unknown)
}

#[tokio::test]
async fn every_condition_is_true_at_known_steps_and_at_no_other() {
    let episode = play(&SCRIPT).await;
    let (all, none): (Vec<u32>, Vec<u32>) = ((1..=8).collect(), Vec::new());
    for (text, steps) in [
        ("ia", vec![5]),
        ("parse_error", vec![5]),
        ("parse error", vec![5]),
        ("frame_same", vec![4]),
        ("off-path", vec![2, 3, 4]),
        ("off_path>=2", vec![3, 4]),
        ("off_path=1", vec![2]),
        ("same>=1", vec![4]),
        ("same>1", none.clone()),
        ("ra,dead,ren,act,ending,edited", none.clone()),
        ("any", vec![2, 3, 4, 5]),
        ("step=7", vec![7]),
        ("step>=7", vec![7, 8]),
        ("step<=1 or step>7", vec![1, 8]),
        ("step<2", vec![1]),
        ("step!=3 and step<5", vec![1, 2, 4]),
        ("sum=-4", vec![4, 5]),
        ("reward=0", vec![5]),
        ("reward_drop>0.5", vec![1, 2, 3, 4, 6, 7, 8]),
        ("reward_drop>1", none.clone()),
        ("attempts=3", vec![5]),
        ("tokens>0", none.clone()),
        ("tokens(judge)=0 and tokens(agent)=0 and cost(reward)=0", all.clone()),
        ("role=judge", none.clone()),
        ("tokens=0 and tokens_in=0 and tokens_out=0", all.clone()),
        ("cost=0", all.clone()),
        ("cost>0", none.clone()),
        ("distance=9", vec![3, 4, 5]),
        ("distance<=6", vec![8]),
        ("am=5 and om=1", all.clone()),
        ("am<5 or om>1", none.clone()),
        ("action=Left", vec![2, 3, 4]),
        ("action=left", vec![2, 3, 4]),
        ("action!=Left", vec![1, 5, 6, 7, 8]),
        ("action~igh", vec![1, 6, 7, 8]),
        ("text~\"STEP 4\"", vec![4]),
        ("text~/step [67]/", vec![6, 7]),
        ("text~/STEP 6/", none.clone()),
        ("seen~/^@/", vec![4, 5, 6]),
        ("note~a", none.clone()),
        ("tag=wall", vec![4]),
        ("tag=WALL and tag=look", vec![4]),
        ("tag~oo", vec![4, 6]),
        ("tag!=wall", vec![1, 2, 3, 5, 6, 7, 8]),
        ("comment~\"hits the\"", vec![4]),
        ("comment~/^hits/", vec![4]),
        ("not tag~o and same", none.clone()),
        ("agent=script and prompt=none and environment=corridor", all.clone()),
        ("level=corridor and reader=strict", all.clone()),
        ("model=x", none.clone()),
        ("ia or action=Right and step>6", vec![5, 7, 8]),
        ("(ia or action=Right) and step>6", vec![7, 8]),
        ("not (same or ia)", vec![1, 2, 3, 6, 7, 8]),
        ("not not ia", vec![5]),
    ] {
        assert_eq!(judged(text, &episode, &Known::default()).await, (steps, Vec::new()), "{text}");
    }
}

#[tokio::test]
async fn a_streak_counts_the_steps_in_a_row_up_to_the_step() {
    let episode = play(&["Left", "Left", "Left", "Right", "Left", "Left"]).await;
    // The script begins again at step 7. Left moves only at steps 1 and 5.
    for (text, steps) in [
        ("same>=1", vec![2, 3, 6, 7, 8]),
        ("same>=2", vec![3, 7, 8]),
        ("same=1", vec![2, 6]),
        ("same>2", vec![8]),
    ] {
        assert_eq!(judged(text, &episode, &Known::default()).await.0, steps, "{text}");
    }
}

#[tokio::test]
async fn a_recording_is_compared_up_to_the_first_difference() {
    let recorded = play(&["Right", "Left", "Right"]).await;
    let recordings = [("before".to_owned(), vec![RecordedPath::of(&recorded)])];
    let known = Known { recordings: BTreeMap::from(recordings), ..Known::default() };
    let episode = play(&SCRIPT).await;
    assert_eq!(judged("differs(before)", &episode, &known).await, (vec![3], Vec::new()));
    assert_eq!(judged("differs(before)", &recorded, &known).await, (Vec::new(), Vec::new()));
    let unknown = judged("differs(other)", &episode, &known).await;
    assert_eq!(unknown.1[0], "other has no recording of corridor");
}

#[test]
fn a_wrong_condition_has_its_place_and_a_hint() {
    for (text, place, hint) in [
        ("", 0..0, "such as ia"),
        ("ia annd ra", 3..7, ""),
        ("ia and deadlok", 7..14, "did you mean dead"),
        ("stpe=3", 0..4, "did you mean step"),
        ("ia and", 6..6, "such as"),
        ("(ia or ra", 0..1, ""),
        ("ia)", 2..3, ""),
        ("step", 0..4, "step>1"),
        ("step=", 5..5, ""),
        ("step=inf", 5..8, ""),
        ("step~3", 4..5, "use ="),
        ("action>Up", 6..7, "contains"),
        ("text", 0..4, "text~wall"),
        ("text~/[/", 5..8, ""),
        ("tokens(jugde)>1", 7..12, "did you mean judge"),
        ("tokens(judge", 6..7, ""),
        ("cost(agent)", 0..11, "cost(agent)>1"),
        ("text~/a", 5..7, ""),
        ("text~\"a", 5..7, ""),
        ("differs", 0..7, "differs(last)"),
        ("differs(last", 7..8, ""),
        ("ia ra", 3..5, ""),
        ("not", 3..3, "such as"),
    ] {
        let error = text.parse::<Condition>().unwrap_err();
        assert_eq!(error.span, place, "{text}: {error}");
        assert!(error.to_string().contains(hint), "{text}: {error}");
    }
    let deep = "(".repeat(10_000);
    assert!(deep.parse::<Condition>().is_err() && "not ".repeat(500).parse::<Condition>().is_err());
}

fn term() -> impl Strategy<Value = Term> {
    let limit = || {
        let signs = proptest::sample::select(Comparison::ALL.to_vec());
        (signs, any::<f64>().prop_filter_map("finite", Number::new))
    };
    let mark = || proptest::sample::select(Mark::ALL.to_vec());
    // The number of dropped members is compared instead.
    let in_a_row = || mark().prop_filter("it has no number of its own", |mark| *mark != Mark::Dropped);
    let pattern = proptest::sample::select(vec!["a/b", "\\d+", "^x$", "a\\\\/", "[\"/]"]);
    let wanted = prop_oneof![
        "\\PC*".prop_map(Match::Equal),
        "\\PC*".prop_map(Match::Unequal),
        "\\PC*".prop_map(Match::Contains),
        pattern.prop_filter_map("a pattern", |text| Pattern::new(text).ok().map(Match::Pattern)),
    ];
    prop_oneof![
        Just(Term::Any),
        mark().prop_map(Term::Marked),
        (in_a_row(), limit()).prop_map(|(mark, (sign, number))| Term::Streak(mark, sign, number)),
        (
            proptest::sample::select(Quantity::ALL.to_vec()),
            proptest::sample::select(ASKERS.to_vec()),
            limit()
        )
            .prop_map(|(quantity, asker, (sign, number))| Term::Quantity(
                quantity.of(asker),
                sign,
                number
            )),
        (proptest::sample::select(TextField::ALL.to_vec()), wanted)
            .prop_map(|(field, wanted)| Term::Text(field, wanted)),
        "\\PC+".prop_map(Term::Differs),
    ]
}

const ASKERS: [Asker; 4] =
    [Asker::All, Asker::Agent, Asker::Role(SideRole::Judge), Asker::Role(SideRole::Reward)];

fn expression() -> impl Strategy<Value = Expression> {
    term().prop_map(Expression::Term).prop_recursive(4, 24, 3, |inner| {
        let parts = proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            inner.prop_map(|inner| Expression::Not(Box::new(inner))),
            parts.clone().prop_map(Expression::And),
            parts.prop_map(Expression::Or),
        ]
    })
}

#[test]
fn a_condition_that_needs_annotations_is_known() {
    for (text, reads, needs) in [
        ("tag=a", true, true),
        ("tag!=a", true, false),
        ("not tag=a", true, false),
        ("ia and comment~b", true, true),
        ("ia or comment~b", true, false),
        ("tag=a or comment~b", true, true),
        ("ia", false, false),
    ] {
        let condition: Condition = text.parse().unwrap();
        assert_eq!((condition.reads_annotations(), condition.needs_annotations()), (reads, needs), "{text}");
    }
}

proptest! {
    #[test]
    fn a_displayed_condition_is_read_as_the_same_condition(expression in expression()) {
        let condition = Condition::new(expression, &[]);
        let text = condition.to_string();
        prop_assume!(text.len() < 4000);
        let read = text.parse::<Condition>();
        prop_assert_eq!(read.as_ref(), Ok(&condition), "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_place_inside(text in "\\PC{0,60}") {
        if let Err(error) = text.parse::<Condition>() {
            prop_assert!(error.span.start <= text.len() && !error.message.is_empty());
        }
    }
}
