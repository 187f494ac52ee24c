//! Scenes as text. A level is a line `scene NAME`, a line `ball X Y`, and a line `left ROLE X Y` or `right ROLE X Y`
//! for each player, keepers first. `;` begins a comment. The ball has public units; players have those of the engine's
//! scenario files, each in the frame of his own team.

use std::fmt::Write;

use super::{Placed, Scene, limits};
use crate::{PlayerRole, Team};
use mageyard_domain::{FileLocation, Level, LevelError, LevelFormatError};

const SYNTAX: &str =
    "a scene is `scene NAME`, `ball X Y`, and `left ROLE X Y` or `right ROLE X Y` for each player";
/// The longest name of a scene in bytes.
const MAX_NAME: usize = 64;

/// The lines of one scene, with their numbers and without comments.
struct Block<'a> {
    line: usize,
    name: &'a str,
    rows: Vec<(usize, &'a str)>,
}

/// Every scene of a file as a level. One invalid scene refuses the file.
pub(crate) fn levels(text: &str) -> Result<Vec<Level>, LevelError> {
    let scenes = read(text).map_err(|errors| first(errors, text))?;
    let level =
        |(index, scene): (usize, &Scene)| Level::from_text(index + 1, Some(&scene.name), print(scene));
    Ok(scenes.iter().enumerate().map(level).collect())
}

/// Every error of a file, in its order.
pub(crate) fn errors(text: &str) -> Vec<LevelError> {
    read(text).err().unwrap_or_default()
}

/// The scene of a text that has exactly one.
pub(crate) fn read_one(text: &str) -> Result<Scene, LevelError> {
    let mut scenes = read(text).map_err(|errors| first(errors, text))?;
    match (scenes.pop(), scenes.len()) {
        (Some(scene), 0) => Ok(scene),
        (_, more) => Err(error(1, format!("expected one scene, and the text has {}", more + 1))),
    }
}

/// Whether a file looks like scenes: its first line that is no comment begins one.
pub(crate) fn looks_like_scenes(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let first = text.trim_start_matches('\u{feff}').lines().map(content).find(|line| !line.is_empty());
    first.is_some_and(|line| line.split_whitespace().next() == Some("scene"))
}

/// The text of a scene, in the form that is read.
pub(crate) fn print(scene: &Scene) -> String {
    let mut text = format!("scene {}\nball {} {}", scene.name, scene.ball[0], scene.ball[1]);
    for team in [Team::Left, Team::Right] {
        for Placed { x, y, role } in scene.players(team) {
            // Writing to a string does not fail.
            let _ = write!(text, "\n{} {} {x} {y}", limits::team_name(team), role.name());
        }
    }
    text
}

/// Levels as one file, each scene with the title of its level as its name; comments in their texts stay.
pub(crate) fn write(levels: &[Level]) -> Result<String, LevelFormatError> {
    let one = |(index, level): (usize, &Level)| {
        let title = level.label();
        if let Some(reason) = name_error(&title) {
            return Err(LevelFormatError { location: FileLocation::Level(index + 1), reason });
        }
        let rest = level.text().split_once('\n').map_or("", |(_, rest)| rest);
        Ok(format!("scene {title}\n{rest}\n"))
    };
    Ok(levels.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?.join("\n"))
}

fn read(text: &str) -> Result<Vec<Scene>, Vec<LevelError>> {
    let (blocks, mut errors) = split(text);
    let mut scenes: Vec<Scene> = Vec::new();
    for block in &blocks {
        if let Some(index) = scenes.iter().position(|scene| scene.name == block.name) {
            errors.push(error(
                block.line,
                format!("name: scene {} has the name {} already", index + 1, block.name),
            ));
        }
        scenes.push(scene(block, &mut errors));
    }
    if blocks.is_empty() && errors.is_empty() {
        errors.push(error(1, format!("the file has no scene: {SYNTAX}")));
    }
    errors.sort_by_key(|error| error.line);
    if errors.is_empty() { Ok(scenes) } else { Err(errors) }
}

/// The first of at least one error.
fn first(errors: Vec<LevelError>, text: &str) -> LevelError {
    let none = || error(text.lines().count().max(1), "the scene cannot be read".into());
    errors.into_iter().next().unwrap_or_else(none)
}

fn error(line: usize, reason: String) -> LevelError {
    LevelError { line, reason }
}

/// A line without its comment.
fn content(line: &str) -> &str {
    line.split(';').next().unwrap_or_default().trim()
}

fn split(text: &str) -> (Vec<Block<'_>>, Vec<LevelError>) {
    let mut blocks = Vec::new();
    let mut errors = Vec::new();
    for (line, written) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        let row = content(written);
        match (row.split_whitespace().next(), blocks.last_mut()) {
            (None, _) => {}
            (Some("scene"), _) => {
                let name = row["scene".len()..].trim();
                errors.extend(name_error(name).map(|why| error(line, why)));
                blocks.push(Block { line, name, rows: Vec::new() });
            }
            (Some(_), Some(Block { rows, .. })) => rows.push((line, row)),
            (Some(word), None) => {
                errors.push(error(line, format!("{} before the first scene: {SYNTAX}", quoted(word))));
            }
        }
    }
    (blocks, errors)
}

/// What is wrong with the name of a scene.
fn name_error(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    match name {
        "" => Some("name: missing; write `scene NAME`".into()),
        name if name.len() <= MAX_NAME && name.chars().all(is_plain) => None,
        name => Some(format!(
            "name: {} is not a name of at most {MAX_NAME} letters, digits and _ - .",
            quoted(name)
        )),
    }
}

/// Reads the lines of a scene; what is wrong goes to the errors.
fn scene(block: &Block<'_>, errors: &mut Vec<LevelError>) -> Scene {
    let mut scene =
        Scene { name: block.name.to_owned(), ball: [0.0; 2], left: Vec::new(), right: Vec::new() };
    let before = errors.len();
    let mut has_ball = false;
    for (line, row) in &block.rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let read = match words.as_slice() {
            ["ball", rest @ ..] if !has_ball => {
                has_ball = true;
                ball(rest).map(|place| scene.ball = place)
            }
            ["ball", ..] => Err("ball: a second ball".to_owned()),
            ["left", rest @ ..] => player(&mut scene, Team::Left, rest),
            ["right", rest @ ..] => player(&mut scene, Team::Right, rest),
            words => Err(format!("{} is unknown: {SYNTAX}", quoted(words.first().unwrap_or(&"")))),
        };
        errors.extend(read.err().map(|reason| error(*line, reason)));
    }
    if !has_ball {
        errors.push(error(block.line, "ball: missing; write `ball X Y`".into()));
    }
    if errors.len() == before {
        errors.extend(limits::check_complete(&scene).err().map(|reason| error(block.line, reason)));
    }
    scene
}

fn ball(words: &[&str]) -> Result<[f64; 2], String> {
    let [x, y] = words else { return Err("ball: expected two numbers, x and y".into()) };
    let place = [number("ball x", x)?, number("ball y", y)?];
    limits::check_ball(place).map(|()| place)
}

fn player(scene: &mut Scene, team: Team, words: &[&str]) -> Result<(), String> {
    let [role, x, y] = words else {
        return Err(format!("{}: expected a role and two numbers, x and y", limits::team_name(team)));
    };
    let role = PlayerRole::named(role).ok_or_else(|| {
        let known: Vec<&str> = (0..).map_while(PlayerRole::from_code).map(PlayerRole::name).collect();
        format!("role: {} is not one of {}", quoted(role), known.join(", "))
    })?;
    let placed = Placed { x: number("x", x)?, y: number("y", y)?, role };
    limits::check_player(scene, team, &placed)?;
    scene.players_mut(team).push(placed);
    Ok(())
}

fn number(field: &str, word: &str) -> Result<f64, String> {
    let read = word.parse::<f64>().ok().filter(|number| number.is_finite());
    read.ok_or_else(|| format!("{field}: {} is not a number", quoted(word)))
}

/// Text of a file in quotes, shortened to 24 characters.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(24).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{:?}", short + dots)
}
