//! Requests in which an output and its result are one turn, and those that have the task once.

use super::*;

/// How the results of cells look.
#[derive(Clone, Copy, PartialEq)]
enum Results {
    /// Texts.
    Words,
    /// Texts, then a picture.
    Pictures,
}

/// A step of a task with one text that belongs to the task, and its result.
fn result(step: usize, results: Results) -> Observation {
    let mut parts = vec![
        ObservationPart::Text("the task".into()),
        ObservationPart::Text(format!("result {step}").into()),
    ];
    if results == Results::Pictures {
        parts.extend(observation(step).parts().iter().cloned());
    }
    Observation::from_parts(parts, format!("state {step}"), serde_json::json!({ "task_parts": 1 }))
}

#[derive(Clone, Copy)]
struct HistoryCase {
    layout: RequestLayout,
    window: (u16, u16),
    results: Results,
    left_out: Option<LeftOut>,
    /// The step that has no output.
    silent: Option<usize>,
}

impl HistoryCase {
    fn new(history: History, window: (u16, u16), results: Results) -> Self {
        let layout = RequestLayout { history, task_once: true, ..RequestLayout::default() };
        Self { layout, window, results, left_out: None, silent: None }
    }

    /// The request for the fourth step, which its ledger must promise.
    fn request(self) -> Request {
        let space = ActionSpace::new(&[("Up", ""), ("Down", "")]);
        let past = (1..=3).map(|step| PastStep {
            rewarded: false,
            skipped: self.silent == Some(step),
            problem: None,
            reflection: None,
            observation: result(step, self.results),
            output: (self.silent != Some(step)).then(|| format!("cell {step}").into()),
        });
        let past: Vec<PastStep> = past.collect();
        let prompt = Prompt::parse(PROMPT).unwrap();
        let spec = RequestSpec {
            prompt: &prompt,
            setting: Setting::Online,
            reply_format: &FORM,
            window: Window::new(self.window.0, self.window.1).unwrap(),
            layout: self.layout,
            counts_stable: true,
            left_out: self.left_out,
        };
        let observation = result(4, self.results);
        let current = CurrentStep {
            problem: None,
            reflection: None,
            hint: None,
            number: 4,
            observation: &observation,
            action_space: &space,
            unreadable_replies: &[],
            partial_reply: None,
            steps_left: 9,
        };
        let request = compose(&spec, &past, &current);
        let sent = read_back_without_changes(&request.messages);
        assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()));
        request
    }

    /// Its turns after the system text.
    fn render(self) -> Vec<String> {
        self.request().messages.iter().skip(1).map(render_message).collect()
    }
}

#[test]
fn an_output_and_the_texts_of_its_result_are_one_turn() {
    let case = HistoryCase::new(History::Code, (5, 1), Results::Pictures);
    let gone = "image not available.";
    assert_eq!(
        case.render(),
        [
            format!("user: task | the task | {gone} | think | format 9"),
            format!("assistant: cell 1 | turn | {gone} | cell 2 | turn | {gone} | cell 3 | turn | result 4"),
            "user: [frame 4:4]".to_owned(),
        ]
    );
    let all = HistoryCase { window: (5, 5), ..case };
    assert_eq!(
        all.render(),
        [
            "user: task | the task | result 1 | [frame 1:1] | think | format 9",
            "assistant: cell 1 | turn | result 2",
            "user: [frame 2:2]",
            "assistant: cell 2 | turn | result 3",
            "user: [frame 3:3]",
            "assistant: cell 3 | turn | result 4",
            "user: [frame 4:4]",
        ]
    );
}

#[test]
fn the_newest_result_is_a_turn_of_the_user_if_it_has_no_picture() {
    let case = HistoryCase::new(History::Code, (5, 5), Results::Words);
    assert_eq!(
        case.render(),
        [
            "user: task | the task | result 1 | think | format 9",
            "assistant: cell 1 | turn | result 2 | cell 2 | turn | result 3 | cell 3",
            "user: turn | result 4",
        ]
    );
    let silent = HistoryCase { silent: Some(1), ..case };
    assert_eq!(
        silent.render(),
        [
            "user: task | the task | result 1 | think | format 9 | turn | result 2",
            "assistant: cell 2 | turn | result 3 | cell 3",
            "user: turn | result 4",
        ]
    );
    let last = HistoryCase { silent: Some(3), ..case };
    assert_eq!(last.render().last().unwrap(), "user: turn | result 4");
}

#[test]
fn the_task_is_in_the_first_turn_alone_in_every_window() {
    for history in [History::Turns, History::Code] {
        for am in 0..=4 {
            for om in 1..=am.max(1) {
                let oldest = 4 - u32::from(am).clamp(1, 3);
                for left_out in [
                    None,
                    Some(LeftOut::Row(1)),
                    Some(LeftOut::Row(oldest)),
                    Some(LeftOut::RowPair(1)),
                    Some(LeftOut::RowPair(oldest)),
                    Some(LeftOut::RowPair(2)),
                    Some(LeftOut::FramePair(oldest)),
                ] {
                    let case =
                        HistoryCase { left_out, ..HistoryCase::new(history, (am, om), Results::Pictures) };
                    let turns = case.render();
                    let counts: Vec<usize> =
                        turns.iter().map(|turn| turn.matches("the task").count()).collect();
                    let mut wanted = vec![0; turns.len()];
                    wanted[0] = 1;
                    assert_eq!(counts, wanted, "{history:?} {am} {om} {left_out:?}");
                }
            }
        }
    }
}

#[test]
fn the_ledger_says_where_the_task_is() {
    use Inclusion::{InFirstTurn, Included, LeftOut as Out, OutsideOm};
    let parts = |case: HistoryCase| -> Vec<Vec<Inclusion>> {
        let rows = case.request().ledger;
        rows.rows().iter().map(|row| row.parts.iter().map(|part| part.inclusion).collect()).collect()
    };
    let case = HistoryCase::new(History::Turns, (2, 2), Results::Words);
    assert_eq!(parts(case), [[InFirstTurn, Included], [InFirstTurn, Included], [Included, OutsideOm]]);
    let frame = HistoryCase { left_out: Some(LeftOut::Frame(2)), window: (3, 3), ..case };
    assert_eq!(parts(frame)[2], [InFirstTurn, Out]);
    let row = HistoryCase { left_out: Some(LeftOut::Row(2)), ..case };
    assert_eq!(parts(row), [vec![InFirstTurn, Included], vec![Included, Included], vec![Out, OutsideOm]]);
}
