//! A scenario file: imports, names for roles, teams and numbers, and a function whose lines set the ball, the teams and the
//! rules, one by one.

use std::collections::BTreeMap;

use super::super::{Placed, Scene, limits};
use super::arguments::{Argument, bind, required};
use super::rules;
use crate::{PlayerRole, Team};
use mageyard_kit::{Expression, Line, SourceError, Token, python, statement};

/// The function that makes a scenario.
const FUNCTION: &str = "build_scenario";
/// The prefix of the engine's roles.
const ROLE_PREFIX: &str = "e_PlayerRole_";
/// Words that begin what only a running program can do.
const STATEMENTS: [&str; 16] = [
    "for", "while", "if", "elif", "else", "with", "try", "except", "finally", "class", "async", "global",
    "assert", "raise", "import", "from",
];

/// Reads the scenario of a file as the scene of this name.
pub(in crate::scene) fn read(name: &str, text: &str) -> Result<Scene, SourceError> {
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
    /// Names that are given to roles, teams, modules and numbers, and to the builder's rules.
    names: BTreeMap<String, Expression>,
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
            ([Token::Name(word)], true) if word == "pass" || word == "return" => Ok(()),
            ([Token::Name(word), rest @ ..], false) if word == "def" => self.function(rest),
            ([Token::Name(word), ..], _) if STATEMENTS.contains(&word.as_str()) => Err(format!(
                "`{word}` is not read: positions and rules are written one by one, and nothing is run"
            )),
            (_, false) => self.name(line),
            (_, true) if self.builder.is_some() => self.call(line),
            (_, true) => Err(format!("a block before the function {FUNCTION} is not read")),
        }
    }

    /// The head of the function. Annotations of its parameter and its result are ignored.
    fn function(&mut self, head: &[Token]) -> Result<(), String> {
        let is_annotation = |token: &Token| *token != Token::Symbol(',');
        match head {
            [
                Token::Name(name),
                Token::Symbol('('),
                Token::Name(parameter),
                annotations @ ..,
                Token::Symbol(':'),
            ] if name == FUNCTION
                && self.builder.is_none()
                && matches!(annotations.first(), Some(Token::Symbol(')' | ':')))
                && annotations.iter().all(is_annotation) =>
            {
                self.builder = Some(parameter.clone());
                Ok(())
            }
            _ => Err(format!("only one function, {FUNCTION}(builder), is read")),
        }
    }

    /// A name for a role, a team, a module or a number: `Team = libgame.e_Team`.
    fn name(&mut self, line: &Line) -> Result<(), String> {
        let read = statement(line).map_err(|error| error.reason)?;
        match (read.target, read.value) {
            (
                Some(Expression::Name(name)),
                value @ (Expression::Attribute(..) | Expression::Name(_) | Expression::Number(_)),
            ) => {
                let value = self.meaning(&value).clone();
                self.names.insert(name, value);
                Ok(())
            }
            (_, value) => {
                Err(format!("{value} outside the function is not read; nothing of the file is run"))
            }
        }
    }

    fn call(&mut self, line: &Line) -> Result<(), String> {
        let read = statement(line).map_err(|error| error.reason)?;
        match (&read.target, &read.value) {
            (Some(Expression::Attribute(of, rule)), value) if self.is_config(of) => {
                rules::check(rule, self.meaning(value))
            }
            (Some(Expression::Name(name)), value @ Expression::Call(..)) if self.is_config(value) => {
                self.names.insert(name.clone(), value.clone());
                Ok(())
            }
            (
                Some(Expression::Name(_)),
                Expression::Attribute(..) | Expression::Name(_) | Expression::Number(_),
            ) => self.name(line),
            (Some(target), _) => Err(format!("{target} gets a value, which is not read")),
            (None, Expression::Call(callee, arguments)) => self.builder_call(callee, arguments),
            (None, value) => Err(format!("{value} is not a call")),
        }
    }

    fn builder_call(&mut self, callee: &Expression, arguments: &[Argument]) -> Result<(), String> {
        let method = match callee {
            Expression::Attribute(of, method) if self.is_builder(of) => method.as_str(),
            _ => "",
        };
        match method {
            "SetBallPosition" => self.set_ball(arguments),
            "SetTeam" => self.set_team(arguments),
            "AddPlayer" => self.add_player(arguments),
            "SetFlag" => self.set_flag(arguments),
            _ => Err(format!("{callee}(…) is not a call of a scenario")),
        }
    }

    fn is_builder(&self, expression: &Expression) -> bool {
        matches!(expression, Expression::Name(name) if Some(name) == self.builder.as_ref())
    }

    /// Whether this is the builder's rules, `builder.config()`, or a name for them.
    fn is_config(&self, expression: &Expression) -> bool {
        match self.meaning(expression) {
            Expression::Call(callee, arguments) if arguments.is_empty() => {
                matches!(&**callee, Expression::Attribute(of, name) if name == "config" && self.is_builder(of))
            }
            _ => false,
        }
    }

    fn set_ball(&mut self, arguments: &[Argument]) -> Result<(), String> {
        const CALL: &str = "SetBallPosition";
        let [x, y] = bind(arguments, CALL, ["x", "y"])?;
        let place = [
            self.number("ball x", required(x, CALL, "ball x")?)?,
            self.number("ball y", required(y, CALL, "ball y")?)?,
        ];
        limits::check_ball(place)?;
        match self.ball.replace(place) {
            Some(_) => Err("ball: a second SetBallPosition".into()),
            None => Ok(()),
        }
    }

    fn set_team(&mut self, arguments: &[Argument]) -> Result<(), String> {
        let [team] = bind(arguments, "SetTeam", ["team"])?;
        let team = required(team, "SetTeam", "team")?;
        self.team = Some(match self.last_name(team) {
            Some("e_Left") => Team::Left,
            Some("e_Right") => Team::Right,
            _ => return Err(format!("team: {team} is not e_Left or e_Right")),
        });
        Ok(())
    }

    fn add_player(&mut self, arguments: &[Argument]) -> Result<(), String> {
        const CALL: &str = "AddPlayer";
        let team = self.team.ok_or("AddPlayer comes before SetTeam")?;
        let [x, y, role, lazy, controllable] =
            bind(arguments, CALL, ["x", "y", "role", "lazy", "controllable"])?;
        let role = self.role(required(role, CALL, "role")?)?;
        self.check_flag("lazy", lazy, |lazy| !lazy)?;
        self.check_flag("controllable", controllable, |controllable| controllable || role == PlayerRole::Gk)?;
        let placed = Placed {
            x: self.number("x", required(x, CALL, "x")?)?,
            y: self.number("y", required(y, CALL, "y")?)?,
            role,
        };
        limits::check_player(&self.scene, team, &placed)?;
        self.scene.players_mut(team).push(placed);
        Ok(())
    }

    /// A rule as older scenarios set it.
    fn set_flag(&self, arguments: &[Argument]) -> Result<(), String> {
        match bind(arguments, "SetFlag", ["name", "value"])? {
            [Some(Expression::Text(rule)), Some(value)] => rules::check(rule, self.meaning(value)),
            _ => Err("SetFlag needs the name of a rule as a text, and a value".into()),
        }
    }

    fn role(&self, role: &Expression) -> Result<PlayerRole, String> {
        let short = self.last_name(role).and_then(|name| name.strip_prefix(ROLE_PREFIX));
        short.and_then(PlayerRole::named).ok_or_else(|| format!("role: {role} is not a role of the engine"))
    }

    /// A player must be an ordinary one.
    fn check_flag(
        &self,
        name: &str,
        value: Option<&Expression>,
        fits: impl Fn(bool) -> bool,
    ) -> Result<(), String> {
        let Some(value) = value else { return Ok(()) };
        match rules::flag(self.meaning(value)) {
            Some(flag) if fits(flag) => Ok(()),
            Some(_) => Err(format!("{name}: {value} would be another game; such players are not simulated")),
            None => Err(format!("{name}: {value} is not True or False")),
        }
    }

    /// What a name was given to; any other expression itself.
    fn meaning<'a>(&'a self, expression: &'a Expression) -> &'a Expression {
        match expression {
            Expression::Name(name) => self.names.get(name).unwrap_or(expression),
            other => other,
        }
    }

    /// The last part of a name: what `libgame.e_Team.e_Left` or a name for it ends with.
    fn last_name<'a>(&'a self, expression: &'a Expression) -> Option<&'a str> {
        match self.meaning(expression) {
            Expression::Name(last) | Expression::Attribute(_, last) => Some(last),
            _ => None,
        }
    }

    fn number(&self, field: &str, value: &Expression) -> Result<f64, String> {
        match self.meaning(value) {
            // Minus zero is zero.
            Expression::Number(number) => Ok(*number + 0.0),
            Expression::Sum(..) => {
                Err(format!("{field}: arithmetic ({value}) is not read; write its result"))
            }
            _ => Err(format!("{field}: {value} is not a number")),
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
