//! The operations between pictures, as letters: one, or a list of unknown length.

use serde_json::Value;

use super::super::options::IdmOptions;
use super::super::record::{Act, Transition};
use super::super::results::Fields;
use super::{Asked, Judged, Question, Shown, figures, letter, lettered};
use mageyard_domain::{Action, ActionSpace, ActionSpec, Arg, ParamKind, ParamSpec};

/// The action and the parameter of a list.
const ANSWER: &str = "answer";
const LETTERS: &str = "letters";

/// What is right.
#[derive(Clone, Debug)]
pub(super) struct Operations {
    single: bool,
    space: Vec<String>,
    right: Vec<char>,
}

pub(super) fn question(record: &Transition, options: IdmOptions) -> Question {
    let acts = chosen(&record.acts, options.most_actions);
    let mut pictures: Vec<String> = acts.iter().map(|act| act.before.clone()).collect();
    pictures.extend(acts.last().and_then(|act| act.after.clone()));
    let left_out = pictures.len().saturating_sub(options.images);
    let pictures = pictures.split_off(left_out);
    let areas =
        acts.iter().enumerate().skip(left_out).filter_map(|(index, act)| Some((index - left_out, act.area?)));
    let areas = areas.collect();
    let question = if record.single {
        "Which action leads from the first picture to the second one?"
    } else {
        "Which actions lead from each picture to the next one? Name them in their order."
    };
    let ask = format!("{question} The actions are:\n{}", lettered(&record.space, "\n"));
    let mut shown = vec![Shown::Text(ask.into())];
    shown.extend((0..pictures.len()).map(Shown::Picture));
    let index =
        |act: &Act| record.space.iter().position(|name| *name == act.operation).unwrap_or(record.space.len());
    let right = acts.iter().map(|act| letter(index(act))).collect();
    let asked = Asked::Operations(Operations { single: record.single, space: record.space.clone(), right });
    let title = lettered(&record.space, ", ");
    Question { title, instruction: None, pictures, shown, areas, about: record.about.clone(), asked }
}

/// The last actions, after a last one without the picture after it was dropped.
fn chosen(acts: &[Act], most: usize) -> &[Act] {
    let ends = acts.last().is_none_or(|act| act.after.is_some());
    let acts = if ends { acts } else { &acts[..acts.len() - 1] };
    &acts[acts.len().saturating_sub(most)..]
}

impl Operations {
    pub(super) fn space(&self) -> ActionSpace {
        if self.single {
            let rows = self.space.iter().enumerate();
            return rows.map(|(index, name)| ActionSpec::new(letter(index), name.as_str())).collect();
        }
        let letters =
            ParamSpec::new(LETTERS, "their letters in order, with spaces between them", ParamKind::text());
        ActionSpace::from_iter([ActionSpec::new(ANSWER, "name the actions").with_param(letters)])
    }

    pub(super) fn right_answer(&self) -> Action {
        let letters: Vec<String> = self.right.iter().map(char::to_string).collect();
        if self.single {
            return Action::plain(letters.concat());
        }
        Action::plain(ANSWER).with(LETTERS, Arg::Text(letters.join(" ")))
    }

    pub(super) fn judge(&self, answer: Option<&Action>) -> Judged {
        let given = answer.map_or_else(Vec::new, |answer| self.letters(answer));
        let right = given == self.right && answer.is_some();
        let distance = edit_distance(&given, &self.right);
        let sentence = match answer {
            None => "No answer was read.".to_owned(),
            Some(_) if right => format!("Right: {}.", self.words(&given)),
            Some(_) => format!("Wrong: {}; right is {}.", self.words(&given), self.words(&self.right)),
        };
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let figures = if self.single {
            figures([("actions", 1.0)])
        } else {
            figures([("actions", count(self.right.len())), ("edit_distance", count(distance))])
        };
        Judged { right, sentence, figures }
    }

    pub(super) fn is_single(&self) -> bool {
        self.single
    }

    /// Letters as results files have them: one, or a list.
    pub(super) fn result_fields(&self, answer: Option<&Action>) -> Fields {
        let given = answer.map_or_else(Vec::new, |answer| self.letters(answer));
        let value = |letters: &[char]| match letters {
            _ if !self.single => letters.iter().map(char::to_string).collect(),
            [] => Value::Null,
            letters => letters.iter().collect::<String>().into(),
        };
        let mut fields = vec![("parsed_answer", value(&given)), ("ref_answer", value(&self.right))];
        if !self.single {
            fields.push(("edit_distance", edit_distance(&given, &self.right).into()));
        }
        fields
    }

    fn letters(&self, answer: &Action) -> Vec<char> {
        match answer.args.get(LETTERS) {
            Some(Arg::Text(text)) => text.chars().filter(|c| !c.is_whitespace()).collect(),
            _ if self.single => answer.name.chars().collect(),
            _ => Vec::new(),
        }
    }

    /// Letters with the names of their operations, as many as fit into a sentence.
    fn words(&self, letters: &[char]) -> String {
        const MOST: usize = 10;
        let name = |letter: &char| {
            let index = u32::from(*letter).checked_sub(u32::from('A'))?;
            self.space.get(usize::try_from(index).ok()?)
        };
        let words = letters.iter().take(MOST).map(|letter| match name(letter) {
            Some(name) => format!("{letter} ({name})"),
            None => letter.to_string(),
        });
        let more = letters.len().saturating_sub(MOST);
        let words = words.collect::<Vec<_>>().join(", ");
        match (words.is_empty(), more) {
            (true, _) => "nothing".to_owned(),
            (false, 0) => words,
            (false, more) => format!("{words} and {more} more"),
        }
    }
}

/// The fewest letters that are inserted, deleted or replaced to make one list of the other.
pub(super) fn edit_distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for column in 1..=other.len() {
            let replaced = diagonal + usize::from(*letter != other[column - 1]);
            diagonal = row[column];
            row[column] = replaced.min(row[column] + 1).min(row[column - 1] + 1);
        }
    }
    row[other.len()]
}
