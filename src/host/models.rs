//! The dialog of models: what the lab knows of them, for the screen. Checks are told as they come.

use std::time::Duration;

use tokio::task::JoinHandle;

use mageyard_config::{Config, Origin, Problem, SettingOverride, Sources};
use mageyard_lab::{
    CheckOutcome, Lab, LocalServer, ModelCheck, ModelFacts, check_model, find_local_servers, model_facts,
    save_profile, served_models,
};
use mageyard_screen::{
    Answer, Answers, CheckEntry, CheckState, ModelAnswer, ModelEntry, ModelOrder, ModelTarget, ServerEntry,
    SuggestedValue,
};

/// How long a server may take to list its models.
const WAIT: Duration = Duration::from_secs(5);

/// The checks that are being made, which end when others are wanted or the dialog closes.
#[derive(Default)]
pub(crate) struct ModelTasks(Option<JoinHandle<()>>);

impl ModelTasks {
    /// Carries out an order beside the screen.
    pub(crate) fn take(&mut self, order: ModelOrder, lab: Lab, sources: Sources, answers: Answers) {
        match order {
            ModelOrder::StopChecks => self.stop(),
            ModelOrder::Check(target) => {
                self.stop();
                self.0 = Some(tokio::spawn(check(lab, sources, target, answers)));
            }
            ModelOrder::List => {
                let listed = tokio::task::block_in_place(|| list(&lab, &sources));
                answers.send(Answer::Model(ModelAnswer::Listed(listed)));
            }
            ModelOrder::Find => {
                tokio::spawn(async move {
                    let found = find_local_servers(&lab).await;
                    let found = found.map(|servers| servers.into_iter().map(server).collect());
                    answers.send(Answer::Model(ModelAnswer::Found(found)));
                });
            }
            ModelOrder::AskServer(url) => {
                tokio::spawn(async move {
                    let found = ask_server(&lab, &sources, url).await;
                    answers.send(Answer::Model(ModelAnswer::Found(found)));
                });
            }
            ModelOrder::Save { profile, url, model } => {
                let target = ModelTarget::Served { url, model };
                let saved = tokio::task::block_in_place(|| save(&lab, &sources, &profile, &target));
                answers.send(Answer::Model(ModelAnswer::Saved(saved.map(|()| profile))));
            }
        }
    }

    fn stop(&mut self) {
        if let Some(task) = self.0.take() {
            task.abort();
        }
    }
}

impl Drop for ModelTasks {
    fn drop(&mut self) {
        self.stop();
    }
}

fn list(lab: &Lab, sources: &Sources) -> Result<Vec<ModelEntry>, Problem> {
    let models = model_facts(lab, &sources.read()?)?;
    models.into_iter().map(|facts| entry(lab, &facts)).collect()
}

fn entry(lab: &Lab, facts: &ModelFacts) -> Result<ModelEntry, Problem> {
    let agent = lab.agent_of_model(&facts.name)?.0.name;
    Ok(ModelEntry {
        name: facts.name.clone(),
        seat: format!("{agent}:{}", facts.name),
        kind: facts.kind.name().to_owned(),
        facts: facts.lines(),
    })
}

fn server(found: LocalServer) -> ServerEntry {
    let LocalServer { url, program, models } = found;
    ServerEntry { url, program, models }
}

/// The settings with this model, of this server.
fn with_target(sources: &Sources, target: &ModelTarget) -> Result<Config, Problem> {
    let set =
        |setting: &str, value: &str| SettingOverride::new(setting, value, Origin::Flag("screen".to_owned()));
    let mut sources = sources.clone();
    match target {
        ModelTarget::Named(name) => sources.overrides.push(set("model.name", name)),
        ModelTarget::Served { url, model } => {
            sources.overrides.extend([set("model.name", model), set("model.base_url", url)]);
        }
    }
    sources.read()
}

async fn ask_server(lab: &Lab, sources: &Sources, url: String) -> Result<Vec<ServerEntry>, Problem> {
    let target = ModelTarget::Served { url: url.clone(), model: String::new() };
    let config = with_target(sources, &target)?;
    let models = served_models(lab, &config, WAIT).await.map_err(|problem| problem.to_string());
    Ok(vec![ServerEntry { url, program: String::new(), models }])
}

async fn check(lab: Lab, sources: Sources, target: ModelTarget, answers: Answers) {
    match with_target(&sources, &target) {
        Ok(config) => {
            let seed = config.settings().play.seed;
            let mut tell =
                |check: &ModelCheck| answers.send(Answer::Model(ModelAnswer::Checked(check_entry(check))));
            check_model(&lab, &config, seed, &mut tell).await;
        }
        Err(problem) => {
            let failed = CheckEntry {
                name: "settings".to_owned(),
                state: CheckState::Failed,
                evidence: problem.to_string(),
                advice: None,
                setting: None,
            };
            answers.send(Answer::Model(ModelAnswer::Checked(failed)));
        }
    }
    answers.send(Answer::Model(ModelAnswer::ChecksEnded));
}

fn check_entry(check: &ModelCheck) -> CheckEntry {
    let state = match check.outcome {
        CheckOutcome::Passed => CheckState::Passed,
        CheckOutcome::Failed => CheckState::Failed,
        CheckOutcome::Unknown => CheckState::Unknown,
    };
    CheckEntry {
        name: check.name.clone(),
        state,
        evidence: check.evidence.clone(),
        advice: check.advice.clone(),
        setting: check.setting.as_ref().map(|setting| SuggestedValue {
            name: setting.name.to_owned(),
            value: setting.value.as_str().map_or_else(|| setting.value.to_string(), str::to_owned),
        }),
    }
}

/// Saves a model as a profile in the user's settings file. An existing one is not replaced.
fn save(lab: &Lab, sources: &Sources, profile: &str, target: &ModelTarget) -> Result<(), Problem> {
    let config = with_target(sources, target)?;
    let own = || config.folders().user_file();
    let file = sources.user_file_override.clone().unwrap_or_else(own);
    save_profile(lab, &config, &file, profile, false).map(|_| ())
}
