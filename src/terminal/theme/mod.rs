//! Themes: styles by role, read from TOML files. The shipped themes are compiled in.

mod catalog;
mod color_depth;
#[cfg(test)]
mod color_vision;
mod file;
#[cfg(test)]
mod legibility;
mod style_role;

pub use self::catalog::{configured_theme, load_theme, theme_catalog};
use std::path::{Path, PathBuf};

use ratatui::style::{Color, Style};

pub use color_depth::ColorDepth;
pub(crate) use color_depth::to_rgb;
pub use style_role::StyleRole;

use mageyard_config::Problem;

const SHIPPED: &[(&str, &str)] = &[
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("red-green-safe", include_str!("../../../themes/red-green-safe.toml")),
    ("blue-yellow-safe", include_str!("../../../themes/blue-yellow-safe.toml")),
    ("ansi16", include_str!("../../../themes/ansi16.toml")),
    ("ansi16-light", include_str!("../../../themes/ansi16-light.toml")),
    ("mono", include_str!("../../../themes/mono.toml")),
];

/// A style for every role.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    name: String,
    styles: [Style; StyleRole::COUNT],
}

impl Theme {
    /// The themes that ship with the program: name and text of the file, the default first.
    pub fn shipped() -> &'static [(&'static str, &'static str)] {
        SHIPPED
    }

    /// Reads a theme file. `parent` finds other themes by name; shipped themes are searched after it.
    pub fn parse(
        name: &str,
        file: &Path,
        text: &str,
        parent: &dyn Fn(&str) -> Option<(PathBuf, String)>,
    ) -> Result<Self, Problem> {
        // A theme with the name of a shipped one may have that as its parent.
        let find = |other: &str| parent(other).filter(|_| other != name).or_else(|| shipped(other));
        let styles = file::ThemeLayers::read(file, text, &mut Vec::new(), &find)?.resolve()?;
        Ok(Self { name: name.to_owned(), styles })
    }

    /// A shipped theme by name.
    pub fn named(name: &str) -> Result<Self, Problem> {
        let unknown = || {
            let known: Vec<_> = SHIPPED.iter().map(|row| row.0).collect();
            Problem::new(format!("there is no theme {name:?}")).with_suggestions(name, known)
        };
        let (file, text) = shipped(name).ok_or_else(unknown)?;
        Self::parse(name, &file, &text, &|_| None)
    }

    /// The name of the theme.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The style of a role.
    pub fn style(&self, role: StyleRole) -> Style {
        self.styles[role as usize]
    }

    /// Whether no style has a hue; then pictures are drawn in greys too.
    pub fn is_greyscale(&self) -> bool {
        let colors = self.styles.iter().flat_map(|style| [style.fg, style.bg]).flatten();
        colors.filter_map(to_rgb).all(|[r, g, b]| r == g && g == b)
    }

    /// The theme as a terminal of this depth can show it. Without colour this is the mono theme; with 16 colours a
    /// theme that defines colours of its own is replaced by the theme ansi16, or ansi16-light if its background is light;
    /// these keep the terminal's background.
    #[must_use]
    pub fn for_depth(&self, depth: ColorDepth) -> Self {
        let replacement = match depth {
            ColorDepth::None => Some("mono"),
            ColorDepth::Ansi16 if self.has_rgb() && self.is_light() => Some("ansi16-light"),
            ColorDepth::Ansi16 if self.has_rgb() => Some("ansi16"),
            _ => None,
        };
        let styles = match replacement.and_then(|name| Self::named(name).ok()) {
            Some(theme) => theme.styles,
            None => self.styles.map(|style| mapped(style, depth)),
        };
        Self { name: self.name.clone(), styles }
    }

    /// Whether the background is light.
    pub fn is_light(&self) -> bool {
        let ground = self.style(StyleRole::Background).bg.and_then(to_rgb);
        ground.is_some_and(|rgb| rgb.into_iter().map(u32::from).sum::<u32>() > 3 * 128)
    }

    /// Whether a style has a colour outside the terminal's own 16.
    fn has_rgb(&self) -> bool {
        let colors = self.styles.iter().flat_map(|style| [style.fg, style.bg]).flatten();
        colors.into_iter().any(|color| matches!(color, Color::Rgb(..) | Color::Indexed(16..)))
    }
}

#[cfg(any(test, feature = "testing"))]
impl Theme {
    /// A theme in which the colour of each role is its number.
    pub fn labelled() -> Self {
        let number = |role: StyleRole| Color::Indexed(u8::try_from(role as usize).unwrap_or(u8::MAX));
        let mut styles = [Style::new(); StyleRole::COUNT];
        for role in StyleRole::all() {
            styles[role as usize] = Style::new().fg(number(role));
        }
        styles[StyleRole::Background as usize] = Style::new();
        Self { name: "labelled".into(), styles }
    }
}

fn shipped(name: &str) -> Option<(PathBuf, String)> {
    let (name, text) = SHIPPED.iter().find(|row| row.0 == name)?;
    Some((PathBuf::from(format!("themes/{name}.toml")), (*text).to_owned()))
}

fn mapped(style: Style, depth: ColorDepth) -> Style {
    let map = |color| depth.nearest(color);
    Style { fg: style.fg.map(map), bg: style.bg.map(map), ..style }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;

    fn read(text: &str) -> Result<Theme, String> {
        Theme::parse("mine", Path::new("mine.toml"), text, &|name| {
            (name == "loop").then(|| (PathBuf::from("loop.toml"), "parent = \"loop\"".into()))
        })
        .map_err(|problem| problem.to_string())
    }

    #[test]
    fn every_shipped_theme_can_be_read() {
        for (name, _) in Theme::shipped() {
            let theme = Theme::named(name).unwrap();
            assert_eq!(theme.name(), *name);
        }
    }

    #[test]
    fn mono_has_no_colour() {
        for role in StyleRole::all() {
            let style = Theme::named("mono").unwrap().style(role);
            assert!(matches!(style.fg, None | Some(Color::Reset)), "{}", role.name());
            assert_eq!(style.bg, None, "{}", role.name());
        }
        assert_eq!(
            Theme::named("dark").unwrap().for_depth(ColorDepth::None).styles,
            Theme::named("mono").unwrap().styles
        );
    }

    #[test]
    fn sixteen_colors_use_the_theme_made_for_them() {
        let ansi16 = Theme::named("ansi16").unwrap();
        for name in ["dark", "red-green-safe", "blue-yellow-safe"] {
            let shown = Theme::named(name).unwrap().for_depth(ColorDepth::Ansi16);
            assert_eq!(shown.styles, ansi16.styles, "{name}");
        }
        let light = Theme::named("light").unwrap().for_depth(ColorDepth::Ansi16);
        assert_eq!(light.styles, Theme::named("ansi16-light").unwrap().styles);
        assert_eq!(ansi16.style(StyleRole::Background).bg, None);
        let own = read("[styles]\ntext = \"red\"").unwrap();
        assert_eq!(own.for_depth(ColorDepth::Ansi16).style(StyleRole::Text).fg, Some(Color::Red));
    }

    #[test]
    fn a_palette_overrides_that_of_the_parent() {
        let theme = read("parent = \"dark\"\n[palette]\nink = \"#010203\"").unwrap();
        assert_eq!(theme.style(StyleRole::Text).fg, Some(Color::Rgb(1, 2, 3)));
        assert_eq!(theme.style(StyleRole::Dim), Theme::named("dark").unwrap().style(StyleRole::Dim));
    }

    #[test]
    fn a_theme_may_have_the_shipped_theme_of_its_own_name_as_parent() {
        let own = "parent = \"dark\"\n[palette]\nink = \"#010203\"";
        let find = |name: &str| (name == "dark").then(|| (PathBuf::from("dark.toml"), own.to_owned()));
        let theme = Theme::parse("dark", Path::new("dark.toml"), own, &find).unwrap();
        assert_eq!(theme.style(StyleRole::Text).fg, Some(Color::Rgb(1, 2, 3)));
    }

    #[test]
    fn a_missing_role_uses_its_fallback() {
        let theme = read("[styles]\ntext = \"red\"\nwarn = { fg = \"blue\", bold = true }").unwrap();
        assert_eq!(theme.style(StyleRole::Dim).fg, Some(Color::Red));
        let fault = theme.style(StyleRole::Fault);
        assert_eq!((fault.fg, fault.add_modifier), (Some(Color::Blue), Modifier::BOLD));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, sentence) in [
            ("[styles]\n\ntxet = \"red\"", "mine.toml:3: \"txet\" is not a style; did you mean text?"),
            ("[style]\n", "mine.toml:1: there is no section \"style\" in a theme; did you mean styles?"),
            (
                "[palette]\nsky = \"#12\"",
                "mine.toml:2: \"#12\" is not a colour (a palette name, a terminal colour or \"#rrggbb\")",
            ),
            ("[styles]\ntext = 3", "mine.toml:2: expected a string in quotes, found integer"),
            ("[styles]\ntext = { bold = 1 }", "mine.toml:2: expected true or false"),
            ("parent = \"drak\"", "mine.toml:1: there is no parent theme \"drak\""),
            ("parent = \"loop\"", "loop.toml:1: the theme \"loop\" inherits from itself"),
            ("palette = 1", "mine.toml:1: palette must be a table, written [palette]"),
            ("[palette]\na = \"b\"\nb = \"a\"", "mine.toml:2: the palette name \"b\" refers to itself"),
            ("[styles", "mine.toml:1: unclosed table, expected `]`"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.starts_with(sentence), "{text:?}\n  said: {said}\n  want: {sentence}");
        }
    }
}
