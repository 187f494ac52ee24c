//! Every shipped rule set in every environment and setting, against replies that are written in the form, spoilt
//! in one character, or hostile from end to end.

mod law;

use std::sync::OnceLock;

use mageyard::agents::Seating;
use mageyard::agents::seat;
use mageyard::dialog::Rules;
use mageyard::domain::Action;
use mageyard::domain::ActionSpace;
use mageyard::domain::AgentError;
use mageyard::domain::Answer;
use mageyard::domain::Ask;
use mageyard::domain::Digest;
use mageyard::domain::Form;
use mageyard::domain::Line;
use mageyard::domain::News;
use mageyard::domain::Observation;
use mageyard::domain::Options;
use mageyard::domain::SentTurn;
use mageyard::domain::Setting;
use mageyard::envs::kinds;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::sample::select;

use self::law::lawful;

/// A rule set at work in an environment and a setting.
struct Chair {
    rules: Rules,
    setting: Setting,
    form: Form,
    space: ActionSpace,
    seen: Observation,
}

/// All of them: readers x environments x settings, on the first level of each environment.
fn chairs() -> &'static [Chair] {
    static CHAIRS: OnceLock<Vec<Chair>> = OnceLock::new();
    CHAIRS.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut chairs = Vec::new();
        for kind in kinds() {
            let level = kind.read(kind.sets()[0].text).unwrap().remove(0);
            let mut environment = kind.open(&level, &Options::new()).unwrap();
            let opening = runtime.block_on(environment.open()).unwrap();
            for (name, _) in Rules::shipped() {
                for setting in [Setting::Online, Setting::Global] {
                    let Some(own) = kind.form(setting) else { continue };
                    let rules = Rules::named(name).unwrap();
                    let (form, space) = (rules.form(&own), opening.space.clone());
                    chairs.push(Chair { rules, setting, form, space, seen: opening.observation.clone() });
                }
            }
        }
        chairs
    })
}

struct Deaf;

impl Line for Deaf {
    fn prove(&self, _: &[SentTurn], _: &dyn Fn(u32) -> Option<Digest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn tell(&self, _: News) {}
}

#[test]
fn there_is_a_chair_for_every_reader_and_setting() {
    let least = kinds().len() * Rules::shipped().len();
    assert!(chairs().len() >= least && chairs().len() > 8, "{}", chairs().len());
}

/// Whatever agents without a model say in the form is read as just what they meant.
#[tokio::test(start_paused = true)]
async fn what_the_agents_write_in_the_form_is_read_everywhere() {
    let mut read = 0;
    for chair in chairs() {
        for (name, seed) in [("random", 1), ("random", 2), ("faulty", 1), ("faulty", 2)] {
            let chosen = Seating { seed, salt: "salt".into(), ..Seating::default() };
            let mut agent = seat(name, chosen).unwrap().agent;
            for step in 1..=20 {
                let ask = Ask {
                    step,
                    attempt: 1,
                    setting: chair.setting,
                    form: &chair.form,
                    observation: &chair.seen,
                    space: &chair.space,
                    steps_left: 20,
                    request: &[],
                    line: &Deaf,
                };
                let Answer::Said(reply) = agent.decide(ask).await.unwrap() else { continue };
                let reading = lawful(&chair.rules, &chair.form, &reply.text, &chair.space);
                // Of the mistakes only what they break is known; the good replies say that they are.
                if name == "faulty" && !reply.text.contains("I keep to the form") {
                    continue;
                }
                let actions = reading.verdict.unwrap_or_else(|failure| {
                    panic!("{failure:?}: {:?} by {} in {:?}", reply.text, chair.rules, chair.form)
                });
                let why =
                    reading.marks.analysis.map(|range| reply.text[range].to_owned()).unwrap_or_default();
                assert_eq!(chair.form.write(&why, &actions), reply.text, "by {}", chair.rules);
                read += 1;
            }
        }
    }
    assert!(read > 20 * chairs().len(), "{read} replies in the form");
}

/// Pieces of every form, whole and broken, with what editors, terminals and models put between them.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = [
        "# analyze\n",
        "## Action\n",
        "# action\n",
        "### Analyze\n",
        "### Actions\n",
        "### Actions:",
        "**Action**\n",
        "Action: ",
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "<answer",
        "< answer >",
        "<ANSWER>",
        "{",
        "}",
        "[",
        "]",
        "{\"action\": ",
        "\"actions\": [",
        "\"analysis\": \"",
        "\"",
        "\\\"",
        "\\u0055p",
        "\\ud800",
        "\\",
        "```",
        "```json\n",
        "~~~",
        "> ",
        "Up",
        "up.",
        "LEFT",
        "Left, Up",
        "A",
        "(A -> B)",
        "Move A to B",
        "\"Up\"",
        "‘Up’",
        "null",
        "0",
        "-1e999",
        ", ",
        ",",
        ";",
        "\n",
        "\r",
        "\r\n",
        "\t",
        " ",
        "\u{a0}",
        "\u{2028}",
        "- ",
        "* ",
        "1. ",
        "\0",
        "\u{1b}[2J",
        "\u{202e}",
        "\u{200b}",
        "\u{feff}",
        "é",
        "e\u{301}",
        "😀",
        "İ",
        "ß",
        "ﬁ",
    ];
    let piece = prop_oneof![4 => select(pieces.to_vec()).prop_map(str::to_owned), 1 => any::<String>()];
    (vec(piece, 0..24), 1..4_usize).prop_map(|(pieces, times)| pieces.concat().repeat(times))
}

/// One character taken out, put in, or put in place of another.
#[derive(Clone, Copy, Debug)]
enum Slip {
    Out,
    In(char),
    Other(char),
}

fn slip() -> impl Strategy<Value = Slip> {
    let likely = select(&['#', '*', '<', '>', '/', '"', '{', ',', '`', ' ', '\n', 'u', 'U', '-'][..]);
    let sign = prop_oneof![likely, any::<char>()];
    prop_oneof![Just(Slip::Out), sign.clone().prop_map(Slip::In), sign.prop_map(Slip::Other)]
}

fn slipped(text: &str, at: Index, slip: Slip) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    let at = at.index(signs.len());
    match slip {
        Slip::Out => drop(signs.remove(at)),
        Slip::In(sign) => signs.insert(at, sign),
        Slip::Other(sign) => signs[at] = sign,
    }
    signs.into_iter().collect()
}

/// The actions at these places of the space; one where one is asked for.
fn picked(chair: &Chair, picks: &[Index]) -> Vec<Action> {
    let verbs = chair.space.verbs();
    let count = if chair.form.list { picks.len() } else { 1 };
    picks[..count].iter().map(|pick| Action::plain(&*pick.get(verbs).name)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_hostile_reply_breaks_no_law(reply in hostile()) {
        for chair in chairs() {
            lawful(&chair.rules, &chair.form, &reply, &chair.space);
        }
    }

    #[test]
    fn what_is_written_in_the_form_is_accepted_as_it_was_meant(reason in hostile(), picks in vec(any::<Index>(), 1..6)) {
        for chair in chairs() {
            let actions = picked(chair, &picks);
            let reply = chair.form.write(&reason, &actions);
            let reading = lawful(&chair.rules, &chair.form, &reply, &chair.space);
            prop_assert_eq!(reading.verdict, Ok(actions), "by {}: {:?}", &chair.rules, reply);
            prop_assert_eq!(reading.marks.liberties, vec![]);
        }
    }

    #[test]
    fn one_wrong_character_makes_no_action_that_is_not_allowed(
        picks in vec(any::<Index>(), 1..4),
        at in any::<Index>(),
        slip in slip(),
    ) {
        for chair in chairs() {
            let reply = chair.form.write("The box stands at the wall.", &picked(chair, &picks));
            lawful(&chair.rules, &chair.form, &slipped(&reply, at, slip), &chair.space);
        }
    }

    #[test]
    fn one_wrong_character_in_an_action_is_never_read_as_another_action_by_strict_rules(
        pick in any::<Index>(),
        at in any::<Index>(),
        slip in slip(),
    ) {
        for chair in chairs().iter().filter(|chair| chair.rules.to_string().starts_with("strict")) {
            let [action] = &picked(chair, std::slice::from_ref(&pick))[..] else { continue };
            let wrong = slipped(&action.name, at, slip);
            let reply = chair.form.write("So it is.", &[Action::plain(wrong.clone())]);
            if let Ok(read) = lawful(&chair.rules, &chair.form, &reply, &chair.space).verdict {
                let same = read == [Action::plain(wrong.trim())] || read == std::slice::from_ref(action);
                prop_assert!(same || chair.form.list, "{:?} was read as {:?}", wrong, read);
            }
        }
    }
}
