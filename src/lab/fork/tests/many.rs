//! Many branches of one episode.

use std::time::SystemTime;

use super::*;

/// The bytes of the files below a folder.
fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let size = |entry: std::fs::DirEntry| {
        let about = entry.metadata().unwrap();
        if about.is_dir() { bytes_below(&entry.path()) } else { about.len() }
    };
    entries.map(size).sum()
}

#[tokio::test]
async fn a_thousand_branches_of_a_long_episode_store_only_their_own_lines_and_are_listed() {
    let played = played("sokoban/full/3", 300, 7).await;
    let folder = played.journal.parent().unwrap();
    let before = bytes_below(folder);
    let written = std::fs::metadata(&played.journal).and_then(|about| about.modified()).unwrap();
    for number in 0..1000 {
        let step = 1 + number % 300;
        let made = fork(&played, &played.journal, &at(step), &played.config).await.unwrap();
        assert_eq!(made.episode.driver.episode().steps_done() + 1, step);
    }
    let each = (bytes_below(folder) - before) / 1000;
    assert!(each < 4096, "{each} bytes a branch");
    let unchanged: SystemTime =
        std::fs::metadata(&played.journal).and_then(|about| about.modified()).unwrap();
    assert_eq!(unchanged, written, "the episode itself is never written again");
    let branches = Branch::all(&played.journal).unwrap();
    assert_eq!(branches.len(), 1001);
    assert!(branches[1..].iter().all(|branch| branch.steps.len() <= 1), "only a step that is not decided");
}
