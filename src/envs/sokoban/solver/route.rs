//! From states to moves. Of all best solutions the first in the order of the action space is taken, so that
//! its remainder after a move is the solution found from there.

use super::super::board::Direction;
use super::grid::Cell;
use super::maze::opposite;
use super::occupancy::{Occupancy, UNREACHABLE};
use super::search::{Search, replace_sorted};

/// A push on a best solution: the distances to the player's cell before it, its direction, and the state
/// after it.
struct BestPush {
    walks: Vec<u32>,
    way: usize,
    to: u32,
}

impl Search<'_> {
    /// The first of all shortest solutions; `None` if it is over before. The search must have visited every one of them.
    pub(super) fn first_solution(&mut self, is_over: &dyn Fn() -> bool) -> Option<Vec<Direction>> {
        if !self.mark_best_paths(is_over) {
            return None;
        }
        let mut ways = Vec::new();
        let mut boxes = Vec::new();
        let mut at = 0;
        while self.states.info(at).estimate > 0 || at == 0 {
            let mut player = self.states.get(at, &mut boxes);
            self.occupancy.place_boxes(&boxes);
            let mut leads = self.best_pushes(at, player, &boxes);
            let found = loop {
                let Some(way) = (0..4).find(|way| leads.iter().any(|lead| self.fits(lead, player, *way)))
                else {
                    break None;
                };
                leads.retain(|lead| self.fits(lead, player, way));
                ways.push(Direction::ALL[way]);
                player = self.occupancy.maze.next[usize::from(player)][way];
                if self.occupancy.has_box(player) {
                    break leads.pop();
                }
            };
            self.occupancy.remove_boxes(&boxes);
            let Some(lead) = found else { break };
            if is_over() {
                return None;
            }
            at = lead.to;
        }
        Some(ways)
    }

    /// Whether the next move towards this push can go in this direction.
    fn fits(&self, lead: &BestPush, player: Cell, way: usize) -> bool {
        match lead.walks[usize::from(player)] {
            0 => lead.way == way,
            moves => {
                let next = self.occupancy.maze.next[usize::from(player)][way];
                self.occupancy.is_free(next) && lead.walks[usize::from(next)] + 1 == moves
            }
        }
    }

    /// The pushes from this state that are on a best solution.
    fn best_pushes(&mut self, at: u32, player: Cell, boxes: &[Cell]) -> Vec<BestPush> {
        let mut leads = Vec::new();
        let mut walks = Vec::new();
        self.occupancy.walk_distances(player, &mut walks);
        for (row, from) in boxes.iter().enumerate() {
            for way in 0..4 {
                let next = self.occupancy.maze.next[usize::from(*from)];
                let behind = next[opposite(way)];
                let to = next[way];
                let walk = walks.get(usize::from(behind)).copied().unwrap_or(UNREACHABLE);
                if walk == UNREACHABLE || !self.occupancy.is_free(to) {
                    continue;
                }
                let mut after = boxes.to_vec();
                replace_sorted(&mut after, row, to);
                let Some(to) = self.states.find(*from, &after) else { continue };
                let info = self.states.info(to);
                let cost = self.states.info(at).cost + walk + 1;
                if info.on_best_path && info.cost == cost {
                    let mut walks = Vec::new();
                    self.occupancy.walk_distances(behind, &mut walks);
                    leads.push(BestPush { walks, way, to });
                }
            }
        }
        leads
    }

    /// Marks every state on a best solution, backwards from the solved states. False if it is over before.
    fn mark_best_paths(&mut self, is_over: &dyn Fn() -> bool) -> bool {
        let best = self.best_cost;
        let mut open = self.goals.clone();
        open.retain(|goal| self.states.info(*goal).cost == best);
        for goal in &open {
            self.states.info_mut(*goal).on_best_path = true;
        }
        let mut boxes = Vec::new();
        while let Some(at) = open.pop() {
            if is_over() {
                return false;
            }
            let player = self.states.get(at, &mut boxes);
            self.occupancy.place_boxes(&boxes);
            for row in 0..boxes.len() {
                self.mark_predecessors(at, player, row, &boxes, &mut open);
            }
            self.occupancy.remove_boxes(&boxes);
        }
        true
    }

    /// Marks the states from which the player could come to make this last push.
    fn mark_predecessors(&mut self, at: u32, player: Cell, row: usize, boxes: &[Cell], open: &mut Vec<u32>) {
        let near = self.occupancy.maze.next[usize::from(player)];
        let Some(way) = (0..4).find(|way| near[*way] == boxes[row]) else { return };
        let behind = near[opposite(way)];
        if !self.occupancy.is_free(behind) {
            return;
        }
        let mut before = boxes.to_vec();
        let mut walks = Vec::new();
        replace_sorted(&mut before, row, player);
        self.occupancy.move_box(boxes[row], player);
        self.occupancy.walk_distances(behind, &mut walks);
        self.occupancy.move_box(player, boxes[row]);
        let cost = self.states.info(at).cost;
        for (cell, walk) in (0..).zip(walks).filter(|(_, walk)| *walk < cost) {
            let Some(from) = self.states.find(cell, &before) else { continue };
            let info = self.states.info_mut(from);
            if info.cost + walk + 1 == cost && !info.on_best_path {
                info.on_best_path = true;
                open.push(from);
            }
        }
    }

    /// The solution along the parents of the cheapest solved state, with shortest walks between pushes.
    pub(super) fn parent_solution(&mut self, mut player: Cell) -> Vec<Direction> {
        let best = self.best_cost;
        let Some(mut at) = self.goals.iter().copied().find(|goal| self.states.info(*goal).cost == best)
        else {
            return Vec::new();
        };
        let mut chain = vec![at];
        while at != 0 {
            at = self.states.info(at).parent;
            chain.push(at);
        }
        let mut before = Vec::new();
        let mut after = Vec::new();
        let mut ways = Vec::new();
        for pair in chain.windows(2).rev() {
            self.states.get(pair[1], &mut before);
            self.states.get(pair[0], &mut after);
            let from = before.iter().find(|cell| !after.contains(cell)).copied();
            let to = after.iter().find(|cell| !before.contains(cell)).copied();
            let (Some(from), Some(to)) = (from, to) else { continue };
            self.occupancy.place_boxes(&before);
            let next = self.occupancy.maze.next[usize::from(from)];
            if let Some(way) = (0..4).find(|way| next[*way] == to) {
                append_walk(&mut self.occupancy, player, next[opposite(way)], &mut ways);
                ways.push(Direction::ALL[way]);
            }
            self.occupancy.remove_boxes(&before);
            player = from;
        }
        ways
    }
}

/// Appends the first of the shortest walks.
fn append_walk(occupancy: &mut Occupancy<'_>, from: Cell, to: Cell, ways: &mut Vec<Direction>) {
    let mut walks = Vec::new();
    let mut at = from;
    occupancy.walk_distances(to, &mut walks);
    while walks[usize::from(at)] != 0 {
        let next = occupancy.maze.next[usize::from(at)];
        let nearer = |way: &usize| {
            let moves = walks.get(usize::from(next[*way])).copied().unwrap_or(UNREACHABLE);
            moves < walks[usize::from(at)]
        };
        let Some(way) = (0..4).find(nearer) else { return };
        ways.push(Direction::ALL[way]);
        at = next[way];
    }
}
