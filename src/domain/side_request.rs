//! Side requests: questions to a model or a person beside the decisions of the agent, each with a role.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who answers a side request, by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideRole {
    /// Answers questions of an environment, such as whether two texts mean the same.
    Judge,
    /// A module of the agent: looks back at what was done before each decision after the first.
    Reward,
    /// A person, who answers questions of an environment.
    Person,
}

impl SideRole {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::Judge, Self::Reward, Self::Person];

    /// Its name in settings, journals and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Reward => "reward",
            Self::Person => "person",
        }
    }

    /// What it is for, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Judge => "answers questions of an environment",
            Self::Reward => "looks back before each decision",
            Self::Person => "a person, whom the environment asks",
        }
    }

    /// The role of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Whether it is a module: the agent asks it before its decisions, and no environment does.
    pub fn is_module(self) -> bool {
        self == Self::Reward
    }

    /// The variables of its prompt, each with a description of its value.
    pub fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Judge => &[("rule", "what is right"), ("answer", "what is compared with that")],
            Self::Reward => &[
                ("task", "the segment task of the agent's prompt"),
                ("trace", "what was done at each step so far"),
                ("state", "the present state as text, if it is not shown"),
            ],
            Self::Person => &[("question", "what is asked")],
        }
    }

    /// Whether this answer declares that the task is done.
    pub fn declares_done(self, answer: &Value) -> bool {
        self == Self::Reward && answer.get("status").and_then(Value::as_str) == Some("finished")
    }

    /// What this answer adds to the next request of the agent, if it adds something.
    pub fn reflection(self, answer: &Value) -> Option<&str> {
        let text = answer.get("description").and_then(Value::as_str).filter(|_| self == Self::Reward)?;
        Some(text.trim()).filter(|text| !text.is_empty())
    }
}

impl fmt::Display for SideRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How the answer to a question is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// A finite number in the first block between triple backticks.
    Number,
    /// An assessment: a JSON object with `status` (doing, finished or loop) and `description` (a text).
    Assessment,
    /// Any text, which may be empty.
    Text,
    /// None: a person does what is asked on the surface, and the environment is looked at again.
    Done,
}

/// A question beside the decisions of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Who answers it.
    pub role: SideRole,
    /// How the answer is read.
    pub form: AnswerForm,
    /// The values of the variables of the role's prompt. They may have text of a page or a file, so they are untrusted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
    /// The parts of observations that are shown with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownPart>,
}

/// A part of an observation that a question shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShownPart {
    /// How many steps before the newest observation; 0 is that one.
    pub back: u32,
    /// The index among the parts of the observation.
    pub index: u16,
}

impl Question {
    /// A question without parts of observations, whose answer is a number.
    pub fn for_number(role: SideRole, values: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { role, form: AnswerForm::Number, values, shown: Vec::new() }
    }

    /// A question that a person answers with a text.
    pub fn to_person(text: impl Into<String>) -> Self {
        let values = [("question".to_owned(), text.into())].into();
        Self { role: SideRole::Person, form: AnswerForm::Text, values, shown: Vec::new() }
    }

    /// Asks a person to do this on the surface.
    pub fn take_over(text: impl Into<String>) -> Self {
        Self { form: AnswerForm::Done, ..Self::to_person(text) }
    }
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The question.
    pub question: Arc<Question>,
    /// The answer as it was read; an error is why the last of its replies cannot be read. What that counts as, the one who
    /// asked decides.
    pub answer: Result<Value, String>,
}

impl Answered {
    /// The text that was answered, if one was.
    pub fn text(&self) -> Option<&str> {
        self.answer.as_ref().ok()?.as_str()
    }

    /// The number that was answered, if one was.
    pub fn number(&self) -> Option<f64> {
        self.answer.as_ref().ok()?.as_f64()
    }
}

/// The answer to this question, if it is among these.
pub fn answer_to<'a>(answers: &'a [Answered], question: &Question) -> Option<&'a Answered> {
    answers.iter().find(|answered| *answered.question == *question)
}

/// What answers add to an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settlement {
    /// What is added to the reward of the action.
    #[serde(default)]
    pub reward: f64,
    /// The status after the action.
    pub status: super::Status,
    /// A remark on the step for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn roles_are_found_by_their_names() {
        for role in SideRole::ALL {
            assert_eq!(SideRole::named(role.name()), Some(role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
        }
        assert_eq!(SideRole::named("agent"), None);
    }

    #[test]
    fn only_a_reward_declares_that_the_task_is_done() {
        let done = json!({"status": "finished", "description": " Well. "});
        assert!(SideRole::Reward.declares_done(&done) && !SideRole::Judge.declares_done(&done));
        assert_eq!(SideRole::Reward.reflection(&done), Some("Well."));
        assert_eq!(SideRole::Judge.reflection(&done), None);
        let blank = json!({"status": "doing", "description": " "});
        assert!(!SideRole::Reward.declares_done(&blank) && SideRole::Reward.reflection(&blank).is_none());
    }
}
