//! Numbers on the screen: none is cut without a mark, at any size and in any pane.

use super::*;
use mageyard_domain::{Reference, Returns};

/// The numbers of a model, none of which is the beginning of another.
const LARGE: [&str; 7] = ["734512.25", "861934.58", "4938.75", "927163.57", "58214", "31847", "74629"];
const SMALL: [&str; 5] = ["59.53", "68.25", "0.37", "47.62", "21"];

/// The sample episode with these numbers: sum, best sum, reward, optimum, its steps and, if there are as many, the
/// number of the last step and the step limit.
fn model_with(numbers: &[&str]) -> Model {
    let number = |index: usize| numbers[index].parse::<f64>().unwrap();
    let mut snapshot = Snapshot::clone(&testing::detour_snapshot());
    let count = snapshot.steps.len();
    snapshot.smallest_loss = Some(number(2)).filter(|loss| *loss > 0.0);
    for index in 0..count {
        let step = std::sync::Arc::make_mut(snapshot.steps.get_mut(index).unwrap());
        step.returns = Returns { sum: number(0), best: number(1) };
        if let Some(effect) = &mut step.effect {
            effect.reward = -number(2);
        }
        if let Some(last) = numbers.get(5) {
            step.number = last.parse::<u32>().unwrap() + u32::try_from(index + 1).unwrap()
                - u32::try_from(count).unwrap();
        }
    }
    snapshot.reference = Some(Reference { best: number(3), steps: numbers[4].parse().unwrap() });
    snapshot.mixed = true;
    if let Some(limit) = numbers.get(6) {
        let head = Head { max_steps: limit.parse().unwrap(), ..Head::clone(&snapshot.head) };
        snapshot.head = head.into();
    }
    testing::with(testing::model_of(snapshot, 120, 40), |model| model.frame.shown_as = FrameView::Text)
}

/// The places where the text has the beginning of a number without the rest and without an ellipsis.
fn cut_numbers(text: &str, numbers: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for number in numbers {
        for (at, _) in text.match_indices(&number[..2]) {
            let rest = &text[at..];
            let same = rest.bytes().zip(number.bytes()).take_while(|(one, two)| one == two).count();
            let starts_here = !text[..at].ends_with(|c: char| c.is_ascii_digit() || c == '.');
            let next = rest[same..].chars().next().unwrap_or(' ');
            let is_other = next.is_ascii_digit() || (next == '.' && same < number.len() && same == 2);
            if starts_here && same < number.len() && same > 2 && !is_other && next != '…' {
                found.push(rest.chars().take(20).collect());
            }
        }
    }
    found
}

#[test]
fn a_number_is_never_cut_without_a_mark() {
    assert_eq!(cut_numbers("+59.5 │ 59.53", &["59.53"]), ["59.5 │ 59.53"]);
    assert!(cut_numbers("59.5… 59.53 159.5", &["59.53"]).is_empty());
    for numbers in [&LARGE[..], &SMALL[..]] {
        let base = model_with(numbers);
        for (width, height) in
            [(60, 16), (60, 80), (76, 24), (80, 24), (100, 50), (110, 30), (120, 40), (200, 60), (300, 20)]
        {
            for pane in Pane::ALL {
                for (zoomed, cursor) in [(false, None), (true, None), (false, Some(11))] {
                    let mut model = testing::with(base.clone(), |model| {
                        model.panes.focus = pane;
                        model.panes.tab = pane;
                        model.panes.zoomed = zoomed;
                    });
                    model.size = Size::new(width, height);
                    model.episodes[0].cursor = cursor;
                    let text = screen_text(&model);
                    assert_eq!(
                        cut_numbers(&text, numbers),
                        Vec::<String>::new(),
                        "{width}x{height} {pane:?}\n{text}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_score_pane_shows_every_number_in_full() {
    for (width, height) in [(60, 16), (80, 24), (110, 30), (120, 40)] {
        let mut model = testing::with(model_with(&LARGE), |model| {
            model.panes.focus = Pane::Score;
            model.panes.tab = Pane::Score;
        });
        model.size = Size::new(width, height);
        let text = screen_text(&model);
        for number in &LARGE[..5] {
            assert!(text.contains(number), "{number} at {width}x{height}\n{text}");
        }
        assert!(text.contains("mixed: a person"), "{text}");
    }
}

/// The value and the unit beside a name in the score pane.
fn score_line(model: &Model, name: &str) -> Option<String> {
    let lines: Vec<String> = crate::panes::score_lines(model).iter().map(ToString::to_string).collect();
    lines.into_iter().find_map(|line| line.strip_prefix(name).map(|rest| rest.trim().to_owned()))
}

#[test]
fn there_is_no_score_before_anything_happened() {
    let begun = crate::testing::ScriptedEpisode::new("oracle", mageyard_domain::Setting::Online, (3, 2));
    let model = testing::model_of(begun.snapshot(), 120, 40);
    assert_eq!(score_line(&model, "score").as_deref(), Some("–"));
    assert!(!screen_text(&model).contains("of 100"), "{}", screen_text(&model));
    let model = testing::model_of(begun.step("Up", -0.5, true).snapshot(), 120, 40);
    assert_eq!(score_line(&model, "score").as_deref(), Some("42.5 of 100"));
}

#[test]
fn after_an_edited_state_no_moves_are_extra() {
    let mut snapshot = testing::detour_snapshot();
    let model = testing::model_of(snapshot.clone(), 120, 40);
    let at = |model: &Model, index| {
        let mut model = model.clone();
        model.episodes[0].cursor = Some(index);
        score_line(&model, "extra moves")
    };
    assert_eq!(at(&model, 5).as_deref(), Some("5 so far"));
    std::sync::Arc::make_mut(snapshot.steps.get_mut(4).unwrap()).state_set = Some("#@#".into());
    let model = testing::model_of(snapshot, 120, 40);
    assert_eq!(at(&model, 3).as_deref(), Some("3 so far"), "before it they are");
    assert_eq!((at(&model, 4), at(&model, 5), at(&model, 13)), (None, None, None));
    assert!(score_line(&model, "dead since").is_some());
}
