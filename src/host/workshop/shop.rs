//! A prompt that is worked on: its saved text, the pinned states, and its versions.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::runtime::Handle;

use super::given::{Drafted, Words, pinned_suite, suite_name};
use crate::asking::Asker;
use mageyard_config::{Config, Problem, SourceFile};
use mageyard_dialog::{Prompt, Request, RequestDiff};
use mageyard_domain::EnvironmentSpec;
use mageyard_engine::Store;
use mageyard_lab::{
    LabError, ModelAt, PromptText, PromptVersionText, WrittenPrompt, delete_prompt, keep_prompt_version,
    known_environment, prompt_text, prompt_versions, save_prompt, step_reference,
};
use mageyard_screen::{FilledDraft, OpenedWorkshop, WorkshopPlace};
use mageyard_study::{
    AskedVersion, PinnedStates, Suite, SuiteStep, VersionTable, add_to_suite, remove_from_suite,
};

/// The most versions whose answers are looked up: the newest ones.
const MOST_ANSWERED: usize = 12;

/// A prompt that is worked on.
pub(super) struct Shop {
    spec: &'static dyn EnvironmentSpec,
    words: Words,
    suite: String,
    saved: PromptText,
    /// The saved text as a prompt; `None` if it is not valid.
    prompt: Option<Prompt>,
    states: Result<PinnedStates, Problem>,
    /// The requests of the saved text, by state.
    requests: BTreeMap<usize, Arc<Request>>,
    versions: Vec<Version>,
    samples: u32,
}

/// A version with what it sends in each state.
struct Version {
    text: PromptVersionText,
    /// `None` if the text is not valid any more.
    prompt: Option<Prompt>,
    asked: AskedVersion,
}

/// Something of the versions that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// Which answers are right in the state with this index.
    Judge(usize),
    /// What the version with this index sends in the state with this index.
    Variant(usize, usize),
}

fn block_on<T>(future: impl Future<Output = Result<T, LabError>>) -> Result<T, Problem> {
    Handle::current().block_on(future).map_err(Problem::from)
}

/// The opened states of a suite. Where no model has decided one of them, and none is named, all are asked with that of the
/// episode.
fn opened(
    asker: &Asker,
    suite: &Suite,
    words: &mut Words,
    model: Option<&String>,
) -> Result<PinnedStates, Problem> {
    let open = |words: &Words| {
        block_on(PinnedStates::open(&asker.lab, suite.clone(), &words.request, &words.config))
    };
    let states = open(words)?;
    let is_missing =
        words.request.models.is_empty() && states.listed().iter().any(|state| state.model.is_err());
    let Some(model) = model.filter(|_| is_missing) else { return Ok(states) };
    words.request.models = vec![ModelAt::named(model.clone())];
    open(words)
}

impl Shop {
    /// Opens a prompt. States that cannot be opened do not prevent that the text is edited.
    pub(super) fn open(asker: &Asker, place: &WorkshopPlace) -> Result<(Self, OpenedWorkshop), Problem> {
        let spec = known_environment(&asker.lab, &place.environment)?;
        let mut words = Words::read(asker, &place.words)?;
        let name = match words.request.prompts.as_slice() {
            [] => place.prompt.clone(),
            [name] => name.clone(),
            _ => return Err(Problem::new("the workshop edits one prompt at a time; name one")),
        };
        let saved = prompt_text(spec, words.config.folders(), &name)?;
        let pinned = pinned_suite(asker, place, &words.config);
        let is_own = pinned.as_ref().is_ok_and(|(_, is_own)| *is_own);
        let states = pinned.and_then(|(suite, _)| opened(asker, &suite, &mut words, place.model.as_ref()));
        let opened = OpenedWorkshop {
            text: saved.clone(),
            suite: suite_name(place),
            is_own,
            states: states.as_ref().map(PinnedStates::listed).map_err(Clone::clone),
        };
        let mut shop = Self {
            spec,
            suite: suite_name(place),
            prompt: Prompt::parse(&saved.text).ok(),
            samples: 1,
            words,
            saved,
            states,
            requests: BTreeMap::new(),
            versions: Vec::new(),
        };
        shop.read_versions(1)?;
        Ok((shop, opened))
    }

    fn config(&self) -> &Config {
        &self.words.config
    }

    /// A text as a prompt; a problem names its line.
    fn parse(&self, text: &str) -> Result<Prompt, Problem> {
        let path = PathBuf::from(format!("{}.md", self.saved.name));
        let file = SourceFile { path, text: text.into() };
        Prompt::parse(text).map_err(|error| file.problem_at(error.message, error.span))
    }

    /// The request of a draft in a state, compared with that of the saved text.
    pub(super) fn fill(&mut self, text: &str, state: usize) -> Result<FilledDraft, Problem> {
        let prompt = self.parse(text)?;
        let states = self.states.as_ref().map_err(Clone::clone)?;
        let missing = || Problem::new("there is no such state");
        let draft = states.request(state, &prompt).ok_or_else(missing)?;
        if let (Some(saved), false) = (&self.prompt, self.requests.contains_key(&state)) {
            self.requests.extend(states.request(state, saved).map(|saved| (state, saved.request)));
        }
        let saved = self.requests.get(&state).unwrap_or(&draft.request);
        let request = RequestDiff::of_requests(saved, &draft.request);
        Ok(FilledDraft { state, request, images: draft.images, needs: draft.needs })
    }

    /// What it takes to plan an ask of a draft.
    pub(super) fn drafted(&self, text: &str, samples: u32) -> Result<Drafted, Problem> {
        let prompt = self.parse(text)?;
        let states = self.states.as_ref().map_err(Clone::clone)?;
        let mut request = self.words.request.clone();
        request.samples = samples;
        request.prompts = vec![prompt.name.clone()];
        request.drafts = vec![prompt];
        let suite = states.suite().clone();
        Ok(Drafted { suite, request, at_once: self.words.at_once, config: self.config().clone() })
    }

    /// Keeps a draft as a version before it is asked.
    pub(super) fn keep(&self, asker: &Asker, text: &str) -> Result<(), Problem> {
        let folders = &asker.sources.folders;
        keep_prompt_version(folders, self.spec.name(), &self.saved.name, text).map(drop)
    }

    pub(super) fn save(&mut self, text: &str) -> Result<WrittenPrompt, Problem> {
        let folders = self.config().folders();
        let saved = save_prompt(self.spec, folders, text, Some(&self.saved.name))?;
        self.saved = prompt_text(self.spec, folders, &saved.prompt.name)?;
        self.prompt = Some(saved.prompt.clone());
        self.requests.clear();
        let options = self.config().settings().options(self.spec.name());
        let words = self.spec.capabilities().state_words(&options);
        Ok(WrittenPrompt { prompt: saved.prompt.with_state_words(&words), ..saved })
    }

    pub(super) fn delete(&self) -> Result<PathBuf, Problem> {
        delete_prompt(self.spec, self.config().folders(), &self.saved.name)
    }

    pub(super) fn pin(&self, asker: &Asker, journal: PathBuf, step: u32) -> Result<String, Problem> {
        let config = self.config();
        let address = step_reference(&Store::new(config.store_folder()).reference(&journal), step);
        let steps = [SuiteStep::named(journal, address, step, None)];
        block_on(add_to_suite(&asker.lab, &self.suite, None, &steps, config)).map(|added| added.summary())
    }

    pub(super) fn unpin(&self, index: usize) -> Result<String, Problem> {
        let left = remove_from_suite(&self.suite, index, self.config())?;
        let left = left.map_or(0, |suite| suite.states.len());
        let number = index + 1;
        Ok(format!("state {number} is not pinned any more; the suite {} has {left} states", self.suite))
    }

    /// Reads the versions and their answers again. What is known of requests stays.
    pub(super) fn read_versions(&mut self, samples: u32) -> Result<(), Problem> {
        self.samples = samples;
        let texts = prompt_versions(self.config().folders(), self.spec.name(), &self.saved.name)?;
        let states = match &mut self.states {
            Ok(states) => {
                states.read_again(samples).map_err(Problem::from)?;
                states.listed().len()
            }
            Err(_) => 0,
        };
        let mut known = std::mem::take(&mut self.versions);
        let version = |text: PromptVersionText| match known.iter().position(|known| known.text == text) {
            Some(index) => known.swap_remove(index),
            None => Version {
                prompt: Prompt::parse(&text.text).ok(),
                asked: AskedVersion { number: text.number, variants: vec![None; states] },
                text,
            },
        };
        self.versions = texts.into_iter().map(version).collect();
        Ok(())
    }

    /// The texts of the versions, and their answers as far as they are known.
    pub(super) fn versions(&self) -> (Vec<PromptVersionText>, VersionTable) {
        let texts = self.versions.iter().map(|version| version.text.clone()).collect();
        let asked: Vec<AskedVersion> = self.versions.iter().map(|version| version.asked.clone()).collect();
        let table = self.states.as_ref().map(|states| states.table(&asked)).unwrap_or_default();
        (texts, table)
    }

    /// What is not known yet, the newest version first.
    pub(super) fn lookups(&self) -> VecDeque<Lookup> {
        let Ok(states) = &self.states else { return VecDeque::new() };
        let states = states.listed().len();
        let versions = self.versions.iter().enumerate().rev().take(MOST_ANSWERED);
        let unknown =
            versions.filter(|(_, version)| version.prompt.is_some()).flat_map(|(index, version)| {
                let variants = version.asked.variants.iter().enumerate();
                variants
                    .filter(|(_, known)| known.is_none())
                    .map(move |(state, _)| Lookup::Variant(index, state))
            });
        let judged = (0..states).filter(|_| !self.versions.is_empty()).map(Lookup::Judge);
        unknown.chain(judged).collect()
    }

    /// Finds something out.
    pub(super) fn look_up(&mut self, lookup: Lookup, asker: &Asker) -> Result<(), Problem> {
        let Ok(states) = &mut self.states else { return Ok(()) };
        match lookup {
            Lookup::Judge(index) => block_on(states.judge(index, &asker.lab, &self.words.config)),
            Lookup::Variant(version, state) => {
                let Some(version) = self.versions.get_mut(version) else { return Ok(()) };
                if let (Some(prompt), Some(place)) = (&version.prompt, version.asked.variants.get_mut(state))
                {
                    *place = states.variant(state, prompt);
                }
                Ok(())
            }
        }
    }
}
