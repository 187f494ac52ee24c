//! Colours that models name reliably, and pictures of them.

use mageyard_domain::Picture;

/// A colour with the names that count as right.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Color {
    pub(super) names: &'static [&'static str],
    rgb: [u8; 3],
}

/// All colours; each is far from the others.
pub(super) const COLORS: [Color; 8] = [
    Color { names: &["red", "crimson", "scarlet"], rgb: [230, 0, 0] },
    Color { names: &["green", "lime"], rgb: [0, 170, 0] },
    Color { names: &["blue", "navy"], rgb: [0, 0, 230] },
    Color { names: &["yellow", "gold"], rgb: [255, 230, 0] },
    Color { names: &["black"], rgb: [0, 0, 0] },
    Color { names: &["white"], rgb: [255, 255, 255] },
    Color { names: &["purple", "magenta", "violet", "pink", "fuchsia"], rgb: [160, 0, 180] },
    Color { names: &["orange"], rgb: [255, 130, 0] },
];

/// The side of a picture in pixels.
const SIDE: u32 = 64;

/// A picture of four quarters: top left, top right, bottom left, bottom right. With one colour all are the same.
pub(super) fn quarters(colors: &[&Color]) -> Option<Picture> {
    let half = SIDE / 2;
    let color = |x: u32, y: u32| {
        let quarter = usize::from(y >= half) * 2 + usize::from(x >= half);
        colors.get(quarter).or(colors.first()).map_or([128; 3], |color| color.rgb)
    };
    let pixels = (0..SIDE).flat_map(|y| (0..SIDE).flat_map(move |x| color(x, y)));
    Picture::new(SIDE, SIDE, 1, pixels.collect::<Vec<u8>>())
}

/// The colours that a text names, in order.
pub(super) fn named(text: &str) -> Vec<&'static Color> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphabetic());
    words.filter_map(|word| COLORS.iter().find(|color| color.names.contains(&word))).collect()
}
