//! What a branch changes: the arguments of the verb, which the screen and breakpoints read too, in one line.
//!
//! In a line three of them are texts without quotes, which the general reader of written arguments does not have: the condition
//! of `expect=` ends where it ends as a condition, the hint after the word `hint` before the word `why`, and the
//! hypothesis after the word `why` takes the rest.

use std::path::{Path, PathBuf};

use super::{ForkRequest, StepEdits};
use crate::condition_problem;
use crate::written_args::{FreeText, Grammar, SettingNames, WrittenArgs, read};
use crate::written_names::{WrittenName, names_in};
use mageyard_config::{Problem, SettingOverride, SourceFile};
use mageyard_domain::MAX_BLOB_BYTES;
use mageyard_engine::{Condition, ConditionError};

/// The largest file with a state, in bytes.
const MAX_STATE: u64 = 1 << 20;

/// What a branch changes beside settings, and what is kept with it.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ForkArgs {
    /// Why: a hypothesis to keep with the branch
    #[arg(long, value_name = "TEXT")]
    pub why: Option<String>,
    /// What is to come true: a condition that tests the hypothesis, such as 'not ra and sum>5'
    ///
    /// It is kept with the branch. The list of branches shows at which of its steps it came true, with the values, or
    /// that it did not, or that this is open because the branch is not over.
    #[arg(long, value_name = "CONDITION")]
    pub expect: Option<String>,
    /// Add a hint to the newest state of each request, as a text of its own; an empty text removes it
    #[arg(long, value_name = "TEXT")]
    pub hint: Option<String>,
    /// Change the state of the environment to the one in this file (- is standard input); --print-state shows the notation
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Show the agent this PNG or JPEG image in place of the frame; the environment is unchanged
    #[arg(long, value_name = "FILE")]
    pub frame: Option<PathBuf>,
    /// Begin with this reply of an ask at the step, such as 88f18db3:2/4, and with the settings of its variant
    ///
    /// The step has the reply in place of one of its agent, and the branch keeps where it comes from. `mageyard ask
    /// SESSION#STEP --show` lists the asks of a step.
    #[arg(long, value_name = "ASK:VARIANT/SAMPLE")]
    pub answer: Option<String>,
    /// Open a live surface again, although what cannot be seen of its state may differ
    #[arg(long = "unsafe")]
    pub allow_unsafe: bool,
}

impl ForkArgs {
    /// The branch at this step, with these settings in place of those of the step. Reads the files.
    pub fn request(&self, step: u32, given: Vec<String>) -> Result<ForkRequest, Problem> {
        let read = |path: &Option<PathBuf>, limit| {
            path.as_deref().map(|path| SourceFile::read_limited(path, limit)).transpose()
        };
        let state = read(&self.state, MAX_STATE)?.map(String::from_utf8).transpose();
        let state = state.map_err(|_| Problem::new("the file of --state is not UTF-8"))?;
        let frame = read(&self.frame, MAX_BLOB_BYTES)?;
        Ok(ForkRequest {
            step,
            given,
            edits: StepEdits { hint: self.hint.clone(), state, frame, reply: None },
            answer: self.answer.as_deref().map(str::parse).transpose()?,
            why: self.why.clone(),
            expect: self.expect.clone(),
            allow_unsafe: self.allow_unsafe,
        })
    }

    /// Refuses the standard input, which is not a file where a line is read.
    fn refuse_standard_input(&self) -> Result<(), Problem> {
        let files = [("state", &self.state), ("frame", &self.frame)];
        match files.into_iter().find(|(_, file)| file.as_deref() == Some(Path::new("-"))) {
            None => Ok(()),
            Some((name, _)) => {
                Err(Problem::new(format!("{name} is a file here, and not the standard input")))
            }
        }
    }
}

/// What a person wrote.
#[derive(Debug)]
pub struct ForkChanges {
    /// The settings that change.
    pub given: Vec<SettingOverride>,
    /// The branch.
    pub request: ForkRequest,
}

/// The words of changes.
const CHANGES: Grammar = Grammar {
    texts: &[
        FreeText { name: "expect", begin: "expect=", length: condition_length },
        FreeText { name: "hint", begin: "hint", length: hint_length },
        FreeText { name: "why", begin: "why", length: hypothesis_length },
    ],
    no_name: no_change,
};

/// Reads changes in one line, such as `prompt=HD-CoT am=1 expect=sum>5 hint mind the corner why it forgets`.
pub(super) fn read_changes(written: &str, step: u32, names: SettingNames) -> Result<ForkChanges, Problem> {
    let written: WrittenArgs<ForkArgs> = read(written, names, &CHANGES)?;
    written.args.refuse_standard_input()?;
    let request = written.args.request(step, written.given_names())?;
    Ok(ForkChanges { given: written.given, request })
}

/// The changes that can be written, beside settings.
pub fn fork_change_names() -> Vec<WrittenName> {
    names_in::<ForkArgs>(&CHANGES)
}

fn hint_length(text: &str, _: &str) -> Result<usize, Problem> {
    let length = text.find(" why ").unwrap_or(text.len());
    if text[..length].trim().is_empty() {
        return Err(Problem::new("no hint follows the word hint"));
    }
    Ok(length)
}

fn hypothesis_length(text: &str, _: &str) -> Result<usize, Problem> {
    if text.is_empty() { Err(Problem::new("no hypothesis follows the word why")) } else { Ok(text.len()) }
}

/// The length of the condition that the end of the changes begins with. What follows it is another change.
fn condition_length(text: &str, changes: &str) -> Result<usize, Problem> {
    let before = changes.len() - text.len();
    let wrong = |error: ConditionError| {
        let span = before + error.span.start..before + error.span.end;
        condition_problem(&ConditionError { span, ..error }, "changes", changes)
    };
    let (_, length) = Condition::read_start(text).map_err(wrong)?;
    let rest = &text[length..];
    if rest.is_empty() || rest.starts_with(char::is_whitespace) {
        return Ok(length);
    }
    Err(wrong(ConditionError::new("expected and, or or a space here", length..length + 1)))
}

fn no_change(word: &str, _: &[&str]) -> Problem {
    Problem::new(format!("{word:?} is not a change")).with_help(
        "write NAME=VALUE, such as prompt=HD-CoT or am=1; expect=CONDITION tests a hypothesis, which follows the word why",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(changes: &str) -> Result<ForkChanges, Problem> {
        let names: SettingNames = |name| match name {
            "prompt" => Some("play.prompt"),
            "am" => Some("memory.am"),
            _ => None,
        };
        read_changes(changes, 3, names)
    }

    #[test]
    fn changes_are_words_and_the_hypothesis_is_the_rest() {
        let ForkChanges { given, request } = read("prompt=HD-CoT  am=1 why it forgets x=1").unwrap();
        let given: Vec<_> = given.iter().map(|one| (one.name.as_str(), one.text.as_str())).collect();
        assert_eq!(given, [("play.prompt", "HD-CoT"), ("memory.am", "1")]);
        assert_eq!((request.step, request.why.as_deref()), (3, Some("it forgets x=1")));
        assert_eq!(request.given, ["play.prompt", "memory.am"]);
        let text = "expect=not ra and text~\"no way\" am=1 why it turns";
        let ForkChanges { given, request } = read(text).unwrap();
        assert_eq!((given[0].text.as_str(), request.why.as_deref()), ("1", Some("it turns")));
        assert_eq!(request.expect.as_deref(), Some("not ra and text~\"no way\""));
        let wrong = read("am=1 expect=ra>x why").unwrap_err();
        assert_eq!(wrong.location.unwrap().span, 15..16);
        let hinted = read("am=1 hint mind the corner why it forgets").unwrap().request;
        assert_eq!(hinted.edits.hint.as_deref(), Some("mind the corner"));
        assert_eq!(hinted.why.as_deref(), Some("it forgets"));
        assert!(read("unsafe").unwrap().request.allow_unsafe);
        let answer = read("answer=88f1:2/4 am=1").unwrap().request.answer.unwrap();
        assert_eq!((answer.ask.as_str(), answer.variant, answer.sample), ("88f1", 2, 4));
        assert!(read("").unwrap().given.is_empty());
        let flags = read("--hint=mind it --prompt HD-CoT --unsafe why \"it\" turns").unwrap();
        assert_eq!(flags.request.edits.hint.as_deref(), Some("mind it"));
        assert_eq!(flags.request.why.as_deref(), Some("\"it\" turns"), "quotes are a part of the text");
        assert!(flags.request.allow_unsafe && flags.request.given == ["play.prompt"]);
        for (changes, error) in [
            ("hint", "no hint follows the word hint"),
            ("am", "\"am\" is not a change"),
            ("answer=88f1", "\"88f1\" names no answer"),
            ("state=-", "state is a file here, and not the standard input"),
            ("why", "no hypothesis follows the word why"),
        ] {
            assert_eq!(read(changes).unwrap_err().message, error);
        }
    }
}
