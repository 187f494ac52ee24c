//! What the oracle would have done at steps that were taken.

use mageyard_domain::Digest;

/// How many opinions are kept.
const KEPT: usize = 64;

/// The opinions that were asked for last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OracleView {
    /// Whether they are shown.
    pub(crate) is_shown: bool,
    /// By state, the newest last; `None` while the oracle searches, or if it has none.
    opinions: Vec<(Digest, Option<String>)>,
}

impl OracleView {
    /// Whether the opinion on this state is known, or asked for.
    pub(crate) fn knows(&self, state: Digest) -> bool {
        self.opinions.iter().any(|(known, _)| *known == state)
    }

    /// The opinion on this state is asked for.
    pub(crate) fn begin(&mut self, state: Digest) {
        if self.opinions.len() == KEPT {
            self.opinions.remove(0);
        }
        self.opinions.push((state, None));
    }

    /// The opinion on this state has come.
    pub(crate) fn end(&mut self, state: Digest, opinion: Option<String>) {
        if let Some(known) = self.opinions.iter_mut().find(|(known, _)| *known == state) {
            known.1 = opinion;
        }
    }

    /// The opinion on this state, if it is shown.
    pub(crate) fn opinion(&self, state: Digest) -> Option<&str> {
        let shown = self.opinions.iter().filter(|_| self.is_shown);
        shown.rev().find(|(known, _)| *known == state)?.1.as_deref()
    }
}
