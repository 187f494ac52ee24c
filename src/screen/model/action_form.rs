//! The state of the form for the arguments of an action.

use mageyard_domain::{Action, ActionError, ActionSpec, Arg, ParamKind, ParamSpec};
use mageyard_engine::EditTarget;
use mageyard_terminal::TextEditor;

/// What happens with the action of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormPurpose {
    /// A person plays it.
    Play,
    /// It replaces the pending action.
    Edit(EditTarget),
}

/// An open form.
#[derive(Clone, Debug)]
pub(crate) struct ActionForm {
    pub(crate) spec: ActionSpec,
    pub(crate) purpose: FormPurpose,
    /// One field per parameter.
    fields: Vec<FormField>,
    focus: usize,
}

/// The field of one parameter. An empty field is no argument.
#[derive(Clone, Debug)]
pub(crate) struct FormField {
    pub(crate) text_editor: TextEditor,
    /// Whether its error is shown: after it was left, or after an attempt to play the action.
    visited: bool,
}

impl ActionForm {
    /// A form with these arguments in its fields. The first required field without one has the focus.
    pub(crate) fn new(spec: ActionSpec, given: &Action, purpose: FormPurpose) -> Self {
        let text = |param: &ParamSpec| given.args.get(&param.name).map(field_text).unwrap_or_default();
        let field = |param| FormField { text_editor: TextEditor::new(text(param)), visited: false };
        let fields = spec.params.iter().map(field).collect();
        let empty = |param: &ParamSpec| param.required && !given.args.contains_key(&param.name);
        let focus = spec.params.iter().position(empty).unwrap_or(0);
        Self { spec, purpose, fields, focus }
    }

    /// Writes the texts that code parameters have now into the empty fields of such parameters.
    #[must_use]
    pub(crate) fn with_code(mut self, present: impl Fn(&str) -> Option<std::sync::Arc<str>>) -> Self {
        for (param, field) in self.spec.params.iter().zip(&mut self.fields) {
            if let Some(text) =
                present(&param.name).filter(|_| param.kind.is_code() && field.text_editor.text().is_empty())
            {
                field.text_editor = TextEditor::new(text.to_string());
            }
        }
        self
    }

    /// Moves the focus to the first field of code with a text, or to the one with this name; false if there is none.
    pub(crate) fn focus_code(&mut self, name: Option<&str>) -> bool {
        let is_wanted = |(param, field): (&ParamSpec, &FormField)| match name {
            Some(name) => param.kind.is_code() && param.name == name,
            None => param.kind.is_code() && !field.text_editor.text().is_empty(),
        };
        let found = self.rows().position(is_wanted);
        self.focus = found.unwrap_or(self.focus);
        found.is_some()
    }

    /// Index of the field with the focus.
    pub(crate) fn focus(&self) -> usize {
        self.focus
    }

    /// The parameters with their fields.
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (&ParamSpec, &FormField)> {
        self.spec.params.iter().zip(&self.fields)
    }

    /// The parameter and the text of the field with the focus.
    pub(crate) fn focused_mut(&mut self) -> Option<(&ParamSpec, &mut TextEditor)> {
        let param = self.spec.params.get(self.focus)?;
        Some((param, &mut self.fields.get_mut(self.focus)?.text_editor))
    }

    /// Replaces the text of the field with the focus.
    pub(crate) fn set_text(&mut self, text: String) {
        if let Some((_, text_editor)) = self.focused_mut() {
            *text_editor = TextEditor::new(text);
        }
    }

    /// Moves the focus to the next or the previous field, around the ends.
    pub(crate) fn move_focus(&mut self, forward: bool) {
        let count = self.fields.len().max(1);
        for field in self.fields.iter_mut().skip(self.focus).take(1) {
            field.visited = true;
        }
        self.focus = (self.focus + if forward { 1 } else { count - 1 }) % count;
    }

    /// Selects the next or the previous value, if the field with the focus has a list of them.
    pub(crate) fn select_value(&mut self, forward: bool) -> bool {
        let Some((ParamSpec { kind: ParamKind::Choice { values }, required, .. }, editor)) =
            self.focused_mut()
        else {
            return false;
        };
        let none = (!required).then_some("");
        let all: Vec<&str> = none.into_iter().chain(values.iter().map(String::as_str)).collect();
        let now = all.iter().position(|value| *value == editor.text().trim());
        let to = match now {
            Some(now) => (now + if forward { 1 } else { all.len() - 1 }) % all.len(),
            None if forward || all.is_empty() => 0,
            None => all.len() - 1,
        };
        let chosen = all.get(to).copied().unwrap_or_default().to_owned();
        *editor = TextEditor::new(chosen);
        true
    }

    /// Why the field of this parameter has no allowed argument, by the check of the action.
    fn argument(&self, param: &ParamSpec, field: &FormField) -> Result<Option<Arg>, ActionError> {
        let text = field.text_editor.text();
        let arg = match param.kind.parse_field(text) {
            _ if text.is_empty() => None,
            None => return Err(self.spec.invalid(param, &Arg::Text(text.to_owned()).to_string())),
            arg => arg,
        };
        self.spec.check_param(param, arg.as_ref()).map(|()| arg)
    }

    /// The error of a field, once it was visited.
    pub(crate) fn error(&self, param: &ParamSpec, field: &FormField) -> Option<ActionError> {
        self.argument(param, field).err().filter(|_| field.visited)
    }

    /// The action with the arguments of all fields.
    pub(crate) fn action(&self) -> Result<Action, ActionError> {
        let mut action = Action::plain(&*self.spec.name);
        for (param, field) in self.rows() {
            if let Some(arg) = self.argument(param, field)? {
                action.args.insert(param.name.clone(), arg);
            }
        }
        self.spec.check(&action).map(|()| action)
    }

    /// Shows the errors of all fields, and moves the focus to the first one.
    pub(crate) fn show_errors(&mut self) {
        for field in &mut self.fields {
            field.visited = true;
        }
        let first = self.rows().position(|(param, field)| self.argument(param, field).is_err());
        self.focus = first.unwrap_or(self.focus);
    }
}

/// An argument as it is typed into a field.
fn field_text(arg: &Arg) -> String {
    match arg {
        Arg::Text(text) | Arg::Code(text) => text.clone(),
        Arg::Point { x, y } => format!("{x}, {y}"),
        Arg::Number(number) => number.to_string(),
    }
}
