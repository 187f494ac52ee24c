//! From states to moves. Of all best ways the first one is taken in the order of the action space, so
//! that what is left of it after a move is what would be found from there.

use super::super::board::Way;
use super::grid::Cell;
use super::maze::back;
use super::scene::FAR;
use super::scene::Scene;
use super::search::Search;
use super::search::shift;

/// A push on a best way: where the player stands, which way, and the state it leads to.
struct Lead {
    walks: Vec<u32>,
    way: usize,
    to: u32,
}

impl Search<'_> {
    /// The first of all shortest solutions. The search must have looked at every best way.
    pub(super) fn first(&mut self) -> Vec<Way> {
        self.mark();
        let (mut ways, mut boxes, mut at) = (Vec::new(), Vec::new(), 0);
        while self.states.note(at).left > 0 || at == 0 {
            let mut player = self.states.get(at, &mut boxes);
            self.scene.put_all(&boxes);
            let mut leads = self.leads(at, player, &boxes);
            let found = loop {
                let Some(way) = (0..4).find(|way| leads.iter().any(|lead| self.fits(lead, player, *way)))
                else {
                    break None;
                };
                leads.retain(|lead| self.fits(lead, player, way));
                ways.push(Way::ALL[way]);
                player = self.scene.maze.next[usize::from(player)][way];
                if self.scene.has_box(player) {
                    break leads.pop();
                }
            };
            self.scene.lift_all(&boxes);
            let Some(lead) = found else { break };
            at = lead.to;
        }
        ways
    }

    /// Whether the next move of this lead can go this way.
    fn fits(&self, lead: &Lead, player: Cell, way: usize) -> bool {
        match lead.walks[usize::from(player)] {
            0 => lead.way == way,
            moves => {
                let next = self.scene.maze.next[usize::from(player)][way];
                self.scene.is_free(next) && lead.walks[usize::from(next)] + 1 == moves
            }
        }
    }

    /// The pushes from this state that lie on a best way.
    fn leads(&mut self, at: u32, player: Cell, boxes: &[Cell]) -> Vec<Lead> {
        let (mut leads, mut walks) = (Vec::new(), Vec::new());
        self.scene.walks(player, &mut walks);
        for (row, from) in boxes.iter().enumerate() {
            for way in 0..4 {
                let next = self.scene.maze.next[usize::from(*from)];
                let (behind, to) = (next[back(way)], next[way]);
                let walk = walks.get(usize::from(behind)).copied().unwrap_or(FAR);
                if walk == FAR || !self.scene.is_free(to) {
                    continue;
                }
                let mut after = boxes.to_vec();
                shift(&mut after, row, to);
                let Some(to) = self.states.find(*from, &after) else { continue };
                let (note, cost) = (self.states.note(to), self.states.note(at).cost + walk + 1);
                if note.marked && note.cost == cost {
                    let mut walks = Vec::new();
                    self.scene.walks(behind, &mut walks);
                    leads.push(Lead { walks, way, to });
                }
            }
        }
        leads
    }

    /// Marks every state on a best way, from the solved ones back.
    fn mark(&mut self) {
        let best = self.best;
        let mut open = self.goals.clone();
        open.retain(|goal| self.states.note(*goal).cost == best);
        for goal in &open {
            self.states.note_mut(*goal).marked = true;
        }
        let mut boxes = Vec::new();
        while let Some(at) = open.pop() {
            let player = self.states.get(at, &mut boxes);
            self.scene.put_all(&boxes);
            for row in 0..boxes.len() {
                self.pull(at, player, row, &boxes, &mut open);
            }
            self.scene.lift_all(&boxes);
        }
    }

    /// Marks the states from which the player came to push this box last.
    fn pull(&mut self, at: u32, player: Cell, row: usize, boxes: &[Cell], open: &mut Vec<u32>) {
        let near = self.scene.maze.next[usize::from(player)];
        let Some(way) = (0..4).find(|way| near[*way] == boxes[row]) else { return };
        let behind = near[back(way)];
        if !self.scene.is_free(behind) {
            return;
        }
        let (mut before, mut walks) = (boxes.to_vec(), Vec::new());
        shift(&mut before, row, player);
        self.scene.shift(boxes[row], player);
        self.scene.walks(behind, &mut walks);
        self.scene.shift(player, boxes[row]);
        let cost = self.states.note(at).cost;
        for (cell, walk) in (0..).zip(walks).filter(|(_, walk)| *walk < cost) {
            let Some(from) = self.states.find(cell, &before) else { continue };
            let note = self.states.note_mut(from);
            if note.cost + walk + 1 == cost && !note.marked {
                note.marked = true;
                open.push(from);
            }
        }
    }

    /// The way that led to the solved state of least cost, with shortest walks between its pushes.
    pub(super) fn chain(&mut self, mut player: Cell) -> Vec<Way> {
        let best = self.best;
        let Some(mut at) = self.goals.iter().copied().find(|goal| self.states.note(*goal).cost == best)
        else {
            return Vec::new();
        };
        let mut chain = vec![at];
        while at != 0 {
            at = self.states.note(at).parent;
            chain.push(at);
        }
        let (mut before, mut after, mut ways) = (Vec::new(), Vec::new(), Vec::new());
        for pair in chain.windows(2).rev() {
            self.states.get(pair[1], &mut before);
            self.states.get(pair[0], &mut after);
            let from = before.iter().find(|cell| !after.contains(cell)).copied();
            let to = after.iter().find(|cell| !before.contains(cell)).copied();
            let (Some(from), Some(to)) = (from, to) else { continue };
            self.scene.put_all(&before);
            let next = self.scene.maze.next[usize::from(from)];
            if let Some(way) = (0..4).find(|way| next[*way] == to) {
                walk(&mut self.scene, player, next[back(way)], &mut ways);
                ways.push(Way::ALL[way]);
            }
            self.scene.lift_all(&before);
            player = from;
        }
        ways
    }
}

/// Adds the first of the shortest walks.
fn walk(scene: &mut Scene<'_>, from: Cell, to: Cell, ways: &mut Vec<Way>) {
    let (mut walks, mut at) = (Vec::new(), from);
    scene.walks(to, &mut walks);
    while walks[usize::from(at)] != 0 {
        let next = scene.maze.next[usize::from(at)];
        let nearer = |way: &usize| {
            let moves = walks.get(usize::from(next[*way])).copied().unwrap_or(FAR);
            moves < walks[usize::from(at)]
        };
        let Some(way) = (0..4).find(nearer) else { return };
        ways.push(Way::ALL[way]);
        at = next[way];
    }
}
