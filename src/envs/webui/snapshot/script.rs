//! The script that reads a page: pieces that share one function.

/// An expression whose value is the text of a snapshot. It is to be evaluated apart from the scripts of the page.
pub const SCRIPT: &str = concat!(
    "(function () {\n'use strict';\n",
    include_str!("script/dom.js"),
    include_str!("script/tree.js"),
    include_str!("script/shown.js"),
    include_str!("script/text.js"),
    include_str!("script/facts.js"),
    "})()"
);
