//! The meaning of the characters of a grid of squares or of a map, for viewers.

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
    /// A player of the agent's team.
    Teammate,
    /// A player of the other team.
    Opponent,
    /// The ball.
    Ball,
}

impl Glyph {
    /// What it is called where an environment has no name of its own.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::AgentOnGoal => "agent on a goal",
            Self::Goal => "goal",
            Self::Object => "object",
            Self::ObjectOnGoal => "object on a goal",
            Self::Obstacle => "obstacle",
            Self::Floor => "free",
            Self::Teammate => "teammate",
            Self::Opponent => "opponent",
            Self::Ball => "ball",
        }
    }

    /// Whether the agent is on this square.
    pub fn is_agent(self) -> bool {
        matches!(self, Self::Agent | Self::AgentOnGoal)
    }
}
