//! Questions, claims and misreadings of the game.

use mageyard_domain::{ActionShape, Observation, Options, ProbeForm, Probes, World};
use proptest::prelude::*;

use super::probes::PitchProbes;
use super::scene;
use super::world::view_tests::states;
use super::world::{FootballWorld, Settings, view_of};
use crate::{Owner, Team};

const SCENE: &str =
    "scene small\nball -0.5 0\nleft GK -0.98 0\nleft CM -0.515 0.004\nright GK -0.98 0\nright CB 0.4 0.3";

fn world(view: &str) -> FootballWorld {
    let options = Options::from([("view".to_owned(), view.into())]);
    FootballWorld::new(&scene::read_one(SCENE).unwrap(), &Settings::read(&options).unwrap(), 4)
}

fn seen() -> Observation {
    world("board").observe()
}

/// The start with the ball at the feet of a player.
fn owned(owner: Option<Owner>) -> Observation {
    let view = view_of(&seen()).unwrap();
    let state = crate::FrameState { owner, ..*view.pictured() };
    Observation::from_source(view.with_state(&state))
}

/// Kind, subject and right answer of every question.
fn answers(seen: &Observation) -> Vec<(String, String)> {
    let kinds = PitchProbes.kinds().iter();
    let probes = kinds.flat_map(|kind| PitchProbes.probes(seen, kind.name, 0));
    probes.map(|probe| (format!("{} {}", probe.kind, probe.about), probe.right)).collect()
}

#[test]
fn questions_have_the_answers_of_the_state() {
    let expected = [
        ("team ", "no player"),
        ("controlled ", "2"),
        ("nearest ", "2"),
        ("gap ", "25 to 40 m"),
        ("half ", "left"),
        ("score own", "0"),
        ("score theirs", "0"),
    ];
    let all: Vec<(String, String)> =
        expected.iter().map(|(name, right)| ((*name).to_owned(), (*right).to_owned())).collect();
    assert_eq!(answers(&seen()), all);
    for (team, right) in [(Team::Left, "your team"), (Team::Right, "the opponents")] {
        assert_eq!(answers(&owned(Some(Owner { team, player: 0 })))[0].1, right);
    }
    assert!(PitchProbes.probes(&seen(), "weather", 0).is_empty());
    let recorded = Observation::from_parts(vec![], seen().text().to_string(), seen().facts().clone());
    assert_eq!(answers(&recorded), all);
    assert_eq!(PitchProbes.in_words(&recorded), PitchProbes.in_words(&seen()));
}

#[test]
fn games_are_misread_in_the_stated_ways() {
    let misread = |name: &str| PitchProbes.misread(&seen(), name).unwrap();
    let facts = |seen: &Observation| seen.facts().clone();
    let sides = facts(&misread("sides"));
    assert_eq!(sides["ball"][0], 0.5);
    assert!(sides["right_team"][0][0].as_f64() < Some(-0.9) && sides["left_team"][0][0].as_f64() > Some(0.9));
    let ball = facts(&misread("ball"));
    assert_eq!((&ball["ball_owned_team"], &ball["ball_owned_player"]), (&0.into(), &1.into()));
    assert_eq!(ball["ball"][0], ball["left_team"][1][0]);
    let opponent = facts(&misread("opponent"));
    assert_eq!(opponent["right_team"].as_array().unwrap().len(), 1);
    assert_eq!(opponent["right_team_roles"], serde_json::json!([0]));
    assert!(PitchProbes.misread(&seen(), "colours").is_none());
    let probe = |kind: &str| PitchProbes.probes(&seen(), kind, 0).remove(0);
    assert_eq!(PitchProbes.answer(&misread("sides"), &probe("half")).as_deref(), Some("right"));
    assert_eq!(PitchProbes.answer(&misread("ball"), &probe("team")).as_deref(), Some("your team"));
    let text = misread("opponent").text().to_string();
    assert!(text.contains("A GK 1: ") && !text.contains("CB"), "{text}");
}

#[test]
fn the_ball_is_seen_at_another_player_than_the_one_who_has_it() {
    let carried = owned(Some(Owner { team: Team::Left, player: 1 }));
    let wrong = PitchProbes.misread(&carried, "ball").unwrap();
    let owner = view_of(&wrong).unwrap().pictured().owner.unwrap();
    assert_ne!(owner, Owner { team: Team::Left, player: 1 });
    assert_ne!(answers(&wrong)[0], answers(&seen())[0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_answer_is_one_that_the_question_allows(state in states(), seed in 0..9_u64) {
        let seen = Observation::from_source(view_of(&seen()).unwrap().with_state(&state));
        let misreadings = PitchProbes.misreadings().iter();
        let wrong: Vec<Observation> = misreadings.filter_map(|one| PitchProbes.misread(&seen, one.name)).collect();
        for other in &wrong {
            prop_assert_ne!(other.digest(), seen.digest());
        }
        for kind in PitchProbes.kinds() {
            for probe in PitchProbes.probes(&seen, kind.name, seed) {
                let fits = |answer: &String| match &probe.form {
                    ProbeForm::Choice(words) => words.contains(answer),
                    ProbeForm::Number { least, most } => (*least..=*most).contains(&answer.parse().unwrap()),
                    ProbeForm::Places { .. } => false,
                };
                prop_assert!(fits(&probe.right), "{probe:?}");
                prop_assert_eq!(PitchProbes.answer(&seen, &probe), Some(probe.right.clone()));
                for other in &wrong {
                    prop_assert!(PitchProbes.answer(other, &probe).is_none_or(|answer| fits(&answer)), "{probe:?}");
                }
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_claims_panic(text in "(the|our|we|I|player|ball|half| |has|is in|#?[0-9]{1,30}|ä|\\.|\n){0,24}") {
        for claim in PitchProbes.claims(&seen(), &text) {
            prop_assert!(text.get(claim.at.clone()).is_some());
        }
    }
}

#[test]
fn claims_are_read_where_they_are_sure_and_compared_with_the_state() {
    let seen = owned(Some(Owner { team: Team::Left, player: 1 }));
    let read = |text: &str| -> Vec<(String, bool)> {
        PitchProbes.claims(&seen, text).into_iter().map(|claim| (claim.says, claim.holds)).collect()
    };
    for (text, expected) in [
        ("We have the ball.", vec![("ball with the own team", true)]),
        ("The opponents currently have possession of the ball", vec![("ball with the opponents", false)]),
        ("Player 2 has the ball.", vec![("ball with own player 2", true)]),
        ("Our player #7 has the ball.", vec![("ball with own player 7", false)]),
        ("The opponent player 2 has the ball.", vec![("ball with opponent 2", false)]),
        ("Their player 2 now has the ball.", vec![("ball with opponent 2", false)]),
        ("I have the ball", vec![("ball with the controlled player", true)]),
        ("I control player 1.", vec![("player 1 controlled", false)]),
        (
            "The ball is in our half, I direct player 2.",
            vec![("ball in the left half", true), ("player 2 controlled", true)],
        ),
        ("The ball is now in the opponents' half.", vec![("ball in the right half", false)]),
        ("The ball is in the right half", vec![("ball in the right half", false)]),
        ("We do not have the ball.", vec![]),
        ("If we have the ball, shoot.", vec![]),
        ("Pass so that player 2 has the ball.", vec![]),
        ("We must keep the ball until player 2 has the ball.", vec![]),
        ("Who has the ball? Player 99999999999999999999999 has the ball.", vec![]),
    ] {
        let expected: Vec<(String, bool)> =
            expected.into_iter().map(|(says, holds)| (says.to_owned(), holds)).collect();
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn claims_have_their_places_in_text_and_picture() {
    let text = "Ä. Player 1 has the ball.";
    let claim = PitchProbes.claims(&seen(), text).remove(0);
    assert_eq!(&text[claim.at.clone()], "Player 1 has the ball");
    let label = |shapes: &[ActionShape]| match shapes {
        [ActionShape::Point { at, label }] => (*at, label.clone()),
        other => panic!("{other:?}"),
    };
    let (keeper, ball) = (label(&claim.claimed), label(&claim.actual));
    assert_eq!((keeper.1.as_str(), ball.1.as_str()), ("1", "ball"));
    assert!(keeper.0.0 < ball.0.0, "the keeper is farther to the left");
    let listed = PitchProbes.claims(&world("list").observe(), text).remove(0);
    assert!(listed.claimed.is_empty() && listed.actual.is_empty(), "a list has no pixels");
}
