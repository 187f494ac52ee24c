//! Words that are highlighted, struck through or colored.

use super::open::{REFERENCE_AND_FILE, document};
use super::text::{TextOptions, same_text};
use super::{Case, Finding, Params, Role, Rules, read};
use crate::office::docx::{Document, Paragraph, Table};
use crate::office::odt::OpenDocument;
use crate::office::quote;

/// The paths of the reference and of what the agent made, whose texts are equal.
fn same<'a>(params: &Params<'a>, case: &mut Case<'_>) -> Result<[&'a str; 2], Finding> {
    let [reference, made] = REFERENCE_AND_FILE;
    let paths = [params.text(reference)?, params.text(made)?];
    let [reference, made] = paths;
    same_text(case, reference, made, TextOptions::default())?;
    Ok(paths)
}

/// The texts are equal, and no text of `docx_file`, an `OpenDocument` text, has a background. The released code looks at
/// `docx_ref` instead, at spans with a style of their own and at the yellow `#ffff00` only.
pub(super) fn check_highlighted_words(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let [reference, made] = same(params, case)?;
    let (path, role) = match case.rules {
        Rules::Standard => (made, Role::Made),
        Rules::Code => (reference, Role::Reference),
    };
    let document = read(case, path, role, OpenDocument::read)?;
    let is_left =
        |rules: Rules, own: bool, color: &str| rules == Rules::Standard || (own && color == "#ffff00");
    let mut left = document.highlighted.iter();
    match left.find(|highlight| is_left(case.rules, highlight.own, &highlight.color)) {
        None => Ok(()),
        Some(highlight) => {
            let text = quote(&highlight.text);
            Err(Finding::Fail(format!(
                "{text} is still highlighted with {:?}, expected is text without a highlight",
                highlight.color
            )))
        }
    }
}

/// The texts are equal, and all of the last paragraph with text is struck through, once or twice, by itself or by styles. The
/// released code looks at `docx_ref` instead, and at its last paragraph even if that is empty.
pub(super) fn evaluate_strike_through_last_paragraph(
    params: &Params<'_>,
    case: &mut Case<'_>,
) -> Result<(), Finding> {
    let [reference, made] = same(params, case)?;
    if case.rules == Rules::Code {
        let document = document(case, reference, Role::Reference)?;
        let last =
            document.paragraphs.last().ok_or_else(|| Finding::error("the document has no paragraph"))?;
        let mut runs = last.runs.iter();
        return plain_text(
            runs.find(|run| run.direct.single_strike != Some(true)).map(|run| run.text.as_str()),
        );
    }
    let document = document(case, made, Role::Made)?;
    let last = document.all_paragraphs().into_iter().rfind(|paragraph| !paragraph.is_blank());
    let last = last.ok_or_else(|| Finding::fail("the document has no text, expected is a last paragraph"))?;
    let mut runs = last.runs.iter().filter(|run| !run.text.trim().is_empty());
    plain_text(runs.find(|run| run.format.strike != Some(true)).map(|run| run.text.as_str()))
}

fn plain_text(text: Option<&str>) -> Result<(), Finding> {
    match text {
        None => Ok(()),
        Some(text) => {
            Err(Finding::Fail(format!("{} in the last paragraph is not struck through", quote(text))))
        }
    }
}

/// The texts are equal, and in the tables of `docx_file` the words that begin with a vowel are red and all others blue: that
/// channel is the largest. The first letter or digit of a word decides, and all of its characters must have the color. The
/// released code looks at runs instead of words, and takes black and white for red.
pub(super) fn evaluate_colored_words_in_tables(
    params: &Params<'_>,
    case: &mut Case<'_>,
) -> Result<(), Finding> {
    let [_, made] = same(params, case)?;
    let document = document(case, made, Role::Made)?;
    match case.rules {
        Rules::Code => colored_runs(&document),
        Rules::Standard => colored_words(&document),
    }
}

fn colored_runs(document: &Document) -> Result<(), Finding> {
    let paragraphs = document.tables.iter().flat_map(Table::paragraphs);
    for run in paragraphs.flat_map(|paragraph| &paragraph.runs) {
        let Some(first) = run.text.chars().next() else { continue };
        let wanted = wanted_color(first);
        // The first of equal channels is the dominant one here.
        let dominant = run.direct.color.map(|[red, green, blue]| {
            if red >= green && red >= blue {
                "red"
            } else if green >= blue {
                "green"
            } else {
                "blue"
            }
        });
        if dominant != Some(wanted) {
            return Err(wrong_color(&run.text, wanted, run.direct.color));
        }
    }
    Ok(())
}

fn colored_words(document: &Document) -> Result<(), Finding> {
    let paragraphs = document.tables.iter().flat_map(Table::paragraphs);
    let words: Vec<Word> = paragraphs.flat_map(words).collect();
    if words.is_empty() {
        return Err(Finding::fail("the document has no words in tables, expected are red and blue ones"));
    }
    for word in words {
        let text: String = word.iter().map(|(character, _)| character).collect();
        let Some(first) = text.chars().find(|character| character.is_alphanumeric()) else { continue };
        let wanted = wanted_color(first);
        let letters = word.iter().filter(|(character, _)| character.is_alphanumeric());
        for (_, color) in letters {
            if color.and_then(largest_channel) != Some(wanted) {
                return Err(wrong_color(&text, wanted, *color));
            }
        }
    }
    Ok(())
}

type Word = Vec<(char, Option<[u8; 3]>)>;

fn words(paragraph: &Paragraph) -> Vec<Word> {
    let runs = paragraph.runs.iter();
    let characters: Word =
        runs.flat_map(|run| run.text.chars().map(|character| (character, run.format.color))).collect();
    let words = characters.split(|(character, _)| character.is_whitespace());
    words.filter(|word| !word.is_empty()).map(<[_]>::to_vec).collect()
}

fn wanted_color(first: char) -> &'static str {
    let is_vowel = first.to_lowercase().next().is_some_and(|letter| "aeiou".contains(letter));
    if is_vowel { "red" } else { "blue" }
}

fn largest_channel([red, green, blue]: [u8; 3]) -> Option<&'static str> {
    if red > green && red > blue {
        Some("red")
    } else if blue > red && blue > green {
        Some("blue")
    } else {
        None
    }
}

fn wrong_color(word: &str, wanted: &str, color: Option<[u8; 3]>) -> Finding {
    let found = color.map_or_else(
        || "no color of its own".to_owned(),
        |[red, green, blue]| format!("the color {red:02X}{green:02X}{blue:02X}"),
    );
    Finding::Fail(format!("{} in a table has {found}, expected is {wanted}", quote(word)))
}
