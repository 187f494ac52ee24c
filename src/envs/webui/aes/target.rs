//! Which elements of the target are scored, and what is wrong with its annotations.

use rustc_hash::FxHashSet;

use super::super::snapshot::{Element, Snapshot};
use super::remark::Remark;
use super::rules::{PaperRule, Rules};
use super::table;
use super::table::{Kind, Meaning, Meanings};

/// Elements of a smaller area are not scored, in square pixels.
const LEAST_AREA: f64 = 0.1;
/// The most targets of a page; the assignment takes time in their square.
const MAX_TARGETS: usize = 1_000;

/// An element of the target that is scored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) index: usize,
    /// What chooses partners; nothing if every partner is as good.
    pub(super) filter: Option<Kind>,
    pub(super) weight: f64,
}

/// The targets of a page.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) targets: Vec<Target>,
    /// The shown annotated elements that are not scored.
    pub(super) dropped: Vec<usize>,
    /// How many of them are dropped because they did not change.
    pub(super) unchanged: usize,
    pub(super) remarks: Vec<Remark>,
}

impl Selection {
    /// The targets of a page; `previous` is the target page one sub-page before.
    pub(super) fn new(
        page: &Snapshot,
        previous: Option<&Snapshot>,
        meanings: &Meanings<'_>,
        rules: Rules,
    ) -> Self {
        let mut selection = Self::default();
        let known =
            previous.filter(|_| rules.has(PaperRule::SkipUnchanged)).map(known_html).unwrap_or_default();
        for (index, element) in page.elements.iter().enumerate() {
            selection.remark(meanings, index, element, rules);
            if element.filter.is_some() && is_scored(element) {
                selection.add(index, element, rules, known.contains(element.html.as_str()));
            }
        }
        if selection.targets.len() > MAX_TARGETS {
            let count = selection.targets.len();
            selection.remarks.push(Remark::TooManyTargets { count, limit: MAX_TARGETS });
        }
        selection
    }

    fn add(&mut self, index: usize, element: &Element, rules: Rules, unchanged: bool) {
        let filter = element.filter.as_deref().and_then(filter_kind);
        let kept = filter.is_some() || rules.has(PaperRule::KeepUnknownFilters);
        self.unchanged += usize::from(unchanged && kept);
        if unchanged || !kept {
            return self.dropped.push(index);
        }
        self.targets.push(Target { index, filter, weight: weight(element) });
    }

    fn remark(&mut self, meanings: &Meanings<'_>, element: usize, found: &Element, rules: Rules) {
        let kept = rules.has(PaperRule::KeepUnknownFilters);
        let remarks = &mut self.remarks;
        let name = found.filter.clone().filter(|name| filter_kind(name).is_none());
        remarks.extend(name.map(|name| Remark::UnknownFilter { element, name, kept }));
        match (&found.filter, &found.evalby) {
            (None, None) => return,
            (Some(_), None) => remarks.push(Remark::WithoutEvalby { element }),
            (None, Some(_)) => remarks.push(Remark::WithoutFilter { element }),
            (Some(_), Some(_)) => {}
        }
        if !is_scored(found) {
            remarks.push(Remark::NotShown { element });
        }
        let unknown = table::names(found).filter(|name| matches!(meanings.of(name), Meaning::Unknown));
        remarks.extend(unknown.map(|name| Remark::UnknownAttribute { element, name: name.to_owned() }));
    }
}

/// Whether an element is shown and has an area.
pub(super) fn is_scored(element: &Element) -> bool {
    element.shown && element.w * element.h > LEAST_AREA
}

fn filter_kind(name: &str) -> Option<Kind> {
    table::attribute(name).map(|attribute| attribute.kind).filter(|kind| kind.is_filter())
}

/// A little less than the area in square pixels (MageBench, supplement C.4).
fn weight(element: &Element) -> f64 {
    (element.w * element.h).powf(0.898_701_846_599_578_9)
}

fn known_html(previous: &Snapshot) -> FxHashSet<&str> {
    previous.elements.iter().map(|element| element.html.as_str()).filter(|html| !html.is_empty()).collect()
}
