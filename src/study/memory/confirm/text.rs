//! The comparison as text: the plan, the table, and the verdict.

use super::evaluation::{ConfirmVerdict, ConfirmedWindow, LEAST_PROBABLE, POWER};
use super::played::ConfirmSpent;
use super::study::MemoryConfirm;
use super::window::KeptWindow;
use crate::{Study, StudySort, StudyTable};
use mageyard_domain::{count_noun, with_thousands};
use mageyard_statistics::{ErrorSpending, Interval, LevelSample, Look, MarginTest, Repeat, probability};

/// What is compared, what is fixed, and what the episodes need.
pub(super) fn plan_lines(study: &MemoryConfirm) -> Vec<String> {
    let names: Vec<String> = study.windows.iter().skip(1).map(ToString::to_string).collect();
    let mut lines = vec![format!("{} is compared with {}", study.reference(), names.join("; "))];
    lines.push(episodes_line(study));
    let looks = study.design.boundaries(names.len());
    lines.extend(design_lines(study, &looks));
    lines.extend(few_differ_line(study, &looks));
    lines.extend(changed_line(study));
    lines.extend(study.needs.lines());
    lines.push(format!("the episodes are the sweep {}", study.sweep()));
    lines
}

fn episodes_line(study: &MemoryConfirm) -> String {
    let (done, all) = study.counts();
    let there = if done > 0 { format!(", {done} of them are there") } else { String::new() };
    format!(
        "{}; at most {} of episodes for each window, {all} episodes{there}",
        count_noun(study.levels, "level", "levels"),
        count_noun(whole(study.design.pairs), "pair", "pairs"),
    )
}

fn design_lines(study: &MemoryConfirm, looks: &[Look]) -> [String; 2] {
    let design = &study.design;
    let spending = match design.spending {
        ErrorSpending::ObrienFleming => "O'Brien-Fleming type",
        ErrorSpending::Pocock => "Pocock type",
    };
    let share = study.range.map_or(String::new(), |range| {
        format!(" ({} % of the range)", rounded(100.0 * design.margin / (range.high - range.low)))
    });
    let at: Vec<String> = (1..)
        .zip(looks)
        .map(|(look, found)| {
            let p = if found.nominal > 0.0 { probability(found.nominal) } else { "never".to_owned() };
            format!("{} ({p})", design.pairs_at(look))
        })
        .collect();
    [
        format!(
            "margin {}{share}; one-sided error {} % for all windows and looks together, {spending}",
            points(design.margin),
            rounded(100.0 * design.alpha)
        ),
        format!("numbers of pairs at the looks, in parentheses the p that is significant: {}", at.join(", ")),
    ]
}

/// That equal episodes do not show it, if there are too few levels for that.
fn few_differ_line(study: &MemoryConfirm, looks: &[Look]) -> Option<String> {
    let nominal = looks.last()?.nominal;
    let width = study.range.map(|range| range.high - range.low);
    let equal = |level: &str| LevelSample { level: level.to_owned(), repeat: Repeat::default(), value: 0.0 };
    let test = MarginTest::of(&[equal("1"), equal("2")], study.design.margin, width)?;
    let needed = test.levels_if_few_differ(nominal);
    if needed.is_some_and(|needed| whole(needed) <= study.levels) {
        return None;
    }
    let needed = needed.map_or("a range of scores is".to_owned(), |needed| format!("{needed} levels are"));
    Some(format!("if fewer than six levels differ, {needed} needed for this margin"))
}

/// That the error does not hold any more.
fn changed_line(study: &MemoryConfirm) -> Option<String> {
    let differences = study.earlier.as_ref()?.differences(&study.stored_design());
    (!differences.is_empty()).then(|| {
        let now = differences.join(", ");
        format!("the plan was changed after its first episodes (now {now}): the error is that of the first plan alone")
    })
}

/// The candidates with their verdicts.
pub(super) fn confirm_table(study: &MemoryConfirm) -> StudyTable {
    let results = study.results();
    let (done, all) = study.counts();
    StudyTable {
        sort: StudySort::ToEnd,
        title: "memory windows compared by whole episodes".to_owned(),
        categories: rows(study, &results),
        tail: notes(&results),
        end: end_lines(study, &results),
        done,
        all,
        ..StudyTable::default()
    }
}

fn rows(study: &MemoryConfirm, results: &[(KeptWindow, ConfirmedWindow)]) -> Vec<Vec<String>> {
    let titles = ["window", "pairs", "difference", "verdict", "tokens an episode", "saved an episode"];
    let row = |(window, found): &(KeptWindow, ConfirmedWindow)| {
        vec![
            window.to_string(),
            found.pairs.to_string(),
            difference(found),
            verdict_words(found, study.design.margin, study.levels),
            tokens(&found.spent.0),
            saved(found).unwrap_or_else(|| "–".to_owned()),
        ]
    };
    let titles = titles.map(str::to_owned).to_vec();
    let longest = results.iter().max_by_key(|(_, found)| found.spent.1.episodes);
    let reference = vec![
        format!("{} (reference)", study.reference()),
        longest.map_or(0, |(_, found)| found.spent.1.episodes).to_string(),
        "–".to_owned(),
        "–".to_owned(),
        longest.map_or("–".to_owned(), |(_, found)| tokens(&found.spent.1)),
        "–".to_owned(),
    ];
    [titles, reference].into_iter().chain(results.iter().map(row)).collect()
}

fn tokens(spent: &ConfirmSpent) -> String {
    if spent.episodes == 0 { "–".to_owned() } else { with_thousands(spent.tokens_each()) }
}

/// `-1.5 [-4.0, 1.0]`.
fn difference(found: &ConfirmedWindow) -> String {
    let Some(mean) = found.difference else { return "–".to_owned() };
    let interval =
        found.interval.map(|Interval { low, high }| format!(" [{}, {}]", decimal(low), decimal(high)));
    format!("{}{}", decimal(mean), interval.unwrap_or_default())
}

/// What is known of a candidate, in words.
fn verdict_words(found: &ConfirmedWindow, margin: f64, levels: usize) -> String {
    let margin = points(margin);
    let is_open = matches!(found.verdict, ConfirmVerdict::Futile | ConfirmVerdict::Undecided(None));
    if is_open && found.interval.is_some_and(|interval| interval.high < 0.0) {
        return format!("worse, perhaps by less than {margin}");
    }
    match found.verdict {
        ConfirmVerdict::NotWorse => format!("not worse by more than {margin}"),
        ConfirmVerdict::Worse => format!("worse by more than {margin}"),
        ConfirmVerdict::Futile => "stopped: it would hardly be confirmed".to_owned(),
        ConfirmVerdict::NotNeeded => "stopped: a smaller one is confirmed".to_owned(),
        ConfirmVerdict::Undecided(Some(pairs)) => {
            format!("undecided, {} more episodes", 2 * u64::from(pairs))
        }
        ConfirmVerdict::Undecided(None) => "undecided".to_owned(),
        ConfirmVerdict::NeedsLevels(Some(needed)) if whole(needed) > levels => {
            format!("undecided, {needed} levels are needed")
        }
        ConfirmVerdict::NeedsLevels(Some(needed)) => {
            format!("undecided, {} more episodes", 2 * whole(needed).saturating_sub(found.levels))
        }
        ConfirmVerdict::NeedsLevels(None) => "undecided, too few levels differ".to_owned(),
    }
}

/// What an episode with this window saves.
pub(super) fn saved(found: &ConfirmedWindow) -> Option<String> {
    let (own, reference) = &found.spent;
    if own.episodes == 0 || reference.tokens == 0 {
        return None;
    }
    let less = reference.tokens_each() - own.tokens_each();
    let share = 100.0 * less / reference.tokens_each();
    let sign = if less < 0.0 { "-" } else { "" };
    let tokens = format!("{sign}{} tokens ({share:.0} %)", with_thousands(less.abs()));
    let cost = reference.cost_each().zip(own.cost_each());
    let cost = cost.filter(|((_, one), (_, other))| one == other);
    let cost = cost.map(|((before, currency), (after, _))| format!(", {:.6} {currency}", before - after));
    Some(format!("{tokens}{}", cost.unwrap_or_default()))
}

fn notes(results: &[(KeptWindow, ConfirmedWindow)]) -> Vec<String> {
    if results.iter().all(|(_, found)| found.look == 0) {
        return Vec::new();
    }
    vec![
        "difference: of the score in points, of pairs with the same level and seed; repeated confidence intervals, levels are the clusters".to_owned(),
        format!(
            "more episodes: for a probability of {POWER}, if they go on as they began; stopped: the probability to be confirmed is below {LEAST_PROBABLE}"
        ),
    ]
}

fn end_lines(study: &MemoryConfirm, results: &[(KeptWindow, ConfirmedWindow)]) -> Vec<String> {
    let mut lines: Vec<String> = changed_line(study).into_iter().collect();
    let left = study.left();
    if left > 0 {
        let left = count_noun(usize::try_from(left).unwrap_or(usize::MAX), "episode", "episodes");
        lines.push(format!("{left} of the next look are missing; the same command plays them"));
    }
    let margin = points(study.design.margin);
    let smallest = study.smallest();
    let found = smallest.and_then(|window| results.iter().find(|(one, _)| *one == window));
    lines.push(match found {
        Some((window, found)) => {
            let saved = saved(found).map_or(String::new(), |saved| format!("; it saves {saved} an episode"));
            format!("the smallest window that is not worse by more than {margin}: {window}{saved}")
        }
        None => format!("no window is confirmed to be not worse by more than {margin}"),
    });
    lines.push(price_line(&study.spent()));
    lines
}

/// What the study took.
fn price_line(spent: &ConfirmSpent) -> String {
    if spent.episodes == 0 {
        return "no episode is over yet".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "a number to read")]
    let tokens = with_thousands(spent.tokens as f64);
    let cost = spent.cost.as_ref();
    let cost =
        cost.map_or("unknown".to_owned(), |(amount, currency)| format!("{} {currency}", amount.rounded()));
    format!(
        "this comparison took {}, {} and {tokens} tokens; cost {cost}",
        count_noun(spent.episodes, "episode", "episodes"),
        count_noun(spent.requests, "request", "requests"),
    )
}

/// `5 points`.
fn points(points: f64) -> String {
    let unit = if (points - 1.0).abs() < f64::EPSILON { "point" } else { "points" };
    format!("{} {unit}", rounded(points))
}

/// At most two decimal places, without zeros at the end.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// One decimal place, without a sign of zero.
fn decimal(number: f64) -> String {
    let text = format!("{number:.1}");
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

fn whole(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
