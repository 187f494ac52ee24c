//! The generator as a capability of the environment: groups and presets by name, other shapes by size and boxes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::groups::Preset;
use super::symmetry::SymmetryKey;
use super::{GROUPS, Group, Shape, TOO_LITTLE_FLOOR, ZERO_SCORE};
use crate::Sokoban;
use mageyard_domain::{KindParameter, Level, LevelGenerator, LevelKey, LevelKind, LevelPreset, Rejection};

const SIZE: KindParameter = KindParameter {
    name: "size",
    value: "ROWSxCOLS",
    help: "Rows and columns of a custom shape, including walls",
    check: |text| parse_size(text).map(drop),
};
const BOXES: KindParameter = KindParameter {
    name: "boxes",
    value: "N",
    help: "Number of boxes of a custom shape",
    check: |text| parse_boxes(text).map(drop),
};

impl LevelGenerator for Sokoban {
    fn origin(&self) -> &'static str {
        "with rooms like those of gym-sokoban"
    }

    fn candidate_noun(&self) -> [&'static str; 2] {
        ["room", "rooms"]
    }

    fn kinds(&self) -> Vec<LevelKind> {
        GROUPS.iter().map(|group| kind(group.name.to_owned(), group.shape)).collect()
    }

    fn parameters(&self) -> &'static [KindParameter] {
        &[SIZE, BOXES]
    }

    fn custom_kind(&self, parameters: &BTreeMap<&'static str, String>) -> Result<LevelKind, String> {
        let text = |name| parameters.get(name).map(String::as_str).unwrap_or_default();
        let (rows, columns) = parse_size(text(SIZE.name))?;
        let boxes = parse_boxes(text(BOXES.name))?;
        let shape = Shape::new(rows, columns, boxes).map_err(|error| error.to_string())?;
        Ok(kind(format!("{rows}x{columns}-{boxes}"), shape))
    }

    fn presets(&self) -> Vec<LevelPreset> {
        let preset = |preset: &Preset| LevelPreset {
            name: preset.name(),
            help: preset.help(),
            counts: GROUPS.iter().map(|group| (group.name, group.count(*preset))).collect(),
            max_moves: Some(Preset::MOVES),
            excludes_shipped: *preset == Preset::Train,
        };
        Preset::ALL.iter().map(preset).collect()
    }

    fn rejections(&self) -> &'static [Rejection] {
        &[TOO_LITTLE_FLOOR, ZERO_SCORE]
    }

    fn key(&self, level: &Level) -> Option<LevelKey> {
        SymmetryKey::of(level).map(LevelKey::from)
    }

    fn kind_of(&self, level: &Level) -> Option<String> {
        Group::shape_name(level)
    }
}

fn kind(name: String, shape: Shape) -> LevelKind {
    LevelKind { name, description: shape.to_string(), source: Arc::new(shape) }
}

/// Parses rows and columns, such as `9x12`.
fn parse_size(text: &str) -> Result<(u16, u16), String> {
    let sides =
        text.split_once('x').and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
    sides.ok_or_else(|| "expected rows and columns, such as 9x12".to_owned())
}

fn parse_boxes(text: &str) -> Result<u8, String> {
    text.parse().map_err(|_| "expected a number of boxes, at most 255".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn custom(size: &str, boxes: &str) -> Result<LevelKind, String> {
        Sokoban.custom_kind(&BTreeMap::from([("size", size.to_owned()), ("boxes", boxes.to_owned())]))
    }

    #[test]
    fn a_shape_without_a_name_is_called_by_its_size() {
        let kind = custom("6x9", "2").unwrap();
        assert_eq!((kind.name.as_str(), kind.description.as_str()), ("6x9-2", "6x9 with 2 boxes"));
        assert!(custom("6", "2").err().unwrap().contains("such as 9x12"));
        assert!(custom("6x9", "many").err().unwrap().contains("a number of boxes"));
        assert!(custom("3x9", "1").err().unwrap().contains("rows and columns are from 4 to 64"));
    }

    #[test]
    fn the_presets_are_the_sets_of_the_benchmark() {
        let presets = Sokoban.presets();
        let counts =
            presets.iter().map(|preset| (preset.name, preset.counts.iter().map(|(_, count)| count).sum()));
        let counts: Vec<(&str, usize)> = counts.collect();
        assert_eq!(counts, [("full", 182), ("mini", 20), ("train", 11_500)]);
        assert_eq!(presets.iter().filter(|preset| preset.excludes_shipped).count(), 1);
    }
}
