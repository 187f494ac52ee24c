//! Serves a recording of a conversation with a server: each request gets the response that was recorded for it. A request
//! that was not recorded is answered with an error that says what differs.

use std::io;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use serde_json::{Value, json};

use super::response::Answer;
use super::{ServerState, response};

/// Headers of the connection, which belong to the one that is served, not to the recorded one.
const CONNECTION_HEADERS: [&str; 4] = ["content-length", "transfer-encoding", "connection", "date"];

/// The recorded exchanges that were not served yet.
#[derive(Clone)]
pub(crate) struct Recording(Arc<Mutex<Vec<Value>>>);

impl Recording {
    /// Reads a file of `--record-http`.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut exchanges = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let value: Value = serde_json::from_str(line)
                .map_err(|error| format!("{}:{number}: {error}", path.display()))?;
            match value["type"].as_str() {
                Some("http_recording") if value["version"] == 1 => {}
                Some("exchange") => exchanges.push(value),
                _ => return Err(format!("{}:{number}: not a line of a recording", path.display())),
            }
        }
        Ok(Self(Arc::new(Mutex::new(exchanges))))
    }

    /// Number of exchanges that are left.
    #[allow(dead_code, reason = "the example does not ask")]
    pub(crate) fn left(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// Takes the response of the first exchange with this request.
    fn take(&self, path: &str, body: &Value) -> Result<Value, String> {
        let mut exchanges = self.0.lock().unwrap();
        let fits =
            |exchange: &Value| exchange["request"]["path"] == path && exchange["request"]["body"] == *body;
        if let Some(index) = exchanges.iter().position(fits) {
            return Ok(exchanges.remove(index)["response"].take());
        }
        let Some(next) = exchanges.first() else {
            return Err("the recording has no further request".to_owned());
        };
        let recorded = json!({"path": next["request"]["path"], "body": next["request"]["body"]});
        let difference = difference("", &recorded, &json!({"path": path, "body": body}));
        Err(format!(
            "the request differs from the next one of the recording: {}",
            difference.unwrap_or_default()
        ))
    }
}

/// Answers a request from the recording.
pub(super) async fn answer(State(state): State<ServerState>, uri: Uri, body: String) -> Response {
    let mut body: Value = serde_json::from_str(&body).unwrap_or_else(|_| body.into());
    state.with_log(|log| {
        log.open += 1;
        log.peak = log.peak.max(log.open);
        log.requests.push(body.clone());
    });
    replace_images(&mut body);
    let path = uri.path_and_query().map_or("", |path| path.as_str());
    let taken = state.replay.as_ref().map(|recording| recording.take(path, &body));
    let answer = match taken.unwrap_or_else(|| Err("nothing is replayed".to_owned())) {
        Ok(recorded) => recorded_answer(&recorded),
        Err(why) => {
            #[allow(clippy::print_stderr, reason = "a test tool")]
            {
                eprintln!("{why}");
            }
            Answer::json(400, &json!({"error": {"message": why, "type": "replay"}}))
        }
    };
    response::respond(answer, &state).await
}

fn recorded_answer(recorded: &Value) -> Answer {
    let status = recorded["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    let headers = recorded["headers"].as_object().into_iter().flatten();
    let headers = headers.filter(|(name, _)| !CONNECTION_HEADERS.contains(&name.as_str()));
    let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned()));
    let chunks = recorded["chunks"].as_array().into_iter().flatten().map(|chunk| {
        let text = chunk["text"].as_str().map(|text| text.as_bytes().to_vec());
        let bytes = text.or_else(|| STANDARD.decode(chunk["base64"].as_str()?).ok()).unwrap_or_default();
        (chunk["after"].as_u64().unwrap_or_default(), bytes)
    });
    let chunks = compressed(chunks.collect(), recorded["coding"].as_str(), recorded["end"] == "complete");
    // Without a status the server was not reached: the nearest to it is a connection that breaks at once.
    let end = if status.is_none() { "broken" } else { recorded["end"].as_str().unwrap_or_default() };
    Answer::recorded(status.unwrap_or(200), headers.collect(), chunks, end)
}

/// The chunks, compressed as the response was; a complete one has its end.
fn compressed(chunks: Vec<(u64, Vec<u8>)>, coding: Option<&str>, is_complete: bool) -> Vec<(u64, Vec<u8>)> {
    match coding {
        Some("gzip") => {
            let encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoded(chunks, encoder, GzEncoder::get_mut, is_complete.then_some(GzEncoder::finish))
        }
        Some(_) => {
            let encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoded(chunks, encoder, ZlibEncoder::get_mut, is_complete.then_some(ZlibEncoder::finish))
        }
        None => chunks,
    }
}

/// Ends the compressed data of an encoder.
type Finish<E> = fn(E) -> io::Result<Vec<u8>>;

fn encoded<E: Write>(
    chunks: Vec<(u64, Vec<u8>)>,
    mut encoder: E,
    bytes: fn(&mut E) -> &mut Vec<u8>,
    finish: Option<Finish<E>>,
) -> Vec<(u64, Vec<u8>)> {
    let mut all: Vec<(u64, Vec<u8>)> = Vec::new();
    for (after, chunk) in chunks {
        encoder.write_all(&chunk).unwrap();
        encoder.flush().unwrap();
        all.push((after, std::mem::take(bytes(&mut encoder))));
    }
    all.extend(finish.map(|finish| (0, finish(encoder).unwrap())));
    all
}

/// Replaces images by their digests, as a recording has them.
fn replace_images(value: &mut Value) {
    let digest = |data: &str| {
        STANDARD.decode(data).map(|bytes| format!("blob:{}", &blake3::hash(&bytes).to_hex()[..16]))
    };
    match value {
        Value::String(text) => {
            let data = text.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
            if let Some(digest) = data.and_then(|(_, data)| digest(data).ok()) {
                *text = digest;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(replace_images),
        Value::Object(fields) => {
            if fields.get("type").is_some_and(|kind| kind == "base64")
                && let Some(Value::String(data)) = fields.get_mut("data")
                && let Ok(digest) = digest(data)
            {
                *data = digest;
            }
            fields.values_mut().for_each(replace_images);
        }
        _ => {}
    }
}

/// The first difference of two values with its place, such as `body/messages/2/content: recorded "a", now "b"`.
fn difference(place: &str, recorded: &Value, now: &Value) -> Option<String> {
    let inside = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}/{name}") };
    match (recorded, now) {
        _ if recorded == now => None,
        (Value::Object(then), Value::Object(now)) => {
            let names = then.keys().chain(now.keys());
            let null = Value::Null;
            names.into_iter().find_map(|name| {
                difference(&inside(name), then.get(name).unwrap_or(&null), now.get(name).unwrap_or(&null))
            })
        }
        (Value::Array(then), Value::Array(now)) => {
            let differs = |(index, (then, now)): (usize, (&Value, &Value))| {
                difference(&inside(&index.to_string()), then, now)
            };
            let first = then.iter().zip(now).enumerate().find_map(differs);
            first.or_else(|| Some(format!("{place}: recorded {} items, now {}", then.len(), now.len())))
        }
        _ => Some(format!("{place}: recorded {}, now {}", excerpt(recorded), excerpt(now))),
    }
}

fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 200 {
        text
    } else {
        format!("{}…", text.chars().take(200).collect::<String>())
    }
}
