//! Runs the procedures of a task on a computer: what prepares it, what judges it, what cleans it up. Variables are replaced
//! before ([`Task::procedures`](crate::task::Task::procedures)); which acts a person must allow is not decided here.

use serde::{Deserialize, Serialize};

use crate::handlers::{Case, Computer, Finding, Params, Rules};
use crate::task::Procedure;

/// What an episode leaves to be judged, beside the computer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Episode<'a> {
    /// The rules.
    pub rules: Rules,
    /// The text of the agent's last reply.
    pub reply: Option<&'a str>,
    /// What a person answered to each procedure by its index; missing ones were not asked yet.
    pub answers: &'a [Option<String>],
}

/// How a task was judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Each procedure in order.
    pub procedures: Vec<ProcedureResult>,
}

/// How a procedure was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcedureResult {
    /// Its name, such as `filesystem.exists`.
    pub name: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is as expected.
    Pass,
    /// It is not: the feedback.
    Fail(String),
    /// It cannot be judged: the reason.
    Error(String),
    /// A person must answer this text first.
    Ask(String),
}

impl Evaluation {
    /// 1 if all procedures pass, 0 if one fails: the product of their scores (`AgentStudio`, section 3 of the rules).
    /// `None` if one cannot be judged or waits for a person, even beside one that fails.
    pub fn score(&self) -> Option<u8> {
        let scores = self.procedures.iter().map(|result| match result.outcome {
            Outcome::Pass => Some(1),
            Outcome::Fail(_) => Some(0),
            Outcome::Error(_) | Outcome::Ask(_) => None,
        });
        scores.product()
    }

    /// The feedback: a sentence for each procedure that fails, in order.
    pub fn sentences(&self) -> Vec<&str> {
        self.texts(|outcome| match outcome {
            Outcome::Fail(sentence) => Some(sentence),
            _ => None,
        })
    }

    /// The reasons why procedures cannot be judged.
    pub fn errors(&self) -> Vec<&str> {
        self.texts(|outcome| match outcome {
            Outcome::Error(reason) => Some(reason),
            _ => None,
        })
    }

    /// The first procedure that waits for a person, by its index, and the text to be answered.
    pub fn question(&self) -> Option<(usize, &str)> {
        self.procedures.iter().enumerate().find_map(|(index, result)| match &result.outcome {
            Outcome::Ask(text) => Some((index, text.as_str())),
            _ => None,
        })
    }

    /// Judges the procedures that waited for a person again, with the answers to their texts: the text and the answer each.
    pub fn answer(
        &mut self,
        procedures: &[Procedure],
        answers: &[(String, String)],
        computer: &mut dyn Computer,
        episode: Episode<'_>,
    ) {
        for (procedure, result) in procedures.iter().zip(&mut self.procedures) {
            let Outcome::Ask(text) = &result.outcome else { continue };
            let answer = answers.iter().find(|(asked, _)| asked == text).map(|(_, answer)| answer.as_str());
            if answer.is_some() {
                result.outcome = outcome(procedure, computer, episode, answer);
            }
        }
    }

    fn texts<'a>(&'a self, text: impl Fn(&'a Outcome) -> Option<&'a String>) -> Vec<&'a str> {
        self.procedures.iter().filter_map(|result| text(&result.outcome)).map(String::as_str).collect()
    }
}

/// Judges a task: every procedure is run, in order, whatever came of those before.
pub fn evaluate(procedures: &[Procedure], computer: &mut dyn Computer, episode: Episode<'_>) -> Evaluation {
    let mut results = Vec::with_capacity(procedures.len());
    for (index, procedure) in procedures.iter().enumerate() {
        let answer = episode.answers.get(index).and_then(Option::as_deref);
        results.push(ProcedureResult {
            name: procedure.name(),
            outcome: outcome(procedure, computer, episode, answer),
        });
    }
    Evaluation { procedures: results }
}

fn outcome(
    procedure: &Procedure,
    computer: &mut dyn Computer,
    episode: Episode<'_>,
    answer: Option<&str>,
) -> Outcome {
    match call(procedure, computer, episode, answer) {
        Ok(()) => Outcome::Pass,
        Err(Finding::Fail(sentence)) => Outcome::Fail(sentence),
        Err(Finding::Error(reason)) => Outcome::Error(reason),
        Err(Finding::Ask(text)) => Outcome::Ask(text),
    }
}

/// Prepares a computer. The first error ends it: what follows may build on what failed.
///
/// # Errors
/// A sentence with the procedure and the reason.
pub fn reset(procedures: &[Procedure], computer: &mut dyn Computer, rules: Rules) -> Result<(), String> {
    let mut procedures = procedures.iter().enumerate();
    procedures.try_for_each(|(index, procedure)| change(index, procedure, computer, rules))
}

/// Cleans up after an episode. An error does not end it; each is a sentence.
pub fn cleanup(procedures: &[Procedure], computer: &mut dyn Computer, rules: Rules) -> Vec<String> {
    let mut errors = Vec::new();
    for (index, procedure) in procedures.iter().enumerate() {
        errors.extend(change(index, procedure, computer, rules).err());
    }
    errors
}

fn change(
    index: usize,
    procedure: &Procedure,
    computer: &mut dyn Computer,
    rules: Rules,
) -> Result<(), String> {
    let episode = Episode { rules, ..Episode::default() };
    call(procedure, computer, episode, None).map_err(|finding| {
        let (Finding::Fail(reason) | Finding::Error(reason) | Finding::Ask(reason)) = finding;
        format!("procedure {}, {}: {reason}", index + 1, procedure.name())
    })
}

fn call(
    procedure: &Procedure,
    computer: &mut dyn Computer,
    episode: Episode<'_>,
    answer: Option<&str>,
) -> Result<(), Finding> {
    let Some(handler) = procedure.handler() else {
        let needs = if procedure.needs_account() { "needs an account" } else { "is not a function" };
        return Err(Finding::Error(format!("{} {needs}, and cannot be run", procedure.name())));
    };
    let mut case = Case { computer, rules: episode.rules, reply: episode.reply, answer };
    (handler.call)(&Params(&procedure.params), &mut case)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "a test makes its files")]

    use serde_json::{Value, json};

    use super::*;
    use crate::handlers::{FolderComputer, Mount};
    use crate::task::{Stage, Task, Variables};

    fn task(evaluation: &Value, reset: &Value, cleanup: &Value) -> Task {
        let record = json!({
            "task_id": "t", "instruction": "Do it.", "visual": false, "max_steps": 1, "max_time": 30,
            "eval_procedure": evaluation, "reset_procedure": reset, "cleanup_procedure": cleanup,
        });
        Task::read(record.as_object().unwrap()).unwrap()
    }

    struct Folder {
        folder: tempfile::TempDir,
        computer: FolderComputer,
    }

    impl Folder {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let mounts = [Mount { path: "/task".to_owned(), folder: folder.path().to_owned() }];
            let computer = FolderComputer::new(&mounts, "/task/home").unwrap();
            Self { folder, computer }
        }

        fn procedures(task: &Task, stage: Stage) -> Vec<Procedure> {
            let variables =
                Variables { root: "/task".to_owned(), home: "/task/home".to_owned(), ..Variables::default() };
            task.procedures(stage, &variables).unwrap()
        }

        fn evaluate(&mut self, task: &Task, answers: &[Option<String>]) -> Evaluation {
            let episode = Episode { answers, ..Episode::default() };
            evaluate(&Self::procedures(task, Stage::Evaluation), &mut self.computer, episode)
        }
    }

    fn exists(path: &str) -> Value {
        json!({"evaluator": "filesystem", "function": "exists", "params": {"file_to_check": {path: true}}})
    }

    fn remove(path: &str) -> Value {
        json!({"evaluator": "filesystem", "function": "rmdir", "params": {"path": path}})
    }

    #[test]
    fn all_procedures_run_and_the_score_is_their_product() {
        let mut folder = Folder::new();
        let task = task(
            &json!([exists("${AS_ROOT}/a"), exists("${AS_ROOT}/b"), exists("${AS_HOME}/c")]),
            &Value::Null,
            &Value::Null,
        );
        std::fs::write(folder.folder.path().join("b"), "").unwrap();
        let evaluation = folder.evaluate(&task, &[]);
        assert_eq!(evaluation.score(), Some(0));
        assert_eq!(evaluation.sentences(), ["/task/a does not exist", "/task/home/c does not exist"]);
        std::fs::write(folder.folder.path().join("a"), "").unwrap();
        std::fs::create_dir_all(folder.folder.path().join("home/c")).unwrap();
        assert_eq!(folder.evaluate(&task, &[]).score(), Some(1));
    }

    #[test]
    fn what_cannot_be_judged_has_no_score() {
        let mut folder = Folder::new();
        let process = json!({"evaluator": "process", "function": "match_process", "params": {"name": "x"}});
        let account = json!({"evaluator": "gmail", "function": "check_draft", "params": {}});
        let evaluation = folder
            .evaluate(&task(&json!([exists("/task/a"), process, account]), &json!([]), &json!([])), &[]);
        assert_eq!(evaluation.score(), None);
        assert_eq!(evaluation.sentences().len(), 1);
        assert_eq!(
            evaluation.errors(),
            ["processes cannot be judged here", "gmail.check_draft needs an account, and cannot be run"]
        );
    }

    #[test]
    fn a_person_is_asked_once_and_the_answer_decides() {
        let mut folder = Folder::new();
        let ask = json!({"evaluator": "human", "function": "human", "params": {"prompt": "Is it blue?"}});
        let task = task(&json!([ask]), &json!([]), &json!([]));
        let asked = folder.evaluate(&task, &[]);
        assert_eq!((asked.score(), asked.question()), (None, Some((0, "Is it blue?"))));
        assert_eq!(folder.evaluate(&task, &[Some(" ".to_owned())]).score(), Some(1));
        let failed = folder.evaluate(&task, &[Some("It is green.".to_owned())]);
        assert_eq!((failed.score(), failed.sentences()), (Some(0), vec!["It is green."]));
    }

    #[test]
    fn a_reset_stops_at_its_first_error_and_a_cleanup_goes_on() {
        let mut folder = Folder::new();
        let steps = json!([
            {"evaluator": "filesystem", "function": "mkdir", "params": {"path": "/task/made"}},
            {"evaluator": "filesystem", "function": "chmod", "params": {"path": "/task/none", "mode": "0o600"}},
            remove("/task/made"),
        ]);
        let task = task(&json!([exists("/task/a")]), &steps, &steps);
        let error = reset(&Folder::procedures(&task, Stage::Reset), &mut folder.computer, Rules::Standard);
        assert_eq!(error, Err("procedure 2, filesystem.chmod: /task/none does not exist".to_owned()));
        assert!(folder.folder.path().join("made").exists());
        let errors =
            cleanup(&Folder::procedures(&task, Stage::Cleanup), &mut folder.computer, Rules::Standard);
        assert_eq!(errors.len(), 1);
        assert!(!folder.folder.path().join("made").exists());
    }

    #[test]
    fn a_stored_evaluation_is_read_again() {
        let result = |outcome| ProcedureResult { name: "a.b".to_owned(), outcome };
        let evaluation =
            Evaluation { procedures: vec![result(Outcome::Pass), result(Outcome::Fail("x".to_owned()))] };
        let text = serde_json::to_string(&evaluation).unwrap();
        assert!(text.contains("\"pass\""), "{text}");
        assert_eq!(serde_json::from_str::<Evaluation>(&text).unwrap(), evaluation);
    }
}
