//! The state of the theme picker: the names, the one that is previewed, and the theme before.

use mageyard_terminal::Theme;

/// The themes to select from. The selected one is shown at once; the one before is restored unless it is kept.
#[derive(Clone, Debug)]
pub(crate) struct ThemePicker {
    pub(crate) names: Vec<String>,
    pub(crate) selected: usize,
    /// The theme when the picker was opened.
    pub(crate) before: Theme,
    /// Why the selected theme cannot be shown.
    pub(crate) problem: Option<String>,
}

impl ThemePicker {
    /// A picker with the present theme selected.
    pub(crate) fn new(names: Vec<String>, before: Theme) -> Self {
        let selected = names.iter().position(|name| name == before.name()).unwrap_or(0);
        Self { names, selected, before, problem: None }
    }

    /// The name of the selected theme; `None` without any theme.
    pub(crate) fn name(&self) -> Option<&str> {
        self.names.get(self.selected).map(String::as_str)
    }

    /// Selects another theme, and says whether it is another one.
    pub(crate) fn select_by(&mut self, by: isize) -> bool {
        let last = self.names.len().saturating_sub(1);
        let before = self.selected;
        self.selected = before.saturating_add_signed(by).min(last);
        self.selected != before
    }
}
