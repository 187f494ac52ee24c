//! Tasks: a target page, its description, and the interactions with it. A level is one page of a pack.

mod description;
mod file_name;
mod interaction;
mod pack;
#[cfg(test)]
pub(super) mod testing;

pub(super) use self::description::DescriptionPart;
pub(super) use self::file_name::{file_name_error, page_name_error};
pub use self::interaction::{Interaction, parse_interactions};
pub(super) use self::pack::{MAX_FILE_BYTES, PackedFile, PackedPage};
use mageyard_domain::{FileLocation, Level, LevelError, LevelFormatError, sanitize};

/// The file with the description.
pub(super) const DESCRIPTION: &str = "task.md";
/// The file with the interactions.
pub(super) const INTERACTIONS: &str = "steps.json";
/// The files that an agent writes: page, styles and script.
pub(super) const WRITTEN: [&str; 3] = ["index.html", "style.css", "script.js"];
/// Extensions of files that are a part of the target's source, so that an agent never gets them.
const SOURCE_EXTENSIONS: [&str; 7] = ["html", "htm", "xhtml", "css", "js", "mjs", "map"];

/// A task.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Task {
    /// The name.
    pub(super) name: String,
    /// The files of the target page and the resources.
    pub(super) files: Vec<PackedFile>,
    /// The description.
    pub(super) description: Vec<DescriptionPart>,
    /// The interactions, in order.
    pub(super) interactions: Vec<Interaction>,
}

impl Task {
    /// The task of a level.
    pub(super) fn of_level(level: &Level) -> Result<Self, LevelError> {
        let (pages, errors) = pack::parse(level.text());
        match (pages.as_slice(), errors.into_iter().next()) {
            (_, Some(error)) => Err(error),
            ([page], None) => Self::of_page(page).map_err(|mut errors| errors.swap_remove(0)),
            (_, None) => Err(LevelError { line: 1, reason: "a level is exactly one page".into() }),
        }
    }

    /// The task of a page, or every error in it, at least one.
    fn of_page(page: &PackedPage) -> Result<Self, Vec<LevelError>> {
        let mut errors = Vec::new();
        let target = text_of(page, WRITTEN[0]).and_then(|(line, text)| {
            let empty = LevelError { line, reason: "the target page is empty".into() };
            if text.trim().is_empty() { Err(empty) } else { Ok(()) }
        });
        let interactions = match page.file(INTERACTIONS) {
            Some(_) => text_of(page, INTERACTIONS)
                .and_then(|(line, text)| parse_interactions(text).map_err(|error| within(line, error))),
            None => Ok(Vec::new()),
        };
        let description = text_of(page, DESCRIPTION)
            .and_then(|(line, text)| description::parse(text).map_err(|error| within(line, error)));
        errors.extend(target.err());
        let interactions = keep(interactions, &mut errors);
        let description = keep(description, &mut errors);
        if let Some((line, reason)) = wrong_picture(page, &description, interactions.len()) {
            errors.push(LevelError { line, reason });
        }
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.line);
            return Err(errors);
        }
        let belongs = |file: &&PackedFile| file.name != DESCRIPTION && file.name != INTERACTIONS;
        let files = page.files.iter().filter(belongs).cloned().collect();
        Ok(Self { name: page.name.clone(), files, description, interactions })
    }

    /// The file of this name.
    pub(super) fn file(&self, name: &str) -> Option<&PackedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The files that an agent's page may use: no sources of the target.
    pub(super) fn resources(&self) -> impl Iterator<Item = &PackedFile> {
        self.files.iter().filter(|file| {
            let extension = file.name.rsplit_once('.').map_or("", |(_, extension)| extension);
            !SOURCE_EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
        })
    }
}

fn keep<T: Default>(read: Result<T, LevelError>, errors: &mut Vec<LevelError>) -> T {
    read.unwrap_or_else(|error| {
        errors.push(error);
        T::default()
    })
}

/// An error within a file whose header is at this line.
fn within(header: usize, (line, reason): (usize, String)) -> LevelError {
    LevelError { line: header + line, reason }
}

/// The line of the header and the text of a file that a page must have.
fn text_of<'a>(page: &'a PackedPage, name: &str) -> Result<(usize, &'a str), LevelError> {
    let missing = || LevelError { line: page.line.max(1), reason: format!("the page has no file {name}") };
    let file = page.file(name).ok_or_else(missing)?;
    let text =
        file.text().ok_or_else(|| LevelError { line: file.line, reason: "is not UTF-8 text".into() })?;
    Ok((file.line, text))
}

/// What is wrong with the first picture of a description that is not there.
fn wrong_picture(
    page: &PackedPage,
    parts: &[DescriptionPart],
    interactions: usize,
) -> Option<(usize, String)> {
    let line = page.file(DESCRIPTION)?.line;
    parts.iter().find_map(|part| match part {
        DescriptionPart::Screen(number) if *number > interactions => {
            Some((line, format!("screen:{number} is shown, but there are {interactions} interactions")))
        }
        DescriptionPart::File(name) => match page.file(name) {
            None => Some((line, format!("the picture {} is not a file of the page", sanitize(name)))),
            Some(file) if !is_picture(&file.content) => {
                Some((file.line, "a picture of the description is a PNG or a JPEG".to_owned()))
            }
            Some(_) => None,
        },
        _ => None,
    })
}

fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n") || bytes.starts_with(&[0xff, 0xd8, 0xff])
}

/// The levels of a pack. One wrong level makes it wrong.
pub(super) fn levels(text: &str) -> Result<Vec<Level>, LevelError> {
    let (pages, errors) = read(text);
    match errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok((1..).zip(&pages).map(|(number, page)| level(number, page)).collect()),
    }
}

/// Every error of a pack, in the order of its lines.
pub(super) fn level_errors(text: &str) -> Vec<LevelError> {
    read(text).1
}

/// The level of a page.
pub(super) fn level(number: usize, page: &PackedPage) -> Level {
    Level::from_text(number, Some(&page.name), page.print())
}

fn read(text: &str) -> (Vec<PackedPage>, Vec<LevelError>) {
    let (pages, mut errors) = pack::parse(text);
    let broken: Vec<usize> = errors.iter().map(|error| error.line).collect();
    let ends = pages.iter().skip(1).map(|page| page.line).chain([usize::MAX]);
    for (page, end) in pages.iter().zip(ends) {
        // A page that is not read completely would only have errors that follow.
        if !broken.iter().any(|line| (page.line..end).contains(line)) {
            errors.extend(Task::of_page(page).err().unwrap_or_default());
        }
    }
    errors.sort_by_key(|error| error.line);
    (pages, errors)
}

/// Whether a file looks like a pack.
pub(super) fn is_pack(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"@@ page ")
}

/// Reads a pack as a file for import.
pub(super) fn import(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let text = std::str::from_utf8(bytes).map_err(|error| LevelFormatError {
        location: FileLocation::Byte(error.valid_up_to()),
        reason: "is not UTF-8 text".into(),
    })?;
    let refused = |error: LevelError| LevelFormatError {
        location: FileLocation::Line(error.line),
        reason: error.reason,
    };
    levels(text).map_err(refused)
}

/// Writes levels as a pack.
#[expect(clippy::unnecessary_wraps, reason = "other formats of the table refuse levels")]
pub(super) fn export(levels: &[Level]) -> Result<String, LevelFormatError> {
    Ok(levels.iter().map(Level::text).collect())
}

#[cfg(test)]
mod tests {
    use super::testing::{COUNTER, TWO_PAGES};
    use super::*;

    #[test]
    fn a_pack_is_read_as_levels_that_are_packs_themselves() {
        let read = levels(TWO_PAGES).unwrap();
        let names: Vec<_> = read.iter().map(|level| (level.number, level.label())).collect();
        assert_eq!(names, [(1, "counter".into()), (2, "greeting".into())]);
        assert_eq!(export(&read).unwrap(), TWO_PAGES);
        assert_eq!(levels(read[1].text()).unwrap()[0].source, read[1].source);
        assert!(is_pack(TWO_PAGES.as_bytes()) && !is_pack(b"#@$.#"));
        assert_eq!(import(TWO_PAGES.as_bytes()).unwrap(), read);
    }

    #[test]
    fn a_task_has_its_parts_and_keeps_its_sources_back() {
        let task = Task::of_level(&levels(COUNTER).unwrap()[0]).unwrap();
        assert_eq!((task.name.as_str(), task.interactions.len()), ("counter", 1));
        let names = |files: &mut dyn Iterator<Item = &PackedFile>| {
            files.map(|file| file.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&mut task.files.iter()), ["index.html", "style.css", "script.js", "dot.svg"]);
        assert_eq!(names(&mut task.resources()), ["dot.svg"]);
        let screens = task.description.iter().filter(|part| matches!(part, DescriptionPart::Screen(_)));
        assert_eq!(screens.count(), 2);
    }

    #[test]
    fn every_error_of_a_page_is_reported_at_its_line() {
        let found = |text: &str| {
            level_errors(text).into_iter().map(|error| (error.line, error.reason)).collect::<Vec<_>>()
        };
        assert_eq!(
            found("@@ page a\n"),
            [(1, "the page has no file index.html".into()), (1, "the page has no file task.md".into())]
        );
        let page = "@@ page a\n@@ file index.html\n\n@@ file task.md\nx\n![](screen:2)\n![](a.png)\n\
            @@ file steps.json\n[\n  {\"steps\": 1}\n]\n";
        let errors = found(page);
        assert_eq!(errors.iter().map(|error| error.0).collect::<Vec<_>>(), [2, 4, 10], "{errors:?}");
        assert!(errors[1].1.contains("screen:2 is shown, but there are 0 interactions"), "{errors:?}");
        let gif = "@@ page a\n@@ file index.html\nx\n@@ file task.md\n![](a.gif)\n@@ file a.gif\nGIF89a\n";
        assert!(found(gif)[0].1.contains("PNG or a JPEG"));
    }
}
