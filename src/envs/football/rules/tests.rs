use super::*;
use crate::{EngineAction, FrameState, GameMode, MAX_PLAYERS, Owner, PlayerRole, Squad, Sticky, Team};

const STANDING: Squad = Squad {
    count: 2,
    positions: [[0.0; 2]; MAX_PLAYERS],
    movements: [[0.0; 2]; MAX_PLAYERS],
    roles: [PlayerRole::Gk; MAX_PLAYERS],
    tired: [0.0; MAX_PLAYERS],
};

/// The ball at x on the middle line, opponents at 0.5 and 1.0, the owner's index in the left team.
fn state(x: f64, owner: Option<usize>) -> FrameState {
    let mut left = STANDING;
    let mut right = STANDING;
    left.positions[1] = [x, 0.0];
    right.positions[0] = [1.0, 0.0];
    right.positions[1] = [0.5, 0.0];
    FrameState {
        ball: [x, 0.0, 0.11],
        ball_movement: [0.0; 3],
        ball_rotation: [0.0; 3],
        owner: owner.map(|player| Owner { team: Team::Left, player }),
        active: 1,
        mode: GameMode::Normal,
        score: [0; 2],
        sticky: Sticky::default(),
        left,
        right,
        steps_left: 400,
    }
}

fn lost(x: f64) -> FrameState {
    FrameState { owner: Some(Owner { team: Team::Right, player: 1 }), ..state(x, None) }
}

fn near(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 1e-9
}

#[test]
fn the_code_pays_only_a_new_best_place_and_the_paper_every_movement() {
    for (rules, back) in [(RewardRules::Coded, 0.0), (RewardRules::Printed, -1.6)] {
        let mut rewards = Rewards::new(rules);
        let mut advance = |x| rewards.frame(EngineAction::Right, &state(x, Some(1))).terms[0];
        assert!(near(advance(0.0), 0.0));
        assert!(near(advance(0.2), 3.2));
        assert!(near(advance(0.1), back));
    }
}

#[test]
fn the_first_frame_earns_nothing_and_its_button_goes_unnoticed() {
    let mut rewards = Rewards::new(RewardRules::Coded);
    assert_eq!(rewards.frame(EngineAction::ShortPass, &state(0.6, Some(0))).terms, [0.0; 6]);
    let received = rewards.frame(EngineAction::Right, &state(0.6, Some(1)));
    assert_eq!(received.terms[4], 0.0);
}

#[test]
fn an_opponent_passed_is_worth_an_eleventh_of_twenty() {
    let mut rewards = Rewards::new(RewardRules::Coded);
    rewards.frame(EngineAction::Right, &state(0.4, Some(1)));
    let reward = rewards.frame(EngineAction::Right, &state(0.6, Some(1)));
    assert!(near(reward.terms[1], 20.0 / 11.0) && near(reward.total(), 3.2 + 20.0 / 11.0));
    assert!(near(rewards.frame(EngineAction::Right, &state(0.4, Some(1))).terms[1], -20.0 / 11.0));
}

#[test]
fn a_late_loss_is_worth_more_than_an_early_one() {
    let loss = |frames: u32| {
        let mut rewards = Rewards::new(RewardRules::Coded);
        for _ in 1..frames {
            rewards.frame(EngineAction::Idle, &state(0.0, Some(1)));
        }
        let last = rewards.frame(EngineAction::Idle, &lost(0.0));
        assert_eq!(last.ending, Some(GameEnding::Possession));
        last.terms[3]
    };
    assert!(near(loss(2), 0.05) && near(loss(50), 2.45));
}

#[test]
fn only_the_paper_pays_for_the_limit_and_for_a_stoppage() {
    for (rules, limit, out) in [(RewardRules::Coded, 0.0, 0.0), (RewardRules::Printed, 20.0, 0.1)] {
        let mut rewards = Rewards::with_limit(rules, 3);
        let frames: [_; 3] = [0; 3].map(|_| rewards.frame(EngineAction::Idle, &state(0.0, Some(1))));
        assert_eq!(frames.map(|frame| frame.ending), [None, None, Some(GameEnding::Limit)]);
        assert!(near(frames[2].terms[3], limit));
        let mut rewards = Rewards::new(rules);
        rewards.frame(EngineAction::Idle, &state(0.0, Some(1)));
        let stopped = FrameState { mode: GameMode::ThrowIn, ..state(0.0, None) };
        let last = rewards.frame(EngineAction::Idle, &stopped);
        assert_eq!(last.ending, Some(GameEnding::Out(GameMode::ThrowIn)));
        assert!(near(last.terms[3], out));
    }
}

#[test]
fn a_goal_earns_forty_and_a_goal_against_nothing() {
    for (score, ending, reward) in [([1, 0], GameEnding::Goal, 40.0), ([0, 1], GameEnding::Conceded, 0.0)] {
        let mut rewards = Rewards::new(RewardRules::Coded);
        rewards.frame(EngineAction::Shot, &state(0.6, Some(1)));
        let frame = rewards.frame(EngineAction::Idle, &FrameState { score, ..state(0.0, None) });
        assert_eq!(frame.ending, Some(ending));
        assert!(near(frame.total(), reward));
    }
}

#[test]
fn each_received_pass_is_worth_a_quarter_less() {
    let mut rewards = Rewards::new(RewardRules::Coded);
    rewards.frame(EngineAction::Idle, &state(0.7, Some(0)));
    let mut pass = |to| {
        rewards.frame(EngineAction::ShortPass, &state(0.7, Some(1 - to)));
        rewards.frame(EngineAction::Idle, &state(0.7, None));
        rewards.frame(EngineAction::Idle, &state(0.7, Some(to))).terms[4]
    };
    // The keeper at 0.3 in front of the goal line counts eleven times.
    let first = 400.0 * 0.3 / 11.0;
    assert!(near(pass(1), first));
    assert!(near(pass(0), 0.75 * first));
}

#[test]
fn a_shot_is_paid_once_until_the_ball_leaves_the_foot_and_not_in_the_own_half() {
    let mut rewards = Rewards::new(RewardRules::Coded);
    let free = |x| {
        let mut state = state(x, Some(1));
        state.right.positions = [[-1.0, 0.4]; MAX_PLAYERS];
        state
    };
    rewards.frame(EngineAction::Idle, &free(0.8));
    let mut shot = |x| rewards.frame(EngineAction::Shot, &free(x)).terms[5];
    assert!(near(shot(0.8), 40.0 / 3.0));
    assert!(near(shot(0.8), 0.0));
    let mut rewards = Rewards::new(RewardRules::Coded);
    rewards.frame(EngineAction::Idle, &free(-0.2));
    assert!(near(rewards.frame(EngineAction::Shot, &free(-0.2)).terms[5], 0.0));
}

/// The executed actions of one decision in a state that never changes, and why it ended.
fn decision(skipping: &mut Skipping, action: EngineAction, state: &FrameState) -> (Vec<EngineAction>, Stop) {
    skipping.decide(action, state);
    let mut executed = Vec::new();
    loop {
        match skipping.next(state, executed.len() == 30) {
            Ok(action) => executed.push(action),
            Err(stop) => return (executed, stop),
        }
    }
}

#[test]
fn a_direction_is_repeated_when_it_equals_the_last_decision_but_the_first() {
    let mut skipping = Skipping::new(SkipRules::Coded);
    let clear = state(0.0, Some(1));
    let mut run = |action| decision(&mut skipping, action, &clear);
    let frames: [_; 4] = [EngineAction::Right; 4].map(|action| run(action).0.len());
    assert_eq!(frames, [1, 1, 10, 10]);
    assert_eq!(run(EngineAction::Left), (vec![EngineAction::Left], Stop::OneFrame));
    assert_eq!(run(EngineAction::Sprint).1, Stop::OneFrame);
    assert_eq!(run(EngineAction::Sprint).0.len(), 1);
}

#[test]
fn skipping_stops_at_the_edge_and_near_an_opponent() {
    for (x, stop) in [(1.0, Stop::Edge), (0.495, Stop::OpponentNear), (0.4, Stop::TenFrames)] {
        let mut skipping = Skipping::new(SkipRules::Coded);
        let state = state(x, Some(1));
        decision(&mut skipping, EngineAction::Right, &state);
        decision(&mut skipping, EngineAction::Right, &state);
        assert_eq!(decision(&mut skipping, EngineAction::Right, &state).1, stop, "{x}");
    }
}

#[test]
fn a_pass_presses_the_button_in_turn_with_the_last_direction_until_another_player_has_the_ball() {
    use EngineAction as A;
    let mut skipping = Skipping::new(SkipRules::Coded);
    let own = state(0.0, Some(1));
    let flying = state(0.1, None);
    let received = state(0.2, Some(0));
    decision(&mut skipping, A::Idle, &own);
    decision(&mut skipping, A::Top, &own);
    skipping.decide(A::HighPass, &own);
    let states = [&own, &own, &own, &flying, &flying, &received];
    let executed: Vec<_> = states.iter().map(|state| skipping.next(state, false)).collect();
    let expected = [A::HighPass, A::Top, A::HighPass, A::Top, A::BuiltinAi].map(Ok);
    assert_eq!((&executed[..5], executed[5]), (&expected[..], Err(Stop::BallOwned)));
}

#[test]
fn without_skipping_each_decision_takes_one_frame() {
    let mut skipping = Skipping::new(SkipRules::Off);
    let own = state(0.0, Some(1));
    for action in [EngineAction::Right, EngineAction::Right, EngineAction::Right, EngineAction::Shot] {
        assert_eq!(decision(&mut skipping, action, &own), (vec![action], Stop::OneFrame));
    }
}

#[test]
fn the_printed_rule_looks_at_the_last_frame_and_not_at_the_edge() {
    let mut skipping = Skipping::new(SkipRules::Printed);
    let edge = state(1.2, Some(1));
    decision(&mut skipping, EngineAction::Right, &edge);
    let (executed, stop) = decision(&mut skipping, EngineAction::Right, &edge);
    assert_eq!((executed.len(), stop), (10, Stop::TenFrames));
}
