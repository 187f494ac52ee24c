//! Charts (ECMA-376, part 1, section 21.2): what they show, and their titles.

use crate::office::{Element, Package, Relations, Unreadable};

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chart {
    /// The plots in it, such as bars and a line over them.
    pub(crate) plots: Vec<Plot>,
    /// The title; `None` if it has none.
    pub(crate) title: Option<Title>,
    /// Where the legend is, such as `r`; `None` without one.
    pub(crate) legend: Option<String>,
}

/// A plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plot {
    /// Such as `barChart`.
    pub(crate) kind: String,
    /// The direction of bars: `bar` or `col`.
    pub(crate) direction: Option<String>,
    /// The series.
    pub(crate) series: Vec<Series>,
    /// The titles of its axes, x first.
    pub(crate) axes: Vec<Option<Title>>,
}

/// What a series refers to; empty without a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Series {
    /// The values, or the y values of a scatter chart.
    pub(crate) values: String,
    /// The categories, or the x values of a scatter chart.
    pub(crate) categories: String,
    /// Whether it has x and y values, which the released code does not read.
    pub(crate) scatter: bool,
}

/// A title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Title {
    /// All of its text.
    pub(crate) text: String,
    /// The text of its first run.
    pub(crate) first_run: Option<String>,
}

pub(super) fn read(package: &mut Package<'_>, sheet: &Relations) -> Result<Vec<Chart>, Unreadable> {
    let mut charts = Vec::new();
    for drawing in sheet.kind("drawing") {
        let relations = Relations::of(package, drawing)?;
        for part in relations.kind("chart") {
            charts.push(chart(&package.required(part)?));
        }
    }
    Ok(charts)
}

fn chart(root: &Element) -> Chart {
    let Some(chart) = root.child("c:chart") else { return Chart::default() };
    let area = chart.child("c:plotArea");
    let plots = area.into_iter().flat_map(|area| {
        let plots = area.elements().filter(|element| element.local().ends_with("Chart"));
        plots.map(|element| plot(element, area))
    });
    let position = |legend: &Element| {
        legend.child("c:legendPos").and_then(|position| position.attr("val")).unwrap_or("r").to_owned()
    };
    Chart {
        plots: plots.collect(),
        title: chart.child("c:title").map(title),
        legend: chart.child("c:legend").map(position),
    }
}

fn plot(element: &Element, area: &Element) -> Plot {
    let axis_title = |id: &Element| {
        let is_it =
            |axis: &&Element| axis.child("c:axId").is_some_and(|own| own.attr("val") == id.attr("val"));
        let mut axes = area.elements().filter(|element| element.local().ends_with("Ax"));
        axes.find(is_it)?.child("c:title").map(title)
    };
    Plot {
        kind: element.local().to_owned(),
        direction: element.child("c:barDir").and_then(|direction| direction.attr("val")).map(str::to_owned),
        series: element.children("c:ser").map(series).collect(),
        axes: element.children("c:axId").map(axis_title).collect(),
    }
}

fn series(element: &Element) -> Series {
    let reference = |names: [&'static str; 2]| {
        let data = names.iter().find_map(|name| element.child(name));
        let references = ["c:numRef", "c:strRef", "c:multiLvlStrRef"];
        let found = data.and_then(|data| references.iter().find_map(|name| data.at(&[name, "c:f"])));
        found.map(Element::text).unwrap_or_default()
    };
    Series {
        values: reference(["c:val", "c:yVal"]),
        categories: reference(["c:cat", "c:xVal"]),
        scatter: element.child("c:yVal").is_some(),
    }
}

fn title(element: &Element) -> Title {
    if let Some(cells) = element.at(&["c:tx", "c:strRef", "c:strCache"]) {
        let texts: Vec<String> = cells.descendants("c:v").iter().map(|value| value.text()).collect();
        return Title { text: texts.join("\n"), first_run: None };
    }
    let texts: Vec<String> = element
        .descendants("a:p")
        .iter()
        .map(|paragraph| paragraph.descendants("a:t").iter().map(|text| text.text()).collect())
        .collect();
    let first = element.at(&["c:tx", "c:rich", "a:p", "a:r", "a:t"]);
    Title { text: texts.join("\n"), first_run: first.map(Element::text) }
}
