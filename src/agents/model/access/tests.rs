//! Tests of the settings of access and of the values that they give.

use std::sync::Arc;

use super::*;
use crate::KeyLookup;

fn access(key_variable: &str, key_header: &str, headers: &[(&str, &str)]) -> Result<Access, Mistake> {
    let owned =
        |rows: &[(&str, &str)]| rows.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let options = AccessOptions {
        key_variable: key_variable.to_owned(),
        key_header: key_header.to_owned(),
        headers: owned(headers),
        protocol_key_header: "Authorization: Bearer",
        protocol_headers: &[],
        query: owned(&[("api-version", "2024 10"), ("sig", "${SIG}")]),
    };
    Access::parse(options)
}

fn load(key: &'static str, access: &Access) -> Result<Credentials, String> {
    let lookup: KeyLookup = Arc::new(move |name| match name {
        "KEY" => Some(key.to_owned()),
        "TEAM" => Some("team-0123".to_owned()),
        "SIG" => Some("sig-4567".to_owned()),
        _ => None,
    });
    Credentials::load(&lookup, access).map_err(|error| error.to_string())
}

/// The request as it would be sent: URL and headers.
fn sent(credentials: &Credentials) -> (String, Vec<(String, String)>) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let url = Url::parse("https://host/v1/x").unwrap();
    let request = credentials.request(&reqwest::Client::new(), reqwest::Method::POST, &url).build().unwrap();
    assert!(request.headers().values().all(HeaderValue::is_sensitive));
    let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
    let headers = request.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    (request.url().to_string(), headers)
}

#[test]
fn key_headers_and_query_are_sent_with_their_values_and_written_with_their_names() {
    let access = access("KEY", "", &[("X-Team", "a ${TEAM}")]).unwrap();
    let (url, headers) = sent(&load(" sk-planted\n", &access).unwrap());
    assert_eq!(url, "https://host/v1/x?api-version=2024+10&sig=sig-4567");
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(headers, [pair("authorization", "Bearer sk-planted"), pair("x-team", "a team-0123")]);
    let written = access.written_address(&Url::parse("https://host/v1/x").unwrap()).to_string();
    assert_eq!(written, "https://host/v1/x?api-version=2024+10&sig=${SIG}");
    let written = access.written_headers().into_iter().map(|(name, text)| pair(&name, &text.to_string()));
    assert_eq!(
        written.collect::<Vec<_>>(),
        [pair("Authorization", "Bearer ${KEY}"), pair("X-Team", "a ${TEAM}")]
    );
}

#[test]
fn another_key_header_carries_the_bare_key() {
    let access = access("KEY", "api-key", &[]).unwrap();
    let headers = sent(&load("sk-planted", &access).unwrap()).1;
    assert_eq!(headers, [("api-key".to_owned(), "sk-planted".to_owned())]);
}

#[test]
fn every_value_from_a_variable_is_redacted_unless_it_is_a_plain_word() {
    let access = access("KEY", "", &[("X-Team", "${TEAM}")]).unwrap();
    let credentials = load("sk-planted", &access).unwrap();
    let text = "wrong key sk-planted, (team-0123) sig-4567".to_owned();
    let redacted = "wrong key [the key], ([the value of TEAM]) [the value of SIG]";
    assert_eq!(credentials.redact(text), redacted);
    assert!(credentials.plain_variables().is_empty());
    let plain = load("ollama", &access).unwrap();
    assert_eq!(plain.redact("the ollama of team-0123".to_owned()), "the ollama of [the value of TEAM]");
    assert_eq!(plain.plain_variables(), ["KEY"]);
    assert_eq!(sent(&plain).1[0].1, "Bearer ollama");
}

#[test]
fn a_secret_is_redacted_in_an_address_and_in_json_too() {
    let credentials = load("sk/a+b\\c\"d", &access("KEY", "", &[]).unwrap()).unwrap();
    let written = r#"sk/a+b\c"d sk%2Fa%2Bb%5Cc%22d sk/a+b\\c\"d sk\/a+b\\c\"d"#;
    assert_eq!(credentials.redact(written.to_owned()), ["[the key]"; 4].join(" "));
}

#[test]
fn a_value_that_cannot_be_sent_is_reported_without_being_shown() {
    let error = load("sk-\u{7}planted", &access("KEY", "", &[]).unwrap()).err().unwrap();
    assert!(error.contains("the key in KEY has a character") && !error.contains("planted"), "{error}");
    let error = load("k", &access("", "", &[("X-Other", "${OTHER}")]).unwrap()).err().unwrap();
    assert!(error.contains("model.headers, X-Other takes its value from OTHER, which is not set"), "{error}");
}

#[test]
fn a_missing_key_is_no_error() {
    for (variable, says) in [("", "no key is sent"), ("NONE", "NONE is not set")] {
        let credentials = load("k", &access(variable, "", &[]).unwrap()).unwrap();
        assert!(credentials.origin().starts_with(says), "{}", credentials.origin());
        assert_eq!(sent(&credentials).1, []);
    }
}

#[test]
fn mistakes_in_the_settings_never_repeat_a_value() {
    for (variable, header, headers, setting, says) in [
        ("sk-secret", "", ("X-A", "b"), "key_variable", "not the key itself"),
        ("KEY", "api key", ("X-A", "b"), "key_header", "must be the name of a header"),
        ("KEY", "Content-Type", ("X-A", "b"), "key_header", "must be the name of a header"),
        ("KEY", "", ("X A", "b"), "headers", "\"X A\" is not the name of a header"),
        ("KEY", "", ("Content-Length", "1"), "headers", "Content-Length is set by the program"),
        ("KEY", "", ("Authorization", "${A}"), "headers", "carries the key of model.key_variable"),
        ("KEY", "", ("X-Api-Key", "secret"), "headers", "X-Api-Key must take its value from an environment"),
        ("KEY", "", ("X-A", "${secret"), "headers", "the value of X-A: it has ${ without }"),
        ("KEY", "", ("X-A", "a\nb"), "headers", "has a character that is not allowed"),
    ] {
        let (found, what) = access(variable, header, &[headers]).unwrap_err();
        assert_eq!(found, setting);
        assert!(what.contains(says) && !what.contains("secret"), "{what}");
    }
    assert!(access("", "", &[("Authorization", "Basic ${A}")]).is_ok());
}
