//! Parses the written form of an action: a name, or `name(parameter=value, …)`.
//!
//! A value is a JSON string, a number, a point `(x, y)`, or a word, which is a text. Nothing is repaired: what does
//! not have this form is an error with its place. Parsing takes linear time.

use std::ops::Range;

use super::{Action, ActionError, ActionSpace, ActionSpec, Arg, Number};

/// An action, and where its arguments are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAction {
    /// The action.
    pub action: Action,
    /// The parameter and the bytes of each argument, in the order written.
    pub args: Vec<(String, Range<usize>)>,
    /// The number of bytes of the written form.
    pub length: usize,
}

/// Why a written form is not an allowed action, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MisreadAction {
    /// Why.
    pub error: ActionError,
    /// The bytes of what is wrong; empty if something is missing there.
    pub at: Range<usize>,
}

/// Which parameters must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completeness {
    /// All required ones.
    Complete,
    /// All required ones but code, which follows in blocks of its own.
    WithoutCode,
    /// None.
    Given,
}

impl Completeness {
    fn check(self, spec: &ActionSpec, action: &Action) -> Result<(), ActionError> {
        match self {
            Self::Complete => spec.check(action),
            Self::WithoutCode => spec.check_without_code(action),
            Self::Given => spec.check_given(action),
        }
    }
}

/// Parses a text that is one action and nothing else.
pub(super) fn read(
    space: &ActionSpace,
    text: &str,
    completeness: Completeness,
) -> Result<WrittenAction, MisreadAction> {
    let whole = |error| MisreadAction { error, at: 0..text.len() };
    if let Some(spec) = space.spec(text) {
        let action = Action::plain(text);
        completeness.check(spec, &action).map_err(whole)?;
        return Ok(WrittenAction { action, args: Vec::new(), length: text.len() });
    }
    let Some(spec) = called_spec(space, text) else { return Err(whole(space.unknown(text))) };
    let read = read_arguments(spec, text, spec.name.len(), completeness)?;
    if spec.params.is_empty() {
        return Err(whole(space.unknown(text)));
    }
    if read.length < text.len() {
        let error = spec.syntax_error("there is text after the closing parenthesis");
        return Err(MisreadAction { error, at: read.length..text.len() });
    }
    Ok(read)
}

/// Parses a line that is the written form of an action, or its name and then its arguments without parentheses.
pub(super) fn read_line(
    space: &ActionSpace,
    line: &str,
    completeness: Completeness,
) -> Result<WrittenAction, MisreadAction> {
    let as_call = read(space, line, completeness);
    let begins = |spec: &&ActionSpec| {
        let rest = line.strip_prefix(spec.name.as_str());
        !spec.params.is_empty() && rest.is_some_and(|rest| rest.starts_with(' '))
    };
    let spec = space.specs().iter().filter(begins).max_by_key(|spec| spec.name.len());
    let (Err(misread), Some(spec)) = (&as_call, spec) else { return as_call };
    let as_line = CallReader::new(spec, line, spec.name.len(), completeness, None).read();
    let names_none = matches!(misread.error, ActionError::Unknown { .. });
    let is_broken = matches!(&as_line, Err(MisreadAction { error: ActionError::Syntax { .. }, .. }));
    if names_none || !is_broken { as_line } else { as_call }
}

/// The action whose name and `(` begin a text.
fn called_spec<'a>(space: &'a ActionSpace, text: &str) -> Option<&'a ActionSpec> {
    let opens =
        |spec: &&ActionSpec| text.starts_with(spec.name.as_str()) && opens_call(&text[spec.name.len()..]);
    space.specs().iter().filter(opens).max_by_key(|spec| spec.name.len())
}

/// Whether a text begins with the parenthesis of a call.
pub(super) fn opens_call(text: &str) -> bool {
    text.trim_start_matches(' ').starts_with('(')
}

/// Parses the arguments in parentheses that begin at this byte, whatever is written before and after them.
pub(super) fn read_arguments(
    spec: &ActionSpec,
    text: &str,
    at: usize,
    completeness: Completeness,
) -> Result<WrittenAction, MisreadAction> {
    let start = text.len() - text[at..].trim_start_matches(' ').len();
    let mut reader = CallReader::new(spec, text, start, completeness, Some(')'));
    if !reader.skip('(') {
        return Err(reader.syntax("expected an opening parenthesis"));
    }
    reader.read()
}

/// Reads the arguments of one call.
struct CallReader<'a> {
    spec: &'a ActionSpec,
    text: &'a str,
    at: usize,
    action: Action,
    args: Vec<(String, Range<usize>)>,
    completeness: Completeness,
    /// What ends the arguments; `None` if the text ends them, and spaces may separate them.
    close: Option<char>,
}

impl<'a> CallReader<'a> {
    fn new(
        spec: &'a ActionSpec,
        text: &'a str,
        at: usize,
        completeness: Completeness,
        close: Option<char>,
    ) -> Self {
        let action = Action::plain(&*spec.name);
        Self { spec, text, at, action, args: Vec::new(), completeness, close }
    }

    fn read(mut self) -> Result<WrittenAction, MisreadAction> {
        let opened = self.at;
        self.skip_space();
        while !self.is_closed() {
            self.read_argument()?;
            let end = self.at;
            self.skip_space();
            let spaced = self.close.is_none() && self.at > end;
            if !self.skip(',') && !spaced && !self.rest().starts_with(')') && !self.rest().is_empty() {
                return Err(self.syntax("expected a comma or a closing parenthesis"));
            }
            self.skip_space();
        }
        let call = opened..self.at - usize::from(self.close.is_some());
        self.completeness.check(self.spec, &self.action).map_err(|error| {
            let named = self.args.iter().find(|(name, _)| error.parameter() == Some(name));
            MisreadAction { at: named.map_or(call, |(_, span)| span.clone()), error }
        })?;
        Ok(WrittenAction { action: self.action, args: self.args, length: self.at })
    }

    /// Whether the arguments end here; skips what ends them.
    fn is_closed(&mut self) -> bool {
        match self.close {
            Some(close) => self.skip(close),
            None => self.rest().is_empty(),
        }
    }

    fn read_argument(&mut self) -> Result<(), MisreadAction> {
        let start = self.at;
        let name = self.parameter_name();
        let param = match &name {
            Some(name) => self.spec.param(name),
            None => self.spec.params.get(self.args.len()),
        };
        let value = self.at;
        let arg = self.read_value()?;
        let span = value..self.at;
        let Some(param) = param else {
            let error = match name {
                Some(name) => self.spec.unknown_parameter(&name),
                None => self.spec.syntax_error("it has too many arguments"),
            };
            return Err(MisreadAction { error, at: start..self.at });
        };
        let given = self.action.args.insert(param.name.clone(), param.kind.convert(arg));
        if given.is_some() {
            let action = self.spec.name.clone();
            let parameter = param.name.clone();
            return Err(MisreadAction {
                error: ActionError::Duplicate { action, parameter },
                at: start..self.at,
            });
        }
        self.args.push((param.name.clone(), span));
        Ok(())
    }

    /// The name before `=`, if the argument has one.
    fn parameter_name(&mut self) -> Option<String> {
        let name = word(self.rest());
        let rest = self.rest()[name.len()..].trim_start().strip_prefix('=').filter(|_| !name.is_empty())?;
        let name = name.to_owned();
        self.at = self.text.len() - rest.len();
        self.skip_space();
        Some(name)
    }

    fn read_value(&mut self) -> Result<Arg, MisreadAction> {
        match self.rest().chars().next() {
            Some('"') => self.read_string(),
            Some('(') => self.read_point(')'),
            Some('[') => self.read_point(']'),
            Some('0'..='9' | '-' | '+' | '.') => match self.read_number() {
                Some(number) => Ok(Arg::Number(number)),
                None => Err(self.syntax("a number is not valid")),
            },
            _ => match word(self.rest()) {
                "" => Err(self.syntax("expected a value")),
                text => {
                    let text = text.to_owned();
                    self.at += text.len();
                    Ok(Arg::Text(text))
                }
            },
        }
    }

    fn read_string(&mut self) -> Result<Arg, MisreadAction> {
        let Some(length) = string_length(self.rest()) else {
            return Err(self.syntax("a string has no closing quote"));
        };
        match serde_json::from_str(&self.rest()[..length]) {
            Ok(text) => {
                self.at += length;
                Ok(Arg::Text(text))
            }
            Err(_) => Err(self.syntax("a string is not valid; write it as in JSON")),
        }
    }

    fn read_number(&mut self) -> Option<Number> {
        let rest = self.rest();
        let digits = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let length = rest.find(|c| !digits(c)).unwrap_or(rest.len());
        let number = rest[..length].parse().ok().and_then(Number::new)?;
        self.at += length;
        Some(number)
    }

    fn read_point(&mut self, close: char) -> Result<Arg, MisreadAction> {
        const WHY: &str = "a point is two whole numbers: (x, y)";
        let start = self.at;
        self.at += 1;
        self.skip_space();
        let x = self.read_number().and_then(Number::as_integer);
        self.skip_space();
        let comma = self.skip(',');
        self.skip_space();
        let y = self.read_number().and_then(Number::as_integer);
        self.skip_space();
        match (x, y) {
            (Some(x), Some(y)) if comma && self.skip(close) => Ok(Arg::Point { x, y }),
            _ => {
                let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
                Err(MisreadAction { error: self.spec.syntax_error(WHY), at: start..end })
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn skip(&mut self, sign: char) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    /// An error at the next character.
    fn syntax(&self, why: &'static str) -> MisreadAction {
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        MisreadAction { error: self.spec.syntax_error(why), at: self.at..end }
    }
}

/// The word of letters, digits, `_` and `-` with which a text begins.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(text.len());
    &text[..end]
}

/// The length in bytes of the quoted string with which a text begins, quotes included.
fn string_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return Some(at + 1),
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    None
}
