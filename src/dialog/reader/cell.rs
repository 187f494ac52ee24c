//! Replies of free text with one block of code, which is the action (`AgentStudio`, section 6 of its rules).

use std::ops::Range;

use super::{ActionPart, Located, ParseError, Spans, trimmed_span};
use crate::rules::CellRules;
use mageyard_domain::{Action, Arg, Notation};

const FENCE: &str = "```";

/// The block, as the code of the only action that is a program, or as the part that names the actions.
pub(super) fn locate<'a>(
    part: &ActionPart<'a>,
    rules: &CellRules,
    spans: &mut Spans,
) -> Result<Located<'a>, ParseError> {
    let (start, body) = if rules.released { released(part.reply) } else { standard(part.reply) }?;
    let body = trimmed_span(part.reply, body);
    if body.is_empty() {
        return Err(ParseError::at("block", "the block of code is empty".to_owned(), body));
    }
    spans.analysis = Some(trimmed_span(part.reply, 0..start)).filter(|range| !range.is_empty());
    let program = part.action_space.only_program().filter(|_| part.format.notation == Notation::CodeBlocks);
    let Some((spec, parameter)) = program else { return Ok(Located::Span(body)) };
    spans.action = Some(body.clone());
    spans.record_argument(&parameter.name, body.clone());
    let code = Arg::Code(part.reply[body.clone()].to_owned());
    let action = Action::plain(&*spec.name).with(&*parameter.name, code);
    spec.check(&action).map_err(|error| ParseError::at("argument", error.to_string(), body))?;
    Ok(Located::Actions(vec![action]))
}

fn missing() -> ParseError {
    ParseError::missing("fence", "the reply has no block of code (```)".to_owned())
}

/// Where the first fence is, and what is between it and the one that closes it.
fn standard(reply: &str) -> Result<(usize, Range<usize>), ParseError> {
    let open = reply.find(FENCE).ok_or_else(missing)?;
    let length = reply[open..].bytes().take_while(|byte| *byte == b'`').count();
    let fence = &reply[open..open + length];
    let after = open + length;
    let line_end = reply[after..].find('\n').map_or(reply.len(), |at| after + at);
    let line = &reply[after..line_end];
    if let Some(close) = line.find(fence) {
        return Ok((open, after + label(&line[..close], true)..after + close));
    }
    let body = after + label(line, false);
    let closing = reply[line_end..].match_indices('\n').map(|(at, _)| line_end + at + 1);
    let closes = |start: &usize| reply[*start..].trim_start_matches([' ', '\t']).starts_with(fence);
    match closing.into_iter().find(closes) {
        Some(close) => Ok((open, body..close)),
        None => Err(ParseError::at("fence", "the block of code does not end".to_owned(), open..after)),
    }
}

/// How many bytes of the line of a fence are its label. Code on the same line is set off by a blank.
fn label(line: &str, has_code: bool) -> usize {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "+-_.{}".contains(c);
    let end = line.find(|c| !is_sign(c)).unwrap_or(line.len());
    let rest = &line[end..];
    let ends = if has_code { rest.starts_with([' ', '\t']) } else { rest.trim().is_empty() };
    let begins = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '{');
    if begins && ends { end } else { 0 }
}

/// What the released code takes: the expression "```[a-zA-Z]*(.*?)```" over all lines.
fn released(reply: &str) -> Result<(usize, Range<usize>), ParseError> {
    let open = reply.find(FENCE).ok_or_else(missing)?;
    let after = open + FENCE.len();
    let letters = reply[after..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let body = after + letters;
    let close = reply[body..].find(FENCE).ok_or_else(missing)?;
    Ok((open, body..body + close))
}

#[cfg(test)]
mod tests {
    use crate::reader::parse_reply;
    use crate::rules::ReaderRules;
    use mageyard_domain::{ActionSpace, ActionSpec, Arg, ParamKind, ParamSpec, ReplyFormat};

    fn read(reader: &str, reply: &str) -> Result<String, String> {
        let rules = ReaderRules::named(reader).unwrap();
        let code = ParamKind::Code { language: "python".to_owned() };
        let run = ActionSpec::new("run", "runs a cell").with_param(ParamSpec::new("code", "a cell", code));
        let space: ActionSpace = [run].into_iter().collect();
        let format = rules.reply_format(&ReplyFormat::whole_blocks(false));
        let outcome = parse_reply(&rules, &format, reply, &space);
        let actions = outcome.result.map_err(|error| error.rule)?;
        let Some(Arg::Code(code)) = actions[0].args.get("code") else { panic!("no code") };
        Ok(code.clone())
    }

    /// Replies with what `cell` and `cell-code` read; a rule that failed begins with `!`.
    #[test]
    fn both_readers_take_the_first_block() {
        for (reply, standard, released) in [
            ("I list.\n```python\nls()\n```\nDone.", "ls()", "ls()"),
            ("```\nx = 1\n```", "x = 1", "x = 1"),
            ("```python3\nx = 1\n```", "x = 1", "3\nx = 1"),
            ("```exit()```", "exit()", "()"),
            ("```python exit()```", "exit()", "exit()"),
            ("```x=1\ny=2\n```", "x=1\ny=2", "=1\ny=2"),
            ("```py\na\n```\n```py\nb\n```", "a", "a"),
            ("````python\nprint('```')\n````", "print('```')", "`python\nprint('"),
            ("```python\nprint('```')\n```", "print('```')", "print('"),
            ("I am done.", "!fence", "!fence"),
            ("```python\nx = 1", "!fence", "!fence"),
            ("```python\n\n```", "!block", "!block"),
        ] {
            for (reader, expected) in [("cell", standard), ("cell-code", released)] {
                let found = read(reader, reply).unwrap_or_else(|rule| format!("!{rule}"));
                assert_eq!(found, expected, "{reader}: {reply:?}");
            }
        }
    }
}
