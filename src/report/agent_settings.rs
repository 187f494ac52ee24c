//! The settings of an agent that can change an outcome, named as in `config.toml`.

use serde_json::{Value, json};

use mageyard_engine::RecordedAgent;
use mageyard_lab::Lab;

/// The settings of an agent, without those that only say how its server is reached.
pub(super) fn outcome_settings(lab: &Lab, agent: &RecordedAgent) -> Vec<(String, Value)> {
    let settings = lab.agent(&agent.name).and_then(|row| row.settings);
    let table = settings.map_or(agent.name.as_str(), |own| own.table);
    let connects = |name: &str| {
        settings.is_some_and(|own| own.transport.contains(&name) || own.connection.contains(&name))
    };
    // An empty setting is as good as none: older heads do not have it.
    let is_empty = |value: &Value| *value == json!("") || *value == json!({});
    let part = settings.and_then(|own| own.part);
    let counts = |(name, value): &(&String, &Value)| {
        !connects(name) && !is_empty(value) && part != Some(name.as_str())
    };
    let own = agent.options.iter().filter(counts);
    let mut all: Vec<_> = own.map(|(name, value)| (format!("{table}.{name}"), value.clone())).collect();
    if let Some((own, part)) = settings.zip(part) {
        let values = agent.options.get(part).and_then(Value::as_object).into_iter().flatten();
        let values = values.filter(|(name, _)| !own.is_transport(part, name));
        all.extend(values.map(|(name, value)| (format!("{part}.{name}"), value.clone())));
    }
    all
}
