//! What fills a slide, a layout or a master (section 19.3.1.1).

use super::color::{self, Paint};
use super::theme::Theme;
use crate::office::{Element, Relations};

/// The background of a slide, layout or master, if it says one.
pub(super) fn read(root: &Element, theme: &Theme, relations: &Relations) -> Result<Option<Paint>, String> {
    let Some(background) = root.at(&["p:cSld", "p:bg"]) else { return Ok(None) };
    if let Some(properties) = background.child("p:bgPr") {
        let picture = properties.at(&["a:blipFill", "a:blip"]);
        let target = picture.and_then(|blip| blip.attr("r:embed")).and_then(|id| relations.part(id));
        return Ok(match target {
            Some(_) => Some(Paint::Other("a picture".into())),
            None => color::fill(properties, theme)?,
        });
    }
    let Some(reference) = background.child("p:bgRef") else { return Ok(None) };
    let index = super::format::whole(reference, "idx")?.unwrap_or(0);
    let paint = color::read(reference, theme)?;
    Ok(match (index, paint) {
        // The first fill of a theme is plain; the others are its own gradients and pictures.
        (1001, paint) => paint,
        (0 | 1000, _) => None,
        (index, paint) => {
            let color = paint.map_or_else(|| "no color".to_owned(), |paint| paint.to_string());
            Some(Paint::Other(format!("the fill {index} of the theme with {color}").into()))
        }
    })
}
