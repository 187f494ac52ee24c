//! Who deals with the ball: each team's leader, nearly always the man who can be at the ball first, and the
//! holder, the leader to whom the ball belongs. Both change only when somebody else is clearly better.

use crate::MAX_PLAYERS;

/// A player by team (left 0, right 1) and index.
pub(crate) type Place = (usize, usize);

/// What the choice needs to know of one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claims<'a> {
    /// Seconds in which each player can be at the ball, infinite for nobody.
    pub(crate) times: [&'a [f64]; 2],
    /// Who has the ball within reach and moving with him.
    pub(crate) possession: [[bool; MAX_PLAYERS]; 2],
    /// The player of the left team whom an agent moves at present.
    pub(crate) agent: Option<usize>,
    /// Who has the ball in his hands.
    pub(crate) hands: Option<Place>,
}

/// The leaders of both teams and the holder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaders {
    pub(crate) of: [usize; 2],
    /// The team to which the ball belongs, flying or not.
    pub(crate) team: usize,
    holder: Place,
}

impl Leaders {
    /// At the start: the men nearest to the ball.
    pub(crate) fn new(of: [usize; 2], team: usize) -> Self {
        Self { of, team, holder: (team, of[team]) }
    }

    /// To whom the ball belongs.
    pub(crate) fn holder(&self) -> Place {
        self.holder
    }

    /// A pass makes its receiver the leader of his team.
    pub(crate) fn select(&mut self, team: usize, player: usize) {
        self.of[team] = player;
    }

    /// Looks who is nearest to the ball now.
    pub(crate) fn update(&mut self, claims: &Claims<'_>) {
        for team in 0..2 {
            self.update_team(team, claims);
        }
        if let Some(hands) = claims.hands {
            self.give(hands);
            return;
        }
        let [left, right] = [0, 1].map(|team| first(claims.times[team]).1);
        if (left - right).abs() < f64::EPSILON {
            self.give((self.team, self.of[self.team]));
            return;
        }
        let team = usize::from(right < left);
        let candidate = (team, self.of[team]);
        let time = |(team, player): Place| claims.times[team].get(player).copied().unwrap_or(100.0);
        if (time(candidate) + 0.01) < 0.85 * (time(self.holder) + 0.01) {
            self.give(candidate);
        }
    }

    fn give(&mut self, holder: Place) {
        self.holder = holder;
        self.team = holder.0;
    }

    fn update_team(&mut self, team: usize, claims: &Claims<'_>) {
        let times = claims.times[team];
        let leader = self.of[team];
        let (best, time) = first(times);
        if best == leader {
            return;
        }
        let now = times.get(leader).copied().unwrap_or(100.0);
        let agent = |player| team == 0 && claims.agent == Some(player);
        let has = |player: usize| claims.possession[team][player];
        let mut rating = (time + 0.5) / (now + 0.5);
        rating *= if has(best) { 0.5 } else { 1.0 };
        rating *= if has(leader) { 2.0 } else { 1.0 };
        rating *= if agent(best) { 0.8 } else { 1.0 };
        rating *= if agent(leader) { 1.25 } else { 1.0 };
        if !agent(best) && now < first(claims.times[1 - team]).1 - 0.1 {
            rating = (rating + 0.2) * 1.2;
        }
        if rating < 0.8 {
            self.of[team] = best;
        }
    }
}

/// The player with the shortest time, and the time.
fn first(times: &[f64]) -> (usize, f64) {
    times
        .iter()
        .copied()
        .enumerate()
        .fold((0, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims<'a>(left: &'a [f64], right: &'a [f64]) -> Claims<'a> {
        Claims { times: [left, right], possession: [[false; MAX_PLAYERS]; 2], agent: None, hands: None }
    }

    #[test]
    fn a_leader_stays_until_another_is_clearly_nearer() {
        let mut leaders = Leaders::new([0, 0], 0);
        leaders.update(&claims(&[1.0, 0.95], &[5.0, 5.0]));
        assert_eq!(leaders.of[0], 0);
        leaders.update(&claims(&[1.0, 0.2], &[0.1, 5.0]));
        assert_eq!((leaders.of[0], leaders.holder()), (1, (1, 0)));
    }

    #[test]
    fn hands_hold_the_ball_whoever_is_near() {
        let mut leaders = Leaders::new([1, 1], 0);
        let claims = Claims { hands: Some((1, 0)), ..claims(&[1.0, 0.1], &[1.0, 0.2]) };
        leaders.update(&claims);
        assert_eq!(leaders.holder(), (1, 0));
    }
}
