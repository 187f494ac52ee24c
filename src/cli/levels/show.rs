//! `levels show`: levels as text.

use mageyard_lab::noted_levels;
use std::sync::atomic::AtomicBool;

use super::records::{LevelRecord, OptimumRecord};
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
            out.record(&LevelRecord {
                reference: Some(&one.reference),
                level: one.name(),
                text: Some(one.level.text()),
                notes: Some(notes.as_slice()).filter(|notes| !notes.is_empty()),
                collection: Some(collection).filter(|notes| !notes.is_empty()),
                published: published.map(OptimumRecord::from),
                optimum: optimum.map(OptimumRecord::from),
                ..LevelRecord::default()
            })?;
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
