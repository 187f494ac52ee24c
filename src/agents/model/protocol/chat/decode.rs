//! Reads the turns of chat completions back from the bytes of a request.

use serde_json::Value;

use super::super::{DigestOfUrl, decode};
use mageyard_domain::{BLOB_SCHEME, DecodedPart, DecodedTurn};

/// Decodes a turn and replaces each image by its digest.
pub(super) fn turn(message: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedTurn, String> {
    decode::turn(message, |part| decode_part(part, digest_of))
}

fn decode_part(part: &mut Value, digest_of: DigestOfUrl) -> Result<DecodedPart, String> {
    match part["type"].as_str() {
        Some("text") => decode::text(part),
        Some("image_url") => {
            let url = part.pointer_mut("/image_url/url").ok_or("has an image without a URL")?;
            let digest = digest_of(url.as_str().unwrap_or_default())?;
            *url = Value::from(format!("{BLOB_SCHEME}{digest}"));
            Ok(DecodedPart::Image(digest))
        }
        other => Err(format!("has a part of type {other:?}")),
    }
}
