//! Finds the key of a byte range in a TOML document, and the byte range of a key.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The path of the innermost key whose value contains this span, such as `headings.bold`.
///
/// Members of arrays have no part in the path: the line of the error tells them apart.
pub(super) fn key_at(document: &DeTable<'_>, span: &Range<usize>) -> Option<String> {
    let mut inner: Option<(usize, String)> = None;
    visit(document, "", &mut |path, value| {
        let covers = value.start <= span.start && span.end <= value.end;
        if covers && inner.as_ref().is_none_or(|(length, _)| value.len() <= *length) {
            inner = Some((value.len(), path.to_owned()));
        }
    });
    inner.map(|(_, path)| path)
}

fn visit(table: &DeTable<'_>, prefix: &str, report: &mut impl FnMut(&str, Range<usize>)) {
    for (key, value) in table {
        let separator = if prefix.is_empty() { "" } else { "." };
        visit_value(value, &format!("{prefix}{separator}{}", key.get_ref()), report);
    }
}

fn visit_value(value: &Spanned<DeValue<'_>>, path: &str, report: &mut impl FnMut(&str, Range<usize>)) {
    report(path, value.span());
    match value.get_ref() {
        DeValue::Table(table) => visit(table, path, report),
        DeValue::Array(members) => {
            for member in members {
                visit_value(member, path, report);
            }
        }
        _ => {}
    }
}

/// The span of the value at this path, or of the nearest part of the path that exists. Array members are numbered
/// from 0: `["fallback", "2", "pattern"]`.
pub(super) fn span_of(document: &DeTable<'_>, path: &[impl AsRef<str>]) -> Range<usize> {
    let mut span = 0..0;
    let mut value = None;
    for part in path.iter().map(AsRef::as_ref) {
        let next = match value.map(Spanned::get_ref) {
            None => document.get(part),
            Some(DeValue::Table(table)) => table.get(part),
            Some(DeValue::Array(members)) => part.parse::<usize>().ok().and_then(|index| members.get(index)),
            Some(_) => None,
        };
        let Some(found) = next else { break };
        span = found.span();
        value = Some(found);
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1\n[b]\nc = [1, 22]\n[[d]]\ne = 1\n[[d]]\ne = { f = 333 }\n";

    #[test]
    fn a_span_gives_its_key() {
        let document = DeTable::parse(TEXT).unwrap();
        for (text, key) in [("1", "a"), ("22", "b.c"), ("333", "d.e.f")] {
            let start = TEXT.find(text).unwrap();
            assert_eq!(key_at(document.get_ref(), &(start..start + text.len())).unwrap(), key, "{text}");
        }
        assert_eq!(key_at(document.get_ref(), &(0..1)), None, "a key is not a value");
    }

    #[test]
    fn a_key_gives_its_span() {
        let document = DeTable::parse(TEXT).unwrap();
        for (path, text) in [
            (&["a"][..], "1"),
            (&["b", "c"], "[1, 22]"),
            (&["b", "c", "1"], "22"),
            (&["d", "1", "e", "f"], "333"),
            (&["b", "c", "x"], "[1, 22]"),
            (&["zzz"], ""),
        ] {
            assert_eq!(&TEXT[span_of(document.get_ref(), path)], text, "{path:?}");
        }
    }
}
