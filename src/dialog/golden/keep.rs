//! Requests with older observations that keep rules keep.

use super::*;

/// A request with keep rules that its ledger promises.
fn case(keep: &str, (am, om): (u16, u16), past: usize) -> RequestCase {
    let layout = RequestLayout { keep: keep.parse().unwrap(), ..RequestLayout::default() };
    RequestCase { layout, ..RequestCase::new(am, om, past) }
}

fn proven(case: &RequestCase) -> Request {
    let request = case.request();
    let sent = read_back_without_changes(&request.messages);
    assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()));
    request
}

/// The steps whose images are in a request, in its order.
fn frames(case: &RequestCase) -> Vec<u32> {
    proven(case).messages.iter().flat_map(Message::images).map(|(part, _)| part.step).collect()
}

#[test]
fn each_rule_keeps_its_frames_and_the_window_its_own() {
    let rewarded = |keep, window| RequestCase { rewarded: vec![2, 5], ..case(keep, window, 9) };
    for (keep, window, wanted) in [
        ("", (3, 1), vec![10]),
        ("first", (3, 1), vec![1, 10]),
        ("first", (0, 1), vec![1, 10]),
        ("first", (12, 12), (1..=10).collect()),
        ("every 4", (3, 2), vec![1, 5, 9, 10]),
        ("every 4", (9, 1), vec![1, 5, 9, 10]),
        ("first, every 3", (2, 1), vec![1, 4, 7, 10]),
        ("reward", (3, 1), vec![3, 6, 10]),
        ("new", (3, 1), (1..=10).collect()),
        ("every 2, most 2", (3, 1), vec![7, 9, 10]),
        ("first, every 2, most 2", (3, 1), vec![1, 9, 10]),
        ("first, most 1", (3, 3), vec![1, 8, 9, 10]),
    ] {
        assert_eq!(frames(&rewarded(keep, window)), wanted, "{keep} {window:?}");
    }
    let unchanged = RequestCase { unchanged: vec![2, 4, 10], ..case("new", (3, 1), 9) };
    assert_eq!(frames(&unchanged), [1, 3, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn kept_frames_are_in_their_turns_and_older_ones_in_the_first() {
    use Inclusion::{Included, Kept, OutsideOm};
    let case = case("first, every 4", (3, 1), 9);
    assert_eq!(
        case.render(),
        "system: system up, down\n\
         user: task | an earlier state, that of step 1: | [frame 1:1] | an earlier state, that of step 5: | [frame 5:5] \
         | image not available. | think | format 9\n\
         assistant: out 7\nuser: turn | image not available.\n\
         assistant: out 8\nuser: turn | [frame 9:9]\n\
         assistant: out 9\nuser: turn | [frame 10:10]"
    );
    let ledger = proven(&case).ledger;
    let rows = |rows: &[LedgerRow]| rows.iter().map(|row| (row.step, row.observation)).collect::<Vec<_>>();
    let every = Kept(KeepRule::Every);
    assert_eq!(rows(ledger.rows()), [(10, Included), (9, every), (8, OutsideOm), (7, OutsideOm)]);
    assert_eq!(rows(ledger.kept()), [(5, every), (1, Kept(KeepRule::First))]);
    assert_eq!((ledger.images(), ledger.outputs(), ledger.older()), (4, 3, 6));
}

#[test]
fn texts_of_remembered_states_can_stay_without_their_pictures() {
    let shown = case("text", (2, 1), 4);
    assert!(
        shown.render().ends_with(
            "user: task | board 3 | think | format 9\nassistant: out 3\nuser: turn | board 4\n\
             assistant: out 4\nuser: turn | [frame 5:5]"
        ),
        "{}",
        shown.render()
    );
    assert_eq!(frames(&shown), [5]);
    assert_eq!(frames(&case("first, text", (2, 1), 4)), [1, 5]);
}

#[test]
fn a_kept_frame_can_be_left_out_on_purpose() {
    for (left_out, wanted) in [
        (LeftOut::Frame(1), vec![5, 9, 10]),
        (LeftOut::Row(1), vec![5, 9, 10]),
        (LeftOut::Frame(9), vec![1, 5, 10]),
        (LeftOut::Row(9), vec![1, 5, 10]),
    ] {
        let case = RequestCase { left_out: Some(left_out), ..case("first, every 4", (3, 1), 9) };
        assert_eq!(frames(&case), wanted, "{left_out}");
    }
}

#[test]
fn every_window_with_every_rule_is_proven() {
    for keep in ["first", "every 2", "new", "reward", "text", "first, every 3, text, most 2"] {
        for am in 0..=4 {
            for om in 1..=am.max(1) {
                for past in 0..=7 {
                    let case = RequestCase {
                        rewarded: vec![1, 4],
                        unchanged: vec![3],
                        refused: vec![2],
                        ..case(keep, (am, om), past)
                    };
                    let without =
                        RequestCase { layout: RequestLayout::default(), ..RequestCase::new(am, om, past) };
                    let kept = frames(&case);
                    assert!(
                        frames(&without).iter().all(|step| kept.contains(step)),
                        "{keep} {am} {om} {past}"
                    );
                    assert!(
                        kept.is_sorted_by(|before, after| before < after),
                        "{keep} {am} {om} {past}: {kept:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn rules_are_written_as_they_are_read() {
    for text in ["", "first", "every 5", "first, every 5, new, reward, text, most 8"] {
        let keep: Keep = text.parse().unwrap();
        assert_eq!(keep.to_string(), text);
        assert_eq!(keep.is_empty(), text.is_empty());
    }
    assert_eq!("most 8,text ,  every  5".parse::<Keep>().unwrap().to_string(), "every 5, text, most 8");
    let error = |text: &str| text.parse::<Keep>().unwrap_err().to_string();
    for text in [
        "last",
        "first 3",
        "most 8",
        "text, most 8",
        "every",
        "every 0",
        "every 1001",
        "every x",
        "new, new",
        "every 2, every 3",
    ] {
        assert!(!error(text).is_empty(), "{text}");
    }
    assert_eq!(error("every"), "every needs a number from 1 to 1000, such as `every 5`");
    assert_eq!(
        error("text, most 8"),
        "most N limits what first, every, new or reward keep, and none of these is given"
    );
    assert!(!serde_json::to_string(&RequestLayout::default()).unwrap().contains("keep"));
    let layout = RequestLayout { keep: "first".parse().unwrap(), ..RequestLayout::default() };
    assert_eq!(
        serde_json::from_value::<RequestLayout>(serde_json::to_value(layout).unwrap()).unwrap(),
        layout
    );
}
