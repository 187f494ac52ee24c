//! What the analyses of finished steps claim about their states. Each analysis is read once, before the screen is drawn.

use std::sync::Arc;

use super::{EpisodeView, Model};
use mageyard_domain::{ActionShape, Claim, Digest, Picture};
use mageyard_engine::{Attempt, Step, decided_analysis, step_claims};

/// The most replies whose claims are kept.
const MAX_KEPT: usize = 8;
/// The most wrong claims that one line names.
const MAX_NAMED: usize = 4;

/// The claims of the replies that were read last, and whether they are shown.
#[derive(Clone, Debug)]
pub(crate) struct ClaimsView {
    pub(crate) is_shown: bool,
    known: Vec<KnownClaims>,
}

/// The claims of a reply about an observation.
#[derive(Clone, Debug)]
struct KnownClaims {
    observation: Digest,
    reply: Arc<str>,
    claims: Vec<Claim>,
}

/// What a mark on the frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimMark {
    /// Something is claimed to be here, and is not.
    Claimed,
    /// It is here.
    Actual,
}

impl Default for ClaimsView {
    fn default() -> Self {
        Self { is_shown: true, known: Vec::new() }
    }
}

impl ClaimsView {
    fn find(&self, step: &Step, reply: &str) -> Option<&KnownClaims> {
        let observation = step.observation.digest();
        self.known.iter().find(|known| known.observation == observation && *known.reply == *reply)
    }

    fn keep(&mut self, known: KnownClaims) {
        let excess = (self.known.len() + 1).saturating_sub(MAX_KEPT);
        self.known.drain(..excess);
        self.known.push(known);
    }
}

/// How many claims were read, and which are wrong: `3 read, 1 wrong: player at row 3, column 2`. `None` if none was read.
pub(crate) fn claims_summary(claims: &[Claim]) -> Option<String> {
    let wrong: Vec<&str> =
        claims.iter().filter(|claim| !claim.holds).map(|claim| claim.says.as_str()).collect();
    let read = format!("{} read", claims.len());
    match wrong.len() {
        _ if claims.is_empty() => None,
        0 => Some(format!("{read}, none wrong")),
        count => {
            let more = count.saturating_sub(MAX_NAMED);
            let named = wrong.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join("; ");
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            Some(format!("{read}, {count} wrong: {named}{more}"))
        }
    }
}

impl Model {
    /// Reads the claims of the shown step and of the one before, unless that was done.
    pub(super) fn load_claims(&mut self) {
        if !self.frame.claims.is_shown {
            return;
        }
        let Some(viewed) = self.episode() else { return };
        let before = self.earlier_step();
        let shown = viewed.step().map(|step| &**step);
        let new = |step: &Step| {
            let (attempt, _) = decided_analysis(step)?;
            viewed.snapshot.perception.probes?;
            self.frame.claims.find(step, &attempt.reply).is_none().then(|| KnownClaims {
                observation: step.observation.digest(),
                reply: attempt.reply.clone(),
                claims: step_claims(&viewed.snapshot.perception, step),
            })
        };
        let new: Vec<KnownClaims> = before.into_iter().chain(shown).filter_map(new).collect();
        for known in new {
            self.frame.claims.keep(known);
        }
    }

    /// The claims of a reply to a finished step, if they are shown and were read.
    pub(crate) fn claims_of(&self, step: &Step, attempt: &Attempt) -> &[Claim] {
        let is_decided_with =
            decided_analysis(step).is_some_and(|(known, _)| Arc::ptr_eq(&known.reply, &attempt.reply));
        let view = Some(&self.frame.claims).filter(|claims| claims.is_shown && is_decided_with);
        view.and_then(|claims| claims.find(step, &attempt.reply)).map_or(&[], |known| &known.claims)
    }

    /// The claims of the shown step.
    fn shown_claims(&self) -> &[Claim] {
        let step = self.episode().and_then(EpisodeView::step);
        let found = step.and_then(|step| Some((step, decided_analysis(step)?.0)));
        found.map_or(&[], |(step, attempt)| self.claims_of(step, attempt))
    }

    /// The places of wrong claims of the shown step, each once, in pixels of its first picture; those where a thing is claimed to
    /// be come last, so that they are drawn above others.
    pub(crate) fn claim_marks(&self) -> Vec<(ClaimMark, &ActionShape)> {
        let wrong = || self.shown_claims().iter().filter(|claim| !claim.holds);
        let actual = wrong().flat_map(|claim| &claim.actual).map(|shape| (ClaimMark::Actual, shape));
        let claimed = wrong().flat_map(|claim| &claim.claimed).map(|shape| (ClaimMark::Claimed, shape));
        let mut marks = Vec::new();
        for mark in actual.chain(claimed) {
            if !marks.contains(&mark) {
                marks.push(mark);
            }
        }
        marks
    }

    /// Whether claims have their places on this picture: it is the first one of the shown step.
    pub(crate) fn is_claimed_about(&self, picture: &Arc<Picture>) -> bool {
        let step = self.episode().and_then(EpisodeView::step);
        let first = step.and_then(|step| step.observation.images().next());
        let marked = self.frame.marked.as_ref().filter(|marked| Arc::ptr_eq(&marked.marked, picture));
        let plain = marked.map_or(picture, |marked| &marked.picture);
        first.is_some_and(|(_, first)| Arc::ptr_eq(first, plain))
    }
}
