//! The description of one action.

use serde::{Deserialize, Serialize};

use super::error::{excerpt, list_names};
use super::written::Completeness;
use super::{Action, ActionError, Arg, MisreadAction, ParamSpec, WrittenAction, written};

/// The description of an action: one entry of an action space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionSpec {
    /// The exact name that an agent must write. The name of an action with parameters has no `(`.
    pub name: String,
    /// What the action does, in a short phrase for people and prompts.
    pub help: String,
    /// The key with which a person plays it, in the notation of `keys.toml`, such as `left`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its parameters, in the order of arguments without a name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<ParamSpec>,
}

impl ActionSpec {
    /// An action without parameters and without a key.
    pub fn new(name: impl Into<String>, help: impl Into<String>) -> Self {
        Self { name: name.into(), help: help.into(), key: None, params: Vec::new() }
    }

    /// The action with this key.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// The action with one more parameter.
    #[must_use]
    pub fn with_param(mut self, param: ParamSpec) -> Self {
        self.params.push(param);
        self
    }

    /// The parameter of this name.
    pub fn param(&self, name: &str) -> Option<&ParamSpec> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Whether it can be played without arguments.
    pub fn is_plain(&self) -> bool {
        self.params.iter().all(|param| !param.required)
    }

    /// Whether it is a program to write rather than one of a number of choices: all its parameters are code.
    pub fn is_program(&self) -> bool {
        !self.params.is_empty() && self.params.iter().all(|param| param.kind.is_code())
    }

    /// The name and the parameters with their kinds, such as `click(at: point (0, 0) to (1279, 719))`. A parameter
    /// that may be left out has a question mark.
    pub fn signature(&self) -> String {
        if self.params.is_empty() {
            return self.name.clone();
        }
        let part = |param: &ParamSpec| {
            let mark = if param.required { "" } else { "?" };
            format!("{}{mark}: {}", param.name, param.kind.brief())
        };
        format!("{}({})", self.name, self.params.iter().map(part).collect::<Vec<_>>().join(", "))
    }

    /// The name and the help in a line of a list, and a line below it for each parameter.
    pub fn description(&self) -> String {
        let param = |param: &ParamSpec| {
            let optional = if param.required { "" } else { " (optional)" };
            format!("\n  - {}: {}, {}{optional}", param.name, param.help, param.kind)
        };
        format!("- {}: {}{}", self.name, self.help, self.params.iter().map(param).collect::<String>())
    }

    /// Why the arguments of an action with this name are not allowed.
    pub fn check(&self, action: &Action) -> Result<(), ActionError> {
        for param in &self.params {
            self.check_param(param, action.args.get(&param.name))?;
        }
        match action.args.keys().find(|name| self.param(name).is_none()) {
            Some(name) => Err(self.unknown_parameter(name)),
            None => Ok(()),
        }
    }

    /// Like [`ActionSpec::check`], but parameters for code need no arguments.
    pub(super) fn check_without_code(&self, action: &Action) -> Result<(), ActionError> {
        let is_code = |name: &str| self.param(name).is_some_and(|param| param.kind.is_code());
        match self.check(action) {
            Err(ActionError::Missing { parameter, .. }) if is_code(&parameter) => {
                let filled = self.params.iter().filter(|param| param.kind.is_code() && param.required);
                let filled = filled.fold(action.clone(), |action, param| {
                    if action.args.contains_key(&param.name) {
                        action
                    } else {
                        action.with(&*param.name, Arg::Code(String::new()))
                    }
                });
                self.check(&filled)
            }
            checked => checked,
        }
    }

    /// Like [`ActionSpec::check`], but no parameter needs an argument.
    pub(super) fn check_given(&self, action: &Action) -> Result<(), ActionError> {
        match self.check(action) {
            Err(ActionError::Missing { .. }) => {
                let mut given =
                    self.params.iter().filter_map(|param| Some((param, action.args.get(&param.name)?)));
                given.try_for_each(|(param, arg)| self.check_param(param, Some(arg)))
            }
            checked => checked,
        }
    }

    /// Parses the arguments in parentheses that begin at this byte of a text, whatever is written around them.
    pub fn read_arguments(&self, text: &str, at: usize) -> Result<WrittenAction, MisreadAction> {
        written::read_arguments(self, text, at, Completeness::Complete)
    }

    /// An action as an example: every required parameter and every code has an argument.
    pub fn example(&self) -> Action {
        let given = self.params.iter().filter(|param| param.required || param.kind.is_code());
        given
            .fold(Action::plain(&*self.name), |action, param| action.with(&*param.name, param.kind.example()))
    }

    /// Why this argument is not allowed for one of the parameters.
    pub fn check_param(&self, param: &ParamSpec, arg: Option<&Arg>) -> Result<(), ActionError> {
        match arg {
            None if param.required => Err(self.missing(param)),
            Some(arg) if !param.kind.accepts(arg) => Err(self.invalid(param, &arg.to_string())),
            _ => Ok(()),
        }
    }

    /// The error of an argument that is not allowed; `given` is its written form.
    pub fn invalid(&self, param: &ParamSpec, given: &str) -> ActionError {
        ActionError::Invalid {
            action: self.name.clone(),
            parameter: param.name.clone(),
            given: excerpt(&crate::sanitize::sanitize(given)),
            expected: param.kind.to_string(),
        }
    }

    fn missing(&self, param: &ParamSpec) -> ActionError {
        ActionError::Missing {
            action: self.name.clone(),
            parameter: param.name.clone(),
            expected: param.kind.to_string(),
        }
    }

    /// The error of a parameter that is given twice.
    pub fn duplicate(&self, name: &str) -> ActionError {
        ActionError::Duplicate { action: self.name.clone(), parameter: excerpt(name) }
    }

    /// The error of a parameter that the action does not have.
    pub fn unknown_parameter(&self, name: &str) -> ActionError {
        let names = self.params.iter().map(|param| param.name.as_str());
        let known = match self.params.len() {
            0 => "it takes no parameters".to_owned(),
            1 => format!("its parameter is {}", list_names(names)),
            _ => format!("its parameters are {}", list_names(names)),
        };
        ActionError::UnknownParameter { action: self.name.clone(), parameter: excerpt(name), known }
    }

    pub(super) fn syntax_error(&self, why: &'static str) -> ActionError {
        ActionError::Syntax { action: self.name.clone(), why, usage: self.signature() }
    }
}
