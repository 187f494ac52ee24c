//! The agent alone, asked as a driver asks it.

use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use mageyard::agents::Seating;
use mageyard::agents::Wire;
use mageyard::agents::seat;
use mageyard::dialog::prove;
use mageyard::domain::ActionSpace;
use mageyard::domain::Agent;
use mageyard::domain::AgentError;
use mageyard::domain::Answer;
use mageyard::domain::Ask;
use mageyard::domain::Digest;
use mageyard::domain::Form;
use mageyard::domain::Line;
use mageyard::domain::Message;
use mageyard::domain::News;
use mageyard::domain::Observation;
use mageyard::domain::Picture;
use mageyard::domain::Piece;
use mageyard::domain::Reply;
use mageyard::domain::Role;
use mageyard::domain::Segment;
use mageyard::domain::SentTurn;
use mageyard::domain::Setting;
use serde_json::Value;
use serde_json::json;

/// Longer than anything that is waited for here.
pub(super) const LIMIT: Duration = Duration::from_secs(30);

pub(super) const FORM: Form = Form::headings("# analyze", "# action", false);

/// An agent for this server, with these settings beside.
pub(super) fn agent(url: &str, more: &Value) -> Box<dyn Agent> {
    let mut options = mageyard::domain::Options::new();
    options.insert("name".into(), json!("mock"));
    options.insert("base_url".into(), json!(url));
    options.extend(more.as_object().unwrap().clone());
    let wire = Wire { options, key: Arc::new(|_| None) };
    let seating = Seating { model: Some(wire), ..Seating::default() };
    seat("model", seating).unwrap().agent
}

pub(super) fn text(text: &str) -> Piece {
    Piece::Text(Segment::Turn, text.into())
}

pub(super) fn frame(step: u32) -> Piece {
    let shade = u8::try_from(step).unwrap();
    Piece::Frame(step, Arc::new(Picture::new(8, 8, 1, vec![shade; 192]).unwrap()))
}

/// One turn, with a frame and the names of the actions.
pub(super) fn request() -> Vec<Message> {
    vec![Message { role: Role::User, pieces: vec![text("The action is one of: Left, Up."), frame(1)] }]
}

/// Holds what is sent against these turns, and keeps what it is told.
pub(super) struct Ear {
    due: Vec<Message>,
    pub(super) news: Mutex<Vec<News>>,
}

impl Ear {
    pub(super) fn new(due: Vec<Message>) -> Self {
        Self { due, news: Mutex::default() }
    }

    /// The text since the last request went out.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for news in self.news.lock().unwrap().iter() {
            match news {
                News::Sent(_) => text.clear(),
                News::Text(new) => text.push_str(new),
                _ => {}
            }
        }
        text
    }
}

impl Line for Ear {
    fn prove(&self, sent: &[SentTurn], encoded: &dyn Fn(u32) -> Option<Digest>) -> Result<(), AgentError> {
        prove(&self.due, sent, encoded).map_err(|error| AgentError::Unproven(error.to_string()))
    }

    fn tell(&self, news: News) {
        self.news.lock().unwrap().push(news);
    }
}

/// Asks once, within the deadline.
pub(super) async fn ask(
    agent: &mut dyn Agent,
    request: &[Message],
    line: &dyn Line,
) -> Result<Reply, AgentError> {
    let space = ActionSpace::of(&[("Left", ""), ("Up", "")]);
    let observation = Observation::told(vec![], "", Value::Null);
    let ask = Ask {
        step: 1,
        attempt: 1,
        setting: Setting::Online,
        form: &FORM,
        observation: &observation,
        space: &space,
        steps_left: 9,
        request,
        line,
    };
    match tokio::time::timeout(LIMIT, agent.decide(ask)).await.expect("the deadline") {
        Ok(Answer::Said(reply)) => Ok(reply),
        Ok(Answer::Stood) => panic!("a model never stands"),
        Err(error) => Err(error),
    }
}
