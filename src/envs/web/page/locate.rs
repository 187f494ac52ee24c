//! Which element a number, a selector or a point means, and everything that key nodes compare of it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::sequence::owner_of;
use super::{PageAccess, PageFailure, PageReading, ReadElement, Refusal, Staleness, script};
use crate::facts::{ChosenElement, PathFacts, Relation};

/// A reference of a task that is looked for in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferencePath {
    /// CSS, or `XPath`.
    pub path: String,
    /// Whether it is `XPath`.
    pub is_xpath: bool,
}

impl ReferencePath {
    /// As the functions of the page take it.
    pub(super) fn argument(&self) -> Value {
        json!({ "path": self.path, "xpath": self.is_xpath })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Located {
    tag: String,
    css: Option<String>,
    code_css: Option<String>,
    xpath: String,
    rect: [f64; 4],
    document: String,
    paths: Vec<LocatedPath>,
}

#[derive(Deserialize)]
struct LocatedPath {
    path: String,
    tag: Option<String>,
    relation: Option<WrittenRelation>,
    code: Option<WrittenRelation>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenRelation {
    Same,
    Above(u8),
    ChosenOption,
    SelectOfOption,
    Inside,
    Operated,
}

impl From<WrittenRelation> for Relation {
    fn from(written: WrittenRelation) -> Self {
        match written {
            WrittenRelation::Same => Self::Same,
            WrittenRelation::Above(levels) => Self::Above(levels),
            WrittenRelation::ChosenOption => Self::ChosenOption,
            WrittenRelation::SelectOfOption => Self::SelectOfOption,
            WrittenRelation::Inside => Self::Inside,
            WrittenRelation::Operated => Self::Operated,
        }
    }
}

/// The element with this number as key nodes compare it. References are looked for in its document: the first match counts, as
/// in the released code. With `option`, the index of an option that will be chosen, a reference to that option is
/// [`Relation::ChosenOption`]. [`Relation::Above`] means that the chosen element is that many levels above the
/// reference.
///
/// # Errors
/// [`Refusal::NoNumber`], [`Refusal::Stale`]; a script cannot run.
pub async fn locate<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    number: u32,
    paths: &[ReferencePath],
    option: Option<u32>,
) -> Result<ChosenElement, PageFailure<A::Error>> {
    let element = listed(reading, number)?;
    let paths: Vec<_> = paths.iter().map(ReferencePath::argument).collect();
    let more = json!({ "paths": paths, "option": option });
    let located: Located = call(page, reading, element, script::LOCATE, more).await?;
    let origin = origin(page, reading, element.frame).await?;
    Ok(located.chosen(number, element.role.clone(), element.label.clone(), origin))
}

impl Located {
    /// The facts of it, with its place in a viewport in which its frame begins at `origin`.
    pub(super) fn chosen(self, number: u32, role: String, label: String, origin: [f64; 2]) -> ChosenElement {
        let [left, top, width, height] = self.rect;
        ChosenElement {
            number,
            tag: self.tag,
            role,
            label,
            css: self.css,
            code_css: self.code_css,
            xpath: self.xpath,
            rect: [left + origin[0], top + origin[1], width, height],
            document: self.document,
            paths: self.paths.into_iter().map(PathFacts::from).collect(),
        }
    }
}

impl From<LocatedPath> for PathFacts {
    fn from(located: LocatedPath) -> Self {
        Self {
            path: located.path,
            tag: located.tag,
            relation: located.relation.map(Relation::from),
            code_relation: located.code.map(Relation::from),
        }
    }
}

/// What a selector finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// An element with this number, or inside of it.
    Numbered(u32),
    /// An element that is not in the tree.
    Unlisted,
    /// Nothing.
    Nothing,
}

/// The number of the first element that a CSS selector finds, in the main document, else in the first frame that has one.
///
/// # Errors
/// [`Refusal::Stale`]; a script cannot run in the main document.
pub async fn find_selector<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    selector: &str,
) -> Result<Found, PageFailure<A::Error>> {
    #[derive(Deserialize)]
    struct Answer {
        exists: bool,
        key: Option<u32>,
    }
    for (index, frame) in reading.frames.iter().enumerate() {
        let argument = json!({ "reading": frame.reading, "selector": selector });
        let answer = page.evaluate(&frame.id, script::FIND, &argument).await.map_err(PageFailure::Access);
        let answer: Answer = match answer.and_then(|value| read(value, 0)) {
            Ok(answer) => answer,
            // A frame that was replaced has nothing to find; the main document must be as it was.
            Err(_) if index > 0 => continue,
            Err(failure) => return Err(failure),
        };
        if answer.exists {
            let number = answer.key.and_then(|key| number_of(reading, index, key));
            return Ok(number.map_or(Found::Unlisted, Found::Numbered));
        }
    }
    Ok(Found::Nothing)
}

fn number_of(reading: &PageReading, frame: usize, key: u32) -> Option<u32> {
    let mut elements = reading.elements.iter();
    elements.find(|element| element.frame == frame && element.key == key).map(|element| element.number)
}

/// The element with this number, or why there is none.
pub(super) fn listed<E>(reading: &PageReading, number: u32) -> Result<&ReadElement, PageFailure<E>> {
    let refusal = Refusal::NoNumber { number, last: reading.last() };
    reading.element(number).ok_or(PageFailure::Refused(refusal))
}

/// Calls a function of the page for a numbered element.
pub(super) async fn call<A: PageAccess, T: for<'a> Deserialize<'a>>(
    page: &A,
    reading: &PageReading,
    element: &ReadElement,
    function: &'static str,
    mut argument: Value,
) -> Result<T, PageFailure<A::Error>> {
    let frame = frame_of(reading, element.frame)?;
    argument["reading"] = json!(frame.reading);
    argument["key"] = json!(element.key);
    let value = page.evaluate(&frame.id, function, &argument).await.map_err(PageFailure::Access)?;
    read(value, element.number)
}

fn frame_of<E>(reading: &PageReading, index: usize) -> Result<&super::ReadFrame, PageFailure<E>> {
    reading.frames.get(index).ok_or_else(|| PageFailure::Answer("an element of an unknown frame".to_owned()))
}

/// Left and top of the content of a frame in the viewport, as they are now.
pub(super) async fn origin<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    frame: usize,
) -> Result<[f64; 2], PageFailure<A::Error>> {
    let mut found = [0.0; 2];
    let mut at = frame;
    while let Some(parent) = frame_of(reading, at)?.parent.filter(|parent| *parent < at) {
        let owner = owner_of(page, &frame_of(reading, at)?.id, None).await?;
        found = [found[0] + owner.left, found[1] + owner.top];
        at = parent;
    }
    Ok(found)
}

/// What a function that refuses says.
#[derive(Deserialize)]
struct Refused {
    refused: String,
    #[serde(default)]
    why: String,
}

/// The answer of a function, or why it refused.
fn read<E, T: for<'a> Deserialize<'a>>(value: Value, number: u32) -> Result<T, PageFailure<E>> {
    if value.get("refused").is_some() {
        let refused: Refused =
            serde_json::from_value(value).map_err(|error| PageFailure::Answer(error.to_string()))?;
        return Err(PageFailure::Refused(refusal(refused, number)?));
    }
    serde_json::from_value(value).map_err(|error| PageFailure::Answer(error.to_string()))
}

fn refusal<E>(Refused { refused, why }: Refused, number: u32) -> Result<Refusal, PageFailure<E>> {
    let stale = |why| Refusal::Stale { number, why };
    Ok(match refused.as_str() {
        "document" => stale(Staleness::NewDocument),
        "reading" => stale(Staleness::ReadAgain),
        "removed" | "absent" => stale(Staleness::Removed),
        "disabled" => Refusal::Disabled(number),
        "invisible" => Refusal::Invisible(number),
        "option" => Refusal::IsOption(number),
        "field" => Refusal::NotField { number, what: why },
        "readonly" => Refusal::ReadOnly(number),
        "value" => Refusal::WrongForm { number, kind: why },
        "select" => Refusal::NotSelect { number, what: why },
        other => return Err(PageFailure::Answer(format!("an unknown reason {other:?}"))),
    })
}
