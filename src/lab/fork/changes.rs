//! The changes of a branch as a person writes them in one line: settings, a condition that tests it, and a hypothesis.

use std::path::Path;

use super::ForkRequest;
use crate::condition_problem;
use crate::written_args::SettingNames;
use mageyard_config::{Problem, SettingOverride, SourceFile};
use mageyard_domain::MAX_BLOB_BYTES;
use mageyard_engine::{Condition, ConditionError};

/// What a person wrote.
#[derive(Debug)]
pub struct ForkChanges {
    /// The settings that change.
    pub given: Vec<SettingOverride>,
    /// The branch.
    pub request: ForkRequest,
}

/// Reads `NAME=VALUE` words, `frame=FILE`, `answer=ASK:VARIANT/SAMPLE`, `unsafe`, the condition after `expect=`, after `hint` the hint, and after `why` the
/// hypothesis.
pub(super) fn read_changes(written: &str, step: u32, names: SettingNames) -> Result<ForkChanges, Problem> {
    let mut request = ForkRequest { step, ..ForkRequest::default() };
    let changes = written.trim_end();
    let mut given = Vec::new();
    let mut rest = changes.trim_start();
    while !rest.is_empty() {
        if let Some(text) = rest.strip_prefix(EXPECT) {
            let length = condition_length(text, changes)?;
            request.expect = Some(text[..length].trim().to_owned());
            rest = text[length..].trim_start();
            continue;
        }
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = after.trim_start();
        match word {
            "hint" => rest = read_hint(rest, &mut request)?,
            "why" if rest.is_empty() => return Err(Problem::new("no hypothesis follows the word why")),
            "why" => {
                request.why = Some(rest.to_owned());
                break;
            }
            "unsafe" | "--unsafe" => request.allow_unsafe = true,
            word => match word.split_once('=') {
                Some(("frame", path)) => {
                    let image = SourceFile::read_limited(Path::new(path), MAX_BLOB_BYTES)?;
                    request.edits.frame = Some(image);
                }
                Some(("answer", answer)) => request.answer = Some(answer.parse()?),
                _ => given.push(assignment(word, names)?),
            },
        }
    }
    request.given = given.iter().map(|given| given.name.clone()).collect();
    Ok(ForkChanges { given, request })
}

/// Takes the hint, which ends at the word `why`, and returns what follows it.
fn read_hint<'a>(text: &'a str, request: &mut ForkRequest) -> Result<&'a str, Problem> {
    let (hint, rest) = match text.find(" why ") {
        Some(at) => (text[..at].trim(), &text[at + 1..]),
        None => (text.trim(), ""),
    };
    if hint.is_empty() {
        return Err(Problem::new("no hint follows the word hint"));
    }
    request.edits.hint = Some(hint.to_owned());
    Ok(rest)
}

/// What a condition begins with.
const EXPECT: &str = "expect=";

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

fn assignment(word: &str, names: SettingNames) -> Result<SettingOverride, Problem> {
    let Some((name, value)) = word.split_once('=') else {
        let problem = Problem::new(format!("{word:?} is not a change"));
        return Err(problem.with_help(
            "write NAME=VALUE, such as prompt=HD-CoT or am=1; expect=CONDITION tests a hypothesis, which follows the word why",
        ));
    };
    let name = names(name).unwrap_or(name);
    SettingOverride::parse(&format!("{name}={value}"), "--set")
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
        for (changes, error) in [
            ("hint", "no hint follows the word hint"),
            ("am", "\"am\" is not a change"),
            ("answer=88f1", "\"88f1\" names no answer"),
            ("why", "no hypothesis follows the word why"),
        ] {
            assert_eq!(read(changes).unwrap_err().message, error);
        }
    }
}
