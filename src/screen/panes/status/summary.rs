//! What is played, in one line: the level, the agent, the next request, and the tokens so far.

use ratatui::text::Span;

use super::super::memory::{next_request, shown_request};
use crate::model::{EpisodeView, Model};
use mageyard_domain::{Cost, TokenTotals};
use mageyard_engine::Snapshot;
use mageyard_terminal::{count_of, truncate};

/// The most columns of a part of the summary that is not shortened.
const ANY: u16 = u16::MAX;

/// How far level, agent, prompt and engine are shortened, in this order: the segments of the level, and the most columns
/// of level, agent, prompt and engine.
const SHORTENED: [(usize, [u16; 4]); 8] = [
    (2, [ANY; 4]),
    (2, [ANY, 24, ANY, ANY]),
    (1, [ANY, 24, ANY, ANY]),
    (1, [ANY, 24, ANY, 6]),
    (1, [24, 16, 12, 6]),
    (1, [16, 12, 8, 1]),
    (1, [12, 8, 6, 1]),
    (1, [8, 6, 6, 1]),
];

/// The most columns of a level that is shown in full.
const LONG_LEVEL: usize = 32;

/// The most columns of the name of an engine, where the environment has several.
const LONGEST_ENGINE: u16 = 24;

/// `hanoi/first/7 · gpt-4o · Online · 0s-CoT · AM 5 OM 1 · 1 image · 12.3k tokens · 0.0123 USD` in at most `room`
/// columns. Where that does not fit, an unknown cost is left out first, then cost and tokens, and then level, agent
/// and prompt are shortened; an ellipsis marks what is missing.
pub(in crate::panes) fn summary(model: &Model, viewed: &EpisodeView, room: u16) -> String {
    let head = &viewed.snapshot.head;
    // Sanitized first, since control characters take more columns when they are made visible.
    let level = truncate(&head.reference, u16::MAX);
    let level = if level.chars().count() > LONG_LEVEL { last_segments(&level, 2) } else { level };
    let agent = &seated(&viewed.snapshot);
    let prompt = if viewed.snapshot.requests.prompts.is_empty() { "" } else { viewed.prompt() };
    let engine = truncate(head.engine.as_deref().unwrap_or_default(), LONGEST_ENGINE);
    let branch = viewed.branch_name();
    let setting = head.setting.to_string();
    let memory = window_and_images(viewed);
    let joined = |level: &str, agent: &str, prompt: &str, engine: &str| {
        let parts = [level, branch, agent, engine, &setting, prompt, &memory];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let full = joined(&level, agent, prompt, &engine);
    let usage = with_asks(usage(model, viewed), asked(model, viewed));
    let mark = if usage.is_empty() { "" } else { " · …" };
    let mut texts: Vec<String> = usage.iter().map(|usage| format!("{full} · {usage}")).collect();
    if texts.is_empty() {
        texts.push(full.clone());
    }
    texts.push(format!("{full}{mark}"));
    texts.extend(SHORTENED.into_iter().flat_map(|(segments, widths)| {
        let parts = [&last_segments(&level, segments), agent, prompt, &engine];
        let [level, agent, prompt, engine] = std::array::from_fn(|part| truncate(parts[part], widths[part]));
        let text = joined(&level, &agent, &prompt, &engine);
        [format!("{text}{mark}"), text]
    }));
    let fits = |text: &&String| Span::raw(text.as_str()).width() <= usize::from(room);
    let shortest = || truncate(texts.last().map_or("", String::as_str), room);
    texts.iter().find(fits).cloned().unwrap_or_else(shortest)
}

/// Who decides next, and for how many steps if the seat was given only for some.
fn seated(snapshot: &Snapshot) -> String {
    let agent = snapshot.agent().display_name();
    match snapshot.seat_steps_left() {
        Some(left) => format!("{agent} ({})", count_of(usize::try_from(left).unwrap_or(usize::MAX), "step")),
        None => agent.to_owned(),
    }
}

/// The last segments of a level, after `…/` for those left out.
fn last_segments(level: &str, count: usize) -> String {
    let starts: Vec<usize> = level.match_indices('/').map(|(at, _)| at).collect();
    match starts.len().checked_sub(count).and_then(|at| starts.get(at)) {
        Some(at) if *at > 1 => format!("…{}", &level[*at..]),
        _ => level.to_owned(),
    }
}

/// The tokens of the episode and their cost, such as `12.3k tokens · 0.0123 USD + 2 unknown`, and a shorter text. Empty
/// if there was no request.
fn usage(model: &Model, viewed: &EpisodeView) -> Vec<String> {
    let spent = viewed.snapshot.spent;
    if spent.requests == 0 {
        return Vec::new();
    }
    if spent.is_unknown() {
        let tokens = format!("tokens unknown{}", spent.estimate_text());
        return vec![format!("{tokens} · cost unknown"), tokens];
    }
    let tokens = tokens_text(spent.total_tokens());
    let with_unknown = format!("{tokens}{}", spent.unknown_text());
    match model.appearance.prices.episode_cost(viewed.snapshot.head.model(), spent, &viewed.snapshot.models) {
        cost @ Cost::Known { .. } => {
            let tokens = if spent.estimated.is_some() { &with_unknown } else { &tokens };
            vec![format!("{tokens} · {cost}"), format!("{with_unknown} · …")]
        }
        Cost::Unknown | Cost::NoRequests => vec![format!("{with_unknown} · cost unknown"), with_unknown],
    }
}

/// `9500 tokens` or `12.3k tokens`.
fn tokens_text(tokens: u64) -> String {
    match tokens {
        0..10_000 => count_of(usize::try_from(tokens).unwrap_or_default(), "token"),
        _ => format!("{}.{}k tokens", tokens / 1000, tokens % 1000 / 100),
    }
}

/// The tokens of the asks at the episode with their cost, such as `asks 4500 tokens · 0.0210 USD`, and the tokens alone.
/// Empty if nothing was asked.
fn asked(model: &Model, viewed: &EpisodeView) -> Vec<String> {
    let of_models = &viewed.ask_spending;
    let spent = of_models.iter().fold(TokenTotals::default(), |sum, of| sum.plus(of.spent));
    if spent.requests == 0 {
        return Vec::new();
    }
    let tokens = format!("asks {}{}", tokens_text(spent.total_tokens()), spent.unknown_text());
    match model.appearance.prices.episode_cost(None, spent, of_models) {
        cost @ Cost::Known { .. } => vec![format!("{tokens} · {cost}"), tokens],
        Cost::Unknown | Cost::NoRequests => vec![tokens],
    }
}

/// What the episode took and what its asks took, the longest text first.
fn with_asks(usage: Vec<String>, asked: Vec<String>) -> Vec<String> {
    let (Some(first), Some(last)) = (asked.first(), asked.last()) else { return usage };
    let (Some(full), Some(short)) = (usage.first(), usage.last()) else { return asked };
    vec![format!("{full} · {first}"), format!("{short} · {last}"), short.clone()]
}

/// The window and the images of the next request; once there is none, of the one that is looked at.
fn window_and_images(viewed: &EpisodeView) -> String {
    let request = next_request(viewed).or_else(|| shown_request(viewed));
    let window = request.as_ref().map_or(viewed.window(), |request| request.window);
    let images = request.map_or(0, |request| request.ledger.images());
    format!("AM {} OM {} · {}", window.am(), window.om(), count_of(images, "image"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing;
    use mageyard_domain::{ModelTotals, RequestOutcome, Usage};

    #[test]
    fn a_level_is_shortened_to_its_last_segments() {
        for (count, short) in [(3, "sokoban/mini/7"), (2, "…/mini/7"), (1, "…/7")] {
            assert_eq!(last_segments("sokoban/mini/7", count), short);
        }
        assert_eq!(last_segments("hall.xsb", 1), "hall.xsb");
    }

    #[test]
    fn the_unknown_cost_is_left_out_first_and_the_model_is_always_named() {
        let model = testing::model_agent("meta/Llama-3.2-90B-Vision-Instruct");
        let viewed = model.episode().unwrap();
        for (room, text) in [
            (
                130,
                "sokoban/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · 1500 tokens · cost unknown",
            ),
            (
                115,
                "sokoban/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · 1500 tokens",
            ),
            (
                100,
                "sokoban/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · …",
            ),
            (90, "…/mini/7 · meta/Llama-3.2-90B-Vision-Instruct · Online · plain · AM 3 OM 2 · 2 images · …"),
            (80, "…/mini/7 · meta/Llama-3.2-90B-Visi… · Online · plain · AM 3 OM 2 · 2 images · …"),
            (58, "…/7 · meta/Llama-… · Online · plain · AM 3 OM 2 · 2 images"),
        ] {
            assert_eq!(summary(&model, viewed, room), text, "{room}");
        }
    }

    #[test]
    fn a_branch_is_named_after_its_level() {
        let branch = testing::branch_model("/s/0001/b12/journal.jsonl");
        let text = summary(&branch, branch.episode().unwrap(), 120);
        assert!(text.contains("/7 · b12 · m · "), "{text}");
        let episode = testing::model_agent("m");
        let text = summary(&episode, episode.episode().unwrap(), 120);
        assert!(text.contains("/7 · m · "), "{text}");
    }

    #[test]
    fn the_name_of_an_engine_is_shortened_before_numbers_are_cut() {
        let mut model = testing::model(60, 16);
        let snapshot = Arc::make_mut(&mut model.episodes[0].snapshot);
        let mut head = mageyard_engine::Head::clone(&snapshot.head);
        head.engine = Some("football/lite".into());
        snapshot.head = Arc::new(head);
        let text = summary(&model, model.episode().unwrap(), 58);
        assert_eq!(text, "…/7 · oracle · footb… · Online · AM 3 OM 2 · 2 images");
    }

    #[test]
    fn what_asks_took_stands_beside_what_the_episode_took() {
        let mut model = testing::model_agent("m");
        assert_eq!(asked(&model, model.episode().unwrap()), Vec::<String>::new());
        let usage_of = Usage { input: 20_000, output: 345, ..Usage::default() };
        let spent = TokenTotals::of(RequestOutcome::Replied, Some(usage_of));
        model.episodes[0].ask_spending = Arc::new(vec![ModelTotals { model: Some("m".into()), spent }]);
        let viewed = model.episode().unwrap();
        assert_eq!(asked(&model, viewed), ["asks 20.3k tokens"]);
        let texts = with_asks(usage(&model, viewed), asked(&model, viewed));
        assert_eq!(texts[0], "1500 tokens · cost unknown · asks 20.3k tokens");
        assert_eq!(with_asks(Vec::new(), asked(&model, viewed)), ["asks 20.3k tokens"]);
    }

    #[test]
    fn estimated_tokens_are_marked() {
        let mut model = testing::model_agent("m");
        let mut snapshot = Snapshot::clone(&model.episodes[0].snapshot);
        let lost = TokenTotals::of(RequestOutcome::Lost, None);
        snapshot.spent = snapshot.spent.plus(TokenTotals {
            estimated: Some(Usage { input: 2500, output: 100, ..Usage::default() }),
            ..lost
        });
        model.episodes[0].snapshot = Arc::new(snapshot);
        let texts = usage(&model, model.episode().unwrap());
        assert_eq!(texts[0], "1500 tokens + 1 unknown (~2600, estimate) · cost unknown");
        let snapshot = Arc::make_mut(&mut model.episodes[0].snapshot);
        snapshot.spent = TokenTotals { estimated: snapshot.spent.estimated, ..lost };
        let texts = usage(&model, model.episode().unwrap());
        assert_eq!(texts[1], "tokens unknown (~2600, estimate)");
    }
}
