//! Questions about a state of the game with answers that are computed. What is too close to call is not asked.

use super::distances::{gap, nearest_to};
use super::world::{View, view_of};
use super::{claims, misread, ranges};
use crate::{FrameState, Owner, Team};
use mageyard_domain::{Claim, Misreading, Observation, Probe, ProbeForm, ProbeKind, Probes};

const TEAM: ProbeKind = ProbeKind { name: "team", summary: "which team has the ball" };
const CONTROLLED: ProbeKind = ProbeKind { name: "controlled", summary: "which player is controlled" };
const NEAREST: ProbeKind =
    ProbeKind { name: "nearest", summary: "which player of the own team is nearest to the ball" };
const GAP: ProbeKind =
    ProbeKind { name: "gap", summary: "how far the nearest opponent is from the controlled player" };
const HALF: ProbeKind = ProbeKind { name: "half", summary: "in which half the ball is" };
const SCORE: ProbeKind = ProbeKind { name: "score", summary: "how many goals each team has" };

/// The answers to who has the ball.
const TEAMS: [&str; 3] = ["your team", "the opponents", "no player"];
/// The answers to where the ball is.
const HALVES: [&str; 2] = ["left", "right"];
/// The least difference of two distances in metres that a question may rest on.
const CLEAR: f64 = 0.5;
/// The most goals that can be answered, where there are fewer.
const GOALS: i64 = 3;

/// The questions of football.
#[derive(Debug)]
pub(super) struct PitchProbes;

impl Probes for PitchProbes {
    fn kinds(&self) -> &'static [ProbeKind] {
        &[TEAM, CONTROLLED, NEAREST, GAP, HALF, SCORE]
    }

    fn probes(&self, observation: &Observation, kind: &str, seed: u64) -> Vec<Probe> {
        let Ok(view) = view_of(observation) else { return Vec::new() };
        let state = view.pictured();
        match kind {
            "team" => vec![team_probe(state)],
            "controlled" => vec![controlled_probe(state)],
            "nearest" => nearest_probe(state).into_iter().collect(),
            "gap" => gap_probe(state, seed).into_iter().collect(),
            "half" => half_probe(state).into_iter().collect(),
            "score" => [Team::Left, Team::Right].map(|team| score_probe(state, team)).into(),
            _ => Vec::new(),
        }
    }

    /// The ranges to choose from depend on the state, so a distance is answered with those of the question.
    fn answer(&self, seen: &Observation, probe: &Probe) -> Option<String> {
        if let (true, ProbeForm::Choice(offered)) = (probe.kind == GAP.name, &probe.form) {
            return ranges::nearest_of(gap_of(view_of(seen).ok()?.pictured())?, offered);
        }
        let questions = self.probes(seen, &probe.kind, 0);
        questions.into_iter().find(|other| other.about == probe.about).map(|other| other.right)
    }

    fn in_words(&self, seen: &Observation) -> Option<String> {
        view_of(seen).ok().map(|view| view.list())
    }

    fn claims(&self, seen: &Observation, analysis: &str) -> Vec<Claim> {
        view_of(seen).map_or_else(|_| Vec::new(), |view| claims::claims(&view, analysis))
    }

    fn misreadings(&self) -> &'static [Misreading] {
        misread::MISREADINGS
    }

    fn misread(&self, seen: &Observation, misreading: &str) -> Option<Observation> {
        let view: View = view_of(seen).ok()?;
        let state = view.pictured();
        let wrong = misread::misread(state, misreading).filter(|wrong| wrong != state)?;
        Some(Observation::from_source(view.with_state(&wrong)))
    }
}

fn choice(kind: &ProbeKind, question: &str, words: &[&str], right: &str) -> Probe {
    Probe {
        kind: kind.name.to_owned(),
        about: String::new(),
        question: question.to_owned(),
        form: ProbeForm::Choice(words.iter().map(|word| (*word).to_owned()).collect()),
        right: right.to_owned(),
    }
}

fn team_probe(state: &FrameState) -> Probe {
    let right = match state.owner {
        Some(Owner { team: Team::Left, .. }) => TEAMS[0],
        Some(Owner { team: Team::Right, .. }) => TEAMS[1],
        None => TEAMS[2],
    };
    choice(&TEAM, "Who has the ball?", &TEAMS, right)
}

/// A question for the number of a player of the own team.
fn player_probe(kind: &ProbeKind, question: &str, state: &FrameState, slot: usize) -> Probe {
    Probe {
        kind: kind.name.to_owned(),
        about: String::new(),
        question: question.to_owned(),
        form: ProbeForm::Number { least: 1, most: i64::try_from(state.left.count).unwrap_or(i64::MAX) },
        right: (slot + 1).to_string(),
    }
}

fn controlled_probe(state: &FrameState) -> Probe {
    player_probe(&CONTROLLED, "Which number has the player whom you control?", state, state.active)
}

/// None if two players are about as far from the ball.
fn nearest_probe(state: &FrameState) -> Option<Probe> {
    let [x, y, _] = state.ball;
    let places = state.left.positions();
    let (slot, distance) = nearest_to([x, y], places)?;
    let is_clear =
        |(other, place): (usize, &[f64; 2])| other == slot || gap([x, y], *place) - distance >= CLEAR;
    let question = "Which number has the player of your team who is nearest to the ball?";
    places.iter().enumerate().all(is_clear).then(|| player_probe(&NEAREST, question, state, slot))
}

/// The metres from the controlled player to the nearest opponent.
fn gap_of(state: &FrameState) -> Option<f64> {
    let from = *state.left.positions().get(state.active)?;
    nearest_to(from, state.right.positions()).map(|(_, distance)| distance)
}

/// Wrong ranges are those of other opponents, as far as there are some.
fn gap_probe(state: &FrameState, seed: u64) -> Option<Probe> {
    let from = *state.left.positions().get(state.active)?;
    let others = state.right.positions().iter().map(|place| gap(from, *place));
    let (words, right) = ranges::offered(gap_of(state)?, others, seed)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let question = "How far is the nearest opponent from the player whom you control?";
    Some(choice(&GAP, question, &words, &right))
}

/// None at the halfway line.
fn half_probe(state: &FrameState) -> Option<Probe> {
    let [x, ..] = state.ball;
    let right = HALVES[usize::from(x > 0.0)];
    let is_clear = gap([x, 0.0], [0.0; 2]) >= CLEAR;
    is_clear.then(|| choice(&HALF, "In which half of the pitch is the ball?", &HALVES, right))
}

fn score_probe(state: &FrameState, team: Team) -> Probe {
    let (about, name) = if team == Team::Left { ("own", "your team") } else { ("theirs", "the opponents") };
    let goals = i64::from(state.score[usize::from(team == Team::Right)]);
    let has = if team == Team::Left { "has" } else { "have" };
    Probe {
        kind: SCORE.name.to_owned(),
        about: about.to_owned(),
        question: format!("How many goals {has} {name}?"),
        form: ProbeForm::Number { least: 0, most: goals.max(GOALS) },
        right: goals.to_string(),
    }
}
