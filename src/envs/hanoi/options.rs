//! The settings of Book Hanoi.

use mageyard_domain::{OptionError, Options};
use mageyard_kit::{IntegerOption, refuse_unknown};

/// Pixels per dot; a frame has 102 x 96 dots.
const SCALE: IntegerOption = IntegerOption { name: "scale", min: 1, max: 16, default: 4 };

/// Pixels per dot. Unknown options are refused.
pub(super) fn scale(options: &Options) -> Result<u32, OptionError> {
    refuse_unknown(options, &[SCALE.name], "Book Hanoi")?;
    Ok(u32::try_from(SCALE.read(options)?).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(name: &str, value: Value) -> Result<u32, String> {
        scale(&Options::from([(name.to_owned(), value)])).map_err(|error| error.to_string())
    }

    #[test]
    fn the_settings_file_states_the_default() {
        assert_eq!(scale(&Options::new()), Ok(4));
        let file: toml::Table = include_str!("../../../config.toml").parse().unwrap();
        let table = file["hanoi"].as_table().unwrap();
        assert_eq!((table.len(), table["scale"].as_integer()), (1, Some(4)));
    }

    #[test]
    fn invalid_settings_are_refused_with_a_reason() {
        assert_eq!(read("scale", json!(1)), Ok(1));
        for (name, value, says) in [
            ("scale", json!(0), "scale: 0 is not a whole number from 1 to 16"),
            ("scale", json!(17), "from 1 to 16"),
            ("scale", json!("4"), "\"4\" is not a whole number"),
            ("scales", json!(4), "scales: Book Hanoi has no such setting; did you mean scale?"),
            ("tile", json!(4), "it has scale"),
        ] {
            let error = read(name, value).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
