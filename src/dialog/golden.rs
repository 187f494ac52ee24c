//! Golden requests: the messages of every window at the first steps.

use std::fmt::Write;
use std::sync::Arc;

mod history;
mod keep;
mod pairs;

use super::*;
use mageyard_domain::{
    ActProblem, ActionSpace, DecodedPart, DecodedTurn, Digest, Message, MessagePart, Observation,
    ObservationPart, PartId, Picture, ReplyFormat, Role, Segment, Setting, Window,
};

const PROMPT: &str = "+++\nname = \"test\"\nsummary = \"a test\"\n+++\n## system\nSYSTEM {actions}\n## task\nTASK\n## cot\nTHINK\n## io\nFORMAT {steps_left}\n## turn\nTURN\n## placeholder\nimage not available.\n## retry\nAGAIN\n";
const FORM: ReplyFormat = ReplyFormat::headings("# analyze", "# action", false);

fn observation(step: usize) -> Observation {
    let shade = u8::try_from(step).unwrap();
    let picture = Picture::new(1, 1, 1, vec![shade; 3]).unwrap();
    Observation::from_parts(vec![ObservationPart::Image(Arc::new(picture))], format!("board {step}"), ())
}

#[derive(Clone)]
struct RequestCase {
    prompt: Prompt,
    window: Window,
    layout: RequestLayout,
    past: usize,
    unreadable_replies: Vec<Arc<str>>,
    partial_reply: Option<Arc<str>>,
    left_out: Option<LeftOut>,
    /// The step that ended without an action.
    skipped: Option<usize>,
    /// The steps whose action was refused.
    refused: Vec<usize>,
    /// Whether a module has said something of each state.
    reflected: bool,
    /// The steps whose action had a reward above 0.
    rewarded: Vec<usize>,
    /// Steps that show the state of the step before.
    unchanged: Vec<usize>,
}

impl RequestCase {
    fn new(am: u16, om: u16, past: usize) -> Self {
        let prompt = Prompt::parse(PROMPT).unwrap();
        Self {
            prompt,
            window: Window::new(am, om).unwrap(),
            layout: RequestLayout::default(),
            past,
            unreadable_replies: vec![],
            partial_reply: None,
            left_out: None,
            skipped: None,
            refused: vec![],
            reflected: false,
            rewarded: vec![],
            unchanged: vec![],
        }
    }

    fn observation(&self, step: usize) -> Observation {
        observation(if self.unchanged.contains(&step) { step - 1 } else { step })
    }

    fn problem(&self, step: usize) -> Option<ActProblem> {
        self.refused.contains(&step).then(|| ActProblem::Refused(format!("why {step}").into()))
    }

    fn request(&self) -> Request {
        let space = ActionSpace::new(&[("Up", ""), ("Down", "")]);
        let past: Vec<PastStep> = (1..=self.past)
            .map(|step| PastStep {
                rewarded: self.rewarded.contains(&step),
                skipped: self.skipped == Some(step),
                problem: self.problem(step),
                reflection: self.reflected.then(|| format!("said {step}").into()),
                observation: self.observation(step),
                output: Some(format!("out {step}").into()),
            })
            .collect();
        let spec = RequestSpec {
            prompt: &self.prompt,
            setting: Setting::Online,
            reply_format: &FORM,
            window: self.window,
            layout: self.layout,
            counts_stable: true,
            left_out: self.left_out,
        };
        let observation = self.observation(self.past + 1);
        let problem = self.problem(self.past);
        let reflection = self.reflected.then(|| format!("said {}", self.past + 1).into());
        let current = CurrentStep {
            problem: problem.as_ref(),
            reflection: reflection.as_ref(),
            hint: None,
            number: u32::try_from(self.past + 1).unwrap(),
            observation: &observation,
            action_space: &space,
            unreadable_replies: &self.unreadable_replies,
            partial_reply: self.partial_reply.as_ref(),
            steps_left: 9,
        };
        compose(&spec, &past, &current)
    }

    fn render(&self) -> String {
        self.request().messages.iter().map(render_message).collect::<Vec<_>>().join("\n")
    }
}

fn render_message(message: &Message) -> String {
    let part = |part: &MessagePart| match part {
        MessagePart::Text(_, text) => text.to_string(),
        MessagePart::Image(part, picture) => {
            format!("[frame {}:{}]", part.step, picture.pixels().unwrap()[0])
        }
    };
    let parts: Vec<_> = message.parts.iter().map(part).collect();
    format!("{:?}: {}", message.role, parts.join(" | ")).to_lowercase()
}

#[test]
fn the_turn_after_a_step_without_an_action_says_so() {
    let case = RequestCase { skipped: Some(2), ..RequestCase::new(5, 1, 3) };
    assert!(case.render().contains("out 2\nuser: turn |"), "a prompt without the segment: {}", case.render());
    let prompt = Prompt::parse(&format!("{PROMPT}## skipped\nNOTHING DONE\n")).unwrap();
    let case = RequestCase { prompt, ..case };
    assert!(
        case.render().ends_with(
            "out 1\nuser: turn | image not available.\nassistant: out 2\nuser: nothing done | image not available.\n\
             assistant: out 3\nuser: turn | [frame 4:4]"
        ),
        "{}",
        case.render()
    );
    let layout = RequestLayout { exact_words: false, ..RequestLayout::default() };
    let case = RequestCase { layout, ..case };
    assert!(!case.render().contains("nothing"), "as sent by earlier versions: {}", case.render());
    let layout = RequestLayout::default();
    let without = RequestCase { left_out: Some(LeftOut::Segment(Segment::Turn)), layout, ..case };
    assert!(!without.render().contains("turn") && !without.render().contains("nothing"));
}

#[test]
fn the_last_action_is_counted_in_the_singular() {
    let prompt = Prompt::parse(&PROMPT.replace("TASK", "You have {actions_left} left.")).unwrap();
    let form = &FORM;
    let space = ActionSpace::new(&[("Up", "")]);
    let task = |steps_left, exact_words| {
        let values = VariableValues { action_space: &space, reply_format: form, steps_left, exact_words };
        prompt.fill(Segment::Task, Setting::Online, &values).to_string()
    };
    assert_eq!([task(1, true), task(2, true)], ["You have 1 action left.", "You have 2 actions left."]);
    assert_eq!(task(1, false), "You have 1 actions left.", "as sent by earlier versions");
    assert!(prompt.changes_every_step(Segment::Task, Setting::Online));
}

/// The sample request of the paper: AM=5, OM=1, without a system role.
#[test]
fn the_sample_request_of_the_paper_is_reproduced() {
    let case = RequestCase {
        layout: RequestLayout { system_role: false, ..RequestLayout::default() },
        ..RequestCase::new(5, 1, 7)
    };
    let expected = "\
user: system up, down | task | image not available. | think | format 9
assistant: out 3
user: turn | image not available.
assistant: out 4
user: turn | image not available.
assistant: out 5
user: turn | image not available.
assistant: out 6
user: turn | image not available.
assistant: out 7
user: turn | [frame 8:8]";
    assert_eq!(case.render(), expected);
}

#[test]
fn am_3_and_om_2_keep_three_outputs_and_two_frames() {
    let text = RequestCase::new(3, 2, 6).render();
    let expected = "\
system: system up, down
user: task | image not available. | think | format 9
assistant: out 4
user: turn | image not available.
assistant: out 5
user: turn | [frame 6:6]
assistant: out 6
user: turn | [frame 7:7]";
    assert_eq!(text, expected);
}

#[test]
fn every_legal_window_at_the_first_steps() {
    let mut golden = String::new();
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let case = RequestCase::new(am, om, past);
            writeln!(golden, "== AM={am} OM={om} t={past}\n{}\n", case.render()).unwrap();
            let request = case.request();
            let frames = request.messages.iter().flat_map(Message::images).count();
            assert_eq!(frames, request.ledger.images(), "AM={am} OM={om} t={past}");
            assert_eq!(frames, usize::from(om).min(past + 1), "AM={am} OM={om} t={past}");
        }
    }
    insta::assert_snapshot!(golden);
}

#[test]
fn dropped_frames_can_be_omitted() {
    let layout = RequestLayout { dropped_frame: DroppedFrame::Omit, ..RequestLayout::default() };
    let text = RequestCase { layout, ..RequestCase::new(1, 1, 3) }.render();
    assert_eq!(
        text,
        "system: system up, down\nuser: task | think | format 9\nassistant: out 3\nuser: turn | [frame 4:4]"
    );
}

#[test]
fn an_empty_reply_is_a_placeholder_unless_the_layout_keeps_it() {
    for (empty_reply, text) in [(EmptyReply::Placeholder, "(empty reply)"), (EmptyReply::Keep, " ")] {
        let layout = RequestLayout { empty_reply, ..RequestLayout::default() };
        let replies = vec![Arc::from(" "), Arc::from("x")];
        let case = RequestCase { layout, unreadable_replies: replies, ..RequestCase::new(0, 1, 0) };
        let messages = case.request().messages;
        let outputs = messages.iter().filter(|message| message.role == Role::Assistant);
        assert_eq!(outputs.map(Message::text).collect::<Vec<_>>(), [text, "x"]);
    }
    // Requests of older recordings stay the same.
    let old: RequestLayout =
        serde_json::from_str(r#"{"system_role": true, "dropped_frame": "placeholder"}"#).unwrap();
    assert_eq!(old.empty_reply, EmptyReply::Keep);
    assert!(!serde_json::to_string(&old).unwrap().contains("empty_reply"));
}

#[test]
fn a_prompt_without_images_sends_state_text_for_the_same_steps() {
    let prompt = Prompt::parse(&PROMPT.replace("+++\n## system", "images = false\n+++\n## system")).unwrap();
    let case = RequestCase { prompt, ..RequestCase::new(3, 2, 6) };
    let request = case.request();
    assert_eq!(request.messages.iter().flat_map(Message::images).count(), 0);
    assert_eq!(request.ledger.images(), 0);
    let lines = case.render();
    assert!(
        lines.ends_with("assistant: out 5\nuser: turn | board 6\nassistant: out 6\nuser: turn | board 7"),
        "{lines}"
    );
    assert!(!lines.contains("board 5"), "{lines}");
}

/// Whether each past step's output and the parts of its observation are in a request.
fn ledger_rows(request: &Request) -> Vec<(u32, Inclusion, Inclusion)> {
    request.ledger.rows().iter().map(|row| (row.step, row.output, row.observation)).collect()
}

#[test]
fn a_request_without_history_is_one_turn_and_its_ledger_says_where_the_output_is() {
    let layout = RequestLayout { history: History::State, ..RequestLayout::default() };
    for (past, rows) in [
        (0, vec![(1, Inclusion::Absent, Inclusion::Included)]),
        (3, vec![(4, Inclusion::Absent, Inclusion::Included), (3, Inclusion::AsFiles, Inclusion::OutsideOm)]),
    ] {
        let case = RequestCase { layout, ..RequestCase::new(1, 1, past) };
        let now = past + 1;
        assert_eq!(
            case.render(),
            format!("system: system up, down\nuser: task | [frame {now}:{now}] | think | format 9")
        );
        let request = case.request();
        assert_eq!((ledger_rows(&request), request.stable), (rows, 1));
        let sent = read_back_without_changes(&request.messages);
        assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()));
    }
    let retried = RequestCase { layout, unreadable_replies: vec!["no".into()], ..RequestCase::new(1, 1, 3) };
    assert!(retried.render().ends_with("format 9\nassistant: no\nuser: again"), "{}", retried.render());
    let stored = serde_json::to_value(layout).unwrap();
    assert_eq!(stored["history"], "state");
    assert!(!serde_json::to_string(&RequestLayout::default()).unwrap().contains("history"));
}

#[test]
fn what_a_module_said_of_a_state_stands_before_it() {
    use Inclusion::{Included, OldFeedback};
    let case = RequestCase { reflected: true, ..RequestCase::new(1, 1, 2) };
    let now = "task | said 2 | image not";
    assert!(case.render().contains(now), "{}", case.render());
    assert!(case.render().ends_with("user: turn | said 3 | [frame 3:3]"), "{}", case.render());
    let kept = |case: &RequestCase| {
        let request = case.request();
        let sent = read_back_without_changes(&request.messages);
        assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()));
        request.ledger.rows().iter().map(|row| row.reflection).collect::<Vec<_>>()
    };
    assert_eq!(kept(&case), [Included; 2]);
    let case = RequestCase { reflected: true, ..RequestCase::new(3, 1, 2) };
    assert_eq!(kept(&case), [Included; 3]);
    let layout = RequestLayout { feedback: FeedbackMemory::Newest, ..RequestLayout::default() };
    assert_eq!(kept(&RequestCase { layout, ..case }), [Included, OldFeedback, OldFeedback]);
}

#[test]
fn the_turn_after_an_action_that_was_refused_says_why() {
    use Inclusion::{Absent, Included, OldFeedback};
    let case = RequestCase { refused: vec![1, 3], ..RequestCase::new(2, 1, 3) };
    let now = "assistant: out 3\nuser: turn | your last action was refused: why 3 | [frame 4:4]";
    assert!(case.render().ends_with(now), "{}", case.render());
    assert!(!case.render().contains("why 1"), "its output is not remembered: {}", case.render());
    let feedback = |case: &RequestCase| {
        let request = case.request();
        let sent = read_back_without_changes(&request.messages);
        assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()));
        request.ledger.rows().iter().map(|row| row.feedback).collect::<Vec<_>>()
    };
    let prompt = Prompt::parse(&format!("{PROMPT}## feedback\nIT {{outcome}} AS {{reason}}\n")).unwrap();
    let case = RequestCase { prompt, ..RequestCase::new(3, 1, 3) };
    let case = RequestCase { refused: vec![1, 3], ..case };
    assert!(
        case.render().contains("out 1\nuser: turn | it was refused as why 1 | image not"),
        "{}",
        case.render()
    );
    assert_eq!(feedback(&case), [Included, Absent, Included, Absent]);
    let layout = RequestLayout { feedback: FeedbackMemory::Newest, ..RequestLayout::default() };
    let newest = RequestCase { layout, ..case };
    assert!(!newest.render().contains("why 1") && newest.render().contains("why 3"), "{}", newest.render());
    assert_eq!(feedback(&newest), [Included, Absent, OldFeedback, Absent]);
    let none = RequestCase { window: Window::new(0, 1).unwrap(), layout: RequestLayout::default(), ..newest };
    assert_eq!(feedback(&none), [Included]);
    assert!(
        none.render().contains("task | it was refused as why 3 | [frame 4:4] | think"),
        "{}",
        none.render()
    );
    let left_out = RequestCase { left_out: Some(LeftOut::Segment(Segment::Feedback)), ..none };
    assert!(!left_out.render().contains("why 3"), "{}", left_out.render());
    feedback(&left_out);
    let mut dishonest = left_out.request();
    dishonest.left_out = None;
    let sent = read_back_without_changes(&dishonest.messages);
    let refused = dishonest.verify(&sent, &|part| Some(encoded_digest(part))).unwrap_err();
    assert!(
        refused.0.contains("feedback texts: the memory ledger includes 1, the messages have 0"),
        "{refused}"
    );
}

#[test]
fn a_reply_that_is_continued_is_the_last_output() {
    let partial_reply = Some(Arc::from("```css\na"));
    let case =
        RequestCase { partial_reply, unreadable_replies: vec!["no".into()], ..RequestCase::new(1, 1, 1) };
    let end = "turn | [frame 2:2]\nassistant: no\nuser: again\nassistant: ```css\na";
    assert!(case.render().ends_with(end), "{}", case.render());
    let request = case.request();
    let sent = read_back_without_changes(&request.messages);
    assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()));
    let prompt = Prompt::parse(&format!("{PROMPT}## continue\nGO ON\n")).unwrap();
    let asked = RequestCase { prompt, ..case };
    assert!(asked.render().ends_with(&format!("{end}\nuser: go on")), "{}", asked.render());
    let request = asked.request();
    let sent = read_back_without_changes(&request.messages);
    assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()));
}

#[test]
fn an_unreadable_reply_is_followed_by_the_retry_segment() {
    let case = RequestCase { unreadable_replies: vec!["nonsense".into()], ..RequestCase::new(1, 1, 0) };
    let text = case.render();
    assert!(text.ends_with("format 9\nassistant: nonsense\nuser: again"), "{text}");
}

/// The decoded body of an adapter that changes nothing.
fn read_back_without_changes(messages: &[Message]) -> Vec<DecodedTurn> {
    let turn = |message: &Message| DecodedTurn {
        role: message.role,
        parts: DecodedTurn::new(message.role, message.parts.iter().map(decoded_part)).parts,
    };
    messages.iter().map(turn).collect()
}

fn decoded_part(part: &MessagePart) -> DecodedPart {
    match part {
        MessagePart::Text(_, text) => DecodedPart::Text(text.to_string()),
        MessagePart::Image(part, _) => DecodedPart::Image(encoded_digest(*part)),
    }
}

fn encoded_digest(part: PartId) -> Digest {
    Digest::of(&part.step.to_le_bytes())
}

fn frame_of(step: u32) -> DecodedPart {
    DecodedPart::Image(encoded_digest(PartId { step, index: 0 }))
}

#[test]
fn a_row_that_is_left_out_is_as_if_the_step_had_not_been() {
    let without = |left_out| RequestCase { left_out: Some(left_out), ..RequestCase::new(3, 2, 4) }.render();
    let first = "system: system up, down\nuser: task";
    assert_eq!(
        without(LeftOut::Row(4)),
        format!(
            "{first} | image not available. | think | format 9\nassistant: out 2\nuser: turn | image not available.\nassistant: out 3\nuser: turn | [frame 5:5]"
        ),
    );
    assert_eq!(
        without(LeftOut::Row(2)),
        format!(
            "{first} | image not available. | think | format 9\nassistant: out 3\nuser: turn | [frame 4:4]\nassistant: out 4\nuser: turn | [frame 5:5]"
        ),
    );
    assert!(without(LeftOut::Frame(5)).ends_with("out 4\nuser: turn | image not available."));
    assert!(without(LeftOut::Segment(Segment::System)).starts_with("user: task"));
    assert!(!without(LeftOut::Segment(Segment::Turn)).contains("turn"));
}

/// The steps of the outputs and of the frames of a request.
fn shown(request: &Request) -> (Vec<u32>, Vec<u32>) {
    let parts = || request.messages.iter().flat_map(|message| &message.parts);
    let output = |part: &MessagePart| match part {
        MessagePart::Text(Segment::Output, text) => text.strip_prefix("out ")?.parse().ok(),
        _ => None,
    };
    let frames = request.messages.iter().flat_map(Message::images).map(|(part, _)| part.step);
    (parts().filter_map(output).collect(), frames.collect())
}

#[test]
fn exactly_the_part_that_is_left_out_is_missing_in_every_window() {
    for (am, om, past) in [(0, 1, 2), (1, 1, 0), (1, 1, 4), (5, 1, 3), (5, 3, 2), (5, 3, 9), (10, 3, 12)] {
        for (system_role, stable_prefix) in [(true, false), (false, true)] {
            let layout = RequestLayout { system_role, stable_prefix, ..RequestLayout::default() };
            let case = |left_out| RequestCase { layout, left_out, ..RequestCase::new(am, om, past) };
            let complete = case(None).request();
            let (outputs, frames) = shown(&complete);
            let rows = complete.parts_of(PartSort::Rows);
            assert_eq!(rows, outputs.iter().map(|step| LeftOut::Row(*step)).collect::<Vec<_>>());
            let states = complete.parts_of(PartSort::Frames);
            assert_eq!(states, frames.iter().map(|step| LeftOut::Frame(*step)).collect::<Vec<_>>());
            let segments = complete.parts_of(PartSort::Segments);
            assert!((4..=6).contains(&segments.len()), "{segments:?}");
            for part in rows.into_iter().chain(states).chain(segments) {
                let request = case(Some(part)).request();
                let sent = read_back_without_changes(&request.messages);
                assert_eq!(request.verify(&sent, &|part| Some(encoded_digest(part))), Ok(()), "{part}");
                let but = |steps: &[u32], gone: &[u32]| -> Vec<u32> {
                    steps.iter().copied().filter(|step| !gone.contains(step)).collect()
                };
                let expected = match part {
                    LeftOut::Row(step) => (but(&outputs, &[step]), but(&frames, &[step])),
                    LeftOut::Frame(step) => (outputs.clone(), but(&frames, &[step])),
                    LeftOut::RowPair(_) | LeftOut::FramePair(_) | LeftOut::Segment(_) => {
                        (outputs.clone(), frames.clone())
                    }
                };
                assert_eq!(shown(&request), expected, "{part}");
                assert!(!request.messages.iter().any(|message| message.parts.is_empty()), "{part}");
                let mut roles = request.messages.windows(2);
                assert!(roles.all(|pair| pair[0].role != pair[1].role), "{part}");
                let left = request.parts_of(PartSort::Segments);
                assert!(!left.contains(&part), "{part}");
                let dishonest = Request { left_out: Some(part), ..complete.clone() };
                let is_segment = matches!(part, LeftOut::Segment(_));
                let sent = read_back_without_changes(&complete.messages);
                let refused = dishonest.verify(&sent, &|part| Some(encoded_digest(part))).is_err();
                assert_eq!(refused, is_segment, "the ledger says what of rows and frames is in");
            }
        }
    }
}

#[test]
fn one_extra_image_is_detected_in_every_window() {
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let messages = RequestCase::new(am, om, past).request().messages;
            let check = |sent: &[DecodedTurn]| verify(&messages, sent, &|part| Some(encoded_digest(part)));
            let sent = read_back_without_changes(&messages);
            assert_eq!(check(&sent), Ok(()));
            for turn in 0..sent.len() {
                let mut changed = sent.clone();
                changed[turn].parts.push(frame_of(1));
                let error = check(&changed).unwrap_err().to_string();
                assert!(error.contains(&format!("turn {}", turn + 1)) && error.contains("images"), "{error}");
            }
        }
    }
}

#[test]
fn every_other_difference_is_detected() {
    let messages = RequestCase::new(5, 2, 4).request().messages;
    let error = |change: fn(&mut Vec<DecodedTurn>)| {
        let mut sent = read_back_without_changes(&messages);
        change(&mut sent);
        verify(&messages, &sent, &|part| Some(encoded_digest(part))).unwrap_err().0
    };
    assert_eq!(error(|sent| sent.truncate(3)), "expected 10 turns, the body has 3");
    assert_eq!(error(|sent| sent[2].parts = vec![DecodedPart::Text("!".into())]), "turn 3: the text differs");
    assert_eq!(
        error(|sent| sent[1].role = mageyard_domain::Role::Assistant),
        "turn 2: expected the role User, the body has Assistant"
    );
    assert_eq!(error(|sent| sent[9].parts[1] = frame_of(4)), "turn 10: the image is not the frame of step 5");
    assert_eq!(
        error(|sent| sent.last_mut().unwrap().parts.truncate(1)),
        "turn 10: expected 1 images, the body has 0"
    );
}
