//! The string literals of a Rust file, without comments, tests and attributes that users do not see.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A string literal: the line on which it starts, counted from 1, and its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) line: usize,
    pub(super) text: String,
}

/// Attributes whose strings are not shown to users. Comments are `doc` attributes.
const SKIPPED_ATTRIBUTES: [&str; 8] = ["allow", "cfg", "deny", "doc", "expect", "path", "rustfmt", "serde"];

/// All string literals of a file outside its tests.
pub(super) fn literals(source: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    collect(source.parse().expect("a Rust file"), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<Literal>) {
    let mut after_hash = false;
    let mut in_test = false;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                in_test &= punct.as_char() != ';';
                after_hash = punct.as_char() == '#' || (after_hash && punct.as_char() == '!');
                continue;
            }
            TokenTree::Group(group) if after_hash && group.delimiter() == Delimiter::Bracket => {
                in_test |= group.stream().to_string().replace(' ', "") == "cfg(test)";
                if !in_test && !is_skipped(group.stream()) {
                    collect(group.stream(), found);
                }
            }
            TokenTree::Group(group) if in_test => in_test = group.delimiter() != Delimiter::Brace,
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Literal(literal) if !in_test => {
                let line = literal.span().start().line;
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    found.push(Literal { line, text: without_placeholders(&text.value()) });
                }
            }
            _ => {}
        }
        after_hash = false;
    }
}

fn is_skipped(attribute: TokenStream) -> bool {
    let name = attribute.into_iter().next().map(|token| token.to_string()).unwrap_or_default();
    SKIPPED_ATTRIBUTES.contains(&name.as_str())
}

/// The text with every `{name}` as `{}`, because a name in braces is code.
fn without_placeholders(text: &str) -> String {
    let mut plain = String::new();
    let mut inside = false;
    for c in text.chars() {
        inside &= c != '}';
        if !inside {
            plain.push(c);
        }
        inside |= c == '{';
    }
    plain
}

#[test]
fn literals_are_found_outside_comments_and_tests() {
    let source = r##"
        //! "not this"
        /// it's "not" this
        #[error("shown {why}")]
        #[serde(rename = "not this")]
        fn name<'a>(c: char) -> &'a str {
            if c == '"' { return r#"raw "quoted" text"#; }
            format!("in a {}", "macro");
            "one \
             line\n\"end\""
        }
        #[cfg(test)]
        use not::this;
        #[cfg(test)]
        mod tests { const BRACE: char = '}'; const NOT: &str = "not } this"; }
        const LAST: [&str; 1] = ["last"];
    "##;
    let found: Vec<(usize, String)> =
        literals(source).into_iter().map(|literal| (literal.line, literal.text)).collect();
    let expected = [
        (4, "shown {}"),
        (7, "raw \"quoted\" text"),
        (8, "in a {}"),
        (8, "macro"),
        (9, "one line\n\"end\""),
        (16, "last"),
    ];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
}
