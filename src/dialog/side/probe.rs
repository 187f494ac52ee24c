//! Questions about a state: their requests, which show the same parts as those of the agent, and how their answers are read.

use std::fmt::Write as _;

use super::compose::one_exchange;
use crate::compose::{Request, message_part};
use crate::memory::{Inclusion, Ledger, LedgerPart, LedgerRow};
use mageyard_domain::{MessagePart, Observation, Probe, ProbeForm, Segment, StateWords};

/// How the line with the answer begins.
const ANSWER: &str = "Answer:";

/// The request that asks a question about the state of a step. `summary` says what the environment is, and `words` what its
/// states are given as.
pub fn compose_probe(
    summary: &str,
    words: &StateWords,
    (step, seen): (u32, &Observation),
    probe: &Probe,
    system_role: bool,
) -> Request {
    let mut row = LedgerRow::shown(step);
    let included = |(index, part): (u16, &mageyard_domain::ObservationPart)| LedgerPart {
        index: Some(index),
        kind: part.kind(),
        inclusion: Inclusion::Included,
    };
    row.parts = (0..).zip(seen.parts()).map(included).collect();
    if row.parts.is_empty() {
        row.parts.push(LedgerPart {
            index: None,
            kind: mageyard_domain::PartKind::Text,
            inclusion: Inclusion::Included,
        });
    }
    let system = MessagePart::Text(Segment::System, system_text(summary, words).into());
    let mut parts: Vec<MessagePart> =
        row.parts.iter_mut().filter_map(|part| message_part(seen, step, part)).collect();
    parts.push(MessagePart::Text(Segment::Task, probe.question.as_str().into()));
    parts.push(MessagePart::Text(Segment::Io, answer_help(&probe.form).into()));
    let messages = one_exchange(system, parts, system_role);
    Request { messages, ledger: Ledger { rows: vec![row], ..Ledger::default() }, ..Request::default() }
}

fn system_text(summary: &str, words: &StateWords) -> String {
    let mut text = format!("You are shown one state of this environment: {summary}. You are asked about it.");
    if !words.view.is_empty() {
        let _ = write!(text, "\n\nYou are given the state as {}.", words.view);
    } else if !words.picture.is_empty() {
        let _ = write!(text, "\n\nIn the image, {}.", words.picture);
    }
    text
}

fn answer_help(form: &ProbeForm) -> String {
    format!("End your reply with a line of its own: `{ANSWER}` and {}.", form.help())
}

/// Reads the answer to a question: what follows `Answer:` in the last line that begins so, as [`ProbeForm`] writes it.
///
/// # Errors
/// The rule that the reply does not keep.
pub fn read_probe_answer(reply: &str, form: &ProbeForm) -> Result<String, &'static str> {
    let plain = |line: &str| line.trim().trim_matches(['*', '`']).trim().to_owned();
    let lines: Vec<String> = reply.lines().map(plain).filter(|line| !line.is_empty()).collect();
    let said = lines.iter().rev().find_map(|line| {
        let start = line.get(..ANSWER.len())?;
        start.eq_ignore_ascii_case(ANSWER).then(|| line[ANSWER.len()..].trim_matches(['*', '`', ' ']))
    });
    let said = said.ok_or("answer-line")?;
    let said = said.strip_suffix('.').unwrap_or(said).trim();
    match form {
        ProbeForm::Choice(words) => {
            words.iter().find(|word| word.eq_ignore_ascii_case(said)).cloned().ok_or("answer-choice")
        }
        ProbeForm::Number { least, most } => match said.parse::<i64>() {
            Ok(number) if (*least..=*most).contains(&number) => Ok(number.to_string()),
            Ok(_) => Err("answer-range"),
            Err(_) => Err("answer-number"),
        },
        ProbeForm::Places { rows, columns } => places(said, (*rows, *columns)),
    }
}

/// Places such as `(2, 3) (4, 1)`, also with commas, semicolons or `and` between them.
fn places(said: &str, (rows, columns): (u32, u32)) -> Result<String, &'static str> {
    if said.eq_ignore_ascii_case("none") {
        return Ok(ProbeForm::write_places([]));
    }
    let mut found = Vec::new();
    let mut rest = said;
    while !rest.is_empty() {
        let (place, after) =
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or("answer-place")?;
        let (row, column) = place.split_once(',').ok_or("answer-place")?;
        let number = |digits: &str| digits.trim().parse::<u32>().map_err(|_| "answer-place");
        let (row, column) = (number(row)?, number(column)?);
        if !(1..=rows).contains(&row) || !(1..=columns).contains(&column) {
            return Err("answer-range");
        }
        found.push((row, column));
        let after = after.trim_start_matches([' ', ',', ';']);
        rest = after.strip_prefix("and ").unwrap_or(after).trim_start();
    }
    if found.is_empty() { Err("answer-place") } else { Ok(ProbeForm::write_places(found)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_by_strict_rules() {
        let places = ProbeForm::Places { rows: 5, columns: 9 };
        let choice = ProbeForm::Choice(vec!["wall".into(), "free".into()]);
        let number = ProbeForm::Number { least: 0, most: 4 };
        for (form, reply, expected) in [
            (&places, "I see it.\nAnswer: (2, 3)", Ok("(2, 3)")),
            (&places, "Answer: (4,1), (2, 3) and (2,3).", Ok("(2, 3) (4, 1)")),
            (&places, "**Answer:** (2, 3)\n", Ok("(2, 3)")),
            (&places, "Answer: none", Ok("none")),
            (&places, "Answer: (2, 12)", Err("answer-range")),
            (&places, "Answer: row 2, column 3", Err("answer-place")),
            (&places, "Answer:", Err("answer-place")),
            (&places, "It is at (2, 3).", Err("answer-line")),
            (&choice, "Answer: wall\nNo, wait.\nanswer: `Free`", Ok("free")),
            (&choice, "Answer: floor", Err("answer-choice")),
            (&number, "Answer: 3.", Ok("3")),
            (&number, "Answer: 7", Err("answer-range")),
            (&number, "Answer: three", Err("answer-number")),
            (&number, "", Err("answer-line")),
        ] {
            assert_eq!(read_probe_answer(reply, form), expected.map(str::to_owned), "{reply}");
        }
    }
}
