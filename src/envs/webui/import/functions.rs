//! The functions of a file of interactions, and the list of those that are used.

use std::collections::BTreeMap;

use super::actions::ActionError;
use mageyard_kit::{Expression, Line, Token, statement};

/// The name of the list of functions.
const LIST: &str = "actions";

/// A function.
#[derive(Debug, Default)]
pub(super) struct Function {
    /// The line of its head.
    pub(super) line: usize,
    /// The name of its first parameter.
    pub(super) parameter: Option<String>,
    /// The lines of its body.
    pub(super) body: Vec<Line>,
}

/// The functions of a file, and the names in its list with the line of the list.
pub(super) struct Functions {
    pub(super) by_name: BTreeMap<String, Function>,
    pub(super) used: Vec<String>,
    pub(super) list_line: usize,
}

impl Functions {
    /// Sorts the lines of a file. Statements beside the list and the functions must be imports or texts.
    pub(super) fn of_lines(lines: Vec<Line>) -> Result<Self, ActionError> {
        let mut found = Self { by_name: BTreeMap::new(), used: Vec::new(), list_line: 0 };
        let mut open: Option<(String, Function)> = None;
        for line in lines {
            match &mut open {
                Some((_, function)) if line.indented => function.body.push(line),
                _ => {
                    found.by_name.extend(open.take());
                    open = found.top(&line)?;
                }
            }
        }
        found.by_name.extend(open);
        match found.list_line {
            0 => Err(ActionError {
                line: 1,
                reason: "there is no list `actions = […]` of the functions".into(),
            }),
            _ => Ok(found),
        }
    }

    /// Reads a line that is not part of a function; the head of a function opens one.
    fn top(&mut self, line: &Line) -> Result<Option<(String, Function)>, ActionError> {
        let number = line.number;
        let refused = |what: &str| {
            let reason = format!("{what} outside functions is not read; nothing of the file is run");
            Err(ActionError { line: number, reason })
        };
        match line.tokens.as_slice() {
            [Token::Name(import), ..] if ["import", "from"].contains(&import.as_str()) => Ok(None),
            [Token::Text(_)] => Ok(None),
            [Token::Name(def), Token::Name(name), Token::Symbol('('), rest @ ..] if def == "def" => {
                Ok(Some((name.clone(), function(number, rest, line))))
            }
            [Token::Name(name), Token::Symbol('='), ..] if name == LIST => self.list(line).map(|()| None),
            [Token::Name(name), ..] => refused(&format!("`{name}`")),
            _ => refused("this line"),
        }
    }

    fn list(&mut self, line: &Line) -> Result<(), ActionError> {
        let error = |reason: &str| ActionError { line: line.number, reason: reason.into() };
        let wrong = || error("the list `actions` has names of functions and nothing else");
        let Expression::List(items) = statement(line)?.value else { return Err(wrong()) };
        if self.list_line != 0 {
            return Err(error("there are two lists `actions`"));
        }
        self.list_line = line.number;
        for item in items {
            let Expression::Name(name) = item else { return Err(wrong()) };
            self.used.push(name);
        }
        Ok(())
    }
}

/// A function from the tokens after the bracket of its head. What follows the colon in the same line is its body.
fn function(number: usize, rest: &[Token], line: &Line) -> Function {
    let parameter = match rest.first() {
        Some(Token::Name(name)) => Some(name.clone()),
        _ => None,
    };
    let mut function = Function { line: number, parameter, body: Vec::new() };
    let after = rest.iter().rposition(|token| *token == Token::Symbol(':')).map_or(rest.len(), |at| at + 1);
    if after < rest.len() {
        function.body.push(Line { number, indented: line.indented, tokens: rest[after..].to_vec() });
    }
    function
}
