//! The answers to questions about a list of elements. A question names elements by their texts or by places, so it has an answer
//! on every page that has them.

use super::list::{Kind, Listed, PageList, contains};

/// What is asked about a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Which of two elements is further left.
    Left([String; 2]),
    /// Which of two elements is higher.
    Higher([String; 2]),
    /// What the button or heading at a place says.
    Says(Kind, [i32; 2]),
    /// How many elements of a kind there are.
    Count(Kind),
    /// The background of an element.
    Background(String),
    /// Whether an element is in an area.
    Inside(String, [i32; 4]),
}

impl Asked {
    /// The name of the kind of questions.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Left(_) => "left",
            Self::Higher(_) => "higher",
            Self::Says(..) => "says",
            Self::Count(_) => "count",
            Self::Background(_) => "background",
            Self::Inside(..) => "inside",
        }
    }

    /// What it is about among the questions of its kind. Texts have no quotation marks.
    pub(super) fn about(&self) -> String {
        match self {
            Self::Left([one, other]) | Self::Higher([one, other]) => format!("\"{one}\" \"{other}\""),
            Self::Says(kind, [x, y]) => format!("{} {x} {y}", kind.name()),
            Self::Count(kind) => kind.name().to_owned(),
            Self::Background(text) => format!("\"{text}\""),
            Self::Inside(text, [left, top, width, height]) => {
                format!("\"{text}\" {left} {top} {width} {height}")
            }
        }
    }

    /// What a question of this kind asks that is about this.
    pub(super) fn read(kind: &str, about: &str) -> Option<Self> {
        let mut texts = about.split('"').skip(1).step_by(2).map(str::to_owned);
        let unquoted = about.rsplit('"').next().unwrap_or_default();
        let numbers: Vec<i32> = unquoted.split(' ').filter_map(|word| word.parse().ok()).collect();
        let named = |word: &str| Kind::NAMED.into_iter().find(|kind| kind.name() == word);
        let mut two = || Some([texts.next()?, texts.next()?]);
        Some(match kind {
            "left" => Self::Left(two()?),
            "higher" => Self::Higher(two()?),
            "says" => Self::Says(named(about.split(' ').next()?)?, numbers.try_into().ok()?),
            "count" => Self::Count(named(about)?),
            "background" => Self::Background(texts.next()?),
            "inside" => Self::Inside(texts.next()?, numbers.try_into().ok()?),
            _ => return None,
        })
    }

    /// The answer on this page; `None` if it does not have what is asked about.
    pub(super) fn answer(&self, list: &PageList) -> Option<String> {
        match self {
            Self::Left(texts) => first_by(list, texts, 0),
            Self::Higher(texts) => first_by(list, texts, 1),
            Self::Says(kind, place) => Some(at(list, *kind, *place)?.text.clone()),
            Self::Count(kind) => {
                Some(list.elements.iter().filter(|one| one.kind == *kind).count().to_string())
            }
            Self::Background(text) => named(list, text)?.background.clone(),
            Self::Inside(text, area) => {
                Some(if contains(*area, named(list, text)?.area) { "yes" } else { "no" }.to_owned())
            }
        }
    }
}

/// The only element with this text.
pub(super) fn named<'a>(list: &'a PageList, text: &str) -> Option<&'a Listed> {
    let mut found = list.elements.iter().filter(|one| one.text == text);
    found.next().filter(|_| found.next().is_none())
}

/// The text of the one of two elements whose middle comes first on an axis; `None` if both are at the same place.
fn first_by(list: &PageList, texts: &[String; 2], axis: usize) -> Option<String> {
    let [one, other] = [named(list, &texts[0])?, named(list, &texts[1])?].map(|one| one.middle()[axis]);
    (one != other).then(|| texts[usize::from(other < one)].clone())
}

/// The smallest element of a kind at a place.
fn at(list: &PageList, kind: Kind, place: [i32; 2]) -> Option<&Listed> {
    let there = list.elements.iter().filter(|one| one.kind == kind && one.has(place) && !one.text.is_empty());
    there.min_by_key(|one| i64::from(one.area[2]) * i64::from(one.area[3]))
}
