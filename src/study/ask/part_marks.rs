//! What the stored asks that leave out parts say of the parts of the requests of an episode: how far the answers without each
//! are from those to the complete request.

use std::path::Path;

use super::folder::asks_without_parts;
use super::record::Variant;
use super::row::VariantRow;
use super::table::AskTable;
use mageyard_dialog::LeftOut;
use mageyard_domain::Prices;
use mageyard_lab::LabError;

/// What an ask says of a part of the request of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct PartMark {
    /// The step whose request has the part.
    pub step: u32,
    /// The part.
    pub part: LeftOut,
    /// How far the answers without it are, from 0 to 1.
    pub distance: f64,
    /// Whether they differ by the test; `None` if nothing was tested.
    pub is_different: Option<bool>,
    /// How many replies there are without it.
    pub replies: usize,
}

/// The marks of all requests of the episode or the branch of this journal. Of several asks about a part, that with the most
/// replies counts, and of these the last by name.
pub fn part_marks(journal: &Path) -> Result<Vec<PartMark>, LabError> {
    let mut marks: Vec<PartMark> = Vec::new();
    for ask in asks_without_parts(journal)? {
        let table = AskTable::of(&ask.record, &ask.calls, &Prices::default());
        let mark = |(index, variant, row): (usize, &Variant, &VariantRow)| {
            let is_different = table.against_complete(index).map(|found| found.test.is_different());
            let part = variant.left_out?;
            let distance = row.distance?;
            Some(PartMark { step: ask.record.step, part, distance, is_different, replies: row.replies })
        };
        for mark in table.shown(&ask.record).filter_map(mark) {
            add(&mut marks, mark);
        }
    }
    Ok(marks)
}

fn add(marks: &mut Vec<PartMark>, mark: PartMark) {
    match marks.iter_mut().find(|known| (known.step, known.part) == (mark.step, mark.part)) {
        Some(known) if known.replies <= mark.replies => *known = mark,
        Some(_) => {}
        None => marks.push(mark),
    }
}
