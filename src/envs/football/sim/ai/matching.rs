//! Bottleneck matching: gives each of n players one of n slots so that the longest way is as short as possible.
//! At most ten players, so the edges are tried in the order of their length with augmenting paths.

/// Field players at most.
pub(super) const MOST: usize = 10;

/// For each player the index of his slot, where `distance[player][slot]` is the way in metres; only the first
/// `count` rows and columns are read. Among equally good assignments the one with shorter ways elsewhere is
/// preferred by exchanging pairs.
pub(super) fn assign(distance: &[[f64; MOST]; MOST], count: usize) -> [usize; MOST] {
    let mut slot_of = smallest_bottleneck(distance, count);
    exchange(distance, count, &mut slot_of);
    slot_of
}

fn smallest_bottleneck(distance: &[[f64; MOST]; MOST], count: usize) -> [usize; MOST] {
    let mut best = identity();
    let (mut low, mut high) = (0.0, longest(distance, &best, count));
    // 12 halvings of at most 130 m leave 3 cm.
    for _ in 0..12 {
        let limit = f64::midpoint(low, high);
        match perfect(distance, count, limit) {
            Some(found) => (best, high) = (found, longest(distance, &found, count)),
            None => low = limit,
        }
        if high - low < 0.05 {
            break;
        }
    }
    best
}

fn identity() -> [usize; MOST] {
    let mut slots = [0; MOST];
    for (player, slot) in slots.iter_mut().enumerate() {
        *slot = player;
    }
    slots
}

fn longest(distance: &[[f64; MOST]; MOST], slot_of: &[usize; MOST], count: usize) -> f64 {
    (0..count).map(|player| distance[player][slot_of[player]]).fold(0.0, f64::max)
}

/// A matching of all players with ways up to `limit`, if there is one.
fn perfect(distance: &[[f64; MOST]; MOST], count: usize, limit: f64) -> Option<[usize; MOST]> {
    let mut player_at = [usize::MAX; MOST];
    for player in 0..count {
        let mut visited = [false; MOST];
        if !augment(distance, count, limit, player, &mut visited, &mut player_at) {
            return None;
        }
    }
    let mut slot_of = identity();
    for (slot, &player) in player_at.iter().enumerate().take(count) {
        slot_of[player] = slot;
    }
    Some(slot_of)
}

fn augment(
    distance: &[[f64; MOST]; MOST],
    count: usize,
    limit: f64,
    player: usize,
    visited: &mut [bool; MOST],
    player_at: &mut [usize; MOST],
) -> bool {
    for slot in 0..count {
        if visited[slot] || distance[player][slot] > limit {
            continue;
        }
        visited[slot] = true;
        let holder = player_at[slot];
        if holder == usize::MAX || augment(distance, count, limit, holder, visited, player_at) {
            player_at[slot] = player;
            return true;
        }
    }
    false
}

/// Exchanges the slots of two players wherever that shortens the sum of their ways.
fn exchange(distance: &[[f64; MOST]; MOST], count: usize, slot_of: &mut [usize; MOST]) {
    let limit = longest(distance, slot_of, count) + 1e-9;
    for _ in 0..3 {
        let mut changed = false;
        for one in 0..count {
            for other in one + 1..count {
                changed |= exchange_pair(distance, limit, slot_of, one, other);
            }
        }
        if !changed {
            break;
        }
    }
}

fn exchange_pair(
    distance: &[[f64; MOST]; MOST],
    limit: f64,
    slot_of: &mut [usize; MOST],
    one: usize,
    other: usize,
) -> bool {
    let now = distance[one][slot_of[one]] + distance[other][slot_of[other]];
    let (first, second) = (distance[one][slot_of[other]], distance[other][slot_of[one]]);
    let better = first + second < now - 1e-9 && first <= limit && second <= limit;
    if better {
        slot_of.swap(one, other);
    }
    better
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[f64]]) -> [[f64; MOST]; MOST] {
        let mut table = [[0.0; MOST]; MOST];
        for (row, values) in table.iter_mut().zip(rows) {
            row[..values.len()].copy_from_slice(values);
        }
        table
    }

    #[test]
    fn the_longest_way_counts_before_the_sum() {
        // The shortest sum (0 + 10) has a way of 10; the other assignment has two ways of 6.
        let distance = table(&[&[0.0, 6.0], &[6.0, 10.0]]);
        assert_eq!(assign(&distance, 2)[..2], [1, 0]);
    }

    #[test]
    fn every_slot_is_given_once_and_no_assignment_has_a_shorter_longest_way() {
        let mut state = 12_345_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from(u32::try_from(state >> 40).unwrap_or(0)) / 1e5
        };
        for _ in 0..50 {
            let mut distance = [[0.0; MOST]; MOST];
            for row in distance.iter_mut().take(5) {
                row.iter_mut().take(5).for_each(|way| *way = next());
            }
            let slots = assign(&distance, 5);
            let mut sorted = slots[..5].to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4]);
            let brute = permutations(5)
                .iter()
                .map(|slots| (0..5).map(|k| distance[k][slots[k]]).fold(0.0, f64::max))
                .fold(f64::INFINITY, f64::min);
            assert!(longest(&distance, &slots, 5) <= brute + 0.05);
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
