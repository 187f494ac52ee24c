//! Text of pages: places in templates and characters with a meaning in HTML. It knows no site.

/// A template with each `{{name}}` replaced. Values are inserted as they are and not searched for more places; a name without a
/// value gives nothing.
pub(super) fn fill<T: AsRef<str>>(template: &str, values: &[(&str, T)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, tail)) = after.split_once("}}") else { break };
        filled.push_str(before);
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            filled.push_str(value.as_ref());
        }
        rest = tail;
    }
    filled.push_str(rest);
    filled
}

/// A text as HTML shows it, in elements and in attributes with double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Whole cents as dollars, such as `$12.50`.
pub(super) fn dollars(cents: u32) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// A number of tenths, such as `4.6`.
pub(super) fn tenths(tenths: u32) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}
