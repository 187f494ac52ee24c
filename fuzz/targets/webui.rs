//! Snapshots of web pages and their score. Either the text of a snapshot, or lines: filter, attributes, then texts and
//! computed styles of three elements in turn.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use mageyard::envs::webui::aes::PageScore;
use mageyard::envs::webui::aes::PageStatus;
use mageyard::envs::webui::aes::PaperRule;
use mageyard::envs::webui::aes::Rules;
use mageyard::envs::webui::aes::compare;
use mageyard::envs::webui::aes::explain;
use mageyard::envs::webui::aes::failed_interaction;
use mageyard::envs::webui::aes::total;
use mageyard::envs::webui::snapshot::Element;
use mageyard::envs::webui::snapshot::PROPERTIES;
use mageyard::envs::webui::snapshot::Snapshot;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if text.starts_with('{') {
        let Ok(page) = Snapshot::parse(&text) else { return };
        return check(&page, &page);
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let target = Element {
        filter: lines.first().map(|line| (*line).to_owned()),
        evalby: lines.get(1).map(|line| (*line).to_owned()),
        ..element(&lines, 2)
    };
    let generated = vec![element(&lines, 5), element(&lines, 11)];
    check(&page(vec![target]), &page(generated));
});

/// An element whose values are the lines from one on, and again from the first.
fn element(lines: &[&str], first: usize) -> Element {
    let line = |index: usize| lines[(first + index) % lines.len()];
    let number = |index: usize| u32::try_from(line(index).len() % 400).unwrap_or_default();
    Element {
        tag: "div".to_owned(),
        id: String::new(),
        x: f64::from(number(1)),
        y: f64::from(number(2)),
        w: f64::from(number(3)),
        h: f64::from(number(4)),
        descendants: number(5),
        class: line(0).to_owned(),
        filter: None,
        evalby: None,
        text: line(1).to_owned(),
        styles: (0..PROPERTIES.len()).map(|index| line(index).to_owned()).collect(),
        shown: true,
        attributes: BTreeMap::from([("src".to_owned(), line(2).to_owned())]),
        html: String::new(),
    }
}

fn page(elements: Vec<Element>) -> Snapshot {
    Snapshot {
        viewport: [1920.0, 937.0],
        document: [1905.0, 937.0],
        base: "file:///".to_owned(),
        properties: PROPERTIES.map(str::to_owned).to_vec(),
        elements,
    }
}

fn check(target: &Snapshot, generated: &Snapshot) {
    for rules in [Rules::released(), Rules::paper()] {
        let score = compare(target, generated, rules);
        assert_eq!(score, compare(target, generated, rules), "the score is deterministic");
        check_page(&score, target, generated, rules);
        check_page(&failed_interaction(None, target, rules), target, target, rules);
    }
}

fn check_page(score: &PageScore, target: &Snapshot, generated: &Snapshot, rules: Rules) {
    let counted = score.matched + score.zero + score.dropped;
    assert!(score.status == PageStatus::TaskError || score.targets == counted, "{score:?}");
    let whole = total(std::slice::from_ref(score), rules);
    // A negative length of the target may count more than 1 as released.
    let largest = if rules.has(PaperRule::BoundedLengths) { 1.0 } else { f64::INFINITY };
    assert!((-1e-9..=largest + 1e-9).contains(&whole.aes), "{score:?}");
    assert!((whole.aes + whole.losses.sum() - 1.0).abs() <= 1e-6 * whole.aes.max(1.0), "{score:?}");
    for pair in &score.pairs {
        let explained =
            explain(target, generated, (pair.target, pair.generated), rules).expect("it was paired");
        assert_eq!(explained.score, pair.score);
    }
}
