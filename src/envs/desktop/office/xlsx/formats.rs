//! Which number formats show dates (section 18.8.30).

use std::collections::HashMap;

use crate::office::Element;

/// The number formats of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Formats {
    dates: Vec<bool>,
}

impl Formats {
    pub(super) fn read(root: &Element) -> Self {
        let custom = root.child("s:numFmts").into_iter().flat_map(|formats| formats.children("s:numFmt"));
        let custom: HashMap<u32, &str> = custom
            .filter_map(|format| Some((format.attr("numFmtId")?.parse().ok()?, format.attr("formatCode")?)))
            .collect();
        let is_date = |format: &Element| {
            let id = format.attr("numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
            custom.get(&id).map_or_else(|| is_built_in_date(id), |code| shows_date(code))
        };
        let cells = root.child("s:cellXfs").into_iter().flat_map(|formats| formats.children("s:xf"));
        Self { dates: cells.map(is_date).collect() }
    }

    /// Whether a cell with this style shows a date or a time.
    pub(super) fn is_date(&self, style: Option<&str>) -> bool {
        let index = style.and_then(|style| style.parse::<usize>().ok()).unwrap_or(0);
        self.dates.get(index).copied().unwrap_or(false)
    }
}

fn is_built_in_date(id: u32) -> bool {
    matches!(id, 14..=22 | 27..=36 | 45..=47 | 50..=58)
}

/// Whether a format has a part of a date outside of quotes, brackets and escapes.
fn shows_date(code: &str) -> bool {
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => while characters.next().is_some_and(|next| next != '"') {},
            '[' => while characters.next().is_some_and(|next| next != ']') {},
            '\\' | '_' | '*' => {
                characters.next();
            }
            'd' | 'm' | 'y' | 'h' | 's' | 'D' | 'M' | 'Y' | 'H' | 'S' => return true,
            ';' => return false,
            _ => {}
        }
    }
    false
}
