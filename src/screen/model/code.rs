//! The code that the action of the shown step writes, and its changes since it was written before.

use std::sync::{Arc, Weak};

use super::{EpisodeView, Model};
use mageyard_domain::{Action, Arg};
use mageyard_engine::Step;
use mageyard_terminal::{ChangedLine, LineChange, line_changes};

/// What the agent pane shows of a step whose action writes code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeView {
    /// The replies.
    Replies,
    /// The code with its changes; what stayed the same is folded.
    Changes,
    /// The code with its changes, in full.
    Whole,
}

/// A text that an action writes.
#[derive(Clone, Debug)]
pub(crate) struct CodeText {
    /// The parameter.
    pub(crate) name: String,
    pub(crate) changes: Vec<ChangedLine>,
    /// Where the text before is from; `None` if there is none.
    pub(crate) since: Option<String>,
}

/// The code of a step.
#[derive(Clone, Debug)]
pub(crate) struct StepCode {
    /// Only identifies the step.
    step: Weak<Step>,
    pub(crate) number: u32,
    pub(crate) texts: Vec<CodeText>,
}

impl CodeText {
    /// The number of lines with this change.
    pub(crate) fn count(&self, change: LineChange) -> usize {
        self.changes.iter().filter(|line| line.change == change).count()
    }

    /// The number of lines of the new text.
    pub(crate) fn lines(&self) -> usize {
        self.changes.len() - self.count(LineChange::Removed)
    }
}

/// The code of an action with at least one text of several lines.
fn code_of(action: &Action) -> Vec<(&str, &str)> {
    let texts = action.args.iter().filter_map(|(name, arg)| match arg {
        Arg::Code(text) => Some((name.as_str(), text.as_str())),
        _ => None,
    });
    let texts: Vec<_> = texts.collect();
    if texts.iter().any(|(_, text)| text.lines().nth(1).is_some()) { texts } else { Vec::new() }
}

impl EpisodeView {
    /// Index of the step whose code is shown: the shown one; the one before while it has no action.
    pub(crate) fn code_index(&self) -> Option<usize> {
        let writes = |index: &usize| {
            let action = self.snapshot.steps.get(*index).and_then(|step| step.action.as_ref());
            action.is_some_and(|action| !code_of(action).is_empty())
        };
        let here = self.index();
        let is_open = self.step()?.action.is_none();
        std::iter::once(here).chain(here.checked_sub(1).filter(|_| is_open)).find(writes)
    }

    /// The text that a code parameter had before the step at this index: the argument of an earlier step, and that
    /// step's number.
    pub(crate) fn earlier_code(&self, name: &str, index: usize) -> Option<(&str, u32)> {
        (0..index).rev().filter_map(|index| self.snapshot.steps.get(index)).find_map(|step| {
            match step.action.as_ref()?.args.get(name)? {
                Arg::Code(text) => Some((text.as_str(), step.number)),
                _ => None,
            }
        })
    }
}

impl Model {
    /// Compares the code of the shown step with what it replaces, unless that was done.
    pub(super) fn compare_code(&mut self) {
        let shown = self.episode().and_then(|viewed| viewed.snapshot.steps.get(viewed.code_index()?));
        let Some(step) = shown.cloned() else {
            self.agent.code = None;
            return;
        };
        if self.agent.code.as_ref().is_none_or(|known| !std::ptr::eq(known.step.as_ptr(), Arc::as_ptr(&step)))
        {
            let texts = step.action.as_ref().map(|action| self.code_texts(&step, action)).unwrap_or_default();
            self.agent.code = Some(StepCode { step: Arc::downgrade(&step), number: step.number, texts });
        }
    }

    fn code_texts(&self, step: &Arc<Step>, action: &Action) -> Vec<CodeText> {
        let text = |(name, new): (&str, &str)| {
            let before = self.code_before(step, name);
            let (old, since) =
                before.as_ref().map_or(("", None), |(old, since)| (&**old, Some(since.clone())));
            CodeText { name: name.to_owned(), changes: line_changes(old, new), since }
        };
        code_of(action).into_iter().map(text).collect()
    }

    /// The text that a code parameter had at a step, and where it is from.
    fn code_before(&self, step: &Arc<Step>, name: &str) -> Option<(Arc<str>, String)> {
        let viewed = self.episode()?;
        let index = viewed.snapshot.steps.iter().position(|one| one.number == step.number)?;
        if let Some((text, number)) = viewed.earlier_code(name, index) {
            return Some((text.into(), format!("step {number}")));
        }
        let present = self.details_of(step)?.code.get(name)?;
        Some((present.clone(), "the start".to_owned()))
    }

    /// The texts that the code parameters have at the newest step, for a form.
    pub(crate) fn present_code(&self, name: &str) -> Option<Arc<str>> {
        let viewed = self.episode()?;
        let newest = viewed.snapshot.steps.last()?;
        let present = self.details_of(newest).and_then(|details| details.code.get(name).cloned());
        present.or_else(|| Some(viewed.earlier_code(name, viewed.newest_index())?.0.into()))
    }

    /// What the numbers of this parameter are at the newest step, if they have names.
    pub(crate) fn named_numbers(&self, name: &str) -> Option<Arc<[(i64, String)]>> {
        let newest = self.episode()?.snapshot.steps.last()?;
        self.details_of(newest)?.numbers.get(name).cloned()
    }
}
