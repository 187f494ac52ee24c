//! The dialog that makes a branch, and the tree of branches.

use crate::requests::{Answer, BranchRow, ForkOrder, Request};
use std::path::PathBuf;

use super::*;
use crate::model::Fault;
use crate::tests::screen_text;
use mageyard_config::Problem;
use mageyard_domain::{MoveDirection, Observation, Piece, StateEditor};
use mageyard_engine::{Head, RequestContext, RunState};

/// The model of a recorded episode with six steps, the last one in view.
fn model() -> Model {
    let snapshot = testing::sample_episode().snapshot();
    testing::model_of(Snapshot { journal: Some("/s/0001/journal.jsonl".into()), ..snapshot }, 120, 40)
}

fn order(step: u32, changes: &str, is_made: bool) -> Effect {
    let journal = PathBuf::from("/s/0001/journal.jsonl");
    Effect::Request(Request::Fork(ForkOrder {
        journal,
        step,
        changes: changes.to_owned(),
        state: None,
        is_made,
    }))
}

fn type_text(model: &mut Model, text: &str) {
    assert!(update(model, Msg::Paste(text.to_owned())).is_empty());
}

fn plan(model: &mut Model, changes: &str, answer: Result<Vec<String>, Problem>) {
    assert!(update(model, Msg::Answer(Answer::ForkPlanned(changes.to_owned(), answer))).is_empty());
}

#[test]
fn a_branch_is_made_only_after_its_differences_were_shown() {
    let mut model = model();
    press(&mut model, "h h");
    let step = model.episode().unwrap().step().unwrap().number;
    assert_eq!(press(&mut model, "f"), [order(step, "", false)], "what it would be is found out at once");
    type_text(&mut model, "am=1");
    assert!(screen_text(&model).contains("Enter shows what it changes"));
    assert_eq!(press(&mut model, "enter"), [order(step, "am=1", false)]);
    // An answer to earlier changes makes nothing.
    plan(&mut model, "", Ok(vec!["nothing is changed".into()]));
    assert_eq!(press(&mut model, "enter"), [order(step, "am=1", false)]);
    plan(&mut model, "am=1", Ok(vec!["  am 5 -> 1".into()]));
    let text = screen_text(&model);
    assert!(text.contains("am 5 -> 1") && text.contains("Enter makes it"), "{text}");
    assert_eq!(press(&mut model, "enter"), [order(step, "am=1", true)]);
    let made = testing::sample_episode().snapshot();
    update(&mut model, Msg::Continued(Ok(made.into())));
    assert!(model.modal.is_none());
    assert_eq!((model.current, model.episodes.len()), (1, 2), "the branch is shown, the parent is kept");
    assert!(model.episodes[1].live);
}

#[test]
fn a_refused_branch_says_why_and_the_changes_stay() {
    let mut model = model();
    assert_eq!(command(&mut model, "fork prompt=nope"), [order(7, "prompt=nope", false)]);
    let refused = Problem::new("there is no prompt nope").with_help("did you mean none?");
    plan(&mut model, "prompt=nope", Err(refused.clone()));
    let text = screen_text(&model);
    assert!(text.contains("there is no prompt nope; did you mean none?"), "{text}");
    assert_eq!(press(&mut model, "enter"), [order(7, "prompt=nope", false)], "it is never made");
    update(&mut model, Msg::Continued(Err(refused)));
    assert!(matches!(model.modal, Some(Modal::Fault(Fault::Branch(_)))));
    press(&mut model, "esc");
    let mut without = testing::model(120, 40);
    assert!(press(&mut without, "f").is_empty());
    assert_eq!(without.notice.as_deref(), Some("this episode is not recorded, so no branch can be made"));
}

fn row(journal: &str, depth: usize, ending: Option<Ending>) -> BranchRow {
    let journal = PathBuf::from(journal);
    let name = format!("b{depth}");
    BranchRow {
        journal,
        depth,
        name,
        rewards: vec![-0.5, -0.5, 9.0],
        ending,
        notes: vec!["am 5 -> 1".into()],
    }
}

#[test]
fn the_tree_opens_finished_branches_and_continues_the_others() {
    let mut model = model();
    let own = PathBuf::from("/s/0001/journal.jsonl");
    assert_eq!(press(&mut model, "g b"), [Effect::Request(Request::ListBranches(own.clone()))]);
    let rows = vec![
        row("/s/0001/journal.jsonl", 0, Some(Ending::Won)),
        row("/s/0001/b1/journal.jsonl", 1, Some(Ending::StepLimit)),
        row("/s/0001/b2/journal.jsonl", 2, None),
    ];
    update(&mut model, Msg::Answer(Answer::Branches(Ok(rows))));
    let text = screen_text(&model);
    assert!(text.contains("b1") && text.contains("step limit") && text.contains("unfinished"), "{text}");
    assert_eq!(
        press(&mut model, "down enter"),
        [Effect::Request(Request::OpenJournal("/s/0001/b1/journal.jsonl".into()))]
    );
    assert_eq!(
        press(&mut model, "down enter"),
        [Effect::Request(Request::ContinueJournal("/s/0001/b2/journal.jsonl".into()))]
    );
    press(&mut model, "home enter");
    assert!(model.modal.is_none() && model.current == 0, "the episode itself is open");
    press(&mut model, "esc");
    assert!(matches!(model.modal, Some(Modal::Branches(_))), "Esc leads back to the tree");
    press(&mut model, "down enter");
    let branch = testing::branch_model("/s/0001/b1/journal.jsonl").episodes[0].snapshot.clone();
    read_recordings(&mut model, Vec::new(), [branch]);
    assert_eq!((model.current, model.modal.is_none()), (1, true));
    press(&mut model, "esc");
    assert!(matches!(&model.modal, Some(Modal::Branches(tree)) if tree.selected() == 1));
    assert_eq!(model.current, 0);
    press(&mut model, "enter esc down enter");
    update(&mut model, Msg::Continued(Err(Problem::new("it is locked"))));
    assert!(matches!(model.modal, Some(Modal::Fault(_))));
    press(&mut model, "esc");
    assert!(matches!(model.modal, Some(Modal::Branches(_))), "a fault closes to where it came from");
}

#[test]
fn the_list_of_episodes_tells_branches_apart() {
    let mut model = model();
    for (branch, started, step) in [("b1", 1_763_636_579, 3), ("b2", 1_763_640_179, 5)] {
        let shown =
            testing::branch_model(&format!("/s/0001/{branch}/journal.jsonl")).episodes[0].snapshot.clone();
        let mut head = Head::clone(&shown.head);
        head.started = started;
        if let Some(parent) = &mut head.parent {
            parent.step = step;
        }
        let waiting = if branch == "b1" { Waiting::Ended(Ending::Won) } else { shown.run.waiting };
        let snapshot = {
            let base = (*shown).clone();
            Snapshot { head: head.into(), run: RunState { waiting, ..base.run.clone() }, ..base }
        };
        model.episodes.push(EpisodeView::new(snapshot.into(), false));
    }
    press(&mut model, "E");
    let text = screen_text(&model);
    let row = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    let first = row("b1 from step 3");
    assert!(first.contains("✓ won  ") && first.contains("2025-11-20 11:02"), "{text}");
    let second = row("b2 from step 5");
    assert!(second.contains("step 7 of 50 · 2025-11-20 12:02"), "{text}");
    press(&mut model, "down enter");
    assert_eq!(model.current, 1);
    press(&mut model, "esc");
    assert!(
        matches!(model.modal, Some(Modal::Episodes(_))) && model.current == 0,
        "Esc leads back to the list"
    );
}

/// Letters in a row, which move to the right onto a full stop.
#[derive(Debug)]
struct RowEditor;

impl StateEditor for RowEditor {
    fn state(&self, _: &Observation) -> Option<String> {
        Some("a.b".to_owned())
    }

    fn pieces(&self, state: &str) -> Vec<Piece> {
        let letters = state.char_indices().filter(|(_, c)| *c != '.');
        letters.map(|(column, c)| Piece { name: c.to_string(), line: 0, column }).collect()
    }

    fn moved(&self, state: &str, piece: usize, direction: MoveDirection) -> Result<String, String> {
        let column = self.pieces(state)[piece].column;
        match (direction, state.get(column + 1..column + 2)) {
            (MoveDirection::Right, Some(".")) => {
                Ok(format!("{}.{}{}", &state[..column], &state[column..=column], &state[column + 2..]))
            }
            _ => Err("no room".to_owned()),
        }
    }
}

/// The open dialog: its state, its moves, what is selected, and the last refusal.
fn edited(model: &Model) -> (String, usize, usize, Option<String>) {
    let Some(Modal::State(edit)) = &model.modal else { panic!("{:?}", model.notice) };
    (edit.state().to_owned(), edit.moves(), edit.pieces().1, edit.refusal.clone())
}

#[test]
fn the_state_is_edited_piece_by_piece_and_a_branch_begins_with_it() {
    let mut model = model();
    let snapshot = Snapshot::clone(&model.episode().unwrap().snapshot);
    model.episode_mut().unwrap().snapshot = Snapshot { state_editor: Some(&RowEditor), ..snapshot }.into();
    press(&mut model, "g e");
    assert!(screen_text(&model).contains("Edit the state of step 7"));
    assert_eq!(edited(&model), ("a.b".into(), 0, 0, None));
    press(&mut model, "right");
    assert_eq!(edited(&model), (".ab".into(), 1, 0, None));
    press(&mut model, "right");
    assert_eq!(edited(&model), (".ab".into(), 1, 0, Some("no room".into())));
    press(&mut model, "tab left u");
    assert_eq!(edited(&model), ("a.b".into(), 0, 1, None));
    press(&mut model, "backtab right");
    let state = Some(".ab".to_owned());
    let planned = ForkOrder {
        journal: "/s/0001/journal.jsonl".into(),
        step: 7,
        changes: String::new(),
        state,
        is_made: false,
    };
    assert_eq!(press(&mut model, "enter"), [Effect::Request(Request::Fork(planned))]);
    assert!(matches!(model.modal, Some(Modal::Fork(_))));
}

#[test]
fn an_environment_without_an_editor_says_so() {
    let mut model = model();
    press(&mut model, "g e");
    assert!(model.modal.is_none() && model.notice.as_deref().unwrap().contains("cannot be edited"));
}

#[test]
fn the_agent_is_asked_again_and_a_hint_is_set_or_removed_by_commands() {
    let form = Some(mageyard_domain::ReplyFormat::headings("# analyze", "# action", false));
    let mut model = testing::model_of(
        {
            let base = testing::sample_episode().snapshot();
            Snapshot { requests: RequestContext { form, ..base.requests.clone() }, ..base }
        },
        120,
        40,
    );
    assert_eq!(commands(press(&mut model, "g r")), [SessionCommand::AskAgain]);
    let hint = |text: &str| SessionCommand::SetHint(Some(text.to_owned()));
    assert_eq!(commands(command(&mut model, "hint mind the corner")), [hint("mind the corner")]);
    assert_eq!(commands(command(&mut model, "hint none")), [SessionCommand::SetHint(None)]);
    press(&mut model, "g h");
    assert!(screen_text(&model).contains("Edit the hint"));
    type_text(&mut model, "look left");
    assert_eq!(commands(press(&mut model, "ctrl-d")), [hint("look left")]);
}
