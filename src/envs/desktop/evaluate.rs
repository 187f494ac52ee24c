//! Runs the procedures of a task: what prepares, what judges, and what cleans up.

use serde::{Deserialize, Serialize};

use crate::handlers::{Case, Computer, Finding, Params, Rules};
use crate::task::Procedure;

/// How a procedure ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It passed.
    Pass,
    /// The task is not done: what was expected and found.
    Fail(String),
    /// It cannot be judged, and why.
    Error(String),
    /// A person must answer this first.
    Ask(String),
}

/// The end of a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcedureResult {
    /// Its name, such as `filesystem.exists`.
    pub procedure: String,
    /// How it ended.
    pub ended: Ended,
}

/// The ends of all procedures that judge an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluation {
    /// In the order of the task.
    pub procedures: Vec<ProcedureResult>,
}

impl Evaluation {
    /// 1 if all passed, 0 if one failed; `None` if one cannot be judged (`AgentStudio`, section 3: the product).
    pub fn score(&self) -> Option<f64> {
        let ended = |of: fn(&Ended) -> bool| self.procedures.iter().any(|result| of(&result.ended));
        let unknown = ended(|ended| matches!(ended, Ended::Error(_) | Ended::Ask(_)));
        let failed = ended(|ended| matches!(ended, Ended::Fail(_)));
        (!unknown).then_some(if failed { 0.0 } else { 1.0 })
    }

    /// The sentences of what did not pass.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |result: &ProcedureResult| match &result.ended {
            Ended::Pass | Ended::Ask(_) => None,
            Ended::Fail(sentence) => Some(sentence.clone()),
            Ended::Error(sentence) => Some(format!("{} cannot be judged: {sentence}", result.procedure)),
        };
        self.procedures.iter().filter_map(sentence).collect()
    }

    /// What a person is asked.
    pub fn questions(&self) -> impl Iterator<Item = &str> {
        self.procedures.iter().filter_map(|result| match &result.ended {
            Ended::Ask(question) => Some(question.as_str()),
            _ => None,
        })
    }
}

/// What procedures are called with beside the computer.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// The rules.
    pub rules: Rules,
    /// The last reply of the agent.
    pub reply: Option<String>,
    /// The questions that a person has answered, with the answers.
    pub answers: Vec<(String, String)>,
}

/// Runs all procedures in order, whatever each comes to.
pub fn evaluate(procedures: &[Procedure], computer: &mut dyn Computer, of: &Circumstances) -> Evaluation {
    let result = |procedure: &Procedure| ProcedureResult {
        procedure: procedure.name(),
        ended: ended(run(procedure, computer, of)),
    };
    Evaluation { procedures: procedures.iter().map(result).collect() }
}

/// Prepares the computer. The first procedure that cannot be carried out ends it.
///
/// # Errors
/// Its name, and why.
pub fn reset(procedures: &[Procedure], computer: &mut dyn Computer) -> Result<(), String> {
    let of = Circumstances::default();
    procedures.iter().try_for_each(|procedure| {
        run(procedure, computer, &of).map_err(|finding| failure(procedure, &finding))
    })
}

/// Cleans up: each procedure, whatever the others come to. A sentence for each that cannot be carried out.
pub fn clean_up(procedures: &[Procedure], computer: &mut dyn Computer) -> Vec<String> {
    let of = Circumstances::default();
    let run = |procedure: &Procedure| {
        let ended = run(procedure, computer, &of);
        ended.err().map(|finding| failure(procedure, &finding))
    };
    procedures.iter().filter_map(run).collect()
}

fn failure(procedure: &Procedure, finding: &Finding) -> String {
    let (Finding::Fail(why) | Finding::Error(why) | Finding::Ask(why)) = finding;
    format!("{}: {why}", procedure.name())
}

fn ended(result: Result<(), Finding>) -> Ended {
    match result {
        Ok(()) => Ended::Pass,
        Err(Finding::Fail(sentence)) => Ended::Fail(sentence),
        Err(Finding::Error(sentence)) => Ended::Error(sentence),
        Err(Finding::Ask(question)) => Ended::Ask(question),
    }
}

fn run(procedure: &Procedure, computer: &mut dyn Computer, of: &Circumstances) -> Result<(), Finding> {
    let handler = procedure.handler().ok_or_else(|| {
        Finding::Error(format!("{} needs an account, which cannot be used", procedure.evaluator))
    })?;
    let params = Params(&procedure.params);
    let mut case = Case { computer, rules: of.rules, reply: of.reply.as_deref(), answer: None };
    let asked = match (handler.call)(&params, &mut case) {
        Err(Finding::Ask(question)) => question,
        result => return result,
    };
    case.answer =
        of.answers.iter().find(|(question, _)| *question == asked).map(|(_, answer)| answer.as_str());
    if case.answer.is_none() { Err(Finding::Ask(asked)) } else { (handler.call)(&params, &mut case) }
}
