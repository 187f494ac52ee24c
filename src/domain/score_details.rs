//! Where the score of an observation comes from, as rows for people. An environment says what the rows are; viewers
//! only draw them.

/// A row: a label, a value, and the rows that it consists of. Texts may come from a level or from an agent, so viewers
/// escape them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreRow {
    /// What it is, in few words.
    pub label: String,
    /// Its value as people read it, such as `94.0`; may be empty.
    pub value: String,
    /// What the value follows from, such as the two values that were compared; may be empty.
    pub note: String,
    /// Its share of the whole, from 0 to 1, if it is one.
    pub share: Option<f64>,
    /// The pair of boxes that it is about.
    pub pair: Option<PairPlace>,
    /// The rows that it consists of.
    pub rows: Vec<ScoreRow>,
}

/// Names a pair of boxes in the views of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairPlace {
    /// The index of the page.
    pub page: usize,
    /// The index among the pairs of a view with boxes.
    pub pair: usize,
}

impl ScoreRow {
    /// A row with a value.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.into(), ..Self::default() }
    }

    /// The same row as this share of the whole, from 0 to 1.
    #[must_use]
    pub fn with_share(self, share: f64) -> Self {
        Self { share: Some(share), ..self }
    }

    /// The same row with what its value follows from.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The same row about a pair of boxes.
    #[must_use]
    pub fn about(self, page: usize, pair: usize) -> Self {
        Self { pair: Some(PairPlace { page, pair }), ..self }
    }

    /// The same row consisting of these.
    #[must_use]
    pub fn with_rows(self, rows: Vec<Self>) -> Self {
        Self { rows, ..self }
    }
}
