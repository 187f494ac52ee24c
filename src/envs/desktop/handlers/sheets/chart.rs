//! `chart`: what charts show.

use std::collections::BTreeMap;

use super::select::{Side, Workbooks};
use super::{Case, Finding, Flow, Options, Rules, props, same};
use crate::office::xlsx::{Chart, Plot, Title};

/// The properties of charts that can be compared.
const PROPS: &[&str] = &["title", "type", "direction", "legend", "xtitle", "ytitle"];

/// The sheets have the same charts: the same references of values and categories in all plots, in any order of charts, and
/// equal properties of `chart_props`. Quotes and dollars in references do not count, nor do blanks in titles.
///
/// The released code reads the first plot and the first run of a title only, knows no references of scatter charts, takes
/// charts with equal references for one, and passes if both sheets are missing.
pub(super) fn chart(
    options: &Options<'_>,
    workbooks: &Workbooks<'_>,
    case: &mut Case<'_>,
) -> Result<Flow, Finding> {
    let props = props(options, "chart_props", PROPS)?;
    let [found, expected] = workbooks.sides(options)?;
    match case.rules {
        Rules::Standard => {
            let found = listed(&found.required()?.charts, &props);
            same("charts", &found, &listed(&expected.required()?.charts, &props))
        }
        Rules::Code => same("charts", &by_source(&found, &props)?, &by_source(&expected, &props)?),
    }
}

fn listed(charts: &[Chart], props: &[&str]) -> Vec<String> {
    let mut listed: Vec<String> = charts.iter().map(|chart| described(chart, props)).collect();
    listed.sort();
    listed
}

fn described(chart: &Chart, props: &[&str]) -> String {
    let series = chart.plots.iter().flat_map(|plot| &plot.series);
    let mut series: Vec<String> = series
        .map(|series| format!("{} by {}", reference(&series.values), reference(&series.categories)))
        .collect();
    series.sort();
    let mut parts = vec![format!("a chart of {:?}", series.join(", "))];
    for prop in props {
        let value = property(chart, prop).map_or_else(|| "none".to_owned(), |value| format!("{value:?}"));
        parts.push(format!("{prop} {value}"));
    }
    parts.join(", ")
}

/// A reference without quotes and dollars.
fn reference(text: &str) -> String {
    text.replace(['\'', '$'], "")
}

fn property(chart: &Chart, prop: &str) -> Option<String> {
    let plot = chart.plots.first();
    let title = |title: &Title| {
        let words: Vec<&str> = title.text.split_whitespace().collect();
        words.join(" ")
    };
    let axis = |index: usize| plot?.axes.get(index)?.as_ref().map(title);
    let all = |text: fn(&Plot) -> Option<&str>| -> Option<String> {
        let texts: Vec<&str> = chart.plots.iter().filter_map(text).collect();
        (!texts.is_empty()).then(|| texts.join(" and "))
    };
    match prop {
        "title" => chart.title.as_ref().map(title),
        "type" => all(|plot| Some(&plot.kind)),
        "direction" => all(|plot| plot.direction.as_deref()),
        "legend" => chart.legend.clone(),
        "xtitle" => axis(0),
        "ytitle" => axis(1),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

fn by_source(side: &Side<'_>, props: &[&str]) -> Result<Vec<String>, Finding> {
    let mut charts: BTreeMap<String, String> = BTreeMap::new();
    for chart in side.sheet().into_iter().flat_map(|sheet| &sheet.charts) {
        let plot = chart.plots.first().ok_or_else(|| Finding::error("a chart has no plot"))?;
        let series = plot.series.iter().map(|series| {
            if series.scatter { ",".to_owned() } else { format!("{},{}", series.values, series.categories) }
        });
        let source = series.collect::<Vec<_>>().join(";");
        let mut parts = vec![format!("a chart of {source:?}")];
        for prop in props {
            parts.push(format!("{prop} {}", property_by_code(chart, prop)?));
        }
        charts.insert(source, parts.join(", "));
    }
    Ok(charts.into_values().collect())
}

fn property_by_code(chart: &Chart, prop: &str) -> Result<String, Finding> {
    let plot = chart.plots.first();
    let axis = |index: usize| plot?.axes.get(index)?.as_ref()?.first_run.clone();
    let value = match prop {
        "title" => chart.title.as_ref().and_then(|title| title.first_run.clone()),
        "type" => plot.map(|plot| plot.kind.clone()),
        "direction" => {
            let direction = plot.and_then(|plot| plot.direction.clone());
            Some(direction.ok_or_else(|| Finding::error("a chart without bars has no direction"))?)
        }
        "legend" => chart.legend.clone(),
        "xtitle" => axis(0),
        "ytitle" => axis(1),
        _ => None,
    };
    Ok(value.map_or_else(|| "none".to_owned(), |value| format!("{value:?}")))
}
