//! What the map of AM and OM shows, as plain data.

/// What the finished episodes of a sweep say, beside the counts of its cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepScores {
    /// The maps of AM and OM; none if the sweep has none.
    pub maps: Vec<ScoreMap>,
    /// Which cells differ from the reference, a sentence for each reference.
    pub findings: Vec<String>,
    /// The difference of each cell from its reference, by the index of the cell.
    pub differences: Vec<Option<CellDifference>>,
}

/// The paired difference of a cell from its reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellDifference {
    /// The mean, in points; 0 of the reference itself.
    pub points: f64,
    /// Whether it is noise, or which way it differs, as one character.
    pub sign: char,
}

/// A map of mean scores: a row per AM, a column per OM.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreMap {
    /// What tells it from other maps of the sweep, such as the prompt; empty if it is the only one.
    pub name: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the rows, with a place for each column.
    pub rows: Vec<(String, Vec<MapSquare>)>,
    /// Which places differ from the reference, a sentence for each reference.
    pub findings: Vec<String>,
    /// Scores to compare with, in one line; empty if there are none.
    pub baselines: String,
}

/// A place of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapSquare {
    /// The indexes of its cells in the sweep; several if they differ only in what does not change the condition, such as
    /// the seed.
    pub cells: Vec<usize>,
    /// What it shows.
    pub content: PlaceContent,
}

/// What a place of a map shows.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceContent {
    /// The score of finished episodes.
    Score(PlaceScore),
    /// Its cells have no finished episode yet.
    NoScore,
    /// It cannot be played: why.
    Struck(String),
    /// The sweep does not have it.
    Absent,
}

/// A score in a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaceScore {
    /// The mean.
    pub score: String,
    /// The same as a number, for places in which it has fewer digits.
    pub mean: f64,
    /// Its interval.
    pub interval: String,
    /// The finished episodes.
    pub episodes: usize,
    /// The difference from the reference, in words; empty if there is none.
    pub verdict: String,
    /// The same without words, for narrow places.
    pub short_verdict: String,
    /// The same as one character.
    pub sign: char,
    /// A character that covers more for a higher score.
    pub shade: char,
    /// Everything in one line: standard error, interval, episodes, paired difference and what it is compared with.
    pub details: String,
}

impl ScoreMap {
    /// The place in this row and column.
    pub(super) fn place(&self, (row, column): (usize, usize)) -> Option<&MapSquare> {
        self.rows.get(row)?.1.get(column)
    }

    /// The row and column of a cell.
    pub(super) fn find(&self, cell: usize) -> Option<(usize, usize)> {
        let column = |places: &[MapSquare]| places.iter().position(|place| place.cells.contains(&cell));
        self.rows.iter().enumerate().find_map(|(row, (_, places))| Some((row, column(places)?)))
    }
}
