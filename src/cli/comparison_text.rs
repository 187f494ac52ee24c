//! Shares and comparisons of variants as text for people.

use super::output::count_noun;
use mageyard_lab::ModelAt;
use mageyard_statistics::Verdict;
use mageyard_study::{Share, StruckVariant, VariantComparison};

/// The most comparisons that are printed; JSON has all.
const MOST_COMPARISONS: usize = 15;

/// `60 % (23–88)`.
pub fn share(share: Share) -> String {
    let ends = share.interval.map(|ends| format!(" ({:.0}–{:.0})", 100.0 * ends.low, 100.0 * ends.high));
    format!("{}{}", percent(share.value()), ends.unwrap_or_default())
}

/// The share and the ends of its interval, from 0 to 1, as a bar shows them.
pub fn bar_ends(share: Share) -> [f64; 3] {
    let ends = share.interval.map_or((0.0, 0.0), |ends| (ends.low, ends.high));
    [share.value().unwrap_or_default(), ends.0, ends.1]
}

/// `60 %`.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

/// What is not possible, with the reason.
pub(super) fn struck_line(struck: &StruckVariant) -> String {
    let StruckVariant { prompt, am, om, model, left_out, why } = struck;
    let window = format!("AM={am} OM={om}");
    let part = left_out.map(|part| format!("without {part}"));
    let model = model.as_ref().map(ModelAt::label);
    let names = [prompt.as_ref(), model.as_ref()]
        .into_iter()
        .flatten()
        .chain([&window])
        .chain(&part)
        .map(String::as_str);
    format!("not possible: {}: {why}", names.collect::<Vec<_>>().join(" "))
}

/// `variant 2 minus 1`.
pub(super) fn pair_of_variants(comparison: &VariantComparison) -> String {
    let (first, second) = comparison.variants;
    format!("variant {} minus {}", second + 1, first + 1)
}

/// How many of the comparisons differ, and each of the surest ones. `which` names what is compared.
pub(super) fn comparison_lines(
    comparisons: &[VariantComparison],
    nouns: (&str, &str),
    which: &dyn Fn(&VariantComparison) -> String,
) -> Vec<String> {
    if comparisons.is_empty() {
        return Vec::new();
    }
    let different = comparisons.iter().filter(|comparison| comparison.is_different()).count();
    let pairs = count_noun(comparisons.len(), nouns.0, nouns.1);
    let head = format!("{different} of {pairs} differ (Fisher's exact test, corrected by Holm, level 5 %):");
    let line = |comparison: &VariantComparison| {
        let VariantComparison { difference, p, corrected, .. } = comparison;
        let verdict = verdict_text(comparison);
        format!(
            "  {}: {:+.0} points, p {}, corrected {}: {verdict}",
            which(comparison),
            100.0 * difference,
            probability(*p),
            probability(*corrected)
        )
    };
    let shown = comparisons.iter().take(MOST_COMPARISONS).map(line);
    let rest = comparisons.len().saturating_sub(MOST_COMPARISONS);
    let more = (rest > 0).then(|| format!("  {rest} more {}, less sure; --json has all", nouns.1));
    std::iter::once(head).chain(shown).chain(more).collect()
}

/// The verdict, with what could have been seen.
fn verdict_text(comparison: &VariantComparison) -> String {
    let visible = comparison.smallest_visible.unwrap_or_default();
    match comparison.verdict() {
        Verdict::Different => Verdict::Different.text().to_owned(),
        Verdict::InsideNoise => format!("inside noise (visible from {:.0} points)", 100.0 * visible),
        Verdict::TooFew => "too few replies to show any difference".to_owned(),
    }
}

/// Three decimals; a smaller value is not zero.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
