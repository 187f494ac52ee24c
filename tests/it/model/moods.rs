//! Each mood of the server, streaming and not, and exactly what comes of it.

use std::time::Duration;
use std::time::Instant;

use mageyard::dialog::Brief;
use mageyard::dialog::Layout;
use mageyard::dialog::Now;
use mageyard::dialog::Past;
use mageyard::dialog::Prompt;
use mageyard::dialog::compose;
use mageyard::domain::ActionSpace;
use mageyard::domain::AgentError;
use mageyard::domain::Message;
use mageyard::domain::News;
use mageyard::domain::Observation;
use mageyard::domain::Part;
use mageyard::domain::Piece;
use mageyard::domain::Reply;
use mageyard::domain::Setting;
use mageyard::domain::Usage;
use mageyard::domain::Window;
use serde_json::Value;
use serde_json::json;

use super::asked::Ear;
use super::asked::FORM;
use super::asked::LIMIT;
use super::asked::agent;
use super::asked::ask;
use super::asked::frame;
use super::asked::request;
use crate::server::Mood;
use crate::server::Office;
use crate::server::Server;

const SAID: &str = "# analyze\nfür → 🧙 ok\n\n# action\nUp\n";

struct Met {
    outcome: Result<Reply, AgentError>,
    ear: Ear,
    requests: usize,
}

/// Asks a server of this mood once.
async fn meet(mood: Mood, settings: &Value) -> Met {
    let server = Server::start(mood);
    (0..4).for_each(|_| server.say(SAID));
    let ear = Ear::new(request());
    let outcome = ask(agent(&server.url(), settings).as_mut(), &request(), &ear).await;
    Met { outcome, ear, requests: server.requests().len() }
}

#[tokio::test]
async fn good_answers_are_read_whatever_they_look_like() {
    for stream in [true, false] {
        for mood in [
            Mood::Normal,
            Mood::Split,
            Mood::KeepAlive,
            Mood::Crlf,
            Mood::NoUsage,
            Mood::NoDone,
            Mood::Parts,
            Mood::Reasoning,
        ] {
            let met = meet(mood, &json!({"stream": stream})).await;
            let reply = met.outcome.unwrap_or_else(|error| panic!("{mood:?}: {error}"));
            assert_eq!(reply.text, SAID, "{mood:?} {stream}");
            assert_eq!(met.ear.text(), SAID, "{mood:?} {stream}");
            assert_eq!(reply.model.as_deref(), Some("mock-1"));
            let usage = (mood != Mood::NoUsage).then_some(Usage { input: 1200, output: 34, cached: 0 });
            assert_eq!(reply.usage, usage, "{mood:?} {stream}");
            let thought = (mood == Mood::Reasoning).then_some("# action\nNowhere");
            assert_eq!(reply.reasoning.as_deref(), thought, "{mood:?} {stream}");
            assert_eq!(met.requests, 1);
        }
    }
}

#[tokio::test]
async fn bad_answers_have_their_own_names() {
    let any = [true, false];
    let cases: &[(Mood, &[bool], usize, &str)] = &[
        (Mood::Unauthorized, &any, 1, "the server refused with 401: Incorrect API key provided"),
        (Mood::Unauthorized, &any, 1, "(OPENAI_API_KEY is not set)"),
        (
            Mood::NoModel,
            &any,
            1,
            "refused with 404: The model \"mock\" does not exist (is there a model \"mock\" at http://127.0.0.1:",
        ),
        (Mood::NoField, &any, 1, "\"max_completion_tokens\": 4000}'"),
        (Mood::Busy, &any, 2, "refused with 429: slow down"),
        (Mood::BusyLong, &any, 1, "(it asks to come back after 3600 s)"),
        (
            Mood::Down,
            &any,
            2,
            "refused with 503: loading the model (tried 2 times; model.max_retries allows no more)",
        ),
        (Mood::Moved, &any, 1, "has moved to https://elsewhere.example/v1: set model.base_url"),
        (Mood::Cut, &[true], 2, "the reply broke off after 20 characters: the server closed the connection"),
        (Mood::Cut, &[false], 2, "the reply broke off after 40 bytes: the server closed the connection"),
        (Mood::Broken, &[true], 2, "the reply broke off after 20 characters: the connection broke ("),
        (Mood::Broken, &[false], 2, "the reply broke off after 40 bytes: the connection broke ("),
        (Mood::Broken, &any, 2, "server's log (tried 2 times; model.max_retries allows no more)"),
        (Mood::Page, &any, 1, "it begins with \"<!DOCTYPE html>"),
        (Mood::Empty, &any, 1, "an empty list of choices"),
        (Mood::Huge, &any, 1, "longer than 4 MiB"),
        (Mood::Tool, &any, 1, "the model called the tool \"click\", and none was offered"),
        (Mood::Refusal, &any, 1, "the model declined: I will not push crates."),
        (
            Mood::Filter,
            &any,
            1,
            "the server's content filter, not the model, stopped the reply after 34 characters",
        ),
        (
            Mood::Length,
            &any,
            1,
            "the reply was cut after 34 tokens, below model.max_tokens = 4000: the server has",
        ),
        (Mood::Inside, &any, 2, "refused with 500: out of memory"),
    ];
    for (mood, streams, requests, says) in cases {
        for stream in *streams {
            let met = meet(*mood, &json!({"stream": stream, "max_retries": 1})).await;
            let error = met.outcome.expect_err("a trouble").to_string();
            assert!(error.contains(says), "{mood:?} {stream}: {says:?} is not in {error}");
            assert_eq!(met.requests, *requests, "{mood:?} {stream}");
        }
    }
}

#[tokio::test]
async fn a_cut_at_the_limit_names_the_setting() {
    let met = meet(Mood::Length, &json!({"max_tokens": 34})).await;
    let error = met.outcome.unwrap_err().to_string();
    assert!(error.contains("was cut at 34 tokens, the limit that model.max_tokens sets"), "{error}");
}

#[tokio::test]
async fn one_try_is_not_counted() {
    for (mood, retries) in [(Mood::Down, 0), (Mood::NoModel, 2), (Mood::BusyLong, 2)] {
        let error = meet(mood, &json!({"max_retries": retries})).await.outcome.unwrap_err();
        assert!(!error.to_string().contains("tried"), "{error}");
    }
}

#[tokio::test]
async fn what_came_before_a_cut_has_been_told() {
    for mood in [Mood::Cut, Mood::Broken, Mood::Inside, Mood::Length, Mood::Filter] {
        let met = meet(mood, &json!({"max_retries": 0})).await;
        let told = met.ear.text();
        assert!(
            met.outcome.is_err() && told.starts_with("# ana") && SAID.starts_with(&told),
            "{mood:?}: {told}"
        );
        assert_eq!(met.requests, 1, "zero retries means zero");
    }
}

#[tokio::test]
async fn a_trouble_that_passes_is_waited_for_and_said() {
    for (mood, why, least, most) in
        [(Mood::BusyAfter, "429: busy", 300, 300), (Mood::Flaky, "500: <html>oops</html>", 250, 500)]
    {
        let began = Instant::now();
        let met = meet(mood, &json!({})).await;
        assert_eq!(met.outcome.unwrap().text, SAID);
        assert_eq!(met.requests, 2);
        assert!(began.elapsed() >= Duration::from_millis(least));
        let news = met.ear.news.lock().unwrap();
        let waits: Vec<_> = news.iter().filter(|news| matches!(news, News::Waiting { .. })).collect();
        let [News::Waiting { why: told, milliseconds, attempt: 2 }] = waits.as_slice() else {
            panic!("{waits:?}")
        };
        assert!(told.contains(why) && (least..=most).contains(milliseconds), "{told}, {milliseconds} ms");
        let sent = news.iter().filter(|news| matches!(news, News::Sent(_))).count();
        assert_eq!(sent, 2, "each try is told");
    }
}

#[tokio::test]
async fn a_server_that_says_nothing_meets_the_limit() {
    for mood in [Mood::Silence, Mood::Hush] {
        let began = Instant::now();
        let met = meet(mood, &json!({"timeout": 1})).await;
        assert_eq!(met.outcome, Err(AgentError::Silent { seconds: 1 }), "{mood:?}");
        assert!((1..5).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
        assert_eq!(met.requests, 1);
    }
}

#[tokio::test]
async fn nobody_at_the_other_end_is_said_with_the_address() {
    let gone = Server::start(Mood::Normal).url();
    let ear = Ear::new(request());
    let error = ask(agent(&gone, &json!({"max_retries": 0})).as_mut(), &request(), &ear).await.unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("the server cannot be reached: http://127.0.0.1:"), "{error}");
    assert!(error.contains("refused"), "{error}");
}

#[tokio::test]
async fn a_cancel_closes_the_connection_within_200_ms() {
    for mood in [Mood::Silence, Mood::Hush, Mood::Normal] {
        let server = Server::with(Office::new(mood, Duration::from_millis(20)));
        let (ear, request) = (Ear::new(request()), request());
        let mut agent = agent(&server.url(), &json!({}));
        tokio::select! {
            _ = ask(agent.as_mut(), &request, &ear) => panic!("{mood:?}: nobody answers that soon"),
            () = async {
                let deadline = Instant::now() + LIMIT;
                let begun = || mood == Mood::Silence || !ear.text().is_empty();
                while server.requests().is_empty() || !begun() {
                    assert!(Instant::now() < deadline, "{mood:?}");
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            } => {}
        }
        let cancelled = Instant::now();
        while server.dropped() == 0 {
            assert!(cancelled.elapsed() < Duration::from_millis(200), "{mood:?}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

#[tokio::test]
async fn after_a_cancel_the_same_agent_decides_again() {
    let server = Server::start(Mood::Normal);
    server.say(SAID);
    let (ear, request) = (Ear::new(request()), request());
    let mut agent = agent(&server.url(), &json!({}));
    drop(ask(agent.as_mut(), &request, &ear));
    assert_eq!(ask(agent.as_mut(), &request, &ear).await.unwrap().text, SAID);
}

#[tokio::test]
async fn a_limit_of_the_server_is_looked_at_before_sending() {
    let server = Server::start(Mood::Normal);
    let mut request = request();
    request[0].pieces.push(frame(2));
    let ear = Ear::new(request.clone());
    let error = ask(agent(&server.url(), &json!({"images_most": 1})).as_mut(), &request, &ear).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("holds 2 images and the server takes 1 (model.images_most); lower OM"), "{error}");
    let error = ask(agent(&server.url(), &json!({"side_most": 255})).as_mut(), &request, &ear).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("has 256x256 px and the server takes 255 a side (model.side_most)"), "{error}");
    assert!(server.requests().is_empty() && ear.news.lock().unwrap().is_empty());
}

const PROMPT: &str = "+++\nname = \"test\"\nsummary = \"a test\"\n+++\n## system\nSYSTEM {actions}\n## task\nTASK\n## cot\nTHINK\n## io\nFORMAT {steps_left}\n## turn\nTURN\n## placeholder\nimage not available.\n## retry\nAGAIN\n";

/// The request after this many steps.
fn composed(window: Window, past: u32) -> Vec<Message> {
    let prompt = Prompt::parse(PROMPT).unwrap();
    let space = ActionSpace::of(&[("Up", "")]);
    let seen = |step| {
        let Piece::Frame(_, picture) = frame(step) else { unreachable!() };
        Observation::told(vec![Part::Picture(picture)], "", Value::Null)
    };
    let past_steps: Vec<Past> = (1..=past)
        .map(|step| Past { seen: seen(step), output: Some(format!("out {step}").into()) })
        .collect();
    let brief =
        Brief { prompt: &prompt, setting: Setting::Online, form: &FORM, window, layout: Layout::default() };
    let now = Now { seen: &seen(past + 1), space: &space, unread: &[], steps_left: 9 };
    compose(&brief, &past_steps, &now).messages
}

#[tokio::test]
async fn one_image_too_many_is_never_sent() {
    let server = Server::start(Mood::Normal);
    let mut agent = agent(&server.url(), &json!({}));
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let due = composed(Window::new(am, om).unwrap(), past);
            let mut greedy = due.clone();
            greedy[1].pieces.push(frame(200));
            let ear = Ear::new(due);
            let error = ask(agent.as_mut(), &greedy, &ear).await.unwrap_err();
            assert!(matches!(&error, AgentError::Unproven(why) if why.contains("turn 2: ")), "{error}");
            assert!(ear.news.lock().unwrap().is_empty(), "nothing is told as sent");
        }
    }
    assert!(server.requests().is_empty(), "AM and OM in every cell");
}

#[tokio::test]
async fn every_cell_of_the_window_arrives_as_it_was_composed() {
    let server = Server::start(Mood::Normal);
    let mut agent = agent(&server.url(), &json!({"resolution": 0}));
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let due = composed(Window::new(am, om).unwrap(), past);
            ask(agent.as_mut(), &due, &Ear::new(due.clone())).await.unwrap();
            let body = server.requests().pop().unwrap();
            let outputs: Vec<String> =
                of_role(&body, "assistant").map(|turn| turn["content"].as_str().unwrap().into()).collect();
            let first = past.saturating_sub(u32::from(am)) + 1;
            assert_eq!(outputs, (first..=past).map(|step| format!("out {step}")).collect::<Vec<_>>());
            let kept = u32::from(om).min(past + 1);
            assert_eq!(
                shades(&body),
                (past + 2 - kept..=past + 1).collect::<Vec<_>>(),
                "AM={am} OM={om} t={past}"
            );
            assert_eq!(of_role(&body, "user").count(), outputs.len() + 1);
        }
    }
}

fn of_role<'a>(body: &'a Value, role: &'a str) -> impl Iterator<Item = &'a Value> {
    body["messages"].as_array().unwrap().iter().filter(move |turn| turn["role"] == role)
}

/// The steps whose frames are in the body: each frame is painted in the shade of its step.
fn shades(body: &Value) -> Vec<u32> {
    use base64::Engine;
    let parts = of_role(body, "user").flat_map(|turn| turn["content"].as_array().into_iter().flatten());
    let urls = parts.filter_map(|part| part.pointer("/image_url/url")?.as_str());
    urls.map(|url| {
        let data = url.strip_prefix("data:image/png;base64,").unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
        u32::from(image::load_from_memory(&bytes).unwrap().to_rgb8().as_raw()[0])
    })
    .collect()
}
