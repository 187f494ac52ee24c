//! The settings of Sokoban.

use serde_json::Value;

use super::room_view::{self, RoomView};
use super::tile_sheet::TileSheet;
use super::tiles::TileStyle;
use mageyard_domain::{LimitKind, OptionError, Options, SearchLimits, VIEW_OPTION};
use mageyard_kit::{ChoiceOption, IntegerOption, refuse_unknown};

const TILE: IntegerOption = IntegerOption { name: "tile", min: 8, max: 64, default: 16 };
const TILES: ChoiceOption<TileStyle> = ChoiceOption {
    name: "tiles",
    values: &[
        ("mageyard", TileStyle::Mageyard),
        ("classic", TileStyle::Classic),
        ("contrast", TileStyle::Contrast),
    ],
};
const VIEW: ChoiceOption<RoomView> = ChoiceOption { name: VIEW_OPTION, values: room_view::NAMES };
const SOLVER_STATES: IntegerOption =
    IntegerOption { name: "solver_states", min: 0, max: 100_000_000, default: super::solver::DEFAULT_STATES };
const SOLVER_MEMORY: IntegerOption = IntegerOption {
    name: "solver_memory",
    min: 1,
    max: 1_000_000,
    default: super::solver::DEFAULT_MEGABYTES,
};

/// The settings of one room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Pixels per tile.
    pub(super) tile: u32,
    /// The style of the tiles.
    pub(super) tiles: TileStyle,
    /// What rooms are shown as.
    pub(super) view: RoomView,
    /// States the solver may visit when a level is opened; 0 leaves the best score unknown.
    pub(super) solver_states: u64,
    /// Megabytes the states may take.
    pub(super) solver_memory: u64,
}

/// The limits that these options set for the solver. An option that is not set is no limit.
pub(super) fn solver_limits(options: &Options) -> SearchLimits {
    let limit = |option: &IntegerOption| options.get(option.name).and_then(Value::as_u64).unwrap_or(u64::MAX);
    SearchLimits {
        states: limit(&SOLVER_STATES),
        memory: limit(&SOLVER_MEMORY).saturating_mul(1 << 20),
        time: None,
    }
}

/// The option that sets a limit of the solver.
pub(super) fn limit_setting(limit: LimitKind) -> Option<&'static str> {
    match limit {
        LimitKind::States => Some(SOLVER_STATES.name),
        LimitKind::Memory => Some(SOLVER_MEMORY.name),
        LimitKind::Time => None,
    }
}

/// The tile style; the default where the setting is invalid, which opening a level refuses.
pub(super) fn tile_style(options: &Options) -> TileStyle {
    let view = VIEW.read(options).unwrap_or_default();
    style_of(view, TILES.read(options).unwrap_or_default())
}

fn style_of(view: RoomView, tiles: TileStyle) -> TileStyle {
    match view {
        RoomView::Classic => TileStyle::Classic,
        RoomView::Contrast => TileStyle::Contrast,
        _ => tiles,
    }
}

impl Settings {
    /// Reads the options; missing ones have their defaults, unknown ones are refused.
    pub(super) fn read(options: &Options) -> Result<Self, OptionError> {
        refuse_unknown(
            options,
            &[TILE.name, TILES.name, VIEW.name, SOLVER_STATES.name, SOLVER_MEMORY.name],
            "Sokoban",
        )?;
        let view = VIEW.read(options)?;
        let tile = u32::try_from(TILE.read(options)?).unwrap_or(16);
        Ok(Self {
            tile: view.tile(tile),
            tiles: style_of(view, TILES.read(options)?),
            view,
            solver_states: SOLVER_STATES.read(options)?,
            solver_memory: SOLVER_MEMORY.read(options)?,
        })
    }

    /// The tiles of this style and size.
    pub(super) fn sheet(&self) -> TileSheet {
        TileSheet::new(self.tiles, self.tile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(name: &str, value: Value) -> Result<Settings, String> {
        let options = Options::from([(name.to_owned(), value)]);
        Settings::read(&options).map_err(|error| error.to_string())
    }

    #[test]
    fn missing_options_have_their_defaults() {
        let settings = Settings::read(&Options::new()).unwrap();
        let tiles = TileStyle::Mageyard;
        let view = RoomView::Image;
        assert_eq!(
            settings,
            Settings { tile: 16, tiles, view, solver_states: 2_000_000, solver_memory: 150 }
        );
        assert_eq!(read("view", json!("large")).unwrap().tile, 48);
        assert_eq!(read("view", json!("contrast")).unwrap().tiles, TileStyle::Contrast);
        assert_eq!(read("tiles", json!("classic")).unwrap().tiles, TileStyle::Classic);
        assert_eq!(read("tile", json!(8)).unwrap().tile, 8);
        assert_eq!(read("solver_states", json!(0)).unwrap().solver_states, 0);
    }

    #[test]
    fn the_solver_limits_come_from_the_options() {
        let limits = |text: &str| solver_limits(&serde_json::from_str(text).unwrap());
        let set = limits(r#"{"solver_states": 7, "solver_memory": 2}"#);
        assert_eq!((set.states, set.memory, set.time), (7, 2 << 20, None));
        assert_eq!(limits("{}"), SearchLimits::NONE, "an option that is not set is no limit");
    }

    #[test]
    fn the_settings_file_states_the_same_defaults() {
        let file: toml::Table = include_str!("../../../config.toml").parse().unwrap();
        let table = file["sokoban"].as_table().unwrap();
        let stated: Vec<_> = table.iter().map(|(name, value)| (name.as_str(), value.as_integer())).collect();
        let rows = [TILE, SOLVER_STATES, SOLVER_MEMORY];
        for row in &rows {
            assert!(stated.contains(&(row.name, i64::try_from(row.default).ok())), "{}", row.name);
        }
        assert_eq!(table[TILES.name].as_str(), Some("mageyard"));
        assert_eq!(table[VIEW.name].as_str(), Some("image"));
        assert_eq!(stated.len(), rows.len() + 2);
    }

    #[test]
    fn invalid_settings_are_refused_with_a_reason() {
        for (name, value, says) in [
            ("tile", json!(7), "tile: 7 is not a whole number from 8 to 64"),
            ("tile", json!(65), "from 8 to 64"),
            ("tile", json!(16.5), "16.5 is not a whole number"),
            ("tile", json!("16"), "\"16\" is not a whole number"),
            ("solver_states", json!(-1), "-1 is not a whole number from 0"),
            ("tiles", json!("gym"), "tiles: \"gym\" is not one of mageyard, classic, contrast"),
            ("tiles", json!(16), "tiles: 16 is not one of mageyard, classic, contrast"),
            (
                "view",
                json!("braille"),
                "view: \"braille\" is not one of image, classic, contrast, large, text",
            ),
            ("tile_s", json!(16), "tile_s: Sokoban has no such setting; did you mean tiles or tile?"),
            ("zoom", json!(1), "it has tile, tiles, view, solver_states, solver_memory"),
        ] {
            let error = read(name, value).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
