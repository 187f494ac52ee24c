//! Golden requests: what every legal window sends at the first steps, turn for turn.

use std::fmt::Write;
use std::sync::Arc;

use super::*;
use crate::domain::ActionSpace;
use crate::domain::Digest;
use crate::domain::Form;
use crate::domain::Message;
use crate::domain::Observation;
use crate::domain::Part;
use crate::domain::Picture;
use crate::domain::Piece;
use crate::domain::SentTurn;
use crate::domain::Setting;
use crate::domain::Window;

const PROMPT: &str = "+++\nname = \"test\"\nsummary = \"a test\"\n+++\n## system\nSYSTEM {actions}\n## task\nTASK\n## cot\nTHINK\n## io\nFORMAT {steps_left}\n## turn\nTURN\n## placeholder\nimage not available.\n## retry\nAGAIN\n";
const FORM: Form = Form::headings("# analyze", "# action", false);

fn seen(step: usize) -> Observation {
    let shade = u8::try_from(step).unwrap();
    let picture = Picture::new(1, 1, 1, vec![shade; 3]).unwrap();
    Observation::told(vec![Part::Picture(Arc::new(picture))], format!("board {step}"), ())
}

struct Case {
    prompt: Prompt,
    window: Window,
    layout: Layout,
    past: usize,
    unread: Vec<Arc<str>>,
}

impl Case {
    fn new(am: u16, om: u16, past: usize) -> Self {
        let prompt = Prompt::parse(PROMPT).unwrap();
        Self { prompt, window: Window::new(am, om).unwrap(), layout: Layout::default(), past, unread: vec![] }
    }

    fn request(&self) -> Request {
        let space = ActionSpace::of(&[("Up", ""), ("Down", "")]);
        let past: Vec<Past> = (1..=self.past)
            .map(|step| Past { seen: seen(step), output: Some(format!("out {step}").into()) })
            .collect();
        let brief = Brief {
            prompt: &self.prompt,
            setting: Setting::Online,
            form: &FORM,
            window: self.window,
            layout: self.layout,
        };
        let seen = seen(self.past + 1);
        let now = Now { seen: &seen, space: &space, unread: &self.unread, steps_left: 9 };
        compose(&brief, &past, &now)
    }

    fn drawn(&self) -> String {
        self.request().messages.iter().map(drawn).collect::<Vec<_>>().join("\n")
    }
}

fn drawn(message: &Message) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(_, text) => text.to_string(),
        Piece::Frame(step, picture) => format!("[frame {step}:{}]", picture.rgb()[0]),
    };
    let pieces: Vec<_> = message.pieces.iter().map(piece).collect();
    format!("{:?}: {}", message.role, pieces.join(" | ")).to_lowercase()
}

/// The sample request of the paper: AM=5, OM=1, without a system role.
#[test]
fn the_sample_request_is_met_turn_for_turn() {
    let case = Case { layout: Layout { system_role: false, ..Layout::default() }, ..Case::new(5, 1, 7) };
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
    assert_eq!(case.drawn(), expected);
}

#[test]
fn the_memory_rule_of_am_3_and_om_2() {
    let drawn = Case::new(3, 2, 6).drawn();
    let expected = "\
system: system up, down
user: task | image not available. | think | format 9
assistant: out 4
user: turn | image not available.
assistant: out 5
user: turn | [frame 6:6]
assistant: out 6
user: turn | [frame 7:7]";
    assert_eq!(drawn, expected);
}

#[test]
fn every_legal_window_at_the_first_steps() {
    let mut golden = String::new();
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let case = Case::new(am, om, past);
            writeln!(golden, "== AM={am} OM={om} t={past}\n{}\n", case.drawn()).unwrap();
            let request = case.request();
            let frames = request.messages.iter().flat_map(Message::frames).count();
            assert_eq!(frames, request.ledger.images(), "AM={am} OM={om} t={past}");
            assert_eq!(frames, usize::from(om).min(past + 1), "AM={am} OM={om} t={past}");
        }
    }
    insta::assert_snapshot!(golden);
}

#[test]
fn dropped_frames_can_be_left_out() {
    let layout = Layout { dropped_frame: DroppedFrame::Omit, ..Layout::default() };
    let drawn = Case { layout, ..Case::new(1, 1, 3) }.drawn();
    assert_eq!(
        drawn,
        "system: system up, down\nuser: task | think | format 9\nassistant: out 3\nuser: turn | [frame 4:4]"
    );
}

#[test]
fn a_variant_without_images_sends_words_by_the_same_rule() {
    let prompt = Prompt::parse(&PROMPT.replace("+++\n## system", "images = false\n+++\n## system")).unwrap();
    let case = Case { prompt, ..Case::new(3, 2, 6) };
    let request = case.request();
    assert_eq!(request.messages.iter().flat_map(Message::frames).count(), 0);
    assert_eq!(request.ledger.images(), 0);
    let lines = case.drawn();
    assert!(
        lines.ends_with("assistant: out 5\nuser: turn | board 6\nassistant: out 6\nuser: turn | board 7"),
        "{lines}"
    );
    assert!(!lines.contains("board 5"), "{lines}");
}

#[test]
fn after_an_unread_reply_the_format_is_asked_for_again() {
    let case = Case { unread: vec!["nonsense".into()], ..Case::new(1, 1, 0) };
    let drawn = case.drawn();
    assert!(drawn.ends_with("format 9\nassistant: nonsense\nuser: again"), "{drawn}");
}

/// What an honest adapter would read back from its body.
fn honest(messages: &[Message]) -> Vec<SentTurn> {
    let turn = |message: &Message| SentTurn {
        role: message.role,
        text: message.text(),
        pictures: message.frames().map(|(step, _)| encoded(step)).collect(),
    };
    messages.iter().map(turn).collect()
}

fn encoded(step: u32) -> Digest {
    Digest::of(&step.to_le_bytes())
}

#[test]
fn an_adapter_that_keeps_one_image_too_many_is_caught_in_every_cell() {
    for (am, om) in [(0, 1), (1, 1), (5, 1), (5, 2), (5, 3), (10, 1), (10, 2), (10, 3)] {
        for past in [0, 1, 4, 12] {
            let messages = Case::new(am, om, past).request().messages;
            let prove = |sent: &[SentTurn]| prove(&messages, sent, &|step| Some(encoded(step)));
            let sent = honest(&messages);
            assert_eq!(prove(&sent), Ok(()));
            for turn in 0..sent.len() {
                let mut greedy = sent.clone();
                greedy[turn].pictures.push(encoded(1));
                let fault = prove(&greedy).unwrap_err().to_string();
                assert!(fault.contains(&format!("turn {}", turn + 1)) && fault.contains("images"), "{fault}");
            }
        }
    }
}

#[test]
fn any_other_difference_is_caught_too() {
    let messages = Case::new(5, 2, 4).request().messages;
    let prove = |change: fn(&mut Vec<SentTurn>)| {
        let mut sent = honest(&messages);
        change(&mut sent);
        prove(&messages, &sent, &|step| Some(encoded(step))).unwrap_err().0
    };
    assert_eq!(prove(|sent| sent.truncate(3)), "10 turns are due, the body has 3");
    assert_eq!(prove(|sent| sent[2].text.push('!')), "turn 3: the text differs");
    assert_eq!(
        prove(|sent| sent[1].role = crate::domain::Role::Assistant),
        "turn 2: User is due, the body has Assistant"
    );
    assert_eq!(
        prove(|sent| sent[9].pictures = vec![encoded(4)]),
        "turn 10: the image is not the frame of step 5"
    );
    assert_eq!(
        prove(|sent| sent.last_mut().unwrap().pictures.clear()),
        "turn 10: 1 images are due, the body has 0"
    );
}
