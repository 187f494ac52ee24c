//! `chart`.

use serde_json::{Value, json};

use super::make::{Sheet, workbook};
use super::{BOTH, CODE, STANDARD, by};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, Rules};

fn charts(charts: &[String]) -> Vec<u8> {
    workbook(&[Sheet { name: "Data", charts: charts.to_vec(), ..Sheet::default() }])
}

fn series(values: &str, categories: &str) -> String {
    let reference = |text: &str| format!("<c:numRef><c:f>{text}</c:f></c:numRef>");
    let (values, categories) = (reference(values), reference(categories));
    format!("<c:ser><c:cat>{categories}</c:cat><c:val>{values}</c:val></c:ser>")
}

fn bars(direction: &str, series: &str) -> String {
    let ids = "<c:axId val=\"1\"/><c:axId val=\"2\"/>";
    format!("<c:barChart><c:barDir val=\"{direction}\"/>{series}{ids}</c:barChart>")
}

fn lines(series: &str) -> String {
    format!("<c:lineChart>{series}<c:axId val=\"1\"/><c:axId val=\"2\"/></c:lineChart>")
}

fn title(runs: &[&str]) -> String {
    let runs: Vec<String> = runs.iter().map(|run| format!("<a:r><a:t>{run}</a:t></a:r>")).collect();
    let runs = runs.concat();
    format!("<c:title><c:tx><c:rich><a:p>{runs}</a:p></c:rich></c:tx></c:title>")
}

/// A chart with its title, plots, titles of axes and legend.
fn chart(top: &str, plots: &str, [x, y]: [&str; 2], legend: &str) -> String {
    let axes = format!("<c:catAx><c:axId val=\"1\"/>{x}</c:catAx><c:valAx><c:axId val=\"2\"/>{y}</c:valAx>");
    format!("{top}<c:plotArea>{plots}{axes}</c:plotArea>{legend}")
}

fn simple(values: &str) -> String {
    chart("", &bars("col", &series(values, "Data!$A$2:$A$9")), [""; 2], "")
}

fn check(props: Value, found: &[String], expected: &[String], rules: Rules) -> Result<(), Finding> {
    by("chart", json!({"chart_props": props}), &charts(found), &charts(expected), rules)
}

#[test]
fn charts_are_compared_by_what_they_show() {
    let (b, c) = (simple("Data!$B$2:$B$9"), simple("Data!$C$2:$C$9"));
    let list = |charts: &[&String]| charts.iter().map(|chart| (*chart).clone()).collect::<Vec<_>>();
    for rules in BOTH {
        assert_eq!(check(json!([]), &list(&[&b]), &list(&[&b]), rules), Ok(()));
        assert_eq!(check(json!([]), &list(&[&b, &c]), &list(&[&c, &b]), rules), Ok(()));
        fail(check(json!([]), &list(&[&c]), &list(&[&b]), rules));
        fail(check(json!([]), &list(&[&b]), &list(&[&b, &c]), rules));
    }
    let sentence = fail(check(json!([]), &[], &list(&[&b]), STANDARD));
    assert_eq!(sentence, "the charts are none, expected are a chart of \"Data!B2:B9 by Data!A2:A9\"");
    let same = simple("'Data'!B2:B9");
    assert_eq!(check(json!([]), &list(&[&same]), &list(&[&b]), STANDARD), Ok(()));
    fail(check(json!([]), &list(&[&same]), &list(&[&b]), CODE));
    let twice = list(&[&b, &b]);
    fail(check(json!([]), &twice, &list(&[&b]), STANDARD));
    assert_eq!(check(json!([]), &twice, &list(&[&b]), CODE), Ok(()));
}

#[test]
fn a_long_list_of_series_is_compared_to_its_end() {
    let many = |last: &str| {
        let columns = ["B", "C", "D", "E", last];
        let all: String =
            columns.iter().map(|c| series(&format!("Data!${c}$2:${c}$9"), "Data!$A$2:$A$9")).collect();
        [chart("", &lines(&all), [""; 2], "")]
    };
    for rules in BOTH {
        assert_eq!(check(json!([]), &many("F"), &many("F"), rules), Ok(()));
        fail(check(json!([]), &many("G"), &many("F"), rules));
    }
}

#[test]
fn properties_are_compared_only_if_named() {
    let data = series("Data!$B$2:$B$9", "Data!$A$2:$A$9");
    let legend = "<c:legend><c:legendPos val=\"b\"/></c:legend>";
    let (x, y) = (title(&["Year"]), title(&["Sales"]));
    let full = [chart(&title(&["Top"]), &bars("col", &data), [&x, &y], legend)];
    let others = [
        ("title", chart(&title(&["Low"]), &bars("col", &data), [&x, &y], legend)),
        ("direction", chart(&title(&["Top"]), &bars("bar", &data), [&x, &y], legend)),
        ("legend", chart(&title(&["Top"]), &bars("col", &data), [&x, &y], "")),
        ("xtitle", chart(&title(&["Top"]), &bars("col", &data), ["", &y], legend)),
        ("ytitle", chart(&title(&["Top"]), &bars("col", &data), [&x, &x], legend)),
    ];
    for rules in BOTH {
        for (prop, other) in &others {
            let other = std::slice::from_ref(other);
            assert_eq!(check(json!([prop]), &full, &full, rules), Ok(()));
            assert_eq!(check(json!([]), other, &full, rules), Ok(()));
            let sentence = fail(check(json!([prop]), other, &full, rules));
            assert!(sentence.contains(prop), "{sentence}");
        }
        let line = [chart(&title(&["Top"]), &lines(&data), [&x, &y], legend)];
        let sentence = fail(check(json!(["type"]), &line, &full, rules));
        assert!(
            sentence.contains("type \"lineChart\"") && sentence.contains("type \"barChart\""),
            "{sentence}"
        );
        error(check(json!(["color"]), &full, &full, rules));
        error(check(json!("title"), &full, &full, rules));
    }
}

#[test]
fn the_released_code_reads_the_first_run_and_the_first_plot() {
    let data = series("Data!$B$2:$B$9", "Data!$A$2:$A$9");
    let more = series("Data!$C$2:$C$9", "Data!$A$2:$A$9");
    let one = |top: &str, plots: &str| [chart(top, plots, [""; 2], "")];
    let plain = one(&title(&["Sales"]), &lines(&data));
    let runs = one(&title(&["Sales", " 2024"]), &lines(&data));
    fail(check(json!(["title"]), &runs, &plain, STANDARD));
    assert_eq!(check(json!(["title"]), &runs, &plain, CODE), Ok(()));
    let split = one(&title(&["Sal", "es"]), &lines(&data));
    assert_eq!(check(json!(["title"]), &split, &plain, STANDARD), Ok(()));
    fail(check(json!(["title"]), &split, &plain, CODE));
    let both = one(&title(&["Sales"]), &format!("{}{}", lines(&data), bars("col", &more)));
    fail(check(json!([]), &both, &plain, STANDARD));
    assert_eq!(check(json!([]), &both, &plain, CODE), Ok(()));
    assert_eq!(check(json!(["direction"]), &plain, &plain, STANDARD), Ok(()));
    error(check(json!(["direction"]), &plain, &plain, CODE));
}

#[test]
fn a_title_may_come_from_a_cell() {
    let data = lines(&series("Data!$B$2:$B$9", "Data!$A$2:$A$9"));
    let linked = |text: &str| {
        let cache = format!("<c:strCache><c:pt idx=\"0\"><c:v>{text}</c:v></c:pt></c:strCache>");
        let reference = format!("<c:strRef><c:f>Data!$B$1</c:f>{cache}</c:strRef>");
        [chart(&format!("<c:title><c:tx>{reference}</c:tx></c:title>"), &data, [""; 2], "")]
    };
    let typed = [chart(&title(&["Sales"]), &data, [""; 2], "")];
    assert_eq!(check(json!(["title"]), &linked("Sales"), &typed, STANDARD), Ok(()));
    fail(check(json!(["title"]), &linked("Costs"), &typed, STANDARD));
    fail(check(json!(["title"]), &linked("Sales"), &typed, CODE));
}

#[test]
fn references_of_scatter_charts_are_read_only_by_the_standard_rules() {
    let scatter = |values: &str| {
        let reference = |text: &str| format!("<c:numRef><c:f>{text}</c:f></c:numRef>");
        let (x, y) = (reference("Data!$A$2:$A$9"), reference(values));
        let data = format!("<c:ser><c:xVal>{x}</c:xVal><c:yVal>{y}</c:yVal></c:ser>");
        [chart("", &format!("<c:scatterChart>{data}</c:scatterChart>"), [""; 2], "")]
    };
    assert_eq!(check(json!([]), &scatter("Data!$B$2:$B$9"), &scatter("Data!$B$2:$B$9"), STANDARD), Ok(()));
    fail(check(json!([]), &scatter("Data!$C$2:$C$9"), &scatter("Data!$B$2:$B$9"), STANDARD));
    assert_eq!(check(json!([]), &scatter("Data!$C$2:$C$9"), &scatter("Data!$B$2:$B$9"), CODE), Ok(()));
}

#[test]
fn sheets_that_are_missing_in_both_pass_only_in_the_released_code() {
    let more = json!({"sheet_idx0": "RNNone", "sheet_idx1": "ENNone"});
    let empty = charts(&[]);
    assert_eq!(by("chart", more.clone(), &empty, &empty, CODE), Ok(()));
    let sentence = fail(by("chart", more, &empty, &empty, STANDARD));
    assert_eq!(sentence, "/w/result.xlsx has no sheet \"None\"");
    let absent = chart("", "", [""; 2], "");
    let without = std::slice::from_ref(&absent);
    error(check(json!([]), without, without, CODE));
}
