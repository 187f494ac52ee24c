//! What servers say when they refuse a request, as a table. The first rule whose status and words fit decides.

/// Why a server refused a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Moved,
    ImageCount,
    ImageTooSmall,
    ImageSize,
    MaxTokens,
    ContextTooLong,
    Filter,
    TokenLimitField,
    ListContent,
    StringContent,
    SystemRole,
    Image,
    MissingHeader,
    Temperature,
    Endpoint,
    UnknownModel,
    Quota,
    ExclusiveFields,
    RefusedField,
    Key,
    Access,
    NotFound,
    TooLarge,
    RateLimit,
    Other,
}

/// A rule: the statuses, and the words of which one group must be in the message completely. Without words the status
/// alone decides.
pub(super) struct Rule {
    pub(super) cause: Cause,
    statuses: (u16, u16),
    words: &'static [&'static [&'static str]],
}

const fn rule(cause: Cause, statuses: (u16, u16), words: &'static [&'static [&'static str]]) -> Rule {
    Rule { cause, statuses, words }
}

/// Most servers answer 400 or 422; templates of local servers fail with 500.
const REFUSED: (u16, u16) = (400, 500);

/// Images are refused with 413 too, and within a reply without a status.
const LARGE: (u16, u16) = (400, 500);

/// All rules in their order. Words are in lower case.
const RULES: &[Rule] = &[
    rule(Cause::Moved, (300, 399), &[]),
    rule(
        Cause::ImageCount,
        LARGE,
        &[
            &["too many images"],
            &["too many image"],
            &["at most", "image", "may be provided"],
            &["at most", "images"],
            &["up to", "images"],
            &["no more than", "images"],
            &["more than", "images"],
            &["maximum of", "images"],
            &["maximum number of images"],
            &["number of images", "exceed"],
            &["image limit", "exceeded"],
        ],
    ),
    rule(
        Cause::ImageTooSmall,
        LARGE,
        &[
            &["image", "too small"],
            &["image", "height", "must be larger"],
            &["image", "at least", "pixels"],
            &["image", "smaller than the minimum"],
        ],
    ),
    rule(
        Cause::ImageSize,
        LARGE,
        &[
            &["image exceeds"],
            &["image dimensions exceed"],
            &["image size exceed"],
            &["image size", "too large"],
            &["image is too large"],
            &["image too large"],
            &["image", "pixels", "exceed"],
            &["image", "must be under", "pixels"],
            &["image", "maximum allowed size"],
            &["image", "resolution", "exceed"],
            &["image_too_large"],
            &["image file is too large"],
        ],
    ),
    rule(
        Cause::MaxTokens,
        REFUSED,
        &[
            &["max_tokens", "too large"],
            &["max_completion_tokens", "too large"],
            &["max_output_tokens", "too large"],
            &["max_tokens", "maximum allowed number of output tokens"],
            &["max_tokens", "less than or equal"],
            &["max_completion_tokens", "less than or equal"],
            &["max_output_tokens", "less than or equal"],
            &["max_tokens", "valid range"],
            &["range of max_tokens"],
            &["max_tokens", "supports at most"],
            &["max_tokens", "exceeds the maximum"],
            &["max_tokens", "exceeds the limit"],
            &["maximum tokens you requested exceeds"],
            &["maxoutputtokens", "range"],
        ],
    ),
    rule(
        Cause::ContextTooLong,
        REFUSED,
        &[
            &["context_length_exceeded"],
            &["context length"],
            &["context size"],
            &["context window"],
            &["maximum context"],
            &["exceed", "n_ctx"],
            &["prompt is too long"],
            &["input is too long"],
            &["too many tokens"],
            &["exceeds the maximum number of tokens"],
            &["exceed context limit"],
            &["reduce the length"],
            &["reduce your message size"],
            &["range of input length"],
            &["input tokens exceed"],
            &["tokens", "max_new_tokens", "must be <="],
            &["max size", "tokens"],
            &["prompt too long"],
            &["exceeds the token limit"],
            &["max_model_len"],
        ],
    ),
    rule(
        Cause::Filter,
        (400, 403),
        &[
            &["content management policy"],
            &["content filter"],
            &["content_filter"],
            &["responsibleaipolicy"],
            &["safety system"],
            &["moderation"],
        ],
    ),
    rule(Cause::TokenLimitField, REFUSED, &[&["max_completion_tokens", "max_tokens"]]),
    rule(
        Cause::ListContent,
        REFUSED,
        &[
            &["content must be a string"],
            &["content", "should be a valid string"],
            &["content", "invalid type: sequence, expected a string"],
            &["content", "expected string"],
            &["content", "not of type 'string'"],
        ],
    ),
    rule(
        Cause::StringContent,
        REFUSED,
        &[
            &["content", "should be a valid list"],
            &["content", "must be a list"],
            &["content", "must be an array"],
            &["content", "expected a sequence"],
        ],
    ),
    rule(
        Cause::SystemRole,
        REFUSED,
        &[
            &["system role not supported"],
            &["system role is not supported"],
            &["system message", "not supported"],
            &["not support system"],
            &["n't support system"],
            &["role", "does not support 'system'"],
            &["no system role"],
            &["system", "is not one of", "role"],
            &["system_instruction", "not supported"],
            &["developer instruction is not enabled"],
            &["only user and assistant roles"],
            &["roles must alternate"],
            &["role", "system", "unexpected"],
        ],
    ),
    rule(
        Cause::Image,
        (400, 501),
        &[
            &["image input is not supported"],
            &["does not support image"],
            &["not support image"],
            &["image_url", "only supported"],
            &["image_url", "not supported"],
            &["image_url", "unknown variant"],
            &["image_url", "invalid content type"],
            &["image content is not"],
            &["mmproj"],
            &["no endpoints found that support image"],
            &["not a multimodal model"],
            &["not a vision model"],
            &["not support vision"],
            &["n't support image"],
            &["n't support vision"],
            &["not support multimodal"],
            &["multimodal", "not supported"],
            &["vision", "not supported"],
            &["images are not supported"],
            &["image inputs are not"],
            &["only supports text"],
            &["only text"],
            &["text-only model"],
            &["text only model"],
            &["unknown part type", "image"],
            &["unsupported content", "image"],
            &["not enabled", "image"],
            &["invalid content type", "image"],
        ],
    ),
    rule(
        Cause::MissingHeader,
        REFUSED,
        &[&["missing", "header"], &["header is required"], &["header", "must be set"], &["required header"]],
    ),
    rule(Cause::Quota, (400, 429), &[&["insufficient_quota"], &["credit balance"], &["billing"]]),
    rule(Cause::Quota, (402, 402), &[]),
    rule(
        Cause::Endpoint,
        (200, 405),
        &[
            &["unexpected endpoint"],
            &["unknown endpoint"],
            &["unknown request url"],
            &["invalid url (post"],
            &["no route matched"],
            &["cannot post /"],
            &["unknown path"],
        ],
    ),
    rule(
        Cause::UnknownModel,
        (400, 404),
        &[
            &["model_not_found"],
            &["model", "does not exist"],
            &["model", "not found"],
            &["not a valid model"],
            &["no such model"],
            &["unknown model"],
            &["invalid model name"],
        ],
    ),
    rule(
        Cause::ExclusiveFields,
        (400, 422),
        &[&["cannot both be"], &["only one of"], &["mutually exclusive"]],
    ),
    rule(
        Cause::Temperature,
        (400, 422),
        &[
            &["temperature", "must be"],
            &["temperature", "should be"],
            &["temperature", "allowed"],
            &["temperature", "out of range"],
            &["temperature", "between"],
            &["temperature", "invalid"],
            &["temperature", "less than or equal"],
            &["temperature", "range"],
            &["temperature", "default"],
        ],
    ),
    rule(
        Cause::RefusedField,
        REFUSED,
        &[
            &["unsupported parameter"],
            &["unrecognized parameter"],
            &["unexpected field"],
            &["unknown name"],
            &["does not support", "parameter"],
            &["not a valid parameter"],
            &["not supported by this model"],
            &["unsupported value"],
            &["unsupported_parameter"],
            &["unsupported_value"],
            &["unknown parameter"],
            &["unknown_parameter"],
            &["unrecognized request argument"],
            &["unrecognized field"],
            &["unknown field"],
            &["unexpected keyword argument"],
            &["extra inputs are not permitted"],
            &["extra fields not permitted"],
            &["additional properties are not allowed"],
            &["does not support parameters"],
            &["not support", "parameter"],
            &["is not supported"],
            &["not supported with this model"],
            &["is not enabled"],
            &["is deprecated for this model"],
        ],
    ),
    rule(Cause::Key, (401, 401), &[]),
    rule(Cause::Access, (403, 403), &[]),
    rule(Cause::NotFound, (404, 405), &[]),
    rule(Cause::TooLarge, (413, 413), &[]),
    rule(
        Cause::TooLarge,
        (400, 422),
        &[&["payload too large"], &["request too large"], &["request_too_large"]],
    ),
    rule(Cause::RateLimit, (429, 429), &[]),
    rule(Cause::Other, (400, 400), &[]),
    rule(Cause::Other, (422, 422), &[]),
];

impl Rule {
    /// Without a status only words decide.
    fn fits(&self, status: Option<u16>, said: &str) -> bool {
        let (first, last) = self.statuses;
        let group = |group: &&[&str]| group.iter().all(|word| said.contains(word));
        let has_words = || self.words.iter().any(group);
        match status {
            Some(status) => (first..=last).contains(&status) && (self.words.is_empty() || has_words()),
            None => has_words(),
        }
    }
}

/// The cause of an error; `said` is everything that the server said, in lower case.
pub(super) fn cause(status: Option<u16>, said: &str) -> Option<Cause> {
    RULES.iter().find(|rule| rule.fits(status, said)).map(|rule| rule.cause)
}
