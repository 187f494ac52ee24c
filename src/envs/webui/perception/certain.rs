//! Which elements can be seen for sure. A snapshot does not have what covers what: an overlay, a slide below another one, the back
//! of a card.

use std::collections::HashMap;

use super::list::{Kind, Listed, PageList, contains};

impl PageList {
    /// The elements that nothing can cover: no later background or image has all of their areas, and they are not within one of
    /// several of equal area, of which only one may be in front.
    pub(super) fn certain(&self) -> Vec<&Listed> {
        let painted: Vec<&Listed> = self.elements.iter().filter(|one| covers(one)).collect();
        let mut counts: HashMap<[i32; 4], usize> = HashMap::new();
        for one in &painted {
            *counts.entry(one.area).or_default() += 1;
        }
        let stacks: Vec<[i32; 4]> =
            counts.into_iter().filter(|(_, count)| *count > 1).map(|(area, _)| area).collect();
        let is_covered = |one: &Listed| {
            painted.iter().any(|other| other.number > one.number && contains(other.area, one.area))
        };
        let is_stacked = |one: &Listed| stacks.iter().any(|area| contains(*area, one.area));
        self.elements.iter().filter(|one| !is_covered(one) && !is_stacked(one)).collect()
    }

    /// Whether all elements of a kind can be seen for sure.
    pub(super) fn is_certain(&self, kind: Kind) -> bool {
        let of_kind = |one: &&Listed| one.kind == kind;
        self.certain().into_iter().filter(of_kind).count() == self.elements.iter().filter(of_kind).count()
    }
}

/// Whether an element can cover what is behind it.
fn covers(one: &Listed) -> bool {
    one.kind == Kind::Image || one.look.iter().any(|word| word.starts_with("background "))
}
