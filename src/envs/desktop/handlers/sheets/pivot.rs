//! `pivot_table`: what pivot tables are made of.

use std::collections::{BTreeMap, BTreeSet};

use super::select::{Side, Workbooks};
use super::{Case, Finding, Flow, Options, Rules, props, same};
use crate::office::xlsx::{Pivot, PivotField, Position};

/// The properties of pivot tables that can be compared.
const PROPS: &[&str] = &["col_fields", "row_fields", "filter", "data_fields"];

/// The sheets have the same pivot tables, in any order: the same source, and equal fields of `pivot_props` by their names, with
/// how values are summed up and shown; `filter` compares the fields of filters and the values that
/// they let through.
///
/// The released code compares the numbers of fields, hidden values of all fields by their number, takes tables with the same
/// source for one, passes if both sheets are missing, and ends with an error if a source is not a range of cells.
pub(super) fn pivot_table(
    options: &Options<'_>,
    workbooks: &Workbooks<'_>,
    case: &mut Case<'_>,
) -> Result<Flow, Finding> {
    let props = props(options, "pivot_props", PROPS)?;
    let [found, expected] = workbooks.sides(options)?;
    match case.rules {
        Rules::Standard => {
            let found = listed(&found.required()?.pivots, &props);
            same("pivot tables", &found, &listed(&expected.required()?.pivots, &props))
        }
        Rules::Code => same("pivot tables", &by_source(&found, &props)?, &by_source(&expected, &props)?),
    }
}

fn listed(pivots: &[Pivot], props: &[&str]) -> Vec<String> {
    let mut listed: Vec<String> = pivots.iter().map(|pivot| described(pivot, props)).collect();
    listed.sort();
    listed
}

fn described(pivot: &Pivot, props: &[&str]) -> String {
    let range = pivot.range.as_deref().or(pivot.range_name.as_deref()).unwrap_or_default().replace('$', "");
    let sheet = pivot.sheet.as_deref().unwrap_or_default();
    let mut parts = vec![format!("a pivot table of {:?}", format!("{sheet}!{range}"))];
    for prop in props {
        let value = match *prop {
            "col_fields" => names(pivot, &pivot.columns),
            "row_fields" => names(pivot, &pivot.rows),
            "filter" => filters(pivot),
            _ => values(pivot),
        };
        parts.push(format!("{prop} [{value}]"));
    }
    parts.join(", ")
}

fn name(pivot: &Pivot, field: i64) -> String {
    let known = usize::try_from(field).ok().and_then(|index| pivot.fields.get(index));
    known.map_or_else(|| "the values".to_owned(), |field| format!("{:?}", field.name))
}

fn names(pivot: &Pivot, fields: &[i64]) -> String {
    let names: Vec<String> = fields.iter().map(|field| name(pivot, *field)).collect();
    names.join(", ")
}

fn filters(pivot: &Pivot) -> String {
    let filters: BTreeSet<String> = pivot
        .filters
        .iter()
        .map(|(field, chosen)| format!("{} showing {}", name(pivot, *field), shown(pivot, *field, *chosen)))
        .collect();
    filters.into_iter().collect::<Vec<_>>().join(", ")
}

/// The values that a filter lets through: the chosen one, or those that are not hidden.
fn shown(pivot: &Pivot, field: i64, chosen: Option<usize>) -> String {
    let field = usize::try_from(field).ok().and_then(|index| pivot.fields.get(index));
    let items = field.map_or(&[][..], |field| &field.items);
    let is_shown = |index: usize, hidden: Option<bool>| match chosen {
        Some(chosen) => chosen == index,
        None => hidden != Some(true),
    };
    let shown = items.iter().enumerate().filter(|(index, (hidden, _))| is_shown(*index, *hidden));
    let value = |item: usize| field.and_then(|field| field.values.get(item)).map_or("?", String::as_str);
    let values: BTreeSet<&str> = shown.map(|(_, (_, item))| value(*item)).collect();
    if values.len() == items.len() { "all".to_owned() } else { format!("{values:?}") }
}

fn values(pivot: &Pivot) -> String {
    let data = pivot.data.iter();
    let values: Vec<String> = data
        .map(|data| format!("{} of {} shown as {}", data.subtotal, name(pivot, data.field), data.shown_as))
        .collect();
    values.join(", ")
}

fn by_source(side: &Side<'_>, props: &[&str]) -> Result<Vec<String>, Finding> {
    let mut tables: BTreeMap<String, String> = BTreeMap::new();
    for pivot in side.sheet().into_iter().flat_map(|sheet| &sheet.pivots) {
        let left = pivot.fields.iter().take_while(|field| field.items.is_empty()).count();
        let rest = pivot.fields.get(left..).unwrap_or_default();
        let right = rest.iter().rev().take_while(|field| field.items.is_empty()).count();
        let selected = rest.get(..rest.len() - right).unwrap_or_default();
        let source = source_by_code(pivot, left, right)?;
        let bias = i64::try_from(left).unwrap_or_default();
        let texts: Vec<String> =
            props.iter().map(|prop| property_by_code(pivot, prop, bias, selected)).collect();
        tables.insert(source, texts.join(", "));
    }
    Ok(tables.into_iter().map(|(source, text)| format!("a pivot table of {source}: {text}")).collect())
}

/// The source without the columns at its sides that no field uses.
fn source_by_code(pivot: &Pivot, left: usize, right: usize) -> Result<String, Finding> {
    let no_range = || Finding::error("the source of a pivot table is not a range of cells");
    let (from, to) = pivot.range.as_deref().and_then(|range| range.split_once(':')).ok_or_else(no_range)?;
    let from = Position::parse(from).ok_or_else(no_range)?;
    let to = Position::parse(to).ok_or_else(no_range)?;
    let first = i64::from(from.column) + i64::try_from(left).unwrap_or_default();
    let last = i64::from(to.column) - i64::try_from(right).unwrap_or_default();
    let sheet = pivot.sheet.as_deref().unwrap_or_default();
    Ok(format!("{} rows {} to {} columns {first} to {last} of {sheet:?}", pivot.source, from.row, to.row))
}

fn property_by_code(pivot: &Pivot, prop: &str, bias: i64, selected: &[PivotField]) -> String {
    let numbers =
        |fields: &[i64]| fields.iter().map(|field| (field - bias).to_string()).collect::<Vec<_>>().join(",");
    match prop {
        "col_fields" => format!("columns [{}]", numbers(&pivot.columns)),
        "row_fields" => format!("rows [{}]", numbers(&pivot.rows)),
        "filter" => {
            let items: Vec<BTreeSet<_>> = selected.iter().map(|field| field.items.iter().collect()).collect();
            let fields: BTreeSet<i64> = pivot.filters.iter().map(|(field, _)| *field).collect();
            format!("filters {fields:?} of {items:?}")
        }
        _ => {
            let data = pivot.data.iter();
            let data: Vec<String> = data
                .map(|data| format!("{};{};{}", data.field - bias, data.subtotal, data.shown_as))
                .collect();
            format!("values {data:?}")
        }
    }
}
