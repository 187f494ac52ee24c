//! Shares and comparisons of variants in words.

use super::NONE;
use crate::{StruckVariant, VariantComparison};
use mageyard_domain::{TokenTotals, count_noun};
use mageyard_lab::ModelAt;
use mageyard_statistics::{DifferenceTest, Share, probability};

/// The most comparisons and states that are said; JSON has all.
pub(crate) const MOST_LINES: usize = 15;

/// `60 % (23–88)`.
pub fn share_words(share: Share) -> String {
    let ends = share.interval.map(|ends| format!(" ({:.0}–{:.0})", 100.0 * ends.low, 100.0 * ends.high));
    format!("{}{}", percent(share.value()), ends.unwrap_or_default())
}

/// `60 %`.
pub fn percent(share: Option<f64>) -> String {
    share.map_or(NONE.to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

/// Tokens; nothing if no request was sent.
pub(crate) fn tokens_cell(spent: TokenTotals) -> String {
    if spent.requests == 0 { NONE.to_owned() } else { spent.text() }
}

/// What is not possible, with the reason.
pub(crate) fn struck_line(struck: &StruckVariant) -> String {
    let StruckVariant { prompt, am, om, model, left_out, changes, why } = struck;
    let window = format!("AM={am} OM={om}");
    let part = left_out.map(|part| format!("without {part}"));
    let changes = Some(changes.to_string()).filter(|changes| !changes.is_empty());
    let model = model.as_ref().map(ModelAt::label);
    let names = [prompt.as_ref(), model.as_ref()]
        .into_iter()
        .flatten()
        .chain([&window])
        .chain(&part)
        .chain(&changes)
        .map(String::as_str);
    format!("not possible: {}: {why}", names.collect::<Vec<_>>().join(" "))
}

/// `variant 2 minus 1`.
pub(crate) fn pair_of_variants((first, second): (usize, usize)) -> String {
    format!("variant {} minus {}", second + 1, first + 1)
}

/// How many of the comparisons differ, and each of the surest ones. `which` names what is compared.
pub(crate) fn comparison_lines(
    comparisons: &[VariantComparison],
    nouns: (&str, &str),
    which: &dyn Fn(&VariantComparison) -> String,
) -> Vec<String> {
    let line = |comparison: &VariantComparison| {
        let points = format!("{:+.0} points", 100.0 * comparison.difference);
        let too_few = "too few replies to show any difference";
        compared_line(&which(comparison), &points, &comparison.test, too_few)
    };
    let different = comparisons.iter().filter(|comparison| comparison.test.is_different()).count();
    let by = "differ (Fisher's exact test, corrected by Holm, level 5 %)";
    compared_lines((different, by), nouns, comparisons.iter().map(line).collect())
}

/// So many differ by a test, and the lines of the surest comparisons.
pub(crate) fn compared_lines(
    (different, by): (usize, &str),
    nouns: (&str, &str),
    lines: Vec<String>,
) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    let head = format!("{different} of {} {by}:", count_noun(lines.len(), nouns.0, nouns.1));
    let rest = lines.len().saturating_sub(MOST_LINES);
    let more = (rest > 0).then(|| format!("  {rest} more {}, less sure; --json has all", nouns.1));
    std::iter::once(head).chain(lines.into_iter().take(MOST_LINES)).chain(more).collect()
}

/// Two variants, how far they are apart, and the test of it.
pub(crate) fn compared_line(which: &str, points: &str, test: &DifferenceTest, too_few: &str) -> String {
    let p = probability(test.p);
    let corrected = probability(test.corrected);
    let verdict = test.words(|visible| format!("{:.0} points", 100.0 * visible), too_few);
    format!("  {which}: {points}, p {p}, corrected {corrected}: {verdict}")
}
