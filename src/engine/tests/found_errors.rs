//! Errors, losses and scores by step that an environment finds in its own states.

use serde_json::json;

use super::*;
use mageyard_dialog::Spans;

/// The corridor, whose states name errors and losses.
struct Finding;

const LOSSES: [Loss; 2] = [Loss { name: "ren", label: "Ren" }, Loss { name: "act", label: "Act" }];

impl EnvironmentSpec for Finding {
    fn name(&self) -> &'static str {
        "finding"
    }
    fn summary(&self) -> &'static str {
        CorridorSpec.summary()
    }
    fn file_extensions(&self) -> &'static [&'static str] {
        CorridorSpec.file_extensions()
    }
    fn level_sets(&self) -> &'static [LevelSet] {
        CorridorSpec.level_sets()
    }
    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        CorridorSpec.parse_levels(text)
    }
    fn open(&self, level: &Level, options: &Options, seed: u64) -> Result<Box<dyn Environment>, OptionError> {
        CorridorSpec.open(level, options, seed)
    }
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        CorridorSpec.reply_format(setting)
    }
    fn score(&self, returns: Returns, _: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }
    fn capabilities(&self) -> &'static Capabilities {
        static CAPABILITIES: Capabilities = Capabilities { scoring: &Finding, ..Capabilities::NONE };
        &CAPABILITIES
    }
}

impl Scoring for Finding {
    fn finds_errors(&self) -> bool {
        true
    }
    fn losses(&self) -> &'static [Loss] {
        &LOSSES
    }
    fn has_score_by_step(&self) -> bool {
        true
    }
}

fn state(errors: &[&str], act: f64) -> Observation {
    let facts = json!({"errors": errors, "losses": {"act": act, "other": 0.5}});
    Observation::from_parts(Vec::new(), format!("{errors:?}"), facts)
}

fn space() -> ActionSpace {
    ActionSpace::new(&[("Go", "")])
}

/// A start that has points already.
fn opening(points: f64) -> Opening {
    Opening { observation: state(&["act"], 0.9), space: space(), status: Status::Running, points }
}

/// An episode from such a start with these rewards, and the states after them.
fn episode(steps: &[(f64, Observation)]) -> Episode {
    let mut episode = Episode::new(head(Setting::Online, 3, 9).into());
    episode.apply(Event::Opened(opening(26.5), None)).unwrap();
    for (reward, observation) in steps.iter().cloned() {
        let action = Action::plain("Go");
        let space = space();
        let outcome = Outcome {
            observation,
            space,
            reward,
            status: Status::Running,
            note: None,
            problem: None,
            questions: Vec::new(),
        };
        episode.apply(Event::Replied("# action\nGo".to_owned().into())).unwrap();
        episode.apply(Event::Accepted(action.clone(), Spans::default())).unwrap();
        episode.apply(Event::Acted(action, outcome)).unwrap();
    }
    episode
}

/// An episode whose only state names no losses.
fn opened_without_losses() -> Episode {
    let mut episode = Episode::new(head(Setting::Online, 3, 9).into());
    let (observation, space) =
        (Observation::from_parts(Vec::new(), "empty", json!({})), ActionSpace::new(&[]));
    let opening = Opening { observation, space, status: Status::Running, points: 0.0 };
    episode.apply(Event::Opened(opening, None)).unwrap();
    episode
}

#[test]
fn a_step_has_the_errors_of_the_state_after_it() {
    let episode = episode(&[
        (3.5, state(&["ren"], 0.0)),
        (5.0, state(&["act", "par", "?"], 0.25)),
        (-1.5, state(&[], 0.125)),
    ]);
    let found = analyze(&episode, &Finding, RepetitionThresholds::default());
    let marks: Vec<Vec<&str>> =
        found.marks().iter().map(|marks| marks.iter().map(Mark::name).collect()).collect();
    assert_eq!(marks, [vec!["ren"], vec!["act"], vec![], vec![]]);
    assert_eq!(found.reason(Mark::NotRendered).as_deref(), Some("the result of 1 action cannot be shown"));
    assert_eq!(found.reason(Mark::FailedInteraction).as_deref(), Some("an interaction fails after 1 action"));
    assert!(found.listed().any(|mark| mark == Mark::NotRendered));
    let other = analyze(&episode, &CorridorSpec, RepetitionThresholds::default());
    assert!(other.marks().iter().all(|marks| marks.is_empty()), "only where the environment finds errors");
    assert!(other.listed().all(|mark| !Mark::OF_ENVIRONMENT.contains(&mark)));

    let summary = EpisodeSummary::of(&episode, &Finding, Duration::ZERO);
    assert_eq!(summary.losses, [("act".to_owned(), 0.125)].into());
    let unread = opened_without_losses();
    let all = EpisodeSummary::of(&unread, &Finding, Duration::ZERO).losses;
    assert_eq!(all, [("ren".to_owned(), 1.0)].into(), "everything is lost to the first kind");
    assert_eq!(summary.scores_by_step, [26.5, 30.0, 35.0, 33.5]);
    assert_eq!((summary.score, summary.returns), (Some(33.5), Returns { sum: 33.5, best: 35.0 }));
    let mut untouched = Episode::new(head(Setting::Online, 3, 9).into());
    untouched.apply(Event::Opened(opening(26.5), None)).unwrap();
    let summary_of_start = EpisodeSummary::of(&untouched, &Finding, Duration::ZERO);
    assert_eq!((summary_of_start.score, summary_of_start.scores_by_step), (Some(26.5), vec![26.5]));
    assert_eq!((summary.count(Mark::NotRendered), summary.count(Mark::FailedInteraction)), (1, 1));
}
