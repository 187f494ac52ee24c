//! The scenes that an argument names: a level set, a level of one, or a file.

use std::path::Path;

use mageyard_domain::{EnvironmentSpec, Level, LevelError};
use mageyard_football::{Football, Scene, scene_of};

use super::exit::Failure;

/// The scenes of `football/mini`, `football/mini/3` or `my.football`.
pub(super) fn scenes(reference: &str) -> Result<Vec<Scene>, Failure> {
    let wrong = |why: LevelError| Failure::Level { reference: reference.to_owned(), why };
    let levels = levels(reference)?;
    levels.iter().map(scene_of).collect::<Result<_, _>>().map_err(wrong)
}

fn levels(reference: &str) -> Result<Vec<Level>, Failure> {
    let wrong = |why: LevelError| Failure::Level { reference: reference.to_owned(), why };
    let path = Path::new(reference);
    if path.is_file() {
        let text = std::fs::read_to_string(path).map_err(|why| Failure::Read { path: path.into(), why })?;
        return Football.parse_levels(&text).map_err(wrong);
    }
    let missing = || Failure::NoLevel { reference: reference.to_owned() };
    let mut parts = reference.split('/');
    if parts.next() != Some(Football.name()) {
        return Err(missing());
    }
    let name = parts.next().unwrap_or(Football.level_sets()[0].name);
    let set = Football.level_sets().iter().find(|set| set.name == name).ok_or_else(missing)?;
    let mut levels = Football.parse_levels(set.text).map_err(wrong)?;
    if let Some(wanted) = parts.next() {
        levels.retain(|level| level.number.to_string() == wanted);
    }
    if levels.is_empty() || parts.next().is_some() { Err(missing()) } else { Ok(levels) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_levels_and_nothing_else_are_found() {
        assert_eq!(scenes("football/mini").unwrap().len(), 20);
        assert_eq!(scenes("football").unwrap().len(), 20);
        let one = scenes("football/mini/3").unwrap();
        assert_eq!(one, scenes("football/mini").unwrap()[2..3]);
        for reference in
            ["hanoi/first", "football/none", "football/mini/21", "football/mini/1/2", "none.football"]
        {
            let failure = scenes(reference).unwrap_err();
            assert_eq!(failure.to_string(), format!("{reference} is not a Football level"));
        }
    }
}
