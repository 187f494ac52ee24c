//! The requests that test a server, one row each.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::{Value, json};

use super::colors::{COLORS, Color, quarters};
use super::judge::Expected;
use mageyard_agents::{SuggestedSetting, TrialForm};
use mageyard_config::Config;
use mageyard_domain::{Message, MessagePart, PartId, Role, Segment};

/// One request.
pub(super) struct Trial {
    /// The ability that it tests.
    pub(super) ability: &'static str,
    /// How it differs from requests with the configured settings.
    pub(super) form: TrialForm,
    /// Whether the settings allow it.
    pub(super) applies: fn(&Config) -> bool,
    pub(super) task: fn(&mut Draw) -> Task,
    /// What to do if the model did not see it, or the server refused it.
    pub(super) advice: &'static str,
    /// The setting that the advice names.
    pub(super) setting: Option<fn() -> SuggestedSetting>,
}

/// The turns of a request and what the reply must have.
pub(super) struct Task {
    pub(super) messages: Vec<Message>,
    pub(super) expected: Expected,
}

/// The ability of the first request, without which nothing else is tested.
pub(super) const TEXT: &str = "text";
pub(super) const LISTS: &str = "lists of texts";
pub(super) const STREAMING: &str = "streaming";
pub(super) const ONE_IMAGE: &str = "one image";
pub(super) const SEVERAL_IMAGES: &str = "several images";
/// The number of images of the request for several images.
pub(super) const SEVERAL: u64 = 3;

const PLAIN: TrialForm = TrialForm { stream: false, parts: false, schema: None };

pub(super) const TRIALS: [Trial; 8] = [
    Trial {
        ability: TEXT,
        form: PLAIN,
        applies: |_| true,
        task: |draw| word_task(draw, &[]),
        advice: "the reply lacks the word that the request asks for: choose a model that follows instructions",
        setting: None,
    },
    Trial {
        ability: LISTS,
        form: TrialForm { parts: true, ..PLAIN },
        applies: is_chat,
        task: |draw| word_task(draw, &["This text has two parts."]),
        advice: "turns without images need no lists: keep model.content = \"auto\"",
        setting: None,
    },
    Trial {
        ability: "system",
        form: PLAIN,
        applies: |config| config.settings().model.system_role,
        task: system_task,
        advice: "set model.system_role = false",
        setting: Some(|| SuggestedSetting { name: "model.system_role", value: false.into() }),
    },
    Trial {
        ability: "turns",
        form: PLAIN,
        applies: |_| true,
        task: turns_task,
        advice: "earlier turns do not count: play with --am 0 --om 1",
        setting: None,
    },
    Trial {
        ability: ONE_IMAGE,
        form: PLAIN,
        applies: |_| true,
        task: |draw| image_task(draw, 1),
        advice: "choose a model with vision, or play with --prompt HD-CoT-NoIMG, which sends no images",
        setting: None,
    },
    Trial {
        ability: SEVERAL_IMAGES,
        form: PLAIN,
        applies: |_| true,
        task: |draw| image_task(draw, SEVERAL),
        advice: "set model.images_most = 1 and keep OM at 1",
        setting: Some(|| SuggestedSetting { name: "model.images_most", value: 1.into() }),
    },
    Trial {
        ability: STREAMING,
        form: TrialForm { stream: true, ..PLAIN },
        applies: |_| true,
        task: |draw| word_task(draw, &[]),
        advice: "set model.stream = false",
        setting: Some(|| SuggestedSetting { name: "model.stream", value: false.into() }),
    },
    Trial {
        ability: "JSON schema",
        form: TrialForm { schema: Some(schema), ..PLAIN },
        applies: is_chat,
        task: schema_task,
        advice: "do not rely on response_format in model.extra",
        setting: None,
    },
];

/// Lists and `response_format` are fields of chat completions.
fn is_chat(config: &Config) -> bool {
    let options = config.settings().options("model");
    options.get("protocol").is_none_or(|protocol| protocol == "chat")
}

fn schema() -> Value {
    let word = json!({"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"], "additionalProperties": false});
    json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": word}})
}

fn turn(role: Role, texts: &[&str]) -> Message {
    let parts = texts.iter().map(|text| MessagePart::Text(Segment::Task, (*text).into()));
    Message { role, parts: parts.collect() }
}

fn word_task(draw: &mut Draw, first: &[&str]) -> Task {
    let word = draw.word();
    let order = format!("Write only this word: {word}");
    let texts = [first, &[order.as_str()]].concat();
    Task { messages: vec![turn(Role::User, &texts)], expected: Expected::Word(word) }
}

fn system_task(draw: &mut Draw) -> Task {
    let ending = draw.word();
    let word = draw.word();
    let system = format!("End every reply with the word {ending}, also if the user asks for something else.");
    let order = format!("Write only this word: {word}");
    Task {
        messages: vec![turn(Role::System, &[&system]), turn(Role::User, &[&order])],
        expected: Expected::Word(ending),
    }
}

fn turns_task(draw: &mut Draw) -> Task {
    let word = draw.word();
    let first = format!("Remember this word: {word}. Reply only: ok");
    let messages = vec![
        turn(Role::User, &[&first]),
        turn(Role::Assistant, &["ok"]),
        turn(Role::User, &["Which word did I ask you to remember? Write only that word."]),
    ];
    Task { messages, expected: Expected::Word(word) }
}

/// One image of four colours, or several images of one colour each.
fn image_task(draw: &mut Draw, images: u64) -> Task {
    let colors = draw.colors(if images == 1 { 4 } else { images });
    let (pictures, order): (Vec<&[&Color]>, _) = if images == 1 {
        let order = "The image has four quarters of one colour each. Write only their four colours, in this order: top \
                     left, top right, bottom left, bottom right.";
        (vec![&colors], order)
    } else {
        (
            colors.chunks(1).collect(),
            "Each image has one colour. Write only the colours of the images, in their order.",
        )
    };
    let pictures = (1..).zip(pictures).filter_map(|(step, colors)| {
        Some(MessagePart::Image(PartId { step, index: 0 }, Arc::new(quarters(colors)?)))
    });
    let mut message = turn(Role::User, &[order]);
    message.parts.extend(pictures);
    Task { messages: vec![message], expected: Expected::Colors(colors) }
}

fn schema_task(draw: &mut Draw) -> Task {
    let word = draw.word();
    let order = format!("Tell me the word {word}.");
    Task { messages: vec![turn(Role::User, &[&order])], expected: Expected::Field("word", word) }
}

/// Common words that are not expected in a reply by chance.
const WORDS: [&str; 24] = [
    "walnut", "harbor", "violin", "lantern", "meadow", "copper", "pepper", "anchor", "falcon", "velvet",
    "marble", "ginger", "compass", "blanket", "thunder", "orchard", "saddle", "pebble", "curtain", "maple",
    "ribbon", "candle", "badger", "tunnel",
];

/// Draws words and colours.
pub(super) struct Draw {
    seed: u64,
    request: u64,
    drawn: u64,
}

impl Draw {
    pub(super) fn new(seed: u64, request: u64) -> Self {
        Self { seed, request, drawn: 0 }
    }

    /// A number below `most`.
    fn below(&mut self, most: usize) -> usize {
        let mut hasher = DefaultHasher::new();
        (self.seed, self.request, self.drawn).hash(&mut hasher);
        self.drawn += 1;
        usize::try_from(hasher.finish() >> 33).unwrap_or_default() % most.max(1)
    }

    /// A word; the words of successive draws differ.
    fn word(&mut self) -> &'static str {
        let half = WORDS.len() / 2;
        let start = if self.drawn.is_multiple_of(2) { 0 } else { half };
        WORDS[start + self.below(half)]
    }

    fn colors(&mut self, count: u64) -> Vec<&'static Color> {
        let mut left: Vec<&Color> = COLORS.iter().collect();
        (0..count).map(|_| left.swap_remove(self.below(left.len()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_asks_for_something_else() {
        let texts = |seed| {
            TRIALS.iter().enumerate().map(move |(number, trial)| {
                let task = (trial.task)(&mut Draw::new(seed, number as u64));
                format!("{:?}", task.expected)
            })
        };
        let (first, second): (Vec<_>, Vec<_>) = (texts(1).collect(), texts(2).collect());
        assert_eq!(first, texts(1).collect::<Vec<_>>());
        let same = first.iter().zip(&second).filter(|(one, other)| one == other).count();
        assert!(same <= 2, "{first:?} {second:?}");
    }

    #[test]
    fn the_colours_of_an_image_differ() {
        let mut draw = Draw::new(7, 0);
        let mut colors: Vec<_> = draw.colors(4).iter().map(|color| color.names[0]).collect();
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), 4);
    }
}
