//! `docs`: text documents, compared or checked (section 5 of the rules, row `docs`; section 11, Documents).
//!
//! Of two files the first is the reference and the second is what the agent made. Under [`Rules::Standard`] styles count as
//! formatting does, text in tables, links and content controls is text, and a file that cannot be read never passes.

mod content;
mod footers;
mod format;
mod open;
mod options;
mod pictures;
mod references;
mod tabs;
mod text;
mod words;

pub(super) use self::open::{Role, read};
pub(super) use self::options::Options;
pub(super) use self::pictures::decoded;
use super::{Case, Finding, Handler, Param, ParamType, Params, Phase, Rules};

const FILE1: Param = Param::required("docx_file1", ParamType::Reference);
const FILE2: Param = Param::required("docx_file2", ParamType::Made);
const REFERENCE: Param = Param::required("docx_ref", ParamType::Reference);
const MADE: Param = Param::required("docx_file", ParamType::Made);
const OPTIONS: Param = Param::optional("options", ParamType::Table);

type Call = fn(&Params<'_>, &mut Case<'_>) -> Result<(), Finding>;

const fn row(function: &'static str, params: &'static [Param], call: Call) -> Handler {
    Handler { evaluator: "docs", function, phase: Phase::Evaluation, params, destroys: false, call }
}

pub(super) const HANDLERS: &[Handler] = &[
    row("compare_docx_files", &[FILE1, FILE2, OPTIONS], text::compare_docx_files),
    row(
        "compare_docx_lines",
        &[Param::required("file1", ParamType::Reference), Param::required("file2", ParamType::Made)],
        text::compare_docx_lines,
    ),
    row("compare_references", &[FILE1, FILE2, OPTIONS], references::compare_references),
    row("compare_line_spacing", &[FILE1, FILE2], format::compare_line_spacing),
    row("compare_subscript_contains", &[FILE1, FILE2], format::compare_subscript_contains),
    row("is_first_line_centered", &[MADE], format::is_first_line_centered),
    row(
        "compare_font_names",
        &[MADE, Param::required("rules", ParamType::Table)],
        format::compare_font_names,
    ),
    row(
        "check_tabstops",
        &[REFERENCE, MADE, Param::optional("kwargs", ParamType::Table)],
        tabs::check_tabstops,
    ),
    row("compare_insert_equation", &[FILE1, FILE2], content::compare_insert_equation),
    row("compare_docx_tables", &[FILE1, FILE2], content::compare_docx_tables),
    row("compare_contains_image", &[FILE1, FILE2], content::compare_contains_image),
    row("compare_docx_images", &[FILE1, FILE2], pictures::compare_docx_images),
    row("has_page_numbers_in_footers", &[MADE], footers::has_page_numbers_in_footers),
    row("check_highlighted_words", &[REFERENCE, MADE], words::check_highlighted_words),
    row(
        "evaluate_strike_through_last_paragraph",
        &[REFERENCE, MADE],
        words::evaluate_strike_through_last_paragraph,
    ),
    row("evaluate_colored_words_in_tables", &[REFERENCE, MADE], words::evaluate_colored_words_in_tables),
];

#[cfg(test)]
mod tests;
