//! What an act needs of the page before and instead of real input: a point, focus, a chosen option, scrolling.

use serde::Deserialize;
use serde_json::json;

use super::locate::{call, listed};
use super::sequence::owner_of;
use super::{PageAccess, PageFailure, PageReading, Refusal, script, similarity};

/// The least ratio at which an option counts as meant.
const ALIKE: f64 = 0.6;
/// How many options a refusal lists.
const LISTED_OPTIONS: usize = 20;

/// Something in front of an element.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Cover {
    /// Its role, or its tag if it has none.
    pub role: String,
    /// Its label or the beginning of its text, from the page; it may be empty.
    pub label: String,
}

/// Where an element can be clicked.
#[derive(Clone, Debug, PartialEq)]
pub struct ActPoint {
    /// From the left of the viewport in CSS pixels.
    pub x: f64,
    /// From the top of the viewport in CSS pixels.
    pub y: f64,
    /// What covers it there; `None` if a click reaches the element, its label or something inside.
    pub cover: Option<Cover>,
}

impl ActPoint {
    /// The refusal of a click on this element if it is covered.
    pub fn refusal(&self, number: u32) -> Option<Refusal> {
        let Cover { role, label } = self.cover.clone()?;
        Some(Refusal::Covered { number, role, label })
    }
}

/// Scrolls an element into view and finds a point of it that a pointer reaches.
///
/// # Errors
/// [`Refusal::NoNumber`], [`Refusal::Stale`], [`Refusal::Disabled`], [`Refusal::Invisible`], [`Refusal::IsOption`]; a script
/// cannot run.
pub async fn point<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    number: u32,
) -> Result<ActPoint, PageFailure<A::Error>> {
    #[derive(Deserialize)]
    struct Answer {
        x: f64,
        y: f64,
        cover: Option<Cover>,
    }
    let element = listed(reading, number)?;
    let framed = json!({ "framed": element.frame > 0 });
    let Answer { x, y, cover } = call(page, reading, element, script::POINT, framed).await?;
    let mut point = ActPoint { x, y, cover };
    let mut at = element.frame;
    while let Some(frame) = reading.frames.get(at) {
        let Some(parent) = frame.parent.filter(|parent| *parent < at) else { break };
        let owner = owner_of(page, &frame.id, Some([point.x, point.y])).await?;
        point =
            ActPoint { x: point.x + owner.left, y: point.y + owner.top, cover: point.cover.or(owner.cover) };
        at = parent;
    }
    Ok(point)
}

/// What is left to do after a field was prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The field has focus and everything in it is selected: typing the text replaces it.
    Focused,
    /// The field has the text already: it has parts of its own, such as a date, or the text is empty.
    Done,
}

/// Prepares a field for typing: scrolls to it, focuses it and selects what is in it. Fields for dates, times, colours and
/// ranges take the text at once, with the events that a person would cause. The number may also be that of a label,
/// or of an element with one field inside.
///
/// # Errors
/// [`Refusal::NoNumber`], [`Refusal::Stale`], [`Refusal::Disabled`], [`Refusal::NotField`], [`Refusal::ReadOnly`],
/// [`Refusal::WrongForm`]; a script cannot run.
pub async fn fill<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    number: u32,
    text: &str,
) -> Result<Filled, PageFailure<A::Error>> {
    #[derive(Deserialize)]
    struct Answer {
        typed: bool,
    }
    let element = listed(reading, number)?;
    let Answer { typed } = call(page, reading, element, script::FILL, json!({ "text": text })).await?;
    Ok(if typed { Filled::Focused } else { Filled::Done })
}

/// The options of a select.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Choices {
    /// Whether the select is disabled.
    pub disabled: bool,
    /// The options, at most the first 2,000. Their texts are those of the page.
    pub options: Vec<Choice>,
}

/// An option of a select.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Choice {
    /// What a person reads.
    pub text: String,
    /// What a form sends.
    pub value: String,
    /// Whether it cannot be chosen.
    pub disabled: bool,
}

/// An option that was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Chosen {
    /// Whether another one was chosen before.
    pub changed: bool,
    /// What a person reads.
    pub text: String,
    /// What a form sends.
    pub value: String,
}

/// The options of a select; the number is that of the select, its label or one of its options.
///
/// # Errors
/// [`Refusal::NoNumber`], [`Refusal::Stale`], [`Refusal::NotSelect`]; a script cannot run.
pub async fn choices<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    number: u32,
) -> Result<Choices, PageFailure<A::Error>> {
    let element = listed(reading, number)?;
    call(page, reading, element, script::CHOICES, json!({})).await
}

/// The index of the option that is meant: the one with this text, else with this value, else the most similar text from a
/// ratio of 0.6 on. Blanks around a text do not count.
///
/// # Errors
/// [`Refusal::Disabled`], [`Refusal::NoOption`], [`Refusal::DisabledOption`].
pub fn pick_option(choices: &Choices, number: u32, option: &str) -> Result<u32, Refusal> {
    if choices.disabled {
        return Err(Refusal::Disabled(number));
    }
    let wanted = option.trim();
    let options = &choices.options;
    let by_text = options.iter().position(|one| one.text == wanted);
    let by_value = || options.iter().position(|one| one.value == wanted);
    let Some(index) = by_text.or_else(by_value).or_else(|| most_similar(options, wanted)) else {
        return Err(Refusal::NoOption {
            option: option.to_owned(),
            options: options.iter().take(LISTED_OPTIONS).map(|one| one.text.clone()).collect(),
            more: options.len().saturating_sub(LISTED_OPTIONS),
        });
    };
    match options.get(index) {
        Some(one) if one.disabled => Err(Refusal::DisabledOption(one.text.clone())),
        _ => Ok(u32::try_from(index).unwrap_or(u32::MAX)),
    }
}

/// The first of the most similar options, if it is similar enough.
fn most_similar(options: &[Choice], wanted: &str) -> Option<usize> {
    let mut best = None;
    for (index, one) in options.iter().enumerate() {
        let ratio = similarity(&one.text, wanted);
        if ratio >= ALIKE && best.is_none_or(|(_, found)| ratio > found) {
            best = Some((index, ratio));
        }
    }
    best.map(|(index, _)| index)
}

/// Chooses an option by its index, with the events that a person would cause; they bubble.
///
/// # Errors
/// [`Refusal::NoNumber`], [`Refusal::Stale`] also for an index that the select no longer has, [`Refusal::Disabled`]; a
/// script cannot run.
pub async fn choose<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    number: u32,
    option: u32,
) -> Result<Chosen, PageFailure<A::Error>> {
    let element = listed(reading, number)?;
    call(page, reading, element, script::CHOOSE, json!({ "option": option })).await
}

/// How a page was scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Scrolled {
    /// Whether it moved.
    pub moved: bool,
    /// How far it is from the top now, in CSS pixels.
    pub at: f64,
    /// How far it can be from the top.
    pub end: f64,
}

/// Scrolls the page, or what fills it if the page itself cannot be scrolled, down by this many viewports (up if
/// negative). If one viewport or less is left, it goes to the end.
///
/// # Errors
/// A script cannot run.
pub async fn scroll<A: PageAccess>(
    page: &A,
    reading: &PageReading,
    viewports: f64,
) -> Result<Scrolled, PageFailure<A::Error>> {
    let main = reading.frames.first().map_or("", |frame| frame.id.as_str());
    let argument = json!({ "amount": viewports });
    let value = page.evaluate(main, script::SCROLL, &argument).await.map_err(PageFailure::Access)?;
    serde_json::from_value(value).map_err(|error| PageFailure::Answer(error.to_string()))
}
