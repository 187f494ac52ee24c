//! The state of the list of steps that a search of everything stored has found.

use crate::requests::{FindProgress, FoundRow};
use mageyard_config::Problem;

/// The most steps that are listed.
pub(crate) const MAX_FOUND: usize = 10_000;

/// The list, which grows while it is searched.
#[derive(Clone, Debug)]
pub(crate) struct FoundList {
    /// What is listed.
    pub(crate) title: String,
    rows: Vec<FoundRow>,
    selected: usize,
    /// How many episodes were searched.
    pub(crate) episodes: usize,
    /// Why something could not be judged, the newest.
    pub(crate) unknown: Option<String>,
    /// How the search ended; `None` while it goes on.
    pub(crate) end: Option<FindEnd>,
    /// Whether a recording is being opened.
    pub(crate) is_opening: bool,
    /// The name that is typed for a suite of the found steps.
    pub(crate) suite: Option<String>,
    /// Whether that suite is being written.
    pub(crate) is_collecting: bool,
    /// What was said last.
    pub(crate) said: Option<String>,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FindEnd {
    /// Everything was searched.
    Complete,
    /// The list is full.
    Full,
    /// It was stopped.
    Stopped,
    /// It was refused.
    Failed(Problem),
}

impl FoundList {
    /// The steps that meet a condition.
    pub(crate) fn new(condition: &str) -> Self {
        Self::titled(format!("Steps with {condition}"))
    }

    /// The steps of a session, a sweep or a cell that meet a condition.
    pub(crate) fn within(condition: &str, scope: &str) -> Self {
        Self::titled(format!("Steps with {condition} in {scope}"))
    }

    /// What each repeat did at the step at which they part.
    pub(crate) fn of_repeats() -> Self {
        Self::titled("Where the repeats of a level part".to_owned())
    }

    fn titled(title: String) -> Self {
        Self {
            title,
            rows: Vec::new(),
            selected: 0,
            episodes: 0,
            unknown: None,
            end: None,
            is_opening: false,
            suite: None,
            is_collecting: false,
            said: None,
        }
    }

    pub(crate) fn rows(&self) -> &[FoundRow] {
        &self.rows
    }

    /// Whether the search goes on.
    pub(crate) fn is_searching(&self) -> bool {
        self.end.is_none()
    }

    /// Takes what was found. What comes after the end counts no more.
    pub(crate) fn add(&mut self, progress: FindProgress) {
        match progress {
            _ if self.end.is_some() => {}
            FindProgress::Unknown(why) => self.unknown = Some(why),
            FindProgress::Ended(Ok(())) => self.end = Some(FindEnd::Complete),
            FindProgress::Ended(Err(problem)) => self.end = Some(FindEnd::Failed(problem)),
            FindProgress::Steps(rows) => {
                self.episodes += 1;
                let room = MAX_FOUND - self.rows.len();
                self.end = (rows.len() > room).then_some(FindEnd::Full);
                self.rows.extend(rows.into_iter().take(room));
            }
        }
    }

    /// The index of the selected row.
    pub(crate) fn selected(&self) -> usize {
        self.selected.min(self.rows.len().saturating_sub(1))
    }

    /// Moves the selection; it stops at both ends.
    pub(crate) fn select_by(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.selected = self.selected().saturating_add_signed(by).min(last);
    }

    /// The selected step.
    pub(crate) fn selected_row(&self) -> Option<&FoundRow> {
        self.rows.get(self.selected())
    }
}
