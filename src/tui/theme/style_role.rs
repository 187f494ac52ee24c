//! What a style is for. Panes ask for a role; a theme answers with colours.

/// A meaning that a theme gives a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StyleRole {
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
    MarkInvalid,
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

type RoleRow = (StyleRole, &'static str, Option<StyleRole>);

/// Every role, its name in a theme file, and the role it follows when a theme leaves it out.
const ROLES: [RoleRow; 36] = [
    (StyleRole::Background, "background", None),
    (StyleRole::Text, "text", None),
    (StyleRole::Dim, "dim", Some(StyleRole::Text)),
    (StyleRole::Border, "border", Some(StyleRole::Dim)),
    (StyleRole::BorderFocus, "border.focus", Some(StyleRole::Border)),
    (StyleRole::Title, "title", Some(StyleRole::Text)),
    (StyleRole::TitleFocus, "title.focus", Some(StyleRole::Title)),
    (StyleRole::Tab, "tab", Some(StyleRole::Title)),
    (StyleRole::TabFocus, "tab.focus", Some(StyleRole::TitleFocus)),
    (StyleRole::Key, "key", Some(StyleRole::Text)),
    (StyleRole::Status, "status", Some(StyleRole::Text)),
    (StyleRole::StatusDim, "status.dim", Some(StyleRole::Status)),
    (StyleRole::StatusMode, "status.mode", Some(StyleRole::Status)),
    (StyleRole::StatusBack, "status.back", Some(StyleRole::Cursor)),
    (StyleRole::Notice, "notice", Some(StyleRole::Warn)),
    (StyleRole::Ok, "ok", Some(StyleRole::Text)),
    (StyleRole::Warn, "warn", Some(StyleRole::Text)),
    (StyleRole::Fault, "fault", Some(StyleRole::Warn)),
    (StyleRole::Heading, "heading", Some(StyleRole::Dim)),
    (StyleRole::Analysis, "analysis", Some(StyleRole::Text)),
    (StyleRole::Action, "action", Some(StyleRole::Text)),
    (StyleRole::In, "in", Some(StyleRole::Ok)),
    (StyleRole::Out, "out", Some(StyleRole::Dim)),
    (StyleRole::RewardGood, "reward.good", Some(StyleRole::Ok)),
    (StyleRole::RewardBad, "reward.bad", Some(StyleRole::Warn)),
    (StyleRole::MarkInvalid, "mark.pass", Some(StyleRole::Fault)),
    (StyleRole::MarkUnread, "mark.unread", Some(StyleRole::Warn)),
    (StyleRole::MarkUnchanged, "mark.unchanged", Some(StyleRole::Dim)),
    (StyleRole::Bar, "bar", Some(StyleRole::Text)),
    (StyleRole::BarEmpty, "bar.empty", Some(StyleRole::Border)),
    (StyleRole::Cursor, "cursor", Some(StyleRole::Selection)),
    (StyleRole::Selection, "selection", Some(StyleRole::Text)),
    (StyleRole::Match, "match", Some(StyleRole::Key)),
    (StyleRole::MarkRepeat, "mark.repeat", Some(StyleRole::MarkUnread)),
    (StyleRole::MarkDead, "mark.dead", Some(StyleRole::MarkInvalid)),
    (StyleRole::MarkOff, "mark.off", Some(StyleRole::MarkUnchanged)),
];

impl StyleRole {
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
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, (role, name, _)) in ROLES.iter().enumerate() {
            assert_eq!(*role as usize, index, "{name}");
            assert_eq!(StyleRole::named(name), Some(*role));
        }
    }

    #[test]
    fn no_fallback_chain_is_circular() {
        for role in StyleRole::all() {
            let chain = std::iter::successors(Some(role), |role| role.fallback());
            assert!(chain.take(StyleRole::COUNT + 1).count() <= StyleRole::COUNT, "{}", role.name());
        }
    }
}
