//! Tests of the settings of a model.

use serde_json::json;

use super::*;

fn read(name: &str, value: Value) -> Result<ModelSettings, String> {
    let mut options = Options::from([("name".to_owned(), json!("m"))]);
    options.insert(name.to_owned(), value);
    ModelSettings::parse(&options).map_err(|error| error.to_string())
}

#[test]
fn defaults_are_those_of_the_paper() {
    let settings = read("stream", json!(false)).unwrap();
    let numbers = (settings.temperature, settings.top_p, settings.max_tokens, settings.frequency_penalty);
    assert_eq!(numbers, (0.1, 0.95, 4000, 1.0));
    assert_eq!((settings.frame_size.edge, settings.max_retries, settings.stream), (Some(256), 2, false));
    assert_eq!(settings.url.as_str(), "https://api.openai.com/v1/chat/completions");
}

#[test]
fn invalid_settings_are_rejected_with_a_reason() {
    for (name, value, says) in [
        ("name", json!(" "), "needs a name"),
        ("base_url", json!("localhost:8080"), "must begin with http"),
        ("base_url", json!("nonsense"), "is not a URL"),
        ("base_url", json!("http://me:secret@host/v1"), "contains a user name or a password"),
        ("base_url", json!("http://host/v1?key=1"), "without ?"),
        ("base_url", json!("http://host/v1/chat/completions"), "must not include /chat/completions"),
        ("key_variable", json!("sk-abc"), "the name of an environment variable"),
        ("temperature", json!(2.5), "2.5 is out of range, allowed is 0 to 2"),
        ("top_p", json!(-1), "out of range"),
        ("max_tokens", json!(0), "0 is out of range, allowed is 1"),
        ("max_retries", json!(-1), "out of range"),
        ("max_connections", json!(0), "0 is out of range, allowed is 1"),
        ("extra", json!("[1]"), "not a JSON object"),
        ("extra", json!("{\"messages\": []}"), "messages is not allowed here"),
        ("image_format", json!("gif"), "the formats are png and jpeg"),
        ("scaling", json!("nearest"), "smooth and whole"),
        ("stream", json!("yes"), "true or false"),
    ] {
        let error = read(name, value).unwrap_err();
        assert!(error.starts_with(name) && error.contains(says), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
}
