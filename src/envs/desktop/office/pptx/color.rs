//! Colors and other fills, as a person sees them.

use std::rc::Rc;

use super::format::name;
use super::theme::Theme;
use crate::office::Element;
use crate::office::docx::rgb;

/// What fills a text or a slide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Red, green, blue.
    Rgb([u8; 3]),
    /// Something else, such as a gradient, in words.
    Other(Rc<str>),
}

impl std::fmt::Display for Paint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rgb([red, green, blue]) => write!(formatter, "{red:02X}{green:02X}{blue:02X}"),
            Self::Other(words) => formatter.write_str(words),
        }
    }
}

/// The most parts of a description: stops of a gradient, transformations of a color.
const PARTS: usize = 20;

/// The fill in an element such as `a:rPr`, if it says one.
pub(super) fn fill(parent: &Element, theme: &Theme) -> Result<Option<Paint>, String> {
    let other = |words: String| Ok(Some(Paint::Other(words.into())));
    for element in parent.elements() {
        match element.local() {
            "solidFill" => return Ok(read(element, theme)?.or(Some(Paint::Other("no color".into())))),
            "noFill" => return other("no fill".to_owned()),
            "gradFill" => return other(format!("a gradient of {}", stops(element, theme)?)),
            "blipFill" => return other("a picture".to_owned()),
            "pattFill" => {
                let name = name(element, "prst")?.unwrap_or_default();
                return other(format!("the pattern {name:?}"));
            }
            _ => {}
        }
    }
    Ok(None)
}

fn stops(gradient: &Element, theme: &Theme) -> Result<String, String> {
    let stops = gradient.descendants("a:gs");
    let color = |stop: &&Element| {
        let paint = read(stop, theme)?;
        Ok(paint.map_or_else(|| "no color".to_owned(), |paint| paint.to_string()))
    };
    let colors: Vec<String> = stops.iter().take(PARTS).map(color).collect::<Result<_, String>>()?;
    Ok(colors.join(", "))
}

/// The color in an element such as `a:solidFill` (section 20.1.2.3).
pub(super) fn read(parent: &Element, theme: &Theme) -> Result<Option<Paint>, String> {
    const COLORS: [&str; 6] = ["srgbClr", "sysClr", "schemeClr", "prstClr", "scrgbClr", "hslClr"];
    let color = parent.elements().find(|element| COLORS.contains(&element.local()));
    let Some(element) = color else { return Ok(None) };
    let value = name(element, "val")?.unwrap_or_default();
    let base = match element.local() {
        "srgbClr" => rgb(&value).map(Paint::Rgb),
        "sysClr" => element.attr("lastClr").and_then(rgb).map(Paint::Rgb),
        "schemeClr" => theme.color(&value),
        "prstClr" => preset(&value).map(Paint::Rgb),
        _ => None,
    };
    let base = base.unwrap_or_else(|| Paint::Other(format!("the color {value:?}").into()));
    changed(base, element).map(Some)
}

/// A color after its transformations. Those that are not computed stay words.
fn changed(base: Paint, element: &Element) -> Result<Paint, String> {
    element.elements().take(PARTS).try_fold(base, |paint, change| {
        let value = name(change, "val")?.unwrap_or_default();
        let share =
            value.parse::<f64>().ok().filter(|share| share.is_finite()).map(|share| share / 100_000.0);
        Ok(match (change.local(), share, &paint) {
            ("lumMod", Some(share), Paint::Rgb(rgb)) => {
                Paint::Rgb(with_luminance(*rgb, |light| light * share))
            }
            ("lumOff", Some(share), Paint::Rgb(rgb)) => {
                Paint::Rgb(with_luminance(*rgb, |light| light + share))
            }
            ("shade", Some(share), Paint::Rgb(rgb)) => Paint::Rgb(with_light(*rgb, |light| light * share)),
            ("tint", Some(share), Paint::Rgb(rgb)) => {
                Paint::Rgb(with_light(*rgb, |light| light * share + 1.0 - share))
            }
            ("alpha", Some(share), _) if share >= 1.0 => paint,
            (name, _, _) => Paint::Other(format!("{paint} with {name} {value:?}").into()),
        })
    })
}

/// A color of another luminance, which is between 0 and 1, at the same hue and saturation.
fn with_luminance(rgb: [u8; 3], change: impl Fn(f64) -> f64) -> [u8; 3] {
    let channels = rgb.map(|channel| f64::from(channel) / 255.0);
    let largest = channels.iter().copied().fold(0.0, f64::max);
    let smallest = channels.iter().copied().fold(1.0, f64::min);
    let light = f64::midpoint(largest, smallest);
    let spread = largest - smallest;
    let saturation = if spread == 0.0 { 0.0 } else { spread / (1.0 - (2.0 * light - 1.0).abs()) };
    let wanted = change(light).clamp(0.0, 1.0);
    let wanted_spread = saturation * (1.0 - (2.0 * wanted - 1.0).abs());
    let low = wanted - wanted_spread / 2.0;
    channels.map(|channel| {
        let place = if spread == 0.0 { 0.0 } else { (channel - smallest) / spread };
        byte(low + place * wanted_spread)
    })
}

/// A color of which the channels have another amount of light (sRGB, IEC 61966-2-1).
fn with_light(rgb: [u8; 3], change: impl Fn(f64) -> f64) -> [u8; 3] {
    rgb.map(|channel| {
        let level = f64::from(channel) / 255.0;
        let light = if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) };
        let wanted = change(light).clamp(0.0, 1.0);
        byte(if wanted <= 0.003_130_8 { wanted * 12.92 } else { 1.055 * wanted.powf(1.0 / 2.4) - 0.055 })
    })
}

/// A share as a byte.
fn byte(share: f64) -> u8 {
    let level = (share * 255.0).round();
    (0..=u8::MAX).find(|byte| f64::from(*byte) >= level).unwrap_or(u8::MAX)
}

fn preset(name: &str) -> Option<[u8; 3]> {
    const NAMES: &[(&str, [u8; 3])] = &[
        ("black", [0, 0, 0]),
        ("white", [255, 255, 255]),
        ("red", [255, 0, 0]),
        ("lime", [0, 255, 0]),
        ("green", [0, 128, 0]),
        ("blue", [0, 0, 255]),
        ("yellow", [255, 255, 0]),
        ("cyan", [0, 255, 255]),
        ("magenta", [255, 0, 255]),
        ("gray", [128, 128, 128]),
        ("orange", [255, 165, 0]),
        ("purple", [128, 0, 128]),
    ];
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, rgb)| *rgb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_and_shades_are_of_light() {
        // As PowerPoint has it: black with a tint of 75 %.
        assert_eq!(with_light([0, 0, 0], |light| light * 0.75 + 0.25), [0x89, 0x89, 0x89]);
        assert_eq!(with_light([1, 99, 255], |light| light), [1, 99, 255]);
        assert_eq!(with_light([9, 99, 199], |light| light * 1e300), [255, 255, 255]);
    }

    #[test]
    fn luminance_keeps_the_hue() {
        assert_eq!(with_luminance([255, 0, 0], |light| light * 0.5), [128, 0, 0]);
        assert_eq!(with_luminance([0, 0, 0], |light| light * 0.5 + 0.5), [128, 128, 128]);
        assert_eq!(with_luminance([0, 0, 255], |light| light + 9.0), [255, 255, 255]);
        assert_eq!(with_luminance([9, 99, 199], |light| light), [9, 99, 199]);
        // As PowerPoint has it: accent 1 of the theme of 2013, 40 % lighter.
        assert_eq!(with_luminance([0x44, 0x72, 0xC4], |light| light * 0.6 + 0.4), [0x8F, 0xAA, 0xDC]);
    }
}
