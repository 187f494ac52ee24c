//! Scenarios are read as data; whatever is not one is refused with its line. Positions are our own.

use super::scenario;
use crate::domain::CheckoutImport;
use crate::domain::ListedLevel;
use crate::envs::football::Football;
use crate::envs::football::Role;

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
    assert_eq!((last.x, last.y, last.role), (-0.5, 0.1, Role::Cb));
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
            "SetBallPosition has 1 arguments; 2 without",
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
        ("lazy=False", "fast=True", 19, "fast: True is not an argument of a player that is read"),
        (
            "    builder.SetTeam(Team.e_Right)\n",
            "    for x in y:\n",
            21,
            "after for comes `x`, which is not read",
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
    let refused = Football.read_level(&listed, b"x = 1\n").unwrap().unwrap_err();
    assert_eq!(refused, "R5_P_9.py, line 1: 1 outside the function is not read; nothing of the file is run");
}
