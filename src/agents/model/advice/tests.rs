//! Messages of real servers and the advice for them.

use serde_json::json;

use super::super::rate_limit::is_account_limit;
use super::*;
use mageyard_domain::Options;

pub(super) fn settings(extra: &str) -> ModelSettings {
    let options =
        [("name", json!("m")), ("extra", json!(extra))].map(|(name, value)| (name.to_owned(), value));
    ModelSettings::parse(&Options::from(options)).unwrap()
}

fn advice(status: u16, body: &str) -> Advice {
    let error = ServerError {
        status: Some(status),
        body,
        location: None,
        asked: None,
        is_account: is_account_limit(status, body, None),
        is_alone: false,
        key_origin: "the key is from KEY".to_owned(),
    };
    advise(&settings(r#"{"top_k": 40}"#), &error)
}

#[test]
fn the_words_of_real_servers_get_their_advice() {
    for (status, body, says) in [
        (
            400,
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
            "is 808 tokens too long",
        ),
        (400, "prompt is too long: 213462 tokens > 200000 maximum", "13462 tokens too long"),
        (
            400,
            "the request exceeds the available context size. try increasing it",
            "is too long for the model: lower memory.am",
        ),
        (413, "input is too long for requested model", "lower memory.am"),
        (
            400,
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
            "filter, not the model",
        ),
        (400, "messages: content must be a string, got a list", "model.content = \"string\""),
        (
            422,
            r#"{"detail":[{"loc":["body","messages",0,"content"],"msg":"Input should be a valid list"}]}"#,
            "set model.content = \"parts\"",
        ),
        (500, "jinja: System role not supported", "set model.system_role = false"),
        (
            400,
            "Conversation roles must alternate user/assistant/user/assistant/...",
            "set model.system_role = false",
        ),
        (
            500,
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
            "takes no images",
        ),
        (404, "No endpoints found that support image input", "takes no images"),
        (400, "Missing required header: x-tenant-id", "model.headers: { \"x-tenant-id\" = \"…\" }"),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
            "no quota left",
        ),
        (402, "payment required", "no quota left"),
        (404, "The model `m` does not exist or you do not have access to it.", "is there a model \"m\""),
        (404, "Not Found", "ends in /v1"),
        (
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            r#"'{"top_k":40,"max_tokens":null,"max_completion_tokens":4000}'"#,
        ),
        (
            400,
            "Unsupported value: 'temperature' does not support 0.1 with this model.",
            r#"refuses temperature: set model.extra = '{"top_k":40,"temperature":null}'"#,
        ),
        (
            400,
            "`temperature` and `top_p` cannot both be specified for this model.",
            r#"'{"top_k":40,"top_p":null}'"#,
        ),
        (400, "Unrecognized request argument supplied: top_k", r#"'{"top_k":null}'"#),
        (400, "stream_options: Extra inputs are not permitted", r#""stream_options":null"#),
        (400, "streaming: the parameter stream is not supported", "set model.stream = false"),
        (400, "something else", "set it to null in model.extra"),
        (413, "", "lower model.resolution or OM"),
        (429, "slow down", "lower model.max_connections"),
        (401, "no", "the key is from KEY"),
        (403, "no", "may not have access"),
    ] {
        let words = advice(status, body).words.unwrap();
        assert!(words.contains(says), "{status} {body}: {words}");
    }
    assert_eq!(advice(500, "oops"), Advice::default());
}

#[test]
fn a_suggested_setting_has_the_value_that_the_words_name() {
    let setting = advice(400, "Unsupported parameter: 'top_p'").setting.unwrap();
    assert_eq!(
        setting,
        SuggestedSetting { name: "model.extra", value: json!(r#"{"top_k":40,"top_p":null}"#) }
    );
    let setting = advice(500, "System role not supported").setting.unwrap();
    assert_eq!(setting, SuggestedSetting { name: "model.system_role", value: json!(false) });
    assert!(advice(404, "no such model").wants_models && !advice(401, "no").wants_models);
}

#[test]
fn without_a_status_only_words_decide() {
    let advice = |body: &str| {
        let key_origin = String::new();
        let error = ServerError {
            status: None,
            body,
            location: None,
            asked: None,
            is_account: false,
            is_alone: true,
            key_origin,
        };
        advise(&settings("{}"), &error)
    };
    let too_long = advice("maximum context length is 8192 tokens").words.unwrap();
    assert!(too_long.contains("is too long for the model"), "{too_long}");
    assert_eq!(advice("something broke"), Advice::default());
}
