//! What home lists, and the previews of its items, read beside the screen.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::session_lists::{FirstList, ListReceiver, Reading, SessionLists};
use crate::sweep::SweepReading;
use mageyard_config::{Config, Problem};
use mageyard_domain::shell_quote;
use mageyard_engine::{Controller, Session, Snapshot, Store, StoreError, Waiting, episode_folder};
use mageyard_lab::{
    Lab, LabError, ModelFacts, ModelKind, known_environment, model_facts, new_head, open_recorded,
    open_without_journal, prompt_catalog, read_prompt, select_level,
};
use mageyard_screen::{Answer, Answers, HomeContents, HomeItem, HomePreview, Lesson, SessionBatch};

use crate::asking::suite_entries;
use crate::lab_task::known_names;

/// Between two halves of a step of the first start.
const WELCOME_PACE: Duration = Duration::from_millis(900);

/// How long a sweep is selected before its results are read.
const RESULTS_AFTER: Duration = Duration::from_millis(150);

/// Lists everything: first what needs no journal, then what was read of sessions.
pub(crate) fn list(lists: SessionLists, reading: &Reading, lab: Lab, config: Config, answers: Answers) {
    let stop = reading.flag();
    tokio::task::spawn_blocking(move || {
        let mut parts = HomeAnswers { lab: &lab, config: &config, answers };
        lists.read(&lab, &config, &stop, &mut parts);
    });
}

/// Sends what home lists to the screen.
struct HomeAnswers<'a> {
    lab: &'a Lab,
    config: &'a Config,
    answers: Answers,
}

impl ListReceiver for HomeAnswers<'_> {
    fn first(&mut self, list: Result<FirstList, StoreError>) {
        let mut contents = contents(self.lab, self.config);
        match list {
            Ok(list) => {
                contents.sessions = list.sessions;
                contents.unfinished = list.unfinished;
            }
            Err(error) => contents.problems.push(Problem::from(LabError::from(error)).to_string()),
        }
        self.answers.send(Answer::Home(Box::new(contents)));
    }

    fn more(&mut self, batch: SessionBatch) {
        self.answers.send(Answer::SessionsRead(Box::new(batch)));
    }
}

/// What home lists besides the sessions.
fn contents(lab: &Lab, config: &Config) -> HomeContents {
    let folders = config.folders();
    let mut problems = Vec::new();
    let prompts = lab.environments().iter().flat_map(|spec| {
        let entries = prompt_catalog(*spec, folders).entries();
        entries.into_iter().map(|entry| (spec.name().to_owned(), entry.name))
    });
    HomeContents {
        levels: known_names(lab, folders).levels,
        suites: suite_entries(config),
        prompts: prompts.collect(),
        models: models(lab, config, &mut problems),
        problems,
        ..HomeContents::default()
    }
}

/// The names of the models that can be chosen; what is wrong with their settings is added to the problems.
fn models(lab: &Lab, config: &Config, problems: &mut Vec<String>) -> Vec<String> {
    match model_facts(lab, config) {
        Ok(models) => models.into_iter().map(|facts| facts.name).collect(),
        Err(problem) => {
            problems.push(problem.to_string());
            Vec::new()
        }
    }
}

fn model_lines(lab: &Lab, config: &Config, name: &str) -> Result<Vec<String>, Problem> {
    let facts = model_facts(lab, config)?.into_iter().find(|facts| facts.name == name);
    let mut lines = facts.as_ref().map(ModelFacts::lines).unwrap_or_default();
    if facts.is_some_and(|facts| facts.kind != ModelKind::Simulated) {
        let name = shell_quote(name);
        lines.push(format!(
            "`mageyard doctor --model {name}` checks the key, the server and what the model supports."
        ));
    }
    Ok(lines)
}

/// The preview that is being made, which ends when another one is wanted.
#[derive(Default)]
pub(crate) struct Previewing(Option<JoinHandle<()>>);

impl Previewing {
    pub(crate) fn start(lab: Lab, config: Config, item: HomeItem, answers: Answers) -> Self {
        Self(Some(tokio::spawn(async move {
            let preview = match &item {
                HomeItem::Sweep(name) => {
                    let first = |preview| answers.send(Answer::Previewed(item.clone(), Ok(preview)));
                    preview_sweep(&lab, &config, name, first).await
                }
                _ => preview(&lab, &config, &item).await.map_err(Problem::from),
            };
            answers.send(Answer::Previewed(item, preview));
        })))
    }
}

impl Drop for Previewing {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

/// The episode of the first start, which ends when another page is shown.
#[derive(Default)]
pub(crate) struct Welcome(Option<JoinHandle<()>>);

impl Welcome {
    /// Plays the configured level with the configured agent, unrecorded, at a pace at which it can be read.
    pub(crate) fn start(lab: Lab, config: Config, answers: Answers) -> Self {
        Self(Some(tokio::spawn(async move {
            // Without it the page has its text and its keys.
            let _ = welcome(&lab, &config, &answers).await;
        })))
    }
}

impl Drop for Welcome {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

async fn welcome(lab: &Lab, config: &Config, answers: &Answers) -> Result<(), LabError> {
    let selected = select_level(lab, config.folders(), &config.settings().play.level)?;
    let head = new_head(lab, config, &selected, config.settings().play.seed)?;
    let driver = open_without_journal(lab, head, config)?;
    let mut controller = Controller::new(driver, selected.spec, None);
    loop {
        controller.half(&CancellationToken::new()).await.map_err(LabError::failed)?;
        let episode: Arc<Snapshot> = controller.snapshot(&config.store_folder()).into();
        let is_over = matches!(episode.run.waiting, Waiting::Ended(_));
        answers.send(Answer::Welcome(episode));
        if is_over {
            return Ok(());
        }
        tokio::time::sleep(WELCOME_PACE).await;
    }
}

async fn preview(lab: &Lab, config: &Config, item: &HomeItem) -> Result<HomePreview, LabError> {
    let store = Store::new(config.store_folder());
    match item {
        HomeItem::Level(reference) => level(lab, config, reference).await,
        HomeItem::Unfinished(name) | HomeItem::Session(name) => {
            let journals = store.find(name)?;
            let Some(journal) = journals.first() else { return Ok(HomePreview::default()) };
            let Session { snapshots, .. } = open_recorded(lab, journal, false, config).await?;
            let episode = snapshots.borrow().clone();
            let place = episode_folder(journal).0.display().to_string();
            Ok(HomePreview { episode: Some(episode), lines: vec![place], ..HomePreview::default() })
        }
        HomeItem::Suite(name) => {
            let entry = suite_entries(config).into_iter().find(|entry| entry.name == *name);
            Ok(lines(entry.into_iter().flat_map(|entry| entry.broken.into_iter().chain(entry.facts))))
        }
        HomeItem::Prompt(environment, name) => {
            let spec = known_environment(lab, environment)?;
            let catalog = prompt_catalog(spec, config.folders());
            let file = catalog.find(name)?;
            if let Some(entry) = catalog.entries().into_iter().find(|entry| entry.name == *name) {
                read_prompt(&catalog, &entry)?;
            }
            Ok(lines(file.text.lines().map(str::to_owned)))
        }
        HomeItem::Model(name) => Ok(lines(model_lines(lab, config, name)?)),
        HomeItem::Lesson(name) => {
            let lesson = Lesson::named(name)?;
            Ok(lines([lesson.summary().to_owned(), format!("{} parts", lesson.len())]))
        }
        HomeItem::Sweep(_) | HomeItem::Section(_) | HomeItem::Levels(_) | HomeItem::Prompts(_) => {
            Ok(HomePreview::default())
        }
    }
}

/// A sweep: `first` gets the states of its cells before any episode is read. Its results are read only if the selection stays
/// for a moment: on a thread that may wait for the disk they are read to the end.
async fn preview_sweep(
    lab: &Lab,
    config: &Config,
    name: &str,
    first: impl FnOnce(HomePreview),
) -> Result<HomePreview, Problem> {
    let shown = |sweep| HomePreview { sweep: Some(sweep), ..HomePreview::default() };
    let reading = tokio::task::block_in_place(|| SweepReading::begin(name, lab, config))?;
    first(shown(reading.first()));
    tokio::time::sleep(RESULTS_AFTER).await;
    let (lab, config) = (lab.clone(), config.clone());
    let read = tokio::task::spawn_blocking(move || reading.finish(&lab, &config)).await;
    read.unwrap_or_else(|_| Err(Problem::new("the results of the sweep cannot be read"))).map(shown)
}

fn lines(lines: impl IntoIterator<Item = String>) -> HomePreview {
    HomePreview { lines: lines.into_iter().collect(), ..HomePreview::default() }
}

/// The first frame of a level. Nothing is stored.
async fn level(lab: &Lab, config: &Config, reference: &str) -> Result<HomePreview, LabError> {
    let selected = select_level(lab, config.folders(), reference)?;
    let head = new_head(lab, config, &selected, config.settings().play.seed)?;
    let driver = open_without_journal(lab, head, config)?;
    let mut controller = Controller::new(driver, selected.spec, None);
    controller.half(&CancellationToken::new()).await.map_err(LabError::failed)?;
    let episode: Arc<Snapshot> = controller.snapshot(&config.store_folder()).into();
    Ok(HomePreview { episode: Some(episode), ..HomePreview::default() })
}
