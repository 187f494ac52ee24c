//! What servers say when they refuse a request, as a table. The first rule whose status and words fit decides.

/// Why a server refused a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Moved,
    ContextTooLong,
    Filter,
    TokenLimitField,
    ListContent,
    StringContent,
    SystemRole,
    Image,
    MissingHeader,
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

/// All rules in their order. Words are in lower case.
const RULES: &[Rule] = &[
    rule(Cause::Moved, (300, 399), &[]),
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
            &["does not support vision"],
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
        Cause::RefusedField,
        REFUSED,
        &[
            &["unsupported parameter"],
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
    rule(Cause::NotFound, (404, 404), &[]),
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
