//! Speed of the element score: reading snapshots and comparing them; and with a browser, where there is one.

#![allow(clippy::expect_used, clippy::print_stdout, missing_docs, reason = "a benchmark may panic and print")]

#[path = "webui/browser.rs"]
mod browser;

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mageyard::envs::webui::aes::{Rules, compare, explain};
use mageyard::envs::webui::snapshot::{Element, PROPERTIES, Snapshot};

/// Targets and shown elements of the pages: a small one, a usual one, and the largest of the benchmark.
const SIZES: [(usize, usize); 3] = [(12, 20), (20, 30), (60, 73)];
const FILTERS: [&str; 5] = ["text", "color", "background-color", "width", "class"];
const EVALBY: &str =
    "has_text|text|color|background-color|font-size|font-family|border-radius|border|box-shadow|width|height";

fn style(name: &str, index: usize) -> String {
    let shade = index * 37 % 256;
    match name {
        "background" => format!("rgb({shade}, 0, 0) none repeat scroll 0% 0% / auto padding-box border-box"),
        "box-shadow" => format!("rgb({shade}, 0, 0) 1px 2px {}px 0px", index % 7),
        "background-image" | "text-shadow" => "none".to_owned(),
        "font-family" => "Arial, \"DejaVu Sans\", sans-serif".to_owned(),
        _ if name.ends_with("color") => format!("rgba({shade}, 102, 153, 1)"),
        _ if name.ends_with("style") => "solid".to_owned(),
        _ if name.ends_with("width") || name.ends_with("radius") => format!("{}px", index % 13),
        _ => format!("{}px", 8 + index % 5),
    }
}

/// An element of a page with several columns; every seventh has a long text.
#[allow(clippy::cast_precision_loss, reason = "there are few elements")]
fn element(index: usize, shift: f64) -> Element {
    let words = if index.is_multiple_of(7) { 24 } else { 3 };
    let text: Vec<String> = (0..words).map(|word| format!("word{}", index + word)).collect();
    Element {
        tag: "div".to_owned(),
        id: String::new(),
        x: (index % 4) as f64 * 300.0 + shift,
        y: (index / 4) as f64 * 80.0,
        w: 280.0,
        h: 60.0 + (index % 3) as f64,
        descendants: u32::from(index.is_multiple_of(5)),
        class: format!("item item-{}", index % 9),
        filter: None,
        evalby: None,
        text: text.join(" "),
        styles: PROPERTIES.iter().map(|name| style(name, index)).collect(),
        shown: true,
        attributes: BTreeMap::new(),
        html: String::new(),
    }
}

fn target(index: usize) -> Element {
    let filter = FILTERS.get(index % FILTERS.len()).map(|name| (*name).to_owned());
    Element { filter, evalby: Some(EVALBY.to_owned()), ..element(index, 0.0) }
}

fn page(elements: Vec<Element>) -> Snapshot {
    Snapshot {
        viewport: [1920.0, 937.0],
        document: [1905.0, 2000.0],
        base: "file:///page/".to_owned(),
        properties: PROPERTIES.map(str::to_owned).to_vec(),
        elements,
    }
}

fn pages((targets, shown): (usize, usize)) -> (Snapshot, Snapshot) {
    let generated = (0..shown).rev().map(|index| element(index, 3.5)).collect();
    (page((0..targets).map(target).collect()), page(generated))
}

/// The score of a sub-page in both modes. The largest has to take less than a millisecond.
fn score(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("aes");
    for size in SIZES {
        let (target, generated) = pages(size);
        for rules in [Rules::released(), Rules::paper()] {
            let name = format!("{} x {}/{}", size.0, size.1, rules.mode());
            group.bench_function(name, |bench| {
                bench.iter(|| compare(black_box(&target), black_box(&generated), rules));
            });
        }
    }
    group.finish();
}

/// The explanation of all pairs of the largest page.
fn explanation(criterion: &mut Criterion) {
    let (target, generated) = pages(SIZES[2]);
    let pairs = compare(&target, &generated, Rules::released()).pairs;
    criterion.bench_function("explain/60 x 73", |bench| {
        bench.iter(|| {
            let explain = |one: &mageyard::envs::webui::aes::Pair| {
                explain(&target, &generated, (one.target, one.generated), Rules::released())
            };
            pairs.iter().filter_map(explain).count()
        });
    });
}

fn json(page: &Snapshot) -> String {
    let elements: Vec<serde_json::Value> = page.elements.iter().map(element_json).collect();
    serde_json::json!({
        "version": 1, "viewport": page.viewport, "document": page.document, "base": page.base,
        "properties": page.properties, "elements": elements, "limit": null,
    })
    .to_string()
}

fn element_json(one: &Element) -> serde_json::Value {
    serde_json::json!({
        "tag": one.tag, "id": one.id, "x": one.x, "y": one.y, "w": one.w, "h": one.h,
        "descendants": one.descendants, "class": one.class, "filter": one.filter, "evalby": one.evalby,
        "text": one.text, "styles": one.styles,
    })
}

/// Reading the text of a snapshot.
fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("snapshot");
    for size in SIZES {
        let text = json(&pages(size).1);
        group.throughput(Throughput::Bytes(text.len().try_into().unwrap_or(u64::MAX)));
        group.bench_function(format!("{} elements", size.1), |bench| {
            bench.iter(|| Snapshot::parse(black_box(&text)));
        });
    }
    group.finish();
}

criterion_group!(benches, score, explanation, parse, browser::browser);
criterion_main!(benches);
