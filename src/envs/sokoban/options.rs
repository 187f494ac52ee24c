//! The settings of Sokoban, a row each.

use crate::domain::OptionError;
use crate::domain::Options;
use crate::envs::whole::Whole;
use crate::envs::whole::refuse_unknown;

const TILE: Whole = Whole { name: "tile", least: 8, most: 64, default: 16 };
const SOLVER_STATES: Whole =
    Whole { name: "solver_states", least: 0, most: 100_000_000, default: super::solver::STATES };
const SOLVER_MEMORY: Whole =
    Whole { name: "solver_memory", least: 1, most: 1_000_000, default: super::solver::MEGABYTES };
const ROWS: &[Whole] = &[TILE, SOLVER_STATES, SOLVER_MEMORY];

/// The settings as they hold for one room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Pixels a tile.
    pub(super) tile: u32,
    /// States the solver may meet when a level is opened; 0 leaves the best score unknown.
    pub(super) solver_states: u64,
    /// Megabytes that they may take.
    pub(super) solver_memory: u64,
}

impl Settings {
    /// Reads what is given; what is missing has its default; what is unknown is refused.
    pub(super) fn read(options: &Options) -> Result<Self, OptionError> {
        refuse_unknown(options, ROWS, "Sokoban")?;
        let tile = TILE.read(options)?;
        Ok(Self {
            tile: u32::try_from(tile).unwrap_or(16),
            solver_states: SOLVER_STATES.read(options)?,
            solver_memory: SOLVER_MEMORY.read(options)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use serde_json::json;

    fn read(name: &str, value: Value) -> Result<Settings, String> {
        let options = Options::from([(name.to_owned(), value)]);
        Settings::read(&options).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_missing_has_its_default() {
        let settings = Settings::read(&Options::new()).unwrap();
        assert_eq!(settings, Settings { tile: 16, solver_states: 2_000_000, solver_memory: 150 });
        assert_eq!(read("tile", json!(8)).unwrap().tile, 8);
        assert_eq!(read("solver_states", json!(0)).unwrap().solver_states, 0);
    }

    #[test]
    fn the_settings_file_states_the_same_defaults() {
        let file: toml::Table = include_str!("../../../config.toml").parse().unwrap();
        let table = file["sokoban"].as_table().unwrap();
        let stated: Vec<_> = table.iter().map(|(name, value)| (name.as_str(), value.as_integer())).collect();
        for row in ROWS {
            assert!(stated.contains(&(row.name, i64::try_from(row.default).ok())), "{}", row.name);
        }
        assert_eq!(stated.len(), ROWS.len());
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        for (name, value, says) in [
            ("tile", json!(7), "tile: 7 is not a whole number from 8 to 64"),
            ("tile", json!(65), "from 8 to 64"),
            ("tile", json!(16.5), "16.5 is not a whole number"),
            ("tile", json!("16"), "\"16\" is not a whole number"),
            ("solver_states", json!(-1), "-1 is not a whole number from 0"),
            ("tiles", json!(16), "tiles: Sokoban has no such setting; did you mean tile?"),
            ("zoom", json!(1), "it has tile, solver_states, solver_memory"),
        ] {
            let error = read(name, value).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
