//! The settings of side requests.

use serde::Deserialize;

use super::bounded::bounded;
use mageyard_domain::SideRole;

/// Who answers side requests.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleSettings {
    judge: String,
    reward: String,
    /// The roles that the agent asks before its decisions, separated by commas.
    pub modules: String,
    /// How often an answer that cannot be read is asked for, 1 to 3.
    #[serde(deserialize_with = "bounded::<_, _, 1, 3>")]
    pub tries: u32,
}

impl RoleSettings {
    /// Who answers for this role, in words: a model or a profile, then changes to its settings; or `human`.
    pub fn words(&self, role: SideRole) -> &str {
        match role {
            SideRole::Judge => &self.judge,
            SideRole::Reward => &self.reward,
            SideRole::Person => "human",
        }
    }
}
