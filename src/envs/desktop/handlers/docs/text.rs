//! The text of documents.

use std::collections::BTreeSet;

use rapidfuzz::fuzz;

use super::open::{FILES, Pair, scope};
use super::{Case, Finding, Options, Params, Role, Rules, read};
use crate::office::docx::{Document, Scope};
use crate::office::odt::OpenDocument;
use crate::office::{Package, Unreadable, quote};

/// How texts are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextOptions {
    ignore_blanks: bool,
    ignore_case: bool,
    ignore_order: bool,
    content_only: bool,
    similarity_threshold: f64,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            ignore_blanks: true,
            ignore_case: false,
            ignore_order: false,
            content_only: false,
            similarity_threshold: 1.0,
        }
    }
}

impl TextOptions {
    fn read(params: &Params<'_>) -> Result<Self, Finding> {
        const KNOWN: &[&str] =
            &["ignore_blanks", "ignore_case", "ignore_order", "content_only", "similarity_threshold"];
        let options = Options::read(params, "options", KNOWN)?;
        let default = Self::default();
        Ok(Self {
            ignore_blanks: options.flag("ignore_blanks", default.ignore_blanks)?,
            ignore_case: options.flag("ignore_case", default.ignore_case)?,
            ignore_order: options.flag("ignore_order", default.ignore_order)?,
            content_only: options.flag("content_only", default.content_only)?,
            similarity_threshold: options.number("similarity_threshold", default.similarity_threshold)?,
        })
    }
}

/// The texts are equal. By the options, runs of blanks and ends of paragraphs count as one blank (`ignore_blanks`, on unless
/// set), case or order do not count. With `content_only` or a `similarity_threshold` below 1 the texts need only be as similar
/// as the threshold; the released code compares them exactly after that, and passes a `.docx` that it cannot open.
pub(super) fn compare_docx_files(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let options = TextOptions::read(params)?;
    let [reference, made] = FILES;
    same_text(case, params.text(reference)?, params.text(made)?, options)
}

/// Compares the texts of two files.
pub(super) fn same_text(
    case: &mut Case<'_>,
    reference: &str,
    made: &str,
    options: TextOptions,
) -> Result<(), Finding> {
    match case.rules {
        Rules::Standard => {
            let reference = any_text(case, reference, Role::Reference)?;
            let made = any_text(case, made, Role::Made)?;
            if reference.kind != made.kind {
                return Err(Finding::Fail(format!(
                    "the file is {}, expected is {}",
                    made.kind, reference.kind
                )));
            }
            let mild = options.content_only || options.similarity_threshold < 1.0;
            let compare = if mild { similar } else { equal };
            compare(&reference.paragraphs, &made.paragraphs, options, case.rules)
        }
        Rules::Code => same_text_by_code(case, reference, made, options),
    }
}

/// Whether two paths have a suffix, in these letters: the released code goes by it.
pub(super) fn both_end(reference: &str, made: &str, suffix: &str) -> bool {
    reference.ends_with(suffix) && made.ends_with(suffix)
}

fn same_text_by_code(
    case: &mut Case<'_>,
    reference: &str,
    made: &str,
    options: TextOptions,
) -> Result<(), Finding> {
    let read_both = |case: &mut Case<'_>, reader: fn(&[u8]) -> Result<Vec<String>, Unreadable>| {
        Ok::<_, Finding>((read(case, reference, Role::Made, reader)?, read(case, made, Role::Made, reader)?))
    };
    let (reference, made) = if both_end(reference, made, ".docx") {
        match read_both(case, direct_paragraphs) {
            Ok(both) => both,
            Err(_) => return Ok(()),
        }
    } else if both_end(reference, made, ".odt") {
        read_both(case, plain_paragraphs)?
    } else {
        return Err(Finding::fail("the files are not both .docx or both .odt"));
    };
    if options.content_only {
        similar(&reference, &made, TextOptions { ignore_blanks: true, ..options }, case.rules)?;
    }
    equal(&reference, &made, options, case.rules)
}

fn direct_paragraphs(bytes: &[u8]) -> Result<Vec<String>, Unreadable> {
    let document = Document::read(bytes, Scope::Direct)?;
    Ok(document.paragraphs.into_iter().map(|paragraph| paragraph.text).collect())
}

fn plain_paragraphs(bytes: &[u8]) -> Result<Vec<String>, Unreadable> {
    let paragraphs = OpenDocument::read(bytes)?.paragraphs.into_iter();
    Ok(paragraphs.filter(|paragraph| !paragraph.heading).map(|paragraph| paragraph.plain).collect())
}

struct AnyText {
    kind: &'static str,
    paragraphs: Vec<String>,
}

/// The text of a document of either kind, recognised by its content.
fn any_text(case: &mut Case<'_>, path: &str, role: Role) -> Result<AnyText, Finding> {
    let scope = scope(case.rules);
    read(case, path, role, |bytes| {
        let is_open_document = Package::open(bytes)?.bytes("content.xml")?.is_some();
        if is_open_document {
            let paragraphs = OpenDocument::read(bytes)?.paragraphs;
            let paragraphs = paragraphs.into_iter().map(|paragraph| paragraph.text).collect();
            return Ok(AnyText { kind: "an OpenDocument text", paragraphs });
        }
        let document = Document::read(bytes, scope)?;
        let paragraphs =
            document.all_paragraphs().into_iter().map(|paragraph| paragraph.text.clone()).collect();
        Ok(AnyText { kind: "a Word document", paragraphs })
    })
}

/// The paragraphs as they are compared. The released code sorts them before case and blanks are taken away.
fn ordered(paragraphs: &[String], options: TextOptions, rules: Rules) -> Vec<String> {
    let mut paragraphs = paragraphs.to_vec();
    if options.ignore_order && rules == Rules::Code {
        paragraphs.sort();
    }
    if options.ignore_case {
        paragraphs = paragraphs.iter().map(|text| text.to_lowercase()).collect();
    }
    if options.ignore_blanks {
        paragraphs = paragraphs.iter().map(|text| collapsed(text)).filter(|text| !text.is_empty()).collect();
    }
    if options.ignore_order && rules == Rules::Standard {
        paragraphs.sort();
    }
    paragraphs
}

/// A text in which each run of blanks is one blank.
pub(super) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn equal(reference: &[String], made: &[String], options: TextOptions, rules: Rules) -> Result<(), Finding> {
    let reference = ordered(reference, options, rules);
    let made = ordered(made, options, rules);
    if reference == made || (options.ignore_blanks && reference.join(" ") == made.join(" ")) {
        return Ok(());
    }
    Err(Finding::Fail(first_difference(&reference, &made)))
}

fn first_difference(reference: &[String], made: &[String]) -> String {
    let index = reference.iter().zip(made).take_while(|(expected, found)| expected == found).count();
    let show = |text: Option<&String>| text.map_or_else(|| "missing".to_owned(), |text| quote(text));
    let place = index + 1;
    format!("paragraph {place} is {}, expected is {}", show(made.get(index)), show(reference.get(index)))
}

/// The longest text whose similarity is computed, in bytes: it takes the product of both lengths.
const LONGEST: usize = 200_000;

fn similar(reference: &[String], made: &[String], options: TextOptions, rules: Rules) -> Result<(), Finding> {
    let reference = collapsed(&ordered(reference, options, rules).join("\n"));
    let made = collapsed(&ordered(made, options, rules).join("\n"));
    let similarity = similarity(&reference, &made)?;
    if similarity >= options.similarity_threshold {
        return Ok(());
    }
    let least = options.similarity_threshold;
    Err(Finding::Fail(format!(
        "the similarity of the texts is {similarity:.3}, expected is at least {least}"
    )))
}

pub(super) fn similarity(reference: &str, made: &str) -> Result<f64, Finding> {
    if reference == made {
        return Ok(1.0);
    }
    if reference.len().max(made.len()) > LONGEST {
        return Err(Finding::fail(format!(
            "the texts differ, and are too long for a similarity (over {LONGEST} bytes)"
        )));
    }
    Ok(fuzz::ratio(reference.chars(), made.chars()))
}

/// The sets of trimmed lines that are not blank are equal: order and repetition do not count.
pub(super) fn compare_docx_lines(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let pair = Pair::read(params, case, ["file1", "file2"])?;
    let rules = case.rules;
    let reference = lines(&pair.reference, rules);
    let made = lines(&pair.made, rules);
    if let Some(missing) = reference.difference(&made).next() {
        return Err(Finding::Fail(format!("the line {} is missing", quote(missing))));
    }
    match made.difference(&reference).next() {
        Some(extra) => Err(Finding::Fail(format!("the line {} is not expected", quote(extra)))),
        None => Ok(()),
    }
}

fn lines(document: &Document, rules: Rules) -> BTreeSet<String> {
    let paragraphs = match rules {
        Rules::Standard => document.all_paragraphs(),
        Rules::Code => document.paragraphs.iter().collect(),
    };
    let trimmed = paragraphs.into_iter().map(|paragraph| paragraph.text.trim());
    trimmed.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
