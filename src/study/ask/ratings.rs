//! Ratings of the replies of an ask: lines in its folder (`ratings.jsonl`), of which the newest of a call counts.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::error::AskFileError;
use mageyard_domain::Rating;

const RATINGS: &str = "ratings.jsonl";

/// The ratings of the calls, by the index of the variant and the number of the sample.
pub(super) type Ratings = BTreeMap<(usize, u32), Rating>;

#[derive(Serialize, Deserialize)]
struct Line {
    /// From 1.
    variant: usize,
    sample: u32,
    /// `None` takes the rating away.
    rating: Option<Rating>,
}

/// Adds a rating of a call, by the number of its variant and of its sample; `None` takes it away.
pub(super) fn add_rating(
    folder: &Path,
    (variant, sample): (usize, u32),
    rating: Option<Rating>,
) -> Result<(), AskFileError> {
    append(folder, &Line { variant, sample, rating })
}

fn append(folder: &Path, line: &Line) -> Result<(), AskFileError> {
    let path = path_of(folder);
    let disk = AskFileError::disk(&path);
    // One write, after the end of a line that a kill has cut.
    let start = match fs::read(&path) {
        Ok(bytes) if bytes.last().is_some_and(|last| *last != b'\n') => "\n",
        _ => "",
    };
    let text = serde_json::to_string(line).map_err(|error| disk(error.into()))?;
    let mut file = OpenOptions::new().append(true).create(true).open(&path).map_err(&disk)?;
    let bytes = format!("{start}{text}\n");
    file.write_all(bytes.as_bytes()).and_then(|()| file.sync_data()).map_err(&disk)
}

/// The ratings in the folder of an ask. A line that a kill has cut is left out.
pub(super) fn read_ratings(folder: &Path) -> Result<Ratings, AskFileError> {
    let path = path_of(folder);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ratings::new()),
        text => text.map_err(AskFileError::disk(&path))?,
    };
    let mut ratings = Ratings::new();
    for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
        let key = (line.variant.wrapping_sub(1), line.sample);
        match line.rating {
            Some(rating) => ratings.insert(key, rating),
            None => ratings.remove(&key),
        };
    }
    Ok(ratings)
}

fn path_of(folder: &Path) -> PathBuf {
    folder.join(RATINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_rating_of_a_call_counts_and_a_cut_line_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read_ratings(folder.path()).unwrap().is_empty());
        for (variant, sample, rating) in
            [(1, 1, Some(Rating::Good)), (1, 2, Some(Rating::Bad)), (1, 1, Some(Rating::Bad)), (1, 2, None)]
        {
            append(folder.path(), &Line { variant, sample, rating }).unwrap();
        }
        let path = path_of(folder.path());
        let cut = fs::read_to_string(&path).unwrap() + "{\"variant\": 2";
        fs::write(&path, cut).unwrap();
        append(folder.path(), &Line { variant: 2, sample: 3, rating: Some(Rating::Good) }).unwrap();
        let ratings: Vec<_> = read_ratings(folder.path()).unwrap().into_iter().collect();
        assert_eq!(ratings, [((0, 1), Rating::Bad), ((1, 3), Rating::Good)]);
    }
}
