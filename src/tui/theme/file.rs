//! A theme file: a parent, a palette, and styles by role. Unknown names are refused with their
//! line. A palette of the child repaints the styles of the parent.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use ratatui::style::Color;
use ratatui::style::Modifier;
use ratatui::style::Style;
use toml::Spanned;
use toml::de::DeString;
use toml::de::DeTable;
use toml::de::DeValue;

use super::role::Role;
use crate::config::Problem;

/// Finds the file of a parent theme by its name.
pub(super) type Lookup<'a> = &'a dyn Fn(&str) -> Option<(PathBuf, String)>;

const ANSI: [(&str, Color); 17] = [
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

/// How often a name may stand for another name.
const DEEPEST: u8 = 8;

const SECTIONS: [&str; 3] = ["parent", "palette", "styles"];
const FIELDS: [&str; 7] = ["fg", "bg", "bold", "dim", "italic", "underline", "reverse"];

/// A name of a colour and where it is written.
#[derive(Clone)]
struct Paint {
    name: String,
    source: Source,
    span: Range<usize>,
}

/// One file.
#[derive(Clone)]
struct Source {
    file: PathBuf,
    text: Arc<str>,
}

impl Source {
    fn refuse(&self, what: impl Into<String>, span: Range<usize>) -> Problem {
        Problem::new(what).at(self.file.clone(), self.text.clone(), span)
    }
}

#[derive(Clone, Default)]
struct Spec {
    fg: Option<Paint>,
    bg: Option<Paint>,
    add: Modifier,
}

/// The merged layers, colours still by name.
#[derive(Default)]
pub(super) struct Sheet {
    palette: BTreeMap<String, Paint>,
    styles: BTreeMap<Role, Spec>,
}

impl Sheet {
    /// Lays this file over its parents. `seen` holds the names on the way here.
    pub(super) fn read(
        file: &Path,
        text: &str,
        seen: &mut Vec<String>,
        find: Lookup<'_>,
    ) -> Result<Self, Problem> {
        let source = Source { file: file.to_owned(), text: text.into() };
        let table = DeTable::parse(text).map_err(|error| syntax(&source, &error))?;
        let table = table.get_ref();
        check_names(&source, table, &SECTIONS, "section")?;
        let mut sheet = match table.get("parent") {
            Some(parent) => Self::parent(&source, parent, seen, find)?,
            None => Self::default(),
        };
        sheet.lay(&source, table)?;
        Ok(sheet)
    }

    fn parent(
        source: &Source,
        value: &Spanned<DeValue<'_>>,
        seen: &mut Vec<String>,
        find: Lookup<'_>,
    ) -> Result<Self, Problem> {
        let name = string(source, value)?;
        if seen.iter().any(|known| known == name) {
            return Err(source.refuse(format!("the theme {name:?} is its own ancestor"), value.span()));
        }
        seen.push(name.to_owned());
        let missing = || source.refuse(format!("there is no theme {name:?} to be the parent"), value.span());
        let (file, text) = find(name).ok_or_else(missing)?;
        Self::read(&file, &text, seen, find)
    }

    fn lay(&mut self, source: &Source, table: &DeTable<'_>) -> Result<(), Problem> {
        for (name, value) in section(source, table, "palette")? {
            let paint = paint(source, value)?;
            self.palette.insert(name.get_ref().to_string(), paint);
        }
        for (name, value) in section(source, table, "styles")? {
            let role = Role::named(name.get_ref()).ok_or_else(|| unknown_role(source, name))?;
            self.styles.insert(role, spec(source, value)?);
        }
        Ok(())
    }

    /// The finished styles, one a role.
    pub(super) fn resolve(&self) -> Result<[Style; Role::COUNT], Problem> {
        let mut styles = [Style::new(); Role::COUNT];
        for role in Role::all() {
            let mut chain = std::iter::successors(Some(role), |role| role.fallback());
            if let Some(spec) = chain.find_map(|role| self.styles.get(&role)) {
                styles[role as usize] = self.style(spec)?;
            }
        }
        // A colour of the palette that nothing uses must still be a colour.
        self.palette.values().try_for_each(|paint| self.color(paint, 0).map(drop))?;
        Ok(styles)
    }

    fn style(&self, spec: &Spec) -> Result<Style, Problem> {
        let color = |paint: &Option<Paint>| paint.as_ref().map(|paint| self.color(paint, 0)).transpose();
        Ok(Style { fg: color(&spec.fg)?, bg: color(&spec.bg)?, ..Style::new() }.add_modifier(spec.add))
    }

    /// The colour of a name; names of the palette may name one another, a few levels deep.
    fn color(&self, paint: &Paint, depth: u8) -> Result<Color, Problem> {
        if let Some(named) = self.palette.get(&paint.name) {
            let circle = || {
                paint.source.refuse(format!("{:?} names itself in a circle", paint.name), paint.span.clone())
            };
            return if depth < DEEPEST { self.color(named, depth + 1) } else { Err(circle()) };
        }
        if let Some((_, color)) = ANSI.iter().find(|(name, _)| *name == paint.name) {
            return Ok(*color);
        }
        let hex = paint.name.starts_with('#').then(|| Color::from_str(&paint.name).ok()).flatten();
        hex.ok_or_else(|| self.unknown_color(paint))
    }

    fn unknown_color(&self, paint: &Paint) -> Problem {
        let known = self.palette.keys().map(String::as_str).chain(ANSI.iter().map(|row| row.0));
        let what =
            format!("{:?} is no colour (a palette name, a terminal colour or \"#rrggbb\")", paint.name);
        paint.source.refuse(what, paint.span.clone()).known(&paint.name, known)
    }
}

fn syntax(source: &Source, error: &toml::de::Error) -> Problem {
    source.refuse(error.message(), error.span().unwrap_or(0..0))
}

fn unknown_role(source: &Source, name: &Spanned<DeString<'_>>) -> Problem {
    let what = format!("{:?} is no style", name.get_ref());
    source.refuse(what, name.span()).known(name.get_ref(), Role::all().map(Role::name).collect::<Vec<_>>())
}

fn check_names(
    source: &Source,
    table: &DeTable<'_>,
    known: &[&'static str],
    kind: &str,
) -> Result<(), Problem> {
    match table.keys().find(|name| !known.contains(&name.get_ref().as_ref())) {
        None => Ok(()),
        Some(name) => {
            let what = format!("there is no {kind} {:?} in a theme", name.get_ref());
            Err(source.refuse(what, name.span()).known(name.get_ref(), known.iter().copied()))
        }
    }
}

type Rows<'a, 'i> = Vec<(&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>)>;

fn section<'a, 'i>(source: &Source, table: &'a DeTable<'i>, name: &str) -> Result<Rows<'a, 'i>, Problem> {
    let Some(value) = table.get(name) else { return Ok(Vec::new()) };
    let rows = value.get_ref().as_table().map(|rows| rows.iter().collect());
    rows.ok_or_else(|| source.refuse(format!("{name} is a table, written [{name}]"), value.span()))
}

fn string<'a>(source: &Source, value: &'a Spanned<DeValue<'_>>) -> Result<&'a str, Problem> {
    let wrong = || {
        source
            .refuse(format!("a string in quotes is wanted, not {}", value.get_ref().type_str()), value.span())
    };
    value.get_ref().as_str().ok_or_else(wrong)
}

fn paint(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<Paint, Problem> {
    let name = string(source, value)?.to_owned();
    Ok(Paint { name, source: source.clone(), span: value.span() })
}

fn spec(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<Spec, Problem> {
    let Some(table) = value.get_ref().as_table() else {
        return Ok(Spec { fg: Some(paint(source, value)?), ..Spec::default() });
    };
    check_names(source, table, &FIELDS, "field")?;
    let color = |name: &str| table.get(name).map(|value| paint(source, value)).transpose();
    let mut spec = Spec { fg: color("fg")?, bg: color("bg")?, add: Modifier::empty() };
    for (name, modifier) in [
        ("bold", Modifier::BOLD),
        ("dim", Modifier::DIM),
        ("italic", Modifier::ITALIC),
        ("underline", Modifier::UNDERLINED),
        ("reverse", Modifier::REVERSED),
    ] {
        spec.add.set(modifier, table.get(name).map_or(Ok(false), |value| switch(source, value))?);
    }
    Ok(spec)
}

fn switch(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<bool, Problem> {
    let wrong = || source.refuse("true or false is wanted", value.span());
    value.get_ref().as_bool().ok_or_else(wrong)
}
