//! Marks at the parts of a request: what a stored ask that left each out says of them.

use crate::model::EpisodeView;
use mageyard_dialog::LeftOut;
use mageyard_study::PartMark;

/// How far the answers without a part are, with a sign for the test, such as ` ≠.88`; empty if that was not asked.
pub(super) fn sign(viewed: &EpisodeView, step: u32, part: LeftOut) -> String {
    viewed.left_out_mark(step, part).map_or_else(String::new, |mark| format!(" {}", short(mark)))
}

/// The same in words.
pub(super) fn words(viewed: &EpisodeView, step: u32, part: LeftOut) -> String {
    let words = |mark: &PartMark| format!(" (without it {}, distance {:.2})", verdict(mark), mark.distance);
    viewed.left_out_mark(step, part).map_or_else(String::new, words)
}

/// What is shown at a part of the request of a step in the request dialog.
pub(crate) fn part_note(viewed: &EpisodeView, step: u32, part: LeftOut) -> String {
    let note = |mark: &PartMark| format!("  {} without it {}", short(mark), verdict(mark));
    viewed.left_out_mark(step, part).map_or_else(String::new, note)
}

/// What the signs mean, and the pairs and the segments, which have no row.
pub(super) fn legend(viewed: &EpisodeView, step: u32) -> Vec<String> {
    let marks = || viewed.left_out_marks.iter().filter(|mark| mark.step == step);
    if marks().next().is_none() {
        return Vec::new();
    }
    let segment = |mark: &PartMark| match mark.part {
        LeftOut::Segment(segment) => Some(format!("{segment} {}", short(mark))),
        LeftOut::Row(_) | LeftOut::Frame(_) | LeftOut::RowPair(_) | LeftOut::FramePair(_) => None,
    };
    let pair = |mark: &PartMark| {
        let is_pair = matches!(mark.part, LeftOut::RowPair(_) | LeftOut::FramePair(_));
        is_pair.then(|| format!("{} {}", mark.part, short(mark)))
    };
    let segments: Vec<String> = marks().filter_map(segment).collect();
    let pairs: Vec<String> = marks().filter_map(pair).collect();
    let mut lines = vec![
        "asked without it: distance of the answers, ≠ they differ, ≈ inside noise, ~ not tested".to_owned(),
    ];
    lines.extend((!pairs.is_empty()).then(|| format!("together: {}", pairs.join(", "))));
    lines.extend((!segments.is_empty()).then(|| format!("segments: {}", segments.join(", "))));
    lines
}

/// `≠.88`: five columns at most with the blank before it, so that it fits into the columns of the table.
fn short(mark: &PartMark) -> String {
    let sign = match mark.is_different {
        Some(true) => '≠',
        Some(false) => '≈',
        None => '~',
    };
    let distance = format!("{:.2}", mark.distance);
    match distance.strip_prefix('0') {
        Some(fraction) => format!("{sign}{fraction}"),
        None => format!("{sign}{:.1}", mark.distance),
    }
}

fn verdict(mark: &PartMark) -> &'static str {
    match mark.is_different {
        Some(true) => "the answers differ",
        Some(false) => "the answers differ no more than by chance",
        None => "the answers were not tested",
    }
}
