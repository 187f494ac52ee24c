//! Composes and encodes the requests that are compared: the product of prompts, windows and models, or one of them without
//! one part after the other.

use crate::ask::asked_models;
use std::sync::Arc;

use super::agents::AskedModel;
use super::changed_request::{changes_of, composed};
use super::changes::Changes;
use super::record::{StruckVariant, Variant};
use super::request::AskRequest;
use super::state::FrozenState;
use super::variants::{chosen_prompts, distinct, windows};
use mageyard_config::{Config, Problem};
use mageyard_dialog::{LeftOut, PartSort, Prompt, Request};
use mageyard_domain::{Digest, RequestEncoder, SentRequest, Window};
use mageyard_lab::Lab;

/// The request of a variant.
pub(super) struct PreparedVariant {
    pub(super) request: Arc<Request>,
    pub(super) model: AskedModel,
    pub(super) encoder: Arc<dyn RequestEncoder>,
    /// The request as it is sent, without a seed.
    pub(super) sent: SentRequest,
}

/// The requests of all variants that are possible, and those that are not.
#[derive(Default)]
pub(super) struct PreparedVariants {
    pub(super) requests: Vec<PreparedVariant>,
    /// One for each request.
    pub(super) variants: Vec<Variant>,
    pub(super) struck: Vec<StruckVariant>,
}

/// What a request is composed from, besides the state.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    pub(super) prompt: &'a Prompt,
    pub(super) window: Window,
    pub(super) model: &'a AskedModel,
    pub(super) left_out: Option<LeftOut>,
    /// The text that the answer begins with.
    pub(super) from_text: Option<&'a str>,
    pub(super) changes: &'a Changes,
}

/// The requests of all variants.
pub(super) fn prepared_variants(
    lab: &Lab,
    request: &AskRequest,
    state: &FrozenState,
    config: &Config,
) -> Result<PreparedVariants, Problem> {
    let prompts = chosen_prompts(&request.prompts, state)?;
    let (windows, struck) = windows(&request.am, &request.om, state);
    let mut models = asked_models(lab, &request.models, state, &request.given, config)?;
    if request.from_text.is_some() {
        models.iter_mut().try_for_each(AskedModel::continue_answers)?;
    }
    let from_text = request.from_text.as_deref();
    let mut all = PreparedVariants { struck, ..PreparedVariants::default() };
    let changes = changes_of(request, state)?;
    let mut choices = Vec::new();
    for prompt in prompts {
        for changes in &changes {
            for window in &windows {
                for model in &models {
                    choices.push(Choice {
                        prompt,
                        window: *window,
                        model,
                        left_out: None,
                        from_text,
                        changes,
                    });
                }
            }
        }
    }
    if !request.leave_out.is_empty() && choices.len() + all.struck.len() > 1 {
        return Err(several_requests());
    }
    for choice in &choices {
        all.add(*choice, state);
    }
    match (all.struck.first(), choices.first()) {
        (Some(first), _) if all.variants.is_empty() => {
            let problem = Problem::new(format!("no variant is possible: {}", first.why));
            return Err(problem.with_help("choose other values of --am and --om"));
        }
        (_, Some(complete)) => all.add_without(request, *complete, state)?,
        _ => {}
    }
    all.prove_questions(state.step.number)?;
    Ok(all)
}

impl PreparedVariants {
    /// Adds a variant, or says why it is not possible.
    fn add(&mut self, choice: Choice<'_>, state: &FrozenState) {
        match choice.prepare(state) {
            Ok(prepared) => {
                self.variants.push(choice.variant(&prepared, &self.variants));
                self.requests.push(prepared);
            }
            Err(why) => self.struck.push(StruckVariant {
                prompt: Some(choice.prompt.name.clone()),
                am: choice.window.am(),
                om: choice.window.om(),
                model: Some(choice.model.name.clone()),
                left_out: choice.left_out,
                changes: choice.changes.clone(),
                why,
            }),
        }
    }

    /// Adds the complete request without each of its parts of the wanted sorts.
    fn add_without(
        &mut self,
        wanted: &AskRequest,
        complete: Choice<'_>,
        state: &FrozenState,
    ) -> Result<(), Problem> {
        let Some(request) = self.requests.first().map(|prepared| prepared.request.clone()) else {
            return Ok(());
        };
        let mut missing = None;
        let mut count = 0;
        for sort in distinct(&wanted.leave_out) {
            let parts = request.parts_of(sort);
            if parts.is_empty() {
                missing = missing.or(Some(sort));
            }
            count += parts.len();
            for part in parts {
                self.add(Choice { left_out: Some(part), ..complete }, state);
            }
        }
        match missing.filter(|_| count == 0 || !wanted.leaves_out_what_is_there) {
            Some(sort) => Err(nothing_to_leave_out(sort, state)),
            None => Ok(()),
        }
    }
}

impl PreparedVariants {
    /// Checks that questions show the images that the request of the agent shows of the present state, to the byte.
    fn prove_questions(&self, step: u32) -> Result<(), Problem> {
        let images = |index: usize| -> Vec<(u16, Digest)> {
            let frames = self.requests.get(index).map(|one| one.sent.frames.as_slice()).unwrap_or_default();
            let of_step = frames.iter().filter(|frame| frame.part.step == step);
            of_step.map(|frame| (frame.part.index, frame.blob.digest)).collect()
        };
        let all = || self.variants.iter().enumerate();
        for (index, question) in all().filter(|(_, one)| one.changes.probe.is_some()) {
            let is_own = |one: &Variant| {
                let changes = Changes { probe: None, ..question.changes.clone() };
                one.changes == changes && (&one.model, &one.prompt) == (&question.model, &question.prompt)
            };
            let own = all().find(|(_, one)| is_own(one));
            if own.is_some_and(|(own, _)| images(own) != images(index)) {
                let what =
                    format!("{}: its images are not those of the request of the agent", question.changes);
                return Err(Problem::new(what));
            }
        }
        Ok(())
    }
}

impl Choice<'_> {
    /// Composes the request and encodes it, or says why that is not possible.
    fn prepare(self, state: &FrozenState) -> Result<PreparedVariant, String> {
        let encoder = self.model.encoder().ok_or("the settings of the model are not valid")?;
        self.prepare_with(state, encoder)
    }

    /// The request without its encoding.
    pub(super) fn compose(self, state: &FrozenState, counts_stable: bool) -> Result<Request, String> {
        let Self { prompt, window, left_out, from_text, changes, .. } = self;
        let request = composed(state, (prompt, window), counts_stable, left_out, changes)?;
        Ok(match from_text {
            Some(text) => request.with_answer_start(text),
            None => request,
        })
    }

    pub(super) fn prepare_with(
        self,
        state: &FrozenState,
        encoder: Arc<dyn RequestEncoder>,
    ) -> Result<PreparedVariant, String> {
        let Self { model, left_out, .. } = self;
        let request = self.compose(state, encoder.asks_for_caching())?;
        if left_out.is_some() && request.messages.iter().any(|message| message.parts.is_empty()) {
            return Err("a turn of the request would be empty without it".to_owned());
        }
        let sent = encoder.encode(&request.messages, request.stable).map_err(|error| error.to_string())?;
        refuse_many_images(&sent, model)?;
        Ok(PreparedVariant { request: request.into(), model: model.clone(), encoder, sent })
    }

    pub(super) fn variant(self, prepared: &PreparedVariant, earlier: &[Variant]) -> Variant {
        let request = turns_digest(&prepared.sent);
        let AskedModel { row, name, of_profile, options, settings } = &prepared.model;
        let is_same =
            |other: &Variant| other.request == request && other.model == *name && other.settings == *settings;
        Variant {
            prompt: self.prompt.name.clone(),
            am: self.window.am(),
            om: self.window.om(),
            model: name.clone(),
            of_profile: of_profile.clone(),
            left_out: self.left_out,
            changes: self.changes.clone(),
            request,
            settings: *settings,
            seeded: row.requests.is_some_and(|requests| (requests.seeded)(options, 0).is_some()),
            same_as: earlier.iter().position(is_same),
        }
    }
}

fn refuse_many_images(sent: &SentRequest, model: &AskedModel) -> Result<(), String> {
    let limits = model.row.requests.map(|requests| (requests.limits)(&model.options));
    let most = limits.and_then(Result::ok).and_then(|limits| limits.images);
    match most.filter(|most| sent.images > *most) {
        None => Ok(()),
        Some(most) => {
            let images = sent.images;
            Err(format!("it has {images} images and the server accepts {most} (model.images_most); lower OM"))
        }
    }
}

/// The digest of the turns of a request: everything but its parameters.
pub(super) fn turns_digest(sent: &SentRequest) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for turn in &sent.turns {
        hasher.update(&turn.digest().digits());
    }
    Digest::from(&hasher)
}

fn several_requests() -> Problem {
    Problem::new("--leave-out compares one request with itself, and several are named")
        .with_help("name at most one prompt, one AM, one OM and one model")
}

fn nothing_to_leave_out(sort: PartSort, state: &FrozenState) -> Problem {
    let step = state.step.number;
    let name = sort.name();
    Problem::new(format!("--leave-out {name}: the request of step {step} has no {name}")).with_help(format!(
        "leave out another sort (one of {}), or name a step or a window that has some",
        PartSort::ALL.map(PartSort::name).join(", ")
    ))
}
