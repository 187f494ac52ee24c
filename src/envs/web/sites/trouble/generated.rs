//! Pages that are large.

use std::fmt::Write;

const SENTENCE: &str = "It rained on the harbour, on the hill and on the long road between them. ";

/// A page with this number of small elements; each hundredth is a link.
pub(super) fn many(count: u64) -> String {
    let mut html = format!("<h1>{count} elements</h1><div class=\"many\">");
    for number in 1..=count {
        // Writing to a string does not fail.
        let _ = if number % 100 == 0 {
            write!(html, "<a href=\"#main\">{number}</a>")
        } else {
            write!(html, "<div class=\"cell\" title=\"{number}\"></div>")
        };
    }
    html.push_str("</div>");
    html
}

/// Elements inside one another.
pub(super) fn deep(levels: usize) -> String {
    format!("<h1>{levels} levels</h1>{}<b>bottom</b>{}", "<div>".repeat(levels), "</div>".repeat(levels))
}

/// Paragraphs of about this number of megabytes in all.
pub(super) fn long(megabytes: u64) -> String {
    let paragraph = format!("<p>{}</p>\n", SENTENCE.repeat(14));
    let bytes = usize::try_from(megabytes).unwrap_or(1) * 1_000_000;
    format!("<h1>{megabytes} MB of text</h1>{}", paragraph.repeat(bytes / paragraph.len()))
}
