//! Python expressions of the forms that files of data use: names, texts, numbers, lists, attributes, calls and indices.

use std::fmt;

use super::SourceError;
use super::tokens::{Line, Token};

/// The largest number of nested brackets, and of attributes, calls and indices after each other.
const MAX_DEPTH: usize = 60;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A variable, a function or a module.
    Name(String),
    /// A number that is written out.
    Number(f64),
    /// A text that is written out, without its quotation marks.
    Text(String),
    /// A text or a number that is computed.
    Computed,
    /// The items of a list or tuple.
    List(Vec<Self>),
    /// An object and the name of its attribute.
    Attribute(Box<Self>, String),
    /// A call with its arguments and their keywords.
    Call(Box<Self>, Vec<(Option<String>, Self)>),
    /// An object and what is between the square brackets.
    Index(Box<Self>, Box<Self>),
    /// Two expressions with a `+` between them.
    Sum(Box<Self>, Box<Self>),
}

/// What a line does.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The number of the line.
    pub line: usize,
    /// What gets the value: a name, or an attribute.
    pub target: Option<Expression>,
    /// The value.
    pub value: Expression,
}

/// Names an expression in messages: `driver.find_element(…)`.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Computed => f.write_str("a computed text"),
            Self::List(_) => f.write_str("[…]"),
            Self::Attribute(of, name) => write!(f, "{of}.{name}"),
            Self::Call(callee, _) => write!(f, "{callee}(…)"),
            Self::Index(of, _) => write!(f, "{of}[…]"),
            Self::Sum(left, right) => write!(f, "{left} + {right}"),
        }
    }
}

/// Reads a line as an expression, or as one that is assigned to a name or an attribute.
pub fn statement(line: &Line) -> Result<Statement, SourceError> {
    let error = |reason| SourceError { line: line.number, reason };
    let mut parser = Parser { tokens: &line.tokens, depth: 0 };
    let mut target = None;
    let mut value = parser.expression().map_err(error)?;
    let can_be_assigned = matches!(value, Expression::Name(_) | Expression::Attribute(..));
    if can_be_assigned && parser.tokens.get(1) != Some(&Token::Symbol('=')) && parser.skip('=') {
        target = Some(value);
        value = parser.expression().map_err(error)?;
    }
    match parser.tokens {
        [] => Ok(Statement { line: line.number, target, value }),
        [next, ..] => Err(error(
            arithmetic(next)
                .unwrap_or_else(|| format!("after {value} comes {}, which is not read", shown(next))),
        )),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    depth: usize,
}

impl Parser<'_> {
    fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first.clone())
    }

    /// Takes the symbol if it is the next token.
    fn skip(&mut self, symbol: char) -> bool {
        let is_next = self.tokens.first() == Some(&Token::Symbol(symbol));
        self.tokens = &self.tokens[usize::from(is_next)..];
        is_next
    }

    fn expression(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("has more than {MAX_DEPTH} nested brackets"));
        }
        let mut value = self.operand()?;
        let mut parts = 0;
        while self.skip('+') {
            parts += 1;
            if parts > MAX_DEPTH {
                return Err(format!("has more than {MAX_DEPTH} terms"));
            }
            value = Expression::Sum(Box::new(value), Box::new(self.operand()?));
        }
        self.depth -= 1;
        Ok(value)
    }

    fn operand(&mut self) -> Result<Expression, String> {
        let mut value = self.atom()?;
        for _ in 0..MAX_DEPTH {
            if self.skip('.') {
                match self.next() {
                    Some(Token::Name(name)) => value = Expression::Attribute(Box::new(value), name),
                    _ => return Err(format!("{value} is followed by a full stop without a name")),
                }
            } else if self.skip('(') {
                value = Expression::Call(Box::new(value), self.arguments()?);
            } else if self.skip('[') {
                let index = self.expression()?;
                self.close(']')?;
                value = Expression::Index(Box::new(value), Box::new(index));
            } else {
                return Ok(value);
            }
        }
        Err(format!("has more than {MAX_DEPTH} calls after each other"))
    }

    fn atom(&mut self) -> Result<Expression, String> {
        match self.next() {
            Some(Token::Name(name)) => Ok(Expression::Name(name)),
            Some(Token::Number(number)) => Ok(Expression::Number(number)),
            Some(Token::Text(text)) => Ok(self.joined(text)),
            Some(Token::Computed) => Ok(Expression::Computed),
            Some(Token::Symbol(sign @ ('-' | '+'))) => match self.next() {
                Some(Token::Number(number)) => {
                    Ok(Expression::Number(if sign == '-' { -number } else { number }))
                }
                _ => Err(format!("a sign (`{sign}`) that is not before a number is not read")),
            },
            Some(Token::Symbol('(')) => {
                let value = self.expression()?;
                self.close(')')?;
                Ok(value)
            }
            Some(Token::Symbol('[')) => self.list(),
            Some(other) => Err(format!("{} is not read here", shown(&other))),
            None => Err("the line ends in the middle of an expression".into()),
        }
    }

    /// Texts after each other are one text.
    fn joined(&mut self, mut text: String) -> Expression {
        while let [Token::Text(more), rest @ ..] = self.tokens {
            text.push_str(more);
            self.tokens = rest;
        }
        Expression::Text(text)
    }

    fn list(&mut self) -> Result<Expression, String> {
        let mut items = Vec::new();
        while !self.skip(']') {
            items.push(self.expression()?);
            if !self.skip(',') {
                self.close(']')?;
                break;
            }
        }
        Ok(Expression::List(items))
    }

    fn arguments(&mut self) -> Result<Vec<(Option<String>, Expression)>, String> {
        let mut arguments = Vec::new();
        while !self.skip(')') {
            let mut keyword = None;
            if let [Token::Name(name), Token::Symbol('='), rest @ ..] = self.tokens {
                (keyword, self.tokens) = (Some(name.clone()), rest);
            }
            arguments.push((keyword, self.expression()?));
            if !self.skip(',') {
                self.close(')')?;
                break;
            }
        }
        Ok(arguments)
    }

    fn close(&mut self, bracket: char) -> Result<(), String> {
        if self.skip(bracket) {
            return Ok(());
        }
        Err(match self.tokens.first() {
            Some(found) => arithmetic(found).unwrap_or_else(|| format!("{} is not read here", shown(found))),
            None => "the end of the line is not read here".to_owned(),
        })
    }
}

/// What is wrong with an operator after an operand.
fn arithmetic(token: &Token) -> Option<String> {
    let Token::Symbol(symbol @ ('-' | '*' | '/' | '%')) = token else { return None };
    Some(format!("arithmetic (`{symbol}`) is not read; write its result"))
}

fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("`{name}`"),
        Token::Number(number) => format!("`{number}`"),
        Token::Text(_) => "a text".to_owned(),
        Token::Computed => "a computed text".to_owned(),
        Token::Symbol(symbol) => format!("`{symbol}`"),
    }
}
