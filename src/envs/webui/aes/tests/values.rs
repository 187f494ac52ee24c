//! The value of an attribute for two elements.

use super::super::{Rules, explain};
use super::builder::{element, page, styled};
use crate::snapshot::Element;

/// The rules of the released code.
pub(super) fn released() -> Rules {
    Rules::released()
}

/// The values of the parts of an attribute for two elements.
pub(super) fn values(
    name: &str,
    target: Element,
    generated: Element,
    rules: Rules,
) -> Vec<(String, Option<f64>)> {
    let target = Element { filter: Some("text".to_owned()), evalby: Some(name.to_owned()), ..target };
    let explained = explain(&page(vec![target]), &page(vec![generated]), (0, 0), rules).unwrap();
    explained.attributes.into_iter().map(|part| (part.name, part.value)).collect()
}

pub(super) fn value(name: &str, target: Element, generated: Element, rules: Rules) -> Option<f64> {
    let found = values(name, target, generated, rules);
    assert_eq!(found.len(), 1, "{name}: {found:?}");
    found[0].1
}

/// Compares a computed style with literal values; a target, a generated value, and how alike they are.
pub(super) fn assert_styles(name: &str, property: &str, rows: &[(&str, &str, Option<f64>)], rules: Rules) {
    for (wanted, written, expected) in rows {
        let of = |value| styled(element(), property, value);
        let found = value(name, of(wanted), of(written), rules);
        let near = found.zip(*expected).is_none_or(|(found, expected)| (found - expected).abs() < 1e-12);
        assert!(
            near && found.is_some() == expected.is_some(),
            "{name}: {wanted:?} and {written:?}: {found:?}, not {expected:?}"
        );
    }
}
