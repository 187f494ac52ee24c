//! The editor: what it opens on, what its keys do, and that nothing typed is lost.

use super::*;
use crate::model::EditModal;
use crate::requests::{Answer, Request};
use mageyard_domain::ReplyFormat;
use mageyard_engine::{Edit, EditTarget, RequestContext, RunState};
use mageyard_lab::{PromptOrigin, PromptText, WrittenPrompt};

/// The story with an action pending, as a live session shows it.
fn pending() -> Model {
    let form = Some(ReplyFormat::headings("# analyze", "# action", false));
    testing::model_of(
        {
            let base = testing::sample_episode().snapshot();
            Snapshot { requests: RequestContext { form, ..base.requests.clone() }, ..base }
        },
        120,
        40,
    )
}

fn editor(model: &Model) -> &EditModal {
    match &model.modal {
        Some(Modal::Edit(editor)) => editor,
        other => panic!("{other:?} is no editor; {:?}", model.notice),
    }
}

fn paste(model: &mut Model, text: &str) {
    update(model, Msg::Paste(text.into()));
}

#[test]
fn the_pending_action_is_offered_first_and_tab_walks_the_space() {
    let mut model = pending();
    assert!(press(&mut model, "e").is_empty());
    assert_eq!(editor(&model).text_editor.text(), "Right");
    press(&mut model, "tab");
    assert_eq!(editor(&model).text_editor.text(), "Up", "from the last name to the first");
    let spot = EditTarget { step: 7, replies: 1 };
    let edit = Edit::Actions(vec![Action::plain("Up")]);
    assert_eq!(commands(press(&mut model, "enter")), [SessionCommand::Edit(spot, edit)]);
    assert!(model.modal.is_none());
}

#[test]
fn an_action_that_is_none_stays_in_the_editor() {
    let mut model = pending();
    press(&mut model, "e ctrl-u J u m p");
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!(editor(&model).text_editor.text(), "Jump");
    assert!(model.notice.as_ref().unwrap().contains("\"Jump\" is not an action here"));
    press(&mut model, "ctrl-u");
    paste(&mut model, "Up, Left");
    assert!(press(&mut model, "enter").is_empty());
    assert!(model.notice.as_ref().unwrap().contains("exactly one action"));
}

#[test]
fn escape_asks_once_before_it_loses_a_change() {
    let mut model = pending();
    press(&mut model, "e esc");
    assert!(model.modal.is_none(), "there was no change");
    press(&mut model, "e x esc");
    assert_eq!(editor(&model).text_editor.text(), "Rightx");
    press(&mut model, "y esc");
    assert_eq!(editor(&model).text_editor.text(), "Rightxy", "another key in between resets the warning");
    assert!(press(&mut model, "esc").is_empty() && model.modal.is_none());
}

#[test]
fn a_reply_that_is_not_read_is_taken_only_when_asked_twice() {
    let mut model = pending();
    press(&mut model, "e ctrl-r ctrl-u");
    paste(&mut model, "\nno\u{1b}[31m form");
    assert!(!editor(&model).text_editor.text().contains('\u{1b}'));
    assert!(press(&mut model, "ctrl-d").is_empty());
    let taken = commands(press(&mut model, "ctrl-d"));
    assert!(
        matches!(&taken[..], [SessionCommand::Edit(EditTarget { step: 7, .. }, Edit::Reply(text))] if text.ends_with("no[31m form"))
    );
}

#[test]
fn an_unchanged_text_orders_nothing() {
    for keys in ["e enter", "e ctrl-r ctrl-d"] {
        let mut model = pending();
        assert!(press(&mut model, keys).is_empty(), "{keys}");
        assert!(model.modal.is_none() && model.notice.as_deref() == Some("nothing was changed"), "{keys}");
    }
}

#[test]
fn the_text_outlives_faults_and_an_episode_that_goes_on() {
    let mut model = pending();
    press(&mut model, "e ctrl-u L e f t");
    let snapshot = Snapshot::clone(&model.episodes[0].snapshot);
    let faulty = {
        let base = snapshot;
        Snapshot { run: RunState { error: Some("the disk is full".into()), ..base.run.clone() }, ..base }
    };
    update(&mut model, Msg::Snapshot(0, Arc::new(faulty)));
    assert_eq!(editor(&model).text_editor.text(), "Left");
    assert_eq!(model.notice.as_deref(), Some("the disk is full"));
    update(&mut model, Msg::FilesChanged);
    update(&mut model, Msg::Answer(Answer::Reloaded(Box::new(Err(Problem::new("bad"))))));
    update(&mut model, Msg::EditorReturned(Err("the editor failed".into())));
    assert_eq!(editor(&model).text_editor.text(), "Left");
    let next = testing::sample_episode().act(-0.5, true, Status::Running).snapshot();
    update(&mut model, Msg::Snapshot(0, Arc::new(next)));
    assert!(press(&mut model, "enter").is_empty());
    assert_eq!(editor(&model).text_editor.text(), "Left");
    assert!(model.notice.as_ref().unwrap().contains("the episode has moved on"));
    assert!(press(&mut model, "ctrl-c").is_empty(), "it asks before the text is lost");
    assert_eq!(press(&mut model, "ctrl-c"), [Effect::Quit]);
}

#[test]
fn what_cannot_be_edited_says_why() {
    let mut fresh =
        testing::model_of(ScriptedEpisode::new("oracle", Setting::Online, (3, 2)).snapshot(), 120, 40);
    press(&mut fresh, "e");
    assert!(
        fresh
            .notice
            .as_ref()
            .unwrap()
            .contains("nothing is pending at step 1: press Enter to ask the agent first")
    );
    command(&mut fresh, "edit action");
    assert!(fresh.notice.as_ref().unwrap().contains("no action is pending"));
    command(&mut fresh, "edit prompt");
    assert!(fresh.notice.as_ref().unwrap().contains("has no prompts"));
    command(&mut fresh, "edit soup");
    assert!(fresh.notice.as_ref().unwrap().contains("cannot edit \"soup\""));
    let thinking = {
        let base = testing::sample_episode().snapshot();
        Snapshot { run: RunState { waiting: Waiting::Reply, ..base.run.clone() }, ..base }
    };
    let mut thinking = testing::model_of(thinking, 120, 40);
    press(&mut thinking, "e");
    assert!(thinking.notice.as_ref().unwrap().contains("a request is in progress"));
    let mut back = pending();
    press(&mut back, "h e");
    assert!(back.notice.as_ref().unwrap().contains("only a pending step can be edited"));
    let mut recorded = testing::model_of(
        {
            let base = testing::sample_episode().snapshot();
            Snapshot { run: RunState { mode: Mode::Recorded, ..base.run.clone() }, ..base }
        },
        120,
        40,
    );
    press(&mut recorded, "e");
    assert!(recorded.notice.as_ref().unwrap().contains("this is a recording"));
}

#[test]
fn a_prompt_is_saved_by_the_lab_and_stays_open_while_it_is_invalid() {
    let mut model = testing::model_with_prompts();
    let draft = Effect::Request(Request::PromptText { environment: "sokoban".into(), name: "plain".into() });
    assert_eq!(command(&mut model, "edit prompt"), [draft]);
    let text = Answer::PromptText {
        environment: "sokoban".into(),
        name: "plain".into(),
        text: Ok(PromptText { name: "plain".into(), text: "no head".into(), origin: PromptOrigin::Shipped }),
    };
    update(&mut model, Msg::Answer(text));
    let keep = Effect::Request(Request::SavePrompt {
        environment: "sokoban".into(),
        edited: "plain".into(),
        text: "no head".into(),
    });
    assert_eq!(press(&mut model, "ctrl-d"), [keep]);
    let answer = |saved| Msg::Answer(Answer::PromptSaved { text: "no head".into(), saved: Box::new(saved) });
    update(&mut model, answer(Err(Problem::new("it has no head"))));
    assert_eq!(editor(&model).problem.as_ref().unwrap().message, "it has no head");
    let prompt = model.episodes[0].snapshot.requests.prompts[0].clone();
    let path = "/prompts/plain.md".into();
    let saved = WrittenPrompt { prompt: prompt.clone(), path, before: Some(PromptOrigin::Own) };
    let effects = update(&mut model, answer(Ok(saved)));
    let orders = [SessionCommand::AddPrompt(Box::new(prompt)), SessionCommand::AskAgain];
    assert_eq!(commands(effects), orders, "the pending reply was one to the old prompt");
    assert!(model.modal.is_none());
    // The saved file is a changed file.
    update(&mut model, Msg::Answer(Answer::Reloaded(Box::new(Ok(testing::appearance("dark"))))));
    let notices: Vec<_> = model.notice.as_deref().unwrap().lines().collect();
    let saved = "saved plain to /prompts/plain.md";
    let again = "the agent is asked again; its replies before stay in the agent pane and do not count";
    assert_eq!(notices, [saved, again, "files changed and were reloaded"]);
    press(&mut model, "j");
    assert_eq!(model.notice, None, "the next key clears them");
}

#[test]
fn the_persons_own_editor_is_handed_the_text() {
    let mut model = pending();
    assert_eq!(press(&mut model, "e ctrl-e"), [Effect::ExternalEditor("Right".into(), ".txt")]);
    update(&mut model, Msg::EditorReturned(Ok("Left".into())));
    assert_eq!(editor(&model).text_editor.text(), "Left");
    assert!(editor(&model).has_changed());
}
