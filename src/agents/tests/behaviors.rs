//! Each behavior of the server, with and without streaming, has exactly one outcome.

use std::time::{Duration, Instant};

use mageyard_dialog::{CurrentStep, PastStep, Prompt, RequestLayout, RequestSpec, compose};
use mageyard_domain::{
    ActionSpace, AgentError, AgentEvent, Message, MessagePart, Observation, ObservationPart, Reply, Setting,
    Usage, Window,
};
use serde_json::{Value, json};

use super::agent_fixture::{FORM, RecordingObserver, TIMEOUT, agent, ask, frame, request};
use crate::server::{Behavior, Server, ServerState};

const REPLY: &str = "# analyze\nfür → 🧙 ok\n\n# action\nUp\n";

struct Outcome {
    result: Result<Reply, AgentError>,
    observer: RecordingObserver,
    requests: usize,
}

/// Asks a server with this behavior once.
async fn ask_server(behavior: Behavior, settings: &Value) -> Outcome {
    let server = Server::start(behavior);
    for _ in 0..4 {
        server.queue_reply(REPLY);
    }
    let observer = RecordingObserver::new(request());
    let result = ask(agent(&server.url(), settings).as_mut(), &request(), &observer).await;
    Outcome { result, observer, requests: server.requests().len() }
}

#[tokio::test]
async fn valid_responses_are_read_in_every_shape() {
    for stream in [true, false] {
        for behavior in [
            Behavior::Normal,
            Behavior::Split,
            Behavior::KeepAlive,
            Behavior::Crlf,
            Behavior::NoUsage,
            Behavior::NoDone,
            Behavior::Parts,
            Behavior::Reasoning,
        ] {
            let outcome = ask_server(behavior, &json!({"stream": stream})).await;
            let reply = outcome.result.unwrap_or_else(|error| panic!("{behavior:?}: {error}"));
            assert_eq!(reply.text, REPLY, "{behavior:?} {stream}");
            assert_eq!(outcome.observer.text(), REPLY, "{behavior:?} {stream}");
            assert_eq!(reply.model.as_deref(), Some("mock-1"));
            let usage = (behavior != Behavior::NoUsage).then_some(Usage {
                input: 1200,
                output: 34,
                ..Usage::default()
            });
            assert_eq!(reply.usage, usage, "{behavior:?} {stream}");
            let thought = (behavior == Behavior::Reasoning).then_some("# action\nNowhere");
            assert_eq!(reply.reasoning.as_deref(), thought, "{behavior:?} {stream}");
            assert_eq!(outcome.requests, 1);
        }
    }
}

#[tokio::test]
async fn each_failure_has_its_own_error() {
    let any = [true, false];
    let cases: &[(Behavior, &[bool], usize, &str)] = &[
        (Behavior::Unauthorized, &any, 1, "the server returned error 401: Incorrect API key provided"),
        (Behavior::Unauthorized, &any, 1, "(OPENAI_API_KEY is not set)"),
        (
            Behavior::NoModel,
            &any,
            1,
            "returned error 404: The model \"mock\" does not exist (is there a model \"mock\" at http://127.0.0.1:",
        ),
        (Behavior::NoField, &any, 1, "\"max_completion_tokens\":4000}'"),
        (Behavior::Busy, &any, 2, "returned error 429: slow down"),
        (Behavior::BusyLong, &any, 1, "(the server asks to retry after 1 h)"),
        (
            Behavior::Down,
            &any,
            2,
            "returned error 503: loading the model (tried 2 times; model.max_retries allows no more)",
        ),
        (Behavior::Moved, &any, 1, "has moved to https://elsewhere.example/v1: change model.base_url"),
        (
            Behavior::EndsEarly,
            &[true],
            2,
            "the reply was interrupted after 20 characters: the server closed the connection",
        ),
        (
            Behavior::EndsEarly,
            &[false],
            2,
            "the reply was interrupted after 40 bytes: the server closed the connection",
        ),
        (
            Behavior::ConnectionLost,
            &[true],
            2,
            "the reply was interrupted after 20 characters: the connection broke (",
        ),
        (
            Behavior::ConnectionLost,
            &[false],
            2,
            "the reply was interrupted after 40 bytes: the connection broke (",
        ),
        (Behavior::ConnectionLost, &any, 2, "server's log (tried 2 times; model.max_retries allows no more)"),
        (Behavior::HtmlPage, &any, 1, "it is an HTML page: Welcome; check model.base_url"),
        (Behavior::Empty, &any, 1, "it has no choices"),
        (Behavior::Huge, &any, 1, "longer than 4 MiB"),
        (Behavior::ErrorMidStream, &any, 2, "reported an error 500 within the reply: out of memory"),
    ];
    for (behavior, streams, requests, says) in cases {
        for stream in *streams {
            let settings = json!({"stream": stream, "max_retries": 1, "rate_limit_wait": 0});
            let outcome = ask_server(*behavior, &settings).await;
            let error = outcome.result.expect_err("an error").to_string();
            assert!(error.contains(says), "{behavior:?} {stream}: {says:?} is not in {error}");
            assert_eq!(outcome.requests, *requests, "{behavior:?} {stream}");
        }
    }
}

#[tokio::test]
async fn a_failed_reply_is_given_with_what_was_received() {
    for stream in [true, false] {
        for (behavior, text, name, says) in [
            (
                Behavior::Tool,
                "",
                "tool_call",
                "the model called the tool \"click\", but no tools were offered",
            ),
            (Behavior::Refusal, "", "refused", "the model refused: I will not push crates."),
            (Behavior::Filter, REPLY, "filtered", "the server's content filter stopped the reply"),
            (Behavior::Length, REPLY, "cut", "truncated after 34 tokens, below model.max_tokens = 4000"),
        ] {
            let outcome = ask_server(behavior, &json!({"stream": stream})).await;
            let reply = outcome.result.unwrap_or_else(|error| panic!("{behavior:?}: {error}"));
            assert_eq!(
                (reply.text.as_str(), reply.ending.name()),
                (text, Some(name)),
                "{behavior:?} {stream}"
            );
            assert!(reply.ending.to_string().contains(says), "{}", reply.ending);
            assert!(reply.usage.is_some() && outcome.requests == 1, "{behavior:?} {stream}");
        }
    }
}

#[tokio::test]
async fn a_reply_cut_at_the_token_limit_names_the_setting() {
    let outcome = ask_server(Behavior::Length, &json!({"max_tokens": 34})).await;
    let ending = outcome.result.unwrap().ending.to_string();
    assert!(ending.contains("was truncated at 34 tokens, the limit set by model.max_tokens"), "{ending}");
}

#[tokio::test]
async fn a_single_failed_attempt_reports_no_attempt_count() {
    for (behavior, retries) in [(Behavior::Down, 0), (Behavior::NoModel, 2), (Behavior::BusyLong, 2)] {
        let error = ask_server(behavior, &json!({"max_retries": retries})).await.result.unwrap_err();
        assert!(!error.to_string().contains("tried"), "{error}");
    }
}

#[tokio::test]
async fn text_received_before_a_disconnect_is_reported() {
    for behavior in [Behavior::EndsEarly, Behavior::ConnectionLost, Behavior::ErrorMidStream] {
        let outcome = ask_server(behavior, &json!({"max_retries": 0})).await;
        let reported = outcome.observer.text();
        assert!(
            outcome.result.is_err() && reported.starts_with("# ana") && REPLY.starts_with(&reported),
            "{behavior:?}: {reported}"
        );
        assert_eq!(outcome.requests, 1, "max_retries = 0 allows no retry");
    }
}

#[tokio::test]
async fn a_temporary_error_is_retried_and_reported() {
    for (behavior, why, least, most) in [
        (Behavior::BusyAfter, "429: busy", 300, 300),
        (Behavior::Flaky, "500: oops (an HTML page)", 250, 500),
    ] {
        let began = Instant::now();
        let outcome = ask_server(behavior, &json!({})).await;
        assert_eq!(outcome.result.unwrap().text, REPLY);
        assert_eq!(outcome.requests, 2);
        assert!(began.elapsed() >= Duration::from_millis(least));
        let event = outcome.observer.events.lock().unwrap();
        let waits: Vec<_> =
            event.iter().filter(|event| matches!(event, AgentEvent::RetryScheduled { .. })).collect();
        let [AgentEvent::RetryScheduled { why: reported, milliseconds, attempt: 2, most: 3 }] =
            waits.as_slice()
        else {
            panic!("{waits:?}")
        };
        assert!(
            reported.contains(why) && (least..=most).contains(milliseconds),
            "{reported}, {milliseconds} ms"
        );
        let tries = outcome.observer.tries.lock().unwrap();
        assert!(
            matches!(&tries[..], [Some(AgentError::Api { .. }), None]),
            "each try is reported: {tries:?}"
        );
    }
}

#[tokio::test]
async fn a_silent_server_times_out() {
    for (behavior, begun) in [(Behavior::NeverAnswers, false), (Behavior::StallsMidway, true)] {
        let began = Instant::now();
        let outcome = ask_server(behavior, &json!({"timeout": 1, "max_retries": 0})).await;
        assert_eq!(outcome.result, Err(AgentError::Timeout { seconds: 1, begun }), "{behavior:?}");
        assert!((1..5).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
        assert_eq!(outcome.requests, 1);
    }
}

#[tokio::test]
async fn a_refused_connection_names_the_address() {
    let gone = Server::start(Behavior::Normal).url();
    let observer = RecordingObserver::new(request());
    let error =
        ask(agent(&gone, &json!({"max_retries": 0})).as_mut(), &request(), &observer).await.unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("the server cannot be reached: http://127.0.0.1:"), "{error}");
    assert!(error.contains("refused"), "{error}");
}

#[tokio::test]
async fn a_cancel_closes_the_connection_within_200_ms() {
    for behavior in [Behavior::NeverAnswers, Behavior::StallsMidway, Behavior::Normal] {
        let server = Server::with(ServerState::new(behavior, Duration::from_millis(20)));
        let observer = RecordingObserver::new(request());
        let request = request();
        let mut agent = agent(&server.url(), &json!({}));
        tokio::select! {
            _ = ask(agent.as_mut(), &request, &observer) => panic!("{behavior:?}: the answer came too early"),
            () = async {
                let deadline = Instant::now() + TIMEOUT;
                let begun = || behavior == Behavior::NeverAnswers || !observer.text().is_empty();
                while server.requests().is_empty() || !begun() {
                    assert!(Instant::now() < deadline, "{behavior:?}");
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            } => {}
        }
        let cancelled = Instant::now();
        while server.abandoned() == 0 {
            assert!(cancelled.elapsed() < Duration::from_millis(200), "{behavior:?}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

#[tokio::test]
async fn the_agent_can_decide_again_after_a_cancel() {
    let server = Server::start(Behavior::Normal);
    server.queue_reply(REPLY);
    let observer = RecordingObserver::new(request());
    let request = request();
    let mut agent = agent(&server.url(), &json!({}));
    drop(ask(agent.as_mut(), &request, &observer));
    assert_eq!(ask(agent.as_mut(), &request, &observer).await.unwrap().text, REPLY);
}

#[tokio::test]
async fn server_limits_are_checked_before_sending() {
    let server = Server::start(Behavior::Normal);
    let mut request = request();
    request[0].parts.push(frame(2));
    let observer = RecordingObserver::new(request.clone());
    let error = ask(agent(&server.url(), &json!({"images_most": 1})).as_mut(), &request, &observer).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("has 2 images and the server accepts 1 (model.images_most); lower OM"), "{error}");
    let error = ask(agent(&server.url(), &json!({"side_most": 255})).as_mut(), &request, &observer).await;
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("has 256x256 px and the server accepts 255 px per side (model.side_most)"),
        "{error}"
    );
    assert!(server.requests().is_empty() && observer.events.lock().unwrap().is_empty());
}

const PROMPT_FILE: &str = "+++\nname = \"test\"\nsummary = \"a test\"\n+++\n## system\nSYSTEM {actions}\n## task\nTASK\n## cot\nTHINK\n## io\nFORMAT {steps_left}\n## turn\nTURN\n## placeholder\nimage not available.\n## retry\nAGAIN\n";

/// The request after a number of steps.
fn composed(window: Window, past: u32) -> Vec<Message> {
    let prompt = Prompt::parse(PROMPT_FILE).unwrap();
    let space = ActionSpace::new(&[("Up", "")]);
    let seen = |step| {
        let MessagePart::Image(_, picture) = frame(step) else { unreachable!() };
        Observation::from_parts(vec![ObservationPart::Image(picture)], "", Value::Null)
    };
    let past_steps: Vec<PastStep> = (1..=past)
        .map(|step| PastStep {
            rewarded: false,
            skipped: false,
            problem: None,
            reflection: None,
            observation: seen(step),
            output: Some(format!("out {step}").into()),
        })
        .collect();
    let brief = RequestSpec {
        prompt: &prompt,
        setting: Setting::Online,
        reply_format: &FORM,
        window,
        layout: RequestLayout::default(),
        counts_stable: false,
        left_out: None,
    };
    let now = CurrentStep {
        problem: None,
        reflection: None,
        hint: None,
        number: past + 1,
        observation: &seen(past + 1),
        action_space: &space,
        unreadable_replies: &[],
        partial_reply: None,
        steps_left: 9,
    };
    compose(&brief, &past_steps, &now).messages
}

#[tokio::test]
async fn one_image_too_many_is_never_sent() {
    let server = Server::start(Behavior::Normal);
    let mut agent = agent(&server.url(), &json!({}));
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let due = composed(Window::new(am, om).unwrap(), past);
            let mut greedy = due.clone();
            greedy[1].parts.push(frame(200));
            let observer = RecordingObserver::new(due);
            let error = ask(agent.as_mut(), &greedy, &observer).await.unwrap_err();
            assert!(matches!(&error, AgentError::MemoryMismatch(why) if why.contains("turn 2: ")), "{error}");
            assert!(observer.events.lock().unwrap().is_empty(), "nothing is reported as sent");
        }
    }
    assert!(server.requests().is_empty(), "no request for an invalid window");
}

#[tokio::test]
async fn every_memory_window_arrives_as_composed() {
    let server = Server::start(Behavior::Normal);
    let mut agent = agent(&server.url(), &json!({"resolution": 0}));
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let due = composed(Window::new(am, om).unwrap(), past);
            ask(agent.as_mut(), &due, &RecordingObserver::new(due.clone())).await.unwrap();
            let body = server.requests().pop().unwrap();
            let outputs: Vec<String> = messages_with_role(&body, "assistant")
                .map(|turn| turn["content"].as_str().unwrap().into())
                .collect();
            let first = past.saturating_sub(u32::from(am)) + 1;
            assert_eq!(outputs, (first..=past).map(|step| format!("out {step}")).collect::<Vec<_>>());
            let kept = u32::from(om).min(past + 1);
            assert_eq!(
                sent_shades(&body),
                (past + 2 - kept..=past + 1).collect::<Vec<_>>(),
                "AM={am} OM={om} t={past}"
            );
            assert_eq!(messages_with_role(&body, "user").count(), outputs.len() + 1);
        }
    }
}

fn messages_with_role<'a>(body: &'a Value, role: &'a str) -> impl Iterator<Item = &'a Value> {
    body["messages"].as_array().unwrap().iter().filter(move |turn| turn["role"] == role)
}

/// The steps whose frames are in the body: each frame is filled with the number of its step.
fn sent_shades(body: &Value) -> Vec<u32> {
    use base64::Engine;
    let parts =
        messages_with_role(body, "user").flat_map(|turn| turn["content"].as_array().into_iter().flatten());
    let urls = parts.filter_map(|part| part.pointer("/image_url/url")?.as_str());
    urls.map(|url| {
        let data = url.strip_prefix("data:image/png;base64,").unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
        u32::from(image::load_from_memory(&bytes).unwrap().to_rgb8().as_raw()[0])
    })
    .collect()
}
