//! `tag`: adds tags and comments to recorded steps, removes them, or lists them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::diagnostics::print_message;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::Record;
use mageyard_config::Problem;
use mageyard_engine::{Annotation, AnnotationText, Store, StoreError};
use mageyard_lab::{AnnotatedStep, annotate, list_annotations, parse_step_reference, step_reference};

/// Tag recorded steps and comment on them, or list tags and comments
///
/// Tags and comments are stored beside the record of the session, which stays as it was. `find 'tag=NAME'` and
/// `find 'comment~text'` list the steps that have them. Without a name and without --comment, they are listed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Session and step, such as last#7, last/2#7 or last#b1@7; without a step all steps are listed
    #[arg(value_name = "SESSION[#STEP]")]
    run: String,
    /// Tags to add: letters, digits, `-`, `_` and `.`
    #[arg(value_name = "TAG")]
    tags: Vec<String>,
    /// Add a comment
    #[arg(long, value_name = "TEXT")]
    comment: Vec<String>,
    /// Remove these tags and comments instead
    #[arg(long)]
    remove: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let store = Store::new(context.config()?.store_folder());
    let (session, step) = parse_step_reference(&args.run)?;
    let journals = store.find(session)?;
    let mut out = Output::open();
    let tags = args.tags.iter().map(|name| Annotation::tag(name));
    let comments = args.comment.iter().map(|text| Annotation::comment(text));
    let given: Vec<Annotation> = tags.chain(comments).collect::<Result<_, _>>().map_err(request)?;
    if given.is_empty() && args.remove {
        let problem = Problem::new("nothing is named that could be removed");
        return Err(problem.with_help("name tags, or the whole text of a comment with --comment").into());
    }
    if given.is_empty() {
        return list(args, &store, &journals, step, &mut out);
    }
    let Some(step) = step else {
        let problem = Problem::new(format!("{} names no step", args.run));
        return Err(problem
            .with_help(format!("add its number, such as {}", step_reference(session, 1)))
            .into());
    };
    let [journal] = journals.as_slice() else {
        let error = StoreError::SeveralEpisodes { given: session.to_owned(), count: journals.len() };
        return Err(error.into());
    };
    let run = step_reference(&store.reference(journal), step);
    for annotation in &given {
        let has_changed = annotate(journal, step, annotation, args.remove)?;
        print_change(&run, annotation, Change::of(args.remove, has_changed), args.json, &mut out)?;
    }
    Ok(Exit::Done)
}

fn request(error: impl std::fmt::Display) -> Problem {
    Problem::new(error.to_string())
}

/// What became of an annotation.
#[derive(Clone, Copy)]
enum Change {
    Added,
    Removed,
    /// It was there, or there was nothing to remove.
    None,
}

impl Change {
    fn of(is_removed: bool, has_changed: bool) -> Self {
        match (is_removed, has_changed) {
            (_, false) => Self::None,
            (true, true) => Self::Removed,
            (false, true) => Self::Added,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::None => "unchanged",
        }
    }
}

fn print_change(
    run: &str,
    annotation: &Annotation,
    change: Change,
    json: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let kind = kind(annotation);
    if json {
        let text = annotation.text();
        out.record(&AnnotationRecord { run, kind, text, at: None, change: change.name() })?;
    } else {
        out.line(format!("{run}  {kind} {}: {}", change.name(), annotation.text()))?;
    }
    Ok(())
}

fn kind(annotation: &Annotation) -> &'static str {
    match annotation {
        Annotation::Tag(_) => "tag",
        Annotation::Comment(_) => "comment",
    }
}

/// A tag or a comment of a step (`tag`): listed, or just added or removed.
#[derive(Serialize, JsonSchema)]
pub(super) struct AnnotationRecord<'a> {
    /// Reference of the step, as `view` takes it.
    run: &'a str,
    /// `tag` or `comment`.
    kind: &'a str,
    /// Name of the tag, or text of the comment.
    text: &'a str,
    /// When it was added, in milliseconds since 1970-01-01 UTC; null in the answer to a change.
    at: Option<u64>,
    /// `added`, `removed`, `unchanged`, or `none` in a list.
    change: &'static str,
}

impl Record for AnnotationRecord<'_> {
    const TYPE: &'static str = "annotation";
}

/// Lists the annotations of these journals.
fn list(
    args: &Args,
    store: &Store,
    journals: &[PathBuf],
    step: Option<u32>,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let mut reported = BTreeSet::new();
    let mut rows = Vec::new();
    for journal in journals {
        let listed = list_annotations(journal)?;
        for damaged in listed.damaged.iter().map(ToString::to_string) {
            if reported.insert(damaged.clone()) {
                print_message(&damaged);
            }
        }
        let is_shown =
            |one: &&AnnotatedStep| step.is_none_or(|step| one.step == step && one.journal == *journal);
        rows.extend(listed.steps.iter().filter(is_shown).flat_map(|one| annotations_of(one, store)));
    }
    if args.json {
        for (run, kind, AnnotationText { text, at, .. }) in &rows {
            out.record(&AnnotationRecord { run, kind, text, at: Some(*at), change: "none" })?;
        }
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        print_message(&format!("{} has no tags and no comments", args.run));
    }
    let cells = |(run, kind, known): Row| vec![run, kind.to_owned(), known.date(), known.text];
    out.table(&rows.into_iter().map(cells).collect::<Vec<_>>())?;
    Ok(Exit::Done)
}

/// The step, the kind, and the tag or comment.
type Row = (String, &'static str, AnnotationText);

fn annotations_of(one: &AnnotatedStep, store: &Store) -> Vec<Row> {
    let run = step_reference(&store.reference(&one.journal), one.step);
    let tags = one.annotations.tags.iter().map(|tag| ("tag", tag));
    let all = tags.chain(one.annotations.comments.iter().map(|comment| ("comment", comment)));
    all.map(|(kind, known)| (run.clone(), kind, known.clone())).collect()
}
