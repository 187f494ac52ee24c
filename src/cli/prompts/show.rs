//! `prompts show`: a variant as its file has it, or filled in for a level as a model reads it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::origin;
use crate::cli::exit::Exit;
use crate::cli::exit::Failure;
use crate::cli::house::House;
use crate::cli::open;
use crate::cli::output::Output;
use crate::cli::reference;
use crate::cli::reference::Chosen;
use crate::cli::variants;
use crate::config::Config;
use crate::config::Entry;
use crate::config::Origin;
use crate::config::Problem;
use crate::config::Sheet;
use crate::dialog::Prompt;
use crate::dialog::Words;
use crate::domain::Kind;
use crate::domain::Segment;
use crate::domain::Setting;
use crate::envs;

/// Print a prompt variant as its file has it, or filled in for a level
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Its name, as in sokoban/HD-CoT; alone, of the environment of the level (of play.level)
    #[arg(value_name = "NAME")]
    name: String,
    /// Fill it in for this level
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// Print one object a line
    #[arg(long)]
    json: bool,
}

/// A variant that was asked for.
struct Found {
    kind: &'static dyn Kind,
    entry: Entry,
    sheet: Sheet,
    prompt: Prompt,
}

#[derive(Serialize)]
struct Row<'a> {
    environment: &'a str,
    prompt: &'a str,
    summary: &'a str,
    images: bool,
    origin: String,
    #[serde(flatten)]
    body: Body<'a>,
}

/// The file's text, or the segments in a setting.
#[derive(Serialize)]
#[serde(untagged)]
enum Body<'a> {
    Raw { text: &'a str },
    Filled { level: &'a str, setting: Setting, segments: BTreeMap<Segment, String> },
}

pub(in crate::cli) fn run(args: &Args, house: &House) -> Result<Exit, Failure> {
    let config = house.config()?;
    let level = args.level.as_ref().map(|level| reference::level(house.folders(), level)).transpose()?;
    let found = find(&args.name, level.as_ref(), &config)?;
    let body = match &level {
        None => raw(&found, house)?,
        Some(level) => filled(&found, level, &config)?,
    };
    print(&found, body, args.json)?;
    Ok(Exit::Done)
}

/// The environment comes from the name, else from the level, else from the `play.level` setting.
fn find(name: &str, level: Option<&Chosen>, config: &Config) -> Result<Found, Problem> {
    let folders = config.folders();
    let named = name.split_once('/').and_then(|(first, name)| Some((envs::kind(first)?, name)));
    let (kind, name) = match (named, level) {
        (Some((kind, _)), Some(level)) if kind.name() != level.kind.name() => {
            let what = format!("{name} is a prompt of another environment than {}", level.reference);
            return Err(Problem::new(what));
        }
        (Some(named), _) => named,
        (None, Some(level)) => (level.kind, name),
        (None, None) => (reference::level(folders, &config.settings().play.level)?.kind, name),
    };
    let shelf = variants::shelf(kind, folders);
    let sheet = shelf.find(name)?;
    let prompt = variants::judged(&sheet, name)?;
    let path = shelf.entries().into_iter().find(|entry| entry.name == name).and_then(|entry| entry.path);
    Ok(Found { kind, entry: Entry { name: name.to_owned(), path }, sheet, prompt })
}

fn raw<'a>(found: &'a Found, house: &House) -> Result<Body<'a>, Problem> {
    let filling = |name: &str| ["play.setting", "play.max_steps"].contains(&name);
    let given = house.sources.given.iter().filter(|given| filling(given.name));
    for given in given {
        if let Origin::Flag(flag) = &given.origin {
            let what = format!("{flag} changes nothing in the file as it is");
            return Err(Problem::new(what).help("name a level with --level to have it filled in"));
        }
    }
    Ok(Body::Raw { text: &found.sheet.text })
}

fn filled<'a>(found: &Found, level: &'a Chosen, config: &Config) -> Result<Body<'a>, Failure> {
    let play = &config.settings().play;
    let form = found.kind.form(play.setting).ok_or_else(|| {
        let what = format!("{} has no {} setting", found.kind.name(), play.setting);
        config.refuse("play.setting", what)
    })?;
    let mut world = open::chosen(level, config)?;
    let opening = open::runtime()?.block_on(world.open()).map_err(Failure::running)?;
    let words = Words { space: &opening.space, form: &form, steps_left: play.max_steps };
    let picture = found.kind.picture(&config.settings().options(found.kind.name()));
    let prompt = found.prompt.clone().pictured(picture);
    let fill = |segment| (segment, prompt.fill(segment, play.setting, &words).to_string());
    let segments = found.prompt.digests(play.setting).into_iter().map(|(segment, _)| fill(segment));
    Ok(Body::Filled { level: &level.reference, setting: play.setting, segments: segments.collect() })
}

fn print(found: &Found, body: Body<'_>, json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    if json {
        let Prompt { name, summary, images, .. } = &found.prompt;
        let (environment, origin) = (found.kind.name(), origin(&found.entry));
        return Ok(out.object(&Row { environment, prompt: name, summary, images: *images, origin, body })?);
    }
    match body {
        Body::Raw { text } => out.line(text.trim_end_matches('\n'))?,
        Body::Filled { segments, .. } => {
            for (index, (segment, text)) in segments.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                out.line(format!("{gap}## {segment}\n{text}"))?;
            }
        }
    }
    Ok(())
}
