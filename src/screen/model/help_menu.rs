//! The state of the help: the selected entry and the scroll position.

/// The selected entry of the help, and the first line that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HelpMenu {
    pub(crate) selected: usize,
    pub(crate) scroll: u16,
}
