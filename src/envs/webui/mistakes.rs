//! Pages that are wrong in a known way, made from the solution, for the agent `faulty`.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::sync::Arc;

use super::files::Files;
use super::oracle::solution;
use mageyard_domain::{Action, Mistakes, Observation};

/// Makes the mistakes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageMistakes;

/// A mistake: what it is, and how it changes the texts of page, styles and script. The number chooses how much.
type Mistake = (&'static str, fn([String; 3], u64) -> [Option<String>; 3]);

const MISTAKES: [Mistake; 6] = [
    ("I leave the page out, so nothing can be shown.", without_page),
    ("I rename the identifiers and classes, so interactions fail.", renamed),
    ("I leave an element out.", without_element),
    ("I move everything.", shifted),
    ("I change the colours.", recolored),
    ("I break the script.", broken_script),
];

impl Mistakes for PageMistakes {
    fn make(&self, number: u64, seen: &Observation) -> Option<(Action, String)> {
        let files = solution(seen)?;
        let kinds = MISTAKES.len() as u64;
        let (reason, change) = MISTAKES.get(usize::try_from(number % kinds).ok()?)?;
        let mut texts = [String::new(), String::new(), String::new()];
        for (kind, text) in files.written() {
            let index = super::files::KINDS.iter().position(|known| *known == kind)?;
            texts[index] = text.to_string();
        }
        let changed = change(texts, number / kinds).map(|text| text.map(Arc::from));
        Some((Files::new(changed).action(), (*reason).to_owned()))
    }
}

fn without_page([_, css, js]: [String; 3], _: u64) -> [Option<String>; 3] {
    [None, Some(css), Some(js)]
}

fn renamed([html, css, js]: [String; 3], _: u64) -> [Option<String>; 3] {
    let html = html.replace("id=\"", "id=\"other-").replace("class=\"", "class=\"other-");
    [Some(html), Some(css), Some(js)]
}

/// Without one of the elements of these tags; the number chooses it.
fn without_element([html, css, js]: [String; 3], number: u64) -> [Option<String>; 3] {
    let of_tag = |tag: &str| {
        let open = format!("<{tag}");
        let close = format!("</{tag}>");
        let begins: Vec<usize> = html.match_indices(&open).map(|(at, _)| at).collect();
        let end = |at: usize| html[at..].find(&close).map(|end| at + end + close.len());
        begins.into_iter().filter_map(|at| Some((at, end(at)?))).collect::<Vec<_>>()
    };
    let all: Vec<(usize, usize)> =
        ["h1", "h2", "button", "label", "p"].into_iter().flat_map(of_tag).collect();
    let chosen = number.checked_rem(all.len() as u64).and_then(|index| all.get(usize::try_from(index).ok()?));
    let html = chosen.map_or(html.clone(), |(from, to)| format!("{}{}", &html[..*from], &html[*to..]));
    [Some(html), Some(css), Some(js)]
}

fn shifted([html, css, js]: [String; 3], number: u64) -> [Option<String>; 3] {
    let by = 10 + number % 200;
    [
        Some(html),
        Some(format!("{css}\nbody {{ position: relative; left: {by}px; top: {by}px; }}\n")),
        Some(js),
    ]
}

fn recolored([html, css, js]: [String; 3], number: u64) -> [Option<String>; 3] {
    let [red, green, blue] = [number % 256, number / 256 % 256, number / 65_536 % 256];
    let rule = format!("* {{ color: rgb({red}, {green}, {blue}) !important; }}");
    [Some(html), Some(format!("{css}\n{rule}\n")), Some(js)]
}

fn broken_script([html, css, js]: [String; 3], _: u64) -> [Option<String>; 3] {
    [Some(html), Some(css), Some(format!("let = ;\n{js}"))]
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::files::action_space;
    use super::super::observation::ObservationBuilder;
    use super::super::solution::{SOLUTION_MEDIA, Solution};
    use super::super::task::testing::COUNTER;
    use super::super::task::{Task, levels};
    use super::*;
    use mageyard_domain::{BlobStore, MemoryBlobStore};

    #[test]
    fn every_mistake_changes_the_solution_in_its_own_way() {
        let blobs: Arc<dyn BlobStore> = Arc::new(MemoryBlobStore::default());
        let task = Task::of_level(&levels(COUNTER).unwrap()[0]).unwrap();
        let mut shown = ObservationBuilder::new(&blobs);
        let stored = serde_json::to_vec(&Solution::of_task(&task)).unwrap();
        shown.add_data(SOLUTION_MEDIA, &stored).unwrap();
        let seen = shown.finish(Value::Null);
        let right = solution(&seen).unwrap().action();
        let mut made = vec![right];
        for number in 0..12 {
            let (action, _) = PageMistakes.make(number, &seen).unwrap();
            assert_eq!(action_space().check(&action), Ok(()));
            assert!(number >= 6 || !made.contains(&action), "{number}");
            made.push(action);
        }
        let empty = ObservationBuilder::new(&blobs).finish(Value::Null);
        assert_eq!(PageMistakes.make(0, &empty), None);
    }
}
