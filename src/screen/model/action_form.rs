//! The state of the form for the arguments of an action.

use std::sync::Arc;

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
    /// What the numbers of the parameter are; empty if they are only numbers.
    names: Arc<[(i64, String)]>,
    /// The words by which numbers are chosen, while they are.
    words: Option<String>,
}

impl FormField {
    fn new(text: String) -> Self {
        Self { text_editor: TextEditor::new(text), visited: false, names: [].into(), words: None }
    }

    /// The number with its name that is chosen, if there is one.
    pub(crate) fn named(&self) -> Option<&(i64, String)> {
        let number: i64 = self.text_editor.text().trim().parse().ok()?;
        self.names.iter().find(|(own, _)| *own == number)
    }

    /// The numbers that fit what is typed: those that begin with a number, or whose names have the words.
    pub(crate) fn fitting(&self) -> impl Iterator<Item = &(i64, String)> {
        let typed = self.words.as_deref().unwrap_or_else(|| self.text_editor.text()).trim().to_lowercase();
        let is_number = !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit());
        self.names.iter().filter(move |(number, name)| {
            if is_number {
                number.to_string().starts_with(&typed)
            } else {
                name.to_lowercase().contains(&typed)
            }
        })
    }

    /// Writes the next or the previous number that fits the words; false if numbers have no names.
    fn select_number(&mut self, forward: bool) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let now = self.named().map(|(number, _)| *number);
        let typed = if now.is_none() { self.text_editor.text().to_owned() } else { String::new() };
        self.words.get_or_insert(typed);
        let all: Vec<i64> = self.fitting().map(|(number, _)| *number).collect();
        let at = all.iter().position(|number| Some(*number) == now);
        let count = all.len().max(1);
        let to = match at {
            Some(at) => (at + if forward { 1 } else { count - 1 }) % count,
            None if forward => 0,
            None => count - 1,
        };
        if let Some(number) = all.get(to) {
            self.text_editor = TextEditor::new(number.to_string());
        }
        true
    }
}

impl ActionForm {
    /// A form with these arguments in its fields. The first required field without one has the focus.
    pub(crate) fn new(spec: ActionSpec, given: &Action, purpose: FormPurpose) -> Self {
        let text = |param: &ParamSpec| given.args.get(&param.name).map(field_text).unwrap_or_default();
        let field = |param| FormField::new(text(param));
        let fields = spec.params.iter().map(field).collect();
        let empty = |param: &ParamSpec| param.required && !given.args.contains_key(&param.name);
        let focus = spec.params.iter().position(empty).unwrap_or(0);
        Self { spec, purpose, fields, focus }
    }

    /// Writes the texts that code parameters have now into the empty fields of such parameters.
    #[must_use]
    pub(crate) fn with_code(mut self, present: impl Fn(&str) -> Option<Arc<str>>) -> Self {
        for (param, field) in self.spec.params.iter().zip(&mut self.fields) {
            if let Some(text) =
                present(&param.name).filter(|_| param.kind.is_code() && field.text_editor.text().is_empty())
            {
                field.text_editor = TextEditor::new(text.to_string());
            }
        }
        self
    }

    /// Gives the numbers of parameters their names.
    #[must_use]
    pub(crate) fn with_numbers(mut self, names: impl Fn(&str) -> Option<Arc<[(i64, String)]>>) -> Self {
        for (param, field) in self.spec.params.iter().zip(&mut self.fields) {
            field.names = names(&param.name).unwrap_or_default();
        }
        self
    }

    /// Selects the next or the previous number that fits what is typed; false if the numbers of the field with the focus have
    /// no names.
    pub(crate) fn select_number(&mut self, forward: bool) -> bool {
        self.fields.get_mut(self.focus).is_some_and(|field| field.select_number(forward))
    }

    /// What is typed is no more chosen by words.
    pub(crate) fn typed(&mut self) {
        if let Some(field) = self.fields.get_mut(self.focus) {
            field.words = None;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> ActionForm {
        let kind = ParamKind::Number { min: 1.0, max: 99.0, integer: true };
        let spec = ActionSpec::new("click", "").with_param(ParamSpec::new("id", "", kind));
        let names: Arc<[(i64, String)]> =
            [(1, "link 'Home'".to_owned()), (2, "button 'Buy'".to_owned()), (12, "link 'Help'".to_owned())]
                .into();
        ActionForm::new(spec, &Action::plain("click"), FormPurpose::Play)
            .with_numbers(|_| Some(names.clone()))
    }

    fn type_text(form: &mut ActionForm, text: &str) {
        form.typed();
        form.set_text(text.to_owned());
    }

    fn chosen(form: &ActionForm) -> Option<i64> {
        form.rows().next()?.1.named().map(|(number, _)| *number)
    }

    #[test]
    fn numbers_are_chosen_by_the_words_of_their_names() {
        let mut form = form();
        type_text(&mut form, "LINK");
        assert!(form.action().is_err());
        for expected in [1, 12, 1] {
            assert!(form.select_number(true));
            assert_eq!(chosen(&form), Some(expected));
        }
        assert!(form.select_number(false));
        assert_eq!(form.action().unwrap().to_string(), "click(id=12)");
    }

    #[test]
    fn a_typed_number_fits_those_that_begin_with_it() {
        let mut form = form();
        type_text(&mut form, "1");
        assert_eq!(chosen(&form), Some(1));
        let fitting: Vec<i64> = form.rows().next().unwrap().1.fitting().map(|(number, _)| *number).collect();
        assert_eq!(fitting, [1, 12]);
    }

    #[test]
    fn numbers_without_names_move_the_focus() {
        let spec = ActionSpec::new("wait", "").with_param(ParamSpec::new(
            "seconds",
            "",
            ParamKind::Number { min: 0.0, max: 9.0, integer: true },
        ));
        let mut form = ActionForm::new(spec, &Action::plain("wait"), FormPurpose::Play);
        assert!(!form.select_number(true));
    }
}
