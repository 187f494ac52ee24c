//! The actions that are allowed at a step.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::{excerpt, list_names};
use super::list::split_list;
use super::written::Completeness;
use super::{Action, ActionError, ActionSpec, MisreadAction, ParamSpec, WrittenAction, written};

/// The actions allowed at a step, in canonical order. Cheap to clone; may change from step to step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<ActionSpec>", into = "Vec<ActionSpec>")]
pub struct ActionSpace(Arc<[ActionSpec]>);

impl From<Vec<ActionSpec>> for ActionSpace {
    fn from(specs: Vec<ActionSpec>) -> Self {
        Self(specs.into())
    }
}

impl From<ActionSpace> for Vec<ActionSpec> {
    fn from(space: ActionSpace) -> Self {
        space.0.to_vec()
    }
}

impl FromIterator<ActionSpec> for ActionSpace {
    fn from_iter<T: IntoIterator<Item = ActionSpec>>(specs: T) -> Self {
        Self(specs.into_iter().collect())
    }
}

impl ActionSpace {
    /// A space of actions without parameters, from pairs of name and help.
    pub fn new(rows: &[(&str, &str)]) -> Self {
        rows.iter().map(|&(name, help)| ActionSpec::new(name, help)).collect()
    }

    /// The entries in order.
    pub fn specs(&self) -> &[ActionSpec] {
        &self.0
    }

    /// The entry with exactly this name.
    pub fn spec(&self, name: &str) -> Option<&ActionSpec> {
        self.0.iter().find(|spec| spec.name == name)
    }

    /// Why this action is not allowed. Every action of a model, a person or a file passes this check.
    pub fn check(&self, action: &Action) -> Result<(), ActionError> {
        self.spec(&action.name).ok_or_else(|| self.unknown(&action.name))?.check(action)
    }

    /// Whether this action is allowed.
    pub fn allows(&self, action: &Action) -> bool {
        self.check(action).is_ok()
    }

    /// The allowed action with exactly this written form.
    pub fn find(&self, written: &str) -> Option<Action> {
        // Most texts are names or nothing at all: no error is built for them.
        match self.spec(written) {
            Some(spec) => spec.is_plain().then(|| Action::plain(written)),
            None if self.has_params() => self.parse(written).ok(),
            None => None,
        }
    }

    /// The allowed action with this written form: a name, or `name(parameter=value, …)`. Arguments without a name
    /// belong to the parameters in their order.
    pub fn parse(&self, written: &str) -> Result<Action, ActionError> {
        self.read(written).map(|read| read.action).map_err(|misread| misread.error)
    }

    /// Like [`ActionSpace::parse`], with the place of each argument or of the error.
    pub fn read(&self, written: &str) -> Result<WrittenAction, MisreadAction> {
        written::read(self, written, Completeness::Complete)
    }

    /// Like [`ActionSpace::read`], but parameters for code need no arguments: these follow in blocks of their own.
    pub fn read_without_code(&self, written: &str) -> Result<WrittenAction, MisreadAction> {
        written::read(self, written, Completeness::WithoutCode)
    }

    /// The allowed action in a line as a person types it: its written form, or its name and then its arguments with
    /// spaces between them, such as `type text="hello" into=name`.
    pub fn parse_line(&self, line: &str) -> Result<Action, ActionError> {
        let read = written::read_line(self, line.trim(), Completeness::Complete);
        read.map(|read| read.action).map_err(|misread| misread.error)
    }

    /// The action in a line in which required arguments are missing; `None` if anything else is wrong with it, or
    /// nothing.
    pub fn parse_incomplete_line(&self, line: &str) -> Option<Action> {
        match self.parse_line(line) {
            Err(ActionError::Missing { .. }) => {
                Some(written::read_line(self, line.trim(), Completeness::Given).ok()?.action)
            }
            _ => None,
        }
    }

    /// The allowed actions in a list in written form, separated by commas or line breaks, or by spaces where no name
    /// has one and no action takes parameters.
    pub fn parse_list(&self, list: &str) -> Result<Vec<Action>, ActionError> {
        let spaces = !self.has_params() && !self.names().any(|name| name.contains(' '));
        let separators: &[char] = if spaces { &[',', '\n', ' '] } else { &[',', '\n'] };
        let members = split_list(list, separators, self.has_params()).into_iter();
        let members = members.map(|member| list[member].trim()).filter(|member| !member.is_empty());
        members.map(|member| self.parse(member)).collect()
    }

    /// Whether any action takes parameters.
    pub fn has_params(&self) -> bool {
        self.0.iter().any(|spec| !spec.params.is_empty())
    }

    /// The parameters for code, each with its action.
    pub fn code_params(&self) -> impl Iterator<Item = (&ActionSpec, &ParamSpec)> {
        let params = self.0.iter().flat_map(|spec| spec.params.iter().map(move |param| (spec, param)));
        params.filter(|(_, param)| param.kind.is_code())
    }

    /// The action that is a program, and its only parameter, if there is exactly one such action.
    pub fn only_program(&self) -> Option<(&ActionSpec, &ParamSpec)> {
        let mut programs = self.specs().iter().filter(|spec| spec.is_program());
        match (programs.next()?, programs.next()) {
            (spec, None) => spec.params.first().filter(|_| spec.params.len() == 1).map(|param| (spec, param)),
            _ => None,
        }
    }

    /// The label of the code block for this parameter: its language or, if another parameter has the same language, its
    /// name.
    pub fn code_label<'a>(&self, param: &'a ParamSpec) -> &'a str {
        let same = |other: &&ParamSpec| other.kind.language() == param.kind.language();
        let is_only = self.code_params().map(|row| row.1).filter(same).count() <= 1;
        param.kind.language().filter(|_| is_only).unwrap_or(&param.name)
    }

    /// The names in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|spec| spec.name.as_str())
    }

    pub(super) fn unknown(&self, name: &str) -> ActionError {
        ActionError::Unknown { name: excerpt(name), known: list_names(self.names()) }
    }
}
