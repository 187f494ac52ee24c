//! How the time of a reading grows. Goals for the script alone: 60 ms at 1,000 elements, 3 s at 100,000.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use mageyard::envs::web::page::TreeForm;

use super::opened::Opened;
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web_page::time_grows_with_the_page_not_with_its_square", time_grows_with_the_page),
        trial("web_page::deep_pages_are_read", deep_pages_are_read),
    ]
}

async fn time_grows_with_the_page() {
    let opened = Opened::empty().await;
    let mut times: Vec<Duration> = Vec::new();
    for count in [2_000, 20_000] {
        let items: Vec<_> =
            (0..count / 2).map(|index| format!("<li><a href=/{index}>Item {index}</a></li>")).collect();
        let items = items.concat();
        opened.show(&format!("<!doctype html><title>t</title><ul>{items}</ul>")).await;
        let begin = Instant::now();
        let reading = opened.read(TreeForm::Visible, 3_000).await;
        times.push(begin.elapsed());
        assert_eq!(reading.elements.len() + reading.cut, count / 2);
    }
    println!("2,000 and 20,000 elements: {times:?}");
    // Ten times the elements; a quadratic step would make it a hundred times.
    assert!(times[1] < times[0] * 50 + Duration::from_secs(2), "{times:?}");
}

/// Names of nested buttons contain each other.
async fn deep_pages_are_read() {
    let opened = Opened::new(
        "<p>Top</p><script>let at = document.body; for (let i = 0; i < 1500; i++) { const next = document.createElement('div'); \
         next.setAttribute('role', 'button'); next.append(`word ${i}`); at.append(next); at = next; }</script>",
    )
    .await;
    let reading = opened.read(TreeForm::Visible, 3_000).await;
    let buttons = reading.elements.iter().filter(|element| element.role == "button").count();
    assert_eq!(buttons, 1_500);
    let longest = reading.elements.iter().map(|element| element.label.chars().count()).max();
    assert!(longest.is_some_and(|longest| longest < 1_100), "{longest:?}");
    assert!(reading.lines.iter().all(|line| line.len() < 1_200));
}
