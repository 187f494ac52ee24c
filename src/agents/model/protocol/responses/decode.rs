//! Reads the items of Responses back from the bytes of a request.

use serde_json::Value;

use super::super::{DigestOfUrl, decode};
use mageyard_domain::{BLOB_SCHEME, DecodedPart, DecodedTurn};

/// Decodes an item and replaces each image by its digest. The instructions, read as a turn, have no type.
pub(super) fn turn(item: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
    match (item["type"].as_str(), item["role"].as_str()) {
        (Some("message"), _) | (None, Some("system")) => {
            decode::turn(item, |part| decode_part(part, digest_of))
        }
        (other, _) => Err(format!("is an item of type {other:?}")),
    }
}

fn decode_part(part: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedPart, String> {
    match part["type"].as_str() {
        Some("input_text" | "output_text") => decode::text(part),
        Some("input_image") => {
            let url = part.get_mut("image_url").ok_or("has an image without a URL")?;
            let digest = digest_of(url.as_str().unwrap_or_default())?;
            *url = Value::from(format!("{BLOB_SCHEME}{digest}"));
            Ok(DecodedPart::Image(digest))
        }
        other => Err(format!("has a part of type {other:?}")),
    }
}
