//! A branch that begins with a reply of an ask: the reply, and the settings of the variant that it was given to.

use std::path::Path;

use super::ForkRequest;
use crate::{Lab, LabError, ModelAt, PickedAnswer};
use mageyard_config::{Config, Origin, Problem, SettingOverride};
use mageyard_engine::{PickedReply, RecordedAgent};

/// The request with the reply that it names, and the configuration with the settings of its variant. What a person gave
/// stays. `seated` decides at the step.
pub(crate) fn with_picked_reply(
    lab: &Lab,
    journal: &Path,
    request: &ForkRequest,
    seated: &RecordedAgent,
    config: &Config,
) -> Result<(ForkRequest, Config), LabError> {
    let Some(answer) = &request.answer else { return Ok((request.clone(), config.clone())) };
    let PickedAnswer { ask, prompt, am, om, model, reply } = (lab.answers)(journal, request.step, answer)?;
    let Some(reply) = reply else {
        return Err(Problem::new(format!("{answer}: the call has no reply")).into());
    };
    let from = format!("ask {ask}, variant {}, sample {}", answer.variant, answer.sample);
    let mut settings = vec![
        ("play.prompt".to_owned(), prompt),
        ("memory.am".to_owned(), am.to_string()),
        ("memory.om".to_owned(), om.to_string()),
    ];
    settings.extend(model_settings(lab, &model, seated));
    let mut request = ForkRequest { answer: None, ..request.clone() };
    settings.retain(|(name, _)| !request.given.contains(name));
    request.given.extend(settings.iter().map(|(name, _)| name.clone()));
    request.edits.reply = Some(PickedReply { reply, from });
    let set = |(name, value): &(String, String)| {
        SettingOverride::new(name, value, Origin::Flag("--answer".to_owned()))
    };
    Ok((request, config.with_overrides(&settings.iter().map(set).collect::<Vec<_>>())?))
}

/// The settings that seat a model, if it is not the one that decides.
fn model_settings(lab: &Lab, model: &ModelAt, seated: &RecordedAgent) -> Vec<(String, String)> {
    let Ok((row, settings)) = lab.agent_of_model(&model.name) else { return Vec::new() };
    let agent = (seated.name != row.name).then(|| ("play.agent".to_owned(), row.name.to_owned()));
    let is_other = agent.is_some() || seated.model.as_ref() != Some(&model.name);
    let name = is_other.then(|| (format!("{}.name", settings.table), model.name.clone()));
    let server = model.server.clone().map(|url| (format!("{}.base_url", settings.table), url));
    agent.into_iter().chain(name).chain(server).collect()
}
