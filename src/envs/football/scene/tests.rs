//! The text form of scenes, its errors, and what the check finds.

use super::{Scene, check, passing, text};

/// Three against two; positions of our own.
const SMALL: &str = "scene R5_T_1\nball 0 0\nleft GK -0.98 0\nleft CM -0.025 0.004\nleft CF 0.2 0.2\nleft LM 0.2 -0.2\n\
                     right GK -0.98 0\nright CB -0.7 0.3";

fn scene(text: &str) -> Scene {
    text::read_one(text).unwrap()
}

#[test]
fn scenes_are_numbered_titled_and_written_as_they_are_read() {
    let more = SMALL.replace("R5_T_1", "other");
    let file = format!("\u{feff}; a file\r\n\n{SMALL} ; last\r\n; comment\n\n  {more}\n");
    let levels = text::levels(&file).unwrap();
    let facts: Vec<_> = levels.iter().map(|level| (level.number, level.label())).collect();
    assert_eq!(facts, [(1, "R5_T_1".to_owned()), (2, "other".to_owned())]);
    assert_eq!((levels[0].text(), levels[1].text()), (SMALL, more.as_str()));
    let written = text::write(&levels).unwrap();
    assert_eq!(text::levels(&written).unwrap(), levels);
    assert!(text::looks_like_scenes(file.as_bytes()) && !text::looks_like_scenes(b"#@$.#"));
}

#[test]
fn a_title_becomes_the_name_of_the_written_scene() {
    let mut levels = text::levels(SMALL).unwrap();
    levels[0].title = Some("R5_T-7".into());
    assert!(text::write(&levels).unwrap().starts_with("scene R5_T-7\nball 0 0\n"));
    levels[0].title = Some("two words".into());
    assert!(text::write(&levels).unwrap_err().to_string().contains("level 1: name: \"two words\""));
}

/// The small scene with one line changed, and its lines counted from 1.
fn changed(line: usize, row: &str) -> String {
    let mut rows: Vec<&str> = SMALL.lines().collect();
    rows[line - 1] = row;
    rows.join("\n")
}

#[test]
fn a_bad_scene_is_refused_with_line_field_and_reason() {
    let crowd = (0..11).fold(SMALL.to_owned(), |text, index| text + &format!("\nleft CM 0.5 0.{index:02}"));
    let errors = [
        (String::new(), 1, "the file has no scene: a scene is `scene NAME`"),
        ("ball 0 0".into(), 1, "\"ball\" before the first scene"),
        (changed(1, "scene"), 1, "name: missing; write `scene NAME`"),
        (changed(1, "scene \u{1b}[2J"), 1, "name: \"\\u{1b}[2J\" is not a name"),
        (changed(2, ""), 1, "ball: missing; write `ball X Y`"),
        (changed(2, "ball 0"), 2, "ball: expected two numbers, x and y"),
        (changed(2, "ball nan 0"), 2, "ball x: \"nan\" is not a number"),
        (changed(2, "ball 0 0.5"), 2, "ball y: 0.5 is outside the pitch; a ball is from -0.4306 to 0.4306"),
        (changed(3, "ball 0 0"), 3, "ball: a second ball"),
        (
            changed(3, "left CB -0.98 0"),
            3,
            "role: CB cannot be the first of left; the first is the keeper, GK",
        ),
        (changed(4, "left GK -0.5 0"), 4, "role: left has a keeper already"),
        (changed(4, "left XX 0 0"), 4, "role: \"XX\" is not one of GK, CB, LB, RB, DM, CM, LM, RM, AM, CF"),
        (changed(4, "left CM 1.2 0"), 4, "x: 1.2 is outside the pitch; a player is from -1.0182 to 1.0182"),
        (changed(4, "left CM 0 -0.5"), 4, "y: -0.5 is outside the pitch"),
        (changed(4, "left CM 0"), 4, "left: expected a role and two numbers, x and y"),
        (changed(4, "left CM 1e999 0"), 4, "x: \"1e999\" is not a number"),
        (changed(4, "up CM 0 0"), 4, "\"up\" is unknown: a scene is"),
        (crowd, 16, "left: too many players; a team has at most 11"),
        (SMALL.lines().take(3).collect::<Vec<_>>().join("\n"), 1, "left: players are missing"),
        (SMALL.lines().take(6).collect::<Vec<_>>().join("\n"), 1, "right: players are missing"),
        (format!("{SMALL}\n{SMALL}"), 9, "name: scene 1 has the name R5_T_1 already"),
    ];
    for (text, line, reason) in errors {
        let error = text::levels(&text).unwrap_err();
        assert!(error.reason.contains(reason), "{text}\n{error}");
        assert_eq!(error.line, line, "{text}\n{error}");
    }
}

#[test]
fn every_error_of_a_file_is_found() {
    let text = format!("{}\n{}", changed(2, "ball 9 0"), changed(4, "left CM x 0").replace("R5_T_1", "b"));
    let errors = text::errors(&text);
    let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [2, 12], "{errors:?}");
}

#[test]
fn the_check_finds_zone_kind_carrier_and_overlap() {
    assert_eq!(check::faults(&scene(SMALL)), [""; 0]);
    assert_eq!(passing::free_mates(&scene(SMALL)), [2, 3]);
    for (line, row, says) in [
        (1, "scene R4_T_1", "ball: (0, 0) lies in zone R5, and the name says R4"),
        (1, "scene R5_P_1", "kind P: teammates who are free: 2; none may be"),
        (6, "left LM -0.9 -0.2", "kind T: teammates who are free: 1; at least 2 must be"),
        (4, "left CM -0.1 0", "carrier: the nearest player of left is 5.50 m from the ball"),
        (8, "right CB 0.7 -0.3", "player 2 of right"),
    ] {
        let text = if line == 8 { changed(8, "right CB -0.2 -0.205") } else { changed(line, row) };
        let faults = check::faults(&scene(&text)).join("\n");
        assert!(faults.contains(says), "{says}: {faults}");
    }
}

#[test]
fn an_opponent_on_the_line_makes_a_pass_unsafe() {
    let free = passing::odds([0.0, 0.0], [12.0, 0.0], &[[30.0, 20.0]]);
    let blocked = passing::odds([0.0, 0.0], [12.0, 0.0], &[[6.0, 0.5]]);
    assert_eq!((free, blocked), (1.0, 0.0));
    assert_eq!(passing::odds([0.0, 0.0], [40.0, 0.0], &[]), 0.0, "too far");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(scene a|ball |left |right |GK |CM |-?0\\.[0-9]|[ ;\n]|x){0,40}") {
        for level in text::levels(&text).unwrap_or_default() {
            proptest::prop_assert_eq!(text::print(&scene(level.text())), level.text());
        }
    }
}
