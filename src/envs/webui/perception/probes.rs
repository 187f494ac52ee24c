//! Questions about a page with answers that are computed.

use super::answers::{Asked, named};
use super::claims;
use super::list::{Kind, Listed, PageList, contains};
use super::misread::{MISREADINGS, misread};
use super::subject::Subject;
use mageyard_domain::{Claim, Digest, Misreading, Observation, Probe, ProbeForm, ProbeKind, Probes};

const KINDS: &[ProbeKind] = &[
    ProbeKind { name: "left", summary: "which of two elements is further left" },
    ProbeKind { name: "higher", summary: "which of two elements is higher" },
    ProbeKind { name: "says", summary: "what a button or a heading at a place says" },
    ProbeKind { name: "count", summary: "how many buttons, images and links there are" },
    ProbeKind { name: "background", summary: "which background an element has" },
    ProbeKind { name: "inside", summary: "whether an element is inside of an area" },
];

/// The maximum number of questions of a kind.
const MOST: usize = 3;
/// The maximum number of elements that pairs are drawn from.
const MOST_NAMED: usize = 40;
/// The maximum number of wrong answers to choose from.
const WRONG: usize = 4;
/// The maximum number of characters of a text in a question.
const LONGEST: usize = 40;
/// The least upper end of the range of a count.
const LEAST_RANGE: usize = 20;
/// The least difference of two colours to choose from, summed over red, green and blue.
const COLOUR_GAP: i32 = 48;

/// The questions about pages.
#[derive(Debug)]
pub(in super::super) struct PageProbes;

impl Probes for PageProbes {
    fn kinds(&self) -> &'static [ProbeKind] {
        KINDS
    }

    fn probes(&self, seen: &Observation, kind: &str, draw: u64) -> Vec<Probe> {
        let Some(subject) = Subject::of(seen) else { return Vec::new() };
        let list = &subject.list;
        let asked = match kind {
            "left" => pairs(list, draw, 0).into_iter().map(Asked::Left).collect(),
            "higher" => pairs(list, draw, 1).into_iter().map(Asked::Higher).collect(),
            "says" => says(list, draw),
            "count" => counts(list),
            "background" => backgrounds(list, draw),
            "inside" => areas(list, draw),
            _ => Vec::new(),
        };
        asked.iter().filter_map(|asked| probe(&subject, asked, draw)).collect()
    }

    fn answer(&self, seen: &Observation, probe: &Probe) -> Option<String> {
        let answer = Asked::read(&probe.kind, &probe.about)?.answer(&Subject::of(seen)?.list)?;
        match &probe.form {
            ProbeForm::Choice(words) => words.contains(&answer).then_some(answer),
            _ => Some(answer),
        }
    }

    fn in_words(&self, seen: &Observation) -> Option<String> {
        Some(Subject::of(seen)?.list.words())
    }

    fn claims(&self, seen: &Observation, analysis: &str) -> Vec<Claim> {
        claims::claims(seen, analysis)
    }

    fn misreadings(&self) -> &'static [Misreading] {
        MISREADINGS
    }

    fn misread(&self, seen: &Observation, misreading: &str) -> Option<Observation> {
        misread(&Subject::of(seen)?, misreading)
    }
}

/// The first of some things in an order that a seed draws.
fn drawn<T>(
    things: impl IntoIterator<Item = T>,
    seed: u64,
    most: usize,
    name: impl Fn(&T) -> String,
) -> Vec<T> {
    let mut things: Vec<T> = things.into_iter().collect();
    things.sort_by_cached_key(|thing| Digest::of(format!("{seed} {}", name(thing)).as_bytes()).to_string());
    things.truncate(most);
    things
}

/// The elements that a question can name by their texts: each is short, the only one in capital or small letters, and all of it is in
/// the picture, and for sure.
fn nameable(list: &PageList) -> Vec<&Listed> {
    let [width, height] = list.size.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
    let is_only = |one: &Listed| {
        let lower = one.text.to_lowercase();
        list.elements.iter().filter(|other| other.text.to_lowercase() == lower).count() == 1
    };
    let fits = |one: &&Listed| is_short(&one.text) && contains([0, 0, width, height], one.area);
    list.certain().into_iter().filter(fits).take(MOST_NAMED).filter(|one| is_only(one)).collect()
}

/// Whether a text can be in a question and in a list of answers, which commas separate.
fn is_short(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= LONGEST && !text.contains(['"', ','])
}

/// Pairs of elements of which one ends before the other begins on an axis: their order can be seen, wherever their texts are.
fn pairs(list: &PageList, seed: u64, axis: usize) -> Vec<[String; 2]> {
    let elements = nameable(list);
    let is_apart = |one: &Listed, other: &Listed| one.area[axis] + one.area[axis + 2] <= other.area[axis];
    let of = |one: &Listed| {
        let after = elements.iter().filter(|other| is_apart(one, other));
        after.map(|other| [one.text.clone(), other.text.clone()]).collect::<Vec<_>>()
    };
    let pairs = drawn(elements.iter().flat_map(|one| of(one)), seed, MOST, |pair| pair.concat());
    let turned = |[one, other]: [String; 2]| {
        let order = drawn([one, other], seed, 2, Clone::clone);
        <[String; 2]>::try_from(order).ok()
    };
    pairs.into_iter().filter_map(turned).collect()
}

/// The kinds whose elements all can be seen for sure.
fn counts(list: &PageList) -> Vec<Asked> {
    let kinds = [Kind::Button, Kind::Image, Kind::Link].into_iter();
    kinds.filter(|kind| list.is_certain(*kind)).map(Asked::Count).collect()
}

fn says(list: &PageList, seed: u64) -> Vec<Asked> {
    let elements = list.certain().into_iter().filter(|one| matches!(one.kind, Kind::Button | Kind::Heading));
    let [width, height] = list.size.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
    let elements = elements.filter(|one| is_short(&one.text) && contains([0, 0, width, height], one.area));
    let asked = elements.map(|one| Asked::Says(one.kind, one.middle()));
    drawn(asked, seed, MOST, Asked::about)
}

fn backgrounds(list: &PageList, seed: u64) -> Vec<Asked> {
    let elements = nameable(list).into_iter().filter(|one| one.background.is_some());
    drawn(elements.map(|one| Asked::Background(one.text.clone())), seed, MOST, Asked::about)
}

/// For each of some elements an area around it, and one elsewhere: those of other elements.
fn areas(list: &PageList, seed: u64) -> Vec<Asked> {
    let of = |one: &Listed| {
        let size = |area: &[i32; 4]| i64::from(area[2]) * i64::from(area[3]);
        let others =
            || list.elements.iter().map(|other| other.area).filter(|area| size(area) > size(&one.area));
        let around = others().filter(|area| contains(*area, one.area)).min_by_key(size);
        let apart = others().filter(|area| are_apart(*area, one.area));
        let apart = drawn(apart, seed, 1, |area| format!("{area:?} {}", one.text));
        // One of both, so that the answers do not follow from each other.
        let both: Vec<[i32; 4]> = around.into_iter().chain(apart).collect();
        drawn(both, seed, 1, |area| format!("{} {area:?}", one.text))
            .into_iter()
            .map(|area| Asked::Inside(one.text.clone(), area))
            .collect::<Vec<_>>()
    };
    let asked = nameable(list).into_iter().flat_map(of);
    drawn(asked, seed, MOST, Asked::about)
}

/// Whether two areas have nothing in common.
fn are_apart([left, top, width, height]: [i32; 4], [x, y, wide, high]: [i32; 4]) -> bool {
    x >= left + width || left >= x + wide || y >= top + height || top >= y + high
}

/// The question with its answer; `None` if there are no wrong answers to choose from.
fn probe(subject: &Subject, asked: &Asked, seed: u64) -> Option<Probe> {
    let right = asked.answer(&subject.list)?;
    let form = form(&subject.list, asked, &right, seed)?;
    let (kind, about) = (asked.kind().to_owned(), asked.about());
    Some(Probe { kind, about, question: question(subject, asked), form, right })
}

fn form(list: &PageList, asked: &Asked, right: &str, seed: u64) -> Option<ProbeForm> {
    Some(match asked {
        Asked::Left(texts) | Asked::Higher(texts) => ProbeForm::Choice(texts.to_vec()),
        Asked::Inside(..) => ProbeForm::Choice(vec!["yes".to_owned(), "no".to_owned()]),
        Asked::Count(_) => {
            let most = i64::try_from(list.elements.len().max(LEAST_RANGE)).unwrap_or(i64::MAX);
            ProbeForm::Number { least: 0, most }
        }
        Asked::Says(kind, _) => choice(other_texts(list, *kind, right, seed), right, seed)?,
        Asked::Background(text) => choice(other_colours(list, text, right, seed), right, seed)?,
    })
}

/// The right answer among wrong ones.
fn choice(wrong: Vec<String>, right: &str, seed: u64) -> Option<ProbeForm> {
    if wrong.is_empty() {
        return None;
    }
    let words = wrong.into_iter().chain([right.to_owned()]);
    Some(ProbeForm::Choice(drawn(words, seed, WRONG + 1, |word| format!("order {word}"))))
}

/// Other texts of the page, first those of the same kind.
fn other_texts(list: &PageList, kind: Kind, right: &str, seed: u64) -> Vec<String> {
    let texts = |same: bool| {
        let elements = list.elements.iter().filter(|one| (one.kind == kind) == same && is_short(&one.text));
        drawn(elements.map(|one| one.text.clone()), seed, usize::MAX, Clone::clone)
    };
    let mut found: Vec<String> = Vec::new();
    for text in texts(true).into_iter().chain(texts(false)) {
        let is_new = found.iter().all(|known| !same_letters(known, &text)) && !same_letters(&text, right);
        if is_new && found.len() < WRONG {
            found.push(text);
        }
    }
    found
}

fn same_letters(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Other colours of the page that can be told apart from the right one and from each other.
fn other_colours(list: &PageList, text: &str, right: &str, seed: u64) -> Vec<String> {
    let own = named(list, text).map(|one| one.number);
    let backgrounds = list.elements.iter().filter_map(|one| one.background.as_deref());
    let texts = list.elements.iter().filter(|one| Some(one.number) != own).flat_map(|one| &one.look);
    let texts = texts.filter_map(|word| word.strip_prefix("text ")).filter(|word| word.starts_with('#'));
    let mut found = vec![right.to_owned()];
    for colour in drawn(backgrounds.chain(texts), seed, usize::MAX, |colour| (*colour).to_owned()) {
        if found.len() <= WRONG && found.iter().all(|known| gap(known, colour) >= COLOUR_GAP) {
            found.push(colour.to_owned());
        }
    }
    found.split_off(1)
}

/// How much two colours differ, summed over red, green and blue.
fn gap(one: &str, other: &str) -> i32 {
    let channels = |colour: &str| -> Vec<i32> {
        let digits =
            |at: usize| colour.get(at..at + 2).and_then(|digits| i32::from_str_radix(digits, 16).ok());
        [1, 3, 5].into_iter().filter_map(digits).collect()
    };
    channels(one).iter().zip(channels(other)).map(|(one, other)| (one - other).abs()).sum()
}

fn question(Subject { list, name }: &Subject, asked: &Asked) -> String {
    let [width, height] = list.size;
    let size = format!("The page is shown in {width} x {height} pixels.");
    match asked {
        Asked::Left([one, other]) => {
            format!("On {name}, which element is further left: \"{one}\" or \"{other}\"?")
        }
        Asked::Higher([one, other]) => {
            format!("On {name}, which element is higher: \"{one}\" or \"{other}\"?")
        }
        Asked::Says(kind, [x, y]) => format!(
            "On {name}, what does the {} say whose middle is {x} pixels from the left edge and {y} pixels from the upper edge? {size}",
            kind.name()
        ),
        Asked::Count(Kind::Image) => format!(
            "How many images, drawings and videos can at least partly be seen on {name}? Backgrounds do not count."
        ),
        Asked::Count(kind) => format!("How many {}s can at least partly be seen on {name}?", kind.name()),
        Asked::Background(text) => {
            format!("On {name}, which background colour does \"{text}\" have, as #rrggbb?")
        }
        Asked::Inside(text, [left, top, wide, high]) => format!(
            "On {name}, is \"{text}\" completely inside of the area that begins {left} pixels from the left edge and {top} pixels from \
             the upper edge, and is {wide} pixels wide and {high} pixels high? {size}"
        ),
    }
}
