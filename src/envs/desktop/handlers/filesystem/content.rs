//! The content of files: text, equal bytes, INI and JSON.

use mageyard_domain::sanitize;
use serde_json::Value;

use crate::handlers::{Case, Finding, Params, Rules, Trouble};

use super::{expand, files, ini, trouble, wrong};

/// How much of a text a sentence shows, in characters.
const SHOWN: usize = 200;

/// A text in quotes for a sentence, cut with a mark if it is long.
fn quoted(text: &str) -> String {
    let cut = text.char_indices().nth(SHOWN).map(|(end, _)| end);
    match cut.and_then(|end| text.get(..end)) {
        Some(start) => format!("{start:?}…"),
        None => format!("{text:?}"),
    }
}

/// A file of the agent as text. One that is not UTF-8 is a fail; the released code has an error then.
fn text(case: &mut Case<'_>, path: &str) -> Result<String, Finding> {
    let bytes = case.computer.read(path).map_err(|reason| trouble(&reason, path))?;
    String::from_utf8(bytes).map_err(|_| damaged(case.rules, format!("{path} is not UTF-8 text")))
}

/// What cannot be read is a fail of the agent; the released code has an error.
fn damaged(rules: Rules, sentence: String) -> Finding {
    match rules {
        Rules::Standard => Finding::Fail(sentence),
        Rules::Code => Finding::Error(sentence),
    }
}

/// The text of each file is as given, exactly or with blanks at both ends left out (`AgentStudio`, section 5 of the
/// rules). The released code reads CR LF and CR as LF (section 11).
pub(super) fn check(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let strips = match params.get("method").map(Value::as_str) {
        None | Some(Some("exact")) => false,
        Some(Some("strip")) => true,
        Some(_) => return Err(Finding::error("the parameter method must be \"exact\" or \"strip\"")),
    };
    for (path, expected) in files(params, case)? {
        let expected = expected.as_str().ok_or_else(|| wrong(&path, "a text"))?;
        let mut found = text(case, &path)?;
        if case.rules == Rules::Code {
            found = found.replace("\r\n", "\n").replace('\r', "\n");
        }
        let same = if strips { stripped(&found) == stripped(expected) } else { found == expected };
        if !same {
            let sentence =
                format!("{path} has the content {}, expected is {}", quoted(&found), quoted(expected));
            return Err(Finding::Fail(sentence));
        }
    }
    Ok(())
}

/// A text without blanks at both ends; Python counts four separators as blanks that Unicode does not.
fn stripped(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// Each file has the bytes of another one (`AgentStudio`, section 5 of the rules). A missing file is an error in the
/// released code.
pub(super) fn match_file(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    for (path, reference) in files(params, case)? {
        let reference = reference.as_str().ok_or_else(|| wrong(&path, "the path of a file"))?;
        let reference = expand(case, reference);
        let expected = case.reference(&reference)?;
        let found = case.computer.read(&path).map_err(|reason| match (case.rules, &reason) {
            (Rules::Code, Trouble::Missing) => reason.as_error(&path),
            _ => trouble(&reason, &path),
        })?;
        if found != expected {
            return Err(Finding::fail(format!("{path} differs from {reference}")));
        }
    }
    Ok(())
}

/// Two INI files have equal sections, with their keys in small letters (`AgentStudio`, section 5 of the rules). The
/// released code merges `DEFAULT` into each section and replaces `%(name)s` (section 11); the standard rules compare
/// what is written, `DEFAULT` as a section of its own. A key or section that is there twice is damage.
pub(super) fn verify_ini(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let reference = expand(case, params.text("ref_path")?);
    let target = expand(case, params.text("target_path")?);
    let expected = case.reference(&reference)?;
    let expected = String::from_utf8(expected)
        .map_err(|_| "is not UTF-8 text".to_owned())
        .and_then(|text| ini::parse(&text, case.rules))
        .map_err(|reason| Finding::error(format!("{reference} {reason}")))?;
    let found = text(case, &target)?;
    let found =
        ini::parse(&found, case.rules).map_err(|reason| damaged(case.rules, format!("{target} {reason}")))?;
    match ini::difference(&found, &expected) {
        None => Ok(()),
        Some(difference) => Err(Finding::fail(format!("{target}: {}", sanitize(&difference)))),
    }
}

/// Top-level keys of a JSON file have these values (`AgentStudio`, section 5 of the rules). Numbers are compared by
/// value. The released code compares as Python does: `true` is 1 and `false` is 0 (section 11).
pub(super) fn json_settings(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let path = expand(case, params.text("path")?);
    let settings = params.table("settings")?;
    let text = text(case, &path)?;
    let found: Value = serde_json::from_str(&text)
        .map_err(|error| damaged(case.rules, format!("{path} is not JSON: {error}")))?;
    let found =
        found.as_object().ok_or_else(|| damaged(case.rules, format!("{path} is not a JSON object")))?;
    for (name, expected) in settings {
        let sentence = match found.get(name) {
            Some(value) if same(value, expected, case.rules) => continue,
            Some(value) => format!("is {}, expected is {}", shown(value), shown(expected)),
            None => format!("is missing, expected is {}", shown(expected)),
        };
        return Err(Finding::fail(format!("{} in {path} {sentence}", quoted(name))));
    }
    Ok(())
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn same(a: &Value, b: &Value, rules: Rules) -> bool {
    let number = |value: &Value| match value {
        Value::Bool(flag) if rules == Rules::Code => Some(f64::from(u8::from(*flag))),
        Value::Number(number) => number.as_f64(),
        _ => None,
    };
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, rules))
        }
        (Value::Object(a), Value::Object(b)) => {
            let has = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| same(a, b, rules));
            a.len() == b.len() && a.iter().all(has)
        }
        (Value::Number(x), Value::Number(y)) if x.is_f64() == y.is_f64() => x == y,
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        },
    }
}
