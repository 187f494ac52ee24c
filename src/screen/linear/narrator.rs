//! Says what has changed: it compares the model with what it said last, and returns the lines that are new.

use std::collections::BTreeMap;

use super::pane_lines::Reading;
use super::search_lines::search_lines;
use super::step_lines::ToldStep;
use super::text::labelled;
use super::{questions, step_lines};
use crate::appearance::FrameView;
use crate::model::{CodeView, EpisodeView, FilmPosition, FrameChoice, Modal, Model};
use crate::pane::Pane;
use crate::panes;
use crate::tutor::TutorText;

/// What was said so far.
#[derive(Debug, Default)]
pub(crate) struct Narrator {
    /// What was told of each episode.
    episodes: BTreeMap<usize, ToldEpisode>,
    shown: Option<Shown>,
    memory: Option<String>,
    state: Option<String>,
    notice: Option<String>,
    question: Vec<String>,
    /// The number of the try that was told last.
    retry: Option<u32>,
    /// The instruction of the tutor.
    tutor: Option<String>,
    /// The text that was searched last.
    searched: Option<String>,
}

/// How far an episode was told.
#[derive(Debug, Default)]
struct ToldEpisode {
    /// The index of the last step that was told.
    index: usize,
    step: ToldStep,
    /// The step before it: answers about its outcome come later.
    before: Option<ToldStep>,
}

/// What the person chose to look at.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    episode: usize,
    cursor: Option<usize>,
    focus: Pane,
    agent: (bool, Option<usize>, CodeView),
    frame: (bool, FrameView, Option<FrameChoice>, usize, usize),
    film: Option<FilmPosition>,
    only_marked: bool,
}

impl Shown {
    fn of(model: &Model) -> Self {
        Self {
            episode: model.current,
            cursor: model.episode().filter(|viewed| viewed.looks_back()).map(EpisodeView::index),
            focus: model.panes.focus,
            agent: (model.agent.raw, model.agent.shown_reply, model.agent.code_view),
            frame: (
                model.frame.as_sent,
                model.frame.shown_as,
                model.frame.choice,
                model.frame.page,
                model.frame.picture,
            ),
            film: model.film_position(),
            only_marked: model.marks.only,
        }
    }
}

impl Narrator {
    /// The lines for everything that has changed since the last call.
    pub(crate) fn news(&mut self, model: &Model) -> Vec<String> {
        let shown = Shown::of(model);
        let before = self.shown.replace(shown.clone());
        let mut lines = self.episode(model, before.as_ref());
        lines.extend(before.map(|before| chosen(model, &before, &shown)).unwrap_or_default());
        lines.extend(self.memory(model));
        lines.extend(self.search(model));
        lines.extend(self.notices(model));
        lines.extend(self.state(model));
        lines.extend(self.tutor(model));
        lines.extend(self.question(model));
        lines
    }

    /// The steps of the shown episode that are new; of an episode that was not told before, the shown step.
    fn episode(&mut self, model: &Model, before: Option<&Shown>) -> Vec<String> {
        let Some(viewed) = model.episode() else { return Vec::new() };
        let mut lines = Vec::new();
        if before.is_none_or(|before| before.episode != model.current) {
            let number = model.current + 1;
            let count = model.episodes.len();
            let words = panes::status_summary(model).unwrap_or_default();
            lines.extend(labelled("Episode", &format!("{number} of {count}: {words}")));
        }
        if viewed.step().is_none() {
            return lines;
        }
        if let Some(told) = self.episodes.get_mut(&model.current) {
            lines.extend(told.news(viewed));
        } else {
            let (told, said) = ToldEpisode::begin(viewed);
            lines.extend(said);
            self.episodes.insert(model.current, told);
        }
        lines.extend(self.retry(viewed));
        lines
    }

    /// Why a request is tried again, once for each try.
    fn retry(&mut self, viewed: &EpisodeView) -> Vec<String> {
        let retry = viewed.snapshot.run.live_reply.as_ref().and_then(|reply| reply.retry.as_ref());
        let Some(retry) = retry else {
            self.retry = None;
            return Vec::new();
        };
        let is_new = self.retry.replace(retry.attempt) != Some(retry.attempt);
        let words = format!("{} of {}: {}", retry.attempt, retry.most, retry.why);
        if is_new { labelled("Retry", &words) } else { Vec::new() }
    }

    /// What the request has, if that has changed.
    fn memory(&mut self, model: &Model) -> Option<String> {
        let words = panes::memory_summary(model)?;
        let is_new = self.memory.as_ref() != Some(&words);
        self.memory = Some(words.clone());
        is_new.then(|| format!("Memory: {words}"))
    }

    pub(crate) fn notices(&mut self, model: &Model) -> Vec<String> {
        let said = std::mem::replace(&mut self.notice, model.notice.clone()).unwrap_or_default();
        let notices = model.notice.as_deref().unwrap_or_default().lines();
        let new = notices.filter(|notice| !said.lines().any(|known| known == *notice));
        new.flat_map(|notice| labelled("Note", notice)).collect()
    }

    /// The state and what comes next, if that has changed. A run tells its steps, not its states.
    fn state(&mut self, model: &Model) -> Vec<String> {
        let Some((state, next)) = panes::state_words(model) else { return Vec::new() };
        let is_running = model.episode().is_some_and(EpisodeView::is_running);
        let state = state.to_lowercase();
        let words = match state.split_once(' ').unwrap_or((&state, "")) {
            // The number of steps that are left changes with every step.
            (running, _) if is_running => format!("{running}; run or Ctrl-C pauses"),
            _ if next.is_empty() => state,
            _ => format!("{state}; {next}"),
        };
        let is_new = self.state.as_ref() != Some(&words);
        self.state = Some(words.clone());
        if is_new { labelled("State", &words) } else { Vec::new() }
    }

    /// The places of a text that was not searched before.
    fn search(&mut self, model: &Model) -> Vec<String> {
        let text =
            model.search.as_ref().filter(|search| !search.is_typing).map(|search| search.text().to_owned());
        let is_new = text.is_some() && text != self.searched;
        self.searched = text;
        if is_new { search_lines(model) } else { Vec::new() }
    }

    /// The instruction of a lesson, if it is another one.
    fn tutor(&mut self, model: &Model) -> Vec<String> {
        let words = model.shown_tutor().map(|tutor| {
            let TutorText { shown, text } = tutor.text(tutor.part, &model.appearance.keys);
            let shown = shown.map(|shown| format!("{shown} ")).unwrap_or_default();
            format!("{}: {shown}{text}", tutor.heading().trim_start_matches("Tutor · "))
        });
        let is_new = words != self.tutor;
        self.tutor.clone_from(&words);
        words.filter(|_| is_new).iter().flat_map(|words| labelled("Tutor", words)).collect()
    }

    pub(crate) fn question(&mut self, model: &Model) -> Vec<String> {
        let lines = questions::lines(model);
        let is_new = lines != self.question;
        self.question.clone_from(&lines);
        if is_new { lines } else { Vec::new() }
    }

    /// Forgets everything, so that all of it is said again.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// A pane got the focus because it was read, so it is not read again.
    pub(crate) fn was_read(&mut self, pane: Pane) {
        if let Some(shown) = &mut self.shown {
            shown.focus = pane;
        }
    }

    /// A notice was cleared by a line, so the same words are new again.
    pub(crate) fn line_entered(&mut self) {
        (self.notice, self.question) = (None, Vec::new());
    }
}

impl ToldEpisode {
    /// The shown step of an episode that was not told before. What was before its newest step counts as told.
    fn begin(viewed: &EpisodeView) -> (Self, Vec<String>) {
        let mut told = Self { index: viewed.newest_index(), step: ToldStep::default(), before: None };
        let shown = viewed.index();
        let newest = viewed.snapshot.steps.get(told.index);
        let news =
            newest.map(|step| step_lines::news(viewed, told.index, step, &mut told.step)).unwrap_or_default();
        let lines = match viewed.step() {
            Some(step) if shown == told.index => {
                step_lines::opening(viewed, shown, step, None).into_iter().chain(news).collect()
            }
            Some(step) => step_lines::whole(viewed, shown, step),
            None => Vec::new(),
        };
        (told, lines)
    }

    /// The lines for what has happened since.
    fn news(&mut self, viewed: &EpisodeView) -> Vec<String> {
        let steps = &viewed.snapshot.steps;
        let mut lines = Vec::new();
        // A step can be taken back.
        if self.index >= steps.len() {
            let index = steps.len().saturating_sub(1);
            *self = Self { index, step: ToldStep::default(), before: None };
        }
        let earlier = self.index.checked_sub(1).and_then(|index| Some((index, steps.get(index)?)));
        if let (Some((index, step)), Some(told)) = (earlier, &mut self.before) {
            lines.extend(step_lines::late_news(viewed, index, step, told));
        }
        while let Some(step) = steps.get(self.index) {
            lines.extend(step_lines::news(viewed, self.index, step, &mut self.step));
            let Some(next) = steps.get(self.index + 1) else { break };
            let before = Some(std::mem::take(&mut self.step));
            *self = Self { index: self.index + 1, step: ToldStep::default(), before };
            lines.extend(step_lines::opening(viewed, self.index, next, Some(step)));
        }
        lines
    }
}

/// What the person chose to look at, read in full.
fn chosen(model: &Model, before: &Shown, now: &Shown) -> Vec<String> {
    let Some((viewed, step)) = model.episode().and_then(|viewed| Some((viewed, viewed.step()?))) else {
        return Vec::new();
    };
    if before.episode != now.episode {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if before.cursor != now.cursor {
        lines.extend(step_lines::whole(viewed, viewed.index(), step));
    }
    let panes = [
        (before.agent != now.agent && before.cursor == now.cursor, Pane::Agent),
        (before.frame != now.frame || before.film.is_some() != now.film.is_some(), Pane::Frame),
        (before.only_marked != now.only_marked, Pane::Steps),
        (before.focus != now.focus, now.focus),
    ];
    if let (Some(_), Some(at), true) = (before.film, now.film, before.film != now.film) {
        lines.extend(model.film_label().filter(|_| !at.is_playing).map(|words| format!("Film: {words}")));
    }
    lines.extend(
        panes.into_iter().filter(|pane| pane.0).flat_map(|(_, pane)| Reading::Pane(pane).lines(model)),
    );
    lines
}

/// Closes a dialog that is only read, once it was said.
pub(crate) fn close_what_was_read(model: &mut Model) {
    let is_read = match &model.modal {
        Some(Modal::Verdict(_) | Modal::Request(_) | Modal::RequestDiff(_)) => true,
        Some(Modal::Fault(_)) => !model.episodes.is_empty(),
        Some(Modal::Copy(menu)) => menu.message.is_some(),
        _ => false,
    };
    if is_read {
        model.modal = None;
        model.uncover_dialog();
    }
}
