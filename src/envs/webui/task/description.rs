//! The description of a task: Markdown with pictures, as texts and pictures in order.

/// A part of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DescriptionPart {
    /// Markdown, trimmed; never empty.
    Text(String),
    /// The target page, rendered when the level opens: 0 is the first state, N the state after interaction N.
    Screen(usize),
    /// A picture among the files of the task.
    File(String),
}

/// The destination of a rendered picture: `![after the click](screen:1)`.
const SCREEN: &str = "screen:";

/// The parts of a description. A picture is written as `![caption](destination)`; its caption ends the text before it.
/// Code is text. An error is the line, from 1, and a reason.
pub(super) fn parse(text: &str) -> Result<Vec<DescriptionPart>, (usize, String)> {
    let mut parts = Vec::new();
    let mut kept = String::new();
    let mut fence = None;
    for (line, row) in (1..).zip(text.lines()) {
        let marks = fence_of(row);
        match (fence, marks) {
            (None, Some(_)) => fence = marks,
            (Some(open), Some(close)) if open == close => fence = None,
            _ => {}
        }
        if fence.is_some() || marks.is_some() {
            kept.push_str(row);
        } else {
            split_row(row, &mut kept, &mut parts).map_err(|why| (line, why))?;
        }
        kept.push('\n');
    }
    push_text(&mut kept, &mut parts);
    Ok(parts)
}

/// The character of a line that begins or ends a code block.
fn fence_of(row: &str) -> Option<char> {
    ['`', '~'].into_iter().find(|mark| row.trim_start().starts_with(&mark.to_string().repeat(3)))
}

/// Adds a line outside code blocks.
fn split_row(row: &str, kept: &mut String, parts: &mut Vec<DescriptionPart>) -> Result<(), String> {
    let mut rest = row;
    while let Some((before, caption, destination, after)) = next_picture(rest) {
        kept.push_str(before);
        let text = kept.trim_end().len();
        if text > 0 && !caption.is_empty() {
            kept.truncate(text);
            kept.push_str("\n\n");
        }
        kept.push_str(caption);
        push_text(kept, parts);
        parts.push(picture(destination)?);
        rest = after;
    }
    kept.push_str(rest);
    Ok(())
}

/// The next picture of a line that is not in code: what is before it, caption, destination, what is after it.
fn next_picture(row: &str) -> Option<(&str, &str, &str, &str)> {
    let mut from = 0;
    loop {
        let begin = from + row[from..].find("![")?;
        let parsed = row[begin + 2..].split_once("](").and_then(|(caption, rest)| {
            let (destination, after) = rest.split_once(')')?;
            Some((caption.trim(), destination.trim(), after))
        });
        let in_code = row[..begin].matches('`').count() % 2 == 1;
        if let Some((caption, destination, after)) = parsed.filter(|_| !in_code) {
            return Some((&row[..begin], caption, destination, after));
        }
        from = begin + 2;
    }
}

fn picture(destination: &str) -> Result<DescriptionPart, String> {
    let Some(number) = destination.strip_prefix(SCREEN) else {
        let name = destination.strip_prefix("./").unwrap_or(destination);
        return match super::file_name::file_name_error(name) {
            Some(why) => Err(format!("{why}; a picture is a file of the page, or screen:0, screen:1, …")),
            None => Ok(DescriptionPart::File(name.to_owned())),
        };
    };
    let wrong = || format!("screen:{number} has no number of an interaction; screen:0 is the first state");
    number.parse().map(DescriptionPart::Screen).map_err(|_| wrong())
}

fn push_text(kept: &mut String, parts: &mut Vec<DescriptionPart>) {
    let text = kept.trim();
    if !text.is_empty() {
        parts.push(DescriptionPart::Text(text.to_owned()));
    }
    kept.clear();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::DescriptionPart::{File, Screen};
    use super::*;

    fn text(text: &str) -> DescriptionPart {
        DescriptionPart::Text(text.to_owned())
    }

    #[test]
    fn texts_and_pictures_keep_their_order() {
        let parts = parse(
            "# A page\n\nIt has ![](screen:0)a button.\n\n![After a click](screen:1)\n![](./images/a.png)\nEnd.\n",
        );
        let expected = [
            text("# A page\n\nIt has"),
            Screen(0),
            text("a button.\n\nAfter a click"),
            Screen(1),
            File("images/a.png".into()),
            text("End."),
        ];
        assert_eq!(parts.unwrap(), expected);
        assert_eq!(parse(" \n"), Ok(vec![]));
    }

    #[test]
    fn pictures_in_code_and_half_pictures_are_text() {
        for source in [
            "`![x](screen:1)`",
            "```html\n![x](screen:1)\n```",
            "~~~\n```\n![x](y)\n~~~",
            "![x] (y)",
            "![x](y",
        ] {
            assert_eq!(parse(source), Ok(vec![text(source)]), "{source}");
        }
        let parts = parse("`a` ![](screen:0)\n```\n![](screen:7)\n```\n![](screen:1)").unwrap();
        assert_eq!(parts, [text("`a`"), Screen(0), text("```\n![](screen:7)\n```"), Screen(1)]);
    }

    #[test]
    fn a_wrong_destination_is_an_error_in_its_line() {
        for destination in
            ["screen:x", "screen:", "screen:-1", "/etc/passwd", "../a.png", "https://a.b/c.png", ""]
        {
            let error = parse(&format!("one\ntwo ![]({destination})")).unwrap_err();
            assert_eq!(error.0, 2, "{destination}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(source in "(!\\[|\\]\\(|\\)|`|```|screen:|\\PC|\n){0,40}") {
            if let Ok(parts) = parse(&source) {
                prop_assert!(parts.iter().all(|part| *part != text("")));
            }
        }
    }
}
