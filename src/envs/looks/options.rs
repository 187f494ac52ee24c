//! The settings of the three environments: the tables `[ground]`, `[idm]` and `[critic]`.

use mageyard_domain::{OptionError, Options};
use mageyard_kit::{ChoiceOption, IntegerOption, SwitchOption, refuse_unknown};

/// Which instruction is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Instruction {
    /// The one that was written again.
    #[default]
    Recaptioned,
    /// The one before, if the record has it.
    Raw,
}

/// What is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ask {
    /// A point.
    #[default]
    Point,
    /// A click with its kind.
    Code,
}

/// Which rules decide what is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rules {
    /// Our own.
    #[default]
    Standard,
    /// Those of the released code.
    Code,
}

const INSTRUCTION: ChoiceOption<Instruction> = ChoiceOption {
    name: "instruction",
    values: &[("recaptioned", Instruction::Recaptioned), ("raw", Instruction::Raw)],
};
const ASK: ChoiceOption<Ask> =
    ChoiceOption { name: "ask", values: &[("point", Ask::Point), ("code", Ask::Code)] };
const IMAGES: IntegerOption = IntegerOption { name: "images", min: 2, max: 64, default: 6 };
const MOST_ACTIONS: IntegerOption = IntegerOption { name: "most_actions", min: 1, max: 63, default: 5 };
const ACTIONS: SwitchOption = SwitchOption { name: "actions", default: true };
const RULES: ChoiceOption<Rules> =
    ChoiceOption { name: "rules", values: &[("standard", Rules::Standard), ("code", Rules::Code)] };

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GroundOptions {
    pub(super) instruction: Instruction,
    pub(super) ask: Ask,
}

impl GroundOptions {
    pub(super) fn read(options: &Options) -> Result<Self, OptionError> {
        refuse_unknown(options, &[INSTRUCTION.name, ASK.name], "ground")?;
        Ok(Self { instruction: INSTRUCTION.read(options)?, ask: ASK.read(options)? })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IdmOptions {
    /// The most pictures that are shown; the first ones are left out.
    pub(super) images: usize,
    /// The last actions that are asked about.
    pub(super) most_actions: usize,
}

impl IdmOptions {
    pub(super) fn read(options: &Options) -> Result<Self, OptionError> {
        refuse_unknown(options, &[IMAGES.name, MOST_ACTIONS.name], "idm")?;
        let number =
            |option: &IntegerOption| option.read(options).map(|number| usize::try_from(number).unwrap_or(1));
        Ok(Self { images: number(&IMAGES)?, most_actions: number(&MOST_ACTIONS)? })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CriticOptions {
    /// Whether the actions are shown in words between the pictures.
    pub(super) actions: bool,
    pub(super) rules: Rules,
}

impl CriticOptions {
    pub(super) fn read(options: &Options) -> Result<Self, OptionError> {
        refuse_unknown(options, &[ACTIONS.name, RULES.name], "critic")?;
        Ok(Self { actions: ACTIONS.read(options)?, rules: RULES.read(options)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_file_states_the_defaults() {
        let file: toml::Table = include_str!("../../../config.toml").parse().unwrap();
        let table =
            |name: &str| -> Options { serde_json::from_value(serde_json::json!(file[name])).unwrap() };
        assert_eq!(GroundOptions::read(&table("ground")), GroundOptions::read(&Options::new()));
        assert_eq!(IdmOptions::read(&table("idm")), IdmOptions::read(&Options::new()));
        assert_eq!(CriticOptions::read(&table("critic")), CriticOptions::read(&Options::new()));
        let lengths = ["ground", "idm", "critic"].map(|name| table(name).len());
        assert_eq!(lengths, [2, 2, 2]);
    }

    #[test]
    fn wrong_values_are_refused_by_name() {
        let one = |name: &str, value: serde_json::Value| Options::from([(name.to_owned(), value)]);
        let why = GroundOptions::read(&one("ask", "words".into())).unwrap_err().to_string();
        assert_eq!(why, "ask: \"words\" is not one of point, code");
        assert!(IdmOptions::read(&one("images", 1.into())).unwrap_err().to_string().contains("from 2 to 64"));
        assert!(
            CriticOptions::read(&one("action", true.into())).unwrap_err().to_string().contains("actions")
        );
    }
}
