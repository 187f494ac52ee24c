//! `prompts show`: the file of a prompt variant, or the variant filled in for a level.

use mageyard_lab::select_level;
use std::collections::BTreeMap;

use super::origin;
use super::record::PromptRecord;
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::runtime;
use mageyard_config::{CatalogEntry, Config, Origin, Problem, SourceFile};
use mageyard_dialog::{Prompt, PromptImages, VariableValues};
use mageyard_domain::{Capabilities, EnvironmentSpec, Segment, Setting};
use mageyard_lab::SelectedLevel;

/// Print a prompt variant, as its file or filled in for a level
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name, such as hanoi/HD-CoT [default environment: that of the level]
    #[arg(value_name = "NAME")]
    name: String,
    /// Fill in the prompt for this level
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// The selected variant.
struct SelectedPrompt {
    spec: &'static dyn EnvironmentSpec,
    entry: CatalogEntry,
    file: SourceFile,
    prompt: Prompt,
}

/// The text of the file, or the filled-in segments.
enum Body<'a> {
    Raw { text: &'a str },
    Filled { level: &'a str, setting: Setting, segments: BTreeMap<Segment, String> },
}

impl Body<'_> {
    fn into_record(self) -> PromptRecord {
        match self {
            Self::Raw { text } => PromptRecord { text: Some(text.to_owned()), ..PromptRecord::default() },
            Self::Filled { level, setting, segments } => PromptRecord {
                level: Some(level.to_owned()),
                setting: Some(setting),
                segments: Some(segments),
                ..PromptRecord::default()
            },
        }
    }
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let level =
        args.level.as_ref().map(|level| select_level(&context.lab, context.folders(), level)).transpose()?;
    let found = find(&args.name, level.as_ref(), context, &config)?;
    let body = match &level {
        None => raw(&found, context)?,
        Some(level) => filled(&found, level, &config)?,
    };
    print(&found, body, args.json)?;
    Ok(Exit::Done)
}

/// Finds a variant. The environment comes from the name, else from the level, else from the `play.level`
/// setting.
fn find(
    name: &str,
    level: Option<&SelectedLevel>,
    context: &Context,
    config: &Config,
) -> Result<SelectedPrompt, Problem> {
    let folders = config.folders();
    let named = name.split_once('/').and_then(|(first, name)| Some((context.lab.environment(first)?, name)));
    let (spec, name) = match (named, level) {
        (Some((spec, _)), Some(level)) if spec.name() != level.spec.name() => {
            let what = format!("{name} and {} belong to different environments", level.reference);
            return Err(Problem::new(what));
        }
        (Some(named), _) => named,
        (None, Some(level)) => (level.spec, name),
        (None, None) => (select_level(&context.lab, folders, &config.settings().play.level)?.spec, name),
    };
    let catalog = mageyard_lab::prompt_catalog(spec, folders);
    let file = catalog.find(name)?;
    let prompt = mageyard_lab::parse_prompt(&file, name)?;
    let path = catalog.entries().into_iter().find(|entry| entry.name == name).and_then(|entry| entry.path);
    Ok(SelectedPrompt { spec, entry: CatalogEntry { name: name.to_owned(), path }, file, prompt })
}

fn raw<'a>(found: &'a SelectedPrompt, context: &Context) -> Result<Body<'a>, Problem> {
    let filling = |name: &str| ["play.setting", "play.max_steps"].contains(&name);
    let given = context.sources.overrides.iter().filter(|given| filling(&given.name));
    for given in given {
        if let Origin::Flag(flag) = &given.origin {
            let what = format!("{flag} has no effect without a level");
            return Err(Problem::new(what).with_help("add --level to fill in the prompt"));
        }
    }
    Ok(Body::Raw { text: &found.file.text })
}

fn filled<'a>(
    found: &SelectedPrompt,
    level: &'a SelectedLevel,
    config: &Config,
) -> Result<Body<'a>, Failure> {
    // As an episode of this environment has them.
    let Capabilities { episodes, presentation, .. } = found.spec.capabilities();
    let config = &config.with_environment_defaults(found.spec.name(), episodes.setting_defaults)?;
    let play = &config.settings().play;
    let form = found.spec.reply_format(play.setting).ok_or_else(|| {
        let what = format!("{} has no {} setting", found.spec.name(), play.setting);
        config.problem_with("play.setting", what)
    })?;
    let space = match presentation.constant_space.map(|space| space()) {
        Some(space) => space,
        None => runtime::first_space(level, config)?,
    };
    let words = VariableValues {
        action_space: &space,
        reply_format: &form,
        steps_left: play.max_steps,
        exact_words: true,
    };
    let picture = (presentation.picture_legend)(&config.settings().options(found.spec.name()));
    let prompt = found.prompt.clone().with_picture_legend(picture);
    let fill = |segment| (segment, prompt.fill(segment, play.setting, &words).to_string());
    let segments = found.prompt.digests(play.setting).into_iter().map(|(segment, _)| fill(segment));
    Ok(Body::Filled { level: &level.reference, setting: play.setting, segments: segments.collect() })
}

fn print(found: &SelectedPrompt, body: Body<'_>, json: bool) -> Result<(), Failure> {
    let mut out = Output::open();
    if json {
        let Prompt { name, summary, images, .. } = &found.prompt;
        let shown = PromptRecord {
            environment: found.spec.name().to_owned(),
            prompt: name.clone(),
            summary: summary.clone(),
            images: *images != PromptImages::None,
            origin: origin(&found.entry),
            ..body.into_record()
        };
        return Ok(out.record(&shown)?);
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
