//! Which verbs have a flag that overrides a setting.

/// The verbs that have a flag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Global,
    Play,
    Run,
    Sweep,
    Screen,
}
