//! Whether what a person wrote can take the place of what is pending.

use super::Episode;
use super::Need;
use crate::domain::Action;
use crate::domain::Setting;
use crate::engine::edit::Edit;
use crate::engine::edit::EditError;

impl Episode {
    /// Whether a person can edit so now; if not, why.
    pub fn can_edit(&self, edit: &Edit) -> Result<(), EditError> {
        match edit {
            Edit::Reply(text) => check_reply(self, text),
            Edit::Actions(written) => check_actions(self, written),
        }
    }
}

fn check_reply(episode: &Episode, text: &str) -> Result<(), EditError> {
    let step = episode.steps().last();
    let fail = |why| Err(EditError::NoReply { step: step.map_or(1, |step| step.number), why });
    let pending = step.and_then(|step| step.last_reply());
    match (episode.need(), pending) {
        (Need::Nothing(_), _) => fail("the episode is over"),
        (_, Some(attempt)) if *attempt.reply == *text => Err(EditError::Unchanged),
        (_, Some(_)) => Ok(()),
        (Need::Act(_), None) => fail("the plan was said at the first step, which is done; edit its rest"),
        (_, None) => fail("the agent has not answered yet"),
    }
}

fn check_actions(episode: &Episode, actions: &[Action]) -> Result<(), EditError> {
    let (Need::Act(due), Some(step)) = (episode.need(), episode.steps().last()) else {
        return Err(EditError::NoAction);
    };
    let setting = episode.head().setting;
    let wanted = match setting {
        Setting::Online if actions.len() != 1 => Some("exactly one action"),
        Setting::Global if actions.is_empty() => Some("at least one action"),
        _ => None,
    };
    if let Some(wanted) = wanted {
        return Err(EditError::Count { setting, wanted, found: actions.len() });
    }
    if let Some(action) = actions.iter().find(|action| !step.space.allows(action)) {
        let space = step.space.names().collect::<Vec<_>>().join(", ");
        return Err(EditError::NotAllowed { action: action.to_string(), space });
    }
    if std::iter::once(due).chain(episode.plan()).eq(actions) { Err(EditError::Unchanged) } else { Ok(()) }
}
