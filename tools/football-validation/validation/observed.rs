//! What is counted while an episode runs, recorded or simulated: speeds, distances, duels, passes.

use super::histogram::Histogram;
use mageyard_football::{EngineAction, FrameState, METRES, Owner, Team};

/// Upper bounds in metres of the bins of the distance between the ball and the nearest opponent; the last is open.
pub(super) const BINS: [f64; 8] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0];
/// Within how many frames a loss counts.
const LOSS_FRAMES: usize = 10;

/// Counts of one or more episodes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Observed {
    /// Metres a second of the left team's carrier, and of the outfield players of both teams.
    pub(super) speeds: [Histogram; 3],
    /// Metres from an owned ball to the nearest and the second opponent.
    pub(super) distances: [Histogram; 2],
    /// For each bin: frames in which the left team owns the ball, and after how many the right team owns it within 1 s.
    pub(super) duels: [[usize; 2]; BINS.len() + 1],
    /// Passes that a teammate and that an opponent got.
    pub(super) passes: [usize; 2],
}

impl Default for Observed {
    fn default() -> Self {
        Self {
            speeds: [240; 3].map(|bins| Histogram::new(0.05, bins)),
            distances: [1200; 2].map(|bins| Histogram::new(0.1, bins)),
            duels: [[0; 2]; BINS.len() + 1],
            passes: [0; 2],
        }
    }
}

impl Observed {
    /// Adds the counts of other episodes.
    pub(super) fn merge(&mut self, other: &Self) {
        self.speeds.iter_mut().zip(&other.speeds).for_each(|(sum, more)| sum.merge(more));
        self.distances.iter_mut().zip(&other.distances).for_each(|(sum, more)| sum.merge(more));
        let duels = self.duels.as_flattened_mut().iter_mut().zip(other.duels.as_flattened());
        duels.chain(self.passes.iter_mut().zip(&other.passes)).for_each(|(sum, more)| *sum += more);
    }
}

/// Counts during one episode.
#[derive(Clone, Debug, Default)]
pub(super) struct Observer {
    observed: Observed,
    /// The bins of the last frames in which the left team owned the ball, with their frame numbers.
    recent: Vec<(usize, usize)>,
    frame: usize,
    previous: Option<Owner>,
    passer: Option<Owner>,
}

impl Observer {
    /// Counts a frame.
    pub(super) fn frame(&mut self, action: EngineAction, after: &FrameState) {
        self.frame += 1;
        self.speeds(after);
        self.pass(action, after.owner);
        match after.owning_team() {
            Some(Team::Left) => self.owned(after),
            Some(Team::Right) => self.lost(),
            None => {}
        }
        self.previous = after.owner;
    }

    /// The counts.
    pub(super) fn finish(self) -> Observed {
        self.observed
    }

    fn speeds(&mut self, after: &FrameState) {
        if let Some(Owner { team: Team::Left, player }) = after.owner {
            self.observed.speeds[0].add(speed(after.left.movements[player]));
        }
        for (index, squad) in [(1, &after.left), (2, &after.right)] {
            let outfield = squad.movements[..squad.count].iter().skip(1);
            outfield.for_each(|movement| self.observed.speeds[index].add(speed(*movement)));
        }
    }

    fn owned(&mut self, after: &FrameState) {
        let mut distances: Vec<f64> =
            after.right.positions().iter().map(|opponent| metres(opponent, &after.ball)).collect();
        distances.sort_by(f64::total_cmp);
        for (histogram, distance) in self.observed.distances.iter_mut().zip(&distances) {
            histogram.add(*distance);
        }
        if let Some(nearest) = distances.first() {
            let bin = BINS.iter().filter(|bound| nearest >= *bound).count();
            self.observed.duels[bin][0] += 1;
            self.recent.push((bin, self.frame));
        }
    }

    /// The right team has the ball: the last frames of the left team were followed by a loss.
    fn lost(&mut self) {
        for (bin, frame) in self.recent.drain(..) {
            if frame + LOSS_FRAMES >= self.frame {
                self.observed.duels[bin][1] += 1;
            }
        }
    }

    fn pass(&mut self, action: EngineAction, owner: Option<Owner>) {
        if action.is_pass() && self.previous.is_some_and(|owner| owner.team == Team::Left) {
            self.passer = self.previous;
        }
        let Some(owner) = owner else { return };
        if self.passer.take_if(|passer| *passer != owner).is_some() {
            self.observed.passes[usize::from(owner.team == Team::Right)] += 1;
        }
    }
}

/// Metres a second of a movement a frame.
fn speed(movement: [f64; 2]) -> f64 {
    10.0 * metres(&movement, &[0.0; 3])
}

fn metres(place: &[f64; 2], ball: &[f64; 3]) -> f64 {
    let [x, y] = [0, 1].map(|axis| METRES[axis] * (place[axis] - ball[axis]));
    (x * x + y * y).sqrt()
}
