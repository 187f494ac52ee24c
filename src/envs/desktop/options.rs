//! The settings of the environment.

use std::path::PathBuf;

use mageyard_domain::{OptionError, Options};
use mageyard_kit::{ChoiceOption, IntegerOption, SwitchOption, refuse_unknown};
use mageyard_sandbox::{Confinement, Limits};

use crate::handlers::Rules;

const RULES: ChoiceOption<Rules> =
    ChoiceOption { name: "rules", values: &[("standard", Rules::Standard), ("code", Rules::Code)] };
const OBSERVE: ChoiceOption<Observe> =
    ChoiceOption { name: "observe", values: &[("task", Observe::Task), ("text", Observe::Text)] };
const SANDBOX: ChoiceOption<SandboxChoice> = ChoiceOption {
    name: "sandbox",
    values: &[
        ("auto", SandboxChoice::Best),
        ("bubblewrap", SandboxChoice::Form(Confinement::Bubblewrap)),
        ("landlock", SandboxChoice::Form(Confinement::Landlock)),
        ("none", SandboxChoice::Form(Confinement::Nothing)),
    ],
};
const TRUST: SwitchOption = SwitchOption { name: "trust", default: false };
const NETWORK: SwitchOption = SwitchOption { name: "network", default: false };
const MEMORY: IntegerOption = IntegerOption { name: "memory_mib", min: 64, max: 1 << 20, default: 2048 };
const PROCESSES: IntegerOption = IntegerOption { name: "processes", min: 8, max: 1 << 16, default: 256 };
const PYTHON: &str = "python";
const FEEDBACK: &str = "feedback";
/// The number of a try, from 2. No setting: the program gives it to episodes that are tried again.
pub(crate) const TRY: &str = "try";
/// The sentences of the verdict on the try before.
pub(crate) const SENTENCES: &str = "feedback_sentences";

/// The most further tries that are allowed.
const MOST_TRIES: u32 = 10;

/// Where Python is where no setting names one: that of the system, which the sandbox has.
pub(crate) const USUAL_PYTHON: &str = "/usr/bin/python3";

/// What an agent sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Observe {
    /// What the task says: the screen of a visual one.
    #[default]
    Task,
    /// Only the results of cells, also of visual tasks.
    Text,
}

/// Which sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SandboxChoice {
    /// The strongest of this machine.
    #[default]
    Best,
    /// This one.
    Form(Confinement),
}

/// The settings, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DesktopOptions {
    pub(crate) rules: Rules,
    pub(crate) observe: Observe,
    pub(crate) sandbox: SandboxChoice,
    /// Whether programs may do what the user may, where there is no sandbox.
    pub(crate) trust: bool,
    pub(crate) network: bool,
    pub(crate) limits: Limits,
    pub(crate) python: PathBuf,
    /// What was wrong at the try before; empty at the first one.
    pub(crate) sentences: Vec<String>,
}

impl DesktopOptions {
    /// Reads the settings; names the first one that is wrong.
    pub(crate) fn read(options: &Options) -> Result<Self, OptionError> {
        let known = [
            RULES.name,
            OBSERVE.name,
            SANDBOX.name,
            TRUST.name,
            NETWORK.name,
            MEMORY.name,
            PROCESSES.name,
            PYTHON,
            FEEDBACK,
            TRY,
            SENTENCES,
        ];
        refuse_unknown(options, &known, "desktop")?;
        further_tries(options)?;
        let limits = Limits {
            memory_mib: MEMORY.read(options)?,
            processes: PROCESSES.read(options)?,
            ..Limits::default()
        };
        Ok(Self {
            rules: RULES.read(options)?,
            observe: OBSERVE.read(options)?,
            sandbox: SANDBOX.read(options)?,
            trust: TRUST.read(options)?,
            network: NETWORK.read(options)?,
            limits,
            python: python(options)?,
            sentences: sentences(options)?,
        })
    }
}

/// How many times a failed episode is tried again with the sentences of its verdict: 0 for `off`, N for `retry:N`.
pub(crate) fn further_tries(options: &Options) -> Result<u32, OptionError> {
    let wrong = |why: String| OptionError { name: FEEDBACK.to_owned(), why };
    let Some(value) = options.get(FEEDBACK) else { return Ok(0) };
    let text = value.as_str().ok_or_else(|| wrong(format!("{value} is not a text")))?;
    if text == "off" {
        return Ok(0);
    }
    let tries = text.strip_prefix("retry:").and_then(|number| number.parse().ok());
    let tries = tries.filter(|tries| (1..=MOST_TRIES).contains(tries));
    tries.ok_or_else(|| wrong(format!("{text:?} is not off or retry:N with N from 1 to {MOST_TRIES}")))
}

fn sentences(options: &Options) -> Result<Vec<String>, OptionError> {
    let Some(value) = options.get(SENTENCES) else { return Ok(Vec::new()) };
    serde_json::from_value(value.clone())
        .map_err(|_| OptionError { name: SENTENCES.to_owned(), why: "is not a list of texts".to_owned() })
}

fn python(options: &Options) -> Result<PathBuf, OptionError> {
    let wrong = |why: String| OptionError { name: PYTHON.to_owned(), why };
    let Some(value) = options.get(PYTHON) else { return Ok(USUAL_PYTHON.into()) };
    match value.as_str() {
        None => Err(wrong(format!("{value} is not a text"))),
        Some("") => Ok(USUAL_PYTHON.into()),
        Some(path) if path.starts_with('/') => Ok(path.into()),
        Some(path) => Err(wrong(format!("{path:?} is not an absolute path"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_settings_file_states_the_defaults() {
        let file: toml::Table = include_str!("../../../config.toml").parse().unwrap();
        let table: Options = serde_json::from_value(json!(file["desktop"])).unwrap();
        assert_eq!(DesktopOptions::read(&table), DesktopOptions::read(&Options::new()));
        assert_eq!(table.len(), 9);
    }

    #[test]
    fn wrong_settings_say_what_is_allowed() {
        for (name, value, why) in [
            ("rules", json!("paper"), "standard, code"),
            ("sandbox", json!("docker"), "auto, bubblewrap, landlock, none"),
            ("memory_mib", json!(1), "from 64"),
            ("python", json!("python3"), "absolute"),
            ("feedback", json!("retry"), "retry:N"),
            ("feedback", json!("retry:0"), "from 1 to 10"),
            ("feedback", json!(2), "not a text"),
            ("feedback_sentences", json!("x"), "list"),
            ("netwrok", json!(true), "network"),
        ] {
            let error = DesktopOptions::read(&Options::from([(name.to_owned(), value)])).unwrap_err();
            assert!(error.name == name && error.why.contains(why), "{name}: {error}");
        }
    }
}
