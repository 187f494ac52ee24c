//! How an element is named.

use std::fmt;

use serde::Serialize;

/// A way to find an element. The first one in the order of the document is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// By the attribute `id`.
    Id(String),
    /// By one class.
    Class(String),
    /// By a CSS selector.
    Css(String),
    /// By an `XPath` expression.
    Xpath(String),
    /// By the whole text of the innermost element, with blanks collapsed.
    Text(String),
    /// By the whole text of a link.
    LinkText(String),
    /// By the attribute `name`.
    Name(String),
}

impl Target {
    /// The name of the way, as in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Id(_) => "id",
            Self::Class(_) => "class",
            Self::Css(_) => "css",
            Self::Xpath(_) => "xpath",
            Self::Text(_) => "text",
            Self::LinkText(_) => "link_text",
            Self::Name(_) => "name",
        }
    }

    /// The value to look for.
    pub fn value(&self) -> &str {
        match self {
            Self::Id(value)
            | Self::Class(value)
            | Self::Css(value)
            | Self::Xpath(value)
            | Self::Text(value)
            | Self::LinkText(value)
            | Self::Name(value) => value,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind().replace('_', " "), self.value())
    }
}
