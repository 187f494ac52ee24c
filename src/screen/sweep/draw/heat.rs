//! The heat of a place of a map: a background between that of the screen and that of bars, by the shade of the score. It says
//! nothing that the shade does not, so terminals with fewer colours leave it out.

use ratatui::style::{Color, Style};

use mageyard_terminal::{StyleRole, Theme};

/// The shades from low to high, with how much of the colour of bars their background has, in percent.
const SHADES: [(char, u16); 5] = [(' ', 10), ('░', 22), ('▒', 36), ('▓', 52), ('█', 70)];
/// From this share on the text is in the colour of the background.
const DARK_TEXT: u16 = 52;

/// The style of a place with this shade.
pub(super) fn heat_style(theme: &Theme, shade: char, text: StyleRole) -> Style {
    let plain = theme.style(text);
    let part = SHADES.iter().find(|(known, _)| *known == shade).map(|(_, part)| *part);
    let hottest = theme.style(StyleRole::Bar).fg.and_then(levels);
    let ground = theme.style(StyleRole::Background).bg.and_then(levels);
    let (Some(part), Some(hottest), Some(ground)) = (part, hottest, ground) else { return plain };
    let [red, green, blue] = [0, 1, 2].map(|index| mix(ground[index], hottest[index], part));
    let warm = plain.bg(Color::Rgb(red, green, blue));
    if part >= DARK_TEXT { warm.fg(Color::Rgb(ground[0], ground[1], ground[2])) } else { warm }
}

/// Red, green and blue of a colour that has them.
fn levels(color: Color) -> Option<[u8; 3]> {
    match color {
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        _ => None,
    }
}

/// A colour between two, with this share of the second in percent.
fn mix(from: u8, to: u8, share: u16) -> u8 {
    let sum = u16::from(from) * (100 - share) + u16::from(to) * share;
    u8::try_from(sum / 100).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixed_colour_is_between_its_ends() {
        assert_eq!([mix(0, 200, 0), mix(0, 200, 50), mix(0, 200, 100)], [0, 100, 200]);
        assert_eq!([mix(200, 0, 25), mix(255, 255, 70)], [150, 255]);
    }

    #[test]
    fn a_theme_without_mixed_colours_has_no_heat() {
        let theme = Theme::labelled();
        assert_eq!(heat_style(&theme, '█', StyleRole::Text), theme.style(StyleRole::Text));
    }
}
