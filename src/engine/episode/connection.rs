//! The connection of an episode: how the server of its agent is reached, and who answers there. It can change at any time, because it changes how
//! requests are sent and not what they are; so it leaves the episode one of its condition.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Episode;
use crate::recorded_agent::RecordedAgent;
use crate::served_model::ServedChange;
use mageyard_domain::{Options, Reply};

impl Episode {
    /// The settings of the connection that replace those of the agents from the next request on; empty for none.
    pub fn connection(&self) -> &Options {
        &self.connection
    }

    /// Who decides the next request, with the settings of the connection that it is sent with.
    pub fn connected_agent(&self) -> RecordedAgent {
        self.agent().connected(&self.connection)
    }

    /// The addresses of the servers that requests were sent to, in order, each once.
    pub fn servers(&self) -> &[Arc<str>] {
        &self.servers
    }

    /// The replies that came from another model than those before them, by the name or fingerprint that the server gave.
    pub fn served_changes(&self) -> &[ServedChange] {
        self.served.changes()
    }

    /// The fingerprints that servers gave.
    pub fn fingerprints(&self) -> &BTreeSet<String> {
        self.served.fingerprints()
    }

    /// Takes note of who answered.
    pub(super) fn note_served(&mut self, reply: &Reply) {
        let Some(step) = self.steps.last() else { return };
        if let Some(asked) = &step.agent.model {
            self.served.note(asked, step.number, reply);
        }
    }

    pub(super) fn connection_set(&mut self, settings: &Options) {
        let all = Arc::make_mut(&mut self.connection);
        all.extend(settings.iter().map(|(name, value)| (name.clone(), value.clone())));
    }

    /// Takes note of the server that a request is sent to.
    pub(super) fn note_server(&mut self) {
        let step = self.steps.last();
        let decides = step.map_or(&*self.agent, |step| &*step.agent);
        let Some(server) = decides.server_with(&self.connection) else { return };
        if self.servers.iter().all(|known| **known != *server) {
            self.servers.push(server.into());
        }
    }
}
