//! What a team remembers from decision to decision: the recent past of the ball and of the rivals (which gives
//! averages and the delay with which it sees), who fills which slot, who marks whom, runs, and its mood.

use super::moment::{FORECAST, Man, Moment, Spot, Who};
use super::slots::Slots;
use crate::sim::vector::Vec2;
use crate::{MAX_PLAYERS, PlayerRole};

/// Frames of the ball's past: 4 s.
const BALL_PAST: usize = 40;
/// Frames of the moods' past: 6 s.
const MOOD_PAST: usize = 60;
/// Seconds of the past over which a player's average speed counts.
const PACE_PAST: usize = 10;
/// Snapshots of the rivals, one a frame.
const SNAPSHOTS: usize = 3;
/// A snapshot deviates from the truth by at most this many metres, and metres per second.
const MOST_OFF: f64 = 2.5;
const MOST_MOVED_OFF: f64 = 5.0;
/// The mood moves towards the present situation by this share each frame: 1 − 0.995^10.
const MOOD_SHARE: f64 = 0.048_89;

/// The memory of one team, in its own frame. Rings are stored in single precision to keep a game small.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AiMemory {
    pub(super) slots: Slots,
    /// The slot that each player fills at present.
    pub(super) slot_of: [u8; MAX_PLAYERS],
    /// The rival whom each player marks.
    pub(super) marks: [Option<u8>; MAX_PLAYERS],
    /// Who makes a run, and until which tick.
    pub(super) run: Option<(u8, u32)>,
    /// The mate who offers himself ahead of the carrier.
    pub(super) supporter: Option<u8>,
    /// Whose ball it is felt to be: 0.5 theirs, 1.5 ours.
    pub(super) mood: f64,
    rival_mood: f64,
    moods: Ring<f32, MOOD_PAST>,
    ball: Ring<[f32; 2], BALL_PAST>,
    snapshots: Ring<Snapshot, SNAPSHOTS>,
    /// Frames that each mate has had the ball.
    held: [u16; MAX_PLAYERS],
    pace: [[f32; PACE_PAST]; MAX_PLAYERS],
    pace_from: [[f32; 2]; MAX_PLAYERS],
    seconds: u32,
    decisions: u32,
}

/// The rivals and the ball's path at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Snapshot {
    rivals: [[f32; 4]; MAX_PLAYERS],
    path: [[f32; 3]; FORECAST],
}

/// A ring of the newest `N` values.
#[derive(Clone, Debug, PartialEq)]
struct Ring<T, const N: usize> {
    values: [T; N],
    count: usize,
    next: usize,
}

impl<T: Copy, const N: usize> Ring<T, N> {
    const fn filled_with(value: T) -> Self {
        Self { values: [value; N], count: 0, next: 0 }
    }

    fn push(&mut self, value: T) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % N;
        self.count = (self.count + 1).min(N);
    }

    /// The value this many pushes ago, or the oldest.
    fn ago(&self, pushes: usize) -> &T {
        let back = pushes.min(self.count.saturating_sub(1)) + 1;
        &self.values[(self.next + N - back) % N]
    }
}

impl AiMemory {
    /// At the start; one of the teams begins in the mood of possession.
    pub(crate) fn new(count: usize, begins: bool) -> Self {
        let mut slot_of = [0; MAX_PLAYERS];
        for (index, slot) in (0_u8..).zip(slot_of.iter_mut()) {
            *slot = index;
        }
        let mood = if begins { 1.5 } else { 0.5 };
        Self {
            slots: Slots::of(count),
            slot_of,
            marks: [None; MAX_PLAYERS],
            run: None,
            supporter: None,
            mood,
            rival_mood: 2.0 - mood,
            moods: Ring::filled_with(0.0),
            ball: Ring::filled_with([0.0; 2]),
            snapshots: Ring::filled_with(Snapshot {
                rivals: [[0.0; 4]; MAX_PLAYERS],
                path: [[0.0; 3]; FORECAST],
            }),
            held: [0; MAX_PLAYERS],
            pace: [[0.0; PACE_PAST]; MAX_PLAYERS],
            pace_from: [[0.0; 2]; MAX_PLAYERS],
            seconds: 0,
            decisions: 0,
        }
    }

    /// The role of the slot that a mate fills.
    pub(super) fn role(&self, moment: &Moment, mate: usize) -> PlayerRole {
        moment.mates[usize::from(self.slot_of[mate])].role
    }

    /// How many decisions the team has made before this one.
    pub(super) fn decisions(&self) -> u32 {
        self.decisions
    }

    /// Takes in the present moment.
    pub(super) fn observe(&mut self, moment: &Moment) {
        self.update_moods(moment);
        self.ball.push(single(moment.path[0].place));
        self.snapshots.push(Snapshot::of(moment));
        for (frames, man) in self.held.iter_mut().zip(moment.mates()) {
            *frames = if man.possession { frames.saturating_add(1) } else { 0 };
        }
        if self.decisions.is_multiple_of(10) {
            self.update_pace(moment.mates());
        }
        self.decisions += 1;
    }

    fn update_moods(&mut self, moment: &Moment) {
        let [ours, theirs] = moment.times;
        let amount = |first: f64, second: f64| ((second + 1.5) / (first + 1.5)).clamp(0.5, 1.5);
        (self.mood, self.rival_mood) = match moment.hands {
            Some(Who::Mate(_)) => (1.5, 0.5),
            Some(Who::Rival(_)) => (0.5, 1.5),
            None => (moved(self.mood, amount(ours, theirs)), moved(self.rival_mood, amount(theirs, ours))),
        };
        #[allow(clippy::cast_possible_truncation, reason = "stored in single precision")]
        self.moods.push((self.mood + self.rival_mood - 1.0) as f32);
    }

    fn update_pace(&mut self, mates: &[Man]) {
        let at = self.seconds as usize % PACE_PAST;
        for (index, man) in mates.iter().enumerate() {
            let way = if self.seconds == 0 { 0.0 } else { man.place.distance(double(self.pace_from[index])) };
            #[allow(clippy::cast_possible_truncation, reason = "stored in single precision")]
            let stored = way as f32;
            self.pace[index][at] = stored;
            self.pace_from[index] = single(man.place);
        }
        self.seconds += 1;
    }

    /// Seconds that a mate has had the ball at the last decision.
    pub(super) fn held(&self, mate: usize) -> f64 {
        f64::from(self.held[mate]) * 0.1
    }

    /// A mate's average speed over the last 10 s in metres per second; the time before the start counts as rest.
    pub(super) fn pace(&self, mate: usize) -> f64 {
        self.pace[mate].iter().map(|way| f64::from(*way)).sum::<f64>() / 10.0
    }

    /// The drive forward over the last 6 s: the moods of both teams, less one; nearly always 1, as the engine adds
    /// what it was meant to subtract.
    pub(super) fn drive(&self) -> f64 {
        let sum: f64 = self.moods.values[..self.moods.count].iter().map(|mood| f64::from(*mood)).sum();
        sum / count(self.moods.count.max(1))
    }

    /// The ball's mean place over the last seconds, for all spans at once.
    pub(super) fn ball_means(&self) -> BallMeans {
        let mut sums = [Vec2::ZERO; BALL_PAST];
        let mut sum = Vec2::ZERO;
        for (pushes, slot) in sums.iter_mut().enumerate().take(self.ball.count) {
            sum += double(*self.ball.ago(pushes));
            *slot = sum;
        }
        BallMeans { sums, count: self.ball.count }
    }

    /// The rivals and the ball's path as the team sees them: `frames` late, the places carried on by the
    /// movement of that time.
    pub(super) fn sight(&self, moment: &Moment, frames: usize) -> Sight {
        let mut sight = Sight { rivals: [Seen::default(); MAX_PLAYERS], path: moment.path };
        let late = frames.min(self.snapshots.count.saturating_sub(1));
        for (seen, man) in sight.rivals.iter_mut().zip(moment.rivals()) {
            *seen = Seen { place: man.place, velocity: man.velocity };
        }
        if late > 0 {
            self.snapshots.ago(late).blur(&mut sight, moment, count(late) * 0.1);
        }
        sight
    }
}

impl Snapshot {
    fn of(moment: &Moment) -> Self {
        let mut rivals = [[0.0; 4]; MAX_PLAYERS];
        for (stored, man) in rivals.iter_mut().zip(moment.rivals()) {
            let [x, y] = single(man.place);
            let [vx, vy] = single(man.velocity);
            *stored = [x, y, vx, vy];
        }
        let path = moment.path.map(|spot| {
            let [x, y] = single(spot.place);
            #[allow(clippy::cast_possible_truncation, reason = "stored in single precision")]
            let height = spot.height as f32;
            [x, y, height]
        });
        Self { rivals, path }
    }

    /// Replaces the truth by what was known then, `seconds` ago.
    fn blur(&self, sight: &mut Sight, moment: &Moment, seconds: f64) {
        for ((seen, stored), man) in sight.rivals.iter_mut().zip(&self.rivals).zip(moment.rivals()) {
            let velocity = double([stored[2], stored[3]]);
            let place = double([stored[0], stored[1]]) + velocity * seconds;
            seen.place = near(place, man.place, MOST_OFF);
            seen.velocity = near(velocity, man.velocity, MOST_MOVED_OFF);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "one or two")]
        let shift = (seconds * 10.0 + 0.5) as usize;
        for (index, spot) in sight.path.iter_mut().enumerate() {
            let stored = self.path[(index + shift).min(FORECAST - 1)];
            let truth = moment.path[index];
            spot.place = near(double([stored[0], stored[1]]), truth.place, MOST_OFF);
            spot.height = f64::from(stored[2]);
        }
    }
}

/// A rival as he is seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) place: Vec2,
    pub(super) velocity: Vec2,
}

impl Seen {
    pub(super) fn ahead(&self, seconds: f64) -> Vec2 {
        self.place + self.velocity * seconds
    }
}

/// What a team sees.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub(super) rivals: [Seen; MAX_PLAYERS],
    pub(super) path: [Spot; FORECAST],
}

/// Mean places of the ball.
#[derive(Clone, Debug)]
pub(super) struct BallMeans {
    sums: [Vec2; BALL_PAST],
    count: usize,
}

impl BallMeans {
    /// The mean over the last `seconds`.
    pub(super) fn over(&self, seconds: f64) -> Vec2 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 40")]
        let frames = ((seconds * 10.0 + 0.5) as usize).clamp(1, self.count.max(1));
        self.sums[frames - 1] * (1.0 / count(frames))
    }
}

fn moved(mood: f64, towards: f64) -> f64 {
    mood + ((towards - mood) * MOOD_SHARE).clamp(-0.05, 0.05)
}

/// `place`, brought within `most` of the truth.
fn near(place: Vec2, truth: Vec2, most: f64) -> Vec2 {
    truth + (place - truth).at_most(most)
}

#[allow(clippy::cast_possible_truncation, reason = "stored in single precision")]
fn single(place: Vec2) -> [f32; 2] {
    [place.x as f32, place.y as f32]
}

fn double(stored: [f32; 2]) -> Vec2 {
    Vec2::new(f64::from(stored[0]), f64::from(stored[1]))
}

#[allow(clippy::cast_precision_loss, reason = "small counts")]
fn count(number: usize) -> f64 {
    number as f64
}
