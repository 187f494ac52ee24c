//! Matching of players and slots: among the assignments whose longest way is about as short as possible, the one with
//! the shortest ways together. As in the engine, ways count in tenths of a metre, and the limit of the longest way is
//! raised along the sorted ways five at a time.

/// Field players at most.
pub(super) const MOST: usize = 10;

/// Ways by which the limit is raised.
const STRIDE: usize = 5;
/// What a way beyond the limit counts.
const TOO_FAR: f64 = 50_000.0;

/// For each player the index of his slot, where `distance[player][slot]` is the way in metres; only the first
/// `count` rows and columns are read.
pub(super) fn assign(distance: &[[f64; MOST]; MOST], count: usize) -> [usize; MOST] {
    let mut cost = *distance;
    for way in cost.as_flattened_mut().iter_mut() {
        *way = (*way * 10.0).round();
    }
    let limit = smallest_limit(&cost, count);
    for way in cost.as_flattened_mut().iter_mut().filter(|way| **way >= limit) {
        *way = TOO_FAR;
    }
    cheapest(&cost, count)
}

/// The first limit below which everyone can have a slot; infinite if only the last one would do.
fn smallest_limit(cost: &[[f64; MOST]; MOST], count: usize) -> f64 {
    let mut ways = [f64::INFINITY; MOST * MOST];
    for (index, way) in ways.iter_mut().enumerate().take(count * count) {
        *way = cost[index / count][index % count];
    }
    ways[..count * count].sort_by(f64::total_cmp);
    let steps = (count * count).saturating_sub(count).div_ceil(STRIDE);
    let mut low = 0;
    let mut high = steps;
    while low < high {
        let middle = usize::midpoint(low, high);
        if perfect(cost, count, ways[count + STRIDE * middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    ways.get(count + STRIDE * low).copied().filter(|_| low < steps).unwrap_or(f64::INFINITY)
}

/// Whether there is a matching of all players with ways below `limit`.
fn perfect(cost: &[[f64; MOST]; MOST], count: usize, limit: f64) -> bool {
    let mut player_at = [usize::MAX; MOST];
    (0..count).all(|player| augment(cost, count, limit, player, &mut [false; MOST], &mut player_at))
}

fn augment(
    cost: &[[f64; MOST]; MOST],
    count: usize,
    limit: f64,
    player: usize,
    visited: &mut [bool; MOST],
    player_at: &mut [usize; MOST],
) -> bool {
    for slot in 0..count {
        if visited[slot] || cost[player][slot] >= limit {
            continue;
        }
        visited[slot] = true;
        let holder = player_at[slot];
        if holder == usize::MAX || augment(cost, count, limit, holder, visited, player_at) {
            player_at[slot] = player;
            return true;
        }
    }
    false
}

/// The assignment with the least sum: the Hungarian method with potentials, one player after the other.
fn cheapest(cost: &[[f64; MOST]; MOST], count: usize) -> [usize; MOST] {
    let mut search =
        Search { cost, count, of_player: [0.0; MOST], of_slot: [0.0; MOST], player_at: [None; MOST] };
    for player in 0..count {
        search.place(player);
    }
    let mut slot_of = std::array::from_fn(|player| player);
    for (slot, player) in search.player_at.iter().enumerate() {
        if let Some(player) = player {
            slot_of[*player] = slot;
        }
    }
    slot_of
}

/// A search for the cheapest assignment.
struct Search<'a> {
    cost: &'a [[f64; MOST]; MOST],
    count: usize,
    /// Potentials, whose sum no cost is below.
    of_player: [f64; MOST],
    of_slot: [f64; MOST],
    player_at: [Option<usize>; MOST],
}

impl Search<'_> {
    /// Places one more player along the cheapest path of exchanges.
    fn place(&mut self, player: usize) {
        let mut least = [f64::INFINITY; MOST];
        let mut from = [None; MOST];
        let mut reached = [false; MOST];
        let mut slot = None;
        let mut mover = player;
        loop {
            let next = self.reach(mover, slot, &mut least, &mut from, &reached);
            self.shift(player, least[next], &mut least, &reached);
            reached[next] = true;
            slot = Some(next);
            match self.player_at[next] {
                Some(holder) => mover = holder,
                None => break,
            }
        }
        self.exchange(player, slot, &from);
    }

    /// Looks at the ways of `mover`, who has `slot`; the nearest slot that has not been reached.
    fn reach(
        &self,
        mover: usize,
        slot: Option<usize>,
        least: &mut [f64; MOST],
        from: &mut [Option<usize>; MOST],
        reached: &[bool; MOST],
    ) -> usize {
        let mut best = (f64::INFINITY, 0);
        for next in (0..self.count).filter(|next| !reached[*next]) {
            let rest = self.cost[mover][next] - self.of_player[mover] - self.of_slot[next];
            if rest < least[next] {
                (least[next], from[next]) = (rest, slot);
            }
            if least[next] < best.0 {
                best = (least[next], next);
            }
        }
        best.1
    }

    /// Moves the potentials so that the nearest slot costs nothing.
    fn shift(&mut self, player: usize, by: f64, least: &mut [f64; MOST], reached: &[bool; MOST]) {
        self.of_player[player] += by;
        for slot in 0..self.count {
            match self.player_at[slot] {
                Some(holder) if reached[slot] => {
                    self.of_player[holder] += by;
                    self.of_slot[slot] -= by;
                }
                _ => least[slot] -= by,
            }
        }
    }

    /// Gives everyone on the path the slot before his.
    fn exchange(&mut self, player: usize, last: Option<usize>, from: &[Option<usize>; MOST]) {
        let mut slot = last;
        while let Some(at) = slot {
            let before = from[at];
            self.player_at[at] = before.map_or(Some(player), |before| self.player_at[before]);
            slot = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn among_ways_below_the_limit_the_shortest_together_win() {
        let mut state = 12_345_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from(u32::try_from(state >> 40).unwrap_or(0) % 500) / 10.0
        };
        for _ in 0..50 {
            let mut distance = [[0.0; MOST]; MOST];
            for row in distance.iter_mut().take(5) {
                for way in row.iter_mut().take(5) {
                    *way = next();
                }
            }
            let slots = assign(&distance, 5);
            let ways =
                |slots: &[usize]| (0..5).map(|k| (distance[k][slots[k]] * 10.0).round()).collect::<Vec<_>>();
            let longest = |ways: &[f64]| ways.iter().copied().fold(0.0, f64::max);
            let mut sorted: Vec<f64> =
                distance[..5].iter().flat_map(|row| &row[..5]).map(|way| (way * 10.0).round()).collect();
            sorted.sort_by(f64::total_cmp);
            let all: Vec<Vec<f64>> = permutations(5).iter().map(|slots| ways(slots)).collect();
            let limits = (5..25).step_by(STRIDE).map(|index| sorted[index]);
            let limit = limits
                .filter(|limit| all.iter().any(|ways| longest(ways) < *limit))
                .fold(f64::INFINITY, f64::min);
            let best = all.iter().filter(|ways| longest(ways) < limit).map(|ways| ways.iter().sum::<f64>());
            let found = ways(&slots[..5]);
            assert!(longest(&found) < limit, "{found:?} at {limit}");
            assert_eq!(found.iter().sum::<f64>(), best.fold(f64::INFINITY, f64::min));
        }
    }

    fn permutations(count: usize) -> Vec<Vec<usize>> {
        if count == 0 {
            return vec![Vec::new()];
        }
        let shorter = permutations(count - 1);
        shorter
            .iter()
            .flat_map(|slots| {
                (0..count).map(move |at| {
                    let mut longer = slots.clone();
                    longer.insert(at, count - 1);
                    longer
                })
            })
            .collect()
    }
}
