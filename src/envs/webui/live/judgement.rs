//! A score with its details: pure, from what was taken of both pages.

use std::sync::Arc;

use super::judge::{score, state_name, target_snapshots};
use super::targets::RenderedTarget;
use super::walk::{State, View};
use crate::aes;
use crate::aes::{AesResult, PageScore, Rendering, Rules};
use crate::details::{Details, ElementDetails, PairDetails, ShotDetails, StateDetails, UnmatchedDetails};
use crate::options::WebUiOptions;
use crate::snapshot::Snapshot;
use crate::task::Task;

/// What is said of a picture that changes by itself.
const UNSTABLE: &str =
    "the picture is not stable: the page still changes, so an equal episode may have another picture here";

/// What is judged, and by what.
pub(super) struct Evidence {
    pub(super) task: Arc<Task>,
    pub(super) options: WebUiOptions,
    /// The target as it was rendered for its pictures.
    pub(super) rendered: Arc<RenderedTarget>,
    /// The target as it was rendered beside the page; otherwise the states above count.
    pub(super) live: Option<Vec<State>>,
    /// The generated page.
    pub(super) generated: Vec<State>,
    pub(super) blocked: Vec<String>,
    pub(super) browser: String,
}

/// A scored page.
pub(super) struct Judged {
    pub(super) details: Details,
    pub(super) generated: Vec<State>,
    pub(super) target: Arc<RenderedTarget>,
}

impl Judged {
    /// What failed, and which pictures another run may not have, for people.
    pub(super) fn note(&self) -> Option<String> {
        let fault = |state: &StateDetails| Some(format!("{}: {}", state.name, state.fault.as_ref()?));
        let unstable = |(details, state): (&StateDetails, &State)| {
            let is_unstable = state.as_ref().is_ok_and(|view| !view.is_stable);
            is_unstable.then(|| format!("{}: {UNSTABLE}", details.name))
        };
        let states = &self.details.states;
        let notes =
            states.iter().filter_map(fault).chain(states.iter().zip(&self.generated).filter_map(unstable));
        let notes: Vec<String> = notes.collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

impl Evidence {
    /// The states of the target that count.
    fn targets(&self) -> &[State] {
        self.live.as_ref().unwrap_or(&self.rendered.states)
    }

    /// The details of the score, without the parts of the observation. An error is one of the task.
    pub(super) fn judge(&self) -> Result<Details, String> {
        let rules = self.options.rules;
        let interactions = &self.task.interactions;
        // A page that is not rendered ends the walk, also that of the target.
        let known = self.targets().len().min(self.generated.len());
        let targets = target_snapshots(&self.targets()[..known], interactions)?;
        let pages = score(&targets, &self.generated, rules, interactions);
        let fonts = fonts(self.targets(), &self.generated);
        let viewport = <(u32, u32)>::from(self.options.viewport).into();
        let rendering = Rendering { viewport, browser: self.browser.clone(), fonts };
        let result = AesResult::new(pages, rules, rendering);
        if let Some(page) = result.pages.iter().find(|_| result.task_error) {
            let remarks: Vec<_> = page.remarks.iter().map(ToString::to_string).collect();
            return Err(format!("the annotations of the target are wrong: {}", remarks.join("; ")));
        }
        let states = result.pages.iter().enumerate();
        let states = states.map(|(index, page)| self.state(index, page, &result)).collect();
        Ok(Details {
            waits: self.options.waiting.name().to_owned(),
            target: self.options.target.name().to_owned(),
            states,
            target_blocked: self.rendered.blocked.clone(),
            generated_blocked: self.blocked.clone(),
            result,
        })
    }

    fn state(&self, index: usize, page: &PageScore, result: &AesResult) -> StateDetails {
        let view = |states: &[State]| states.get(index).and_then(|state| state.as_ref().ok()).cloned();
        let target = view(self.targets());
        let generated = view(&self.generated);
        let scroll = |view: Option<&View>| ShotDetails {
            scroll: view.map_or([0.0; 2], |view| view.scroll),
            ..ShotDetails::default()
        };
        let fault = self.generated.get(index).and_then(|state| state.as_ref().err());
        let weight: f64 = result.pages.iter().map(|page| page.weight).sum();
        let mut pairs = Vec::new();
        let mut unmatched = Vec::new();
        if let Some(target) = &target {
            unmatched = unmatched_details(page, &target.snapshot);
            if let Some(generated) = &generated {
                pairs = pair_details(page, &target.snapshot, &generated.snapshot, weight, self.options.rules);
            }
        }
        StateDetails {
            name: state_name(index, &self.task.interactions),
            target: scroll(self.rendered.states.get(index).and_then(|state| state.as_ref().ok())),
            generated: scroll(generated.as_ref()),
            fault: fault.map(|fault| fault.why.clone()),
            pairs,
            unmatched,
        }
    }
}

fn pair_details(
    page: &PageScore,
    target: &Snapshot,
    generated: &Snapshot,
    weight: f64,
    rules: Rules,
) -> Vec<PairDetails> {
    let of_pair = |pair: &aes::Pair| {
        Some(PairDetails {
            target: ElementDetails::of(target.elements.get(pair.target)?),
            generated: ElementDetails::of(generated.elements.get(pair.generated)?),
            lost: 100.0 * (1.0 - pair.score) * pair.weight / weight,
            explanation: aes::explain(target, generated, (pair.target, pair.generated), rules)?,
        })
    };
    page.pairs.iter().filter_map(of_pair).collect()
}

fn unmatched_details(page: &PageScore, target: &Snapshot) -> Vec<UnmatchedDetails> {
    let zero = page.zero_targets.iter().map(|index| (*index, true));
    let all = zero.chain(page.dropped_targets.iter().map(|index| (*index, false)));
    let of_target = |(index, counts): (usize, bool)| {
        Some(UnmatchedDetails { target: ElementDetails::of(target.elements.get(index)?), counts })
    };
    all.filter_map(of_target).collect()
}

/// The fonts that drew the pages when they were loaded, sorted.
pub(super) fn fonts(targets: &[State], generated: &[State]) -> Vec<String> {
    let views = targets.iter().chain(generated).filter_map(|state| state.as_ref().ok());
    let mut all: Vec<String> = views.flat_map(|view| view.fonts.iter().cloned()).collect();
    all.sort();
    all.dedup();
    all
}
