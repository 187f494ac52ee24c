//! Our rules compared with steps recorded from gym-sokoban.

use mageyard_domain::{Action, Level, Options, Status, World as _};
use serde_json::{Value, json};

use super::tests::{rooms, unpacked};
use crate::Room;

/// gym's room digits as XSB. Targets show only where nothing covers them, so they are taken from the start
/// board.
fn board_text(digits: &str, start: &str) -> String {
    let rows = digits.split('/').zip(start.lines()).map(|(row, ground)| {
        let squares = row.chars().zip(ground.chars().chain(std::iter::repeat(' '))).map(|(state, ground)| {
            let home = matches!(ground, '.' | '*' | '+');
            match (state, home) {
                ('0', _) => '#',
                ('1', _) => ' ',
                ('2', _) => '.',
                ('3', _) => '*',
                ('4', _) => '$',
                ('5', true) => '+',
                _ => '@',
            }
        });
        squares.collect::<String>().trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn our_rules_match_gym_step_by_step() {
    let levels = rooms();
    let mut steps = 0;
    let mut won = 0;
    let mut limits = 0;
    let mut homes = 0;
    let mut paid = 0;
    for line in String::from_utf8(unpacked("traces.jsonl.gz")).unwrap().lines() {
        let trace: Value = serde_json::from_str(line).unwrap();
        let named = |level: &&Level| level.title.as_deref().is_some_and(|title| trace["level"] == title);
        let level = levels.iter().find(named).unwrap();
        let title = level.title.as_deref().unwrap();
        let text = level.text();
        let mut room = Room::new(level, &Options::new()).unwrap();
        assert_eq!(&board_text(trace["start"].as_str().unwrap(), text), text);
        let at = |part: &str, step: usize| trace[part][step].clone();
        for (step, action) in trace["actions"].as_array().unwrap().iter().enumerate() {
            let place = format!("{title}, step {}", step + 1);
            if room.status() == Status::Won {
                // Our episode has ended. gym reports done and the reward again while all boxes stay on targets.
                if at("rooms", step).as_str().unwrap().contains('4') {
                    break;
                }
                paid += 1;
                assert_eq!(at("dones", step), json!(true), "{place}");
                assert!((at("rewards", step).as_f64().unwrap() - 9.9).abs() < 1e-9, "{place}");
                continue;
            }
            let name =
                ["Up", "Down", "Left", "Right"][usize::try_from(action.as_u64().unwrap()).unwrap() - 1];
            let (reward, _) = room.step(&Action::plain(name)).unwrap();
            let seen = room.observe();
            let facts = seen.facts();
            assert_eq!(facts["board"], board_text(at("rooms", step).as_str().unwrap(), text), "{place}");
            assert!((reward - 5.0 * at("rewards", step).as_f64().unwrap()).abs() < 1e-9, "{place}: {reward}");
            let limit = trace["limit"].as_u64() == Some(step as u64 + 1);
            let is_won = room.status() == Status::Won;
            assert_eq!(at("dones", step), json!(is_won || limit), "{place}");
            steps += 1;
            won += usize::from(is_won);
            limits += usize::from(limit);
            homes += usize::from(reward.abs() > 1.0);
        }
    }
    let counts = [steps > 700, won >= 4, limits >= 1, homes > 15, paid >= 2];
    assert!(counts.iter().all(|enough| *enough), "{steps} {won} {limits} {homes} {paid}");
}
