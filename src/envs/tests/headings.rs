//! No request has a heading without content, in any prompt of any environment.

use mageyard_dialog::{CurrentStep, PastStep, Prompt, Request, RequestLayout, RequestSpec, compose};
use mageyard_domain::{
    EnvironmentContext, EnvironmentSpec, Level, MessagePart, Options, Outcome, Recovery, Setting, Window,
};
use mageyard_envs::environments;

/// Every part that ends in a colon is followed by another one in its turn.
pub(crate) fn assert_no_empty_heading(request: &Request, what: &str) {
    for message in &request.messages {
        let followers = message.parts.iter().skip(1).map(Some).chain([None]);
        for (part, next) in message.parts.iter().zip(followers) {
            let MessagePart::Text(_, text) = part else { continue };
            let is_filled = next.is_some_and(|next| match next {
                MessagePart::Text(_, text) => !text.trim().is_empty(),
                MessagePart::Image(..) => true,
            });
            assert!(!text.trim_end().ends_with(':') || is_filled, "{what}: nothing after {text:?}");
        }
    }
}

/// The requests of the first step, of the second one and of a second attempt.
async fn check(spec: &dyn EnvironmentSpec, prompt: &Prompt, setting: Setting, window: Window) {
    let level: Level = spec.parse_levels(spec.level_sets()[0].text).unwrap().remove(0);
    let mut environment = spec.open(&level, &Options::new(), 7).unwrap();
    if environment.recovery() != Recovery::Replay {
        return;
    }
    let context = EnvironmentContext::default();
    let opening = environment.open(&context).await.unwrap();
    let action = opening.space.specs()[0].example();
    let Outcome { observation, space, .. } = environment.act(&action, &context).await.unwrap();
    let Some(reply_format) = spec.reply_format(setting) else { return };
    let request = RequestSpec {
        prompt,
        setting,
        reply_format: &reply_format,
        window,
        layout: RequestLayout::default(),
        counts_stable: true,
        left_out: None,
    };
    let what = format!("{} {} {setting} {window:?}", spec.name(), prompt.name);
    for (number, now) in [(1, &opening.observation), (2, &observation)] {
        for unreadable in [&[][..], &["no action".into()]] {
            let past = PastStep {
                rewarded: false,
                observation: opening.observation.clone(),
                output: Some("a reply".into()),
                skipped: false,
                problem: None,
                reflection: None,
            };
            let current = CurrentStep {
                problem: None,
                reflection: None,
                hint: None,
                number,
                observation: now,
                action_space: &space,
                unreadable_replies: unreadable,
                partial_reply: None,
                steps_left: 4,
            };
            let past: &[PastStep] = if number == 1 { &[] } else { &[past] };
            assert_no_empty_heading(&compose(&request, past, &current), &what);
        }
    }
}

#[tokio::test]
async fn no_request_has_a_heading_without_content() {
    for spec in environments() {
        for (_, text) in spec.prompts() {
            let prompt = Prompt::parse(text).unwrap();
            for setting in [Setting::Global, Setting::Online] {
                for (am, om) in [(0, 0), (1, 0), (1, 1), (5, 2)] {
                    if let Ok(window) = Window::new(am, om) {
                        check(*spec, &prompt, setting, window).await;
                    }
                }
            }
        }
    }
}
