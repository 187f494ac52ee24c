//! The computed styles that a snapshot must have.

use super::SnapshotError;

/// The computed styles that the score reads.
pub const PROPERTIES: [&str; 36] = [
    "color",
    "background",
    "background-color",
    "background-image",
    "background-repeat",
    "background-size",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "border-left-color",
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-width",
    "border-top-style",
    "border-right-style",
    "border-bottom-style",
    "border-left-style",
    "border-top-left-radius",
    "border-top-right-radius",
    "border-bottom-right-radius",
    "border-bottom-left-radius",
    "outline-color",
    "outline-style",
    "outline-width",
    "width",
    "height",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "letter-spacing",
    "tab-size",
    "display",
    "text-shadow",
    "box-shadow",
];

/// Each name stands once, and none of [`PROPERTIES`] is missing.
pub(super) fn check(names: &[String]) -> Result<(), SnapshotError> {
    let repeated = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
    if let Some((_, name)) = repeated {
        return Err(SnapshotError::RepeatedProperty { name: name.clone() });
    }
    let missing = PROPERTIES.into_iter().find(|name| !names.iter().any(|listed| listed == name));
    missing.map_or(Ok(()), |name| Err(SnapshotError::MissingProperty { name }))
}
