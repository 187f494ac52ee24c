//! `.slc` collections: XML with an element `L` for each row of each `Level`.

use super::super::xsb;
use mageyard_domain::{FileLocation, Level, LevelFormatError, decode_text, sanitize};

/// Whether the file has the elements of a collection.
pub(super) fn fits(bytes: &[u8]) -> bool {
    decode_text(bytes)
        .is_ok_and(|found| found.text.trim_start().starts_with('<') && found.text.contains("<SokobanLevels"))
}

/// Reads each level with its identifier as the title. Title and copyright of the collection are comments of the first one.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Level>, LevelFormatError> {
    let found = decode_text(bytes).map_err(|at| LevelFormatError {
        location: FileLocation::Byte(at),
        reason: "is not text in UTF-8, UTF-16 or Latin-1".to_owned(),
    })?;
    let mut reader = Reader::default();
    read_elements(&found.text, &mut reader).map_err(|reason| LevelFormatError {
        location: FileLocation::Level(reader.levels.len() + 1),
        reason,
    })?;
    let Reader { mut levels, about, .. } = reader;
    let Some(first) = levels.first_mut() else {
        let reason = "the file has no level: an element Level with an element L for each row".to_owned();
        return Err(LevelFormatError { location: FileLocation::Line(1), reason });
    };
    let comments = about.iter().fold(String::new(), |text, line| text + "\n; " + &sanitize(line));
    *first = first.with_lines(&comments);
    Ok(levels)
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    levels: Vec<Level>,
    about: Vec<String>,
    title: Option<String>,
    rows: Vec<String>,
    in_level: bool,
}

impl Reader {
    fn begin(&mut self, name: &str, attributes: &str) {
        match name {
            "Level" => {
                self.title = attribute(attributes, "Id");
                self.rows.clear();
                self.in_level = true;
            }
            "LevelCollection" => {
                self.about.extend(attribute(attributes, "Copyright").map(|by| format!("Copyright: {by}")));
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str, text: &str) -> Result<(), String> {
        match name {
            "L" if self.in_level => self.rows.push(text.trim_end().to_owned()),
            "Title" | "Description" | "Email" | "Url" if !self.in_level => {
                let words: Vec<&str> = text.split_whitespace().collect();
                self.about.extend(Some(format!("{name}: {}", words.join(" "))).filter(|_| !words.is_empty()));
            }
            "Level" => {
                self.in_level = false;
                let board = xsb::read_one(&self.rows.join("\n")).map_err(|error| error.reason)?;
                let title = self.title.take();
                self.levels.push(Level::from_text(
                    self.levels.len() + 1,
                    title.as_deref(),
                    board.to_string(),
                ));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Passes on the beginning and the end of each element, with the text directly before its end.
fn read_elements(text: &str, reader: &mut Reader) -> Result<(), String> {
    let mut rest = text;
    let mut content = String::new();
    while let Some(start) = rest.find('<') {
        content.push_str(&unescaped(&rest[..start]));
        rest = &rest[start..];
        let (inner, after) = markup(rest).ok_or("the file ends within an element")?;
        rest = after;
        if let Some(data) = inner.strip_prefix("![CDATA[") {
            content.push_str(data);
        } else if let Some(name) = inner.strip_prefix('/') {
            reader.end(name.trim(), &content)?;
            content.clear();
        } else if !inner.starts_with(['!', '?']) {
            let is_empty = inner.ends_with('/');
            let inner = inner.trim_end_matches('/');
            let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
            reader.begin(name, attributes);
            content.clear();
            if is_empty {
                reader.end(name, "")?;
            }
        }
    }
    if reader.in_level { Err("the file ends within a level".to_owned()) } else { Ok(()) }
}

/// What is between the signs of the markup that begins a text, and the text after it.
fn markup(text: &str) -> Option<(&str, &str)> {
    let ends = [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>"), ("<", ">")];
    let (_, end) = ends.into_iter().find(|(start, _)| text.starts_with(start))?;
    let at = text.find(end)?;
    Some((&text[1..at], &text[at + end.len()..]))
}

/// The value of an attribute.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, next) = after[1..].split_once(quote)?;
        if key.trim() == name {
            return Some(unescaped(value).split_whitespace().collect::<Vec<_>>().join(" "));
        }
        rest = next;
    }
    None
}

/// A text with its entities replaced. Unknown ones stay.
fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let entity =
            rest.find(';').filter(|end| *end < 12).and_then(|end| Some((end, named(&rest[1..end])?)));
        let (length, c) = entity.map_or((1, '&'), |(end, c)| (end + 1, c));
        plain.push(c);
        rest = &rest[length..];
    }
    plain + rest
}

fn named(entity: &str) -> Option<char> {
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = entity.strip_prefix('#')?;
            let hex = digits.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
            char::from_u32(hex.unwrap_or_else(|| digits.parse()).ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "<L>#####</L>\n<L>#@$.#</L><L>#####</L>";

    #[test]
    fn a_collection_is_read_with_titles_and_copyright() {
        let file = format!(
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE SokobanLevels>\n<SokobanLevels>\
             <Title>Trial &amp; more</Title><!-- <Level> --><LevelCollection Copyright='A. N. Other'>\
             <Level Id=\"one\" Width=\"5\">{ROWS}</Level><Level Id='two &#233;'>{ROWS}</Level>\
             </LevelCollection></SokobanLevels>"
        );
        assert!(fits(file.as_bytes()));
        let levels = read(file.as_bytes()).unwrap();
        let board = "#####\n#@$.#\n#####";
        assert_eq!(levels[0].text(), format!("{board}\n; Title: Trial & more\n; Copyright: A. N. Other"));
        assert_eq!((levels[1].title.as_deref(), levels[1].text()), (Some("two é"), board));
        let latin: Vec<u8> = file.replace("Other", "Oth\u{e9}r").chars().map(|c| c as u8).collect();
        assert!(fits(&latin) && read(&latin).unwrap()[0].text().ends_with("Othér"));
    }

    #[test]
    fn what_is_no_collection_is_refused_with_its_level() {
        for (file, says) in [
            ("<SokobanLevels></SokobanLevels>".to_owned(), "line 1: the file has no level"),
            (format!("<SokobanLevels><Level>{ROWS}"), "level 1: the file ends within a level"),
            (
                format!("<SokobanLevels><Level>{ROWS}</Level><Level"),
                "level 2: the file ends within an element",
            ),
            ("<SokobanLevels><Level><L>####</L></Level>".to_owned(), "level 1: there is no player"),
        ] {
            let error = read(file.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
    }
}
