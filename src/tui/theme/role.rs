//! What a style is for. Panes ask for a role; a theme answers with colours.

/// A meaning that a theme gives a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The ground of the whole screen.
    Background,
    /// Ordinary words.
    Text,
    /// Words that may be passed over.
    Dim,
    /// The frame of a pane.
    Border,
    /// The frame of the pane that has the keys.
    BorderFocus,
    /// The title of a pane.
    Title,
    /// The title of the pane that has the keys.
    TitleFocus,
    /// A tab.
    Tab,
    /// The open tab.
    TabFocus,
    /// The name of a key.
    Key,
    /// The status line.
    Status,
    /// The lesser words of the status line.
    StatusDim,
    /// What the session is doing.
    StatusMode,
    /// The mark that an earlier step is looked at.
    StatusBack,
    /// A remark in answer to a key.
    Notice,
    /// It is well.
    Ok,
    /// It wants attention.
    Warn,
    /// It is broken.
    Fault,
    /// The headings of a reply.
    Heading,
    /// What was read as the analysis.
    Analysis,
    /// What was read as the action.
    Action,
    /// In the request.
    In,
    /// Not in the request.
    Out,
    /// A reward above 0.
    RewardGood,
    /// A reward below 0.
    RewardBad,
    /// A step that ended without an action.
    MarkPass,
    /// A step with a reply that could not be read.
    MarkUnread,
    /// A step after which the frame was the same.
    MarkUnchanged,
    /// The full part of a bar.
    Bar,
    /// The rest of a bar.
    BarEmpty,
    /// The step that is looked at.
    Cursor,
    /// The chosen row of a list.
    Selection,
    /// The letters of a row that match what was typed.
    Match,
    /// A step of a repetition.
    MarkRepeat,
    /// A step from which the goal is out of reach.
    MarkDead,
    /// A step off the best path.
    MarkOff,
}

type Row = (Role, &'static str, Option<Role>);

/// Every role, its name in a theme file, and the role it follows when a theme leaves it out.
const ROLES: [Row; 36] = [
    (Role::Background, "background", None),
    (Role::Text, "text", None),
    (Role::Dim, "dim", Some(Role::Text)),
    (Role::Border, "border", Some(Role::Dim)),
    (Role::BorderFocus, "border.focus", Some(Role::Border)),
    (Role::Title, "title", Some(Role::Text)),
    (Role::TitleFocus, "title.focus", Some(Role::Title)),
    (Role::Tab, "tab", Some(Role::Title)),
    (Role::TabFocus, "tab.focus", Some(Role::TitleFocus)),
    (Role::Key, "key", Some(Role::Text)),
    (Role::Status, "status", Some(Role::Text)),
    (Role::StatusDim, "status.dim", Some(Role::Status)),
    (Role::StatusMode, "status.mode", Some(Role::Status)),
    (Role::StatusBack, "status.back", Some(Role::Cursor)),
    (Role::Notice, "notice", Some(Role::Warn)),
    (Role::Ok, "ok", Some(Role::Text)),
    (Role::Warn, "warn", Some(Role::Text)),
    (Role::Fault, "fault", Some(Role::Warn)),
    (Role::Heading, "heading", Some(Role::Dim)),
    (Role::Analysis, "analysis", Some(Role::Text)),
    (Role::Action, "action", Some(Role::Text)),
    (Role::In, "in", Some(Role::Ok)),
    (Role::Out, "out", Some(Role::Dim)),
    (Role::RewardGood, "reward.good", Some(Role::Ok)),
    (Role::RewardBad, "reward.bad", Some(Role::Warn)),
    (Role::MarkPass, "mark.pass", Some(Role::Fault)),
    (Role::MarkUnread, "mark.unread", Some(Role::Warn)),
    (Role::MarkUnchanged, "mark.unchanged", Some(Role::Dim)),
    (Role::Bar, "bar", Some(Role::Text)),
    (Role::BarEmpty, "bar.empty", Some(Role::Border)),
    (Role::Cursor, "cursor", Some(Role::Selection)),
    (Role::Selection, "selection", Some(Role::Text)),
    (Role::Match, "match", Some(Role::Key)),
    (Role::MarkRepeat, "mark.repeat", Some(Role::MarkUnread)),
    (Role::MarkDead, "mark.dead", Some(Role::MarkPass)),
    (Role::MarkOff, "mark.off", Some(Role::MarkUnchanged)),
];

impl Role {
    /// How many there are.
    pub(crate) const COUNT: usize = ROLES.len();

    /// All of them, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ROLES.iter().map(|row| row.0)
    }

    /// The name in a theme file.
    pub fn name(self) -> &'static str {
        ROLES[self as usize].1
    }

    /// The role of this name.
    pub fn named(name: &str) -> Option<Self> {
        ROLES.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The role it follows when a theme leaves it out.
    pub(crate) fn fallback(self) -> Option<Self> {
        ROLES[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_order_of_the_roles() {
        for (index, (role, name, _)) in ROLES.iter().enumerate() {
            assert_eq!(*role as usize, index, "{name}");
            assert_eq!(Role::named(name), Some(*role));
        }
    }

    #[test]
    fn every_fallback_ends() {
        for role in Role::all() {
            let chain = std::iter::successors(Some(role), |role| role.fallback());
            assert!(chain.take(Role::COUNT + 1).count() <= Role::COUNT, "{}", role.name());
        }
    }
}
