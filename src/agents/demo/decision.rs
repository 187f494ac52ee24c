//! What the model decides: what the expert of the environment would do, or a slip.

use super::fault::{Fault, Help, misread};
use super::script::{Purpose, Script};
use crate::policy_agent::PolicyAgent;
use crate::random_arguments::draw_action;
use mageyard_domain::{
    Action, ActionSpec, AgentError, DecisionInput, Message, MessagePart, Mistakes, Observation, Probes,
    Segment, Setting,
};

/// The longest list of actions that is made without an expert.
const MOST_GUESSED: u32 = 10;

/// Why a wrong action is chosen, in the words of a model that is sure of it.
const SLIPS: [&str; 4] = [
    "From here this looks like the shortest way",
    "As far as I can see, this brings me nearer to the goal",
    "I have not tried this for a while, and nothing is in the way",
    "The other directions seem to lead away from the goal",
];

/// Why an action is repeated.
const LOOP: &str = "I see no reason to do anything else than before";

/// Why an action is chosen where the expert has none.
const LOST: &str = "I do not see how the goal can be reached from here, so I try what is possible";

/// Actions with the reason for them, which is a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decision {
    pub(super) actions: Vec<Action>,
    pub(super) reason: String,
    /// What is written in place of the actions that the analysis names.
    pub(super) written: Option<Vec<Action>>,
}

/// What the model sees of the frames that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// All of them.
    Whole,
    /// No frame, and it can guess.
    Blind,
    /// Not all frames that a right decision needs.
    Lost,
}

/// What the request shows, if the state has an image. With `frames` the present frame and so many before it are needed, as far as
/// there are any; otherwise one of any step.
fn sight(request: &[Message], observation: &Observation, (step, frames): (u32, Option<u32>)) -> Sight {
    if observation.images().next().is_none() || is_written(request) {
        return Sight::Whole;
    }
    let sent = || request.iter().flat_map(Message::images).map(|(part, _)| part.step);
    match frames {
        None if sent().next().is_some() => Sight::Whole,
        None => Sight::Blind,
        Some(frames) => {
            let first = step.saturating_sub(frames).max(1);
            let has_all = (first..=step).all(|needed| sent().any(|step| step == needed));
            if has_all { Sight::Whole } else { Sight::Lost }
        }
    }
}

/// Whether the present state is given as text.
fn is_written(request: &[Message]) -> bool {
    let newest = request.last().map(|message| message.parts.as_slice()).unwrap_or_default();
    newest.iter().any(|part| matches!(part, MessagePart::Text(Segment::StateText, _)))
}

/// Who decides.
#[derive(Clone, Copy)]
pub(super) struct Player<'a> {
    pub(super) script: Script<'a>,
    /// The solver of the environment, if it has one.
    pub(super) expert: Option<&'a PolicyAgent>,
    pub(super) mistakes: Option<&'static dyn Mistakes>,
    /// What the environment can ask about its states, with the ways to see them wrongly.
    pub(super) probes: Option<&'static dyn Probes>,
}

impl Player<'_> {
    /// Decides. Only the expert may take long.
    pub(super) async fn decide(&self, input: &DecisionInput<'_>) -> Decision {
        if let Some(purpose) = self.script.repeated().filter(|_| input.setting == Setting::Online) {
            return self.random(input, 1, &purpose, LOOP);
        }
        if let Some(decision) = self.faulty(input).await {
            return decision;
        }
        let needed = (input.step, self.script.settings.frames);
        let is_right = self.script.is_right(sight(input.request, input.observation, needed));
        if !is_right && input.setting == Setting::Online {
            return self.slip(input);
        }
        match self.expert_decision(input).await {
            Some(decision) if is_right => decision,
            Some(plan) => self.spoiled(plan, input),
            None => self.guess(input, LOST),
        }
    }

    /// The decision in a state with a fault of a known kind, unless the request has what mends it.
    async fn faulty(&self, input: &DecisionInput<'_>) -> Option<Decision> {
        let probes = self.probes.filter(|_| input.setting == Setting::Online)?;
        let faults = &self.script.settings.faults;
        let fault = faults.of(input.observation)?;
        let help = Help::of(input.request, input.observation, probes);
        match fault {
            Fault::Seen if !help.words => {
                let wrong = misread(probes, input.observation, &faults.misreading)?;
                let decision = self.expert_decision(&DecisionInput { observation: &wrong, ..*input }).await;
                Some(decision.unwrap_or_else(|| self.guess(input, LOST)))
            }
            Fault::Planned if !help.plan => {
                let right = self.expert_decision(input).await?;
                let reason = self.script.pick(Purpose::Words, 0, &SLIPS).unwrap_or(SLIPS[0]);
                Some(Decision { reason: reason.to_owned(), ..self.another(input, &right)? })
            }
            Fault::Written => {
                let right = self.expert_decision(input).await?;
                let other = self.another(input, &right)?;
                Some(Decision { written: Some(other.actions), ..right })
            }
            Fault::Seen | Fault::Planned => None,
        }
    }

    /// An action that is not that of this decision.
    fn another(&self, input: &DecisionInput<'_>, right: &Decision) -> Option<Decision> {
        let first = right.actions.first()?;
        let others: Vec<&ActionSpec> =
            input.space.specs().iter().filter(|spec| spec.name != first.name).collect();
        let over = self.script.over(Purpose::Slip, 8);
        let spec = self.script.choice.pick(&over, &others)?;
        let action = draw_action(self.script.choice, &over, spec);
        Some(Decision { actions: vec![action], reason: String::new(), written: None })
    }

    async fn expert_decision(&self, input: &DecisionInput<'_>) -> Option<Decision> {
        let chosen: Result<_, AgentError> = self.expert?.choose(input).await;
        let (actions, reason) = chosen.ok().filter(|(actions, _)| !actions.is_empty())?;
        Some(Decision { actions, reason, written: None })
    }

    /// A mistake of the environment, or a guess.
    fn slip(&self, input: &DecisionInput<'_>) -> Decision {
        let number = self.script.choice.below(&self.script.over(Purpose::Slip, 0), 1 << 32);
        let made = self.mistakes.and_then(|mistakes| mistakes.make(number, input.observation));
        if let Some((action, reason)) = made {
            return Decision { actions: vec![action], reason, written: None };
        }
        let reason = self.script.pick(Purpose::Words, 0, &SLIPS).unwrap_or(SLIPS[0]);
        self.guess(input, reason)
    }

    fn guess(&self, input: &DecisionInput<'_>, reason: &str) -> Decision {
        let count = if input.form.list { input.steps_left.clamp(1, MOST_GUESSED) } else { 1 };
        self.random(input, count, &self.script.over(Purpose::Slip, 1), reason)
    }

    /// Random actions.
    fn random(&self, input: &DecisionInput<'_>, count: u32, over: &[u32], reason: &str) -> Decision {
        let choice = self.script.choice;
        let action = |index: u32| {
            let over = [over, &[index]].concat();
            let spec = choice.pick(&over, input.space.specs())?;
            Some(draw_action(choice, &over, spec))
        };
        let actions = (0..count).filter_map(action).collect();
        Decision { actions, reason: reason.to_owned(), written: None }
    }

    /// A plan with one wrong action.
    fn spoiled(&self, plan: Decision, input: &DecisionInput<'_>) -> Decision {
        let Decision { mut actions, reason, written } = plan;
        let count = u64::try_from(actions.len()).unwrap_or(u64::MAX);
        let place = self.script.choice.below(&self.script.over(Purpose::Slip, 2), count);
        let wrong = self.random(input, 1, &self.script.over(Purpose::Slip, 3), "").actions.pop();
        let place = usize::try_from(place).ok().and_then(|place| actions.get_mut(place));
        if let Some((place, wrong)) = place.zip(wrong) {
            *place = wrong;
        }
        Decision { actions, reason, written }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::demo::settings::{DemoSettings, Faults, Shares};
    use crate::seeded_choice::SeededChoice;
    use mageyard_domain::{MessagePart, ObservationPart, PartId, Picture, Role, Segment};
    use serde_json::Value;

    #[test]
    fn a_model_without_a_frame_sees_nothing_unless_the_state_has_none() {
        let picture = Arc::new(Picture::new(2, 2, 1, vec![0; 12]).unwrap());
        let frame = MessagePart::Image(PartId { step: 1, index: 0 }, picture.clone());
        let words = MessagePart::Text(Segment::Turn, "What next?".into());
        let request = |part| [Message { role: Role::User, parts: vec![part] }];
        let drawn = Observation::from_parts(vec![ObservationPart::Image(picture)], "", Value::Null);
        let written = Observation::from_parts(Vec::new(), "", Value::Null);
        let any = (1, None);
        assert_eq!(sight(&request(frame.clone()), &drawn, any), Sight::Whole);
        assert_eq!(sight(&request(words.clone()), &written, any), Sight::Whole);
        assert_eq!(sight(&request(words.clone()), &drawn, any), Sight::Blind);
        // The frame of step 1 is that of the step, of the step before, and one of three that are needed.
        for (needed, seen) in
            [((1, 0), Sight::Whole), ((2, 0), Sight::Lost), ((2, 1), Sight::Lost), ((1, 4), Sight::Whole)]
        {
            assert_eq!(
                sight(&request(frame.clone()), &drawn, (needed.0, Some(needed.1))),
                seen,
                "{needed:?}"
            );
        }
        assert_eq!(sight(&request(words), &written, (2, Some(1))), Sight::Whole);
    }

    #[test]
    fn half_of_the_skill_is_left_without_a_frame() {
        let choice = SeededChoice::new(1, "");
        let settings = DemoSettings {
            skill: 0.8,
            pace: 0.0,
            frames: None,
            shares: Shares::default(),
            faults: Faults::default(),
        };
        let right = |sight| {
            let script = |step| Script { choice: &choice, settings: &settings, step, attempt: 1 };
            (1..=200).filter(|step| script(*step).is_right(sight)).count()
        };
        assert_eq!(right(Sight::Lost), 0);
        assert!((145..=175).contains(&right(Sight::Whole)) && (65..=95).contains(&right(Sight::Blind)));
    }
}
