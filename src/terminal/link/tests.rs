//! Frames, answers and their times.

use super::*;

const MS: Duration = Duration::from_millis(1);

fn link(setting: LinkSetting, remote: bool) -> Link {
    Link::new(setting, remote, true, LinkProbe::default())
}

#[test]
fn on_this_machine_nothing_is_asked_and_nothing_waits() {
    for (setting, remote) in [(LinkSetting::Auto, false), (LinkSetting::Fast, true)] {
        let mut link = link(setting, remote);
        let now = Instant::now();
        link.sent(100_000, now);
        assert_eq!((link.asks(), link.busy_until(now), link.pace()), (false, None, None));
        assert!(!link.is_slow());
    }
}

#[test]
fn one_frame_at_a_time_is_on_its_way() {
    let mut link = link(LinkSetting::Auto, true);
    let now = Instant::now();
    assert!(link.asks() && link.busy_until(now).is_none());
    link.sent(500, now);
    assert!(link.busy_until(now + 100 * MS).is_some());
    link.answered(now + 150 * MS);
    assert_eq!(link.busy_until(now + 150 * MS), None);
    assert_eq!(link.round_trip, Some(150 * MS));
    link.sent(0, now);
    assert_eq!(link.busy_until(now), None, "nothing was written");
}

#[test]
fn the_rate_decides_and_changes_the_speed() {
    let mut link = link(LinkSetting::Auto, true);
    let mut now = Instant::now();
    let mut frame = |link: &mut Link, bytes: usize, time: Duration| {
        link.sent(bytes, now);
        now += time;
        link.answered(now);
    };
    frame(&mut link, 100, 50 * MS);
    assert!(!link.is_slow() && link.rate.is_none(), "too few bytes to tell");
    frame(&mut link, 6_000, 4_050 * MS);
    assert!(link.is_slow() && link.rate.is_some_and(|rate| (rate - 1_500.0).abs() < 1.0));
    let pace = link.pace().unwrap();
    assert_eq!((pace.part_bytes, pace.change_bytes.round()), (600.0, 1_500.0));
    assert_eq!(link.describe(), "slow: measured, 1.5 KB/s, round trip 50 ms");
    for _ in 0..8 {
        frame(&mut link, 40_000, 1_050 * MS);
    }
    assert!(link.is_slow(), "between the two limits it stays as it is");
    for _ in 0..8 {
        frame(&mut link, 100_000, 1_050 * MS);
    }
    assert!(!link.is_slow() && link.pace().is_some_and(|pace| pace.part_bytes > 10_000.0), "{link:?}");
}

#[test]
fn a_terminal_that_does_not_answer_is_asked_no_more() {
    let mut link = link(LinkSetting::Slow, true);
    let mut now = Instant::now();
    for _ in 0..MAX_MISSED {
        assert!(link.asks());
        link.sent(1_000, now);
        let until = link.busy_until(now).unwrap();
        assert_eq!(until, now + PATIENCE + 2_000 * MS);
        now = until;
        assert_eq!(link.busy_until(now), None);
    }
    assert!(!link.asks() && link.is_slow());
    link.sent(1_000, now);
    assert_eq!(link.busy_until(now), Some(now + 250 * MS), "the time at the assumed rate");
    link.answered(now + MS);
    assert!(link.busy_until(now + MS).is_some(), "nothing was asked");
}

#[test]
fn a_late_second_answer_at_the_start_is_a_slow_link() {
    let measured = |probe| Link::new(LinkSetting::Auto, true, true, probe).is_slow();
    let first = LinkProbe { round_trip: Some(100 * MS), ..LinkProbe::default() };
    assert!(measured(LinkProbe { is_late: true, ..first }));
    assert!(measured(LinkProbe { rate: Some(10_000.0), ..first }));
    assert!(!measured(LinkProbe { rate: Some(1e6), ..first }));
    assert!(!measured(LinkProbe::default()), "nothing was measured");
    let local = Link::new(LinkSetting::Auto, false, true, LinkProbe { is_late: true, ..first });
    assert!(
        !local.is_slow() && local.describe() == "fast: the terminal is on this machine, round trip 100 ms"
    );
}

#[test]
fn the_bytes_of_a_step_are_those_until_the_next() {
    let mut traffic = Traffic::default();
    let now = Instant::now();
    traffic.add(5_000, 1, now);
    traffic.add(1_200, 2, now + 10_000 * MS);
    traffic.add(300, 2, now + 10_001 * MS);
    traffic.add(450, 3, now + 10_002 * MS);
    let words = traffic.describe(now + 10_002 * MS);
    assert_eq!(words, "0.5 KB this step, 1.5 KB the last, 0.4 KB/s, 7.0 KB in all");
}

#[test]
fn a_link_without_an_answer_in_time_is_not_called_measured() {
    let late = LinkProbe { is_late: true, ..LinkProbe::default() };
    let mut link = Link::new(LinkSetting::Auto, true, true, late);
    assert_eq!(link.describe(), "slow: the terminal did not answer in time");
    let now = Instant::now();
    link.sent(4_000, now);
    link.answered(now + 2_000 * MS);
    assert!(link.describe().starts_with("slow: measured, "), "{}", link.describe());
    assert_eq!(
        Link::new(LinkSetting::Auto, true, true, LinkProbe::default()).describe(),
        "fast: not measured"
    );
}
