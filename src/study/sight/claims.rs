//! What the analyses of replies say of a state, compared with it.

use serde::{Deserialize, Serialize};

use super::judged::{analysis, replies};
use crate::{AskPlan, StoredAsk};

/// How many statements of analyses could be read, and how many of them are wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyClaims {
    /// The statements that could be read.
    pub read: usize,
    /// What is said wrongly, each statement once with the number of replies that say it.
    pub wrong: Vec<(String, usize)>,
}

impl ReplyClaims {
    /// The number of wrong statements.
    pub fn wrong_count(&self) -> usize {
        self.wrong.iter().map(|(_, count)| count).sum()
    }
}

/// What the analyses of the replies of a variant say.
pub(super) fn claims_of(plan: &AskPlan, ask: &StoredAsk, variant: usize) -> ReplyClaims {
    let mut found = ReplyClaims::default();
    let Some(probes) = plan.probes() else { return found };
    for text in replies(ask, variant).filter_map(|call| analysis(plan, call)) {
        for claim in probes.claims(plan.observation(), &text) {
            found.read += 1;
            if !claim.holds {
                match found.wrong.iter_mut().find(|(says, _)| *says == claim.says) {
                    Some((_, count)) => *count += 1,
                    None => found.wrong.push((claim.says, 1)),
                }
            }
        }
    }
    found.wrong.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    found
}
