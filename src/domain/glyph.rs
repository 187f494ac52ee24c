//! The meaning of the characters of a text observation that is a grid of squares, for viewers.

/// What a character of the grid stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// The agent.
    Agent,
    /// The agent on a goal.
    AgentOnGoal,
    /// A goal.
    Goal,
    /// An object that must be brought to a goal.
    Object,
    /// An object on a goal.
    ObjectOnGoal,
    /// A square that nothing can enter.
    Obstacle,
    /// A free square.
    Floor,
}

impl Glyph {
    /// Whether the agent is on this square.
    pub fn is_agent(self) -> bool {
        matches!(self, Self::Agent | Self::AgentOnGoal)
    }
}
