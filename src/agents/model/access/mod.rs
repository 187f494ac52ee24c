//! How requests get access to a server: the API key with its header, further headers, and the query of the address.
//! Values may come from environment variables. Settings hold the names of these only.

mod credentials;
mod plain_word;
mod redaction;

use std::str::FromStr;

use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};

pub(super) use self::credentials::Credentials;
pub(super) use self::redaction::StreamRedactor;
use mageyard_domain::{VariableText, is_variable_name};

/// The header of the API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyHeader {
    name: HeaderName,
    /// The name with its capitals.
    written: String,
    /// The text in front of the key, such as `Bearer`, with a space; empty for none.
    prefix: String,
}

/// A further header.
#[derive(Clone, Debug)]
struct Header {
    name: HeaderName,
    /// The name with its capitals.
    written: String,
    value: VariableText,
}

/// What a request needs besides its body.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The name of the environment variable with the API key; empty for none.
    key_variable: String,
    key_header: KeyHeader,
    /// The fixed headers of the protocol, then those of the settings.
    headers: Vec<Header>,
    query: Vec<(String, VariableText)>,
}

/// The settings of [`Access`] as they are written.
pub(super) struct AccessOptions {
    pub(super) key_variable: String,
    /// Empty for the header of the protocol.
    pub(super) key_header: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) query: Vec<(String, String)>,
    /// The header of the key by the protocol.
    pub(super) protocol_key_header: &'static str,
    /// The headers that every request of the protocol has.
    pub(super) protocol_headers: &'static [(&'static str, &'static str)],
}

/// A setting and what is wrong with it.
pub(super) type Mistake = (&'static str, String);

/// Headers that the connection itself sets.
const OWN_HEADERS: [&str; 6] =
    ["content-type", "content-length", "transfer-encoding", "connection", "upgrade", "te"];

/// Parts of names whose value is a secret, so it must come from a variable.
const SECRET_NAMES: [&str; 10] = [
    "authorization",
    "api-key",
    "apikey",
    "api_key",
    "token",
    "secret",
    "password",
    "cookie",
    "credential",
    "signature",
];

impl Access {
    /// Checks the settings. An error never repeats a value, which may be a secret.
    pub(super) fn parse(options: AccessOptions) -> Result<Self, Mistake> {
        let key_variable = parse_variable_name(options.key_variable)?;
        let written = Some(options.key_header.as_str()).filter(|text| !text.trim().is_empty());
        let key_header = KeyHeader::parse(written.unwrap_or(options.protocol_key_header))?;
        let fixed = options.protocol_headers.iter();
        let fixed = fixed.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut headers: Vec<Header> = Vec::new();
        for (name, value) in fixed.chain(options.headers) {
            let header = parse_header(name, &value)?;
            if header.name == key_header.name && !key_variable.is_empty() {
                let what = format!(
                    "{} carries the key of model.key_variable; to set it here, empty model.key_variable",
                    header.written
                );
                return Err(("headers", what));
            }
            // A header of the settings replaces one of the protocol.
            headers.retain(|known| known.name != header.name);
            headers.push(header);
        }
        let query = options.query.into_iter().map(parse_query_field).collect::<Result<_, _>>()?;
        Ok(Self { key_variable, key_header, headers, query })
    }

    /// The headers with the key, with variables by name.
    pub(super) fn written_headers(&self) -> Vec<(String, VariableText)> {
        let prefix = VariableText::literal(&self.key_header.prefix);
        let key = (self.key_header.written.clone(), prefix.then(VariableText::variable(&self.key_variable)));
        let key = Some(key).filter(|_| !self.key_variable.is_empty());
        let others = self.headers.iter().map(|header| (header.written.clone(), header.value.clone()));
        key.into_iter().chain(others).collect()
    }

    /// The URL with the query, with variables by name.
    pub(super) fn written_address(&self, url: &Url) -> VariableText {
        let mut address = VariableText::literal(url.as_str());
        for (index, (name, value)) in self.query.iter().enumerate() {
            let sign = if index == 0 { "?" } else { "&" };
            address = address.then(VariableText::literal(format!("{sign}{}=", encoded(name))));
            address = address.then(encoded_text(value));
        }
        address
    }
}

impl KeyHeader {
    /// Reads `Name` or `Name: Prefix`.
    fn parse(text: &str) -> Result<Self, Mistake> {
        let (name, prefix) = text.split_once(':').unwrap_or((text, ""));
        let invalid = || {
            let what = "it must be the name of a header, with a word in front of the key if one is needed, such as \
                        \"api-key\" or \"Authorization: Bearer\"";
            ("key_header", what.to_owned())
        };
        let written = name.trim().to_owned();
        let name = HeaderName::from_str(&written).map_err(|_| invalid())?;
        let prefix = prefix.trim();
        if OWN_HEADERS.contains(&name.as_str())
            || !prefix.chars().all(|c| c.is_ascii_graphic())
            || prefix.len() > 32
        {
            return Err(invalid());
        }
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix} ") };
        Ok(Self { name, written, prefix })
    }
}

fn parse_header(written: String, value: &str) -> Result<Header, Mistake> {
    let mistake = |what: String| ("headers", what);
    let name = HeaderName::from_str(&written)
        .map_err(|_| mistake(format!("{written:?} is not the name of a header")))?;
    if OWN_HEADERS.contains(&name.as_str()) {
        return Err(mistake(format!("{written} is set by the program")));
    }
    let text = parse_value(&written, value).map_err(mistake)?;
    if HeaderValue::from_str(value).is_err() {
        let what = format!("the value of {written} has a character that is not allowed in a header");
        return Err(mistake(what));
    }
    Ok(Header { name, written, value: text })
}

fn parse_query_field((name, value): (String, String)) -> Result<(String, VariableText), Mistake> {
    let text = parse_value(&name, &value).map_err(|what| ("query", what))?;
    Ok((name, text))
}

/// Reads a value. A secret that is written in place of its variable is refused, so that it is not stored.
fn parse_value(name: &str, value: &str) -> Result<VariableText, String> {
    let text = VariableText::parse(value).map_err(|why| format!("the value of {name}: {why}"))?;
    let lower = name.to_ascii_lowercase();
    let secret =
        SECRET_NAMES.iter().any(|part| lower.contains(part)) || lower == "key" || lower.ends_with("-key");
    if secret && text.is_literal() && !value.is_empty() {
        return Err(format!(
            "{name} must take its value from an environment variable, written as ${{NAME}}, so that it is not stored"
        ));
    }
    Ok(text)
}

/// Rejects a key that was given in place of the name of its variable, so that it is not stored.
fn parse_variable_name(name: String) -> Result<String, Mistake> {
    if is_variable_name(&name) {
        return Ok(name);
    }
    let what = "it must be the name of an environment variable, such as OPENAI_API_KEY, not the key itself";
    Err(("key_variable", what.to_owned()))
}

/// A part of a query as it is written in an address.
fn encoded(text: &str) -> String {
    let url = Url::parse_with_params("http://host/", [("", text)]).ok();
    url.and_then(|url| Some(url.query()?.trim_start_matches('=').to_owned())).unwrap_or_default()
}

fn encoded_text(text: &VariableText) -> VariableText {
    use mageyard_domain::VariablePart;
    text.parts().iter().fold(VariableText::default(), |whole, part| {
        whole.then(match part {
            VariablePart::Text(text) => VariableText::literal(encoded(text)),
            VariablePart::Variable(name) => VariableText::variable(name),
        })
    })
}

#[cfg(test)]
mod tests;
