//! Records the conversation with a server: each try of a request as one JSON line, so that the same conversation can be
//! had again without the server. Values from variables are struck out, pictures are replaced by their digests.
//!
//! Bodies are recorded decoded, with the name of the compression: in compressed bytes no secret would be found.

use std::sync::Arc;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Response, Url};
use serde_json::{Map, Value, json};

use super::access::{Access, Credentials, StreamRedactor};
use super::encode::EncodedRequest;
use super::protocol::ModelReader;
use mageyard_domain::RequestReader;

/// Receives each recorded line, which is a JSON object without a line break.
pub type ExchangeSink = Arc<dyn Fn(&str) + Send + Sync>;

/// Headers of a response whose values are left out: they may identify the user, and no client needs them.
const PRIVATE_HEADERS: [&str; 3] = ["set-cookie", "openai-organization", "anthropic-organization-id"];

/// The end of a response that was received completely.
pub(super) const COMPLETE: &str = "complete";

/// One try of a request while it is recorded. It is written when it is dropped, however the try ends.
pub(super) struct Exchange {
    sink: ExchangeSink,
    redactor: StreamRedactor,
    last: Instant,
    request: Value,
    response: Map<String, Value>,
    chunks: Vec<Value>,
    /// The bytes of a character that is not complete.
    rest: Vec<u8>,
    /// How the body was compressed; the chunks are decoded.
    coding: Option<&'static str>,
    end: Option<&'static str>,
}

impl Exchange {
    /// Begins to record a request to this URL.
    pub(super) fn begin(
        sink: ExchangeSink,
        (url, access): (&Url, &Access),
        encoded: &EncodedRequest,
        credentials: &Credentials,
    ) -> Self {
        let address = access.written_address(url).to_string();
        let path = address.strip_prefix(&url.origin().ascii_serialization()).unwrap_or(&address);
        let body = ModelReader.body(&encoded.sent, &mut str::to_owned);
        let headers = access.written_headers().into_iter();
        let headers: Map<String, Value> =
            headers.map(|(name, value)| (name, value.to_string().into())).collect();
        let request = json!({
            "method": "POST", "path": path, "headers": headers,
            "body": serde_json::from_str::<Value>(&body).unwrap_or_else(|_| body.into()),
        });
        Self {
            sink,
            redactor: credentials.stream_redactor(),
            last: Instant::now(),
            request,
            response: Map::new(),
            chunks: Vec::new(),
            rest: Vec::new(),
            coding: None,
            end: None,
        }
    }

    /// Adds the status and the headers of the response.
    pub(super) fn add_head(&mut self, response: &Response, credentials: &Credentials) {
        let shown = |name: &str, value: &[u8]| {
            if PRIVATE_HEADERS.contains(&name) {
                return "(left out)".to_owned();
            }
            credentials.redact(String::from_utf8_lossy(value).into_owned())
        };
        let headers = response.headers().iter();
        let headers: Map<String, Value> = headers
            .map(|(name, value)| (name.to_string(), shown(name.as_str(), value.as_bytes()).into()))
            .collect();
        let after = self.elapsed();
        self.response.extend([
            ("status".to_owned(), response.status().as_u16().into()),
            ("after".to_owned(), after.into()),
            ("headers".to_owned(), headers.into()),
        ]);
    }

    /// Adds bytes of the body, decoded if it is compressed.
    pub(super) fn add_chunk(&mut self, bytes: &[u8], coding: Option<&'static str>) {
        self.coding = coding;
        let after = self.elapsed();
        let mut bytes = [std::mem::take(&mut self.rest), bytes.to_vec()].concat();
        loop {
            let (valid, broken) = match std::str::from_utf8(&bytes) {
                Ok(text) => (text.len(), 0),
                Err(error) => (error.valid_up_to(), error.error_len().unwrap_or(0)),
            };
            let text = self.redactor.redact(&String::from_utf8_lossy(&bytes[..valid]));
            self.push(after, "text", &text);
            if broken == 0 {
                self.rest = bytes.split_off(valid);
                return;
            }
            // No secret goes over bytes that are not text.
            let held = self.redactor.finish();
            self.push(after, "text", &held);
            self.push(after, "base64", &STANDARD.encode(&bytes[valid..valid + broken]));
            bytes.drain(..valid + broken);
        }
    }

    /// Says how the response ended, unless that was said before: complete, broken, silent, unreachable.
    pub(super) fn end(&mut self, how: &'static str) {
        self.end.get_or_insert(how);
    }

    fn push(&mut self, after: u64, kind: &str, content: &str) {
        if !content.is_empty() {
            self.chunks.push(json!({"after": after, kind: content}));
        }
    }

    /// The milliseconds since the last part.
    fn elapsed(&mut self) -> u64 {
        let now = Instant::now();
        let after = now.duration_since(std::mem::replace(&mut self.last, now));
        u64::try_from(after.as_millis()).unwrap_or(u64::MAX)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let held = self.redactor.finish();
        self.push(0, "text", &held);
        let rest = STANDARD.encode(std::mem::take(&mut self.rest));
        self.push(0, "base64", &rest);
        let mut response = std::mem::take(&mut self.response);
        response.insert("chunks".to_owned(), std::mem::take(&mut self.chunks).into());
        response.extend(self.coding.map(|coding| ("coding".to_owned(), coding.into())));
        response.insert("end".to_owned(), self.end.unwrap_or("cancelled").into());
        let line = json!({"type": "exchange", "request": self.request.take(), "response": response});
        (self.sink)(&line.to_string());
    }
}
