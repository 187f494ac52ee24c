//! Refusals of requests in the words of real servers.

use serde_json::{Value, json};

use super::Behavior;

/// The status and body with which a server refuses a request, if it does.
pub(super) fn refusal(behavior: Behavior, request: &Value) -> Option<(u16, Value)> {
    let has_image = || request["messages"].to_string().contains("image_url");
    let message = |status: u16, message: &str| Some((status, json!({"error": {"message": message}})));
    match behavior {
        Behavior::TooLong => message(
            400,
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        ),
        Behavior::NoSampling => {
            let fields = ["temperature", "top_p", "frequency_penalty"];
            let field = fields.into_iter().find(|field| !request[*field].is_null())?;
            let error = json!({
                "message": format!("Unsupported parameter: '{field}' is not supported with this model."),
                "type": "invalid_request_error", "param": field, "code": "unsupported_parameter",
            });
            Some((400, json!({"error": error})))
        }
        Behavior::NoImages if has_image() => {
            message(500, "image input is not supported - hint: you may need to provide the mmproj")
        }
        Behavior::NoSystemRole if request["messages"][0]["role"] == "system" => {
            message(500, "jinja exception: System role not supported")
        }
        Behavior::NeedsHeader => message(400, "Missing required header: x-tenant-id"),
        _ => None,
    }
}
