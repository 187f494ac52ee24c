//! The behaviors of the server: normal, and faults of real servers.

/// How the server behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behavior {
    Normal,
    Split,
    KeepAlive,
    Crlf,
    NoUsage,
    NoDone,
    Parts,
    Reasoning,
    Unauthorized,
    EchoHead,
    NoModel,
    NoField,
    Busy,
    BusyAfter,
    BusyLong,
    Flaky,
    Down,
    Moved,
    EndsEarly,
    ConnectionLost,
    NeverAnswers,
    StallsMidway,
    HtmlPage,
    Empty,
    Huge,
    Tool,
    Refusal,
    Filter,
    Length,
    ErrorMidStream,
    StringsOnly,
    ListsOnly,
    Overloaded,
    CachedUsage,
}

impl Behavior {
    /// Every behavior with its name and description.
    pub(crate) const ALL: &[(&str, Self, &str)] = &[
        ("normal", Self::Normal, "answers normally"),
        ("split", Self::Split, "sends single bytes, splitting characters"),
        ("keep-alive", Self::KeepAlive, "sends comments between the events"),
        ("crlf", Self::Crlf, "ends lines with CRLF"),
        ("no-usage", Self::NoUsage, "reports no usage"),
        ("no-done", Self::NoDone, "omits the final [DONE] event"),
        ("parts", Self::Parts, "sends content as a list of parts"),
        ("reasoning", Self::Reasoning, "sends reasoning in a separate field, with another action in it"),
        ("unauthorized", Self::Unauthorized, "401, with the key in the message"),
        ("echo-head", Self::EchoHead, "401, with the address and all headers in the message"),
        ("no-model", Self::NoModel, "404"),
        ("no-field", Self::NoField, "400: max_tokens is not supported"),
        ("busy", Self::Busy, "always 429, as plain text"),
        ("busy-after", Self::BusyAfter, "429 once, with retry-after-ms 300"),
        ("busy-long", Self::BusyLong, "429, with retry-after one hour"),
        ("flaky", Self::Flaky, "500 once, then normal"),
        ("down", Self::Down, "always 503"),
        ("moved", Self::Moved, "301"),
        ("cut", Self::EndsEarly, "ends the response in the middle without an error"),
        ("broken", Self::ConnectionLost, "loses the connection in the middle"),
        ("silence", Self::NeverAnswers, "accepts the request and never answers"),
        ("hush", Self::StallsMidway, "starts the response and then stalls"),
        ("page", Self::HtmlPage, "sends an HTML page instead of JSON"),
        ("empty", Self::Empty, "sends no choices"),
        ("huge", Self::Huge, "sends a reply of several megabytes"),
        ("tool", Self::Tool, "calls a tool"),
        ("refusal", Self::Refusal, "sends a refusal"),
        ("filter", Self::Filter, "stops with content_filter"),
        ("length", Self::Length, "stops at the token limit"),
        ("inside", Self::ErrorMidStream, "sends an error in the middle of the stream"),
        ("strings", Self::StringsOnly, "400 for content that is a list"),
        ("lists", Self::ListsOnly, "400 for content that is a string"),
        ("overloaded", Self::Overloaded, "529 of the native protocols"),
        ("cached", Self::CachedUsage, "reports tokens that were cached and written into the cache"),
    ];

    /// The behavior of this name.
    #[allow(dead_code, reason = "the tests use the variants")]
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.0 == name).map(|row| row.1)
    }
}
