//! What an agent is shown of a page, and what is stored beside it for people, for policies and for later comparisons.

use std::fmt::Write;
use std::sync::Arc;

use mageyard_browser::web::{Happening, TabInfo};
use mageyard_domain::{
    Action, BlobError, BlobHandle, BlobRef, BlobStore, Digest, NumberedBox, Observation, ObservationPart,
    Picture, PictureError, sanitize,
};
use serde_json::{Value, json};

use crate::drawing::numbered_boxes;
use crate::look::{COURSE, Course, Look};
use crate::options::WebOptions;
use crate::packed::{pack, unpack};
use crate::page::{PageReading, PageState};
use crate::task::Task;

/// The media type of a packed reading of a page.
pub(crate) const READING_MEDIA: &str = "application/vnd.mageyard.web-reading+zlib";
/// The media type of packed HTML.
const HTML_MEDIA: &str = "application/vnd.mageyard.html+zlib";
const PNG: &str = "image/png";

/// The fact with the largest number of the observation.
pub(crate) const ELEMENTS: &str = "elements";
/// The fact with the next action of the recorded workflow.
pub(crate) const NEXT: &str = "next";
/// The fact with the state of the page.
pub(crate) const STATE: &str = "state";

/// What does not change in an episode.
pub(crate) struct Circumstances<'a> {
    pub(crate) task: &'a Task,
    pub(crate) options: &'a WebOptions,
    /// Name and version of the browser.
    pub(crate) browser: &'a str,
}

/// Why an observation could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ObservationError {
    #[error(transparent)]
    Blob(#[from] BlobError),
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error("the page cannot be stored: {0}")]
    Stored(String),
}

/// The observation of a look.
pub(crate) fn observe(
    of: &Circumstances<'_>,
    look: &Look,
    course: &Course,
    next: Option<&Action>,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Observation, ObservationError> {
    let task = format!("Task: {}", sanitize(&of.task.text));
    let head = head(look, course);
    let tree = look.reading.text();
    let mut parts =
        vec![ObservationPart::Text(task.as_str().into()), ObservationPart::Text(head.as_str().into())];
    if of.options.observe.has_tree() {
        parts.push(ObservationPart::Text(tree.as_str().into()));
    }
    parts.extend(picture_part(of.options, look, blobs)?);
    let reading = serde_json::to_vec(&look.reading).map_err(stored)?;
    parts.push(ObservationPart::Data(BlobHandle::store(
        blobs,
        READING_MEDIA,
        &pack(&reading).map_err(stored)?,
    )?));
    let html = look.html.as_ref().map(|html| put_html(html, blobs)).transpose()?;
    let text = format!("{task}\n\n{head}\n\n{tree}");
    Ok(Observation::from_parts(parts, text, facts(of, look, course, next, html.as_ref(), &tree)))
}

fn stored(error: impl std::fmt::Display) -> ObservationError {
    ObservationError::Stored(error.to_string())
}

fn put_html(html: &str, blobs: &Arc<dyn BlobStore>) -> Result<BlobRef, ObservationError> {
    Ok(blobs.put(HTML_MEDIA, &pack(html.as_bytes()).map_err(stored)?)?)
}

/// The screenshot: a picture for an agent that is shown one, data for people otherwise.
fn picture_part(
    options: &WebOptions,
    look: &Look,
    blobs: &Arc<dyn BlobStore>,
) -> Result<Option<ObservationPart>, ObservationError> {
    let Some(png) = &look.picture else { return Ok(None) };
    let blob = BlobHandle::store(blobs, PNG, png)?;
    if !options.observe.has_picture() {
        return Ok(Some(ObservationPart::Data(blob)));
    }
    let picture = Picture::open(blob, 1)?;
    let picture =
        if options.observe.has_marks() { picture.with_numbers(numbers(&look.reading)) } else { picture };
    Ok(Some(ObservationPart::Image(picture.into())))
}

/// The boxes of the elements that can be acted on and are in the viewport.
pub(crate) fn numbers(reading: &PageReading) -> Arc<[NumberedBox]> {
    numbered_boxes(reading).collect()
}

/// What is said above the tree: address, tabs, the state of the page, what happened, and what is kept.
fn head(look: &Look, course: &Course) -> String {
    let mut head = format!("Address: {}", sanitize(&look.url));
    let mut add = |line: String| _ = write!(head, "\n{line}");
    if look.tabs.len() > 1 {
        add(format!("Tabs: {}", look.tabs.iter().map(tab_words).collect::<Vec<_>>().join(" · ")));
    }
    if look.state != PageState::Ok {
        add(format!("The page is {}{}.", look.state, state_reason(look)));
    }
    for words in look.happened.iter().map(happening_words) {
        add(words);
    }
    for fault in &look.faults {
        add(format!("Not read: {}.", sanitize(fault)));
    }
    for (index, kept) in course.kept.iter().enumerate() {
        add(format!("Kept text {}: {}", index + 1, sanitize(kept)));
    }
    head
}

fn tab_words(tab: &TabInfo) -> String {
    let sign = if tab.current { " (current)" } else { "" };
    let title = if tab.title.is_empty() { &tab.url } else { &tab.title };
    format!("[{}] {}{sign}", tab.number, sanitize(title))
}

/// Why the page is not as it should be, in brackets.
pub(crate) fn state_reason(look: &Look) -> String {
    let error = look.document.error.as_ref().map(|error| sanitize(&error.text).into_owned());
    let status =
        look.document.status.filter(|status| *status >= 400).map(|status| format!("status {status}"));
    error.or(status).map_or_else(String::new, |why| format!(" ({why})"))
}

/// The most characters of a foreign text in a sentence.
const MOST_QUOTED: usize = 200;

fn quoted(text: &str) -> String {
    let text: String = text.chars().take(MOST_QUOTED).collect();
    format!("'{}'", sanitize(&text).replace(['\n', '\t'], " "))
}

/// What happened, as a sentence for agents and people.
pub(crate) fn happening_words(happening: &Happening) -> String {
    match happening {
        Happening::Dialog { dialog, text } => format!("A dialog ({dialog}) was accepted: {}.", quoted(text)),
        Happening::Download { name, .. } => format!("A download was refused: {}.", quoted(name)),
        Happening::FileChooser => "The page wanted a file and got none.".to_owned(),
        Happening::TabOpened { number } => format!("Tab {number} was opened."),
        Happening::TabClosed { number } => format!("Tab {number} was closed."),
        Happening::TabLost { number, why } => format!("Tab {number} is lost: {}.", sanitize(why)),
        Happening::TooManyTabs { url } => {
            format!("A tab was not opened, there are too many: {}.", quoted(url))
        }
        Happening::Refused { url, why } => {
            format!("A request was refused: {}: {}.", quoted(url), sanitize(why))
        }
        Happening::ScriptStopped { .. } => "A script of the page did not end and was stopped.".to_owned(),
        Happening::LeftOut { count } => format!("{count} more things happened."),
    }
}

fn facts(
    of: &Circumstances<'_>,
    look: &Look,
    course: &Course,
    next: Option<&Action>,
    html: Option<&BlobRef>,
    tree: &str,
) -> Value {
    let options = of.options;
    json!({
        "url": look.url,
        "title": look.reading.title,
        "tabs": look.tabs,
        STATE: look.state,
        "document": look.document,
        "requests": look.requests,
        "happened": look.happened,
        ELEMENTS: look.reading.last(),
        "cut": look.reading.cut,
        NEXT: next,
        COURSE: course,
        "html": html,
        "rules": options.rules,
        "judge_at": options.judge_at,
        "browser": of.browser,
        "window": options.window,
        "place": options.place,
        "task_parts": 1,
        // The picture is not: a blinking caret would make every state a new one.
        "identity": [look.url, Digest::of(tree.as_bytes()).to_string(), look.tabs.len(), course.kept.len()],
    })
}

/// The reading that an observation has stored.
pub(crate) fn reading(observation: &Observation) -> Result<PageReading, String> {
    let mut data = observation.parts().iter().filter_map(|part| match part {
        ObservationPart::Data(handle) => Some(handle),
        _ => None,
    });
    let handle = data
        .find(|handle| &*handle.blob().media_type == READING_MEDIA)
        .ok_or_else(|| "the observation has no page".to_owned())?;
    let bytes = handle.load().map_err(|error| error.to_string())?;
    let bytes = unpack(&bytes).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}

/// The screenshot of an observation, without boxes.
pub(crate) fn screenshot(observation: &Observation) -> Option<Result<Picture, PictureError>> {
    let blob = observation.parts().iter().find_map(|part| match part {
        ObservationPart::Image(picture) => picture.blob().cloned(),
        ObservationPart::Data(handle) if &*handle.blob().media_type == PNG => Some(handle.clone()),
        _ => None,
    })?;
    Some(Picture::open(blob, 1))
}
