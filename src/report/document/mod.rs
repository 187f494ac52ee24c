//! A report as data: tables, maps and curves in their order. It is made once; each format only writes it.

mod html;
mod latex;
mod markdown;
mod svg;

use unicode_width::UnicodeWidthStr;

pub use self::html::write as html;
pub use self::latex::write as latex;
pub use self::markdown::write as markdown;

/// Rows of cells, the titles first.
pub type Rows = Vec<Vec<String>>;

/// A report.
pub struct Document {
    /// What all rows have in common, in one line.
    pub common: String,
    /// What the differences say, a sentence for each reference.
    pub findings: Vec<String>,
    /// The parts in their order.
    pub sections: Vec<Section>,
    /// The definitions below them, a line each.
    pub notes: Vec<String>,
}

/// A part of a report with its notes.
pub struct Section {
    /// The title.
    pub title: String,
    /// Whether its content says without a title what it is; then the terminal shows none.
    pub explains_itself: bool,
    /// What it shows.
    pub block: Block,
    /// Pictures of it, for formats that can have some.
    pub pictures: Vec<Intervals>,
    /// Lines below it.
    pub notes: Vec<String>,
}

/// What a part shows.
pub enum Block {
    /// A table.
    Table(Table),
    /// A map of scores by memory window.
    Map(Map),
    /// Curves.
    Curves(Curves),
}

/// The columns between two columns of a table in a terminal.
const GAP: usize = 2;

/// A table.
pub struct Table {
    /// The titles, then the rows.
    pub rows: Rows,
    /// How many of the first columns name the row.
    pub names: usize,
}

impl Table {
    /// The columns of a terminal that it takes.
    pub fn width(&self) -> usize {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let width = |column: usize| cells(column).map(|cell| cell.width()).max().unwrap_or(0) + GAP;
        (0..count).map(width).sum()
    }
}

/// A map of scores: a row per AM, a column per OM.
pub struct Map {
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows with their titles.
    pub rows: Vec<(String, Vec<MapCell>)>,
}

/// A place of a map.
pub enum MapCell {
    /// Episodes with this window.
    Score(MapScore),
    /// No episode has this window.
    NotRun,
    /// No episode can have this window.
    Struck,
}

/// A score in a map.
pub struct MapScore {
    /// The mean score, as a text.
    pub score: String,
    /// Its confidence interval, as a text.
    pub interval: String,
    /// The difference from the reference in words.
    pub verdict: String,
    /// The same as one character.
    pub sign: char,
    /// From 0, the lowest score of the map, to 4, the highest.
    pub shade: usize,
}

/// The shades of a map, from the lowest score to the highest.
pub const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];

/// Curves over whole numbers.
pub struct Curves {
    /// What the numbers count.
    pub x: &'static str,
    /// The first of them.
    pub first: usize,
    /// The curves.
    pub lines: Vec<Curve>,
    /// Values that do not depend on the number: names and values.
    pub levels: Vec<(String, f64)>,
}

/// A curve with its band.
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points, one for each number.
    pub points: Vec<CurvePoint>,
}

/// A point of a curve.
pub struct CurvePoint {
    /// The value.
    pub y: f64,
    /// The ends of the band.
    pub band: Option<(f64, f64)>,
}

/// Means with their intervals.
pub struct Intervals {
    /// What they are.
    pub title: String,
    /// The means.
    pub rows: Vec<MeanInterval>,
    /// Values to compare with: names and values.
    pub levels: Vec<(String, f64)>,
}

/// A mean with the ends of its interval.
pub struct MeanInterval {
    /// What it is the mean of.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// The ends of its interval, if it has one.
    pub interval: Option<(f64, f64)>,
}

impl Section {
    /// A table, unless it has only titles.
    pub fn table(title: &str, explains_itself: bool, table: Table) -> Option<Self> {
        let section = Self { explains_itself, ..Self::new(title.to_owned(), Block::Table(table)) };
        matches!(&section.block, Block::Table(table) if table.rows.len() > 1).then_some(section)
    }

    /// A part with a title in every format.
    pub fn new(title: String, block: Block) -> Self {
        Self { title, explains_itself: false, block, pictures: Vec::new(), notes: Vec::new() }
    }

    /// The part with these notes.
    #[must_use]
    pub fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }
}

impl Map {
    /// The map as a table, with a shade, the score and a sign in each cell.
    pub fn to_table(&self) -> Table {
        let cell = |cell: &MapCell| match cell {
            MapCell::Score(found) => {
                format!("{} {} {} {}", SHADES[found.shade.min(4)], found.score, found.interval, found.sign)
            }
            MapCell::NotRun => "– not run".to_owned(),
            MapCell::Struck => "× struck out".to_owned(),
        };
        let head = std::iter::once(String::new()).chain(self.columns.iter().cloned()).collect();
        let row = |(name, cells): &(String, Vec<MapCell>)| {
            std::iter::once(name.clone()).chain(cells.iter().map(cell)).collect()
        };
        Table { rows: std::iter::once(head).chain(self.rows.iter().map(row)).collect(), names: 1 }
    }
}

impl Curves {
    /// The curves as a table with a column per number, or for long curves per number of about equal ratios.
    pub fn to_table(&self) -> Table {
        let most = self.lines.iter().map(|line| line.points.len()).max().unwrap_or(0);
        let shown: Vec<usize> = (1..=most).filter(|n| is_shown(*n, most)).collect();
        let numbers = shown.iter().map(|n| (n - 1 + self.first).to_string());
        let head = std::iter::once(self.x.to_owned()).chain(numbers).collect();
        let mut rows: Rows = vec![head];
        for line in &self.lines {
            let cells = shown.iter().map(|n| line.points.get(n - 1).map_or("–".to_owned(), CurvePoint::text));
            rows.push(std::iter::once(line.name.clone()).chain(cells).collect());
        }
        for (name, value) in &self.levels {
            let cells = std::iter::repeat_n(format!("{value:.2}"), shown.len());
            rows.push(std::iter::once(name.clone()).chain(cells).collect());
        }
        Table { rows, names: 1 }
    }
}

/// Whether a number has a column: all of a short curve; 1, 2, 3, 5, 10, 20, 30, 50, 100, … and the last of a long one.
fn is_shown(n: usize, most: usize) -> bool {
    let mut power = 1;
    while power * 10 <= n {
        power *= 10;
    }
    most <= 10 || n == most || [1, 2, 3, 5].iter().any(|digit| n == digit * power)
}

impl CurvePoint {
    fn text(&self) -> String {
        match self.band {
            Some((low, high)) => format!("{:.2} [{low:.2}, {high:.2}]", self.y),
            None => format!("{:.2}", self.y),
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_long_curve_has_columns_of_about_equal_ratios() {
        let shown = |most: usize| (1..=most).filter(|n| is_shown(*n, most)).collect::<Vec<_>>();
        assert_eq!(shown(4), [1, 2, 3, 4]);
        assert_eq!(shown(72), [1, 2, 3, 5, 10, 20, 30, 50, 72]);
    }
}
