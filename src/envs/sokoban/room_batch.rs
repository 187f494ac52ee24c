//! Many rooms at once, for training: a slice of actions in, slices of rewards and ends out, and all
//! pictures in one buffer. Nothing is allocated after [`RoomBatch::new`].

use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use super::board::Direction;
use super::fast_room::FastRoom;
use super::options::Settings;
use mageyard_domain::{Level, OptionError, Options};

/// Many rooms that are stepped together. Each level may have its own size. It belongs to the training API: no episode of
/// the program runs it.
///
/// A room whose episode ends restarts in the same step: `ends` reports the end, and the next picture shows
/// the start.
pub struct RoomBatch {
    rooms: Vec<BatchRoom>,
    limit: u32,
    /// Bytes of all pictures.
    bytes: usize,
}

struct BatchRoom {
    room: FastRoom,
    steps: u32,
    picture: Range<usize>,
}

/// Whether a step ended an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoomEnd {
    /// The episode continues.
    #[default]
    Running,
    /// Every box is on a target (terminated).
    Solved,
    /// The step limit is reached (truncated).
    StepLimit,
}

/// An invalid call, which had no effect.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RoomBatchError {
    /// A slice has the wrong length.
    #[error("{what}: {given} given, {wanted} required")]
    Length {
        /// Which slice.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The required length.
        wanted: usize,
    },
    /// A number that is not an action.
    #[error("{action} for room {room} is not an action; actions are 0 Left, 1 Right, 2 Up, 3 Down")]
    Action {
        /// The room, from 0.
        room: usize,
        /// The number.
        action: u8,
    },
}

impl RoomBatch {
    /// A room for each level, at its start; only the options `tile` and `tiles` matter. Episodes end after
    /// `limit` steps (0 for no limit). An error names the invalid setting, or `level` for a text that is
    /// not a level and for a level that is solved at the start.
    pub fn new(levels: &[Level], options: &Options, limit: u32) -> Result<Self, OptionError> {
        let sheet = Arc::new(Settings::read(options)?.sheet());
        let mut bytes = 0;
        let seat = |level: &Level| {
            let room = FastRoom::with_sheet(level, sheet.clone())?;
            if room.is_solved() {
                let why = format!("level {} is solved at the start: there is nothing to play", level.number);
                return Err(OptionError { name: "level".to_owned(), why });
            }
            let picture = bytes..bytes + room.bytes();
            bytes = picture.end;
            Ok(BatchRoom { room, steps: 0, picture })
        };
        let seats = levels.iter().map(seat).collect::<Result<_, _>>()?;
        Ok(Self { rooms: seats, limit, bytes })
    }

    /// The number of rooms.
    pub fn len(&self) -> usize {
        self.rooms.len()
    }

    /// Whether there are no rooms.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty()
    }

    /// The room with this number, from 0.
    pub fn room(&self, number: usize) -> Option<&FastRoom> {
        self.rooms.get(number).map(|seat| &seat.room)
    }

    /// Steps every room. `actions` are numbers of the action space (0 Left, 1 Right, 2 Up, 3 Down),
    /// `rewards` are half points. All three slices have one entry per room.
    pub fn step(
        &mut self,
        actions: &[u8],
        rewards: &mut [i32],
        ends: &mut [RoomEnd],
    ) -> Result<(), RoomBatchError> {
        let wanted = self.rooms.len();
        for (what, given) in [("actions", actions.len()), ("rewards", rewards.len()), ("ends", ends.len())] {
            same_length(what, given, wanted)?;
        }
        if let Some(room) = actions.iter().position(|action| *action > 3) {
            return Err(RoomBatchError::Action { room, action: actions[room] });
        }
        let slots = actions.iter().zip(rewards).zip(ends);
        for (seat, ((action, reward), end)) in self.rooms.iter_mut().zip(slots) {
            *reward = seat.room.step(Direction::ALL[usize::from(action & 3)]);
            *end = seat.count_step(self.limit);
        }
        Ok(())
    }

    /// Returns every room to its start.
    pub fn reset(&mut self) {
        for room in &mut self.rooms {
            room.reset();
        }
    }

    /// Bytes of all pictures together.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The range of a room's picture among all pictures.
    pub fn picture(&self, number: usize) -> Option<Range<usize>> {
        self.rooms.get(number).map(|seat| seat.picture.clone())
    }

    /// Paints every room completely, one picture after the other. Pictures that together exceed the
    /// processor's cache are painted at the speed of its memory.
    pub fn paint(&mut self, rgb: &mut [u8]) -> Result<(), RoomBatchError> {
        self.each(rgb, FastRoom::paint)
    }

    /// Paints the squares that changed since the last painting into the pictures of that time.
    pub fn repaint(&mut self, rgb: &mut [u8]) -> Result<(), RoomBatchError> {
        self.each(rgb, FastRoom::repaint)
    }

    fn each(
        &mut self,
        rgb: &mut [u8],
        paint: impl Fn(&mut FastRoom, &mut [u8]) -> bool,
    ) -> Result<(), RoomBatchError> {
        same_length("bytes of the pictures", rgb.len(), self.bytes)?;
        for BatchRoom { room, picture, .. } in &mut self.rooms {
            if !paint(room, &mut rgb[picture.clone()]) {
                return same_length("bytes of a picture", picture.len(), room.bytes());
            }
        }
        Ok(())
    }
}

impl BatchRoom {
    /// Counts a step, and restarts the room after the last one.
    fn count_step(&mut self, limit: u32) -> RoomEnd {
        self.steps += 1;
        let end = match self.room.is_solved() {
            true => RoomEnd::Solved,
            false if self.steps == limit => RoomEnd::StepLimit,
            false => return RoomEnd::Running,
        };
        self.reset();
        end
    }

    fn reset(&mut self) {
        self.room.reset();
        self.steps = 0;
    }
}

fn same_length(what: &'static str, given: usize, wanted: usize) -> Result<(), RoomBatchError> {
    if given == wanted { Ok(()) } else { Err(RoomBatchError::Length { what, given, wanted }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> Vec<Level> {
        let texts =
            ["######\n#@$ .#\n######", "#######\n#     #\n# @$ .#\n#######", "#####\n#@  #\n#$. #\n#####"];
        let level = |(index, text): (usize, &&str)| Level::from_text(index + 1, None, *text);
        texts.iter().enumerate().map(level).collect()
    }

    #[test]
    fn rooms_are_independent_and_restart_when_they_end() {
        let mut rooms = RoomBatch::new(&levels(), &Options::new(), 3).unwrap();
        let mut rewards = [0; 3];
        let mut ends = [RoomEnd::Running; 3];
        let mut steps = |actions: [u8; 3]| {
            rooms.step(&actions, &mut rewards, &mut ends).unwrap();
            (rewards, ends)
        };
        assert_eq!(steps([1, 1, 3]), ([-1, -1, -1], [RoomEnd::Running; 3]));
        assert_eq!(steps([1, 1, 0]), ([109, 109, -1], [RoomEnd::Solved, RoomEnd::Solved, RoomEnd::Running]));
        assert_eq!(
            steps([1, 0, 0]),
            ([-1, -1, -1], [RoomEnd::Running, RoomEnd::Running, RoomEnd::StepLimit])
        );
        assert_eq!(steps([1, 1, 1]), ([109, -1, -1], [RoomEnd::Solved, RoomEnd::Running, RoomEnd::Running]));
    }

    #[test]
    fn a_batch_behaves_like_single_rooms() {
        let levels = levels();
        let mut rooms = RoomBatch::new(&levels, &Options::new(), 0).unwrap();
        let mut singles: Vec<_> =
            levels.iter().map(|level| FastRoom::new(level, &Options::new()).unwrap()).collect();
        let mut rewards = [0; 3];
        let mut ends = [RoomEnd::Running; 3];
        let mut all = vec![1; rooms.bytes()];
        let mut kept = vec![2; rooms.bytes()];
        let mut state = 7_u32;
        for _ in 0..500 {
            let actions: [u8; 3] = std::array::from_fn(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                u8::try_from(state >> 30).unwrap()
            });
            rooms.step(&actions, &mut rewards, &mut ends).unwrap();
            rooms.repaint(&mut kept).unwrap();
            rooms.paint(&mut all).unwrap();
            assert!(all == kept);
            for (number, single) in singles.iter_mut().enumerate() {
                assert_eq!(rewards[number], single.step(Direction::ALL[usize::from(actions[number])]));
                assert_eq!(ends[number] == RoomEnd::Solved, single.is_solved());
                if single.is_solved() {
                    single.reset();
                }
                let mut one = vec![0; single.bytes()];
                assert!(single.paint(&mut one) && one == all[rooms.picture(number).unwrap()]);
            }
        }
    }

    #[test]
    fn an_invalid_call_has_no_effect_and_says_why() {
        let mut rooms = RoomBatch::new(&levels(), &Options::new(), 0).unwrap();
        let mut rewards = [5; 3];
        let mut ends = [RoomEnd::StepLimit; 3];
        let error = rooms.step(&[1, 4, 1], &mut rewards, &mut ends).unwrap_err();
        assert_eq!(
            error.to_string(),
            "4 for room 1 is not an action; actions are 0 Left, 1 Right, 2 Up, 3 Down"
        );
        let error = rooms.step(&[1, 1], &mut rewards, &mut ends).unwrap_err();
        assert_eq!(error.to_string(), "actions: 2 given, 3 required");
        assert_eq!((rewards, ends), ([5; 3], [RoomEnd::StepLimit; 3]));
        let error = rooms.paint(&mut [0; 9]).unwrap_err();
        assert_eq!(error.to_string(), format!("bytes of the pictures: 9 given, {} required", rooms.bytes()));
        let solved = Level::from_text(4, None, "####\n#@*#\n####");
        let error = RoomBatch::new(&[solved], &Options::new(), 0).err().unwrap();
        assert_eq!(error.to_string(), "level: level 4 is solved at the start: there is nothing to play");
    }
}
