//! The settings of Book Hanoi.

use super::palette::Style;
use super::shown_as::{self, ShownAs};
use mageyard_domain::{OptionError, Options, VIEW_OPTION};
use mageyard_kit::{ChoiceOption, IntegerOption, SwitchOption, refuse_unknown};

/// Pixels per dot; a frame has 102 x 96 dots.
const SCALE: IntegerOption = IntegerOption { name: "scale", min: 1, max: 16, default: 4 };
/// Whether books have numbers.
const NUMBERS: SwitchOption = SwitchOption { name: "numbers", default: true };
/// Whether the first observation shows the goal. Journals of earlier versions have no such option, and no such picture.
const GOAL: SwitchOption = SwitchOption { name: "goal", default: false };
const VIEW: ChoiceOption<ShownAs> = ChoiceOption { name: VIEW_OPTION, values: shown_as::NAMES };

/// What observations show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// Pixels per dot.
    pub(super) scale: u32,
    /// Whether books have their numbers on their spines in the picture.
    pub(super) numbers: bool,
    /// Whether the first observation has a picture of the goal (`MageBench`, supplement, figure 11).
    pub(super) goal: bool,
    /// What tables are shown as.
    pub(super) view: ShownAs,
}

impl Look {
    /// The style of the pictures.
    pub(super) fn style(self) -> Style {
        if self.view == ShownAs::Contrast { Style::Contrast } else { Style::Wood }
    }
}

/// What observations show by these options. Unknown options are refused.
pub(super) fn look(options: &Options) -> Result<Look, OptionError> {
    refuse_unknown(options, &[SCALE.name, NUMBERS.name, GOAL.name, VIEW.name], "Book Hanoi")?;
    let view = VIEW.read(options)?;
    let scale = view.scale(u32::try_from(SCALE.read(options)?).unwrap_or(1));
    Ok(Look { scale, numbers: NUMBERS.read(options)?, goal: GOAL.read(options)?, view })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(name: &str, value: Value) -> Result<Look, String> {
        look(&Options::from([(name.to_owned(), value)])).map_err(|error| error.to_string())
    }

    #[test]
    fn the_settings_file_states_the_defaults() {
        let view = ShownAs::Image;
        assert_eq!(look(&Options::new()), Ok(Look { scale: 4, numbers: true, goal: false, view }));
        let file: toml::Table = include_str!("../../../config.toml").parse().unwrap();
        let options: Options = serde_json::from_value(json!(file["hanoi"])).unwrap();
        assert_eq!(look(&options), Ok(Look { scale: 4, numbers: true, goal: true, view }), "of new episodes");
        assert_eq!(options.len(), 4);
    }

    #[test]
    fn invalid_settings_are_refused_with_a_reason() {
        assert_eq!(read("scale", json!(1)).map(|look| look.scale), Ok(1));
        assert_eq!(read("view", json!("large")).map(|look| look.scale), Ok(12));
        assert_eq!(read("view", json!("contrast")).map(Look::style), Ok(Style::Contrast));
        assert_eq!(read("numbers", json!(false)).map(|look| look.numbers), Ok(false));
        for (name, value, says) in [
            ("scale", json!(0), "scale: 0 is not a whole number from 1 to 16"),
            ("scale", json!(17), "from 1 to 16"),
            ("scale", json!("4"), "\"4\" is not a whole number"),
            ("scales", json!(4), "scales: Book Hanoi has no such setting; did you mean scale?"),
            ("tile", json!(4), "it has scale, numbers, goal, view"),
            ("view", json!("braille"), "view: \"braille\" is not one of image, large, contrast, text"),
            ("goal", json!("yes"), "goal: \"yes\" is neither true nor false"),
        ] {
            let error = read(name, value).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
