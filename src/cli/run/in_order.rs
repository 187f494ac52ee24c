//! Puts the output of episodes that run at once into the order of the plan: the first unfinished episode is shown as it
//! goes, and what later ones have to say is kept until it is their turn.

use std::collections::BTreeMap;

/// Items of several episodes, given back episode by episode.
pub(super) struct InOrder<T> {
    /// The episode whose items pass at once.
    current: usize,
    /// The items of later episodes, and whether each has ended.
    waiting: BTreeMap<usize, (Vec<T>, bool)>,
}

impl<T> InOrder<T> {
    /// Begins with the first episode, whose index is 0.
    pub(super) fn new() -> Self {
        Self { current: 0, waiting: BTreeMap::new() }
    }

    /// Adds an item of an episode; returns what is to be shown now.
    pub(super) fn push(&mut self, episode: usize, item: T) -> Vec<T> {
        if episode == self.current {
            return vec![item];
        }
        self.waiting.entry(episode).or_default().0.push(item);
        Vec::new()
    }

    /// Ends an episode; returns what is to be shown now.
    pub(super) fn end(&mut self, episode: usize) -> Vec<T> {
        if episode != self.current {
            self.waiting.entry(episode).or_default().1 = true;
            return Vec::new();
        }
        let mut shown = Vec::new();
        self.current += 1;
        while let Some((items, ended)) = self.waiting.remove(&self.current) {
            shown.extend(items);
            if !ended {
                break;
            }
            self.current += 1;
        }
        shown
    }

    /// All items that are left, in order.
    pub(super) fn finish(&mut self) -> Vec<T> {
        std::mem::take(&mut self.waiting).into_values().flat_map(|(items, _)| items).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_unfinished_episode_is_shown_at_once_and_others_in_their_turn() {
        let mut order = InOrder::new();
        assert_eq!(order.push(0, "a1"), ["a1"]);
        assert!(order.push(2, "c1").is_empty() && order.push(1, "b1").is_empty());
        assert!(order.end(2).is_empty());
        assert_eq!(order.push(0, "a2"), ["a2"]);
        assert_eq!(order.end(0), ["b1"]);
        assert_eq!(order.push(1, "b2"), ["b2"], "now it is the first unfinished one");
        assert!(order.push(4, "e1").is_empty());
        assert_eq!(order.end(1), ["c1"]);
        assert_eq!(order.push(3, "d1"), ["d1"], "the finished one is over");
        assert!(order.push(5, "f1").is_empty());
        assert_eq!(order.finish(), ["e1", "f1"]);
    }

    #[test]
    fn an_episode_without_output_does_not_hold_up_the_next() {
        let mut order: InOrder<u8> = InOrder::new();
        assert!(order.end(1).is_empty() && order.end(0).is_empty());
        assert_eq!(order.push(2, 7), [7]);
    }
}
