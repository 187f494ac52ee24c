//! The journal of a live episode, cut at every byte: it is restored without its environment, and resumes without a
//! second act.

use std::fs;
use std::time::Duration;

use mageyard_domain::Setting;
use mageyard_engine::{Ending, read_journal, restore};

use super::episode::LiveEpisode;

const TIMEOUT: Duration = Duration::from_secs(20);

/// What a judge and a module say in turn: both forms in one text.
const ANSWERS: [&str; 1] = ["```0.5``` {\"status\": \"doing\", \"description\": \"On the way.\"}"];

/// A changed byte is found wherever it is, in every event of side requests.
#[tokio::test]
async fn a_changed_byte_in_a_journal_with_side_requests_is_found() {
    let live = LiveEpisode::new("asks\njudge ask").reflecting(&ANSWERS);
    let mut driver = live.start();
    tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
    driver.close().await;
    drop(driver);
    let whole = fs::read(live.journal()).unwrap();
    let lines = read_journal(&live.journal()).unwrap().lines.len();
    for at in (0..whole.len()).step_by(3) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(live.journal(), &changed).unwrap();
        if let Ok(read) = read_journal(&live.journal()) {
            assert!(read.lines.len() < lines, "byte {at} was changed and nothing is missing");
        }
    }
}

fn count(bytes: &[u8], event: &str) -> usize {
    String::from_utf8_lossy(bytes).matches(&format!("\"event\":\"{event}\"")).count()
}

#[tokio::test]
async fn a_journal_cut_at_any_byte_is_restored_and_resumes_without_a_second_act() {
    for (setting, faults, stride) in [
        (Setting::Online, "", 1),
        (Setting::Global, "", 1),
        (Setting::Online, "judge", 1),
        (Setting::Online, "asks\njudge ask", 17),
    ] {
        let live = LiveEpisode::with(setting, None, faults);
        let live = if stride > 1 { live.reflecting(&ANSWERS) } else { live };
        let mut driver = live.start();
        tokio::time::timeout(TIMEOUT, driver.run_to_end()).await.unwrap().unwrap();
        driver.close().await;
        drop(driver);
        let whole = fs::read(live.journal()).unwrap();
        let acts = live.acts();
        let head_length = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let is_end = |cut: &usize| whole[*cut - 1] == b'\n';
        for cut in (head_length..=whole.len()).filter(|cut| cut % stride == 0 || is_end(cut)) {
            fs::write(live.journal(), &whole[..cut]).unwrap();
            let end = whole[..cut].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
            let recorded = read_journal(&live.journal()).unwrap();
            let before = live.opened_and_closed();
            let episode = restore(&recorded, live.environment().as_mut()).await.unwrap();
            assert_eq!(live.opened_and_closed(), before, "viewing opens nothing");
            let done = count(&whole[..end], "acted");
            assert_eq!(usize::try_from(episode.steps_done()).unwrap(), done, "cut at {cut}");
            // Bytes of a torn line change nothing, so one cut in it and the one at its end are resumed.
            if cut != end && cut != end + 9 {
                continue;
            }
            let begun = count(&whole[..end], "acting");
            for took_effect in if begun > done { vec![true, false] } else { vec![true] } {
                let made = if took_effect { begun } else { done };
                fs::write(live.journal(), &whole[..cut]).unwrap();
                live.reset_surface(&acts[..made]);
                let mut resumed = live.resume().await;
                tokio::time::timeout(TIMEOUT, resumed.run_to_end()).await.unwrap().unwrap();
                resumed.close().await;
                drop(resumed);
                let journal = fs::read(live.journal()).unwrap();
                assert_eq!(count(&journal, "interrupted"), begun - done, "cut at {cut}");
                let announced = count(&journal, "acting");
                assert_eq!(live.acts().len(), announced - usize::from(!took_effect), "cut at {cut}");
            }
            fs::write(live.journal(), &whole[..cut]).unwrap();
        }
        fs::write(live.journal(), &whole).unwrap();
        let recorded = read_journal(&live.journal()).unwrap();
        let episode = restore(&recorded, live.environment().as_mut()).await.unwrap();
        assert_eq!(episode.ending(), Some(Ending::Won), "{setting}");
    }
}
