//! Writes a report as one HTML file: no scripts, no network, pictures inside as SVG.

use super::svg;
use super::svg::escaped;
use super::{Block, Document, Section, Table};

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}\
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .7rem;text-align:right;white-space:nowrap}th{border-bottom:2px solid #111;font-weight:600}\
td{border-bottom:1px solid #ddd}.name{text-align:left}\
svg{max-width:100%;height:auto;background:#fff}:root{color-scheme:light dark}ul{padding-left:1.2rem}li{margin:.2rem 0}p.common{color:#333}\
@media screen and (prefers-color-scheme:dark){body{color:#ddd;background:#15171c}\
p.common{color:#bbb}th{border-color:#ddd}td{border-color:#3a404d}svg{border-radius:6px}}\
@media print{body{margin:0;max-width:none}}";

/// The report as a page.
pub fn write(document: &Document) -> String {
    let sections: String = document.sections.iter().map(section).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Report</title>\n\
        <style>{STYLE}</style>\n</head>\n<body>\n<h1>Report</h1>\n<p class=\"common\">{}</p>\n{}{sections}\
        <h2>Definitions</h2>\n{}</body>\n</html>\n",
        escaped(&document.common),
        list(&document.findings),
        list(&document.notes)
    )
}

fn section(section: &Section) -> String {
    let pictures: String = section.pictures.iter().map(|shown| svg::intervals(shown, &shown.title)).collect();
    let content = match &section.block {
        Block::Table(rows) => table(rows),
        Block::Map(map) => svg::map(map, &section.title),
        Block::Curves(curves) => {
            format!("{}{}", svg::curves(curves, &section.title), table(&curves.to_table()))
        }
    };
    format!(
        "<section>\n<h2>{}</h2>\n{pictures}{content}{}</section>\n",
        escaped(&section.title),
        list(&section.notes)
    )
}

fn list(notes: &[String]) -> String {
    let items: String = notes.iter().map(|note| item(note)).collect();
    if items.is_empty() { items } else { format!("<ul>\n{items}</ul>\n") }
}

fn item(note: &str) -> String {
    format!("<li>{}</li>\n", escaped(note))
}

fn table(table: &Table) -> String {
    let row = |(tag, cells): (&str, &Vec<String>)| {
        let cell = |(column, text): (usize, &String)| {
            let class = if column < table.names { " class=\"name\"" } else { "" };
            format!("<{tag}{class}>{}</{tag}>", escaped(text))
        };
        format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
    };
    let tags = std::iter::once("th").chain(std::iter::repeat("td"));
    format!(
        "<div class=\"scroll\"><table>\n{}</table></div>\n",
        tags.zip(&table.rows).map(row).collect::<String>()
    )
}
