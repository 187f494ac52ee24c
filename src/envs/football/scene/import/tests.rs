//! Scenarios are read as data; whatever is not one is refused with its line. Positions are our own.

use super::scenario;
use crate::sim::{Game, Setup};
use crate::{EngineAction, Football, PlayerRole};
use mageyard_domain::{CheckoutImport, ListedLevel};

const SCENARIO: &str = r"
import gfootball_engine as libgame
e_PlayerRole_GK = libgame.e_PlayerRole.e_PlayerRole_GK
e_PlayerRole_CM = libgame.e_PlayerRole.e_PlayerRole_CM
Team = libgame.e_Team

def build_scenario(builder):
    builder.config().game_duration = 400
    builder.config().deterministic = False
    builder.config().offsides = False
    builder.config().end_episode_on_score = True
    builder.config().right_team_difficulty = 0.0
    builder.config().left_team_difficulty = 1.0
    builder.SetBallPosition(-0.1, 0.05)

    builder.SetTeam(Team.e_Left)

    builder.AddPlayer(-0.98, 0.01, e_PlayerRole_GK, controllable=False)
    builder.AddPlayer(-0.12, 0.05, e_PlayerRole_CM, lazy=False)

    builder.SetTeam(Team.e_Right)
    builder.AddPlayer(-0.97, 0.0, e_PlayerRole_GK)
    builder.AddPlayer(-0.5, 0.1,  # a comment
                      libgame.e_PlayerRole.e_PlayerRole_CB)
";

#[test]
fn a_scenario_is_read_without_running_it() {
    let scene = scenario::read("a", SCENARIO).unwrap();
    assert_eq!((scene.ball, scene.left.len(), scene.right.len()), ([-0.1, 0.05], 2, 2));
    let last = scene.right[1];
    assert_eq!((last.x, last.y, last.role), (-0.5, 0.1, PlayerRole::Cb));
}

#[test]
fn everything_else_is_refused_with_its_line() {
    for (from, to, line, says) in [
        (
            "import gfootball_engine as libgame",
            "print('hello')",
            2,
            "print(…) outside the function is not read",
        ),
        (
            "game_duration = 400",
            "game_duration = 3000",
            8,
            "game_duration: 3000 would be another game; 400 is simulated",
        ),
        (
            "offsides = False",
            "offsides = True",
            10,
            "offsides: True would be another game; False is simulated",
        ),
        ("right_team_difficulty = 0.0", "right_team_difficulty = 0.5", 12, "right_team_difficulty: 0.5"),
        ("deterministic", "tactics", 9, "tactics is not a rule that is read"),
        (
            "SetBallPosition(-0.1, 0.05)",
            "SetBallPosition(-0.1)",
            14,
            "ball y: missing; SetBallPosition has no such argument",
        ),
        ("SetBallPosition(-0.1, 0.05)", "SetBallPosition(x, 0.05)", 14, "ball x: x is not a number"),
        ("SetBallPosition(-0.1, 0.05)", "SetBallPosition(-0.1, 5)", 14, "ball y: 5 is outside the pitch"),
        (
            "SetBallPosition(-0.1, 0.05)",
            "EpisodeNumber()",
            14,
            "builder.EpisodeNumber(…) is not a call of a scenario",
        ),
        ("SetBallPosition(-0.1, 0.05)", "config()", 14, "builder.config(…) is not a call of a scenario"),
        ("Team.e_Left", "Team.e_Up", 16, "team: Team.e_Up is not e_Left or e_Right"),
        (
            "e_PlayerRole_CM, lazy=False",
            "e_PlayerRole_XX",
            19,
            "role: e_PlayerRole_XX is not a role of the engine",
        ),
        ("lazy=False", "lazy=True", 19, "lazy: True would be another game"),
        (
            "lazy=False",
            "fast=True",
            19,
            "AddPlayer: fast=True is not an argument that is read; its arguments are x, y, role, lazy",
        ),
        (
            "    builder.SetTeam(Team.e_Right)\n",
            "    for x in y:\n",
            21,
            "`for` is not read: positions and rules are written one by one, and nothing is run",
        ),
        (
            "def build_scenario(builder)",
            "def other(builder)",
            7,
            "only one function, build_scenario(builder), is read",
        ),
    ] {
        let text = SCENARIO.replacen(from, to, 1);
        assert_ne!(text, SCENARIO, "{from}");
        let error = scenario::read("a", &text).unwrap_err();
        assert!(error.reason.contains(says), "{to}: {error}");
        assert_eq!(error.line, line, "{to}: {error}");
    }
    let without = SCENARIO.replace("    builder.SetBallPosition(-0.1, 0.05)\n", "");
    assert!(scenario::read("a", &without).unwrap_err().reason.contains("ball: missing"));
}

/// A team of so many players in a row.
fn crowd(team: &str, count: u32) -> String {
    let players = (0..count).map(|number| {
        let role = if number == 0 { "GK" } else { "CM" };
        let x = f64::from(number) / 20.0 - 0.5;
        format!("    builder.AddPlayer({x}, 0.0{number:02}, e_PlayerRole_{role})\n")
    });
    format!("    builder.SetTeam(Team.{team})\n{}", players.collect::<String>())
}

const OTHER_FORMS: &str = r#"# -*- coding: utf-8 -*-
"""A scenario in other words."""
from gfootball.scenarios import *
import gfootball_engine
roles = gfootball_engine.e_PlayerRole
GK = e_PlayerRole_GK
HALF = -5e-1

def build_scenario(b: 'Builder') -> None:
  '''Nothing is run.'''
  rules = b.config(); rules.game_duration = 4_00; rules.game_engine_random_seed = 42
  b.SetFlag('offsides', False)
  us = Team.e_Left
  b.SetTeam(team=us)
  b.AddPlayer(-1, -0., GK, False, True); b.AddPlayer(
      x=HALF, y=.25,  # near the line
      role=gfootball_engine.e_PlayerRole.e_PlayerRole_CF)
  b.SetTeam(Team.e_Right)
  b.AddPlayer(-0.98, +0.01, e_PlayerRole_GK, lazy=False)
  b.SetTeam(us)
  b.AddPlayer(-0.4, 2.5e-1, roles.e_PlayerRole_LM)
  b.SetBallPosition(x=\
      -0.5, y=0.26)
  pass
"#;

#[test]
fn other_legal_forms_are_read_alike() {
    for text in [OTHER_FORMS.to_owned(), OTHER_FORMS.replace('\n', "\r\n"), OTHER_FORMS.replace("  b", "\tb")]
    {
        let scene = scenario::read("a", &text).unwrap();
        let places: Vec<_> = scene.left.iter().map(|one| (one.x, one.y, one.role)).collect();
        assert_eq!(
            places,
            [(-1.0, 0.0, PlayerRole::Gk), (-0.5, 0.25, PlayerRole::Cf), (-0.4, 0.25, PlayerRole::Lm)]
        );
        assert_eq!((scene.ball, scene.right.len()), ([-0.5, 0.26], 1));
        assert!(scene.left[0].y.is_sign_positive(), "no minus zero");
    }
}

#[test]
fn what_only_a_running_program_can_do_is_refused_with_its_line() {
    for (row, says) in [
        ("for x in range(3):", "`for` is not read"),
        ("while True:", "`while` is not read"),
        ("if builder.EpisodeNumber() % 2 == 0:", "`if` is not read"),
        ("import os", "`import` is not read"),
        ("builder.AddPlayer(0.1 + 0.2, 0, e_PlayerRole_CB)", "x: arithmetic (0.1 + 0.2) is not read"),
        ("builder.AddPlayer(0.1 * 2, 0, e_PlayerRole_CB)", "arithmetic (`*`) is not read; write its result"),
        ("builder.AddPlayer(1 - 0.5, 0, e_PlayerRole_CB)", "arithmetic (`-`) is not read; write its result"),
        ("builder.AddPlayer(-half, 0, e_PlayerRole_CB)", "a sign (`-`) that is not before a number"),
        ("builder.AddPlayer(random.random(), 0, e_PlayerRole_CB)", "x: random.random(…) is not a number"),
        ("builder.AddPlayer(*place, e_PlayerRole_CB)", "`*` is not read here"),
        ("builder.AddPlayer(0.1, 0)", "role: missing; AddPlayer has no such argument"),
        ("builder.AddPlayer(0.1, 0, e_PlayerRole_CB, x=0.2)", "AddPlayer: x is given twice"),
        ("builder.AddPlayer(0.1, 0, role=e_PlayerRole_CB, 0)", "AddPlayer: 0 is not an argument"),
        ("builder.AddPlayer(0.1, 0, e_PlayerRole_CB, lazy=1)", "lazy: 1 is not True or False"),
        ("builder.AddPlayer('0.1', 0, e_PlayerRole_CB)", "x: \"0.1\" is not a number"),
        ("other.AddPlayer(0.1, 0, e_PlayerRole_CB)", "other.AddPlayer(…) is not a call of a scenario"),
        ("builder.SetFlag('second_half', 200)", "second_half is not a rule that is read"),
        ("builder.SetFlag(rule, 200)", "SetFlag needs the name of a rule as a text"),
        ("players = [1, 2]", "players gets a value, which is not read"),
        ("print('hello')", "print(…) is not a call of a scenario"),
    ] {
        let error = scenario::read("a", &format!("{SCENARIO}    {row}\n")).unwrap_err();
        assert!(error.reason.contains(says), "{row}: {error}");
        assert_eq!(error.line, 25, "{row}: {error}");
    }
}

#[test]
fn bad_scenes_are_refused_with_line_field_and_reason() {
    let head = "def build_scenario(builder):\n    builder.SetBallPosition(-0.4, 0)\n";
    let full = format!("{head}{}{}", crowd("e_Left", 11), crowd("e_Right", 11));
    assert_eq!(scenario::read("a", &full).unwrap().right.len(), 11);
    let changed = |from: &str, to: &str| {
        assert!(full.contains(from), "{from}");
        full.replacen(from, to, 1)
    };
    let ball = "    builder.SetBallPosition(-0.4, 0)\n";
    let headless = "def build_scenario(builder):\n    builder.AddPlayer(0, 0, e_PlayerRole_GK)\n".to_owned();
    for (text, line, says) in [
        (format!("{head}{}", crowd("e_Left", 12)), 15, "left: too many players; a team has at most 11"),
        (
            format!("{head}{}{}", crowd("e_Left", 2), crowd("e_Right", 12)),
            18,
            "right: too many players; a team has at most 11",
        ),
        (changed("(-0.45, 0.001", "(-1.45, 0.001"), 5, "x: -1.45 is outside the pitch; a player is from"),
        (changed("(-0.45, 0.001", "(-0.45, -0.5"), 5, "y: -0.5 is outside the pitch; a player is from"),
        (changed("Position(-0.4, 0)", "Position(1.2, 0)"), 2, "ball x: 1.2 is outside the pitch"),
        (changed(ball, ""), 25, "ball: missing; the scenario has no SetBallPosition"),
        (format!("{head}{}", crowd("e_Left", 3)), 6, "right: players are missing"),
        (head.to_owned(), 2, "left: players are missing; a keeper and at least one more are required"),
        (changed("e_PlayerRole_CM", "e_PlayerRole_GK"), 5, "role: left has a keeper already"),
        (changed("e_PlayerRole_GK", "e_PlayerRole_CM"), 4, "role: CM cannot be the first of left"),
        (headless, 2, "AddPlayer comes before SetTeam"),
        ("x = 1\n".into(), 1, "there is no function build_scenario(builder)"),
        (String::new(), 1, "there is no function build_scenario(builder)"),
        ("def build_scenario(b, seed):\n    pass\n".into(), 1, "only one function, build_scenario(builder)"),
        ("def build_scenario(b):\n    b.SetTeam(\n".into(), 2, "a bracket has no end"),
    ] {
        let error = scenario::read("a", &text).unwrap_err();
        assert!(error.reason.contains(says), "{says}: {error}");
        assert_eq!(error.line, line, "{says}: {error}");
    }
}

/// Scenarios of the engine have keepers, and players of one team, on one spot.
#[test]
fn players_on_one_spot_are_read_and_moved_apart() {
    let text = SCENARIO.replace("(-0.97, 0.0, e_PlayerRole_GK)", "(0.98, -0.01, e_PlayerRole_GK)");
    let scene = scenario::read("a", &text).unwrap();
    let mut game = Game::new(&scene, Setup { seed: 4, difficulty: [1.0, 0.0] });
    let gap = |game: &Game| {
        let state = game.state();
        let [one, other] = [state.left.positions[0], state.right.positions[0]];
        (54.4 * (one[0] - other[0])).hypot(83.6 * (one[1] - other[1]))
    };
    assert!(gap(&game) < 1e-6);
    for _ in 0..5 {
        game.frame(EngineAction::Idle);
    }
    assert!(gap(&game) > 0.6, "{}", gap(&game));
}

proptest::proptest! {
    #[test]
    fn no_file_makes_the_reader_panic(
        text in "(def build_scenario\\(b\\):|\n  b\\.|AddPlayer|SetTeam|config\\(\\)|\\(|\\)|,|=|-?[0-9.e]{1,4}|[ \n;]|e_Left|x){0,40}"
    ) {
        let _ = scenario::read("a", &text);
    }
}

#[test]
fn listed_scenarios_are_levels_with_their_names() {
    let list = Football.list(r#"["Football/R1_P_2.py", "./R2_T_1.py"]"#).unwrap();
    let files: Vec<_> = list.iter().map(|one| (one.name.as_str(), one.file.as_str())).collect();
    assert_eq!(files, [("R1_P_2", "R1_P_2.py"), ("R2_T_1", "R2_T_1.py")]);
    for path in ["../x.py", "Football/../x.py", "/etc/x.py", "Football/a/b.py", "a.txt", ".py", ""] {
        let error = Football.list(&format!(r#"["a.py", "{path}"]"#)).unwrap_err().to_string();
        assert!(
            error.starts_with("level 2: ") && error.contains("no other file is opened"),
            "{path}: {error}"
        );
    }
    let listed = ListedLevel { name: "R5_P_9".into(), file: "R5_P_9.py".into() };
    let level = Football.read_level(&listed, SCENARIO.as_bytes()).unwrap().unwrap();
    assert_eq!(level.label(), "R5_P_9");
    assert!(
        level.text().starts_with("scene R5_P_9\nball -0.1 0.05\nleft GK -0.98 0.01\n"),
        "{}",
        level.text()
    );
    let refused = Football.read_level(&listed, b"x = '1'\n").unwrap().unwrap_err();
    assert_eq!(
        refused,
        "R5_P_9.py, line 1: \"1\" outside the function is not read; nothing of the file is run"
    );
}
