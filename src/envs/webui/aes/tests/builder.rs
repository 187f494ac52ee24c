//! Small pages for the tests.

use super::super::super::snapshot::{Element, PROPERTIES, Snapshot};

/// An element of 200 by 100 pixels at (40, 60) with ordinary styles and without annotations.
pub(super) fn element() -> Element {
    let default = |name: &str| match name {
        "width" => "200px",
        "height" => "100px",
        "display" => "block",
        "font-size" => "16px",
        "text-shadow" | "box-shadow" | "background-image" => "none",
        _ if name.ends_with("-style") => "none",
        _ if name.ends_with("color") => "rgb(0, 0, 0)",
        _ if name.ends_with("-width") || name.ends_with("-radius") => "0px",
        _ => "normal",
    };
    Element {
        tag: "div".to_owned(),
        id: String::new(),
        x: 40.0,
        y: 60.0,
        w: 200.0,
        h: 100.0,
        descendants: 0,
        class: String::new(),
        filter: None,
        evalby: None,
        text: "Hello".to_owned(),
        styles: PROPERTIES.iter().map(|name| default(name).to_owned()).collect(),
        shown: true,
        attributes: std::collections::BTreeMap::new(),
        html: String::new(),
    }
}

/// The element with annotations.
pub(super) fn target(filter: &str, evalby: &str) -> Element {
    Element { filter: Some(filter.to_owned()), evalby: Some(evalby.to_owned()), ..element() }
}

/// The element with another computed style.
pub(super) fn styled(mut element: Element, property: &str, value: &str) -> Element {
    let column = PROPERTIES.iter().position(|name| *name == property).unwrap();
    value.clone_into(&mut element.styles[column]);
    element
}

/// The element at another place.
pub(super) fn at(element: Element, x: f64, y: f64) -> Element {
    Element { x, y, ..element }
}

/// A page with these elements.
pub(super) fn page(elements: Vec<Element>) -> Snapshot {
    Snapshot {
        viewport: [1920.0, 937.0],
        document: [1905.0, 937.0],
        base: "file:///pages/".to_owned(),
        properties: PROPERTIES.map(str::to_owned).to_vec(),
        elements,
    }
}
