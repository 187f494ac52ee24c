//! The dialog of readers in lines.

use super::keys::{open_step, order, show};
use super::sheet::{Focus, ReaderSheet};
use crate::model::{Modal, Model};
use crate::requests::ReaderOrder;
use crate::update::Effect;
use mageyard_domain::{Action, sanitize};
use mageyard_engine::Attempt;
use mageyard_lab::{Doubt, ReparseCounts, ReplyShape};
use mageyard_terminal::count_of;

fn replies(count: usize) -> String {
    if count == 1 { "1 reply".to_owned() } else { format!("{count} replies") }
}

/// What a reader reads in a reply: the actions, or the rule that failed and why; on one line.
pub(super) fn reading_words(attempt: &Attempt) -> String {
    let words = match &attempt.verdict {
        None => String::new(),
        Some(Err(error)) => format!("✗ {}: {}", error.rule, error.why),
        Some(Ok(actions)) => {
            let names = actions.iter().map(Action::to_string).collect::<Vec<_>>().join(", ");
            let fallback = attempt.marks.fallback.as_ref();
            fallback.map_or(names.clone(), |found| format!("{names} (fallback rule {})", found.rule))
        }
    };
    sanitize(&words).replace('\n', " ")
}

/// What is alike in replies of a shape, on one line.
pub(super) fn shape_words(shape: &ReplyShape) -> String {
    let form = shape.form;
    let words = match shape.doubt {
        Doubt::Refused => format!("✗ {} · {form} · {}", shape.rule, shape.why),
        Doubt::Fallback => format!("? fallback rule {} · {form}", shape.rule),
        Doubt::Ignored => format!("? {form} · {}", shape.why),
    };
    sanitize(&words).replace('\n', " ")
}

/// What a report would say with a reader, beside what was recorded.
pub(super) fn counts_words(counts: &ReparseCounts) -> Vec<String> {
    let share =
        |side| counts.invalid_percent(side).map_or_else(|| "?".to_owned(), |share| format!("{share:.1} %"));
    let pair = |name: &str, [before, now]: [usize; 2]| format!("{name} {before} → {now}");
    let read = [pair("refused", counts.errors), pair("doubtful", counts.doubtful)].join(" · ");
    let changed = format!("steps with another action: {}", counts.changed);
    vec![
        format!("{} in {} · {changed}", replies(counts.replies), count_of(counts.episodes, "episode")),
        format!("{read} · IA {} → {}", share(0), share(1)),
    ]
}

/// The readers with their numbers, the shapes of the selected one with theirs, the shown reply, and what can be answered.
pub(crate) fn lines(sheet: &ReaderSheet) -> Vec<String> {
    let mut lines = match (&sheet.failed, sheet.rows.is_empty()) {
        (Some(problem), _) => vec![format!("Error: {problem}")],
        (None, true) => vec![format!("Readers: {} read", count_of(sheet.loaded, "episode"))],
        (None, false) => table(sheet),
    };
    lines.extend(sheet.said.iter().map(|said| format!("Note: {said}")));
    lines.iter().map(|line| sanitize(line).into_owned()).collect()
}

fn table(sheet: &ReaderSheet) -> Vec<String> {
    let mut lines = vec![format!("Question: which reader, on the replies of {}?", sheet.scope)];
    for (index, row) in sheet.rows.iter().enumerate() {
        let mark = if index == sheet.selected() { "*" } else { " " };
        let counts = row.read.as_ref().map_or_else(
            || "being read".to_owned(),
            |read| {
                let counts = &read.counts;
                let ia =
                    counts.invalid_percent(1).map_or_else(|| "?".to_owned(), |share| format!("{share:.1} %"));
                format!(
                    "refused {}, doubtful {}, changed steps {}, IA {ia}",
                    counts.errors[1], counts.doubtful[1], counts.changed
                )
            },
        );
        let recorded = if row.entry.is_recorded { ", recorded" } else { "" };
        lines.push(format!("{mark} {}: {}{recorded}: {counts}", index + 1, row.entry.reader));
    }
    let shapes = sheet.shapes().iter().enumerate();
    lines.extend(shapes.map(|(index, shape)| {
        format!("  shape {}: {}: {}", index + 1, replies(shape.count), shape_words(shape))
    }));
    if let (Some(shown), Some(attempt)) = (&sheet.shown, sheet.reading()) {
        lines.push(format!(
            "Reply: {}, attempt {}: {}",
            shown.run,
            shown.place.attempt,
            reading_words(attempt)
        ));
        lines.extend(attempt.content().lines().map(|line| format!("  | {line}")));
    }
    lines.push(
        "Answer: a number chooses a reader; shape and a number shows a reply; next and previous show others of the shape; \
         open shows the step; an empty line closes. mageyard readers NAME prints the file of a reader to edit."
            .to_owned(),
    );
    lines
}

/// A line of the linear mode.
pub(crate) fn answer(model: &mut Model, mut sheet: Box<ReaderSheet>, line: &str, effects: &mut Vec<Effect>) {
    sheet.said = None;
    let line = line.trim();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = |text: &str| text.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (word, number(word), number(rest)) {
        ("", ..) => return order(ReaderOrder::Close, effects),
        ("open", ..) => return open_step(model, sheet, effects),
        ("next", ..) => sheet.turn_by(1),
        ("previous", ..) => sheet.turn_by(-1),
        ("shape", _, Some(index)) if index < sheet.shapes().len() => {
            sheet.focus = Focus::Shapes;
            sheet.select_shape(index);
        }
        (_, Some(index), _) if index < sheet.rows.len() => sheet.select(index),
        _ => sheet.said = Some("a number, shape and a number, next, previous or open".to_owned()),
    }
    show(&mut sheet, effects);
    model.modal = Some(Modal::Readers(sheet));
}
