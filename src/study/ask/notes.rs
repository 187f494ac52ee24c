//! What the replies of an ask give away about the server: another model than was asked, a change while it was asked, or
//! replies that were not generated anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::record::{AskCall, AskRecord, Variant};
use mageyard_lab::ModelAt;

/// With fewer equal replies than this, nothing is said about them.
const FEWEST_EQUAL: usize = 3;

/// Something that makes samples less than independent replies of the model that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerNote {
    /// The server answers with another name than that of the model. It may be the full name of the same one.
    OtherName {
        /// The model that was asked.
        asked: String,
        /// The name that the server gave.
        answered: String,
    },
    /// The name of the model changed between calls.
    ModelChanged {
        /// The model that was asked.
        asked: String,
        /// The names that the server gave.
        answered: Vec<String>,
    },
    /// The fingerprint of the model and its configuration changed between calls.
    FingerprintChanged {
        /// The model that was asked.
        asked: String,
        /// The fingerprints that the server gave.
        fingerprints: Vec<String>,
    },
    /// Several calls got the response with the same identifier: it was stored, not generated.
    StoredReplies {
        /// The model that was asked.
        asked: String,
        /// The calls with an identifier that an earlier one had.
        repeated: usize,
        /// All replies of the model with an identifier.
        of: usize,
    },
    /// All replies of a variant are equal and nothing shows that they were generated anew.
    EqualReplies {
        /// The index of the variant.
        variant: usize,
        /// How many.
        count: usize,
    },
}

impl ServerNote {
    /// What the calls of an ask show.
    pub fn all(record: &AskRecord, calls: &[AskCall]) -> Vec<Self> {
        let models = record.variants.iter().map(|variant| (&variant.model, variant.model_name()));
        let models: BTreeSet<(&ModelAt, &str)> = models.collect();
        let mut notes = Vec::new();
        for (model, name) in models {
            let is_of = |call: &&AskCall| {
                let of = record.variants.get(call.variant);
                // The replies of a variant with the request of another are those of the other.
                let is_own = |variant: &Variant| variant.same_as.is_none() && variant.model == *model;
                call.reply.is_some() && of.is_some_and(is_own)
            };
            let own: Vec<&AskCall> = calls.iter().filter(is_of).collect();
            notes.extend(name_note((model, name), &own));
            notes.extend(fingerprint_note(model, &own));
            notes.extend(stored_note(model, &own));
        }
        notes.extend((0..record.variants.len()).filter_map(|variant| equal_note(variant, calls)));
        notes
    }

    /// The name in output.
    pub fn name(&self) -> &'static str {
        match self {
            Self::OtherName { .. } => "other_name",
            Self::ModelChanged { .. } => "model_changed",
            Self::FingerprintChanged { .. } => "fingerprint_changed",
            Self::StoredReplies { .. } => "stored_replies",
            Self::EqualReplies { .. } => "equal_replies",
        }
    }
}

fn name_note((model, name): (&ModelAt, &str), calls: &[&AskCall]) -> Option<ServerNote> {
    let names = calls.iter().filter_map(|call| call.reply.as_ref()?.model.clone());
    let names: BTreeSet<String> = names.collect();
    let asked = model.to_string();
    match names.len() {
        0 => None,
        1 => {
            let answered = names.into_iter().next().filter(|answered| *answered != name)?;
            Some(ServerNote::OtherName { asked, answered })
        }
        _ => Some(ServerNote::ModelChanged { asked, answered: names.into_iter().collect() }),
    }
}

fn fingerprint_note(model: &ModelAt, calls: &[&AskCall]) -> Option<ServerNote> {
    let found: BTreeSet<String> = calls.iter().filter_map(|call| call.origin.fingerprint.clone()).collect();
    let fingerprints: Vec<String> = found.into_iter().collect();
    (fingerprints.len() > 1)
        .then(|| ServerNote::FingerprintChanged { asked: model.to_string(), fingerprints })
}

/// Replies with the identifier of an earlier one. If one identifier comes with several texts, the server has no real ones.
fn stored_note(model: &ModelAt, calls: &[&AskCall]) -> Option<ServerNote> {
    let mut texts: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut of = 0;
    for call in calls {
        let id = call.origin.id.as_deref().filter(|id| !id.is_empty());
        let (Some(id), Some(reply)) = (id, &call.reply) else { continue };
        texts.entry(id).or_default().insert(reply.content());
        of += 1;
    }
    let repeated = of - texts.len();
    let is_shown = repeated > 0 && texts.values().all(|texts| texts.len() == 1);
    is_shown.then(|| ServerNote::StoredReplies { asked: model.to_string(), repeated, of })
}

/// Equal texts of replies that have no identifier, or only one.
fn equal_note(variant: usize, calls: &[AskCall]) -> Option<ServerNote> {
    let own: Vec<&AskCall> =
        calls.iter().filter(|call| call.variant == variant && call.reply.is_some()).collect();
    let count = own.len();
    let texts: BTreeSet<String> =
        own.iter().filter_map(|call| Some(call.reply.as_ref()?.content())).collect();
    let ids: BTreeSet<&str> = own.iter().filter_map(|call| call.origin.id.as_deref()).collect();
    let is_shown = count >= FEWEST_EQUAL && texts.len() == 1 && ids.len() <= 1;
    is_shown.then_some(ServerNote::EqualReplies { variant, count })
}

impl fmt::Display for ServerNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherName { asked, answered } => {
                write!(f, "{asked} was asked, and the server answers as {answered}")
            }
            Self::ModelChanged { asked, answered } => {
                let names = answered.join(", ");
                write!(f, "{asked} was asked, and the server answered as different models: {names}")
            }
            Self::FingerprintChanged { asked, fingerprints } => {
                let names = fingerprints.join(", ");
                write!(f, "{asked}: the fingerprint of the model changed between calls: {names}")
            }
            Self::StoredReplies { asked, repeated, of } => write!(
                f,
                "{asked}: {repeated} of {of} responses have the identifier of an earlier one: the server answers from a cache, so these samples are not independent"
            ),
            Self::EqualReplies { variant, count } => write!(
                f,
                "variant {}: all {count} replies are equal, and the server gives no identifiers: this may be a cache or a low temperature",
                variant + 1
            ),
        }
    }
}
