//! The memory rule over the native protocols: what arrives at the server is what the window promises.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::agent_fixture::{RequestObserver, agent, ask};
use super::content::{Arrived, MIXES, composed, expected, joined, windows};
use crate::server::{Behavior, Server};

fn arrived_part(part: &Value) -> Arrived {
    let image = |data: &str| {
        let bytes = STANDARD.decode(data).unwrap();
        Arrived::Image(image::load_from_memory(&bytes).unwrap().to_rgb8().as_raw()[0])
    };
    match part["type"].as_str().unwrap() {
        "text" | "input_text" | "output_text" => Arrived::Text(part["text"].as_str().unwrap().to_owned()),
        "image" => {
            assert_eq!(
                json!([part["source"]["type"], part["source"]["media_type"]]),
                json!(["base64", "image/png"])
            );
            image(part["source"]["data"].as_str().unwrap())
        }
        "input_image" => {
            let url = part["image_url"].as_str().unwrap();
            image(url.strip_prefix("data:image/png;base64,").unwrap())
        }
        other => panic!("{other}"),
    }
}

/// The turns of a body, with the system text from its own field first.
fn arrived(body: &Value) -> Vec<(String, Vec<Arrived>)> {
    let parts = |content: &Value| match content {
        Value::String(text) => vec![Arrived::Text(text.clone())],
        parts => joined(parts.as_array().unwrap().iter().map(arrived_part).collect()),
    };
    let system = ["system", "instructions"].iter().filter_map(|name| body.get(*name));
    let system = system.map(|content| ("system".to_owned(), parts(content)));
    let list = ["messages", "input"].iter().find_map(|name| body.get(*name)?.as_array()).unwrap();
    let turns = list.iter().map(|turn| (turn["role"].as_str().unwrap().to_owned(), parts(&turn["content"])));
    system.chain(turns).collect()
}

async fn every_mix_arrives(protocol: &str, more: &Value) {
    let server = Server::start(Behavior::Normal);
    let mut settings = json!({"resolution": 0, "protocol": protocol});
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut agent = agent(&server.url(), &settings);
    let mut seen = 0;
    for (mix, window) in MIXES.iter().flat_map(|mix| windows().map(move |window| (*mix, window))) {
        for (past, images) in [(0, true), (3, true), (7, true), (4, false)] {
            let request = composed(mix, window, past, images);
            let observer = RequestObserver(request.clone());
            let name = format!("{mix:?} AM={} OM={} past={past} images={images}", window.am(), window.om());
            ask(agent.as_mut(), &request.messages, &observer)
                .await
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let body = server.requests().pop().unwrap();
            assert_eq!(arrived(&body), expected(mix, window, past, images), "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, 9 * 16 * 4);
}

#[tokio::test]
async fn every_mix_of_parts_arrives_over_messages() {
    every_mix_arrives("messages", &json!({})).await;
}

#[tokio::test]
async fn every_mix_of_parts_arrives_over_messages_with_marks_for_the_cache() {
    every_mix_arrives("messages", &json!({"cache": "on"})).await;
}

#[tokio::test]
async fn every_mix_of_parts_arrives_over_responses() {
    every_mix_arrives("responses", &json!({"detail": "high"})).await;
}
