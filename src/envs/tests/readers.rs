//! Every shipped reader in every environment and setting, with replies in its format, replies with one wrong
//! character, and hostile replies.

mod invariants;

use std::sync::{Arc, OnceLock};

use mageyard_agents::{AgentContext, create_agent};
use mageyard_dialog::ReaderRules;
use mageyard_domain::{
    Action, ActionSpace, ActionSpec, AgentError, AgentEvent, AgentObserver, Answer, DecisionInput,
    DecodedTurn, Digest, EnvironmentContext, Notation, Observation, Options, ParamKind, ParamSpec, PartId,
    Recovery, ReplyFormat, SentRequest, Setting,
};
use mageyard_envs::environments;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use self::invariants::assert_invariants;

/// A reader in an environment and a setting.
struct ReaderCase {
    rules: ReaderRules,
    setting: Setting,
    reply_format: ReplyFormat,
    action_space: ActionSpace,
    observation: Observation,
}

/// All combinations of readers, environments and settings, on the first level of each environment.
fn reader_cases() -> &'static [ReaderCase] {
    static CHAIRS: OnceLock<Vec<ReaderCase>> = OnceLock::new();
    CHAIRS.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut cases = Vec::new();
        for kind in environments() {
            let level = kind.parse_levels(kind.level_sets()[0].text).unwrap().remove(0);
            let mut environment = kind.open(&level, &Options::new(), 0).unwrap();
            if environment.recovery() != Recovery::Replay {
                // A live environment may not open here.
                continue;
            }
            let opening = runtime.block_on(environment.open(&EnvironmentContext::default())).unwrap();
            for (name, _) in ReaderRules::shipped() {
                for setting in [Setting::Online, Setting::Global] {
                    let Some(own) = kind.reply_format(setting) else { continue };
                    let rules = ReaderRules::named(name).unwrap();
                    let form = rules.reply_format(&own);
                    let space = opening.space.clone();
                    cases.push(ReaderCase {
                        rules,
                        setting,
                        reply_format: form,
                        action_space: space,
                        observation: opening.observation.clone(),
                    });
                }
            }
        }
        cases.extend(file_cases(&cases[0].observation));
        cases
    })
}

/// Replies of files as code blocks, with the readers that read every text which the formats write. The others refuse
/// code that needs a longer fence.
fn file_cases(observation: &Observation) -> Vec<ReaderCase> {
    let file = |name: &str, language: &str| {
        ParamSpec::new(name, "a file", ParamKind::Code { language: language.into() }).optional()
    };
    let files = [file("html", "html"), file("css", "css"), file("js", "javascript")];
    let write = files.into_iter().fold(ActionSpec::new("write", "write files"), ActionSpec::with_param);
    let action_space = ActionSpace::from_iter([write]);
    let online =
        ReplyFormat::headings("# Analyze", "# Regenerate", false).with_notation(Notation::CodeBlocks);
    let formats = [(Setting::Online, online), (Setting::Global, ReplyFormat::whole_blocks(true))];
    let mut cases = Vec::new();
    for name in ["lenient", "rescue", "json"] {
        for (setting, own) in &formats {
            let rules = ReaderRules::named(name).unwrap();
            let reply_format = rules.reply_format(own);
            let setting = *setting;
            let action_space = action_space.clone();
            let observation = observation.clone();
            cases.push(ReaderCase { rules, setting, reply_format, action_space, observation });
        }
    }
    cases
}

struct IgnoringObserver;

impl AgentObserver for IgnoringObserver {
    fn verify(&self, _: &[&DecodedTurn], _: &dyn Fn(PartId) -> Option<Digest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn sending(&self, _: &Arc<SentRequest>) -> Result<(), AgentError> {
        Ok(())
    }

    fn failed(&self, _: &AgentError) -> Result<(), AgentError> {
        Ok(())
    }

    fn notify(&self, _: AgentEvent) {}
}

#[test]
fn there_is_a_case_for_every_reader_and_setting() {
    let least = (environments().len() - 1) * ReaderRules::shipped().len();
    assert!(reader_cases().len() >= least && reader_cases().len() > 8, "{}", reader_cases().len());
}

/// Replies of agents without a model are parsed as intended.
#[tokio::test(start_paused = true)]
async fn replies_of_built_in_agents_are_read_in_every_environment() {
    let mut read = 0;
    for case in reader_cases() {
        for (name, seed) in [("random", 1), ("random", 2), ("faulty", 1), ("faulty", 2)] {
            let chosen = AgentContext { seed, salt: "salt".into(), ..AgentContext::default() };
            let mut agent = create_agent(name, chosen).unwrap().agent;
            for step in 1..=20 {
                let ask = DecisionInput {
                    step,
                    attempt: 1,
                    setting: case.setting,
                    form: &case.reply_format,
                    observation: &case.observation,
                    space: &case.action_space,
                    steps_left: 20,
                    request: &[],
                    question: None,
                    probe: None,
                    observer: &IgnoringObserver,
                };
                let Answer::Replied(reply) = agent.decide(ask).await.unwrap() else { continue };
                let reading =
                    assert_invariants(&case.rules, &case.reply_format, &reply.text, &case.action_space);
                // Only good replies have a known meaning.
                if name == "faulty" && !reply.text.contains("This reply is in the asked form") {
                    continue;
                }
                let actions = reading.result.unwrap_or_else(|failure| {
                    panic!("{failure:?}: {:?} by {} in {:?}", reply.text, case.rules, case.reply_format)
                });
                let why =
                    reading.spans.analysis.map(|range| reply.text[range].to_owned()).unwrap_or_default();
                assert_eq!(
                    case.reply_format.write(&why, &actions, &case.action_space),
                    reply.text,
                    "by {}",
                    case.rules
                );
                read += 1;
            }
        }
    }
    assert!(read > 20 * reader_cases().len(), "{read} replies in the form");
}

/// Fragments of every format, valid and invalid, with what editors, terminals and models add.
fn hostile_reply() -> impl Strategy<Value = String> {
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

/// One character removed, inserted or replaced.
#[derive(Clone, Copy, Debug)]
enum Typo {
    Removed,
    Inserted(char),
    Replaced(char),
}

fn typo() -> impl Strategy<Value = Typo> {
    let likely = select(&['#', '*', '<', '>', '/', '"', '{', ',', '`', ' ', '\n', 'u', 'U', '-'][..]);
    let sign = prop_oneof![likely, any::<char>()];
    prop_oneof![Just(Typo::Removed), sign.clone().prop_map(Typo::Inserted), sign.prop_map(Typo::Replaced)]
}

fn with_typo(text: &str, at: Index, slip: Typo) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    let at = at.index(signs.len());
    match slip {
        Typo::Removed => drop(signs.remove(at)),
        Typo::Inserted(sign) => signs.insert(at, sign),
        Typo::Replaced(sign) => signs[at] = sign,
    }
    signs.into_iter().collect()
}

/// The actions at these indices; one if the setting needs one.
fn picked_actions(case: &ReaderCase, picks: &[Index]) -> Vec<Action> {
    let verbs = case.action_space.specs();
    let count = if case.reply_format.list { picks.len() } else { 1 };
    picks[..count].iter().map(|pick| pick.get(verbs).example()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_hostile_reply_breaks_no_invariant(reply in hostile_reply()) {
        for case in reader_cases() {
            assert_invariants(&case.rules, &case.reply_format, &reply, &case.action_space);
        }
    }

    #[test]
    fn a_reply_in_the_format_gives_exactly_its_actions(reason in hostile_reply(), picks in vec(any::<Index>(), 1..6)) {
        for case in reader_cases() {
            let actions = picked_actions(case, &picks);
            let reply = case.reply_format.write(&reason, &actions, &case.action_space);
            let reading = assert_invariants(&case.rules, &case.reply_format, &reply, &case.action_space);
            prop_assert_eq!(reading.result, Ok(actions), "by {}: {:?}", &case.rules, reply);
            prop_assert_eq!(reading.spans.liberties, vec![]);
        }
    }

    #[test]
    fn a_typo_never_gives_an_action_that_is_not_allowed(
        picks in vec(any::<Index>(), 1..4),
        at in any::<Index>(),
        slip in typo(),
    ) {
        for case in reader_cases() {
            let reply = case.reply_format.write("The box is at the wall.", &picked_actions(case, &picks), &case.action_space);
            assert_invariants(&case.rules, &case.reply_format, &with_typo(&reply, at, slip), &case.action_space);
        }
    }

    #[test]
    fn strict_rules_never_take_a_typo_for_another_action(
        pick in any::<Index>(),
        at in any::<Index>(),
        slip in typo(),
    ) {
        for case in reader_cases().iter().filter(|case| case.rules.to_string().starts_with("strict")) {
            let [action] = &picked_actions(case, std::slice::from_ref(&pick))[..] else { continue };
            let wrong = with_typo(&action.name, at, slip);
            let reply = case.reply_format.write("So it is.", &[Action::plain(wrong.clone())], &case.action_space);
            if let Ok(read) = assert_invariants(&case.rules, &case.reply_format, &reply, &case.action_space).result {
                let same = read == [Action::plain(wrong.trim())] || read == std::slice::from_ref(action);
                prop_assert!(same || case.reply_format.list, "{:?} was read as {:?}", wrong, read);
            }
        }
    }
}
