//! Reports of what a person does in a page: a function of this program listens in each document and sends texts.
//!
//! It runs in a world of its own, which scripts of pages cannot enter. The binding that it sends with exists in that world
//! only, so a page can neither find it nor call it. Whether an event is that of a person, the function decides.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::events::read;

/// The world that the function runs in. It is another one than that in which pages are read.
const WORLD: &str = "mageyard-listener";

/// What the binding is called in that world.
const BINDING: &str = "mageyardReport";

/// Calls the function with its argument. What it sends before the binding is there waits for it.
const CALL: &str = "function (listen, argument, binding) {
    const waiting = [];
    const flush = () => {
        const report = globalThis[binding];
        if (typeof report !== 'function') return void setTimeout(flush, 20);
        while (waiting.length > 0) report(waiting.shift());
    };
    listen(argument, (text) => {
        waiting.push(text);
        flush();
    });
}";

/// The reports that are kept until they are taken.
const MOST_REPORTS: usize = 1_000;

/// The most bytes of one report, and of all that are kept.
const MOST_BYTES: usize = 256 << 10;
const MOST_BYTES_KEPT: usize = 16 << 20;

/// A function that listens in each document of a session from its beginning, those of frames included.
#[derive(Clone, Debug)]
pub struct PageListener {
    /// The source of a JavaScript function of this program, never text of a page or a model. It is called with the
    /// argument and with a function that sends a text.
    pub function: &'static str,
    /// What it is called with, as data.
    pub argument: Value,
}

/// What a listener has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageReport {
    /// The number of the tab.
    pub tab: u32,
    /// The address of the main document of the tab when the report arrived.
    pub address: String,
    /// The text, which may have texts of the page.
    pub text: String,
}

impl PageListener {
    /// The orders with which a tab or a frame gets the listener. Its argument becomes a literal: JSON is JavaScript.
    pub(super) fn orders(&self) -> [(&'static str, Value); 2] {
        let Self { function, argument } = self;
        let source = format!("({CALL})({function}\n, {argument}, '{BINDING}')");
        [
            bind(),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": source, "worldName": WORLD, "runImmediately": true }),
            ),
        ]
    }
}

/// The order that gives the binding to the documents that are there. Only with `Runtime.enable`, which pages can notice, would
/// new ones get it by themselves, so it is sent for each.
pub(super) fn bind() -> (&'static str, Value) {
    ("Runtime.addBinding", json!({ "name": BINDING, "executionContextName": WORLD }))
}

#[derive(Deserialize)]
struct Called {
    name: String,
    payload: String,
}

/// The text of an event, if it is a report.
pub(super) fn report(params: &RawValue) -> Option<String> {
    read::<Called>(params).filter(|called| called.name == BINDING).map(|called| called.payload)
}

/// The reports that have not been taken.
#[derive(Debug, Default)]
pub(super) struct Reports {
    kept: VecDeque<PageReport>,
    bytes: usize,
    left_out: u64,
}

impl Reports {
    /// Adds one, unless it is too long or too many are kept; then it is counted.
    pub(super) fn add(&mut self, report: PageReport) {
        let bytes = report.text.len();
        let fits = bytes <= MOST_BYTES && self.bytes + bytes <= MOST_BYTES_KEPT;
        if !fits || self.kept.len() >= MOST_REPORTS {
            self.left_out += 1;
            return;
        }
        self.bytes += bytes;
        self.kept.push_back(report);
    }

    /// Takes them, and the number of those that were left out.
    pub(super) fn take(&mut self) -> (Vec<PageReport>, u64) {
        let Self { kept, left_out, .. } = std::mem::take(self);
        (kept.into(), left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report_of(length: usize) -> PageReport {
        PageReport { tab: 1, address: String::new(), text: "x".repeat(length) }
    }

    #[test]
    fn what_is_too_long_or_too_much_is_counted() {
        let mut reports = Reports::default();
        reports.add(report_of(MOST_BYTES));
        reports.add(report_of(MOST_BYTES + 1));
        for _ in 0..MOST_REPORTS + 4 {
            reports.add(report_of(1));
        }
        let (kept, left_out) = reports.take();
        assert_eq!((kept.len(), left_out), (MOST_REPORTS, 6));
        for _ in 0..100 {
            reports.add(report_of(MOST_BYTES));
        }
        let (kept, left_out) = reports.take();
        assert_eq!((kept.len(), left_out), (64, 36), "16 MiB");
        assert_eq!(reports.take(), (Vec::new(), 0));
    }

    #[test]
    fn only_calls_of_the_binding_are_reports() {
        let params = |name: &str| {
            let params = json!({ "name": name, "payload": "text", "executionContextId": 3 });
            serde_json::value::to_raw_value(&params).unwrap()
        };
        assert_eq!(report(&params(BINDING)), Some("text".to_owned()));
        assert_eq!(report(&params("another")), None);
    }

    #[test]
    fn the_argument_is_a_literal() {
        let argument = json!({ "paths": ["a[title=\"'\u{2028}</script>\"]"] });
        let listener = PageListener { function: "function (argument, report) {}", argument };
        let [_, (_, order)] = listener.orders();
        let source = order["source"].as_str().unwrap();
        assert!(source.contains(r#"{"paths":["a[title=\"'"#), "{source}");
    }
}
