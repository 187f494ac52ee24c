//! Where the points of a page went, as rows for people.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use super::aes::{AttributePart, PageScore};
use super::details::{Details, PairDetails, StateDetails, UnmatchedDetails};
use mageyard_domain::ScoreRow;

/// The score, what was lost by its kind, each sub-page with its pairs, and how the pages were rendered.
pub(super) fn score_rows(details: &Details) -> Vec<ScoreRow> {
    let result = &details.result;
    let score = ScoreRow::new("AES", points(result.aes)).with_share(result.aes);
    let mut rows = vec![score, losses(details)];
    let pages = result.pages.iter().zip(&details.states).enumerate();
    rows.extend(pages.map(|(index, (page, state))| page_row(index, page, state)));
    rows.push(rendering(details));
    rows
}

/// A share as points of 100.
fn points(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// Points that were lost.
fn lost(points: f64) -> String {
    // Less than half of what is shown is nothing.
    if points.abs() < 0.005 { "0".to_owned() } else { format!("{:+.2}", -points).replace('-', "−") }
}

fn losses(details: &Details) -> ScoreRow {
    let losses = &details.result.losses;
    let kinds = [
        ("no code (Par)", losses.par),
        ("not rendered (Ren)", losses.ren),
        ("interactions (Act)", losses.act),
        ("unmatched", losses.unmatched),
        ("position", losses.position),
        ("attributes", losses.attributes),
    ];
    let rows = kinds.map(|(name, share)| ScoreRow::new(name, lost(100.0 * share)).with_share(share));
    ScoreRow::new("lost", lost(100.0 * losses.sum())).with_share(losses.sum()).with_rows(rows.to_vec())
}

/// A sub-page: its pairs, those that cost most first, then the targets without a match.
fn page_row(index: usize, page: &PageScore, state: &StateDetails) -> ScoreRow {
    let note = counts(page);
    let note = state.fault.as_ref().map_or(note.clone(), |fault| format!("{fault}; {note}"));
    let mut pairs: Vec<_> = state.pairs.iter().enumerate().collect();
    pairs.sort_by(|(_, one), (_, other)| other.lost.total_cmp(&one.lost));
    let pairs = pairs.into_iter().map(|(pair, details)| pair_row(details).about(index, pair));
    let unmatched = state.unmatched.iter().enumerate();
    let unmatched = unmatched.map(|(at, one)| unmatched_row(one).about(index, state.pairs.len() + at));
    ScoreRow::new(&*state.name, points(page.aes))
        .with_share(page.aes)
        .with_note(note)
        .with_rows(pairs.chain(unmatched).collect())
}

/// How many targets have a match, and what became of the others.
fn counts(page: &PageScore) -> String {
    let others =
        [(page.zero, "count 0"), (page.dropped, "not counted")].into_iter().filter(|(count, _)| *count > 0);
    others.fold(format!("{} of {} matched", page.matched, page.targets), |text, (count, what)| {
        format!("{text}, {count} {what}")
    })
}

/// A pair: what its position and each of its attributes cost.
fn pair_row(pair: &PairDetails) -> ScoreRow {
    let explanation = &pair.explanation;
    let missing = 1.0 - explanation.score;
    // The parts are shares of the score of the pair.
    let unit = if missing == 0.0 { 0.0 } else { pair.lost / missing };
    let position = explanation.position;
    let [target, generated] = [pair.target.area, pair.generated.area].map(area);
    let place = ScoreRow::new("position", lost(unit * position.lost))
        .with_note(format!("{target} → {generated}, alike {:.3}", position.value));
    let attributes = explanation.attributes.iter().map(|part| attribute_row(part, unit));
    let rows = std::iter::once(place).chain(attributes).collect();
    ScoreRow::new(&*pair.target.name, lost(pair.lost))
        .with_share(explanation.score)
        .with_note(if pair.target.name == pair.generated.name {
            String::new()
        } else {
            format!("matched with {}", pair.generated.name)
        })
        .with_rows(rows)
}

fn area([left, top, width, height]: [f64; 4]) -> String {
    format!("{width:.0}×{height:.0} at ({left:.0}, {top:.0})")
}

/// The target's value and the generated one.
fn attribute_row(part: &AttributePart, unit: f64) -> ScoreRow {
    let name = match &part.shorthand {
        Some(shorthand) => format!("{} ({shorthand})", part.name),
        None => part.name.clone(),
    };
    let (value, alike) = match part.value {
        Some(value) => (lost(unit * part.lost), format!(", alike {value:.3}")),
        None => ("not counted".to_owned(), String::new()),
    };
    let values = if part.target == part.generated {
        part.target.clone()
    } else {
        format!("{} → {}", part.target, part.generated)
    };
    ScoreRow::new(name, value).with_note(format!("{values}{alike}"))
}

fn unmatched_row(unmatched: &UnmatchedDetails) -> ScoreRow {
    let value = if unmatched.counts { "counts 0" } else { "not counted" };
    ScoreRow::new(&*unmatched.target.name, value).with_note("no match")
}

/// What the score depends on.
fn rendering(details: &Details) -> ScoreRow {
    let result = &details.result;
    let [width, height] = result.rendering.viewport;
    let mut rows = vec![
        ScoreRow::new("rules", &*result.mode).with_note(result.flags.join(", ")),
        ScoreRow::new("viewport", format!("{width}×{height}")),
        ScoreRow::new("waits", &*details.waits),
        ScoreRow::new("target", &*details.target),
        ScoreRow::new("browser", "").with_note(&*result.rendering.browser),
        ScoreRow::new("fonts", "").with_note(result.rendering.fonts.join("; ")),
    ];
    let refused = details.target_blocked.iter().map(|url| ("target", url));
    let refused = refused.chain(details.generated_blocked.iter().map(|url| ("page", url)));
    rows.extend(refused.map(|(side, url)| ScoreRow::new("refused request", side).with_note(&**url)));
    ScoreRow::new("rendering", "").with_rows(rows)
}
