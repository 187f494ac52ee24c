//! What is seen of a page: the description, the present files, the generated page, and for people everything about the
//! score.

use serde_json::{Value, json};

use super::failed;
use super::judgement::Judged;
use super::open_page::OpenPage;
use super::walk::State as PageState;
use crate::aes::{PageScore, PageStatus};
use crate::details::{DETAILS_MEDIA, Details, SNAPSHOT_MEDIA, file_media};
use crate::files::{Files, KINDS};
use crate::observation::{ObservationBuilder, PNG};
use crate::options::Feedback;
use crate::perception::{LayoutPart, PageView, Side, recorded_layouts, show_as};
use crate::solution::{SOLUTION_MEDIA, Solution};
use mageyard_domain::{BlobRef, EnvironmentContext, EnvironmentError, Observation};

impl OpenPage {
    /// The observation of an opening without files.
    pub(super) fn first_observation(
        &self,
        context: &EnvironmentContext,
    ) -> Result<Observation, EnvironmentError> {
        let mut shown = ObservationBuilder::new(&context.blobs);
        shown.add_parts(&self.description);
        shown.add_files(&Files::default());
        self.add_solution(&mut shown)?;
        shown.add_layouts(self.layouts.iter().cloned());
        shown.add_pictures().map_err(failed)?;
        let facts = self.facts(&Files::default(), None, context)?;
        self.viewed(&shown.finish(facts))
    }

    /// Takes over the pictures of a recorded description, so that they stay as they are.
    pub(super) fn describe_as(&mut self, last: &Observation) {
        // Earlier versions recorded plain screenshots only, and not their layouts: those are of the pages as they are now.
        let plain = show_as(last, PageView::Image).unwrap_or_else(|_| last.clone());
        let length = self.description.len();
        if let Some(described) = plain.parts().get(..length) {
            self.description = described.to_vec();
        }
        if let Some(recorded) = recorded_layouts(last) {
            self.layouts = recorded.into_iter().filter(|layout| usize::from(layout.part) < length).collect();
        }
    }

    /// An observation as the view of the episode shows it.
    pub(super) fn viewed(&self, seen: &Observation) -> Result<Observation, EnvironmentError> {
        show_as(seen, self.options.view).map_err(failed)
    }

    /// The observation after files were written, with plain screenshots.
    pub(super) fn observation(
        &self,
        files: &Files,
        judged: &mut Judged,
        context: &EnvironmentContext,
    ) -> Result<Observation, EnvironmentError> {
        let mut shown = ObservationBuilder::new(&context.blobs);
        shown.add_parts(&self.description);
        shown.add_files(files);
        for (index, state) in judged.generated.iter().enumerate() {
            if index == 0 || self.options.feedback == Feedback::All {
                let name = judged.details.states.get(index).map_or("", |state| state.name.as_str());
                show_state(&mut shown, index, name, state)?;
            }
        }
        self.add_solution(&mut shown)?;
        for (kind, text) in files.written() {
            shown.add_data(&file_media(kind.parameter), text.as_bytes()).map_err(failed)?;
        }
        add_shots(&mut shown, judged).map_err(failed)?;
        shown.add_layouts(self.layouts.iter().cloned());
        shown.add_pictures().map_err(failed)?;
        let details = serde_json::to_vec(&judged.details).map_err(failed)?;
        shown.add_data(DETAILS_MEDIA, &details).map_err(failed)?;
        Ok(shown.finish(self.facts(files, Some(&judged.details), context)?))
    }

    fn add_solution(&self, shown: &mut ObservationBuilder<'_>) -> Result<(), EnvironmentError> {
        let solution = serde_json::to_vec(&Solution::of_task(&self.task)).map_err(failed)?;
        shown.add_data(SOLUTION_MEDIA, &solution).map_err(failed).map(drop)
    }

    /// The facts of a state.
    fn facts(
        &self,
        files: &Files,
        details: Option<&Details>,
        context: &EnvironmentContext,
    ) -> Result<Value, EnvironmentError> {
        let missing = KINDS.iter().map(|kind| (kind.parameter.to_owned(), Value::Null));
        let mut blobs: serde_json::Map<_, _> = missing.collect();
        for (kind, text) in files.written() {
            let blob: BlobRef = context.blobs.put(kind.media, text.as_bytes()).map_err(failed)?;
            blobs.insert(kind.parameter.to_owned(), serde_json::to_value(blob).map_err(failed)?);
        }
        let count = |of: fn(&PageScore) -> usize| {
            details.map_or(0, |details| details.result.pages.iter().map(of).sum::<usize>())
        };
        let viewport: (u32, u32) = self.options.viewport.into();
        Ok(json!({
            "files": blobs,
            "aes": details.map_or(0.0, |details| details.result.aes),
            "losses": details.map(|details| details.result.losses),
            "errors": details.map_or_else(Vec::new, errors),
            "targets": count(|page| page.targets),
            "matched": count(|page| page.matched),
            "zero": count(|page| page.zero),
            "dropped": count(|page| page.dropped),
            "mode": self.options.rules.mode(),
            "waits": self.options.waiting.name(),
            "viewport": viewport,
            "browser": details.map_or(&self.browser, |details| &details.result.rendering.browser),
            "task_parts": self.description.len(),
        }))
    }
}

/// The names of what went wrong, each once.
fn errors(details: &Details) -> Vec<&'static str> {
    let of_status = |status| match status {
        PageStatus::Ren => Some("ren"),
        PageStatus::Act => Some("act"),
        _ => None,
    };
    let mut errors: Vec<_> = details.result.pages.iter().filter_map(|page| of_status(page.status)).collect();
    errors.dedup();
    errors
}

/// A state of the generated page as the agent sees it.
fn show_state(
    shown: &mut ObservationBuilder<'_>,
    index: usize,
    name: &str,
    state: &PageState,
) -> Result<(), EnvironmentError> {
    match state {
        Ok(view) => {
            let what =
                if index == 0 { "The present page:".to_owned() } else { format!("The page after {name}:") };
            shown.add_text(what);
            let bytes = view.picture.as_deref().ok_or_else(|| failed("a picture was not taken"))?;
            let snapshot = shown.put(SNAPSHOT_MEDIA, view.json.as_bytes()).map_err(failed)?;
            let (part, scroll) = (shown.next_part(), view.scroll);
            shown.add_layouts([LayoutPart { part, side: Side::Present, state: index, scroll, snapshot }]);
            shown.add_picture(PNG, bytes).map_err(failed)
        }
        Err(fault) if index == 0 => {
            shown.add_text(format!("The present page cannot be shown: {}", fault.why));
            Ok(())
        }
        Err(fault) => {
            shown.add_text(format!(
                "The interaction failed: {name}: {}. Names, classes and identifiers must be as described.",
                fault.why
            ));
            Ok(())
        }
    }
}

/// Adds pictures and snapshots of all states for people, and notes where they are.
fn add_shots(
    shown: &mut ObservationBuilder<'_>,
    judged: &mut Judged,
) -> Result<(), mageyard_domain::BlobError> {
    for (index, details) in judged.details.states.iter_mut().enumerate() {
        let views = [judged.target.states.get(index), judged.generated.get(index)];
        let shots = [&mut details.target, &mut details.generated];
        for (view, shot) in views.into_iter().zip(shots) {
            let Some(Ok(view)) = view else { continue };
            if let Some(bytes) = &view.picture {
                shot.picture = Some(shown.add_data(PNG, bytes)?);
            }
            shot.snapshot = Some(shown.put(SNAPSHOT_MEDIA, view.json.as_bytes())?);
        }
    }
    Ok(())
}
