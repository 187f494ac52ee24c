//! Reads the turns of Messages back from the bytes of a request.

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
        Some("image") => {
            let source = part.get_mut("source").ok_or("has an image without a source")?;
            let digest = image_digest(source, digest_of)?;
            source["data"] = Value::from(format!("{BLOB_SCHEME}{digest}"));
            Ok(DecodedPart::Image(digest))
        }
        other => Err(format!("has a part of type {other:?}")),
    }
}

fn image_digest(source: &Value, digest_of: DigestOfUrl) -> Result<mageyard_domain::Digest, String> {
    match (source["type"].as_str(), source["media_type"].as_str(), source["data"].as_str()) {
        (Some("base64"), Some(_), Some(data)) if data.starts_with(BLOB_SCHEME) => digest_of(data),
        (Some("base64"), Some(media), Some(data)) => digest_of(&format!("data:{media};base64,{data}")),
        _ => Err("has an image that is not embedded in the body".to_owned()),
    }
}
