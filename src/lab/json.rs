//! JSON objects on lines of their own, as verbs print them and files keep them.

use serde::Serialize;

use mageyard_domain::escape_json;

/// The schema version in every JSON object. New fields do not change it.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Object<'a, T> {
    schema: u32,
    r#type: &'a str,
    #[serde(flatten)]
    fields: &'a T,
}

/// An object as JSON on one line, beginning with the schema version and its type.
pub fn json_line(kind: &str, fields: &impl Serialize) -> serde_json::Result<String> {
    let object = Object { schema: SCHEMA_VERSION, r#type: kind, fields };
    Ok(escape_json(&serde_json::to_string(&object)?))
}
