//! The moods of the server: each a trouble that real ones have.

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
}

impl Behavior {
    /// Every mood with its name and what it does.
    pub(crate) const ALL: &[(&str, Self, &str)] = &[
        ("normal", Self::Normal, "answers as it should"),
        ("split", Self::Split, "one byte at a time, so also within characters"),
        ("keep-alive", Self::KeepAlive, "comments between the events"),
        ("crlf", Self::Crlf, "lines end as they do on Windows"),
        ("no-usage", Self::NoUsage, "does not say what it cost"),
        ("no-done", Self::NoDone, "the last event is missing, the reason to stop is not"),
        ("parts", Self::Parts, "content is a list of parts"),
        ("reasoning", Self::Reasoning, "thinks aloud in a field of its own, and names another action there"),
        ("unauthorized", Self::Unauthorized, "401, repeating the key"),
        ("no-model", Self::NoModel, "404"),
        ("no-field", Self::NoField, "400: max_tokens is not taken"),
        ("busy", Self::Busy, "429 as plain text, always"),
        ("busy-after", Self::BusyAfter, "429 once, asking for a pause of 300 ms"),
        ("busy-long", Self::BusyLong, "429, asking for a pause of an hour"),
        ("flaky", Self::Flaky, "500 once, then fine"),
        ("down", Self::Down, "503, always"),
        ("moved", Self::Moved, "301"),
        ("cut", Self::EndsEarly, "the stream ends in the middle, in good order"),
        ("broken", Self::ConnectionLost, "the connection breaks in the middle"),
        ("silence", Self::NeverAnswers, "takes the request and says nothing"),
        ("hush", Self::StallsMidway, "begins, then says nothing"),
        ("page", Self::HtmlPage, "a page instead of JSON"),
        ("empty", Self::Empty, "no choice"),
        ("huge", Self::Huge, "a reply of many megabytes"),
        ("tool", Self::Tool, "calls a tool"),
        ("refusal", Self::Refusal, "refuses"),
        ("filter", Self::Filter, "its filter cuts the reply"),
        ("length", Self::Length, "stops at the limit of tokens"),
        ("inside", Self::ErrorMidStream, "an error in the middle of the stream"),
    ];

    /// The mood of this name.
    #[allow(dead_code, reason = "the tests name moods by their type")]
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.0 == name).map(|row| row.1)
    }
}
