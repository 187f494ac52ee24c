//! A model server that answers after a delay, which is the first part of the path. It understands as much of HTTP as
//! these clients send, because the server shares the processors with what is measured.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The bodies that a server has received; `None` for a server that keeps none.
pub(crate) type Bodies = Option<Arc<Mutex<Vec<Vec<u8>>>>>;

#[derive(Clone, Default)]
struct Received {
    count: Arc<AtomicUsize>,
    bodies: Bodies,
}

/// Starts a server with a thread of its own, which takes less of the processors than several would; returns its base URL
/// without the delay and the version.
pub(crate) fn serve(bodies: Bodies) -> String {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.set_nonblocking(true).expect("a socket");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let received = Received { bodies, ..Received::default() };
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a socket");
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                stream.set_nodelay(true).expect("a socket");
                tokio::spawn(answer_all(stream, received.clone()));
            }
        });
    });
    url
}

/// Answers the requests of a connection until the client closes it.
async fn answer_all(mut stream: TcpStream, received: Received) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(1 << 16);
    loop {
        let head = loop {
            if let Some(end) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let text = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
        let delay = number_after(&text, "post /");
        let length = number_after(&text, "content-length: ");
        while buffer.len() < head + length {
            stream.read_buf(&mut buffer).await?;
        }
        if let Some(bodies) = &received.bodies {
            bodies.lock().expect("no panic").push(buffer[head..head + length].to_vec());
        }
        buffer.clear();
        tokio::time::sleep(Duration::from_millis(delay as u64)).await;
        let reply = reply(action(received.count.fetch_add(1, Ordering::Relaxed)));
        stream.write_all(reply.as_bytes()).await?;
    }
}

/// The number after this word, which every request has.
fn number_after(text: &str, word: &str) -> usize {
    let rest = text.split_once(word).expect("a request of a client of this benchmark").1;
    rest.split(|letter: char| !letter.is_ascii_digit())
        .next()
        .and_then(|digits| digits.parse().ok())
        .expect("a number")
}

/// Different enough that episodes reach different states, as with a model.
fn action(number: usize) -> &'static str {
    let mixed = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ["Left", "Up", "Right", "Down"][usize::try_from(mixed >> 62).unwrap_or(0)]
}

fn reply(action: &str) -> String {
    let body = format!(
        r##"{{"model": "m", "choices": [{{"index": 0, "finish_reason": "stop", "message": {{"role": "assistant",
        "content": "# analyze\nThe crate is near.\n\n# action\n{action}\n"}}}}],
        "usage": {{"prompt_tokens": 1200, "completion_tokens": 34}}}}"##
    );
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
}
