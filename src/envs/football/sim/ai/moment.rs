//! What the AI of one team works with, in the team's own frame: metres with the origin at the centre, the team
//! attacks towards positive x, its left is positive y.

use crate::sim::vector::Vec2;
use crate::{MAX_PLAYERS, PlayerRole};

/// Samples of the ball's forecast: one each 0.1 s for 3 s.
pub(crate) const FORECAST: usize = 31;

/// A player as he is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Man {
    pub(crate) place: Vec2,
    /// Metres per second.
    pub(crate) velocity: Vec2,
    /// Unit vector: where he faces.
    pub(crate) heading: Vec2,
    pub(crate) role: PlayerRole,
    /// Highest speed, metres per second.
    pub(crate) max_speed: f64,
    /// 1 fresh, 0 exhausted.
    pub(crate) freshness: f64,
    /// Seconds until he can be at the ball.
    pub(crate) time_to_ball: f64,
    /// The ball is within his reach and moves with him.
    pub(crate) possession: bool,
    /// Seconds that he has had it.
    pub(crate) held: f64,
    /// Ability of short passes, difficulty and tiredness included.
    pub(crate) passing: f64,
    /// Ability of shots.
    pub(crate) shooting: f64,
    /// Seconds since he touched the ball.
    pub(crate) since_touch: f64,
}

impl Man {
    /// A player who stands at the centre; the arrays of a [`Moment`] begin with these.
    pub(crate) const NONE: Self = Self {
        place: Vec2::ZERO,
        velocity: Vec2::ZERO,
        heading: Vec2::new(1.0, 0.0),
        role: PlayerRole::Cm,
        max_speed: 8.0,
        freshness: 1.0,
        time_to_ball: 100.0,
        possession: false,
        held: 0.0,
        passing: 0.5,
        shooting: 0.5,
        since_touch: 100.0,
    };

    /// Where he is in this many seconds if he runs on.
    pub(super) fn ahead(&self, seconds: f64) -> Vec2 {
        self.place + self.velocity * seconds
    }
}

/// Where the ball will be, with the height of its centre.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spot {
    pub(crate) place: Vec2,
    pub(crate) height: f64,
}

/// A player of either team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Mate(usize),
    Rival(usize),
}

/// The game as it is, for one team; what the team *sees* of it is made by the memory.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Ticks since the start.
    pub(crate) tick: u32,
    /// Ability factor of the team, 0 to 1.
    pub(crate) difficulty: f64,
    pub(crate) mates: [Man; MAX_PLAYERS],
    pub(crate) mate_count: usize,
    pub(crate) rivals: [Man; MAX_PLAYERS],
    pub(crate) rival_count: usize,
    /// The ball's path from now on, in steps of 0.1 s.
    pub(crate) path: [Spot; FORECAST],
    /// Metres per second.
    pub(crate) ball_velocity: Vec2,
    /// The mate who deals with the ball: nearly always the one who can be at it first.
    pub(crate) leader: usize,
    /// The same of the other team.
    pub(crate) rival_leader: usize,
    /// Whom the ball belongs to, flying or not: one of the two leaders.
    pub(crate) holder: Who,
    /// Whose hands hold the ball.
    pub(crate) hands: Option<Who>,
    /// The side that counts where both are equal: 1, or −1 in a game mirrored at the long axis.
    pub(crate) hand: f64,
    /// Seconds until the first mate, and the first rival, can be at the ball.
    pub(crate) times: [f64; 2],
    /// An agent plays in this team: mates whom he does not control only trap the ball.
    pub(crate) has_agent: bool,
    /// The controlled player while the agent leaves him to the AI: he plays like a team without an agent.
    pub(crate) released: Option<usize>,
    /// The mates were the last to touch the ball.
    pub(crate) touched_last: bool,
}

impl Moment {
    pub(super) fn mates(&self) -> &[Man] {
        &self.mates[..self.mate_count]
    }

    pub(super) fn rivals(&self) -> &[Man] {
        &self.rivals[..self.rival_count]
    }

    /// Some rival has the ball at his feet.
    pub(super) fn rivals_have_it(&self) -> bool {
        self.rivals().iter().any(|man| man.possession)
    }

    /// A mate can be at the ball before every rival.
    pub(super) fn first_at_ball(&self) -> bool {
        self.times[0] < self.times[1]
    }

    /// The player whom the ball belongs to.
    pub(super) fn holder(&self) -> &Man {
        match self.holder {
            Who::Mate(index) => &self.mates[index],
            Who::Rival(index) => &self.rivals[index],
        }
    }

    /// The ball's place after this many seconds, between the samples.
    pub(super) fn ball_at(&self, seconds: f64) -> Spot {
        along(&self.path, seconds)
    }

    /// Indices of the mates nearest to a place, nearest first; at most `N`, padded with the last.
    pub(super) fn nearest_mates<const N: usize>(&self, place: Vec2) -> Nearest<N> {
        Nearest::of(self.mates(), place)
    }

    /// Indices of the rivals nearest to a place, nearest first.
    pub(super) fn nearest_rivals<const N: usize>(&self, place: Vec2) -> Nearest<N> {
        Nearest::of(self.rivals(), place)
    }
}

/// The place on a sampled path.
pub(super) fn along(path: &[Spot; FORECAST], seconds: f64) -> Spot {
    let steps = (seconds * 10.0).clamp(0.0, 29.999);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 29")]
    let index = steps as usize;
    #[allow(clippy::cast_precision_loss, reason = "at most 29")]
    let rest = steps - index as f64;
    let from = path[index];
    let to = path[index + 1];
    Spot { place: from.place.mix(to.place, rest), height: from.height + (to.height - from.height) * rest }
}

/// The `N` players nearest to a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest<const N: usize> {
    found: [(f64, usize); N],
    count: usize,
}

impl<const N: usize> Nearest<N> {
    fn of(men: &[Man], place: Vec2) -> Self {
        let mut nearest = Self { found: [(f64::INFINITY, 0); N], count: 0 };
        for (index, man) in men.iter().enumerate() {
            nearest.insert(man.place.distance(place), index);
        }
        nearest
    }

    fn insert(&mut self, distance: f64, index: usize) {
        let at = self.found[..self.count].iter().position(|found| distance < found.0).unwrap_or(self.count);
        if at == N {
            return;
        }
        self.count = (self.count + 1).min(N);
        self.found[at..self.count].rotate_right(1);
        self.found[at] = (distance, index);
    }

    /// Their indices, nearest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.found[..self.count].iter().map(|found| found.1)
    }

    /// Whether this player is among them.
    pub(super) fn has(&self, index: usize) -> bool {
        self.iter().any(|found| found == index)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A moment with players at these places, the first of each team the keeper, and the ball at the second mate.
    pub(in super::super) fn moment(mates: &[(f64, f64)], rivals: &[(f64, f64)]) -> Moment {
        let men = |places: &[(f64, f64)]| {
            let mut men = [Man::NONE; MAX_PLAYERS];
            for (man, (x, y)) in men.iter_mut().zip(places) {
                man.place = Vec2::new(*x, *y);
            }
            men[0].role = PlayerRole::Gk;
            men
        };
        let ball = Spot { place: Vec2::new(mates[1].0, mates[1].1), height: 0.11 };
        Moment {
            tick: 0,
            difficulty: 1.0,
            mates: men(mates),
            mate_count: mates.len(),
            rivals: men(rivals),
            rival_count: rivals.len(),
            path: [ball; FORECAST],
            ball_velocity: Vec2::ZERO,
            leader: 1,
            rival_leader: 1,
            holder: Who::Mate(1),
            hands: None,
            hand: 1.0,
            times: [0.0, 1.0],
            has_agent: false,
            released: None,
            touched_last: true,
        }
    }

    #[test]
    fn the_nearest_come_first_and_no_more_than_wanted() {
        let men = [5.0, 1.0, 3.0, 2.0].map(|x| Man { place: Vec2::new(x, 0.0), ..Man::NONE });
        let nearest = Nearest::<3>::of(&men, Vec2::ZERO);
        assert_eq!(nearest.iter().collect::<Vec<_>>(), [1, 3, 2]);
        assert!(nearest.has(2) && !nearest.has(0));
        assert_eq!(Nearest::<3>::of(&men[..2], Vec2::ZERO).iter().collect::<Vec<_>>(), [1, 0]);
    }
}
