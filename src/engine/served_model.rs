//! Who answered, as servers say it: the name of the model and its fingerprint. Both may change while an episode is played;
//! then its steps are not the work of one model.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use mageyard_domain::Reply;

/// A reply that came from another model than the replies before it to requests for the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedChange {
    /// Step of the reply, from 1.
    pub step: u32,
    /// Name and fingerprint before it, as `gpt-4o-2024-08-06 (fp_1)`.
    pub before: String,
    /// Name and fingerprint from then on.
    pub after: String,
}

impl fmt::Display for ServedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, before, after } = self;
        write!(f, "the model changed at step {step}: {after} in place of {before}")
    }
}

/// The models that answered in an episode.
#[derive(Clone, Debug, Default)]
pub(super) struct ServedModels {
    /// The newest one for each model that was asked.
    newest: Vec<(String, ServedModel)>,
    changes: Vec<ServedChange>,
    fingerprints: BTreeSet<String>,
}

/// What a server said about a model. What it left out is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ServedModel {
    name: Option<String>,
    fingerprint: Option<String>,
}

impl ServedModels {
    /// The changes of name or fingerprint, oldest first.
    pub(super) fn changes(&self) -> &[ServedChange] {
        &self.changes
    }

    /// All fingerprints.
    pub(super) fn fingerprints(&self) -> &BTreeSet<String> {
        &self.fingerprints
    }

    /// Takes note of a reply at this step to a request for this model.
    pub(super) fn note(&mut self, asked: &str, step: u32, reply: &Reply) {
        let served = ServedModel { name: reply.model.clone(), fingerprint: reply.fingerprint.clone() };
        if served == ServedModel::default() {
            return;
        }
        self.fingerprints.extend(served.fingerprint.clone());
        let Some((_, newest)) = self.newest.iter_mut().find(|(model, _)| model == asked) else {
            self.newest.push((asked.to_owned(), served));
            return;
        };
        let before = newest.clone();
        newest.add(served);
        if newest.differs_from(&before) {
            let after = newest.to_string();
            self.changes.push(ServedChange { step, before: before.to_string(), after });
        }
    }
}

impl ServedModel {
    /// Takes what is known of a later reply.
    fn add(&mut self, later: Self) {
        self.name = later.name.or(self.name.take());
        self.fingerprint = later.fingerprint.or(self.fingerprint.take());
    }

    /// Whether something that was known is another now.
    fn differs_from(&self, before: &Self) -> bool {
        let differs = |before: &Option<String>, now: &Option<String>| before.is_some() && before != now;
        differs(&before.name, &self.name) || differs(&before.fingerprint, &self.fingerprint)
    }
}

impl fmt::Display for ServedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_deref().unwrap_or("unnamed"))?;
        self.fingerprint.as_ref().map_or(Ok(()), |fingerprint| write!(f, " ({fingerprint})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(name: Option<&str>, fingerprint: Option<&str>) -> Reply {
        let fingerprint = fingerprint.map(str::to_owned);
        Reply { model: name.map(str::to_owned), fingerprint, ..Reply::default() }
    }

    #[test]
    fn a_change_of_name_or_fingerprint_is_noted_once_with_its_step() {
        let mut served = ServedModels::default();
        served.note("m", 1, &reply(Some("m-1"), None));
        served.note("m", 2, &reply(Some("m-1"), Some("fp-1")));
        served.note("m", 3, &reply(None, None));
        served.note("m", 4, &reply(Some("m-1"), Some("fp-1")));
        assert_eq!(served.changes(), [], "what was not known before is no change");
        served.note("m", 5, &reply(Some("m-1"), Some("fp-2")));
        served.note("m", 6, &reply(Some("m-1"), None));
        served.note("other", 6, &reply(Some("o-1"), None));
        served.note("m", 7, &reply(Some("m-2"), Some("fp-2")));
        let said: Vec<String> = served.changes().iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "the model changed at step 5: m-1 (fp-2) in place of m-1 (fp-1)",
                "the model changed at step 7: m-2 (fp-2) in place of m-1 (fp-2)",
            ]
        );
        assert_eq!(served.fingerprints().iter().collect::<Vec<_>>(), ["fp-1", "fp-2"]);
    }
}
