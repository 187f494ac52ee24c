//! Requests without two neighbours.

use super::*;

const PAIRS: [PartSort; 2] = [PartSort::RowPairs, PartSort::FramePairs];

/// Whether the bytes of a request have what its ledger promises.
fn is_proven(request: &Request) -> bool {
    let sent = read_back_without_changes(&request.messages);
    request.verify(&sent, &|part| Some(encoded_digest(part))) == Ok(())
}

fn but(steps: &[u32], gone: [u32; 2]) -> Vec<u32> {
    steps.iter().copied().filter(|step| !gone.contains(step)).collect()
}

/// Each pair of neighbours of a request is missing without it, and nothing else; the number of pairs.
fn check_pairs(case: &RequestCase) -> usize {
    let complete = case.request();
    let (outputs, frames) = shown(&complete);
    let mut count = 0;
    for part in PAIRS.into_iter().flat_map(|sort| complete.parts_of(sort)) {
        let mut case = case.clone();
        case.left_out = Some(part);
        let request = case.request();
        let expected = match part {
            LeftOut::RowPair(step) => (but(&outputs, [step, step + 1]), but(&frames, [step, step + 1])),
            LeftOut::FramePair(step) => (outputs.clone(), but(&frames, [step, step + 1])),
            other => panic!("{other} is not a pair"),
        };
        assert_eq!(shown(&request), expected, "{part}");
        assert!(is_proven(&request), "{part}");
        let mut roles = request.messages.windows(2);
        assert!(roles.all(|pair| pair[0].role != pair[1].role), "{part}");
        assert!(!request.messages.iter().any(|message| message.parts.is_empty()), "{part}");
        let untrue = Request { messages: complete.messages.clone(), ..request };
        assert!(!is_proven(&untrue), "{part}: a request that still has both");
        count += 1;
    }
    count
}

#[test]
fn exactly_two_neighbours_are_missing_in_every_window() {
    for keep in ["", "first, every 3", "every 2"] {
        for am in 0..=5 {
            for om in 1..=am.max(1) {
                for past in 0..=7 {
                    for (system_role, stable_prefix) in [(true, false), (false, true)] {
                        let keep = keep.parse().unwrap();
                        let layout =
                            RequestLayout { system_role, stable_prefix, keep, ..RequestLayout::default() };
                        let case = RequestCase {
                            layout,
                            refused: vec![2, 3],
                            reflected: past % 2 == 0,
                            ..RequestCase::new(am, om, past)
                        };
                        let count = check_pairs(&case);
                        if keep.is_empty() {
                            let rows = usize::from(am).min(past).saturating_sub(1);
                            let frames = usize::from(om).min(past + 1) - 1;
                            assert_eq!(count, rows + frames, "AM={am} OM={om} t={past}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn two_rows_that_are_left_out_are_as_if_the_steps_had_not_been() {
    let without = |left_out| RequestCase { left_out: Some(left_out), ..RequestCase::new(3, 2, 4) }.render();
    let first = "system: system up, down\nuser: task | image not available. | think | format 9";
    assert_eq!(without(LeftOut::RowPair(3)), format!("{first}\nassistant: out 2\nuser: turn | [frame 5:5]"));
    assert_eq!(
        without(LeftOut::RowPair(2)),
        format!(
            "{}\nassistant: out 4\nuser: turn | [frame 5:5]",
            first.replace("image not available.", "[frame 4:4]")
        )
    );
    assert!(without(LeftOut::FramePair(4)).ends_with(
        "out 3\nuser: turn | image not available.\nassistant: out 4\nuser: turn | image not available."
    ));
}

#[test]
fn steps_that_a_keep_rule_keeps_are_neighbours_if_their_numbers_are() {
    let layout = RequestLayout { keep: "first, every 2".parse().unwrap(), ..RequestLayout::default() };
    // Frames 1, 3 and 5 are kept, and 6 is the present one.
    let request = RequestCase { layout, ..RequestCase::new(3, 1, 5) }.request();
    assert_eq!(request.parts_of(PartSort::FramePairs), [LeftOut::FramePair(5)]);
    assert_eq!(request.parts_of(PartSort::RowPairs), [LeftOut::RowPair(3), LeftOut::RowPair(4)]);
}

#[test]
fn pairs_are_stored_with_their_older_step() {
    for (part, stored, shown) in [
        (LeftOut::RowPair(3), r#"{"row_pair":3}"#, "rows 3 and 4"),
        (LeftOut::FramePair(3), r#"{"frame_pair":3}"#, "frames 3 and 4"),
        (LeftOut::Row(3), r#"{"row":3}"#, "row 3"),
    ] {
        assert_eq!((serde_json::to_string(&part).unwrap(), part.to_string()), (stored.into(), shown.into()));
        assert_eq!(serde_json::from_str::<LeftOut>(stored).unwrap(), part);
    }
}
