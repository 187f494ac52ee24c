//! Exports of a step.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::tests::corridor::head;
use crate::tests::run_episode;
use mageyard_domain::{
    AgentError, BlobRef, Message, PartId, SentImage, SentTurn, Setting, Turn, VariableText,
};

#[derive(Debug)]
struct There;

impl RequestEncoder for There {
    fn encode(&self, _: &[Message], _: usize) -> Result<SentRequest, AgentError> {
        Ok(SentRequest::default())
    }

    fn scaled_size(&self, painted: (u32, u32)) -> (u32, u32) {
        painted
    }

    fn url(&self) -> &'static str {
        "http://127.0.0.1:1/it's v1"
    }

    fn headers(&self) -> Vec<(String, VariableText)> {
        let header = |name: &str, value| (name.to_owned(), VariableText::parse(value).unwrap());
        vec![header("Authorization", "Bearer ${MY_KEY}"), header("X-Note", "it's \"$1\" of ${TEAM}s")]
    }
}

/// Reads requests whose turns are a text and an address.
#[derive(Debug)]
struct PairReader;

impl RequestReader for PairReader {
    fn read(&self, _: &SentTurn) -> Turn {
        Turn { role: String::new(), parts: Vec::new(), joined: false, cache_mark: false }
    }

    fn parameters(&self, _: &SentRequest) -> Vec<(String, Value)> {
        Vec::new()
    }

    fn streams(&self, request: &SentRequest) -> bool {
        *request.envelope == "stream"
    }

    fn body(&self, request: &SentRequest, url: &mut dyn FnMut(&str) -> String) -> String {
        let turns = request.turns.iter().map(|turn| {
            let (text, address): (String, String) = serde_json::from_str(turn.json()).unwrap();
            json!([text, url(&address)])
        });
        turns.collect::<Value>().to_string()
    }
}

/// A request with this text and one image.
fn sent(words: &str, media: &str) -> SentRequest {
    let bytes: Arc<[u8]> = b"picture".as_slice().into();
    let part = PartId { step: 1, index: 0 };
    let image = SentImage { part, blob: BlobRef::of(media, &bytes), size: (1, 1), bytes };
    let turn = json!([words, format!("blob:{}", image.blob.digest)]).to_string();
    let turns = vec![Arc::new(SentTurn::new(turn, []))];
    SentRequest { envelope: Arc::new("stream".into()), turns, frames: vec![image], images: 1 }
}

async fn step() -> Arc<Step> {
    run_episode(head(Setting::Online, 3, 50), &["Left", "Right", "Right", "Right"]).await.steps()[0].clone()
}

fn of<'a>(step: &'a Step, sent: Option<&'a SentRequest>, journal: Option<&'a Path>) -> ExportSource<'a> {
    ExportSource {
        step,
        attempt: Some(0),
        side: None,
        sent,
        reader: &PairReader,
        packing: Some(&There),
        journal,
    }
}

#[tokio::test]
async fn each_part_of_a_step_is_exported_as_text() {
    let step = step().await;
    let sent = sent("it's $HOME\u{1b}", "image/png");
    let subject = of(&step, Some(&sent), None);
    let take = |what| subject.export(what).unwrap().text;
    assert_eq!((take(StepExport::Action).as_str(), take(StepExport::Board).as_str()), ("Left", ".@.."));
    assert!(take(StepExport::Reply).contains("Left"));
    let body: Value = serde_json::from_str(&take(StepExport::Request)).unwrap();
    assert_eq!(body, json!([["it's $HOME\u{1b}", "data:image/png;base64,cGljdHVyZQ=="]]));
    let command = take(StepExport::Curl);
    let lines: Vec<&str> = command.lines().collect();
    assert_eq!(lines[0], r"curl -sSN 'http://127.0.0.1:1/it'\''s v1' \");
    assert_eq!(lines[2], r#"  -H "Authorization: Bearer $MY_KEY" \"#);
    assert_eq!(lines[3], r#"  -H "X-Note: "'it'\''s "$1" of '"$TEAM""s" \"#);
    assert_eq!(lines[4], format!("  --data-binary '{}'", take(StepExport::Request)));
    assert_eq!(lines.len(), 5);
}

#[tokio::test]
async fn missing_parts_are_reported() {
    let step = step().await;
    let why = |sent: Option<&SentRequest>, what| of(&step, sent, None).export(what).unwrap_err().to_string();
    assert_eq!(why(None, StepExport::Curl), "no request was sent at this step");
    let strange = sent("x", "text/html;base64,AAAA\" -o ~/.bashrc");
    assert!(why(Some(&strange), StepExport::Request).contains("media type"));
    let bare = SentRequest { frames: Vec::new(), ..sent("x", "image/png") };
    assert!(why(Some(&bare), StepExport::Curl).contains("is not in its list"));
    let mut lost = sent("x", "image/png");
    lost.frames[0].bytes = Arc::default();
    assert!(why(Some(&lost), StepExport::Curl).ends_with("was not recorded"));
    let unkept = of(&step, None, None).save(StepExport::Board, "x").unwrap_err().to_string();
    assert!(unkept.starts_with("this episode is not recorded"), "{unkept}");
}

#[tokio::test]
async fn a_long_body_is_saved_beside_the_journal() {
    let root = tempfile::tempdir().unwrap();
    let journal = root.path().join("it's/journal.jsonl");
    let step = step().await;
    let sent = sent(&"word ".repeat(30_000), "image/jpeg");
    let subject = of(&step, Some(&sent), Some(&journal));
    let ExportedText { text: command, body } = subject.export(StepExport::Curl).unwrap();
    let file = root.path().join("it's/copies/step-1-attempt-1.request.json");
    let named = mageyard_domain::shell_quote(&format!("@{}", file.display()));
    assert!(command.ends_with(&format!("--data-binary {named}\n")), "{command}");
    assert_eq!(fs::read_to_string(&file).unwrap(), subject.export(StepExport::Request).unwrap().text);
    assert_eq!(body, Some(file));
}

#[tokio::test]
async fn no_file_is_overwritten() {
    let root = tempfile::tempdir().unwrap();
    let journal = root.path().join("journal.jsonl");
    let step = step().await;
    let save = |text: &str| of(&step, None, Some(&journal)).save(StepExport::Reply, text).unwrap();
    let first = save("one");
    let again = save("one");
    let other = save("two");
    assert_eq!(first, again);
    assert!(other.ends_with("copies/step-1-attempt-1-2.reply.txt"), "{}", other.display());
    assert_eq!(fs::read_to_string(first).unwrap(), "one");
}
