//! The functions that run in a page, put together from their pieces. They take one argument.

macro_rules! function {
    ($head:literal, [$($piece:literal),*], $call:literal) => {
        concat!(
            $head, " {\n'use strict';\n",
            $(include_str!(concat!("script/", $piece, ".js")),)*
            "return ", $call, ";\n}"
        )
    };
}

/// Reads the document, numbers what it lists and returns JSON text.
pub(super) const READ: &str = function!(
    "function (argument)",
    ["dom", "geometry", "states", "roles", "records", "names", "values", "visible_tree", "code_tree", "read"],
    "read(argument)"
);
/// Where the frame is that the element `this` holds, and what covers a point of it.
pub(super) const OWNER: &str =
    function!("function (argument)", ["dom", "roles", "hit", "owner"], "ownerOf(this, argument)");
/// What key nodes compare of a numbered element.
pub(super) const LOCATE: &str = function!(
    "function (argument)",
    ["dom", "geometry", "roles", "hit", "selectors", "locate"],
    "locate(argument)"
);
/// The listed element at the first match of a selector.
pub(super) const FIND: &str = function!(
    "function (argument)",
    ["dom", "geometry", "roles", "hit", "selectors", "locate"],
    "find(argument)"
);
/// Scrolls to an element and finds a point of it that a click reaches.
pub(super) const POINT: &str =
    function!("async function (argument)", ["dom", "roles", "hit", "states", "acts"], "point(argument)");
/// Focuses a field and selects what is in it.
pub(super) const FILL: &str =
    function!("function (argument)", ["dom", "roles", "hit", "states", "acts"], "fill(argument)");
/// The options of a select.
pub(super) const CHOICES: &str =
    function!("function (argument)", ["dom", "roles", "hit", "states", "choices"], "choices(argument)");
/// Chooses an option by its index.
pub(super) const CHOOSE: &str =
    function!("function (argument)", ["dom", "roles", "hit", "states", "choices"], "choose(argument)");
/// Scrolls the page up or down.
pub(super) const SCROLL: &str =
    function!("function (argument)", ["dom", "roles", "hit", "scroll"], "scroll(argument)");
/// Listens in a document and reports what a person touches.
pub(super) const TOUCHES: &str = function!(
    "function (argument, report)",
    ["dom", "geometry", "states", "roles", "hit", "selectors", "records", "names", "locate", "touches"],
    "watchTouches(argument, report)"
);
