//! A search for the step that lost an episode as the screen shows it, while it is played and after it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::continuation_view::of_row as row_variant;
use mageyard_cli::blame::text;
use mageyard_screen::{AskSort, AskVariant, AskView};
use mageyard_study::{ContinuationPlan, PlayedVerdict, ProbeEvent, StoredContinuation};

/// The steps that were tried so far, with their branches.
#[derive(Default)]
pub(crate) struct Probes(BTreeMap<u32, (Arc<ContinuationPlan>, Vec<StoredContinuation>)>);

impl Probes {
    /// Takes what happened to the branches of a step.
    pub(crate) fn take(&mut self, plan: &Arc<ContinuationPlan>, event: ProbeEvent<'_>) {
        let (_, stored) = self.0.entry(plan.request.step).or_insert_with(|| (plan.clone(), Vec::new()));
        match event {
            ProbeEvent::Began(known) => *stored = known.to_vec(),
            ProbeEvent::Ended(one) => one.branch.clone().replace_in(stored),
        }
    }

    /// What is shown of them: what was planned, the most branches that are needed, and the verdict once it is known.
    pub(crate) fn view(
        &self,
        run: &str,
        (head, most): (&[String], usize),
        verdict: Option<&PlayedVerdict>,
    ) -> AskView {
        let blamed = match verdict {
            Some(PlayedVerdict::Step { step, .. }) => Some(*step),
            _ => None,
        };
        AskView {
            sort: AskSort::Blame,
            title: run.to_owned(),
            head: head.to_vec(),
            variants: self.0.iter().filter_map(|(step, (plan, stored))| row(*step, plan, stored)).collect(),
            tail: verdict.map_or_else(Vec::new, |verdict| text::played_lines(run, verdict)),
            replies: self.0.values().flat_map(|(_, stored)| stored).filter(|one| one.is_over()).count(),
            calls: most,
            blamed,
            ..AskView::default()
        }
    }
}

fn row(step: u32, plan: &ContinuationPlan, stored: &[StoredContinuation]) -> Option<AskVariant> {
    let row = plan.rows(stored).pop()?;
    let number = usize::try_from(step).ok()?;
    Some(AskVariant { number, name: format!("from step {step}"), ..row_variant(&row, plan, stored.iter()) })
}
