//! Who answers side requests in an episode.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::DriverError;
use mageyard_dialog::SidePrompt;
use mageyard_domain::{Agent, RequestEncoder, SideRole};

/// An agent that answers for a role.
pub struct RoleSeat {
    /// The agent.
    pub agent: Box<dyn Agent>,
    /// The prompt of the role.
    pub prompt: SidePrompt,
    /// Whether its model takes a system turn.
    pub system_role: bool,
}

/// Those who answer side requests, by role.
#[derive(Default)]
pub struct RoleSeats(BTreeMap<SideRole, RoleSeat>);

impl RoleSeats {
    /// The seats of these roles.
    pub fn new(seats: impl IntoIterator<Item = (SideRole, RoleSeat)>) -> Self {
        Self(seats.into_iter().collect())
    }

    /// How they encode requests, by role; one that sends none is not among them.
    pub(super) fn encoders(&self) -> BTreeMap<SideRole, Arc<dyn RequestEncoder>> {
        let encoder = |(role, seat): (&SideRole, &RoleSeat)| Some((*role, seat.agent.request_encoder()?));
        self.0.iter().filter_map(encoder).collect()
    }

    /// The seats by role.
    pub fn into_inner(self) -> BTreeMap<SideRole, RoleSeat> {
        self.0
    }

    pub(super) fn of(&self, role: SideRole) -> Result<&RoleSeat, DriverError> {
        self.0.get(&role).ok_or(DriverError::NoRole(role))
    }

    pub(super) fn of_mut(&mut self, role: SideRole) -> Result<&mut RoleSeat, DriverError> {
        self.0.get_mut(&role).ok_or(DriverError::NoRole(role))
    }
}
