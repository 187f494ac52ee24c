//! What the calls of an ask need, before the first one is made. Tokens follow the rule of
//! [`mageyard_domain::TOKEN_ESTIMATE_RULE`]; the output is between the shortest readable reply and the limit of the settings.

use super::plan::AskPlan;
use mageyard_domain::estimate_tokens;
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
        let parts = prepared.request.messages.iter().flat_map(|message| &message.parts);
        let (tokens, _) = request_tokens(prepared.encoder.as_ref(), parts, Vec::new());
        let shortest = self.shortest_reply();
        let longest = self.options(variant).and_then(|options| options.get("max_tokens")?.as_u64());
        let reply = Bounds { lowest: shortest, highest: longest.unwrap_or(UNLIMITED_REPLY).max(shortest) };
        let input = Bounds::exactly(tokens).times(calls);
        let output = reply.times(calls);
        let cost = CostBounds::of(prepared.model.model(), &self.prices, (input, output));
        Needs { calls: Bounds::exactly(calls), images: Bounds::default(), input, output, cost }
    }

    /// The tokens of the words around an action.
    fn shortest_reply(&self) -> u64 {
        let text = self.state.form.write("", &[], &self.state.step.space);
        estimate_tokens(text.chars().count(), []).max(1)
    }
}
