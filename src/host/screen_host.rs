//! The host of the screen: starts sessions and reads the files that the user edits.

use mageyard_lab::{
    assign_starts, known_environment, level_of, new_head, open_new, oracle_opinion, read_breakpoints,
    replay_source, resume_episode, select_level,
};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::annotations::WatchedAnnotations;
use crate::finding::Finding;
use crate::outlines::Outlines;
use crate::session_start::start_session;
use crate::{annotations, appearance, branches, comparing, session_browser};
use mageyard_agents::request_reader;
use mageyard_cli::context::Context;
use mageyard_cli::exit::Failure;
use mageyard_config::{Config, FileWatcher, Problem};
use mageyard_domain::{CancelOnDrop, RequestReader};
use mageyard_engine::{Head, Session, Step, Store};
use mageyard_lab::{LevelList, PreparedEpisode, ReplaySource, SelectedLevel};
use mageyard_screen::requests::asking::{Asker, Asking, SuiteAsking};
use mageyard_screen::{
    Annotated, AnnotationOrder, Appearance, AskOrder, ForkOrder, HostEvent, SavedPrompt, SuiteOrder,
    WantedRecording,
};
use mageyard_terminal::Theme;

/// Starts sessions for the screen.
pub(crate) struct ScreenHost<'a> {
    context: &'a Context,
    config: Config,
    /// The folder of the current session; created when the first episode starts.
    session: Option<PathBuf>,
    /// The configured recording. It is read once, because `last` may later mean the current session.
    replay_source: Option<(String, ReplaySource)>,
    /// Where the results of work beside the screen go, and the end that the screen takes.
    events: UnboundedSender<HostEvent>,
    receiver: Option<UnboundedReceiver<HostEvent>>,
    /// Ends the searches of the oracle with the screen, whose end would wait for them.
    searches: CancelOnDrop,
    annotations: WatchedAnnotations,
    outlines: Outlines,
    finding: Finding,
    asking: Asking,
    suites: SuiteAsking,
}

impl<'a> ScreenHost<'a> {
    pub(crate) fn new(context: &'a Context, config: Config) -> Self {
        let (events, receiver) = mpsc::unbounded_channel();
        let receiver = Some(receiver);
        let searches = CancelOnDrop::default();
        let annotations = WatchedAnnotations::default();
        let finding = Finding::default();
        let asking = Asking::default();
        Self {
            context,
            config,
            session: None,
            replay_source: None,
            events,
            receiver,
            searches,
            annotations,
            outlines: Outlines::default(),
            finding,
            asking,
            suites: SuiteAsking::default(),
        }
    }

    /// The outlines of episodes that were listed and not read.
    pub(crate) fn take_outlines(&mut self) -> Outlines {
        std::mem::take(&mut self.outlines)
    }

    /// The events of this host, for one screen.
    pub(crate) fn take_events(&mut self) -> Option<UnboundedReceiver<HostEvent>> {
        self.receiver.take()
    }

    /// Reports the episodes of this session that start after those in `known`.
    pub(crate) fn follow_session(&self, folder: PathBuf, known: Vec<PathBuf>) {
        session_browser::follow(
            self.context.lab.clone(),
            folder,
            known,
            self.config.clone(),
            self.events.clone(),
        );
    }

    /// Starts a new episode on a level.
    pub(crate) fn start(&mut self, selected: &SelectedLevel) -> Result<Session, Failure> {
        let mut head = new_head(&self.context.lab, &self.config, selected, self.config.settings().play.seed)?;
        let config = self.config.clone();
        let store = Store::new(config.store_folder());
        // Only a level that starts from a recording waits for its journal to be read.
        tokio::task::block_in_place(|| {
            let assigned = assign_starts(&self.context.lab, &store, std::slice::from_mut(&mut head));
            Handle::current().block_on(assigned)
        })?;
        if let Some(replay_source) = self.replay_source()? {
            replay_source.assign(&mut head, &config)?;
        }
        self.start_head(head, selected)
    }

    /// Starts the first episode of the configured recording; without one, an episode on the configured level.
    pub(crate) fn start_replay(&mut self) -> Result<Session, Failure> {
        let config = self.config.clone();
        let first = match self.replay_source()? {
            Some(source) => source.heads(&config)?.into_iter().next(),
            None => None,
        };
        let Some(head) = first else {
            let level =
                select_level(&self.context.lab, self.context.folders(), &self.config.settings().play.level)?;
            return self.start(&level);
        };
        let level = level_of(&self.context.lab, &head)?;
        self.start_head(head, &level)
    }

    /// Starts a new episode with this head.
    pub(crate) fn start_head(&mut self, head: Head, level: &SelectedLevel) -> Result<Session, Failure> {
        let store = Store::new(self.config.store_folder());
        let session = match &self.session {
            Some(session) => session.clone(),
            None => mageyard_lab::create_session(&store, std::slice::from_ref(level), &self.config)?,
        };
        let number = store.next_episode(&session).map_err(Failure::running)?;
        let staged = open_new(&self.context.lab, &store, &session, number, head, &self.config)?;
        self.session = Some(session);
        Ok(self.start_session(staged))
    }

    /// Starts a new episode with everything that this head was started with.
    fn restart_episode(&mut self, head: &Head) -> Result<Session, Failure> {
        let Some(session) = self.session.clone() else {
            return Err(Problem::new("a recording cannot be restarted").into());
        };
        let store = Store::new(self.config.store_folder());
        let number = store.next_episode(&session).map_err(Failure::running)?;
        let head = head.restarted(mageyard_lab::unix_time().as_secs());
        let staged = open_new(&self.context.lab, &store, &session, number, head, &self.config)?;
        Ok(self.start_session(staged))
    }

    fn replay_source(&mut self) -> Result<Option<&ReplaySource>, Failure> {
        let from = &self.config.settings().play.from;
        if self.replay_source.as_ref().is_none_or(|(known, _)| known != from) {
            self.replay_source = replay_source(&self.context.lab, &self.config)?
                .map(|replay_source| (from.clone(), replay_source));
        }
        Ok(self.replay_source.as_ref().map(|(_, replay_source)| replay_source))
    }

    /// Resumes the last episode of a session; also returns a warning about its journal.
    pub(crate) async fn resume(&mut self, run: &str) -> Result<(Session, Option<String>), Failure> {
        let journals = Store::new(self.config.store_folder()).find(run)?;
        let journal = journals.last().map_or(Path::new(run), PathBuf::as_path);
        let mut staged = resume_episode(&self.context.lab, journal, &self.config).await?;
        let note = staged.note.take();
        self.session = Some(staged.id.session.clone());
        Ok((self.start_session(staged), note))
    }

    fn start_session(&self, staged: PreparedEpisode) -> Session {
        start_session(staged, &self.context.lab, &self.config)
    }

    /// The folder of the current session.
    pub(crate) fn session(&self) -> Option<&Path> {
        self.session.as_deref()
    }
}

impl mageyard_screen::Host for ScreenHost<'_> {
    fn open(&mut self, reference: &str) -> Result<Session, Problem> {
        let selected = select_level(&self.context.lab, self.context.folders(), reference)?;
        self.start(&selected).map_err(Failure::into_problem)
    }

    fn list_sessions(&mut self) {
        session_browser::list(
            self.context.lab.clone(),
            Store::new(self.config.store_folder()),
            self.events.clone(),
        );
    }

    fn outline(&mut self, journals: Vec<(usize, PathBuf)>) {
        self.outlines.add(self.context.lab.clone(), journals, self.events.clone());
    }

    fn open_recorded(&mut self, name: &str) {
        let store = Store::new(self.config.store_folder());
        session_browser::open(
            self.context.lab.clone(),
            store,
            name.to_owned(),
            self.config.clone(),
            self.events.clone(),
        );
    }

    fn open_tutorial(&mut self) {
        session_browser::open_tutorial(self.context.lab.clone(), self.config.clone(), self.events.clone());
    }

    fn list_branches(&mut self, journal: &Path) {
        let lab = self.context.lab.clone();
        branches::list(lab, journal.to_owned(), self.config.clone(), self.events.clone());
    }

    fn fork(&mut self, order: ForkOrder) {
        let sources = self.context.sources.clone();
        branches::fork(self.context.lab.clone(), sources, order, self.events.clone());
    }

    fn ask_oracle(&mut self, environment: &str, step: Arc<Step>) {
        let lab = self.context.lab.clone();
        let environment = environment.to_owned();
        let events = self.events.clone();
        let is_over = self.searches.flag();
        tokio::task::spawn_blocking(move || {
            let opinion = oracle_opinion(&lab, &environment, &step, &is_over);
            // The screen may be closed.
            let _ = events.send(HostEvent::OracleSaid(step.state, opinion.map(|said| said.to_string())));
        });
    }

    fn read_breakpoints(&mut self, text: &str) {
        let lab = self.context.lab.clone();
        let text = text.to_owned();
        let events = self.events.clone();
        let config = self.config.clone();
        tokio::spawn(async move {
            let texts = std::slice::from_ref(&text);
            let read = read_breakpoints(&lab, texts, "break", &config).await;
            let read = read.map_err(|error| Failure::from(error).into_problem());
            // The screen may be closed.
            let _ = events.send(HostEvent::BreakpointsRead(text, read));
        });
    }

    fn open_journal(&mut self, journal: &Path) {
        let lab = self.context.lab.clone();
        let events = self.events.clone();
        branches::open(lab, journal.to_owned(), self.config.clone(), events);
    }

    fn continue_journal(&mut self, journal: &Path) {
        let lab = self.context.lab.clone();
        let events = self.events.clone();
        branches::resume(lab, journal.to_owned(), self.config.clone(), events);
    }

    fn load_recording(&mut self, wanted: WantedRecording) {
        let lab = self.context.lab.clone();
        let config = self.config.clone();
        comparing::load(lab, config, wanted, self.events.clone());
    }

    fn find(&mut self, number: u64, condition: &str) {
        let lab = self.context.lab.clone();
        let config = self.config.clone();
        self.finding = Finding::start(lab, config, (number, condition.to_owned()), self.events.clone());
    }

    fn find_partings(&mut self, number: u64, journal: &Path) {
        let store = Store::new(self.config.store_folder());
        self.finding = Finding::partings(number, journal.to_owned(), store, self.events.clone());
    }

    fn stop_finding(&mut self) {
        self.finding = Finding::default();
    }

    fn ask(&mut self, order: AskOrder) {
        let lab = self.context.lab.clone();
        let sources = self.context.sources.clone();
        self.asking.take(order, Asker { lab, sources, events: self.events.clone() });
    }

    fn order_suite(&mut self, order: SuiteOrder) {
        let lab = self.context.lab.clone();
        let sources = self.context.sources.clone();
        self.suites.take(order, Asker { lab, sources, events: self.events.clone() });
    }

    fn watch_annotations(&mut self, journal: &Path) {
        self.annotations.add(journal, &self.events);
    }

    fn annotate(&mut self, order: &AnnotationOrder) -> Result<Annotated, Problem> {
        annotations::annotate(order)
    }

    fn restart(&mut self, head: &Head) -> Result<Session, Problem> {
        self.restart_episode(head).map_err(Failure::into_problem)
    }

    fn levels(&self) -> Vec<String> {
        let folders = self.context.folders();
        let sets = self.context.lab.environments().iter().flat_map(|spec| {
            let entries = mageyard_lab::level_catalog(*spec, folders).entries();
            entries.into_iter().filter_map(|entry| LevelList::from_entry(*spec, folders, &entry).ok())
        });
        sets.flat_map(|source| source.all()).map(|selected| selected.reference).collect()
    }

    fn themes(&self) -> Vec<String> {
        let entries = mageyard_cli::themes::theme_catalog(self.context.folders()).entries();
        entries.into_iter().map(|entry| entry.name).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn theme(&mut self, name: &str) -> Result<Theme, Problem> {
        mageyard_cli::themes::load_theme(self.context.folders(), name)
    }

    fn new_prompt_text(&mut self, environment: &str, from: &str) -> Result<String, Problem> {
        mageyard_lab::copy_prompt_for_editing(
            known_environment(&self.context.lab, environment)?,
            self.context.folders(),
            from,
        )
    }

    fn save_prompt(&mut self, environment: &str, text: &str) -> Result<SavedPrompt, Problem> {
        let spec = known_environment(&self.context.lab, environment)?;
        let picture =
            (spec.capabilities().presentation.picture_legend)(&self.config.settings().options(environment));
        let folders = self.context.folders();
        let prompt = mageyard_lab::save_prompt(spec, folders, text)?.with_picture_legend(picture);
        let path = folders.prompts(spec.name()).join(format!("{}.md", prompt.name));
        Ok(SavedPrompt { prompt, path })
    }

    fn request_reader(&self) -> &'static dyn RequestReader {
        request_reader()
    }

    fn editor(&self) -> Option<String> {
        let mut named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
        named.find(|editor| !editor.trim().is_empty()).or_else(|| {
            let path = std::env::var_os("PATH")?;
            installed_editor(&path).map(str::to_owned)
        })
    }

    fn reload(&mut self) -> Result<Appearance, Problem> {
        let config = self.context.config()?;
        let look = appearance::load(self.context.folders(), &config)?;
        mageyard_lab::configured_reader(self.context.folders(), &config)?;
        self.config = config;
        Ok(look)
    }
}

/// Editors that are tried in this order where neither `VISUAL` nor `EDITOR` is set.
const EDITORS: [&str; 6] = ["sensible-editor", "editor", "nano", "vim", "vi", "emacs"];

/// The first of the usual editors in the folders of `PATH`.
fn installed_editor(path: &OsStr) -> Option<&'static str> {
    EDITORS.into_iter().find(|name| std::env::split_paths(path).any(|folder| folder.join(name).is_file()))
}

/// Sends a message for each change to the files that the user edits.
pub(crate) fn watch_files(context: &Context) -> mpsc::UnboundedReceiver<()> {
    let (tell, changes) = mpsc::unbounded_channel();
    if let Some(mut watch) = FileWatcher::start(context.folders()) {
        tokio::spawn(async move {
            while !tell.is_closed() {
                watch.changed().await;
                // A closed receiver ends the loop.
                let _ = tell.send(());
            }
        });
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_variables_the_first_usual_editor_on_the_path_is_used() {
        let first = tempfile::tempdir().unwrap();
        let second = tempfile::tempdir().unwrap();
        let path = std::env::join_paths([first.path(), second.path()]).unwrap();
        assert_eq!(installed_editor(&path), None);
        std::fs::write(first.path().join("vi"), "").unwrap();
        assert_eq!(installed_editor(&path), Some("vi"));
        std::fs::write(second.path().join("nano"), "").unwrap();
        assert_eq!(installed_editor(&path), Some("nano"));
    }
}
