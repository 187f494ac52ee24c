//! List styles: the formatting of the nine levels of a text (section 21.1.2.4).

use std::rc::Rc;

use super::format::{ParagraphFormat, RunFormat};
use super::theme::Theme;
use crate::office::Element;

/// The levels of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct ListStyle {
    levels: Vec<Level>,
}

#[derive(Clone, Debug, Default)]
struct Level {
    paragraph: ParagraphFormat,
    run: RunFormat,
}

/// The elements of the levels.
const LEVELS: [&str; 9] = [
    "a:lvl1pPr",
    "a:lvl2pPr",
    "a:lvl3pPr",
    "a:lvl4pPr",
    "a:lvl5pPr",
    "a:lvl6pPr",
    "a:lvl7pPr",
    "a:lvl8pPr",
    "a:lvl9pPr",
];

/// The most elements of a list style: nine levels, what is usual, and extensions.
const LARGEST: usize = 50;

impl ListStyle {
    /// Reads `a:lstStyle` or an element like it.
    pub(super) fn read(element: Option<&Element>, theme: &Theme) -> Result<Self, String> {
        let Some(element) = element else { return Ok(Self::default()) };
        match element.elements().take(LARGEST + 1).count() {
            0 => return Ok(Self::default()),
            1..=LARGEST => {}
            _ => return Err(format!("a list style has more than {LARGEST} elements")),
        }
        let level = |name: &&str| {
            let properties = element.elements().find(|child| child.is(name));
            let run = properties.and_then(|properties| properties.child("a:defRPr"));
            Ok(Level {
                paragraph: ParagraphFormat::read(properties, theme)?,
                run: RunFormat::read(run, theme)?,
            })
        };
        Ok(Self { levels: LEVELS.iter().map(level).collect::<Result<_, String>>()? })
    }

    /// The same formatting of runs in all levels.
    pub(super) fn uniform(run: RunFormat) -> Self {
        let level = Level { paragraph: ParagraphFormat::default(), run };
        Self { levels: vec![level; LEVELS.len()] }
    }

    fn level(&self, level: usize) -> Option<&Level> {
        self.levels.get(level)
    }
}

/// List styles, the nearest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain(pub(super) Vec<Rc<ListStyle>>);

impl Chain {
    /// What a paragraph of a level has.
    pub(super) fn paragraph(&self, direct: &ParagraphFormat, level: usize) -> ParagraphFormat {
        let levels = self.0.iter().filter_map(|style| style.level(level));
        levels.fold(direct.clone(), |format, level| format.over(&level.paragraph)).complete()
    }

    /// What a run in a paragraph of a level has.
    pub(super) fn run(&self, direct: &RunFormat, level: usize, theme: &Theme) -> RunFormat {
        let levels = self.0.iter().filter_map(|style| style.level(level));
        levels.fold(direct.clone(), |format, level| format.over(&level.run)).complete(theme)
    }
}
