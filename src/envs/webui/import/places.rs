//! How interactions name elements: `By.ID` and the other ways, and indices of the elements found.

use mageyard_browser::{Place, Target};
use mageyard_kit::Expression;

/// The element of a call such as `find_element(By.ID, "send")`.
pub(super) fn found(arguments: &[(Option<String>, Expression)]) -> Result<Place, String> {
    let named = |keyword: &str, at: usize| {
        let by_keyword = arguments.iter().find(|(name, _)| name.as_deref() == Some(keyword));
        let by_place = arguments.get(at).filter(|(name, _)| name.is_none());
        by_keyword.or(by_place).map(|(_, value)| value)
    };
    let (Some(by), Some(value), 2) = (named("by", 0), named("value", 1), arguments.len()) else {
        return Err("an element is found by two arguments, such as By.ID and its id".into());
    };
    let Expression::Text(value) = value else {
        return Err(format!("an element is found by a plain text, not by {value}"));
    };
    match by {
        Expression::Attribute(class, way) if **class == Expression::Name("By".into()) => by_way(way, value),
        Expression::Text(way) => by_way(&way.to_ascii_uppercase().replace(' ', "_"), value),
        _ => Err(format!("{by} is not a way to find an element")),
    }
}

/// The element of a call such as `find_element_by_id("send")`.
pub(super) fn found_by_name(way: &str, arguments: &[(Option<String>, Expression)]) -> Result<Place, String> {
    match arguments {
        [(None, Expression::Text(value))] => by_way(&way.to_ascii_uppercase(), value),
        _ => Err("an element is found by one plain text".into()),
    }
}

fn by_way(way: &str, value: &str) -> Result<Place, String> {
    let value = value.to_owned();
    let target = match way {
        "ID" => Target::Id(value),
        "CLASS_NAME" => Target::Class(value),
        "CSS_SELECTOR" => Target::Css(value),
        "XPATH" => Target::Xpath(value),
        "LINK_TEXT" => Target::LinkText(value),
        "NAME" => Target::Name(value),
        "TAG_NAME" if is_tag(&value) => Target::Css(value),
        "TAG_NAME" => return Err(format!("{value:?} is not the name of a tag")),
        _ => return Err(format!("elements are not found by {way} here")),
    };
    Ok(target.into())
}

fn is_tag(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// One of the elements that fit, from 0, or from the end with a negative number.
pub(super) fn at(place: &Place, index: f64) -> Result<Place, String> {
    let whole = index.fract() == 0.0 && index.abs() < 10_000.0;
    if !whole {
        return Err(format!("{index} is not an index of an element"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 10,000")]
    let index = index as i64;
    match usize::try_from(index) {
        Ok(index) => Ok(Place { index, ..place.clone() }),
        Err(_) => from_end(&place.target, index.unsigned_abs()),
    }
}

/// The last element, or the one so far before it.
fn from_end(target: &Target, from: u64) -> Result<Place, String> {
    let all = match target {
        Target::Xpath(path) => path.clone(),
        Target::Id(id) => format!("//*[@id={}]", quoted(id)?),
        Target::Name(name) => format!("//*[@name={}]", quoted(name)?),
        Target::Class(class) => {
            let class = quoted(&format!(" {class} "))?;
            format!("//*[contains(concat(' ', normalize-space(@class), ' '), {class})]")
        }
        Target::Css(tag) if is_tag(tag) => format!("//{tag}"),
        _ => return Err(format!("the elements of {target} are not counted from their end here")),
    };
    let position = if from == 1 { "last()".to_owned() } else { format!("last()-{}", from - 1) };
    Ok(Target::Xpath(format!("({all})[{position}]")).into())
}

/// A text of `XPath`, which has no escapes.
fn quoted(text: &str) -> Result<String, String> {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => Ok(format!("'{text}'")),
        (true, false) => Ok(format!("\"{text}\"")),
        (true, true) => Err(format!("{text:?} has both kinds of quotes")),
    }
}

/// The element inside another one. Only an id names the outer one alone.
pub(super) fn within(outer: &Place, inner: &Place) -> Result<Place, String> {
    let inner_selector = match &inner.target {
        Target::Css(selector) if !selector.contains(',') => selector.clone(),
        Target::Class(class) if is_plain(class) => format!(".{class}"),
        _ => return Err("an element inside another one is found by a class, a tag or a selector".into()),
    };
    match &outer.target {
        Target::Id(id) if is_plain(id) && outer.index == 0 => {
            Ok(Place { index: inner.index, ..Target::Css(format!("#{id} {inner_selector}")).into() })
        }
        target => Err(format!("the outer element is found by {target}; only an id names it alone")),
    }
}

/// Whether a name needs no escapes in a selector.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}
