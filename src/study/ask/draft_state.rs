//! A state on which texts of a prompt are tried before they are asked: the request that a text makes there, what it needs, and the
//! replies that are stored for it. Nothing is sent or written.

use std::path::Path;
use std::sync::Arc;

use super::agents::AskedModel;
use super::answer_judge::AnswerJudge;
use super::changed_request::{changes_of, composed};
use super::changes::Changes;
use super::estimate::call_needs;
use super::folder::{StoredAsk, stored_asks};
use super::plan::refuse_other_settings;
use super::prepare::Choice;
use super::record::{AskCall, AskRecord, SCHEMA, Variant};
use super::request::AskRequest;
use super::reuse::same_replies;
use super::state::{FrozenState, frozen_state};
use super::variants::windows;
use crate::ask::{action_verdicts, asked_models};
use crate::{ActionVerdicts, JudgedState, OpenedState, Suite};
use mageyard_config::{Config, Problem};
use mageyard_dialog::{Prompt, Request};
use mageyard_domain::{Digest, Message, PartId, Picture, Prices, RequestEncoder, Window};
use mageyard_lab::{Lab, LabError, Needs};

/// A state with the model that is asked there.
pub(crate) struct DraftState {
    state: FrozenState,
    window: Window,
    changes: Changes,
    /// The model with what encodes its requests, or why none is known.
    model: Result<(AskedModel, Arc<dyn RequestEncoder>), Problem>,
    /// What stored replies are compared by.
    record: AskRecord,
    stored: Vec<StoredAsk>,
}

/// The request that a text of a prompt makes in a state.
#[derive(Clone, Debug)]
pub struct DraftRequest {
    /// The request.
    pub request: Arc<Request>,
    /// What one call needs, or why no model is known.
    pub needs: Result<Needs, Problem>,
    /// The images, in order.
    pub images: Vec<DraftImage>,
}

/// An image of a request that is not sent.
#[derive(Clone, Debug)]
pub struct DraftImage {
    /// The step and the index in it.
    pub part: PartId,
    /// The picture.
    pub picture: Arc<Picture>,
    /// The width and height in pixels as it would be sent.
    pub size: (u32, u32),
}

impl DraftState {
    /// The state at a step of a recording, for what is asked there: at most one model, AM and OM.
    pub(crate) async fn open(
        lab: &Lab,
        (journal, step): (&Path, u32),
        request: &AskRequest,
        config: &Config,
    ) -> Result<Self, LabError> {
        refuse_other_settings(&request.given)?;
        let state = frozen_state(lab, journal, step, &request.given, config).await?;
        let window = only_window(request, &state)?;
        let changes = only_changes(request, &state)?;
        let model = asked_models(lab, &request.models, &state, &request.given, config).and_then(encoding);
        let rules = serde_json::to_vec(&state.head.rules).map_err(LabError::failed)?;
        let record = AskRecord {
            schema: SCHEMA,
            step,
            state: state.step.state,
            setting: state.head.setting,
            reader: state.head.rules.to_string(),
            reader_rules: Digest::of(&rules),
            samples: request.samples,
            seed: request.seed,
            target: None,
            from_text: None,
            variants: Vec::new(),
            struck: Vec::new(),
            taken: state.taken.as_ref().and_then(|step| step.action.as_ref()).map(ToString::to_string),
            oracle: Err(String::new()),
            journal: (0, Digest::of(&[])),
            verdicts: None,
        };
        let stored = stored_asks(journal, step)?;
        Ok(Self { state, window, changes, model, record, stored })
    }

    /// Reads what is stored by now.
    pub(crate) fn read_again(&mut self) -> Result<(), LabError> {
        self.stored = stored_asks(&self.state.journal, self.record.step)?;
        Ok(())
    }

    /// The number of samples that count.
    pub(crate) fn set_samples(&mut self, samples: u32) {
        self.record.samples = samples;
    }

    /// The prompt of the step.
    pub(crate) fn prompt_name(&self) -> &str {
        &self.state.head.prompt
    }

    /// The model, or why none is known.
    pub(crate) fn model_name(&self) -> Result<&str, &Problem> {
        self.model.as_ref().map(|(model, _)| model.model())
    }

    /// The request that a prompt makes here.
    pub(crate) fn request(&self, prompt: &Prompt, prices: &Prices) -> DraftRequest {
        let prompt = self.state.with_words(prompt);
        let composed = match &self.model {
            Ok((model, encoder)) => {
                self.choice(&prompt, model).compose(&self.state, encoder.asks_for_caching())
            }
            Err(_) => composed(&self.state, (&prompt, self.window), false, None, &self.changes),
        };
        let needs = match (&self.model, &composed) {
            (Err(problem), _) => Err(problem.clone()),
            (_, Err(why)) => Err(Problem::new(why.clone())),
            (Ok((model, encoder)), Ok(request)) => {
                Ok(call_needs(&self.state, request, (model, encoder.as_ref()), prices, 1))
            }
        };
        let request = composed.unwrap_or_default();
        let size = |painted| self.model.as_ref().map_or(painted, |(_, encoder)| encoder.scaled_size(painted));
        let image = |(part, picture): (PartId, &Arc<Picture>)| DraftImage {
            part,
            picture: picture.clone(),
            size: size((picture.width(), picture.height())),
        };
        let images = request.messages.iter().flat_map(Message::images).map(image).collect();
        DraftRequest { request: request.into(), needs, images }
    }

    /// The variant that a prompt is here, with the digest of its request, or why it is not possible.
    pub(crate) fn variant(&self, prompt: &Prompt) -> Result<Variant, Problem> {
        let (model, encoder) = self.model.as_ref().map_err(Clone::clone)?;
        let prompt = self.state.with_words(prompt);
        let choice = self.choice(&prompt, model);
        let prepared = choice.prepare_with(&self.state, encoder.clone()).map_err(Problem::new)?;
        Ok(choice.variant(&prepared, &[]))
    }

    /// The replies that are stored for a variant, at most as many as samples count.
    pub(crate) fn replies(&self, variant: &Variant) -> Vec<AskCall> {
        let mut replies = same_replies(&self.stored, &self.record, variant);
        replies.retain(|call| call.sample <= self.record.samples);
        replies
    }

    /// What each action leads to, from an ask that judged it, or judged now.
    pub(crate) async fn verdicts(
        &self,
        lab: &Lab,
        config: &Config,
    ) -> Result<Option<ActionVerdicts>, LabError> {
        match self.stored.iter().find_map(|ask| ask.record.verdicts.clone()) {
            Some(verdicts) => Ok(Some(verdicts)),
            None => action_verdicts(lab, &self.state, config).await,
        }
    }

    /// The state as the state of a suite with this index, with its accepted answers.
    pub(crate) fn judged(
        &self,
        suite: (&Suite, usize),
        opened: (&OpenedState, &str),
        verdicts: Option<ActionVerdicts>,
    ) -> Result<JudgedState, Problem> {
        let read = |action: &str| {
            let parsed = self.state.step.space.parse_line(action);
            parsed.map(|action| action.to_string()).map_err(|error| error.to_string())
        };
        let judge = AnswerJudge::of(&self.state);
        JudgedState::new(suite, opened, (verdicts, self.record.taken.as_ref()), judge, &read)
    }

    fn choice<'a>(&'a self, prompt: &'a Prompt, model: &'a AskedModel) -> Choice<'a> {
        Choice { prompt, window: self.window, model, left_out: None, from_text: None, changes: &self.changes }
    }
}

fn encoding(models: Vec<AskedModel>) -> Result<(AskedModel, Arc<dyn RequestEncoder>), Problem> {
    let mut models = models.into_iter();
    let one = models.next().filter(|_| models.next().is_none());
    let model = one.ok_or_else(|| Problem::new("versions of a prompt are compared with one model"))?;
    let invalid = || Problem::new("the settings of the model are not valid");
    let encoder = model.encoder().ok_or_else(invalid)?;
    Ok((model, encoder))
}

/// The window of what is asked; several cannot be compared here.
fn only_window(request: &AskRequest, state: &FrozenState) -> Result<Window, Problem> {
    let (possible, struck) = windows(&request.am, &request.om, state);
    match (possible.as_slice(), struck.first()) {
        ([window], None) => Ok(*window),
        (_, Some(struck)) => Err(Problem::new(struck.why.clone())),
        _ => Err(Problem::new("versions of a prompt are compared with one memory window")
            .with_help("write one value of am and one of om")),
    }
}

/// The view and the keep rules of what is asked; several cannot be compared here.
fn only_changes(request: &AskRequest, state: &FrozenState) -> Result<Changes, Problem> {
    match <[Changes; 1]>::try_from(changes_of(request, state)?) {
        Ok([changes]) => Ok(changes),
        Err(_) => {
            Err(Problem::new("versions of a prompt are compared in one view, with the same keep rules")
                .with_help("name one view and one set of keep rules"))
        }
    }
}
