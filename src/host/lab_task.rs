//! The lab task of a screen: carries out what the screen asks, beside its loop.

use std::collections::BTreeSet;
use std::path::PathBuf;

use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::{JoinHandle, block_in_place};

use crate::annotations::{WatchedAnnotations, annotate};
use crate::asking::{Asker, Asking, SuiteAsking};
use crate::builder::BuilderTask;
use crate::finding::Finding;
use crate::models::ModelTasks;
use crate::outlines::Outlines;
use crate::played_session::PlayedSession;
use crate::readers::ReaderTask;
use crate::session_lists::{Reading, SessionLists};
use crate::sweep::SweepRuns;
use crate::tutor::start_lesson;
use crate::workshop::WorkshopTask;
use crate::{appearance, branches, comparing, home, session_browser, sweep};
use mageyard_cli::exit::Failure;
use mageyard_config::{Config, FileWatcher, Folders, Origin, Problem, SettingOverride, Sources};
use mageyard_domain::CancelOnDrop;
use mageyard_engine::{Session, Store};
use mageyard_lab::{
    Lab, LabError, LevelList, PromptText, WrittenPrompt, known_environment, oracle_opinion, read_breakpoints,
    unix_time,
};
use mageyard_screen::{
    Answer, Answers, Appearance, DashboardSources, KnownNames, LabLink, Opened, OracleQuestion, Player,
    Request, Requested, SweepOrder,
};
use mageyard_sweep::check_deletion;

/// Carries out the requests of one screen. Requests that open or change something are carried out one after the other,
/// so that each sees what those before it did; what only reads, or waits for servers, runs beside them.
pub(crate) struct LabTask {
    lab: Lab,
    sources: Sources,
    /// The session that is played.
    pub(crate) played: PlayedSession,
    /// Ends the searches of the oracle with the screen, whose end would wait for them.
    searches: CancelOnDrop,
    annotations: WatchedAnnotations,
    outlines: Outlines,
    finding: Finding,
    preview: home::Previewing,
    lists: SessionLists,
    /// The lists of home and of the list of sessions that are being read.
    reading: [Reading; 2],
    welcome: home::Welcome,
    models: ModelTasks,
    readers: ReaderTask,
    workshop: WorkshopTask,
    builder: BuilderTask,
    /// The sweeps that were started here.
    sweeps: SweepRuns,
    asking: Asking,
    suites: SuiteAsking,
    /// The session whose new episodes are reported, and those that are known.
    followed: Option<(PathBuf, Vec<PathBuf>)>,
}

impl LabTask {
    pub(crate) fn new(lab: Lab, sources: Sources, config: Config) -> Self {
        let lab = lab.with_sources(sources.clone());
        Self {
            played: PlayedSession::new(lab.clone(), config),
            lab,
            sources,
            searches: CancelOnDrop::default(),
            annotations: WatchedAnnotations::default(),
            outlines: Outlines::default(),
            finding: Finding::default(),
            preview: home::Previewing::default(),
            lists: SessionLists::default(),
            reading: Default::default(),
            welcome: home::Welcome::default(),
            models: ModelTasks::default(),
            readers: ReaderTask::default(),
            workshop: WorkshopTask::default(),
            builder: BuilderTask::default(),
            sweeps: SweepRuns::default(),
            asking: Asking::default(),
            suites: SuiteAsking::default(),
            followed: None,
        }
    }

    /// Reports the episodes of this session that start after those in `known`.
    pub(crate) fn follow_session(&mut self, folder: PathBuf, known: Vec<PathBuf>) {
        self.followed = Some((folder, known));
    }

    /// Starts to answer. The task returns this when the screen has ended.
    pub(crate) fn start(self) -> (LabLink, JoinHandle<Self>) {
        let (link, requests, answers) = LabLink::new();
        if let Some((folder, known)) = self.followed.clone() {
            session_browser::follow(self.lab.clone(), folder, known, self.config().clone(), answers.clone());
        }
        (link, tokio::spawn(self.run(requests, answers)))
    }

    /// The journals of the episodes that can be resumed, of those that were listed and not read.
    pub(crate) async fn unfinished(self) -> Vec<PathBuf> {
        self.outlines.unfinished().await
    }

    async fn run(mut self, mut requests: UnboundedReceiver<Requested>, answers: Answers) -> Self {
        while let Some(requested) = requests.recv().await {
            let (request, answers) = requested.split(&answers);
            self.take(request, answers);
        }
        std::mem::take(&mut self.sweeps).end().await;
        self
    }

    fn config(&self) -> &Config {
        &self.played.config
    }

    fn folders(&self) -> &Folders {
        &self.sources.folders
    }

    fn store(&self) -> Store {
        Store::new(self.config().store_folder())
    }

    fn take(&mut self, request: Request, answers: Answers) {
        let lab = self.lab.clone();
        let config = self.config().clone();
        match request {
            Request::OpenLevel(reference) => {
                let opened = block_in_place(|| self.played.open(&reference));
                answers.opened(Opened::Level(opened.map_err(Problem::from)));
            }
            Request::Resume(name) => {
                let resumed = block_in_place(|| Handle::current().block_on(self.played.resume(&name)));
                answers.opened(Opened::Continued(resumed.map(|(session, _)| session).map_err(Problem::from)));
            }
            Request::PlayWith { level, player } => {
                let opened = block_in_place(|| self.play_with(level.as_deref(), &player));
                answers.opened(Opened::Level(opened.map_err(Problem::from)));
            }
            Request::ListHome => {
                self.reading[0] = Reading::default();
                home::list(self.lists.clone(), &self.reading[0], lab, config, answers);
            }
            Request::Preview(item) => self.preview = home::Previewing::start(lab, config, item, answers),
            Request::Welcome(None) => self.welcome = home::Welcome::default(),
            Request::Welcome(Some(player)) => self.welcome(&player, answers),
            Request::Restart(head) => {
                let opened = block_in_place(|| self.played.restart(&head));
                answers.opened(Opened::Level(opened.map_err(Problem::from)));
            }
            Request::PlayAgain(name) => {
                let opened = block_in_place(|| self.played.play_again(&name));
                answers.opened(Opened::Level(opened.map_err(Problem::from)));
            }
            Request::Delete(name) => {
                let deleted = block_in_place(|| Handle::current().block_on(self.delete(&name)));
                answers.send(Answer::Deleted(name, deleted.map_err(Problem::from)));
            }
            Request::OpenRecorded(name) => session_browser::open(lab, self.store(), name, config, answers),
            Request::OpenSweep(name) => open_sweep(lab, name, config, answers),
            Request::Builder(order) => self.builder.take(order, lab, config, answers),
            Request::StartSweep(name) => answers.opened(Opened::Sweep(self.start_sweep(&name))),
            Request::OrderSweep { sweep, order } => {
                answers.send(Answer::SweepOrdered(self.order_sweep(&sweep, order)));
            }
            Request::OpenJournal(journal) => branches::open(lab, journal, false, config, answers),
            Request::OpenWritten(journal) => branches::open(lab, journal, true, config, answers),
            Request::ContinueJournal(journal) => branches::resume(lab, journal, config, answers),
            Request::Fork(order) => branches::fork(lab, self.sources.clone(), order, answers),
            Request::OpenLesson(name) => {
                let opened = block_in_place(|| start_lesson(&lab, &config, name));
                answers.opened(Opened::Lesson(opened.map_err(Problem::from)));
            }
            Request::ListSessions => {
                self.reading[1] = Reading::default();
                session_browser::list(self.lists.clone(), &self.reading[1], lab, config, answers);
            }
            Request::Outline(journals) => self.outlines.add(lab, journals, answers),
            Request::ListBranches(journal) => branches::list(lab, journal, config, answers),
            Request::AskOracle(question) => self.ask_oracle(question, answers),
            Request::ReadBreakpoints(text) => read_break_conditions(lab, text, config, answers),
            Request::LoadRecording(wanted) => comparing::load(lab, config, wanted, answers),
            Request::Find { condition, scope } => {
                self.finding = Finding::start(lab, config, (condition, scope), answers);
            }
            Request::FindPartings(journal) => {
                self.finding = Finding::partings(journal, self.store(), answers);
            }
            Request::StopFinding => self.finding = Finding::default(),
            Request::Model(order) => self.models.take(order, lab, self.sources.clone(), answers),
            Request::Reader(order) => self.readers.take(order, lab, config, answers),
            Request::Workshop(order) => {
                self.workshop.take(order, Asker { lab, sources: self.sources.clone(), answers });
            }
            Request::Ask(order) => {
                self.asking.take(order, Asker { lab, sources: self.sources.clone(), answers });
            }
            Request::Suite(order) => {
                self.suites.take(order, Asker { lab, sources: self.sources.clone(), answers });
            }
            Request::WatchAnnotations(journal) => self.annotations.add(&journal, &answers),
            Request::Annotate(order) => {
                let annotated = block_in_place(|| annotate(&order));
                answers.send(Answer::Annotated(order, annotated));
            }
            Request::ListNames => answers.send(Answer::Names(block_in_place(|| self.names()))),
            Request::Reload => {
                let reloaded = block_in_place(|| self.reload());
                answers.send(Answer::Reloaded(reloaded.into()));
                answers.send(Answer::Names(block_in_place(|| self.names())));
            }
            Request::LoadTheme { name, is_preview } => {
                let theme = block_in_place(|| mageyard_terminal::load_theme(self.folders(), &name));
                answers.send(Answer::Theme { is_preview, theme: theme.into() });
            }
            Request::PromptText { environment, name } => {
                let text = block_in_place(|| self.prompt_text(&environment, &name));
                answers.send(Answer::PromptText { environment, name, text });
            }
            Request::SavePrompt { environment, edited, text } => {
                let saved = block_in_place(|| self.save_prompt(&environment, &edited, &text));
                answers.send(Answer::PromptSaved { text, saved: saved.into() });
            }
        }
    }

    /// The text of a prompt of an environment.
    fn prompt_text(&self, environment: &str, name: &str) -> Result<PromptText, Problem> {
        mageyard_lab::prompt_text(known_environment(&self.lab, environment)?, self.folders(), name)
    }

    /// Moves a session or a sweep to the trash. Further episodes of this screen then begin a new session.
    async fn delete(&mut self, name: &str) -> Result<(), LabError> {
        let store = self.store();
        check_deletion(&self.lab, &store, self.folders(), &[name.to_owned()]).await?;
        let (folder, _) = store.deletable(name)?;
        store.delete(name, unix_time())?;
        self.played.forget(&folder);
        Ok(())
    }

    /// Plays a level, or the configured one, with this agent or model from now on.
    fn play_with(&mut self, level: Option<&str>, player: &Player) -> Result<Session, LabError> {
        let sources = self.sources_with(player)?;
        let before = std::mem::replace(&mut self.played.config, sources.read()?);
        let configured = self.config().settings().play.level.clone();
        let opened = self.played.open(level.unwrap_or(&configured));
        match opened {
            Ok(_) => self.sources = sources,
            Err(_) => self.played.config = before,
        }
        opened
    }

    /// The settings with this agent or model.
    fn sources_with(&self, player: &Player) -> Result<Sources, LabError> {
        let set = |setting: &str, value: &str| {
            SettingOverride::new(setting, value, Origin::Flag("screen".to_owned()))
        };
        let mut sources = self.sources.clone();
        match player {
            Player::Agent(name) => sources.overrides.push(set("play.agent", name)),
            Player::Model(name) => {
                let agent = self.lab.agent_of_model(name)?.0.name;
                sources.overrides.extend([set("play.agent", agent), set("model.name", name)]);
            }
        }
        Ok(sources)
    }

    fn start_sweep(&mut self, name: &str) -> Result<DashboardSources, Problem> {
        let config = self.config().clone();
        block_in_place(|| self.sweeps.start(name, &self.lab, &config))
    }

    fn order_sweep(&self, sweep: &str, order: SweepOrder) -> Result<String, Problem> {
        block_in_place(|| sweep::order_sweep(sweep, order, &self.lab, self.config()))
    }

    /// Plays an unrecorded episode beside the first start.
    fn welcome(&mut self, player: &Player, answers: Answers) {
        let config = self.sources_with(player).and_then(|sources| Ok(sources.read()?));
        // Without it the page has its text and its keys.
        if let Ok(config) = config {
            self.welcome = home::Welcome::start(self.lab.clone(), config, answers);
        }
    }

    fn ask_oracle(&self, question: OracleQuestion, answers: Answers) {
        let lab = self.lab.clone();
        let is_over = self.searches.flag();
        tokio::task::spawn_blocking(move || {
            let OracleQuestion { environment, step } = question;
            let opinion = oracle_opinion(&lab, &environment, &step, &is_over);
            answers.send(Answer::OracleSaid(step.state, opinion.map(|said| said.to_string())));
        });
    }

    fn names(&self) -> KnownNames {
        known_names(&self.lab, self.folders())
    }

    fn save_prompt(&self, environment: &str, edited: &str, text: &str) -> Result<WrittenPrompt, Problem> {
        let spec = known_environment(&self.lab, environment)?;
        let words = spec.capabilities().state_words(&self.config().settings().options(environment));
        let saved = mageyard_lab::save_prompt(spec, self.folders(), text, Some(edited))?;
        Ok(WrittenPrompt { prompt: saved.prompt.with_state_words(&words), ..saved })
    }

    fn reload(&mut self) -> Result<Appearance, Problem> {
        let config = self.sources.read()?;
        let look = appearance::load(self.folders(), &config)?;
        mageyard_lab::configured_reader(self.folders(), &config)?;
        self.played.config = config;
        Ok(look)
    }
}

fn read_break_conditions(lab: Lab, text: String, config: Config, answers: Answers) {
    tokio::spawn(async move {
        let read = read_breakpoints(&lab, std::slice::from_ref(&text), "break", &config).await;
        answers.send(Answer::BreakpointsRead(text, read.map_err(Problem::from)));
    });
}

/// What completions know of files.
pub(crate) fn known_names(lab: &Lab, folders: &Folders) -> KnownNames {
    let sets = lab.environments().iter().flat_map(|spec| {
        let entries = mageyard_lab::level_catalog(*spec, folders).entries();
        entries.into_iter().filter_map(|entry| LevelList::from_entry(*spec, folders, &entry).ok())
    });
    let levels = sets.flat_map(|source| source.titles()).map(|level| level.reference).collect();
    let themes: BTreeSet<String> =
        mageyard_terminal::theme_catalog(folders).entries().into_iter().map(|entry| entry.name).collect();
    KnownNames { levels, themes: themes.into_iter().collect() }
}

fn open_sweep(lab: Lab, name: String, config: Config, answers: Answers) {
    tokio::task::spawn_blocking(move || {
        let opened = sweep::recorded_sources(&name, &lab, &config, config.settings().screen.linear);
        answers.opened(Opened::Sweep(opened.map_err(Failure::into_problem)));
    });
}

/// Sends a message for each change to the files that the user edits.
pub(crate) fn watch_files(folders: &Folders) -> UnboundedReceiver<()> {
    let (tell, changes) = mpsc::unbounded_channel();
    if let Some(mut watch) = FileWatcher::start(folders) {
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
