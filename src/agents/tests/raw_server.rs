//! A server that sends given bytes: what a server of the protocol would never write.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::{Value, json};

/// Answers the n-th connection with the n-th answer, and all further ones with the last.
pub(super) struct RawServer {
    address: SocketAddr,
    times: Arc<Mutex<Vec<Instant>>>,
}

impl RawServer {
    pub(super) fn start(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let times = Arc::<Mutex<Vec<Instant>>>::default();
        let shared = times.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let number = shared.lock().unwrap().len();
                answer(stream, &answers[number.min(answers.len() - 1)], || {
                    shared.lock().unwrap().push(Instant::now());
                });
            }
        });
        Self { address, times }
    }

    /// The base URL.
    pub(super) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// When each request was received.
    pub(super) fn times(&self) -> Vec<Instant> {
        self.times.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, bytes: &str, received: impl FnOnce()) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    let mut is_post = false;
    for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
        is_post |= line.starts_with("POST ");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    std::io::copy(&mut reader.take(length), &mut std::io::sink()).unwrap();
    // The list of models, which advice asks for, has none.
    if !is_post {
        let _ = stream.write_all(response(200, "", "{\"data\": []}").as_bytes());
        return;
    }
    received();
    let _ = stream.write_all(bytes.as_bytes());
}

/// A complete response; `headers` are lines that end with a line break.
pub(super) fn response(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} Status\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
}

/// A stream of these events, each with its data, without the mark at its end.
pub(super) fn stream(events: &[String]) -> String {
    let events: Vec<_> = events.iter().map(|data| format!("data: {data}\n\n")).collect();
    let events = events.concat();
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n{events}")
}

/// A chunk with this text and this reason for the end.
pub(super) fn chunk(text: &str, finish_reason: &Value) -> String {
    let choice = json!({"index": 0, "delta": {"content": text}, "finish_reason": finish_reason});
    json!({"id": "c1", "model": "mock", "choices": [choice]}).to_string()
}

/// A complete stream with this reply.
pub(super) fn good(text: &str) -> String {
    stream(&[chunk(text, &Value::Null), chunk("", &json!("stop")), "[DONE]".to_owned()])
}
