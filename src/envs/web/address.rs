//! Addresses as key nodes compare them (`WebCanvas`, released code): split as Python's `urllib` splits them, and decoded as texts.
//! Nothing is resolved or normalized here.

use percent_encoding::percent_decode_str;
use url::form_urlencoded;

/// Schemes whose last piece of a path may have parameters after `;`.
const WITH_PARAMETERS: [&str; 4] = ["", "http", "https", "ftp"];

/// The parts of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// In small letters; empty if there is none.
    pub(crate) scheme: String,
    /// Host with user and port, as written.
    pub(crate) host: String,
    /// The path with what follows `;` in its last piece.
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) fragment: String,
}

impl Parts {
    /// The parts of any text: what is not there is empty.
    pub(crate) fn of(address: &str) -> Self {
        let is_dropped = |c: char| c <= ' ';
        let address = address.trim_start_matches(is_dropped).replace(['\t', '\r', '\n'], "");
        let (scheme, rest) = split_scheme(&address);
        let (host, rest) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len())),
            None => ("", rest),
        };
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        Self {
            scheme: scheme.to_lowercase(),
            host: host.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            fragment: fragment.to_owned(),
        }
    }

    /// The host with its port, without user and password.
    pub(crate) fn host_without_user(&self) -> &str {
        self.host.rsplit_once('@').map_or(&self.host, |(_, host)| host)
    }

    /// The path without what follows `;` in its last piece, as `urlparse` gives it.
    pub(crate) fn path_without_parameters(&self) -> &str {
        if !WITH_PARAMETERS.contains(&self.scheme.as_str()) {
            return &self.path;
        }
        let last = self.path.rfind('/').unwrap_or(0);
        let end = self.path.get(last..).and_then(|piece| piece.find(';'));
        end.and_then(|end| self.path.get(..last + end)).unwrap_or(&self.path)
    }

    /// The first value of a parameter of the query that is not empty, form-decoded. Only `&` separates parameters.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let mut pairs = form_urlencoded::parse(self.query.as_bytes());
        pairs.find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.into_owned())
    }
}

fn split_scheme(address: &str) -> (&str, &str) {
    let is_scheme = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    address.split_once(':').filter(|(scheme, _)| is_scheme(scheme)).unwrap_or(("", address))
}

/// The text with each `%XX` as the byte that it names. What is not UTF-8 then becomes U+FFFD; other signs stay.
pub(crate) fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// The label by which the files name a site: before the first dot of the host, or between its first two dots if it begins
/// with `www`; empty if no dot follows it.
pub(crate) fn site_label(host: &str) -> &str {
    let host = if host.starts_with("www") { host.split_once('.').map_or("", |(_, rest)| rest) } else { host };
    host.split_once('.').map_or("", |(label, _)| label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_five_parts() {
        let parts = |address: &str| {
            let Parts { scheme, host, path, query, fragment } = Parts::of(address);
            [scheme, host, path, query, fragment]
        };
        for (address, expected) in [
            ("https://a.b:8/c/d?e=f?g#h#i", ["https", "a.b:8", "/c/d", "e=f?g", "h#i"]),
            ("HTTP://u:p@a.b", ["http", "u:p@a.b", "", "", ""]),
            ("a.b/c?d", ["", "", "a.b/c", "d", ""]),
            ("//a.b?d", ["", "a.b", "", "d", ""]),
            ("about:blank", ["about", "", "blank", "", ""]),
            (" https://a.b/\tc\n", ["https", "a.b", "/c", "", ""]),
            ("1a:b", ["", "", "1a:b", "", ""]),
            ("", ["", "", "", "", ""]),
        ] {
            assert_eq!(parts(address), expected, "{address}");
        }
    }

    #[test]
    fn parameters_of_the_last_piece_of_a_path_can_be_left_out() {
        let path = |address: &str| Parts::of(address).path_without_parameters().to_owned();
        for (address, expected) in [
            ("https://a.b/c;d/e;f;g", "/c;d/e"),
            ("https://a.b/c;d/e", "/c;d/e"),
            ("https://a.b;c/d", "/d"),
            ("mailto:c;d", "c;d"),
            ("c;d", "c"),
        ] {
            assert_eq!(path(address), expected, "{address}");
        }
    }

    #[test]
    fn the_first_value_that_is_not_empty_counts() {
        let value = |address: &str| Parts::of(address).parameter("q");
        for (address, expected) in [
            ("https://a.b/?q=&q=two&q=three", Some("two")),
            ("https://a.b/?q=a+b%2Bc%2525", Some("a b+c%25")),
            ("https://a.b/?%71=x", Some("x")),
            ("https://a.b/?p=1;q=x", None),
            ("https://a.b/#?q=x", None),
            ("https://a.b/?q", None),
            ("https://a.b/?Q=x", None),
        ] {
            assert_eq!(value(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        assert_eq!(percent_decoded("%41%zz%C3%A9%C3+%"), "A%zzé\u{fffd}+%");
    }

    #[test]
    fn a_site_has_one_label() {
        for (host, label) in [
            ("www.kohls.com", "kohls"),
            ("new.mta.info", "new"),
            ("wwwnc.cdc.gov", "cdc"),
            ("127.0.0.1:8000", "127"),
            ("localhost:8000", ""),
            ("www.com", ""),
            ("shop.test", "shop"),
            ("", ""),
        ] {
            assert_eq!(site_label(host), label, "{host}");
        }
    }
}
