//! `levels show`: levels as text.

use mageyard_lab::noted_levels;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde_json::Value;

use crate::context::Context;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use mageyard_domain::Reference;
use mageyard_lab::NotedLevels;

/// Print levels as text
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Environment, level set, level or file
    #[arg(value_name = "LEVELS")]
    reference: String,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ShownLevel<'a> {
    reference: &'a str,
    level: Value,
    text: &'a str,
    /// Authors and comments of the level, and of its collection.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    collection: &'a [String],
    /// The published best sum of rewards and fewest steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<Reference>,
    /// The true optimum; searched only for a single level with a published result.
    #[serde(skip_serializing_if = "Option::is_none")]
    optimum: Option<Reference>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let NotedLevels { levels: chosen, notes, complete } =
        noted_levels(&context.lab, context.folders(), &args.reference)?;
    let collection = notes.collection.as_slice();
    let options = context.config()?.settings().options(chosen.first().map_or("", |one| one.spec.name()));
    let mut out = Output::open();
    if complete && !args.json && !collection.is_empty() {
        collection.iter().try_for_each(|note| out.line(format!("; {note}")))?;
        out.line("")?;
    }
    for (index, (one, notes)) in chosen.iter().zip(&notes.levels).enumerate() {
        let scoring = one.spec.capabilities().scoring;
        let published = scoring.published_reference(&one.level);
        let searched = chosen.len() == 1 && published.is_some();
        let optimum =
            searched.then(|| scoring.reference(&one.level, &options, &AtomicBool::new(false))).flatten();
        if args.json {
            let reference = &one.reference;
            let level = one.name();
            let text = one.level.text();
            out.object_line(
                "level",
                &ShownLevel { reference, level, text, notes, collection, published, optimum },
            )?;
            continue;
        }
        let gap = if index == 0 { "" } else { "\n" };
        let title = one.level.title.as_deref().unwrap_or_default();
        out.line(format!("{gap}; {}  {title}", one.reference).trim_end())?;
        out.line(one.level.text().trim_end_matches('\n'))?;
        notes.iter().try_for_each(|note| out.line(format!("; {note}")))?;
        if let Some(Reference { best, steps }) = optimum {
            out.line(format!("; true optimum: {steps} moves, {best:+.1} points; scores use this optimum"))?;
        }
    }
    Ok(Exit::Done)
}
