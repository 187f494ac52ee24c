//! The columns of side requests, `roles.NAME.…`, for the roles that some episode has.

use serde_json::{Map, Value, json};

use super::episode::known_cost;
use mageyard_domain::{Cost, SideRole};
use mageyard_engine::RoleTotals;

/// The columns of a role.
pub(super) fn role_columns(role: SideRole, totals: &RoleTotals, cost: &Cost) -> Map<String, Value> {
    let (cost, currency) = known_cost(cost);
    let columns = [
        ("requests", json!(totals.spent.requests)),
        ("replies", json!(totals.replies)),
        ("reused", json!(totals.reused)),
        ("unread", json!(totals.unread)),
        ("unmetered", json!(totals.spent.unmetered)),
        ("tokens_in", json!(totals.spent.usage.input)),
        ("tokens_out", json!(totals.spent.usage.output)),
        ("cost", json!(cost)),
        ("currency", json!(currency)),
    ];
    columns.into_iter().map(|(name, value)| (format!("roles.{role}.{name}"), value)).collect()
}
