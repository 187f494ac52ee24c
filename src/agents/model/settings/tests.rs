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

fn options(more: &Value) -> Options {
    let mut options = Options::from([("name".to_owned(), json!("m"))]);
    options.extend(more.as_object().unwrap().clone());
    options
}

#[test]
fn a_protocol_has_an_address_a_key_and_limits_of_its_own() {
    for (protocol, url, variable, field) in [
        ("chat", "https://api.openai.com/v1/chat/completions", "OPENAI_API_KEY", "max_completion_tokens"),
        ("messages", "https://api.anthropic.com/v1/messages", "ANTHROPIC_API_KEY", "max_tokens"),
        ("responses", "https://api.openai.com/v1/responses", "OPENAI_API_KEY", "max_output_tokens"),
    ] {
        let mut options = options(
            &json!({"protocol": protocol, "key_variable": "auto", "extra": format!("{{{field:?}: 9}}")}),
        );
        let settings = ModelSettings::parse(&options).unwrap();
        let headers = settings.access.written_headers();
        assert_eq!(settings.url.as_str(), url);
        assert!(headers[0].1.to_string().ends_with(&format!("${{{variable}}}")), "{headers:?}");
        assert_eq!(settings.token_limit().unwrap().1, 9);
        complete(&mut options);
        assert_eq!(options["key_variable"], variable);
        assert!(url.starts_with(options["base_url"].as_str().unwrap()), "{options:?}");
        options.extend([("base_url".into(), json!("http://h/v1")), ("key_variable".into(), json!(""))]);
        complete(&mut options);
        assert_eq!(json!([options["base_url"], options["key_variable"]]), json!(["http://h/v1", ""]));
    }
}

#[test]
fn what_a_protocol_does_not_have_is_rejected() {
    for (protocol, more, says) in [
        ("messages", json!({"temperature": 1.5}), "temperature: 1.5 is out of range, the protocol messages"),
        ("messages", json!({"detail": "low"}), "detail: the protocol messages has no detail of images"),
        ("messages", json!({"extra": "{\"system\": 1}"}), "extra: system is not allowed here"),
        ("responses", json!({"extra": "{\"input\": 1}"}), "extra: input is not allowed here"),
        ("responses", json!({"extra": "{\"instructions\": 1}"}), "extra: instructions is not allowed"),
    ] {
        let mut options = options(&more);
        options.insert("protocol".into(), json!(protocol));
        let error = ModelSettings::parse(&options).unwrap_err().to_string();
        assert!(error.starts_with(says), "{error}");
    }
    let allowed =
        options(&json!({"protocol": "messages", "extra": "{\"temperature\": null}", "temperature": 2}));
    assert!(ModelSettings::parse(&allowed).is_ok(), "it is not sent");
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
        ("png_level", json!(10), "10 is out of range, allowed is 0 to 9"),
        ("scaling", json!("nearest"), "smooth and whole"),
        ("protocol", json!("grpc"), "the protocols are chat, messages, responses"),
        ("detail", json!("highest"), "the details are low, high, auto, original"),
        ("content", json!("text"), "auto, string and parts"),
        ("stream", json!("yes"), "true or false"),
    ] {
        let error = read(name, value).unwrap_err();
        assert!(error.starts_with(name) && error.contains(says), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[test]
fn a_seed_is_sent_where_the_protocol_has_one_and_nothing_else_sets_it() {
    let extra = |more: &Value| {
        let seeded = seeded(&options(more), 7)?;
        Some(ModelSettings::parse(&seeded).unwrap().extra)
    };
    assert_eq!(extra(&json!({"extra": "{\"a\": 1}"})).map(Value::from), Some(json!({"a": 1, "seed": 7})));
    for more in [
        json!({"protocol": "messages"}),
        json!({"protocol": "responses"}),
        json!({"extra": "{\"seed\": null}"}),
        json!({"extra": "{\"seed\": 3}"}),
        json!({"preset": {"name": "p", "omit": ["seed"]}}),
        json!({"preset": {"name": "p", "set": {"seed": 1}}}),
    ] {
        assert_eq!(extra(&more), None, "{more}");
    }
    let renamed = json!({"preset": {"name": "p", "rename": {"seed": "random_seed"}}});
    assert_eq!(extra(&renamed).map(Value::from), Some(json!({"random_seed": 7})));
}

#[test]
fn an_answer_is_continued_where_the_protocol_has_a_way() {
    let extra = |more: &Value| {
        let continuing = continuing(&options(more))?;
        Some(Value::from(ModelSettings::parse(&continuing).unwrap().extra))
    };
    let both = json!({"add_generation_prompt": false, "continue_final_message": true});
    assert_eq!(extra(&json!({})), Some(both));
    assert_eq!(extra(&json!({"protocol": "messages"})), Some(json!({})));
    assert_eq!(extra(&json!({"protocol": "responses"})), None);
    let own = json!({"extra": "{\"continue_final_message\": null, \"add_generation_prompt\": null, \"prefix\": true}"});
    let kept = json!({"continue_final_message": null, "add_generation_prompt": null, "prefix": true});
    assert_eq!(extra(&own), Some(kept));
    let preset = json!({"preset": {"name": "p", "omit": ["add_generation_prompt"], "rename": {"continue_final_message": "go_on"}}});
    assert_eq!(extra(&preset), Some(json!({"go_on": true})));
}
