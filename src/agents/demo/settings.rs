//! The settings of the table `[demo]`: how well the model plays, how fast it writes, and the shares of its mistakes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde_json::Value;

use mageyard_domain::{OptionError, Options};

/// The table, which is also the name under which its settings are recorded.
pub(super) const TABLE: &str = "demo";

/// The model that is asked if none is named.
pub(super) const DEFAULT_MODEL: &str = "demo";

/// The names of the models.
pub(super) const MODELS: &[&str] = &[DEFAULT_MODEL, "demo-weak", "demo-strong"];

/// The skills of the models, in their order.
const SKILLS: [f64; 3] = [0.8, 0.5, 0.98];

/// The most frames that a decision can need.
const MOST_FRAMES: i64 = 1000;

/// The value of `skill` that stands for the skill of the model.
const OF_MODEL: f64 = -1.0;

/// The settings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DemoSettings {
    /// The share of decisions that are those of the expert.
    pub(super) skill: f64,
    /// The tokens in a second; 0 for no pauses.
    pub(super) pace: f64,
    /// How many frames before the present one a right decision needs besides it; `None` if one frame of any step is enough.
    pub(super) frames: Option<u32>,
    pub(super) shares: Shares,
    pub(super) faults: Faults,
}

/// The shares of states with a fault of a known kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Faults {
    /// States that are seen wrongly, unless they are given in words.
    pub(super) misread: f64,
    /// How they are seen wrongly: a misreading of the environment, empty for its first one.
    pub(super) misreading: String,
    /// States with a bad plan, unless the request has a hint of a plan.
    pub(super) bad_plans: f64,
    /// States in which another action is written than was planned.
    pub(super) bad_writing: f64,
}

impl Faults {
    fn parse(options: &Options) -> Result<Self, OptionError> {
        let share = |name| number(options, name, (0.0, 1.0), 0.0);
        let misreading = written(options, "misreading").and_then(Value::as_str).unwrap_or_default();
        let faults = Self {
            misread: share("misread")?,
            misreading: misreading.to_owned(),
            bad_plans: share("bad_plans")?,
            bad_writing: share("bad_writing")?,
        };
        let sum = faults.misread + faults.bad_plans + faults.bad_writing;
        if sum > 1.0 + 1e-9 {
            let why = format!("misread, bad_plans and bad_writing add up to {sum:.2}, and 1 is all there is");
            return Err(OptionError { name: format!("{TABLE}.misread"), why });
        }
        Ok(faults)
    }
}

/// The shares of mistakes: of the attempts, of the tries of a request, and of stretches of steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shares {
    /// Attempts whose reply has a right decision in a wrong form.
    pub(super) parse_errors: f64,
    /// Attempts with an action that does not exist.
    pub(super) invalid_actions: f64,
    /// Attempts that are refused.
    pub(super) refusals: f64,
    /// Attempts whose reply ends at a limit of tokens.
    pub(super) cuts: f64,
    /// Stretches of steps in which one action is repeated.
    pub(super) loops: f64,
    /// Requests that are answered with the status 429.
    pub(super) rate_limits: f64,
    /// Requests during whose reply the connection breaks.
    pub(super) lost_connections: f64,
}

impl DemoSettings {
    /// The settings among all those of the agent.
    pub(super) fn parse(options: &Options) -> Result<Self, OptionError> {
        let share = |name| number(options, name, (0.0, 1.0), 0.0);
        let shares = Shares {
            parse_errors: share("parse_errors")?,
            invalid_actions: share("invalid_actions")?,
            refusals: share("refusals")?,
            cuts: share("cuts")?,
            loops: share("loops")?,
            rate_limits: share("rate_limits")?,
            lost_connections: share("lost_connections")?,
        };
        shares.check_sum()?;
        let pace = number(options, "pace", (0.0, 10_000.0), 0.0)?;
        let (skill, frames, faults) = (skill(options)?, frames(options)?, Faults::parse(options)?);
        Ok(Self { skill, pace, frames, shares, faults })
    }
}

/// The skill in the settings, or that of the model.
fn skill(options: &Options) -> Result<f64, OptionError> {
    let Some(value) = written(options, "skill") else { return Ok(skill_of(model_name(options))) };
    match value.as_f64() {
        #[allow(clippy::float_cmp, reason = "only exactly this number means the skill of the model")]
        Some(number) if number == OF_MODEL => Ok(skill_of(model_name(options))),
        Some(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err(wrong("skill", value, "0 to 1, or -1 for that of the model")),
    }
}

/// The frames that a right decision needs, or that one is enough.
fn frames(options: &Options) -> Result<Option<u32>, OptionError> {
    let Some(value) = written(options, "frames") else { return Ok(None) };
    match value.as_i64() {
        Some(-1) => Ok(None),
        Some(count @ 0..=MOST_FRAMES) => Ok(u32::try_from(count).ok()),
        _ => Err(wrong("frames", value, &format!("0 to {MOST_FRAMES}, or -1 for any frame"))),
    }
}

/// A value of the table.
fn written<'a>(options: &'a Options, name: &str) -> Option<&'a Value> {
    options.get(TABLE)?.get(name)
}

impl Shares {
    fn check_sum(&self) -> Result<(), OptionError> {
        let sum = self.parse_errors
            + self.invalid_actions
            + self.refusals
            + self.cuts
            + self.loops
            + self.rate_limits
            + self.lost_connections;
        // Decimal fractions that add up to 1 may be a little more in binary.
        if sum <= 1.0 + 1e-9 {
            return Ok(());
        }
        let why = format!("the shares of mistakes add up to {sum:.2}, and 1 is all there is");
        Err(OptionError { name: format!("{TABLE}.parse_errors"), why })
    }
}

/// The name of the model in unchecked settings.
pub(super) fn model_name(options: &Options) -> &str {
    options.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()).unwrap_or(DEFAULT_MODEL)
}

/// Refuses the name of a model that is on a server.
pub(super) fn check_model(options: &Options) -> Result<(), OptionError> {
    let name = model_name(options);
    if MODELS.contains(&name) {
        return Ok(());
    }
    let why = format!(
        "the agent demo has no model {name:?}; it has {}; --agent model asks the models of a server",
        MODELS.join(", ")
    );
    Err(OptionError { name: "name".to_owned(), why })
}

fn skill_of(model: &str) -> f64 {
    MODELS.iter().zip(SKILLS).find(|(name, _)| **name == model).map_or(SKILLS[0], |(_, skill)| skill)
}

/// A number of the table; an absent one is `default`.
fn number(
    options: &Options,
    name: &str,
    (least, most): (f64, f64),
    default: f64,
) -> Result<f64, OptionError> {
    let Some(value) = written(options, name) else { return Ok(default) };
    let number = value.as_f64().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| wrong(name, value, &format!("{least} to {most}")))
}

fn wrong(name: &str, value: impl std::fmt::Display, allowed: &str) -> OptionError {
    let why = format!("{value} is out of range, allowed is {allowed}");
    OptionError { name: format!("{TABLE}.{name}"), why }
}
