//! The sizes of the requests of an episode: the first request as it would be sent, and later ones with the memory window
//! filled by replies of a given length.

use super::super::start::remove_start;
use mageyard_lab::{new_head, prompts_of, request_encoder};
use std::sync::Arc;

use mageyard_config::{Config, Problem};
use mageyard_dialog::{
    CurrentStep, Keep, PastStep, Prompt, PromptImages, RequestLayout, RequestSpec, SidePrompt,
    VariableValues, compose, compose_side,
};
use mageyard_domain::{
    ActionSpace, AnswerForm, EnvironmentContext, EnvironmentError, MessagePart, Observation, Opening,
    Question, Recovery, ReplyFormat, RequestEncoder, Segment, ShownPart, SideRole, Status, estimate_tokens,
};
use mageyard_engine::Head;
use mageyard_lab::{Lab, SelectedLevel, create_environment, reply_format, request_tokens};

/// The size in pixels that is assumed of an image that was not seen.
const UNSEEN_SIZE: (u32, u32) = (1920, 1080);

/// The tokens that are assumed of each value of a question of an environment.
const ASSUMED_VALUE: u64 = 100;

/// Composes requests of an episode.
pub(super) struct RequestSizes {
    head: Head,
    prompt: Prompt,
    form: ReplyFormat,
    opening: Opening,
    /// A state after the first one, which may have fewer images.
    later: Observation,
    encoder: Arc<dyn RequestEncoder>,
    /// Whether the first state is that of the environment. A live one is not opened for a plan.
    pub(super) is_observed: bool,
}

/// The size of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RequestSize {
    pub(super) tokens: u64,
    pub(super) images: u64,
}

/// The requests of an episode of this level; `None` if the agent sends none.
pub(super) async fn request_sizes(
    lab: &Lab,
    config: &Config,
    level: &SelectedLevel,
) -> Result<Option<RequestSizes>, Problem> {
    let mut head = new_head(lab, config, level, config.settings().play.seed)?;
    remove_start(level.spec, &mut head.options);
    let Some(encoder) = request_encoder(lab, &head) else { return Ok(None) };
    let all = prompts_of(lab, level.spec, config.folders(), &head.options)?;
    let prompt = all.iter().find(|prompt| prompt.name == head.prompt).cloned();
    let Some(prompt) = prompt else { return Ok(None) };
    let form = head.rules.reply_format(&reply_format(level.spec, &head)?);
    let observed = first_states(&head, config, level).await?;
    let is_observed = observed.is_some();
    let (opening, later) = observed.unwrap_or_else(|| {
        let opening = unseen(level);
        let later = opening.observation.clone();
        (opening, later)
    });
    Ok(Some(RequestSizes { head, prompt, form, opening, later, encoder, is_observed }))
}

/// The state in which a level begins, and the one after its first action; `None` for a live environment.
async fn first_states(
    head: &Head,
    config: &Config,
    level: &SelectedLevel,
) -> Result<Option<(Opening, Observation)>, Problem> {
    let mut environment = create_environment(level.spec, &level.level, &head.options, head.seed)
        .map_err(|(name, why)| config.problem_with(&name, why))?;
    if environment.recovery() != Recovery::Replay {
        return Ok(None);
    }
    let context = EnvironmentContext::default();
    let failed = |error: EnvironmentError| Problem::new(format!("{}: {error}", level.reference));
    let opening = environment.open(&context).await.map_err(failed)?;
    let later = match opening.space.specs().first() {
        Some(spec) if opening.status == Status::Running => {
            environment.act(&spec.example(), &context).await.map_err(failed)?.observation
        }
        _ => opening.observation.clone(),
    };
    environment.close().await;
    Ok(Some((opening, later)))
}

/// A state without any content, of which only the words around it are known.
fn unseen(level: &SelectedLevel) -> Opening {
    let constant = level.spec.capabilities().presentation.constant_space;
    let space = constant.map_or_else(|| ActionSpace::from(Vec::new()), |space| space());
    Opening {
        observation: Observation::from_parts(Vec::new(), "", ()),
        space,
        status: Status::Running,
        points: 0.0,
    }
}

/// A text of so many tokens.
fn text_of(tokens: u64) -> Arc<str> {
    "word".repeat(usize::try_from(tokens).unwrap_or(usize::MAX).min(1 << 20)).into()
}

impl RequestSizes {
    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    /// The tokens of the shortest reply: the words around an action.
    pub(super) fn shortest_reply(&self) -> u64 {
        estimate_tokens(self.form.write("", &[], &self.opening.space).chars().count(), []).max(1)
    }

    /// The size of a request after so many steps, with replies of so many tokens in its memory, and after so many
    /// unreadable replies at the step, and with so many tokens that a module says before each decision. `unseen` is the number of images of a state that is not observed, and
    /// `keep` which older ones stay.
    pub(super) fn size(
        &self,
        past: usize,
        unreadable: usize,
        (reply_tokens, reflection_tokens): (u64, u64),
        unseen: usize,
        keep: Keep,
    ) -> RequestSize {
        let reply = text_of(reply_tokens);
        let reflection = (reflection_tokens > 0).then(|| text_of(reflection_tokens));
        let step = |index| PastStep {
            rewarded: false,
            skipped: false,
            problem: None,
            reflection: reflection.clone().filter(|_| index > 0),
            observation: self.observation(index).clone(),
            output: Some(reply.clone()),
        };
        let past: Vec<PastStep> = (0..past).map(step).collect();
        let number = u32::try_from(past.len()).unwrap_or(u32::MAX).saturating_add(1);
        let spec = RequestSpec {
            prompt: &self.prompt,
            setting: self.head.setting,
            reply_format: &self.form,
            window: self.head.window,
            layout: RequestLayout { keep, ..self.head.layout },
            counts_stable: false,
            left_out: None,
        };
        let current = CurrentStep {
            problem: None,
            reflection: reflection.as_ref().filter(|_| number > 1),
            hint: None,
            number,
            observation: self.observation(past.len()),
            action_space: &self.opening.space,
            unreadable_replies: &vec![reply.clone(); unreadable],
            partial_reply: None,
            steps_left: self.head.max_steps.saturating_sub(number - 1),
        };
        let request = compose(&spec, &past, &current);
        let unseen = if self.is_observed || self.prompt.images == PromptImages::None { 0 } else { unseen };
        let unseen = vec![self.encoder.scaled_size(UNSEEN_SIZE); unseen];
        self.measure(request.messages.iter().flat_map(|message| &message.parts), unseen)
    }

    /// The size of a side request before anything was done, encoded for the model of its role. The values of a question of an
    /// environment are assumed.
    pub(super) fn side_size(
        &self,
        role: SideRole,
        prompt: &SidePrompt,
        encoder: &dyn RequestEncoder,
        unseen: usize,
    ) -> RequestSize {
        let as_text = self.prompt.images == PromptImages::None || self.later.parts().is_empty();
        let values = VariableValues {
            action_space: &self.opening.space,
            reply_format: &self.form,
            steps_left: self.head.max_steps,
            exact_words: self.head.layout.exact_words,
        };
        let value = |name: &str| match name {
            "task" => self.prompt.fill(Segment::Task, self.head.setting, &values).to_string(),
            "state" if as_text => self.later.text().to_string(),
            "state" | "trace" => String::new(),
            _ => text_of(ASSUMED_VALUE).to_string(),
        };
        let shows = role.is_module() && !as_text;
        let parts = if shows { u16::try_from(self.later.parts().len()).unwrap_or(u16::MAX) } else { 0 };
        let question = Question {
            role,
            form: AnswerForm::Assessment,
            values: role.variables().iter().map(|(name, _)| ((*name).to_owned(), value(name))).collect(),
            shown: (0..parts).map(|index| ShownPart { back: 0, index }).collect(),
        };
        let composed = compose_side(prompt, &question, &[(1, &self.later)], self.head.layout.system_role);
        let messages = composed.map(|request| request.messages).unwrap_or_default();
        let is_unseen = role.is_module() && !self.is_observed && self.prompt.images != PromptImages::None;
        let unseen = vec![encoder.scaled_size(UNSEEN_SIZE); if is_unseen { unseen } else { 0 }];
        let parts = messages.iter().flat_map(|message| &message.parts);
        let (tokens, images) = request_tokens(encoder, parts, unseen);
        RequestSize { tokens, images }
    }

    /// The observation after so many steps.
    fn observation(&self, past: usize) -> &Observation {
        if past == 0 { &self.opening.observation } else { &self.later }
    }

    fn measure<'a>(
        &self,
        parts: impl Iterator<Item = &'a MessagePart>,
        images: Vec<(u32, u32)>,
    ) -> RequestSize {
        let (tokens, images) = request_tokens(self.encoder.as_ref(), parts, images);
        RequestSize { tokens, images }
    }
}
