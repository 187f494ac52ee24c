//! Whether a task was done: true or false.

use super::super::options::{CriticOptions, Rules};
use super::super::record::Trajectory;
use super::{Asked, Judged, Question, Shown, figures, lettered, share};
use mageyard_domain::{Action, ActionSpace};

const TRUE: &str = "True";
const FALSE: &str = "False";
/// The answer of a reply with both words, which the released code takes for the right one.
const BOTH: &str = "True and False";
/// The last actions that are shown.
const MOST_ACTIONS: usize = 5;

/// What is right.
#[derive(Clone, Debug)]
pub(super) struct Success {
    success: bool,
    rules: Rules,
}

pub(super) fn question(record: &Trajectory, options: CriticOptions) -> Question {
    let acts = &record.acts[record.acts.len().saturating_sub(MOST_ACTIONS)..];
    let mut pictures = Vec::new();
    let mut shown = vec![Shown::Text(format!("Instruction: {}", record.instruction).into())];
    if options.actions {
        shown.push(Shown::Text(
            format!("The actions of the agent are of these kinds:\n{}", lettered(&record.space, "\n")).into(),
        ));
    }
    let mut areas = Vec::new();
    for act in acts {
        shown.push(Shown::Picture(pictures.len()));
        areas.extend(act.area.map(|area| (pictures.len(), area)));
        pictures.push(act.before.clone());
        if options.actions {
            let words = act.repr.as_deref().unwrap_or(&act.operation);
            shown.push(Shown::Text(format!("Action: {words}").into()));
        }
    }
    if let Some(after) = acts.last().and_then(|act| act.after.clone()) {
        shown.push(Shown::Picture(pictures.len()));
        pictures.push(after);
    }
    let asked = Asked::Success(Success { success: record.success, rules: options.rules });
    let title = record.instruction.clone();
    let instruction = Some(title.clone());
    Question { title, instruction, pictures, shown, areas, about: record.about.clone(), asked }
}

impl Success {
    pub(super) fn space(&self) -> ActionSpace {
        let both = [(TRUE, "the task was done"), (FALSE, "the task was not done")];
        match self.rules {
            Rules::Standard => ActionSpace::new(&both),
            Rules::Code => ActionSpace::new(
                &[&both[..], &[(BOTH, "the reply has both words, which counts as right")]].concat(),
            ),
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.success
    }

    fn word(&self) -> &'static str {
        if self.success { TRUE } else { FALSE }
    }

    pub(super) fn right(&self) -> Action {
        Action::plain(self.word())
    }

    pub(super) fn judge(&self, answer: Option<&Action>) -> Judged {
        let given = answer.map(|answer| answer.name.as_str());
        let both = given == Some(BOTH);
        let right = both || given == Some(self.word());
        let done = if self.success { "the task was done" } else { "the task was not done" };
        let sentence = match given {
            None => "No answer was read.".to_owned(),
            Some(_) if both => format!("Counts as right: both words, and {done}."),
            Some(_) if right => format!("Right: {done}."),
            Some(given) => format!("Wrong: {given}, but {done}."),
        };
        let said = if both { self.success } else { given == Some(TRUE) };
        let figures = figures([("is_true", share(self.success)), ("said_true", share(said))]);
        Judged { right, sentence, figures }
    }
}
