//! Observations as views: those of a running episode, and recorded ones, which have only facts.

use std::sync::{Arc, Weak};

use serde::Deserialize;
use serde_json::Value;

use super::facts::{ending_name, engine_named};
use super::film::Film;
use super::pitch_view::PitchView;
use super::seen::Seen;
use super::settings::Settings;
use super::view::{LazyPainter, View};
use crate::picture::Shown;
use crate::reported::{ReportedPlayers, ReportedState};
use crate::{FRAME_LIMIT, FrameState, GameEnding, GameMode, Team};
use mageyard_domain::{Observation, Options};

/// The facts that a view needs.
#[derive(Deserialize)]
struct Facts {
    ball: [f64; 3],
    ball_direction: [f64; 3],
    ball_rotation: [f64; 3],
    ball_owned_team: i64,
    ball_owned_player: i64,
    left_team: Vec<[f64; 2]>,
    left_team_direction: Vec<[f64; 2]>,
    left_team_roles: Vec<u8>,
    left_team_tired_factor: Vec<f64>,
    right_team: Vec<[f64; 2]>,
    right_team_direction: Vec<[f64; 2]>,
    right_team_roles: Vec<u8>,
    right_team_tired_factor: Vec<f64>,
    active: i64,
    sticky_actions: Vec<u8>,
    game_mode: u8,
    score: [u32; 2],
    steps_left: u32,
    engine: String,
    engine_version: Option<String>,
    scene: String,
    decision: u32,
    frames: u32,
    ending: Option<String>,
    reward_terms: [f64; 6],
    reopened: Option<String>,
}

impl Facts {
    fn state(&self) -> Result<FrameState, &'static str> {
        let players =
            |places: &[[f64; 2]], movements: &[[f64; 2]], roles: &[u8], tired: &[f64]| ReportedPlayers {
                places: places.to_vec(),
                movements: movements.to_vec(),
                roles: roles.to_vec(),
                tired: tired.to_vec(),
            };
        let reported = ReportedState {
            ball: self.ball,
            ball_direction: self.ball_direction,
            ball_rotation: self.ball_rotation,
            owner: [self.ball_owned_team, self.ball_owned_player],
            active: self.active,
            mode: self.game_mode,
            score: self.score,
            sticky: self.sticky_actions.clone(),
            left: players(
                &self.left_team,
                &self.left_team_direction,
                &self.left_team_roles,
                &self.left_team_tired_factor,
            ),
            right: players(
                &self.right_team,
                &self.right_team_direction,
                &self.right_team_roles,
                &self.right_team_tired_factor,
            ),
            steps_left: self.steps_left,
        };
        reported.check()
    }
}

/// An observation as the view of these options shows it. Frames of the real engine exist only where it drew them. A recorded
/// observation has only its facts: the broadcast camera is where it begins, and after a goal all players are at their places
/// again.
pub(crate) fn show(seen: &Observation, options: &Options) -> Result<Observation, String> {
    let settings = Settings::read(options).map_err(|error| error.to_string())?;
    let view = view_of(seen)?;
    let drawn = view.drawn.clone().filter(|_| settings.view == PitchView::Engine);
    if settings.view == PitchView::Engine && drawn.is_none() {
        return Err("the real engine has not drawn this state, and only it draws the view engine".to_owned());
    }
    let painter = Arc::new(LazyPainter::new(settings.view, settings.minimal));
    // The same state, whose digest may include a stored frame.
    Ok(Observation::recorded(seen.digest(), View { painter, drawn, ..view }))
}

/// The view that an observation was made from, or that of its facts.
pub(crate) fn view_of(seen: &Observation) -> Result<View, String> {
    if let Some(view) = seen.source::<View>() {
        return Ok(view.clone());
    }
    let invalid =
        |why: &dyn std::fmt::Display| format!("the facts of the observation have no state of a game: {why}");
    let facts: Facts = Deserialize::deserialize(seen.facts() as &Value).map_err(|error| invalid(&error))?;
    let state = facts.state().map_err(|error| invalid(&error))?;
    let ending =
        facts.ending.as_deref().map(|name| ending_named(name).ok_or_else(|| invalid(&"unknown ending")));
    let is_drawn = seen.facts().get("drawing").is_some();
    let scene: Arc<str> = facts.scene.into();
    let seen_facts = Seen {
        engine: engine_named(&facts.engine).ok_or_else(|| invalid(&"unknown engine"))?,
        version: facts.engine_version.map(Into::into),
        scene,
        state,
        decision: facts.decision,
        frames: facts.frames,
        ending: ending.transpose()?,
        terms: facts.reward_terms,
        remark: facts.reopened.map(Into::into),
        is_drawn,
    };
    Ok(View {
        shown: Shown {
            decision: facts.decision,
            scorer: scorer(&state),
            ..Shown::first(&state, FRAME_LIMIT)
        },
        seen: seen_facts,
        pictured: state,
        film: Film::default(),
        play: Weak::new(),
        painter: Arc::new(LazyPainter::new(PitchView::default(), false)),
        drawn: seen.picture().filter(|_| is_drawn).cloned(),
    })
}

/// The team that has scored: an episode ends with the first goal.
fn scorer(state: &FrameState) -> Option<Team> {
    match state.score {
        [0, 0] => None,
        [0, _] => Some(Team::Right),
        _ => Some(Team::Left),
    }
}

/// The ending with this name in the facts. Two stops have one name, and one text.
fn ending_named(name: &str) -> Option<GameEnding> {
    let stops = (0..).map_while(GameMode::from_code).map(GameEnding::Out);
    let others = [GameEnding::Goal, GameEnding::Conceded, GameEnding::Possession, GameEnding::Limit];
    others.into_iter().chain(stops).find(|ending| ending_name(*ending) == name)
}
