//! What the calls of an ask need, before the first one is made. Tokens follow the rule of
//! [`mageyard_domain::TOKEN_ESTIMATE_RULE`]; the output is between the shortest readable reply and the limit of the settings.

use super::agents::AskedModel;
use super::plan::AskPlan;
use super::state::FrozenState;
use mageyard_dialog::Request;
use mageyard_domain::{Prices, RequestEncoder, estimate_tokens};
use mageyard_lab::{Bounds, CostBounds, Needs, UNLIMITED_REPLY, request_tokens};

impl AskPlan {
    /// What the calls need that are not made yet: of each variant so many. Their images are not counted.
    pub fn estimate(&self, left: &[u64]) -> Needs {
        let each = (0..self.requests.len()).zip(left);
        each.fold(Needs::default(), |sum, (variant, calls)| sum.plus(&self.needs_of(variant, *calls)))
    }

    /// What so many calls of a variant need.
    fn needs_of(&self, variant: usize, calls: u64) -> Needs {
        let Some(prepared) = self.requests.get(variant) else { return Needs::default() };
        let model = (&prepared.model, prepared.encoder.as_ref());
        call_needs(&self.state, &prepared.request, model, &self.prices, calls)
    }
}

/// What so many calls with a request need.
pub(super) fn call_needs(
    state: &FrozenState,
    request: &Request,
    (model, encoder): (&AskedModel, &dyn RequestEncoder),
    prices: &Prices,
    calls: u64,
) -> Needs {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    let (tokens, _) = request_tokens(encoder, parts, Vec::new());
    let shortest = shortest_reply(state);
    let longest = model.options.get("max_tokens").and_then(serde_json::Value::as_u64);
    let reply = Bounds { lowest: shortest, highest: longest.unwrap_or(UNLIMITED_REPLY).max(shortest) };
    let input = Bounds::exactly(tokens).times(calls);
    let output = reply.times(calls);
    let cost = CostBounds::of(model.model(), prices, (input, output));
    Needs { calls: Bounds::exactly(calls), images: Bounds::default(), input, output, cost }
}

/// The tokens of the words around an action.
fn shortest_reply(state: &FrozenState) -> u64 {
    let text = state.form.write("", &[], &state.step.space);
    estimate_tokens(text.chars().count(), []).max(1)
}
