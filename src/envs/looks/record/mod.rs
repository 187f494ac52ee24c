//! Records of the three datasets, as their files have them (AgentStudio): a picture and an element in it, an action between
//! pictures, or a task with its actions. Fields that may be missing in the data may be missing here.

mod fields;
#[cfg(test)]
mod tests;

use mageyard_domain::{FieldError, NamedFile, NamedForm};
use serde_json::{Map, Value};

pub(super) use self::fields::Area;
use self::fields::Fields;

/// What is known of every record.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct About {
    pub(super) source: Option<String>,
    pub(super) platform: Option<String>,
}

/// A picture with an instruction and the element that it is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ground {
    pub(super) image: String,
    pub(super) instruction: String,
    /// As it was before it was written again.
    pub(super) raw_instruction: Option<String>,
    pub(super) area: Area,
    pub(super) resolution: Option<(u32, u32)>,
    /// The kind of the click, if the record has one.
    pub(super) click: Click,
    pub(super) about: About,
}

/// The kind of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Click {
    pub(super) button: String,
    pub(super) clicks: u32,
}

/// An action and the pictures before and after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Act {
    pub(super) before: String,
    pub(super) after: Option<String>,
    pub(super) operation: String,
    pub(super) area: Option<Area>,
    /// The action in words.
    pub(super) repr: Option<String>,
}

/// Actions of which the operations are asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transition {
    /// Whether it is one action, which is answered by one letter.
    pub(super) single: bool,
    pub(super) id: Option<String>,
    pub(super) instruction: Option<String>,
    pub(super) acts: Vec<Act>,
    pub(super) space: Vec<String>,
    pub(super) about: About,
}

/// A task and the actions of an agent, of which it is asked whether the task was done.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trajectory {
    pub(super) id: Option<String>,
    pub(super) instruction: String,
    pub(super) acts: Vec<Act>,
    pub(super) space: Vec<String>,
    pub(super) success: bool,
    pub(super) about: About,
}

/// The buttons of a mouse.
pub(super) const BUTTONS: [&str; 3] = ["left", "right", "middle"];
/// The most operations that have a letter.
pub(super) const MOST_OPERATIONS: usize = 26;

const ABOUT: [&str; 2] = ["source", "platform"];
const ACT: [&str; 6] = ["action_id", "obs_before", "obs_after", "operation", "bbox", "metadata"];

impl Ground {
    pub(super) fn matches(record: &Map<String, Value>) -> bool {
        ["image", "instruction", "bbox"].iter().all(|name| record.contains_key(*name))
    }

    pub(super) fn read(record: &Map<String, Value>) -> Result<Self, FieldError> {
        let fields = Fields::new(record, "");
        let area = fields.area("bbox")?.ok_or_else(|| fields.error("bbox", "is missing"))?;
        Ok(Self {
            image: fields.text("image")?,
            instruction: fields.text("instruction")?,
            raw_instruction: fields.optional_text("raw_instruction")?,
            area,
            resolution: fields.size("resolution")?,
            click: click(&fields)?,
            about: about(&fields)?,
        })
    }

    pub(super) fn unknown_fields(record: &Map<String, Value>) -> Vec<String> {
        let own = ["image", "instruction", "raw_instruction", "bbox", "resolution", "button", "clicks"];
        Fields::new(record, "").unknown(&[&own[..], &ABOUT].concat())
    }
}

impl Transition {
    pub(super) fn matches(record: &Map<String, Value>) -> bool {
        let has = |name: &str| record.contains_key(name);
        has("action_space") && (has("obs_before") || has("actions"))
    }

    pub(super) fn read(record: &Map<String, Value>) -> Result<Self, FieldError> {
        let fields = Fields::new(record, "");
        let single = !record.contains_key("actions");
        let space = operations(&fields)?;
        let acts = if single { vec![act(&fields)?] } else { acts(&fields)? };
        let last = acts.len() - 1;
        for (index, act) in acts.iter().enumerate() {
            let place = if single { String::new() } else { format!("actions[{index}].") };
            if !space.contains(&act.operation) {
                let reason = format!("{:?} is not in action_space", act.operation);
                return Err(FieldError::new(format!("{place}operation"), reason));
            }
        }
        if acts[last].after.is_none() && acts.len() == 1 {
            return Err(FieldError::new("obs_after", "is missing"));
        }
        Ok(Self {
            single,
            id: fields.optional_text(if single { "action_id" } else { "annotation_id" })?,
            instruction: fields.optional_text("instruction")?,
            acts,
            space,
            about: about(&fields)?,
        })
    }

    pub(super) fn unknown_fields(record: &Map<String, Value>) -> Vec<String> {
        let own = ["instruction", "action_space", "annotation_id", "actions", "is_success"];
        let known = if record.contains_key("actions") {
            [&own[..], &ABOUT].concat()
        } else {
            [&own[..2], &ABOUT, &ACT].concat()
        };
        unknown_with_acts(record, &known)
    }
}

impl Trajectory {
    pub(super) fn matches(record: &Map<String, Value>) -> bool {
        ["actions", "instruction", "is_success"].iter().all(|name| record.contains_key(*name))
    }

    pub(super) fn read(record: &Map<String, Value>) -> Result<Self, FieldError> {
        let fields = Fields::new(record, "");
        Ok(Self {
            id: fields.optional_text("annotation_id")?,
            instruction: fields.text("instruction")?,
            acts: acts(&fields)?,
            space: operations(&fields)?,
            success: fields.switch("is_success")?,
            about: about(&fields)?,
        })
    }

    pub(super) fn unknown_fields(record: &Map<String, Value>) -> Vec<String> {
        let own = ["instruction", "action_space", "annotation_id", "actions", "is_success"];
        unknown_with_acts(record, &[&own[..], &ABOUT].concat())
    }
}

fn unknown_with_acts(record: &Map<String, Value>, known: &[&str]) -> Vec<String> {
    let fields = Fields::new(record, "");
    let mut unknown = fields.unknown(known);
    for (index, act) in fields.objects("actions").unwrap_or_default().into_iter().enumerate() {
        unknown.extend(Fields::new(act, &format!("actions[{index}].")).unknown(&ACT));
    }
    unknown
}

fn about(fields: &Fields<'_>) -> Result<About, FieldError> {
    Ok(About { source: fields.optional_text("source")?, platform: fields.optional_text("platform")? })
}

/// One click of the left button, unless the record says something else.
fn click(fields: &Fields<'_>) -> Result<Click, FieldError> {
    let button = fields.optional_text("button")?.unwrap_or_else(|| BUTTONS[0].to_owned());
    if !BUTTONS.contains(&button.as_str()) {
        return Err(fields.error("button", format!("is not one of {}", BUTTONS.join(", "))));
    }
    let clicks = fields
        .value("clicks")
        .map_or(Some(1), |value| value.as_u64().and_then(|one| u32::try_from(one).ok()));
    let clicks = clicks.filter(|clicks| (1..=3).contains(clicks));
    Ok(Click { button, clicks: clicks.ok_or_else(|| fields.error("clicks", "is not a number from 1 to 3"))? })
}

fn operations(fields: &Fields<'_>) -> Result<Vec<String>, FieldError> {
    let space = fields.texts("action_space")?;
    if space.len() > MOST_OPERATIONS {
        let reason = format!("has {} actions; only {MOST_OPERATIONS} have a letter", space.len());
        return Err(fields.error("action_space", reason));
    }
    Ok(space)
}

fn acts(fields: &Fields<'_>) -> Result<Vec<Act>, FieldError> {
    let objects = fields.objects("actions")?.into_iter().enumerate();
    objects.map(|(index, object)| act(&Fields::new(object, &format!("actions[{index}].")))).collect()
}

fn act(fields: &Fields<'_>) -> Result<Act, FieldError> {
    let metadata = fields.value("metadata").and_then(Value::as_object);
    let repr = metadata.and_then(|metadata| metadata.get("repr")).and_then(Value::as_str);
    Ok(Act {
        before: fields.text("obs_before")?,
        after: fields.optional_text("obs_after")?,
        operation: fields.text("operation")?,
        area: fields.area("bbox")?,
        repr: repr.map(str::to_owned),
    })
}

/// The name of a picture without folders and ending, as a title.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl Ground {
    /// The picture, of the size that is written.
    pub(super) fn files(&self) -> Vec<NamedFile> {
        let form = NamedForm::Picture { size: self.resolution };
        vec![NamedFile { field: "image".to_owned(), path: self.image.clone(), form }]
    }
}

impl Transition {
    pub(super) fn files(&self) -> Vec<NamedFile> {
        pictures_of_acts(&self.acts, self.single)
    }
}

impl Trajectory {
    pub(super) fn files(&self) -> Vec<NamedFile> {
        pictures_of_acts(&self.acts, false)
    }
}

/// The pictures that actions name, each once.
fn pictures_of_acts(acts: &[Act], single: bool) -> Vec<NamedFile> {
    let place = |index: usize| if single { String::new() } else { format!("actions[{index}].") };
    let mut all: Vec<NamedFile> = Vec::new();
    for (index, act) in acts.iter().enumerate() {
        for (name, path) in [("obs_before", Some(&act.before)), ("obs_after", act.after.as_ref())] {
            let Some(path) = path.filter(|path| !all.iter().any(|known| known.path == **path)) else {
                continue;
            };
            let field = format!("{}{name}", place(index));
            all.push(NamedFile { field, path: path.clone(), form: NamedForm::Picture { size: None } });
        }
    }
    all
}
