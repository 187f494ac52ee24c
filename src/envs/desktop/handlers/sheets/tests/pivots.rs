//! `pivot_table`.

use serde_json::{Value, json};

use super::make::{Sheet, workbook};
use super::{BOTH, CODE, STANDARD, by};
use crate::handlers::scripted::{error, fail};
use crate::handlers::{Finding, Rules};

/// A pivot table over the fields Region, Year and Sales.
#[derive(Clone, Copy)]
struct Table {
    source: &'static str,
    /// Items of Region, Year.
    items: [&'static str; 2],
    rows: &'static [i64],
    columns: &'static [i64],
    filter: &'static str,
    data: &'static str,
}

const ITEMS: &str = r#"<item x="0"/><item x="1"/><item t="default"/>"#;
const GOOD: Table = Table {
    source: r#"sheet="Data" ref="A1:C9""#,
    items: [ITEMS; 2],
    rows: &[0],
    columns: &[],
    filter: r#"<pageField fld="1" item="0"/>"#,
    data: r#"<dataField fld="2" name="Sum"/>"#,
};

impl Table {
    fn parts(self) -> (String, String) {
        let list = |outer: &str, fields: &[i64]| {
            let fields: Vec<String> = fields.iter().map(|field| format!("<field x=\"{field}\"/>")).collect();
            let fields = fields.concat();
            format!("<{outer}>{fields}</{outer}>")
        };
        let [region, year] =
            self.items.map(|items| format!("<pivotField><items>{items}</items></pivotField>"));
        let table = format!(
            "<pivotFields>{region}{year}<pivotField/></pivotFields>{}{}<pageFields>{}</pageFields><dataFields>{}</dataFields>",
            list("rowFields", self.rows),
            list("colFields", self.columns),
            self.filter,
            self.data
        );
        let field = |name: &str, values: &str| {
            format!("<cacheField name=\"{name}\"><sharedItems>{values}</sharedItems></cacheField>")
        };
        let cache = format!(
            "<cacheSource type=\"worksheet\"><worksheetSource {}/></cacheSource><cacheFields>{}{}{}</cacheFields>",
            self.source,
            field("Region", r#"<s v="North"/><s v="South"/>"#),
            field("Year", r#"<n v="2023"/><n v="2024"/>"#),
            field("Sales", "")
        );
        (table, cache)
    }
}

fn tables(tables: &[Table]) -> Vec<u8> {
    let pivots = tables.iter().map(|table| table.parts()).collect();
    workbook(&[Sheet { name: "Pivot", pivots, ..Sheet::default() }])
}

fn check(props: Value, found: &[Table], expected: &[Table], rules: Rules) -> Result<(), Finding> {
    by("pivot_table", json!({"pivot_props": props}), &tables(found), &tables(expected), rules)
}

#[test]
fn fields_are_compared_only_if_named() {
    let others = [
        ("row_fields", Table { rows: &[1], ..GOOD }),
        ("col_fields", Table { columns: &[1], ..GOOD }),
        ("filter", Table { filter: "", ..GOOD }),
        ("data_fields", Table { data: r#"<dataField fld="2" subtotal="average"/>"#, ..GOOD }),
        ("data_fields", Table { data: r#"<dataField fld="2" showDataAs="percentOfTotal"/>"#, ..GOOD }),
        ("data_fields", Table { data: r#"<dataField fld="1"/>"#, ..GOOD }),
    ];
    let all = json!(["col_fields", "row_fields", "filter", "data_fields"]);
    for rules in BOTH {
        assert_eq!(check(all.clone(), &[GOOD], &[GOOD], rules), Ok(()));
        for (prop, other) in others {
            assert_eq!(check(json!([]), &[other], &[GOOD], rules), Ok(()), "{prop}");
            fail(check(json!([prop]), &[other], &[GOOD], rules));
            fail(check(all.clone(), &[other], &[GOOD], rules));
        }
        fail(check(json!([]), &[], &[GOOD], rules));
        fail(check(json!([]), &[Table { source: r#"sheet="Data" ref="A1:C8""#, ..GOOD }], &[GOOD], rules));
        fail(check(json!([]), &[Table { source: r#"sheet="Other" ref="A1:C9""#, ..GOOD }], &[GOOD], rules));
        error(check(json!(["style"]), &[GOOD], &[GOOD], rules));
    }
    let sentence = fail(check(json!(["row_fields"]), &[], &[GOOD], STANDARD));
    assert_eq!(
        sentence,
        "the pivot tables are none, expected are a pivot table of \"Data!A1:C9\", row_fields [\"Region\"]"
    );
}

#[test]
fn a_filter_is_compared_by_what_it_lets_through() {
    let filter = |items: &'static str, filter: &'static str| Table { items: [ITEMS, items], filter, ..GOOD };
    let plain = r#"<pageField fld="1"/>"#;
    let hidden = filter(r#"<item x="0"/><item x="1" h="1"/><item t="default"/>"#, plain);
    let other = filter(r#"<item x="0" h="1"/><item x="1"/><item t="default"/>"#, plain);
    let open = filter(ITEMS, plain);
    assert_eq!(check(json!(["filter"]), &[hidden], &[GOOD], STANDARD), Ok(()));
    for rules in BOTH {
        fail(check(json!(["filter"]), &[other], &[hidden], rules));
        fail(check(json!(["filter"]), &[open], &[hidden], rules));
    }
    // The released code does not look at the chosen item.
    fail(check(json!(["filter"]), &[open], &[GOOD], STANDARD));
    assert_eq!(check(json!(["filter"]), &[open], &[GOOD], CODE), Ok(()));
}

#[test]
fn tables_with_one_source_count_once_only_in_the_released_code() {
    let other = Table { rows: &[1], ..GOOD };
    for rules in BOTH {
        let moved = Table { source: r#"sheet="Data" ref="A1:C5""#, ..GOOD };
        assert_eq!(check(json!([]), &[moved, GOOD], &[GOOD, moved], rules), Ok(()));
    }
    fail(check(json!(["row_fields"]), &[other, GOOD], &[GOOD], STANDARD));
    assert_eq!(check(json!(["row_fields"]), &[other, GOOD], &[GOOD], CODE), Ok(()));
}

#[test]
fn a_source_without_a_range_is_an_error_only_in_the_released_code() {
    let named = |source| Table { source, ..GOOD };
    let sales = named(r#"name="SalesTable""#);
    assert_eq!(check(json!([]), &[sales], &[sales], STANDARD), Ok(()));
    fail(check(json!([]), &[named(r#"name="Costs""#)], &[sales], STANDARD));
    let reason = error(check(json!([]), &[sales], &[sales], CODE));
    assert_eq!(reason, "the source of a pivot table is not a range of cells");
}

#[test]
fn damaged_tables_and_missing_sheets_are_found() {
    let broken = workbook(&[Sheet {
        name: "Pivot",
        pivots: vec![("<pivotFields>".to_owned(), String::new())],
        ..Sheet::default()
    }]);
    let good = tables(&[GOOD]);
    let sentence = fail(by("pivot_table", json!({}), &broken, &good, STANDARD));
    assert!(sentence.contains("damaged part \"xl/pivot0_0.xml\""), "{sentence}");
    error(by("pivot_table", json!({}), &good, &broken, STANDARD));
    let more = json!({"sheet_idx0": "RI7", "sheet_idx1": "EI7"});
    assert_eq!(
        fail(by("pivot_table", more.clone(), &good, &good, STANDARD)),
        "/w/result.xlsx has no sheet number 7"
    );
    assert_eq!(by("pivot_table", more, &good, &good, CODE), Ok(()));
    let strange = Table { rows: &[-2, 99, i64::MIN], ..GOOD };
    fail(check(json!(["row_fields"]), &[strange], &[GOOD], STANDARD));
}
