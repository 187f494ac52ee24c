//! How a limit is divided among processes. It is pure.

/// Divides `limit` among processes that want these numbers of requests at once: each gets the same, but none more than it
/// wants while others want more. What is left when all have what they want is divided equally. Where the division leaves
/// a rest, processes from `first` on, in a circle, get one more.
pub(super) fn divide(limit: usize, wanted: &[usize], first: usize) -> Vec<usize> {
    let mut shares = vec![0; wanted.len()];
    let mut left = limit;
    while left > 0 {
        let open = circle(wanted.len(), first).filter(|index| shares[*index] < wanted[*index]);
        let open: Vec<usize> = open.collect();
        if open.is_empty() {
            break;
        }
        left = give(&mut shares, &open, left, |index| wanted[index]);
    }
    let all: Vec<usize> = circle(wanted.len(), first).collect();
    give(&mut shares, &all, left, |_| usize::MAX);
    shares
}

fn circle(count: usize, first: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |index| (index + first) % count)
}

/// Gives each of these processes an equal part of what is left, up to `most`, or one to each while it lasts. Returns what
/// is left then.
fn give(shares: &mut [usize], to: &[usize], mut left: usize, most: impl Fn(usize) -> usize) -> usize {
    let each = left.checked_div(to.len()).unwrap_or(0);
    let rest = left.checked_rem(to.len()).unwrap_or(0);
    for (place, index) in to.iter().enumerate() {
        let part = each + usize::from(place < rest);
        let added = part.min(most(*index).saturating_sub(shares[*index]));
        shares[*index] += added;
        left -= added;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_gets_the_same_unless_it_wants_less() {
        for (limit, wanted, first, shares) in [
            (8, vec![9, 9], 0, vec![4, 4]),
            (8, vec![1, 9, 9], 0, vec![1, 4, 3]),
            (8, vec![1, 9, 9], 2, vec![1, 3, 4]),
            (8, vec![0, 2], 0, vec![3, 5]),
            (2, vec![5, 5, 5], 1, vec![0, 1, 1]),
            (2, vec![5, 5, 5], 2, vec![1, 0, 1]),
            (0, vec![5], 0, vec![0]),
            (64, vec![0], 0, vec![64]),
            (4, vec![], 0, vec![]),
        ] {
            assert_eq!(divide(limit, &wanted, first), shares, "{limit} among {wanted:?} from {first}");
        }
    }

    #[test]
    fn the_whole_limit_is_given_and_no_more() {
        for limit in 0..20 {
            for wanted in [vec![3, 0, 7], vec![1, 1], vec![20, 20, 20, 20], vec![0, 0, 0]] {
                for first in 0..3 {
                    assert_eq!(divide(limit, &wanted, first).iter().sum::<usize>(), limit);
                }
            }
        }
    }
}
