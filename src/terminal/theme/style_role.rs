//! The roles of styles. Panes draw with roles; a theme defines the style of each.

/// What a style is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StyleRole {
    /// The background of the screen.
    Background,
    /// Ordinary text.
    Text,
    /// Secondary text.
    Dim,
    /// The border of a pane.
    Border,
    /// The border of the focused pane.
    BorderFocus,
    /// The title of a pane.
    Title,
    /// The title of the focused pane.
    TitleFocus,
    /// A closed tab.
    Tab,
    /// The open tab.
    TabFocus,
    /// The name of a key.
    Key,
    /// The status line.
    Status,
    /// Secondary text in the status line.
    StatusDim,
    /// An episode that waits for a key.
    StatePaused,
    /// The note that an earlier step is in view.
    StatusBack,
    /// A notice in answer to a key.
    Notice,
    /// Success.
    Ok,
    /// A warning.
    Warn,
    /// An error.
    Fault,
    /// The headings of a reply.
    Heading,
    /// The part of a reply that was parsed as the analysis.
    Analysis,
    /// The part of a reply that was parsed as the action, and actions.
    Action,
    /// In the request.
    In,
    /// Not in the request.
    Out,
    /// A reward above 0.
    RewardGood,
    /// A reward below 0.
    RewardBad,
    /// An invalid action (IA).
    MarkInvalid,
    /// A parse error.
    MarkUnread,
    /// A step that did not change the state.
    MarkUnchanged,
    /// The filled part of a bar.
    Bar,
    /// The rest of a bar.
    BarEmpty,
    /// The cursor.
    Cursor,
    /// The selected row of a list.
    Selection,
    /// The letters of a row that match the input.
    Match,
    /// A repeated action (RA).
    MarkRepeat,
    /// A dead state.
    MarkDead,
    /// A step off the shortest solution.
    MarkOff,
    /// An episode in which something failed.
    StateError,
    /// An action in a reply that the reader rejected.
    ActionRejected,
    /// The agent on a board of characters.
    BoardAgent,
    /// A goal on a board.
    BoardGoal,
    /// An object on a board.
    BoardObject,
    /// An object on a goal.
    BoardSolved,
    /// A wall on a board.
    BoardObstacle,
    /// A player of the agent's team on a map.
    BoardTeammate,
    /// A player of the other team on a map.
    BoardOpponent,
    /// The ball on a map.
    BoardBall,
    /// The first box of a pair over a picture.
    BoxFirst,
    /// The second box of a pair.
    BoxSecond,
    /// A line of code that was added.
    CodeAdded,
    /// A line of code that was removed.
    CodeRemoved,
    /// An episode that runs.
    StateRunning,
    /// An episode that waits for a reply.
    StateWaiting,
    /// An episode that was won.
    StateWon,
    /// An episode that was lost.
    StateLost,
    /// An episode that ended otherwise, such as at a limit.
    StateStopped,
    /// A recording.
    StateRecorded,
}

type RoleRow = (StyleRole, &'static str, Option<StyleRole>);

/// Every role, its name in theme files, and the role that replaces it where a theme does not define it.
const ROLES: [RoleRow; 56] = [
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
    (StyleRole::StatePaused, "state.paused", Some(StyleRole::Bar)),
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
    (StyleRole::StateError, "state.error", Some(StyleRole::Fault)),
    (StyleRole::ActionRejected, "action.rejected", Some(StyleRole::Fault)),
    (StyleRole::BoardAgent, "board.agent", Some(StyleRole::Action)),
    (StyleRole::BoardGoal, "board.goal", Some(StyleRole::Fault)),
    (StyleRole::BoardObject, "board.object", Some(StyleRole::Warn)),
    (StyleRole::BoardSolved, "board.solved", Some(StyleRole::Ok)),
    (StyleRole::BoardObstacle, "board.obstacle", Some(StyleRole::Dim)),
    (StyleRole::BoardTeammate, "board.teammate", Some(StyleRole::BoardObject)),
    (StyleRole::BoardOpponent, "board.opponent", Some(StyleRole::BoardGoal)),
    (StyleRole::BoardBall, "board.ball", Some(StyleRole::Title)),
    (StyleRole::BoxFirst, "box.first", Some(StyleRole::Bar)),
    (StyleRole::BoxSecond, "box.second", Some(StyleRole::Warn)),
    (StyleRole::CodeAdded, "code.added", Some(StyleRole::Ok)),
    (StyleRole::CodeRemoved, "code.removed", Some(StyleRole::Fault)),
    (StyleRole::StateRunning, "state.running", Some(StyleRole::Action)),
    (StyleRole::StateWaiting, "state.waiting", Some(StyleRole::Warn)),
    (StyleRole::StateWon, "state.won", Some(StyleRole::Ok)),
    (StyleRole::StateLost, "state.lost", Some(StyleRole::MarkUnchanged)),
    (StyleRole::StateStopped, "state.stopped", Some(StyleRole::Text)),
    (StyleRole::StateRecorded, "state.recorded", Some(StyleRole::Dim)),
];

impl StyleRole {
    /// The number of roles.
    pub const COUNT: usize = ROLES.len();

    /// All roles, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ROLES.iter().map(|row| row.0)
    }

    /// The name in theme files.
    pub fn name(self) -> &'static str {
        ROLES[self as usize].1
    }

    /// The role with this name.
    pub fn named(name: &str) -> Option<Self> {
        ROLES.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The role that replaces this one where a theme does not define it.
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
