//! A request as a curl command.

use std::path::Path;

use mageyard_domain::{RequestEncoder, VariableText, escape_json, shell_quote, shell_quote_variables};

/// Where the body is.
pub(super) enum BodySource<'a> {
    /// In the command.
    Inline(&'a str),
    /// In a file.
    File(&'a Path),
}

/// The command that sends the body to the encoder's URL. The API key and other values that come from variables stay
/// shell variables, so they are in no history and no file.
pub(super) fn command(packing: &dyn RequestEncoder, streams: bool, data: &BodySource<'_>) -> String {
    let data = match data {
        BodySource::Inline(body) => format!("'{body}'"),
        BodySource::File(path) => shell_quote(&format!("@{}", path.display())),
    };
    let mut lines = vec![
        format!("curl -sS{} {}", if streams { "N" } else { "" }, quoted_address(packing)),
        "-H 'Content-Type: application/json'".to_owned(),
    ];
    let header = |(name, value): (String, VariableText)| {
        format!("-H {}", shell_quote_variables(&VariableText::literal(format!("{name}: ")).then(value)))
    };
    lines.extend(packing.headers().into_iter().map(header));
    lines.extend(packing.files().into_iter().map(|(flag, file)| format!("{flag} {}", shell_quote(&file))));
    lines.push(format!("--data-binary {data}\n"));
    lines.join(" \\\n  ")
}

fn quoted_address(packing: &dyn RequestEncoder) -> String {
    let address = packing.address();
    if address.is_literal() { shell_quote(&address.to_string()) } else { shell_quote_variables(&address) }
}

/// The same JSON, safe inside single quotes in every shell and in a terminal: no quotes, no double backslashes
/// (fish unescapes them) and no control characters.
pub(super) fn shell_safe(json: &str) -> String {
    let json = escape_json(json);
    let mut safe = String::with_capacity(json.len());
    let mut letters = json.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => safe.push_str("\\u0027"),
            '\\' => match letters.next() {
                Some('\\') => safe.push_str("\\u005c"),
                next => safe.extend([Some('\\'), next].into_iter().flatten()),
            },
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_safe_json_keeps_its_meaning() {
        let text: String = (0..=0x0010_ffff).filter_map(char::from_u32).collect();
        let text = format!("{text} \\\\ \\' $(rm) `x` !! it's \\n\n\u{1b}[201~");
        let safe = shell_safe(&serde_json::to_string(&text).unwrap());
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        assert!(!safe.contains('\'') && !safe.contains("\\\\") && !safe.contains('\n'));
        assert!(!safe.contains(mageyard_domain::is_hidden));
    }
}
