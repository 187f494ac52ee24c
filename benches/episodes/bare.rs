//! The floor: a client that only sends bodies and reads replies.

use axum::body::Bytes;

/// Sends so many bodies in each of so many tasks, all of them at once.
pub(crate) async fn send_all(url: &str, bodies: &[Bytes], tasks: usize, each: usize) {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let url = format!("{url}/chat/completions");
    let tasks: Vec<_> = (0..tasks)
        .map(|task| {
            let own = bodies.iter().cycle().skip(task * each % bodies.len()).take(each);
            tokio::spawn(send(client.clone(), url.clone(), own.cloned().collect()))
        })
        .collect();
    for task in tasks {
        task.await.expect("no panic");
    }
}

async fn send(client: reqwest::Client, url: String, bodies: Vec<Bytes>) {
    for body in bodies {
        let request = client.post(&url).header("content-type", "application/json").body(body);
        let response = request.send().await.expect("an answer");
        assert!(response.bytes().await.expect("a body").len() > 100);
    }
}
