//! Makes small workbooks.

use std::io::{Cursor, Write};

use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CHART: &str = "http://schemas.openxmlformats.org/drawingml/2006/chart";
const DRAWING: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// A sheet to write.
#[derive(Clone, Default)]
pub(super) struct Sheet {
    pub(super) name: &'static str,
    /// The XML of the rows.
    pub(super) rows: String,
    /// The XML of the pane.
    pub(super) pane: &'static str,
    /// The XML in `c:chart` of each chart.
    pub(super) charts: Vec<String>,
    /// The XML in the table and in the cache of each pivot table.
    pub(super) pivots: Vec<(String, String)>,
}

/// A sheet called `Data` with rows of cells. A text is a text, an object has one of `formula`, `date`, `error` or `number`, the
/// last a number as written in the file.
pub(super) fn sheet(rows: Value) -> Sheet {
    let row = |row: &Value| {
        let cells: String = row.as_array().unwrap().iter().map(cell).collect();
        format!("<row>{cells}</row>")
    };
    Sheet { name: "Data", rows: rows.as_array().unwrap().iter().map(row).collect(), ..Sheet::default() }
}

/// A workbook with one sheet of cells.
pub(super) fn cells(rows: Value) -> Vec<u8> {
    workbook(&[sheet(rows)])
}

fn cell(value: &Value) -> String {
    let special = |name: &str| value.get(name).map(|value| value.to_string().replace('"', ""));
    match value {
        Value::Null => "<c/>".to_owned(),
        Value::Bool(flag) => format!("<c t=\"b\"><v>{}</v></c>", u8::from(*flag)),
        Value::Number(number) => format!("<c><v>{number}</v></c>"),
        Value::String(text) => format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>"),
        _ => special("formula")
            .map(|formula| format!("<c><f>{formula}</f></c>"))
            .or_else(|| special("date").map(|days| format!("<c s=\"1\"><v>{days}</v></c>")))
            .or_else(|| special("error").map(|error| format!("<c t=\"e\"><v>{error}</v></c>")))
            .or_else(|| special("number").map(|number| format!("<c><v>{number}</v></c>")))
            .unwrap(),
    }
}

/// A workbook with sheets.
pub(super) fn workbook(sheets: &[Sheet]) -> Vec<u8> {
    let mut parts = Parts::default();
    let mut names = Vec::new();
    let mut links = vec![("styles".to_owned(), "styles.xml".to_owned())];
    for (index, sheet) in sheets.iter().enumerate() {
        let id = index + 2;
        names.push(format!("<sheet name=\"{}\" sheetId=\"{id}\" r:id=\"r{id}\"/>", sheet.name));
        links.push(("worksheet".to_owned(), format!("sheet{index}.xml")));
        parts.sheet(index, sheet);
    }
    let names = names.concat();
    let sheets =
        format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{names}</sheets></workbook>");
    parts.add("xl/workbook.xml", sheets);
    parts.links("xl/_rels/workbook.xml.rels", &links);
    parts.links("_rels/.rels", &[("officeDocument".to_owned(), "xl/workbook.xml".to_owned())]);
    let styles = "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs>";
    parts.add("xl/styles.xml", format!("<styleSheet xmlns=\"{MAIN}\">{styles}</styleSheet>"));
    parts.zip()
}

/// Names and contents of parts.
#[derive(Default)]
struct Parts(Vec<(String, String)>);

impl Parts {
    fn add(&mut self, name: &str, content: String) {
        self.0.push((name.to_owned(), content));
    }

    /// Relations, called `r1` and on.
    fn links(&mut self, name: &str, links: &[(String, String)]) {
        let link = |(index, (kind, target)): (usize, &(String, String))| {
            let id = index + 1;
            format!("<Relationship Id=\"r{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
        };
        let links: String = links.iter().enumerate().map(link).collect();
        self.add(name, format!("<Relationships xmlns=\"{PACKAGE}\">{links}</Relationships>"));
    }

    fn sheet(&mut self, index: usize, sheet: &Sheet) {
        let Sheet { rows, pane, .. } = sheet;
        let views = format!("<sheetViews><sheetView workbookViewId=\"0\">{pane}</sheetView></sheetViews>");
        let data = format!("<worksheet xmlns=\"{MAIN}\">{views}<sheetData>{rows}</sheetData></worksheet>");
        self.add(&format!("xl/sheet{index}.xml"), data);
        let mut links = vec![("drawing".to_owned(), format!("drawing{index}.xml"))];
        let mut charts = Vec::new();
        for (number, chart) in sheet.charts.iter().enumerate() {
            let name = format!("chart{index}_{number}.xml");
            let root = format!("<c:chartSpace xmlns:c=\"{CHART}\" xmlns:a=\"{DRAWING}\">");
            self.add(&format!("xl/{name}"), format!("{root}<c:chart>{chart}</c:chart></c:chartSpace>"));
            charts.push(("chart".to_owned(), name));
        }
        self.links(&format!("xl/_rels/drawing{index}.xml.rels"), &charts);
        for (number, (table, cache)) in sheet.pivots.iter().enumerate() {
            let name = format!("pivot{index}_{number}.xml");
            let source = format!("cache{index}_{number}.xml");
            let root = "pivotTableDefinition";
            self.add(&format!("xl/{name}"), format!("<{root} xmlns=\"{MAIN}\">{table}</{root}>"));
            let root = "pivotCacheDefinition";
            self.add(&format!("xl/{source}"), format!("<{root} xmlns=\"{MAIN}\">{cache}</{root}>"));
            self.links(&format!("xl/_rels/{name}.rels"), &[("pivotCacheDefinition".to_owned(), source)]);
            links.push(("pivotTable".to_owned(), name));
        }
        self.links(&format!("xl/_rels/sheet{index}.xml.rels"), &links);
    }

    fn zip(self) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in self.0 {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }
}
