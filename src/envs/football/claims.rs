//! What an analysis says of the game: which team or which player has the ball, whom one controls, and in which half the ball is. A
//! sentence that is not a statement about the present is not read, nor is one about what is to be reached.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Match, Regex};

use super::world::View;
use crate::{FrameState, Owner, Team};
use mageyard_domain::{ActionShape, Claim};
use mageyard_kit::statements;

/// Sentences about what is to be reached, or can be.
static UNREAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(must|needs?|wants?|can|cannot|try|tries|once|while|so that|keeps?|whether|where|who|had|was|were)\b",
    )
    .ok()
});

const ADVERBS: &str = r"(?:\s+(?:currently|now|still|already|clearly|also))*\s+";

type Read = fn(&Seen<'_>, &Captures<'_>) -> Option<Claim>;

/// The forms of claims, each with its reader.
static FORMS: LazyLock<Vec<(Regex, Read)>> = LazyLock::new(|| {
    let whose = r"(?:(our|my|your|the|opponents?'?|opponent's|opposing|their)\s+)*";
    let player = format!(r"\b{whose}player\s+(?:number\s+)?#?(\d+)");
    let has = format!(r"{ADVERBS}(?:has|have|possess(?:es)?)\s+(?:possession\s+of\s+)?the\s+ball\b");
    let team = r"\b(we|our\s+team|my\s+team|the\s+yellow\s+team|the\s+opponents?|the\s+opposing\s+team|the\s+other\s+team)";
    let half = r"(our\s+own|my\s+own|their\s+own|our|my|the\s+opponents?'|the\s+opponent's|the\s+opposing|their|the\s+left|the\s+right|the\s+other)\s+half\b";
    let forms: [(String, Read); 5] = [
        (format!("(?i){team}{has}"), team_has_ball),
        (format!("(?i){player}{has}"), player_has_ball),
        (format!(r"(?i)\bI{has}"), controlled_has_ball),
        (
            format!(r"(?i)\bI{ADVERBS}(?:control|direct)\s+(?:the\s+)?player\s+(?:number\s+)?#?(\d+)\b"),
            controlled,
        ),
        (format!(r"(?i)\bthe\s+ball\s+is{ADVERBS}(?:in|inside)\s+{half}"), ball_in_half),
    ];
    forms.into_iter().filter_map(|(form, read)| Some((Regex::new(&form).ok()?, read))).collect()
});

/// A state, and where the sentence begins in the analysis.
struct Seen<'a> {
    view: &'a View,
    state: &'a FrameState,
    start: usize,
}

/// What an analysis says of the game.
pub(super) fn claims(view: &View, analysis: &str) -> Vec<Claim> {
    let is_read = |(_, text): &(usize, &str)| UNREAD.as_ref().is_some_and(|unread| !unread.is_match(text));
    let mut claims: Vec<Claim> = statements(analysis)
        .filter(is_read)
        .flat_map(|(start, text)| {
            let seen = Seen { view, state: view.pictured(), start };
            let of_form = |(form, read): &(Regex, Read)| {
                form.captures_iter(text).filter_map(|found| read(&seen, &found)).collect::<Vec<Claim>>()
            };
            FORMS.iter().flat_map(of_form).collect::<Vec<Claim>>()
        })
        .collect();
    claims.sort_by_key(|claim| claim.at.start);
    claims
}

impl Seen<'_> {
    fn range(&self, found: Match<'_>) -> Range<usize> {
        self.start + found.start()..self.start + found.end()
    }

    fn point(&self, place: [f64; 2], label: &str) -> Option<ActionShape> {
        let at = self.view.pixel(place, [0.0; 2])?;
        Some(ActionShape::Point { at, label: label.to_owned() })
    }

    fn player(&self, team: Team, slot: usize) -> Option<ActionShape> {
        let place = self.state.squad(team).positions().get(slot)?;
        self.point(*place, &(slot + 1).to_string())
    }

    fn ball(&self) -> Option<ActionShape> {
        let [x, y, _] = self.state.ball;
        self.point([x, y], "ball")
    }
}

/// A claim; where it does not hold, the ball or a player is elsewhere.
fn claim(at: Range<usize>, says: String, holds: bool, places: [Option<ActionShape>; 2]) -> Claim {
    let [claimed, actual] = places;
    let actual = actual.filter(|_| !holds);
    Claim { at, says, holds, claimed: claimed.into_iter().collect(), actual: actual.into_iter().collect() }
}

/// Lower case with single spaces.
fn words(found: Match<'_>) -> String {
    found.as_str().to_ascii_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn team_has_ball(seen: &Seen<'_>, found: &Captures<'_>) -> Option<Claim> {
    let (whole, who) = (found.get(0)?, words(found.get(1)?));
    let is_own = ["we", "our team", "my team", "the yellow team"].contains(&who.as_str());
    let (team, name) = if is_own { (Team::Left, "own team") } else { (Team::Right, "opponents") };
    let holds = seen.state.owning_team() == Some(team);
    Some(claim(seen.range(whole), format!("ball with the {name}"), holds, [None, seen.ball()]))
}

fn player_has_ball(seen: &Seen<'_>, found: &Captures<'_>) -> Option<Claim> {
    let (whole, number) = (found.get(0)?, found.get(2)?);
    let before = words(whole);
    let is_theirs = before.contains("oppo") || before.starts_with("their");
    let team = if is_theirs { Team::Right } else { Team::Left };
    let number: usize = number.as_str().parse().ok()?;
    let slot = number.checked_sub(1);
    let holds = slot.is_some_and(|player| seen.state.owner == Some(Owner { team, player }));
    let name = if is_theirs { "opponent" } else { "own player" };
    let places = [slot.and_then(|slot| seen.player(team, slot)), seen.ball()];
    Some(claim(seen.range(whole), format!("ball with {name} {number}"), holds, places))
}

fn controlled_has_ball(seen: &Seen<'_>, found: &Captures<'_>) -> Option<Claim> {
    let player = seen.state.active;
    let holds = seen.state.owner == Some(Owner { team: Team::Left, player });
    let places = [seen.player(Team::Left, player), seen.ball()];
    Some(claim(seen.range(found.get(0)?), "ball with the controlled player".to_owned(), holds, places))
}

fn controlled(seen: &Seen<'_>, found: &Captures<'_>) -> Option<Claim> {
    let number = found.get(1)?;
    let said: usize = number.as_str().parse().ok()?;
    let holds = said == seen.state.active + 1;
    let claimed = said.checked_sub(1).and_then(|slot| seen.player(Team::Left, slot));
    let places = [claimed, seen.player(Team::Left, seen.state.active)];
    Some(claim(seen.range(number), format!("player {said} controlled"), holds, places))
}

fn ball_in_half(seen: &Seen<'_>, found: &Captures<'_>) -> Option<Claim> {
    let (whole, half) = (found.get(0)?, words(found.get(1)?));
    let is_left = ["our own", "my own", "our", "my", "the left"].contains(&half.as_str());
    let side = if is_left { "left" } else { "right" };
    let holds = (seen.state.ball[0] < 0.0) == is_left;
    let says = format!("ball in the {side} half");
    Some(claim(seen.range(whole), says, holds, [None, seen.ball()]))
}
