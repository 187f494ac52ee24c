//! A theme file: a parent, a palette, and styles by role. Unknown names are errors with their line. The palette of
//! a theme also changes the colours of styles that it inherits.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::style_role::StyleRole;
use mageyard_config::Problem;

/// Finds the file of a parent theme by its name.
pub(super) type FindTheme<'a> = &'a dyn Fn(&str) -> Option<(PathBuf, String)>;

const ANSI_NAMES: [(&str, Color); 17] = [
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
];

/// How often a palette name may refer to another palette name.
const MAX_ALIAS_DEPTH: u8 = 8;

const SECTIONS: [&str; 3] = ["parent", "palette", "styles"];
const FIELDS: [&str; 7] = ["fg", "bg", "bold", "dim", "italic", "underline", "reverse"];

/// The name of a colour and its position in the file.
#[derive(Clone)]
struct ColorName {
    name: String,
    source: ThemeFile,
    span: Range<usize>,
}

/// The path and text of one file.
#[derive(Clone)]
struct ThemeFile {
    file: PathBuf,
    text: Arc<str>,
}

impl ThemeFile {
    fn problem(&self, what: impl Into<String>, span: Range<usize>) -> Problem {
        Problem::new(what).at(self.file.clone(), self.text.clone(), span)
    }
}

#[derive(Clone, Default)]
struct StyleSpec {
    fg: Option<ColorName>,
    bg: Option<ColorName>,
    add: Modifier,
}

/// The merged layers, with colours still by name.
#[derive(Default)]
pub(super) struct ThemeLayers {
    palette: BTreeMap<String, ColorName>,
    styles: BTreeMap<StyleRole, StyleSpec>,
}

impl ThemeLayers {
    /// Reads a file and applies it over its parents. `seen` holds the names of the themes read so far.
    pub(super) fn read(
        file: &Path,
        text: &str,
        seen: &mut Vec<String>,
        find: FindTheme<'_>,
    ) -> Result<Self, Problem> {
        let source = ThemeFile { file: file.to_owned(), text: text.into() };
        let table = DeTable::parse(text).map_err(|error| syntax(&source, &error))?;
        let table = table.get_ref();
        check_names(&source, table, &SECTIONS, "section")?;
        let mut sheet = match table.get("parent") {
            Some(parent) => Self::parent(&source, parent, seen, find)?,
            None => Self::default(),
        };
        sheet.apply(&source, table)?;
        Ok(sheet)
    }

    fn parent(
        source: &ThemeFile,
        value: &Spanned<DeValue<'_>>,
        seen: &mut Vec<String>,
        find: FindTheme<'_>,
    ) -> Result<Self, Problem> {
        let name = string(source, value)?;
        if seen.iter().any(|known| known == name) {
            return Err(source.problem(format!("the theme {name:?} inherits from itself"), value.span()));
        }
        seen.push(name.to_owned());
        let missing = || source.problem(format!("there is no parent theme {name:?}"), value.span());
        let (file, text) = find(name).ok_or_else(missing)?;
        Self::read(&file, &text, seen, find)
    }

    fn apply(&mut self, source: &ThemeFile, table: &DeTable<'_>) -> Result<(), Problem> {
        for (name, value) in section(source, table, "palette")? {
            let paint = color_name(source, value)?;
            self.palette.insert(name.get_ref().to_string(), paint);
        }
        for (name, value) in section(source, table, "styles")? {
            let role = StyleRole::named(name.get_ref()).ok_or_else(|| unknown_role(source, name))?;
            self.styles.insert(role, style_spec(source, value)?);
        }
        Ok(())
    }

    /// The resolved style of each role.
    pub(super) fn resolve(&self) -> Result<[Style; StyleRole::COUNT], Problem> {
        let mut styles = [Style::new(); StyleRole::COUNT];
        for role in StyleRole::all() {
            let mut chain = std::iter::successors(Some(role), |role| role.fallback());
            if let Some(spec) = chain.find_map(|role| self.styles.get(&role)) {
                styles[role as usize] = self.style(spec)?;
            }
        }
        // Unused palette entries must be valid colours too.
        self.palette.values().try_for_each(|paint| self.color(paint, 0).map(drop))?;
        Ok(styles)
    }

    fn style(&self, spec: &StyleSpec) -> Result<Style, Problem> {
        let color = |paint: &Option<ColorName>| paint.as_ref().map(|paint| self.color(paint, 0)).transpose();
        Ok(Style { fg: color(&spec.fg)?, bg: color(&spec.bg)?, ..Style::new() }.add_modifier(spec.add))
    }

    /// The colour of a name. Palette names may refer to one another, up to `MAX_ALIAS_DEPTH` levels.
    fn color(&self, paint: &ColorName, depth: u8) -> Result<Color, Problem> {
        if let Some(named) = self.palette.get(&paint.name) {
            let circle = || {
                paint.source.problem(
                    format!("the palette name {:?} refers to itself", paint.name),
                    paint.span.clone(),
                )
            };
            return if depth < MAX_ALIAS_DEPTH { self.color(named, depth + 1) } else { Err(circle()) };
        }
        if let Some((_, color)) = ANSI_NAMES.iter().find(|(name, _)| *name == paint.name) {
            return Ok(*color);
        }
        let hex = paint.name.starts_with('#').then(|| Color::from_str(&paint.name).ok()).flatten();
        hex.ok_or_else(|| self.unknown_color(paint))
    }

    fn unknown_color(&self, paint: &ColorName) -> Problem {
        let known = self.palette.keys().map(String::as_str).chain(ANSI_NAMES.iter().map(|row| row.0));
        let what =
            format!("{:?} is not a colour (a palette name, a terminal colour or \"#rrggbb\")", paint.name);
        paint.source.problem(what, paint.span.clone()).with_suggestions(&paint.name, known)
    }
}

fn syntax(source: &ThemeFile, error: &toml::de::Error) -> Problem {
    source.problem(error.message(), error.span().unwrap_or(0..0))
}

fn unknown_role(source: &ThemeFile, name: &Spanned<DeString<'_>>) -> Problem {
    let what = format!("{:?} is not a style", name.get_ref());
    source
        .problem(what, name.span())
        .with_suggestions(name.get_ref(), StyleRole::all().map(StyleRole::name).collect::<Vec<_>>())
}

fn check_names(
    source: &ThemeFile,
    table: &DeTable<'_>,
    known: &[&'static str],
    kind: &str,
) -> Result<(), Problem> {
    match table.keys().find(|name| !known.contains(&name.get_ref().as_ref())) {
        None => Ok(()),
        Some(name) => {
            let what = format!("there is no {kind} {:?} in a theme", name.get_ref());
            Err(source.problem(what, name.span()).with_suggestions(name.get_ref(), known.iter().copied()))
        }
    }
}

type SectionRows<'a, 'i> = Vec<(&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>)>;

fn section<'a, 'i>(
    source: &ThemeFile,
    table: &'a DeTable<'i>,
    name: &str,
) -> Result<SectionRows<'a, 'i>, Problem> {
    let Some(value) = table.get(name) else { return Ok(Vec::new()) };
    let rows = value.get_ref().as_table().map(|rows| rows.iter().collect());
    rows.ok_or_else(|| source.problem(format!("{name} must be a table, written [{name}]"), value.span()))
}

fn string<'a>(source: &ThemeFile, value: &'a Spanned<DeValue<'_>>) -> Result<&'a str, Problem> {
    let wrong = || {
        source.problem(
            format!("expected a string in quotes, found {}", value.get_ref().type_str()),
            value.span(),
        )
    };
    value.get_ref().as_str().ok_or_else(wrong)
}

fn color_name(source: &ThemeFile, value: &Spanned<DeValue<'_>>) -> Result<ColorName, Problem> {
    let name = string(source, value)?.to_owned();
    Ok(ColorName { name, source: source.clone(), span: value.span() })
}

fn style_spec(source: &ThemeFile, value: &Spanned<DeValue<'_>>) -> Result<StyleSpec, Problem> {
    let Some(table) = value.get_ref().as_table() else {
        return Ok(StyleSpec { fg: Some(color_name(source, value)?), ..StyleSpec::default() });
    };
    check_names(source, table, &FIELDS, "field")?;
    let color = |name: &str| table.get(name).map(|value| color_name(source, value)).transpose();
    let mut spec = StyleSpec { fg: color("fg")?, bg: color("bg")?, add: Modifier::empty() };
    for (name, modifier) in [
        ("bold", Modifier::BOLD),
        ("dim", Modifier::DIM),
        ("italic", Modifier::ITALIC),
        ("underline", Modifier::UNDERLINED),
        ("reverse", Modifier::REVERSED),
    ] {
        spec.add.set(modifier, table.get(name).map_or(Ok(false), |value| boolean(source, value))?);
    }
    Ok(spec)
}

fn boolean(source: &ThemeFile, value: &Spanned<DeValue<'_>>) -> Result<bool, Problem> {
    let wrong = || source.problem("expected true or false", value.span());
    value.get_ref().as_bool().ok_or_else(wrong)
}
