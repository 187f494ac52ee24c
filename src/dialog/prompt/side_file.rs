//! The prompt file of a role: front matter, `## system` and `## task`.

use std::sync::Arc;

use super::PromptError;
use super::file::{Section, error_at, split_front_matter, split_sections};
use super::paragraphs::join_paragraphs;
use super::template::Template;
use super::variables::{find_variables, unknown_variable};
use mageyard_domain::{Question, SideRole};

/// The texts of a role's prompt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SideTemplates {
    system: Option<Template>,
    task: Template,
}

impl SideTemplates {
    /// Parses the prompt file of this role.
    pub(crate) fn parse(role: SideRole, text: &str) -> Result<Self, PromptError> {
        let (front_matter, start) = split_front_matter(text)?;
        if front_matter.name != role.name() {
            let at = text.find(&front_matter.name).unwrap_or(0);
            let message = format!("the name of the prompt of the role {role} must be {:?}", role.name());
            return Err(error_at(message, at..at + front_matter.name.len()));
        }
        let (mut system, mut task) = (None, None);
        for section in split_sections(text, start)? {
            let target = match text[section.heading.clone()].trim_start_matches('#').trim() {
                "system" => &mut system,
                "task" => &mut task,
                name => {
                    let message =
                        format!("unknown segment {name:?}; the prompt of a role has system and task");
                    return Err(error_at(message, section.heading));
                }
            };
            if target.is_some() {
                return Err(error_at("duplicate segment", section.heading));
            }
            *target = Some(template(role, text, &section)?);
        }
        let missing = || error_at("missing segment: add ## task", text.len()..text.len());
        Ok(Self { system, task: task.ok_or_else(missing)? })
    }

    /// The segment `system` for a question; empty if there is none.
    pub(crate) fn system(&self, question: &Question) -> Arc<str> {
        self.system.as_ref().map_or_else(|| "".into(), |system| system.fill_values(&question.values))
    }

    /// The segment `task` for a question.
    pub(crate) fn task(&self, question: &Question) -> Arc<str> {
        self.task.fill_values(&question.values)
    }
}

fn template(role: SideRole, text: &str, section: &Section) -> Result<Template, PromptError> {
    let body = section.body.clone();
    for (name, span) in find_variables(&text[body.clone()]) {
        if let Some(message) = unknown_variable(name, role.variables()) {
            return Err(error_at(message, body.start + span.start..body.start + span.end));
        }
    }
    Ok(Template::new(&join_paragraphs(text[body].trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, body: &str) -> String {
        format!("+++\nname = {name:?}\nsummary = \"a test\"\n+++\n{body}")
    }

    fn error(text: &str) -> (String, String) {
        let error = SideTemplates::parse(SideRole::Judge, text).unwrap_err();
        (error.message, text[error.span].to_owned())
    }

    #[test]
    fn values_are_filled_in_and_never_read_as_variables() {
        let text = file("judge", "## task\n{rule} {{or}} {answer}\n");
        let templates = SideTemplates::parse(SideRole::Judge, &text).unwrap();
        let values = [("rule", "{answer}".to_owned()), ("answer", "{{b}}".to_owned())];
        let question = Question::for_number(SideRole::Judge, values);
        assert_eq!(&*templates.task(&question), "{answer} {or} {{b}}");
        assert_eq!(&*templates.system(&question), "");
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        let (message, at) = error(&file("judge", "## task\n{rul}\n"));
        assert!(message.contains("did you mean {rule}") && at == "{rul}", "{message}");
        let (message, at) = error(&file("judge", "## task\n{task}\n"));
        assert!(message.contains("known: {rule}, {answer}") && at == "{task}", "{message}");
        let (message, at) = error(&file("reward", "## task\nx\n"));
        assert!(message.contains("must be \"judge\"") && at == "reward", "{message}");
        let (message, at) = error(&file("judge", "## io\nx\n"));
        assert!(message.contains("unknown segment \"io\"") && at == "## io", "{message}");
        assert!(error(&file("judge", "## task\na\n## task\nb\n")).0.contains("duplicate"));
        assert!(error(&file("judge", "## system\na\n")).0.contains("add ## task"));
    }
}
