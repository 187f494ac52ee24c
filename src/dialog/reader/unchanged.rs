//! Sentences that say that code needs no change: `*The HTML does not need to be changed.*`.
//!
//! A reply without code blocks that says so of every code that an action can write is an action that changes nothing
//! (`MageBench`, output format of web pages). A sentence counts only if all its words are known here, so that one with an
//! exception, such as "apart from the title", does not.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::labels::named_param;
use super::{ActionPart, BlockRule, BlockSpan, Spans};
use mageyard_domain::{Action, ActionSpace, ActionSpec};

const FENCE: &str = "```";

/// Stands for the name of code in a sentence whose words are compared.
const NAME: &str = "@";

/// Words that say nothing about whether code changes.
const ADVERBS: [&str; 6] = ["also", "currently", "still", "therefore", "now", "either"];

/// A sentence of words in lower case with [`NAME`] for each name of code: what needs no change, and that it needs none.
static SENTENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let other =
        "the|a|and|or|both|all|for|in|of|code|files?|page|script|stylesheet|styles?|markup|contents?|parts?";
    let subject = format!("(?:(?:{other}) )*{NAME}(?: (?:{NAME}|{other}))*");
    let verb = "(?:change|changed|modify|modified|update|updated|edit|edited|alter|altered|adjust|adjusted)";
    let noun = "(?:any |further |more )*(?:change|changes|changing|modification|modifications|update|updates|edits?)";
    let needed = "(?: (?:is|are))?(?: (?:needed|required|necessary))?";
    let negated = "(?:does not|do not|doesn't|don't|did not|didn't)";
    let state = "(?:can |may |should |will )?(?:(?:is|are|be)(?: left| kept)?|was|were|remains?|stays?)";
    let predicates = [
        format!("{negated} (?:need|require|have) (?:to (?:be )?{verb}|{noun})"),
        format!("{negated} change"),
        format!("(?:need|needs|should|must|will|is|are|was|were) not (?:be |to be )?{verb}"),
        format!("(?:needs?|requires?|has|have) no {noun}"),
        format!("(?:{state} )?(?:unchanged|unmodified|the same)"),
        format!("{state} (?:fine |good |correct )?as (?:it is|they are|is|before)"),
        format!("no {noun}{needed}"),
    ];
    let clause = format!("{subject} (?:{})", predicates.join("|"));
    let reverse = format!("(?:there (?:is|are) )?no {noun}{needed} (?:for|to|in) {subject}{needed}");
    Regex::new(&format!("^(?:{clause}(?: (?:and )?{clause})*|{reverse})$")).ok()
});

/// A name of code in a sentence: the parameter, and the bytes of the word and of the sentence.
struct Said<'a> {
    parameter: &'a str,
    word: Range<usize>,
    sentence: Range<usize>,
}

/// The action that changes nothing and the bytes of the sentences that say so; `None` if a part of the reply is fenced, or
/// a parameter for code is not named.
pub(super) fn read(
    part: &ActionPart<'_>,
    body: &Range<usize>,
    spans: &mut Spans,
) -> Option<(Action, Range<usize>)> {
    let spec = writing_action(part.action_space)?;
    if part.reply[body.clone()].contains(FENCE) {
        return None;
    }
    let said = all_said(part, body);
    let is_said = |name: &str| said.iter().any(|said| said.parameter == name);
    if !spec.params.iter().all(|param| is_said(&param.name)) {
        return None;
    }
    let at = said.first()?.sentence.start..said.last()?.sentence.end;
    for Said { parameter, word, sentence } in said {
        let span = BlockSpan::new(BlockRule::Unchanged, sentence);
        spans.record_block(BlockSpan { label: word, parameter: Some(parameter.to_owned()), ..span });
    }
    Some((Action::plain(&*spec.name), at))
}

/// The only action with code, if it can be without any.
fn writing_action(space: &ActionSpace) -> Option<&ActionSpec> {
    let mut with_code =
        space.specs().iter().filter(|spec| spec.params.iter().any(|param| param.kind.is_code()));
    let spec = with_code.next().filter(|_| with_code.next().is_none())?;
    spec.params.iter().all(|param| param.kind.is_code() && !param.required).then_some(spec)
}

/// What the sentences of the lines say.
fn all_said<'a>(part: &ActionPart<'a>, body: &Range<usize>) -> Vec<Said<'a>> {
    let mut said = Vec::new();
    let mut at = body.start;
    for line in part.reply[body.clone()].split_inclusive('\n') {
        let mut words = Vec::new();
        for word in word_spans(part.reply, at..at + line.len()) {
            let ends =
                part.reply[word.clone()].trim_end_matches(is_decoration).ends_with(['.', '!', '?', ';']);
            words.push(word);
            if ends {
                said.extend(said_by(part, &std::mem::take(&mut words)));
            }
        }
        said.extend(said_by(part, &words));
        at += line.len();
    }
    said
}

/// The words of a line, with their punctuation.
fn word_spans(reply: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let start = reply.as_ptr().addr();
    reply[line].split_whitespace().map(move |word| {
        let at = word.as_ptr().addr() - start;
        at..at + word.len()
    })
}

/// What a sentence of these words says; nothing if it is another sentence.
fn said_by<'a>(part: &ActionPart<'a>, words: &[Range<usize>]) -> Vec<Said<'a>> {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return Vec::new() };
    let mut names = Vec::new();
    let mut plain = Vec::new();
    for word in words {
        let text = part.reply[word.clone()].trim_matches(|c: char| !c.is_alphanumeric());
        let lower = text.to_lowercase().replace('’', "'");
        if let Some((_, param)) = named_param(part.action_space, text) {
            names.push((param.name.as_str(), word.clone()));
            plain.push(NAME.to_owned());
        } else if !lower.is_empty() && !ADVERBS.contains(&lower.as_str()) {
            plain.push(lower);
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let is_said = SENTENCE.as_ref().is_some_and(|sentence| sentence.is_match(&plain.join(" ")));
    let sentence = first.start..last.end;
    let said = names.into_iter().filter(|_| is_said);
    said.map(|(parameter, word)| Said { parameter, word, sentence: sentence.clone() }).collect()
}

/// Whether a character may stand around a sentence.
fn is_decoration(c: char) -> bool {
    "*_\"'`)”’".contains(c)
}
