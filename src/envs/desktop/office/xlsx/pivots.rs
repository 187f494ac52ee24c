//! Pivot tables (ECMA-376, part 1, section 18.10).

use crate::office::{Element, Package, Relations, Unreadable};

/// A pivot table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pivot {
    /// The kind of its source, such as `worksheet`.
    pub(crate) source: String,
    /// The sheet of its source.
    pub(crate) sheet: Option<String>,
    /// The cells of its source.
    pub(crate) range: Option<String>,
    /// The name of its source, if it is a named range or a table.
    pub(crate) range_name: Option<String>,
    /// All fields, those that it does not show too.
    pub(crate) fields: Vec<PivotField>,
    /// The fields of columns, as indices; -2 is the list of values.
    pub(crate) columns: Vec<i64>,
    /// The fields of rows.
    pub(crate) rows: Vec<i64>,
    /// The fields of filters, and the item that is chosen.
    pub(crate) filters: Vec<(i64, Option<usize>)>,
    /// The fields of values.
    pub(crate) data: Vec<DataField>,
}

/// A field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PivotField {
    /// Its name.
    pub(crate) name: String,
    /// The items: whether they are hidden, and their index in the values.
    pub(crate) items: Vec<(Option<bool>, usize)>,
    /// The values that occur.
    pub(crate) values: Vec<String>,
}

/// A field of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DataField {
    /// The index of the field.
    pub(crate) field: i64,
    /// The name that is shown.
    pub(crate) name: String,
    /// How it is summed up, such as `sum`.
    pub(crate) subtotal: String,
    /// How it is shown, such as `normal`.
    pub(crate) shown_as: String,
}

pub(super) fn read(package: &mut Package<'_>, sheet: &Relations) -> Result<Vec<Pivot>, Unreadable> {
    let mut pivots = Vec::new();
    for part in sheet.kind("pivotTable") {
        let table = package.required(part)?;
        let relations = Relations::of(package, part)?;
        let cache = relations.first("pivotCacheDefinition").map(str::to_owned);
        let cache = cache.ok_or_else(|| Unreadable::part(part, "it has no source"))?;
        pivots.push(pivot(&table, &package.required(&cache)?));
    }
    Ok(pivots)
}

fn pivot(table: &Element, cache: &Element) -> Pivot {
    let source = cache.child("s:cacheSource");
    let cells = source.and_then(|source| source.child("s:worksheetSource"));
    let text = |name: &str| cells.and_then(|cells| cells.attr(name)).map(str::to_owned);
    let list = |outer: &'static str| table.child(outer).into_iter().flat_map(Element::elements);
    let filter = |field: &Element| {
        let item = field.attr("item").and_then(|item| item.parse().ok());
        (number(field, "fld"), item)
    };
    let data = |field: &Element| DataField {
        field: number(field, "fld"),
        name: field.attr("name").unwrap_or_default().to_owned(),
        subtotal: field.attr("subtotal").unwrap_or("sum").to_owned(),
        shown_as: field.attr("showDataAs").unwrap_or("normal").to_owned(),
    };
    Pivot {
        source: source.and_then(|source| source.attr("type")).unwrap_or_default().to_owned(),
        sheet: text("sheet"),
        range: text("ref"),
        range_name: text("name"),
        fields: fields(table, cache),
        columns: list("s:colFields").map(|field| number(field, "x")).collect(),
        rows: list("s:rowFields").map(|field| number(field, "x")).collect(),
        filters: list("s:pageFields").map(filter).collect(),
        data: list("s:dataFields").map(data).collect(),
    }
}

fn fields(table: &Element, cache: &Element) -> Vec<PivotField> {
    let shown = table.child("s:pivotFields").into_iter().flat_map(|fields| fields.children("s:pivotField"));
    let mut known =
        cache.child("s:cacheFields").into_iter().flat_map(|fields| fields.children("s:cacheField"));
    let item = |item: &Element| {
        let hidden = item.attr("h").map(|hidden| matches!(hidden, "1" | "true"));
        Some((hidden, item.attr("x")?.parse().ok()?))
    };
    let field = |field: &Element| {
        let cached = known.next();
        let values = cached.and_then(|cached| cached.child("s:sharedItems"));
        let values = values.into_iter().flat_map(Element::elements);
        let items = field.child("s:items").into_iter().flat_map(|items| items.children("s:item"));
        PivotField {
            name: cached.and_then(|cached| cached.attr("name")).unwrap_or_default().to_owned(),
            items: items.filter_map(item).collect(),
            values: values.map(|value| value.attr("v").unwrap_or_default().to_owned()).collect(),
        }
    };
    shown.map(field).collect()
}

fn number(element: &Element, name: &str) -> i64 {
    element.attr(name).and_then(|number| number.parse().ok()).unwrap_or(0)
}
