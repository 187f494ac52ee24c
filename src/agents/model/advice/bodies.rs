//! Bodies in the style of many providers, in our words, and what each is about.

use super::super::rate_limit::{body_delay, is_account_limit};
use super::*;
use Cause::{
    Access, ContextTooLong, Endpoint, Filter, ImageCount, ImageSize, ImageTooSmall, Key, ListContent,
    MaxTokens, MissingHeader, NotFound, Quota, RateLimit, RefusedField, StringContent, SystemRole,
    Temperature, TokenLimitField, TooLarge, UnknownModel,
};

/// The status, the message, the class, and words of its advice.
type Row = (u16, &'static str, Cause, &'static str);

const IMAGES: &[Row] = &[
    (400, "At most 1 image(s) may be provided in one prompt.", ImageCount, "at most 1 images"),
    (400, "Too many images in messages: 12 > 8", ImageCount, "at most 8 images"),
    (400, "Too many images provided. This model supports up to 5 images", ImageCount, "at most 5 images"),
    (413, "The request has more than 100 images", ImageCount, "lower memory.om"),
    (400, "The number of images exceeds the limit of this deployment", ImageCount, "too many images"),
    (422, "A prompt may have a maximum of 20 images", ImageCount, "images_most = 20"),
    (400, "messages.0.content.1.image: image exceeds 5 MB maximum", ImageSize, "lower model.resolution"),
    (400, "One of the image dimensions exceeds the allowed 8000 pixels", ImageSize, "lower model.resolution"),
    (413, "Image is too large", ImageSize, "lower model.resolution"),
    (400, "image size exceeds 20 MB", ImageSize, "lower model.resolution"),
    (400, "The images must be under 33177600 pixels", ImageSize, "lower model.resolution"),
    (400, "The image is too small, its sides need 28 pixels", ImageTooSmall, "raise model.resolution"),
    (400, "image height:5 or width:5 must be larger than 10", ImageTooSmall, "raise model.resolution"),
    (400, "unknown variant `image_url`, expected `text`", Cause::Image, "takes no images"),
    (400, "mock-7b is not a multimodal model", Cause::Image, "takes no images"),
    (404, "No endpoints found that support image input", Cause::Image, "takes no images"),
    (500, "image input is not supported - you may need the mmproj", Cause::Image, "takes no images"),
    (400, "This model only supports text", Cause::Image, "takes no images"),
    (400, "This is a text-only model", Cause::Image, "takes no images"),
    (422, "Vision is not supported for this deployment", Cause::Image, "takes no images"),
    (400, "This model doesn't support image inputs.", Cause::Image, "takes no images"),
    (
        400,
        "Invalid content type. image_url is only supported by certain models.",
        Cause::Image,
        "takes no images",
    ),
];

const LENGTHS: &[Row] = &[
    (400, "max_tokens is too large: 4000. The model supports at most 2048", MaxTokens, "max_tokens = 2048"),
    (400, "max_tokens: 4000 > 1024, the maximum allowed number of output tokens", MaxTokens, "= 1024"),
    (400, "`max_tokens` must be less than or equal to `1000`", MaxTokens, "model.max_tokens = 1000"),
    (400, "Invalid max_tokens value, the valid range of max_tokens is [1, 2000]", MaxTokens, "= 2000"),
    (400, "Range of max_tokens should be [1, 3000]", MaxTokens, "model.max_tokens = 3000"),
    (
        400,
        "The maximum tokens you requested exceeds the limit. Use a value lower than 2048.",
        MaxTokens,
        "= 2047",
    ),
    (
        400,
        "maxOutputTokens is 4000 but the supported range is from 1 to 2049 (exclusive)",
        MaxTokens,
        "= 2048",
    ),
    (
        400,
        "'max_tokens' or 'max_completion_tokens' is too large: 4000. The maximum context length is 3000",
        MaxTokens,
        "than the model allows: lower it",
    ),
    (400, "This model's maximum context length is 8192 tokens, you sent 9000", ContextTooLong, "808 tokens"),
    (400, "prompt is too long: 213462 tokens > 200000 maximum", ContextTooLong, "13462 tokens"),
    (
        400,
        "input length and `max_tokens` exceed context limit: 199000 + 4000",
        ContextTooLong,
        "lower memory.am",
    ),
    (400, "The input token count exceeds the maximum number of tokens allowed", ContextTooLong, "memory.am"),
    (422, "`inputs` tokens + `max_new_tokens` must be <= 4096", ContextTooLong, "lower memory.am"),
    (400, "Range of input length should be [1, 30720]", ContextTooLong, "lower memory.am"),
    (413, "Request body too large. Max size: 8000 tokens.", ContextTooLong, "lower memory.am"),
    (400, "the request exceeds the available context size, try increasing it", ContextTooLong, "memory.am"),
    (500, "prompt too long for the loaded model", ContextTooLong, "lower memory.am"),
    (400, "Requested tokens (5000) exceed context window of 4096", ContextTooLong, "904 tokens too long"),
    (413, "Payload Too Large", TooLarge, "lower model.resolution or OM"),
];

const ROLES_AND_FIELDS: &[Row] = &[
    (500, "jinja: System role not supported", SystemRole, "model.system_role = false"),
    (400, "Developer instruction is not enabled for this model", SystemRole, "model.system_role = false"),
    (400, "'messages[0].role' does not support 'system' with this model", SystemRole, "system_role = false"),
    (400, "This model doesn't support system messages.", SystemRole, "model.system_role = false"),
    (400, "messages: Unexpected role \"system\"", SystemRole, "model.system_role = false"),
    (400, "Only user and assistant roles are supported!", SystemRole, "model.system_role = false"),
    (
        400,
        "Unsupported value: 'temperature' does not support 0.1, only the default",
        Temperature,
        "\"temperature\":null",
    ),
    (400, "invalid temperature: only 1 is allowed for this model", Temperature, "\"temperature\":null"),
    (422, "`temperature` must be strictly positive", Temperature, "\"temperature\":null"),
    (400, "temperature: Input should be less than or equal to 1", Temperature, "\"temperature\":null"),
    (400, "temperature is out of range", Temperature, "\"temperature\":null"),
    (400, "Unrecognized request argument supplied: top_k", RefusedField, "\"top_k\":null"),
    (400, "stream_options: Extra inputs are not permitted", RefusedField, "\"stream_options\":null"),
    (400, "Unknown parameter: 'frequency_penalty'", RefusedField, "\"frequency_penalty\":null"),
    (
        400,
        "Invalid JSON payload received. Unknown name \"top_p\": Cannot find field.",
        RefusedField,
        "\"top_p\":null",
    ),
    (
        400,
        "This model does not support parameter presence_penalty",
        RefusedField,
        "\"presence_penalty\":null",
    ),
    (400, "the parameter stream is not supported", RefusedField, "model.stream = false"),
    (
        400,
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'",
        TokenLimitField,
        "max_completion_tokens",
    ),
    (400, "messages: content must be a string", ListContent, "model.content = \"string\""),
    (422, "content: Input should be a valid list", StringContent, "model.content = \"parts\""),
    (400, "Missing required header: x-tenant-id", MissingHeader, "x-tenant-id"),
];

const ACCOUNTS_AND_PLACES: &[Row] = &[
    (401, "Incorrect API key provided", Key, "the key is from KEY"),
    (403, "You may not use this resource", Access, "may not have access"),
    (400, "The prompt was blocked by the content filter", Filter, "filter, not the model"),
    (402, "Payment Required", Quota, "no quota left"),
    (429, r#"{"error":{"code":"insufficient_quota","message":"no money"}}"#, Quota, "no quota left"),
    (400, "Your credit balance is too low to use the API", Quota, "no quota left"),
    (429, "Rate limit exceeded: free-models-per-day", Quota, "a limit per day or month is reached"),
    (429, "You exceeded your current quota: 10 requests a minute", RateLimit, "too many requests"),
    (429, "Requests per minute exceeded. Please retry in 4s.", RateLimit, "asks to retry after 4 s"),
    (404, "The model `m` does not exist", UnknownModel, "is there a model \"m\""),
    (404, "404 page not found", NotFound, "ends in /v1"),
    (405, "Method Not Allowed", NotFound, "ends in /v1"),
    (200, "Unexpected endpoint or method. (POST /chat/completions)", Endpoint, "ends in /v1"),
    (404, "Unknown request URL: POST /chat/completions", Endpoint, "ends in /v1"),
    (404, "Invalid URL (POST /chat/completions)", Endpoint, "ends in /v1"),
];

#[test]
fn every_body_has_the_class_and_the_advice_of_what_is_refused() {
    let tables = [IMAGES, LENGTHS, ROLES_AND_FIELDS, ACCOUNTS_AND_PLACES].concat();
    assert!(tables.len() >= 60, "{} bodies", tables.len());
    let settings = super::tests::settings(r#"{"top_k": 40}"#);
    for (status, body, class, says) in tables {
        let asked = body_delay(body);
        let error = ServerError {
            // A reply without a code of its own has the status of success.
            status: Some(status).filter(|status| *status >= 400),
            body,
            location: None,
            asked,
            is_account: is_account_limit(status, body, asked),
            is_alone: false,
            key_origin: "the key is from KEY".to_owned(),
        };
        let found = limit_cause(&error).or_else(|| cause(error.status, &body.to_lowercase()));
        let words = advise(&settings, &error).words.unwrap_or_default();
        assert_eq!(found, Some(class), "{status} {body}: {words}");
        assert!(words.contains(says), "{status} {body}: {words}");
    }
}
