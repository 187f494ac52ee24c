//! The calls of a function as steps. Each known call form has one row; every other one is an error with its name.

mod methods;

use std::collections::BTreeMap;

use super::actions::ActionError;
use super::chain::Chain;
use super::functions::{Function, Functions};
use super::places;
use super::waiting::wait;
use mageyard_browser::{Place, Step};
use mageyard_kit::{Expression, Line, Token, statement};

/// The largest number of functions that call each other.
const MAX_CALLS: usize = 8;
/// The largest number of steps of a function.
const MAX_STEPS: usize = 200;
/// Words that begin a statement that is not a call.
const STATEMENTS: [&str; 14] = [
    "for", "while", "if", "elif", "else", "try", "except", "finally", "with", "raise", "assert", "del",
    "global", "def",
];

/// What a name or an expression is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Driver,
    /// An element, or several where one is chosen by an index.
    Element(Place),
    Elements(Place),
    /// The number of a chain of actions.
    Chain(usize),
    /// A list of options.
    Select(Place),
    /// A dialog, which is answered in any case.
    Dialog,
    Nothing,
}

/// The arguments of a call, with their keywords.
type Arguments = [(Option<String>, Expression)];
/// The names that have a value.
type Names = BTreeMap<String, Value>;

/// Reads functions.
pub(super) struct Caller<'a> {
    functions: &'a Functions,
    pub(super) steps: Vec<Step>,
    chains: Vec<Chain>,
    calls: usize,
    /// The error of a function that was called.
    inner: Option<ActionError>,
}

impl<'a> Caller<'a> {
    /// A caller of these functions without steps.
    pub(super) fn new(functions: &'a Functions) -> Self {
        Self { functions, steps: Vec::new(), chains: Vec::new(), calls: 0, inner: None }
    }

    /// Adds the steps of a function.
    pub(super) fn call(&mut self, function: &Function) -> Result<(), ActionError> {
        let error = |line, reason| ActionError { line, reason };
        self.calls += 1;
        if self.calls > MAX_CALLS {
            return Err(error(function.line, format!("more than {MAX_CALLS} functions call each other")));
        }
        let driver = function.parameter.clone().map(|name| (name, Value::Driver));
        let mut names: Names = driver.into_iter().collect();
        for line in &function.body {
            if self.statement(line, &mut names)? {
                break;
            }
            if self.steps.len() > MAX_STEPS {
                return Err(error(line.number, format!("a function has more than {MAX_STEPS} steps")));
            }
        }
        self.calls -= 1;
        Ok(())
    }

    /// Reads a line; true if it returns.
    fn statement(&mut self, line: &Line, names: &mut Names) -> Result<bool, ActionError> {
        let error = |reason| ActionError { line: line.number, reason };
        match line.tokens.as_slice() {
            [Token::Text(_)] => return Ok(false),
            [Token::Name(word)] if word == "return" => return Ok(true),
            [Token::Name(word), ..] if ["pass", "import", "from"].contains(&word.as_str()) => {
                return Ok(false);
            }
            [Token::Name(word), ..] if STATEMENTS.contains(&word.as_str()) => {
                let why = "an interaction is a list of calls, whose number the file itself says";
                return Err(error(format!("`{word}` is not read: {why}")));
            }
            _ => {}
        }
        let read = statement(line)?;
        let value = self.value(&read.value, names);
        let value = value.map_err(|reason| self.inner.take().unwrap_or_else(|| error(reason)))?;
        match read.target {
            Some(Expression::Name(target)) => drop(names.insert(target, value)),
            Some(target) => return Err(error(format!("{target} gets a value, which is not read"))),
            None => {}
        }
        Ok(false)
    }

    fn value(&mut self, expression: &Expression, names: &Names) -> Result<Value, String> {
        match expression {
            Expression::Name(name) => {
                names.get(name).cloned().ok_or_else(|| format!("the name {name} has no value here"))
            }
            Expression::Index(of, index) => match (self.value(of, names)?, index.as_ref()) {
                (Value::Elements(place), Expression::Number(index)) => {
                    places::at(&place, *index).map(Value::Element)
                }
                _ => Err(format!("{expression} is not one of the elements found, by a number")),
            },
            Expression::Call(callee, arguments) => self.called(expression, callee, arguments, names),
            Expression::Attribute(of, name) => match (of.to_string().as_str(), name.as_str()) {
                (switch, "alert") if switch.ends_with(".switch_to") => Ok(Value::Dialog),
                _ => Err(format!("{expression} is not read: its value is known only in a browser")),
            },
            other => Err(format!("{other} is not a call")),
        }
    }

    fn called(
        &mut self,
        call: &Expression,
        callee: &Expression,
        arguments: &Arguments,
        names: &Names,
    ) -> Result<Value, String> {
        match callee {
            Expression::Name(name) if names.contains_key(name) => Err(format!("{name} is not a function")),
            Expression::Name(name) => self.function(name, arguments, names),
            Expression::Attribute(of, name) => match (of.as_ref(), name.as_str()) {
                (Expression::Name(module), "sleep") if module == "time" => self.sleep(arguments),
                (Expression::Name(module), "ActionChains") if module == "webdriver" => Ok(self.new_chain()),
                (of, name) => {
                    let on = self.value(of, names)?;
                    self.method(on, name, arguments, names).unwrap_or_else(|| Err(unknown(call)))
                }
            },
            _ => Err(unknown(call)),
        }
    }

    fn function(&mut self, name: &str, arguments: &Arguments, names: &Names) -> Result<Value, String> {
        match name {
            "sleep" => self.sleep(arguments),
            "ActionChains" => Ok(self.new_chain()),
            "Select" => self.element(arguments, 0, names).map(Value::Select),
            _ => {
                let functions = self.functions;
                let known = functions.by_name.get(name).ok_or_else(|| {
                    format!("{name}(…) is not one of the calls that are read, and no function of this file")
                })?;
                match arguments {
                    [(None, Expression::Name(driver))]
                        if matches!(names.get(driver), Some(Value::Driver)) =>
                    {
                        self.call(known).map(|()| Value::Nothing).map_err(|error| {
                            let reason = error.reason.clone();
                            self.inner = Some(error);
                            reason
                        })
                    }
                    _ => Err(format!("{name}(…) is called with more than the driver")),
                }
            }
        }
    }

    fn sleep(&mut self, arguments: &Arguments) -> Result<Value, String> {
        match arguments {
            [(None, Expression::Number(seconds))] => {
                let step = wait(*seconds)?;
                self.step(step)
            }
            _ => Err("sleep needs a number of seconds".into()),
        }
    }

    fn new_chain(&mut self) -> Value {
        self.chains.push(Chain::default());
        Value::Chain(self.chains.len() - 1)
    }

    fn add(&mut self, steps: Vec<Step>) -> Value {
        self.steps.extend(steps);
        Value::Nothing
    }

    #[expect(clippy::unnecessary_wraps, reason = "the last call of its callers")]
    fn step(&mut self, step: Step) -> Result<Value, String> {
        Ok(self.add(vec![step]))
    }
}

fn unknown(call: &Expression) -> String {
    format!("{call} is not one of the calls that are read")
}
