//! What is taken out of a step: each part as text, what is not there told, and long bodies saved beside the
//! journal, over nothing.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::domain::AgentError;
use crate::domain::Blob;
use crate::domain::Digest;
use crate::domain::Message;
use crate::domain::Setting;
use crate::engine::tests::corridor::head;
use crate::engine::tests::finished;

#[derive(Debug)]
struct There;

impl Packing for There {
    fn pack(&self, _: &[Message]) -> Result<Sent, AgentError> {
        Ok(Sent::default())
    }

    fn scaled(&self, painted: (u32, u32)) -> (u32, u32) {
        painted
    }

    fn address(&self) -> &'static str {
        "http://127.0.0.1:1/it's v1"
    }

    fn key_variable(&self) -> &'static str {
        "MY_KEY"
    }
}

/// A request of these words and one picture.
fn sent(words: &str, media: &str) -> Sent {
    let bytes: Arc<[u8]> = b"picture".as_slice().into();
    let blob = Blob { digest: Digest::of(&bytes), media: media.into(), size: (1, 1), step: 1, bytes };
    let image = json!({"type": "image_url", "image_url": {"url": format!("blob:{}", blob.digest)}});
    let body = json!({"stream": true, "messages": [
        {"role": "system", "content": words},
        {"role": "user", "content": [{"type": "text", "text": words}, image]},
    ]});
    Sent { body, pictures: vec![blob], images: 1, ..Sent::default() }
}

async fn step() -> Arc<Step> {
    finished(head(Setting::Online, 3, 50), &["Left", "Right", "Right", "Right"]).await.steps()[0].clone()
}

fn of<'a>(step: &'a Step, sent: Option<&'a Sent>, journal: Option<&'a Path>) -> Subject<'a> {
    Subject { step, attempt: Some(0), sent, packing: Some(&There), journal }
}

#[tokio::test]
async fn each_part_of_a_step_is_taken_as_text() {
    let (step, sent) = (step().await, sent("it's $HOME\u{1b}", "image/png"));
    let subject = of(&step, Some(&sent), None);
    let take = |what| subject.extract(what).unwrap().text;
    assert_eq!((take(Extract::Action).as_str(), take(Extract::Board).as_str()), ("Left", ".@.."));
    assert!(take(Extract::Reply).contains("Left"));
    let body: Value = serde_json::from_str(&take(Extract::Request)).unwrap();
    assert_eq!(body["messages"][0]["content"], "it's $HOME\u{1b}");
    assert_eq!(body["messages"][1]["content"][1]["image_url"]["url"], "data:image/png;base64,cGljdHVyZQ==");
    let command = take(Extract::Curl);
    let lines: Vec<&str> = command.lines().collect();
    assert_eq!(lines[0], r"curl -sSN 'http://127.0.0.1:1/it'\''s v1' \");
    assert_eq!(lines[2], r#"  -H "Authorization: Bearer $MY_KEY" \"#);
    assert_eq!(lines[3], format!("  --data-binary '{}'", take(Extract::Request)));
    assert_eq!(lines.len(), 4);
}

#[tokio::test]
async fn what_is_not_there_is_told() {
    let step = step().await;
    let why = |sent: Option<&Sent>, what| of(&step, sent, None).extract(what).unwrap_err().to_string();
    assert_eq!(why(None, Extract::Curl), "nothing was sent at this step");
    let strange = sent("x", "text/html;base64,AAAA\" -o ~/.bashrc");
    assert!(why(Some(&strange), Extract::Request).contains("media type"));
    let bare = Sent { pictures: Vec::new(), ..sent("x", "image/png") };
    assert!(why(Some(&bare), Extract::Curl).contains("was noted"));
    let mut lost = sent("x", "image/png");
    lost.pictures[0].bytes = Arc::default();
    assert!(why(Some(&lost), Extract::Curl).ends_with("was not kept"));
    let unkept = of(&step, None, None).save(Extract::Board, "x").unwrap_err().to_string();
    assert!(unkept.starts_with("nothing is kept"), "{unkept}");
}

#[tokio::test]
async fn a_body_too_long_for_a_command_is_saved_beside_the_journal() {
    let root = tempfile::tempdir().unwrap();
    let journal = root.path().join("it's/journal.jsonl");
    let (step, sent) = (step().await, sent(&"word ".repeat(30_000), "image/jpeg"));
    let subject = of(&step, Some(&sent), Some(&journal));
    let Extracted { text: command, body } = subject.extract(Extract::Curl).unwrap();
    let file = root.path().join("it's/copies/step-1-attempt-1.request.json");
    let named = crate::domain::quoted(&format!("@{}", file.display()));
    assert!(command.ends_with(&format!("--data-binary {named}\n")), "{command}");
    assert_eq!(fs::read_to_string(&file).unwrap(), subject.extract(Extract::Request).unwrap().text);
    assert_eq!(body, Some(file));
}

#[tokio::test]
async fn nothing_is_written_over() {
    let root = tempfile::tempdir().unwrap();
    let journal = root.path().join("journal.jsonl");
    let step = step().await;
    let save = |text: &str| of(&step, None, Some(&journal)).save(Extract::Reply, text).unwrap();
    let (first, again, other) = (save("one"), save("one"), save("two"));
    assert_eq!(first, again);
    assert!(other.ends_with("copies/step-1-attempt-1-2.reply.txt"), "{}", other.display());
    assert_eq!(fs::read_to_string(first).unwrap(), "one");
}
