//! The recorded workflow of a task as actions: the agent `oracle` plays them.

use mageyard_browser::web::WebSession;
use mageyard_domain::{Action, Arg, Number};

use crate::actions::{self, ID, OPTION, TAB, TEXT, URL};
use crate::live::CurrentTab;
use crate::page::{Found, PageReading, find_selector};
use crate::task::WorkflowStep;

/// The recorded step as an action of this observation; `None` if its element is not there.
pub(crate) async fn action(
    step: &WorkflowStep,
    session: &WebSession,
    reading: &PageReading,
) -> Option<Action> {
    let spec = actions::action_space().spec(&step.action)?.clone();
    let mut action = Action::plain(&*step.action);
    for param in &spec.params {
        let arg = match param.name.as_str() {
            ID => number(find(step, session, reading).await?),
            TAB => step.argument.as_ref()?.parse().ok().and_then(number_arg),
            URL | TEXT | OPTION => Some(Arg::Text(step.argument.clone().unwrap_or_default())),
            _ => None,
        };
        action.args.insert(param.name.clone(), arg?);
    }
    Some(action)
}

fn number(number: u32) -> Option<Arg> {
    number_arg(f64::from(number))
}

fn number_arg(number: f64) -> Option<Arg> {
    Number::new(number).map(Arg::Number)
}

async fn find(step: &WorkflowStep, session: &WebSession, reading: &PageReading) -> Option<u32> {
    match find_selector(&CurrentTab(session), reading, step.selector.as_deref()?).await {
        Ok(Found::Numbered(number)) => Some(number),
        Ok(Found::Unlisted | Found::Nothing) | Err(_) => None,
    }
}
