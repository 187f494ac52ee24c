//! A scenario file: imports, names for roles and teams, and a function whose lines set the ball, the teams and the rules.

use std::collections::BTreeMap;

use super::super::Placed;
use super::super::Scene;
use super::super::limits;
use crate::envs::football::Role;
use crate::envs::football::Team;
use crate::envs::python;
use crate::envs::python::Expression;
use crate::envs::python::Line;
use crate::envs::python::SourceError;
use crate::envs::python::Token;
use crate::envs::python::statement;

/// The function that makes a scenario.
const FUNCTION: &str = "build_scenario";
/// The prefix of the engine's roles.
const ROLE_PREFIX: &str = "e_PlayerRole_";

/// What a rule of a scenario must be: everything else would be another game.
enum Required {
    Flag(bool),
    Number(f64),
    /// Whatever it is, the game is the same.
    Free,
}

/// The rules of a scenario (`MageBench`, released scenarios).
const RULES: [(&str, Required); 9] = [
    ("game_duration", Required::Number(400.0)),
    ("deterministic", Required::Free),
    ("offsides", Required::Flag(false)),
    ("end_episode_on_score", Required::Flag(true)),
    ("end_episode_on_out_of_play", Required::Flag(true)),
    ("end_episode_on_possession_change", Required::Flag(true)),
    ("left_team_difficulty", Required::Number(1.0)),
    ("right_team_difficulty", Required::Number(0.0)),
    ("real_time", Required::Free),
];

/// Reads the scenario of a file as the scene of this name.
pub(in crate::envs::football::scene) fn read(name: &str, text: &str) -> Result<Scene, SourceError> {
    let mut reading = Reading {
        names: BTreeMap::new(),
        builder: None,
        ball: None,
        team: None,
        scene: Scene { name: name.to_owned(), ball: [0.0; 2], left: Vec::new(), right: Vec::new() },
    };
    let lines = python::lines(text)?;
    let last = lines.last().map_or(1, |line| line.number);
    for line in &lines {
        reading.line(line).map_err(|reason| SourceError { line: line.number, reason })?;
    }
    reading.finish().map_err(|reason| SourceError { line: last, reason })
}

struct Reading {
    /// Names that are given to roles, teams and modules: what each is short for.
    names: BTreeMap<String, String>,
    /// The parameter of the function, once it has begun.
    builder: Option<String>,
    ball: Option<[f64; 2]>,
    /// The team that gets players now.
    team: Option<Team>,
    scene: Scene,
}

impl Reading {
    fn line(&mut self, line: &Line) -> Result<(), String> {
        match (line.tokens.as_slice(), line.indented) {
            ([Token::Text(_)], _) => Ok(()),
            ([Token::Name(word), ..], false) if word == "import" || word == "from" => Ok(()),
            ([Token::Name(word), rest @ ..], false) if word == "def" => self.function(rest),
            (_, false) => self.name(line),
            (_, true) if self.builder.is_some() => self.call(line),
            (_, true) => Err(format!("a block before the function {FUNCTION} is not read")),
        }
    }

    fn function(&mut self, head: &[Token]) -> Result<(), String> {
        match head {
            [
                Token::Name(name),
                Token::Symbol('('),
                Token::Name(parameter),
                Token::Symbol(')'),
                Token::Symbol(':'),
            ] if name == FUNCTION && self.builder.is_none() => {
                self.builder = Some(parameter.clone());
                Ok(())
            }
            _ => Err(format!("only one function, {FUNCTION}(builder), is read")),
        }
    }

    /// A name for a role, a team or a module: `Team = libgame.e_Team`.
    fn name(&mut self, line: &Line) -> Result<(), String> {
        let read = statement(line).map_err(|error| error.reason)?;
        match (read.target, read.value) {
            (Some(Expression::Name(name)), Expression::Attribute(_, last)) => {
                self.names.insert(name, last);
                Ok(())
            }
            (Some(Expression::Name(name)), Expression::Name(other)) => {
                self.names.insert(name, other);
                Ok(())
            }
            (_, value) => {
                Err(format!("{value} outside the function is not read; nothing of the file is run"))
            }
        }
    }

    fn call(&mut self, line: &Line) -> Result<(), String> {
        let read = statement(line).map_err(|error| error.reason)?;
        let builder = self.builder.clone().unwrap_or_default();
        if let Some(target) = read.target {
            let written = target.to_string();
            let rule = written.strip_prefix(&format!("{builder}.config(…)."));
            let rule = rule.ok_or_else(|| format!("{written} gets a value, which is not read"))?;
            return check_rule(rule, &read.value);
        }
        let Expression::Call(callee, arguments) = &read.value else {
            return Err(format!("{} is not a call", read.value));
        };
        match callee.to_string().strip_prefix(&format!("{builder}.")) {
            Some("SetBallPosition") => self.set_ball(arguments),
            Some("SetTeam") => self.set_team(arguments),
            Some("AddPlayer") => self.add_player(arguments),
            _ => Err(format!("{callee}(…) is not a call of a scenario")),
        }
    }

    fn set_ball(&mut self, arguments: &[Argument]) -> Result<(), String> {
        let [x, y] = plain::<2>(arguments, "SetBallPosition")?;
        let place = [number("ball x", x)?, number("ball y", y)?];
        limits::check_ball(place)?;
        match self.ball.replace(place) {
            Some(_) => Err("ball: a second SetBallPosition".into()),
            None => Ok(()),
        }
    }

    fn set_team(&mut self, arguments: &[Argument]) -> Result<(), String> {
        let [team] = plain::<1>(arguments, "SetTeam")?;
        self.team = Some(match self.last_name(team).as_deref() {
            Some("e_Left") => Team::Left,
            Some("e_Right") => Team::Right,
            _ => return Err(format!("team: {team} is not e_Left or e_Right")),
        });
        Ok(())
    }

    fn add_player(&mut self, arguments: &[Argument]) -> Result<(), String> {
        let team = self.team.ok_or("AddPlayer comes before SetTeam")?;
        let count = arguments.iter().take_while(|(keyword, _)| keyword.is_none()).count();
        let (plain_ones, further) = arguments.split_at(count.min(3));
        let [x, y, role] = plain::<3>(plain_ones, "AddPlayer")?;
        let role = self.role(role)?;
        check_flags(further, role)?;
        let placed = Placed { x: number("x", x)?, y: number("y", y)?, role };
        limits::check_player(&self.scene, team, &placed)?;
        self.scene.players_mut(team).push(placed);
        Ok(())
    }

    fn role(&self, role: &Expression) -> Result<Role, String> {
        let name = self.last_name(role);
        let short = name.as_deref().and_then(|name| name.strip_prefix(ROLE_PREFIX));
        short.and_then(Role::named).ok_or_else(|| format!("role: {role} is not a role of the engine"))
    }

    /// The last part of a name: what `libgame.e_Team.e_Left` or a name for it ends with.
    fn last_name(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Name(name) => Some(self.names.get(name).unwrap_or(name).clone()),
            Expression::Attribute(_, last) => Some(last.clone()),
            _ => None,
        }
    }

    fn finish(self) -> Result<Scene, String> {
        if self.builder.is_none() {
            return Err(format!("there is no function {FUNCTION}(builder)"));
        }
        let ball = self.ball.ok_or("ball: missing; the scenario has no SetBallPosition")?;
        let scene = Scene { ball, ..self.scene };
        limits::check_complete(&scene).map(|()| scene)
    }
}

type Argument = (Option<String>, Expression);

/// The arguments of a call, all without keywords and exactly as many.
fn plain<'a, const N: usize>(arguments: &'a [Argument], call: &str) -> Result<[&'a Expression; N], String> {
    let values: Vec<&Expression> =
        arguments.iter().filter(|(keyword, _)| keyword.is_none()).map(|(_, value)| value).collect();
    let given = arguments.len();
    <[&Expression; N]>::try_from(values)
        .ok()
        .filter(|_| given == N)
        .ok_or_else(|| format!("{call} has {given} arguments; {N} without keywords are read"))
}

/// The arguments of a player after his role: he must be an ordinary one.
fn check_flags(arguments: &[Argument], role: Role) -> Result<(), String> {
    for (index, (keyword, value)) in arguments.iter().enumerate() {
        let name = keyword.as_deref().unwrap_or(if index == 0 { "lazy" } else { "controllable" });
        let fits = match (name, flag(value)) {
            ("lazy", Some(lazy)) => !lazy,
            ("controllable", Some(controllable)) => controllable || role == Role::Gk,
            _ => return Err(format!("{name}: {value} is not an argument of a player that is read")),
        };
        if !fits {
            return Err(format!("{name}: {value} would be another game; such players are not simulated"));
        }
    }
    Ok(())
}

fn check_rule(rule: &str, value: &Expression) -> Result<(), String> {
    let known = RULES.iter().find(|(name, _)| *name == rule);
    let (_, required) = known.ok_or_else(|| format!("{rule} is not a rule that is read"))?;
    match required {
        Required::Flag(flag_value) if flag(value) == Some(*flag_value) => Ok(()),
        Required::Number(wanted) if *value == Expression::Number(*wanted) => Ok(()),
        Required::Free => Ok(()),
        Required::Flag(wanted) => {
            let wanted = if *wanted { "True" } else { "False" };
            Err(format!("{rule}: {value} would be another game; {wanted} is simulated"))
        }
        Required::Number(wanted) => {
            Err(format!("{rule}: {value} would be another game; {wanted} is simulated"))
        }
    }
}

fn flag(value: &Expression) -> Option<bool> {
    match value {
        Expression::Name(name) if name == "True" => Some(true),
        Expression::Name(name) if name == "False" => Some(false),
        _ => None,
    }
}

fn number(field: &str, value: &Expression) -> Result<f64, String> {
    match value {
        Expression::Number(number) => Ok(*number),
        other => Err(format!("{field}: {other} is not a number")),
    }
}
