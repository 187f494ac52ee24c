//! The stored forms of an ask: what was asked, and what came back for each call.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::action_verdict::ActionVerdicts;
use super::changes::Changes;
use super::target::AskTarget;
use mageyard_dialog::LeftOut;
use mageyard_domain::{ActionOdds, Digest, Reply, ReplyOrigin, Setting, TokenTotals};
use mageyard_lab::ModelAt;

/// The version of the stored forms.
pub(super) const SCHEMA: u32 = 1;

/// What is asked. Two asks with the same [`AskRecord::id`] are one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskRecord {
    /// The version of the stored form.
    pub schema: u32,
    /// The step, from 1.
    pub step: u32,
    /// The digest of the state that the step begins with.
    pub state: Digest,
    /// How often the agent observes.
    pub setting: Setting,
    /// The reader of the replies.
    pub reader: String,
    /// The digest of its rules.
    pub reader_rules: Digest,
    /// The calls of each variant.
    pub samples: u32,
    /// The seed of the order and of the calls.
    pub seed: u64,
    /// The question; without one, nothing is tested.
    pub target: Option<AskTarget>,
    /// The text that each answer begins with; the models go on from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_text: Option<String>,
    /// What is compared.
    pub variants: Vec<Variant>,
    /// What was asked for and is not possible.
    pub struck: Vec<StruckVariant>,
    /// The action that was taken; `None` if none was.
    pub taken: Option<String>,
    /// The action of the solver, or why there is none.
    pub oracle: Result<String, String>,
    /// The length and the digest of the journal when the ask began.
    pub journal: (u64, Digest),
    /// What each action leads to, if that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdicts: Option<ActionVerdicts>,
}

/// A prompt variant with a memory window and a model, or the same request without a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// The prompt variant.
    pub prompt: String,
    /// Action memory.
    pub am: u16,
    /// Observation memory.
    pub om: u16,
    /// The model, or the profile by which it was named, with its server if one was named.
    pub model: ModelAt,
    /// The name of the model at its server, if it was named by a profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_profile: Option<String>,
    /// The part that its request does not have; `None` for the complete request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// What else is changed of its request.
    #[serde(default, skip_serializing_if = "Changes::is_empty")]
    pub changes: Changes,
    /// The digest of the turns of its request.
    pub request: Digest,
    /// The digest of the settings of its agent.
    pub settings: Digest,
    /// Whether each call has a seed of its own.
    pub seeded: bool,
    /// The index of an earlier variant that sends the same request to the same model with the same settings. Its calls are
    /// not made twice: the replies count for both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
}

impl Variant {
    /// The name of the model at its server, by which it has a price.
    pub fn model_name(&self) -> &str {
        self.of_profile.as_ref().unwrap_or(&self.model.name)
    }
}

/// A variant, or a window for all prompts and models, that is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StruckVariant {
    /// The prompt variant; `None` for all.
    pub prompt: Option<String>,
    /// Action memory.
    pub am: u16,
    /// Observation memory.
    pub om: u16,
    /// The model; `None` for all.
    pub model: Option<ModelAt>,
    /// The part that its request would not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// What else was to be changed of its request.
    #[serde(default, skip_serializing_if = "Changes::is_empty")]
    pub changes: Changes,
    /// The reason.
    pub why: String,
}

/// A call and what came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskCall {
    /// The index of its variant.
    pub variant: usize,
    /// The number of the sample, from 1.
    pub sample: u32,
    /// The seed that was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// The digest of the turns that were sent; `None` if nothing was.
    pub request: Option<Digest>,
    /// The reply; `None` if the call failed.
    pub reply: Option<Reply>,
    /// What the server says about the origin of the reply.
    #[serde(default)]
    pub origin: ReplyOrigin,
    /// The actions that the reader found; the first one is the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
    /// The odds of the text that was read as the answer, if the server sent them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds: Option<ActionOdds>,
    /// The rule of the reader that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why the call failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The tokens of all its tries.
    pub spent: TokenTotals,
}

impl AskCall {
    /// The action that it answers with; `None` if there is no reply or if it cannot be read.
    pub fn answer(&self) -> Option<&str> {
        self.actions.first().map(String::as_str)
    }
}

impl AskRecord {
    /// What identifies the ask: everything that is asked, and nothing that becomes known later.
    pub fn id(&self) -> Digest {
        let Self { step, state, setting, reader_rules, samples, seed, target, variants, .. } = self;
        let parts = (step, state, setting, reader_rules, samples, seed, target, variants);
        // Plain data is always written.
        let bytes = match &self.from_text {
            None => serde_json::to_vec(&parts),
            Some(text) => serde_json::to_vec(&(parts, text)),
        };
        Digest::of(&bytes.unwrap_or_default())
    }

    /// Whether requests without a part are compared with the complete one, which is the first variant.
    pub fn leaves_out(&self) -> bool {
        self.variants.iter().any(|variant| variant.left_out.is_some())
    }

    /// Whether a variant asks about the state, or has help that no episode has.
    pub fn is_diagnosis(&self) -> bool {
        self.variants.iter().any(|variant| variant.changes.probe.is_some() || variant.changes.aid.is_some())
    }

    /// The number of replies that it has when it is complete: the samples of each variant.
    pub fn replies(&self) -> usize {
        self.samples_of(self.variants.len())
    }

    /// The number of calls to a model, of which a variant with the request of another needs none.
    pub fn calls(&self) -> usize {
        self.samples_of(self.variants.iter().filter(|variant| variant.same_as.is_none()).count())
    }

    fn samples_of(&self, variants: usize) -> usize {
        variants.saturating_mul(usize::try_from(self.samples).unwrap_or(usize::MAX))
    }

    /// The copies of a call for the variants that send the same request; they cost nothing.
    pub(super) fn copies<'a>(&'a self, call: &'a AskCall) -> impl Iterator<Item = AskCall> + 'a {
        let shares = |(_, variant): &(usize, &Variant)| variant.same_as == Some(call.variant);
        let of_same = self.variants.iter().enumerate().filter(shares);
        let copy = |(variant, _)| AskCall { variant, spent: TokenTotals::default(), ..call.clone() };
        of_same.filter(|_| call.reply.is_some()).map(copy)
    }
}

/// The newest call of each variant and sample, in order. A failed call counts only until another one follows.
pub(super) fn newest_calls(calls: Vec<AskCall>) -> Vec<AskCall> {
    let mut newest: BTreeMap<(usize, u32), AskCall> = BTreeMap::new();
    for call in calls {
        let spent = newest.get(&(call.variant, call.sample)).map(|earlier| earlier.spent);
        let spent = spent.unwrap_or_default().plus(call.spent);
        newest.insert((call.variant, call.sample), AskCall { spent, ..call });
    }
    newest.into_values().collect()
}
