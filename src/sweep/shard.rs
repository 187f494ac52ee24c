//! Shards: parts of a sweep for machines without a shared folder, by the names of the cells.

use std::fmt;
use std::str::FromStr;

use mageyard_domain::Digest;

/// The part `number` of `count`, from 1. A cell is in exactly one part; which one depends on its name alone, so it stays
/// there when the sweep gets more cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    count: u32,
}

impl Shard {
    /// Whether the cell is in this part.
    pub fn has(self, cell: &str) -> bool {
        part_of(cell, self.count) + 1 == self.number
    }
}

/// The part of a cell, from 0: the first eight bytes of the digest of its name, modulo the number of parts.
fn part_of(cell: &str, count: u32) -> u32 {
    let digest = Digest::of(cell.as_bytes()).to_string();
    let beginning = digest.get(..16).and_then(|text| u64::from_str_radix(text, 16).ok()).unwrap_or_default();
    u32::try_from(beginning % u64::from(count)).unwrap_or_default()
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Self { number, count }),
            _ => Err("write N/COUNT, such as 2/8 for the second of eight parts".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_one_part_and_the_parts_are_about_equal() {
        let cells: Vec<String> = (0..2000).map(|number| format!("am-{number}-0a1b2c")).collect();
        let parts: Vec<Shard> = (1..=4).map(|number| format!("{number}/4").parse().unwrap()).collect();
        let sizes = parts.iter().map(|part| cells.iter().filter(|cell| part.has(cell)).count());
        let sizes: Vec<usize> = sizes.collect();
        assert_eq!(sizes.iter().sum::<usize>(), 2000);
        assert!(sizes.iter().all(|size| (400..600).contains(size)), "{sizes:?}");
        assert!(cells.iter().all(|cell| "1/1".parse::<Shard>().unwrap().has(cell)));
    }

    /// Stores of older versions stay together with those of newer ones.
    #[test]
    fn the_part_of_a_cell_never_changes() {
        let parts = ["am-1-om-1-0a1b2c", "am-5-om-1-77ffee", "x"].map(|cell| part_of(cell, 1000));
        assert_eq!(parts, [114, 856, 900]);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
    }
}
