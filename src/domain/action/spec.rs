//! The description of one action.

use super::Action;
use super::ActionError;
use super::Arg;
use super::ParamSpec;
use super::error::excerpt;
use super::error::list_names;

/// The description of an action: one entry of an action space.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionSpec {
    /// The exact name that an agent must write. The name of an action with parameters has no `(`.
    pub name: String,
    /// What the action does, in a short phrase for people and prompts.
    pub help: String,
    /// The key with which a person plays it, in the notation of `keys.toml`, such as `left`.
    pub key: Option<String>,
    /// Its parameters, in the order of arguments without a name.
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
            given: excerpt(&crate::domain::sanitize::sanitize(given)),
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

    pub(super) fn unknown_parameter(&self, name: &str) -> ActionError {
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
