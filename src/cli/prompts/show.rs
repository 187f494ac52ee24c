//! `prompts show`: the file of a prompt variant, or the variant filled in for a level.

use mageyard_lab::select_level;
use std::collections::BTreeMap;

use super::record::PromptRecord;
use super::{ROLES, origin};
use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::runtime;
use mageyard_config::{CatalogEntry, Config, Origin, Problem, SourceFile};
use mageyard_dialog::{Prompt, PromptImages, VariableValues};
use mageyard_domain::{Capabilities, EnvironmentSpec, Segment, Setting, SideRole};
use mageyard_lab::{SelectedLevel, role_prompt_catalog};

/// Print a prompt variant, as its file or filled in for a level
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name, such as hanoi/HD-CoT or hanoi/roles/reward [default environment: that of the level]
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
    if let Some((spec, role)) = role_prompt(&args.name, level.as_ref(), context, &config)? {
        return show_role_prompt(args, spec, role, context);
    }
    let found = find(&args.name, level.as_ref(), context, &config)?;
    let body = match &level {
        None => raw(&found, context)?,
        Some(level) => filled(&found, level, &config)?,
    };
    print(&found, body, args.json)?;
    Ok(Exit::Done)
}

/// The environment and the role that a name such as `hanoi/roles/reward` means; `None` for a variant.
fn role_prompt(
    name: &str,
    level: Option<&SelectedLevel>,
    context: &Context,
    config: &Config,
) -> Result<Option<(&'static dyn EnvironmentSpec, SideRole)>, Problem> {
    let (spec, name) = environment_of(name, level, context, config)?;
    let Some(role) = name.strip_prefix(ROLES).and_then(|rest| rest.strip_prefix('/')) else {
        return Ok(None);
    };
    let unknown = || {
        let names = SideRole::ALL.map(SideRole::name);
        Problem::new(format!("there is no role {role}")).with_suggestions(role, names)
    };
    SideRole::named(role).ok_or_else(unknown).map(|role| Some((spec, role)))
}

/// Prints the prompt of a role.
fn show_role_prompt(
    args: &Args,
    spec: &dyn EnvironmentSpec,
    role: SideRole,
    context: &Context,
) -> Result<Exit, Failure> {
    if args.level.is_some() {
        let problem = Problem::new(format!("the prompt of the role {role} is filled in at each question"));
        return Err(problem.with_help("leave out --level").into());
    }
    let catalog = role_prompt_catalog(spec, context.folders());
    let file = catalog.find(role.name())?;
    let mut out = Output::open();
    if args.json {
        let mut entries = catalog.entries().into_iter();
        let shipped = || CatalogEntry { name: role.name().to_owned(), path: None };
        let entry = entries.find(|entry| entry.name == role.name()).unwrap_or_else(shipped);
        let text = Some(file.text.to_string());
        out.record(&PromptRecord { text, ..PromptRecord::of_role(spec, role, &entry) })?;
    } else {
        out.line(file.text.trim_end_matches('\n'))?;
    }
    Ok(Exit::Done)
}

/// The environment of a name, and the rest of it. The environment comes from the name, else from the level, else from the
/// `play.level` setting.
fn environment_of<'a>(
    name: &'a str,
    level: Option<&SelectedLevel>,
    context: &Context,
    config: &Config,
) -> Result<(&'static dyn EnvironmentSpec, &'a str), Problem> {
    let named = name.split_once('/').and_then(|(first, name)| Some((context.lab.environment(first)?, name)));
    match (named, level) {
        (Some((spec, _)), Some(level)) if spec.name() != level.spec.name() => {
            let what = format!("{name} and {} belong to different environments", level.reference);
            Err(Problem::new(what))
        }
        (Some(named), _) => Ok(named),
        (None, Some(level)) => Ok((level.spec, name)),
        (None, None) => {
            let default = &config.settings().play.level;
            Ok((select_level(&context.lab, config.folders(), default)?.spec, name))
        }
    }
}

/// Finds a variant.
fn find(
    name: &str,
    level: Option<&SelectedLevel>,
    context: &Context,
    config: &Config,
) -> Result<SelectedPrompt, Problem> {
    let (spec, name) = environment_of(name, level, context, config)?;
    let catalog = mageyard_lab::prompt_catalog(spec, config.folders());
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
    let state_words = found.spec.capabilities().state_words(&config.settings().options(found.spec.name()));
    let prompt = found.prompt.clone().with_state_words(&state_words);
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
