//! Code under its label in a JSON object: `{"analysis": "…", "html": "…", "css": "…"}`, where actions write code.

use serde_json::value::RawValue;

use super::block_builder::Builder;
use super::json_spans::{inner_span, value_span};
use super::labels::{CodeParam, exact_param, likely_param};
use super::{ActionPart, BlockRule, BlockSpan, Leniency, ParseError, Spans, excerpt};
use mageyard_domain::Action;

/// The actions with the texts under the labels of code; `None` if no key is a label. A text of `null` is not given.
pub(super) fn read(
    part: &ActionPart<'_>,
    entries: &[(String, &RawValue)],
    spans: &mut Spans,
) -> Result<Option<Vec<Action>>, ParseError> {
    let labelled = entries.iter().filter_map(|(key, value)| Some((key, find_param(part, key)?, *value)));
    let given: Vec<_> = labelled.filter(|(.., value)| value.get() != "null").collect();
    let (Some(first), Some(last)) = (given.first(), given.last()) else { return Ok(None) };
    let body = value_span(part.reply, first.2).start..value_span(part.reply, last.2).end;
    let mut builder = Builder::new(part);
    for (index, (key, (param, rule), value)) in given.iter().enumerate() {
        let span = value_span(part.reply, value);
        if given[..index].iter().any(|(_, (other, _), _)| other.1.name == param.1.name) {
            return Err(ParseError::at("key", format!("{:?} is given twice", param.1.name), span));
        }
        let Ok(code) = serde_json::from_str::<String>(value.get()) else {
            let why = format!("{key:?} must be a string, found {}", excerpt(value.get()));
            return Err(ParseError::at("block", why, span));
        };
        if *rule == BlockRule::Other {
            spans.record_leniency(Leniency::Label);
        }
        let at = BlockSpan::new(*rule, inner_span(part.reply, value));
        builder.push_code(*param, &span, at, code, spans);
    }
    builder.finish(body, spans).map(Some)
}

/// The parameter that a key names, as a label of a code block does.
fn find_param<'a>(part: &ActionPart<'a>, key: &str) -> Option<(CodeParam<'a>, BlockRule)> {
    let space = part.action_space;
    let key = Some(key).filter(|key| !key.is_empty())?;
    let exact = exact_param(space, None, key).map(|param| (param, BlockRule::Exact));
    exact.or_else(|| Some((likely_param(space, key)?, BlockRule::Other)))
}
