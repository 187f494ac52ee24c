//! The path and the query of a request.

use url::form_urlencoded;

/// A request target, taken apart.
#[derive(Debug)]
pub(super) struct Address {
    /// The path as it was sent.
    pub(super) path: String,
    query: Vec<(String, String)>,
}

impl Address {
    /// Reads `path?query`.
    pub(super) fn new(target: &str) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query = query.split('#').next().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes());
        Self { path: path.to_owned(), query: query.into_owned().collect() }
    }

    /// The first value of a parameter, decoded once; empty if it is missing.
    pub(super) fn get(&self, name: &str) -> &str {
        self.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
    }

    /// What follows a prefix of the path.
    pub(super) fn below(&self, prefix: &str) -> Option<&str> {
        self.path.strip_prefix(prefix)
    }
}

/// A text percent-encoded once, blanks as `%20`.
pub(super) fn encoded(text: &str) -> String {
    let text: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    text.replace('+', "%20")
}

/// Parameters as a query with `?`; those with an empty value are left out.
pub(super) fn query(parameters: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters.iter().filter(|(_, value)| !value.is_empty()));
    let query = query.finish();
    if query.is_empty() { query } else { format!("?{query}") }
}
