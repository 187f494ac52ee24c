//! `models`: the models that can be chosen by name, those that servers have, and profiles of models. `doctor --model` checks
//! one.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::exit::{Exit, Failure};
use super::output::Output;
use super::records::Record;
use super::runtime::single_thread_runtime;
use mageyard_config::{Origin, SettingOverride};
use mageyard_domain::{Price, Rate};
use mageyard_lab::{
    LOCAL_SERVERS, LocalServer, ModelFacts, ModelKind, SavedProfile, find_local_servers, model_facts,
    save_profile, served_models,
};

/// List models and profiles, find servers, save a profile
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// List the models that --model can name: profiles, configured, simulated
    List(ListArgs),
    /// List the models of a server, or look for servers on this machine
    #[command(
        after_long_help = "Without a URL, the usual ports of model servers on this machine are asked (127.0.0.1 only, \
        about a second): Ollama, vLLM, llama.cpp, LM Studio and others. No key is sent to them."
    )]
    Find(FindArgs),
    /// Save the settings of a model as a profile in your settings file
    #[command(
        after_long_help = "Saves the settings of [model] that are not at their defaults, from flags, variables, files and \
        the profile that --model names. Keys are never saved, only the names of their variables. Check the model first: \
        mageyard doctor --model NAME."
    )]
    Save(SaveArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct FindArgs {
    /// Base URL of a server, including /v1 [default: the usual ports of this machine]
    url: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct SaveArgs {
    /// Name of the profile, for --model
    #[arg(value_name = "NAME")]
    profile: String,
    /// Replace a profile of this name
    #[arg(long)]
    overwrite: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// How long a server that was named may take to list its models.
const WAIT: Duration = Duration::from_secs(5);

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => list(&args, context),
            Self::Find(args) => find(&args, context),
            Self::Save(args) => save(&args, context),
        }
    }
}

/// A model that `--model` can name (`models list`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ModelRecord {
    /// Name for `--model`.
    name: String,
    /// `profile`, `configured` (in `[model]`) or `simulated` (inside the program).
    kind: &'static str,
    /// Name of the model, as spelt by its server.
    model: String,
    /// Protocol: `chat`, `messages` or `responses`.
    protocol: String,
    /// Base URL of the server; empty for a simulated model.
    url: String,
    /// Variable with the API key; null if no key is sent.
    key_variable: Option<String>,
    /// Whether that variable is set.
    key_is_set: bool,
    /// Price, if known.
    price: Option<KnownPrice>,
    /// File of a profile.
    file: Option<String>,
    /// Its line.
    line: Option<usize>,
    /// What is wrong with the settings.
    problem: Option<String>,
}

/// Price of a model for a million tokens, as decimals.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "known_price")]
struct KnownPrice {
    /// Price of input tokens.
    input: String,
    /// Price of output tokens.
    output: String,
    /// Price of cached input tokens; null if it equals `input`.
    cached: Option<String>,
    /// Price of input tokens written into the cache; null if it equals `input`.
    cache_write: Option<String>,
    /// Currency.
    currency: String,
}

impl From<&Price> for KnownPrice {
    fn from(price: &Price) -> Self {
        let text = |rate: Option<Rate>| rate.map(|rate| rate.to_string());
        Self {
            input: price.input.to_string(),
            output: price.output.to_string(),
            cached: text(price.cached),
            cache_write: text(price.cache_write),
            currency: price.currency.clone(),
        }
    }
}

impl Record for ModelRecord {
    const TYPE: &'static str = "model";
}

impl From<&ModelFacts> for ModelRecord {
    fn from(facts: &ModelFacts) -> Self {
        Self {
            name: facts.name.clone(),
            kind: facts.kind.name(),
            model: facts.model.clone(),
            protocol: facts.protocol.clone(),
            url: facts.url.clone(),
            key_variable: facts.key_variable.clone(),
            key_is_set: facts.is_key_set,
            price: facts.price.as_ref().map(KnownPrice::from),
            file: facts.place.as_ref().map(|place| place.file.display().to_string()),
            line: facts.place.as_ref().map(mageyard_config::SourceLocation::line),
            problem: facts.problem.as_ref().map(ToString::to_string),
        }
    }
}

fn list(args: &ListArgs, context: &Context) -> Result<Exit, Failure> {
    let models = model_facts(&context.lab, &context.config()?)?;
    let mut out = Output::open();
    if args.json {
        models.iter().try_for_each(|facts| out.record(&ModelRecord::from(facts)))?;
        return Ok(Exit::Done);
    }
    let titles = ["name", "kind", "model", "server", "key", "price"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(titles).chain(models.iter().map(cells)).collect();
    out.table(&rows)?;
    for facts in &models {
        if let Some(problem) = &facts.problem {
            out.line(format!("{}: {problem}", facts.name))?;
        }
    }
    if models.iter().all(|facts| facts.kind != ModelKind::Profile) {
        let file = context.settings_file();
        out.line(format!(
            "no profiles; `mageyard models save NAME` adds one to {}, `mageyard models find` looks for servers",
            file.display()
        ))?;
    }
    Ok(Exit::Done)
}

fn cells(facts: &ModelFacts) -> Vec<String> {
    let key = match (&facts.key_variable, facts.is_key_set) {
        (None, _) => "none".to_owned(),
        (Some(variable), true) => format!("{variable} (set)"),
        (Some(variable), false) => format!("{variable} (not set)"),
    };
    let server = match facts.url.as_str() {
        "" => "inside the program".to_owned(),
        url => format!("{url} ({})", facts.protocol),
    };
    let price = facts.price_words();
    vec![facts.name.clone(), facts.kind.name().to_owned(), facts.model.clone(), server, key, price]
}

/// A model server (`models find`).
#[derive(Serialize, JsonSchema)]
pub(super) struct ServerRecord {
    /// Base URL.
    url: String,
    /// Program that usually has this port; empty for a URL that was given.
    program: String,
    /// Names of its models.
    models: Vec<String>,
    /// Why it does not list them.
    problem: Option<String>,
}

impl Record for ServerRecord {
    const TYPE: &'static str = "model_server";
}

impl From<LocalServer> for ServerRecord {
    fn from(server: LocalServer) -> Self {
        let LocalServer { url, program, models } = server;
        let problem = models.as_ref().err().cloned();
        Self { url, program, models: models.unwrap_or_default(), problem }
    }
}

fn find(args: &FindArgs, context: &Context) -> Result<Exit, Failure> {
    let runtime = single_thread_runtime()?;
    let servers: Vec<ServerRecord> = match &args.url {
        Some(url) => {
            let origin = Origin::Flag("URL".to_owned());
            let config =
                context.config()?.with_overrides(&[SettingOverride::new("model.base_url", url, origin)])?;
            let models = runtime.block_on(served_models(&context.lab, &config, WAIT))?;
            vec![ServerRecord { url: url.clone(), program: String::new(), models, problem: None }]
        }
        None => runtime.block_on(find_local_servers(&context.lab))?.into_iter().map(Into::into).collect(),
    };
    let mut out = Output::open();
    if args.json {
        servers.iter().try_for_each(|server| out.record(server))?;
        return Ok(Exit::Done);
    }
    if servers.is_empty() {
        let ports: Vec<String> =
            LOCAL_SERVERS.iter().map(|(port, name)| format!("{port} ({name})")).collect();
        out.line(format!("no server answers on 127.0.0.1, ports {}", ports.join(", ")))?;
        out.line("start one, or name another: mageyard models find URL")?;
    }
    for server in &servers {
        out.line(title(server))?;
        for model in &server.models {
            out.line(format!("  {model}"))?;
        }
    }
    if let Some((server, model)) = servers.iter().find_map(|server| Some((server, server.models.first()?))) {
        let model = mageyard_domain::shell_quote(model);
        let url = mageyard_domain::shell_quote(&server.url);
        out.line(format!("check one: mageyard doctor --model {model} --base-url {url}"))?;
        out.line(format!("save one: mageyard models save NAME --model {model} --base-url {url}"))?;
    }
    Ok(Exit::Done)
}

fn title(server: &ServerRecord) -> String {
    let program = match server.program.as_str() {
        "" => String::new(),
        program => format!(" (the port of {program})"),
    };
    let models = match (&server.problem, server.models.len()) {
        (Some(why), _) => why.clone(),
        (None, 0) => "no models".to_owned(),
        (None, 1) => "1 model".to_owned(),
        (None, count) => format!("{count} models"),
    };
    format!("{}{program}: {models}", server.url)
}

/// A profile that was saved (`models save`).
#[derive(Serialize, JsonSchema)]
pub(super) struct SavedRecord {
    /// Name of the profile.
    name: String,
    /// File.
    file: String,
    /// Line where the profile begins.
    line: usize,
    /// Whether it replaced one of the same name.
    replaced: bool,
    /// Its settings.
    settings: serde_json::Map<String, serde_json::Value>,
}

impl Record for SavedRecord {
    const TYPE: &'static str = "saved_profile";
}

fn save(args: &SaveArgs, context: &Context) -> Result<Exit, Failure> {
    let name = &args.profile;
    let file = context.settings_file();
    let config = context.config()?;
    let SavedProfile { path, line, is_replaced, settings } =
        save_profile(&context.lab, &config, &file, name, args.overwrite)?;
    let mut out = Output::open();
    if args.json {
        out.record(&SavedRecord {
            name: name.clone(),
            file: path.display().to_string(),
            line,
            replaced: is_replaced,
            settings: settings.into_iter().collect(),
        })?;
        return Ok(Exit::Done);
    }
    let done = if is_replaced { "replaced" } else { "added" };
    out.line(format!("{}:{line}: {done} profile {name}", path.display()))?;
    for (key, value) in &settings {
        out.line(format!("  {key} = {value}"))?;
    }
    out.line(format!("use it: mageyard play --agent model --model {}", mageyard_domain::shell_quote(name)))?;
    Ok(Exit::Done)
}
