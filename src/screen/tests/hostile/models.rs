//! Models with a text from outside in every pane and every dialog.

use std::sync::Arc;

use super::super::*;
use super::ask_models::ask_models;
use crate::model::{
    ActionForm, BranchTree, ComparedEpisode, ComparedRequest, CopyMenu, Deletion, EditModal, EditSubject,
    EntryMenu, EpisodeComparison, EpisodeList, ForkSheet, FormPurpose, FoundList, RequestComparison, Search,
    SeatSheet, StateEdit, ThemePicker,
};
use crate::requests::{BranchRow, FindProgress, FoundRow, SessionSummary};
use crate::tutor::{Lesson, Tutor};
use mageyard_domain::{Arg, MoveDirection, Observation, Piece, Segment, SentRequest, SentTurn, StateEditor};
use mageyard_engine::{
    AnnotationText, Breakpoints, EpisodeAnnotations, RunState, SeatChoice, StepAnnotations,
};

/// An editor whose states, names and refusals are any text.
#[derive(Debug)]
struct AnyEditor;

impl StateEditor for AnyEditor {
    fn state(&self, _: &Observation) -> Option<String> {
        None
    }

    fn pieces(&self, state: &str) -> Vec<Piece> {
        vec![Piece { name: state.to_owned(), line: 0, column: 0 }]
    }

    fn moved(&self, state: &str, _: usize, _: MoveDirection) -> Result<String, String> {
        Err(state.to_owned())
    }
}

/// An episode with this text wherever a model, an environment or a server can put one.
pub(in crate::tests) fn snapshot(text: &str) -> Snapshot {
    let reply = format!("# analyze\n{text}\n\n# action\nUp");
    let told = ScriptedEpisode::new("oracle", Setting::Online, (3, 2))
        .step("Left", -0.5, true)
        .reply(text)
        .reply(&reply);
    let mut snapshot = told.snapshot();
    let mut head = Head::clone(&snapshot.head);
    (head.reference, head.title, head.engine) =
        (text.to_owned(), Some(text.to_owned()), Some(text.to_owned()));
    (head.agent.name, head.agent.model) = (text.to_owned(), Some(text.to_owned()));
    snapshot.head = Arc::new(head);
    let last = snapshot.steps.len() - 1;
    let step = Arc::make_mut(snapshot.steps.get_mut(last).unwrap());
    step.observation = Observation::from_parts(vec![ObservationPart::Text(text.into())], text.to_owned(), 0);
    if let Some(attempt) = step.attempts.first_mut() {
        (attempt.reasoning, attempt.model) = (Some(text.into()), Some(text.into()));
        attempt.picked_from = Some(text.into());
        attempt.notes = [text.to_owned()].into();
    }
    (snapshot.run.error, snapshot.run.break_reason) = (Some(text.to_owned()), Some(text.to_owned()));
    snapshot
}

/// Models with this text in every pane and every dialog.
pub(crate) fn models(text: &str) -> Vec<Model> {
    let base = testing::model_of(snapshot(text), 120, 40);
    let with = |change: &dyn Fn(&mut Model)| {
        let mut model = base.clone();
        change(&mut model);
        model
    };
    let problem = || Problem::new(text.to_owned()).at(text, text, 0..1).with_help(text.to_owned());
    let own = || text.to_owned();
    let mut models = vec![
        with(&|_| {}),
        with(&|model| model.agent.raw = true),
        with(&|model| (model.frame.shown_as, model.panes.zoomed) = (FrameView::Text, true)),
        with(&|model| model.notify(own())),
        with(&|model| model.modal = Some(Modal::Palette(Palette::with(own())))),
        with(&|model| {
            (model.names.levels, model.names.themes) = (vec![own()], vec![own()]);
            model.modal = Some(Modal::Palette(Palette::with("open ".to_owned())));
        }),
        with(&|model| {
            let session =
                SessionSummary { name: own(), episodes: 2, summary: own(), ..SessionSummary::default() };
            model.recorded_sessions = Some(Ok(vec![session].into()));
            model.modal = Some(Modal::Episodes(EpisodeList::at(model, 0)));
        }),
        with(&|model| {
            model.recorded_sessions = Some(Err(problem()));
            model.modal = Some(Modal::Episodes(EpisodeList::at(model, 0)));
        }),
        with(&|model| model.modal = Some(Modal::Fault(Fault::Files(problem())))),
        with(&|model| model.modal = Some(Modal::Verdict(EntryMenu::default()))),
        with(&|model| model.modal = Some(Modal::Request(0))),
        with(&|model| model.modal = Some(Modal::Help(crate::help::HelpSheet::default()))),
        with(&|model| model.modal = Some(Modal::Breaks(Breakpoints::default()))),
        with(&|model| model.modal = Some(Modal::Abandon)),
        with(&|model| model.modal = Some(Modal::Delete(Deletion { name: own(), is_sweep: true }))),
        with(&|model| {
            let mut sheet = ForkSheet::new("/s".into(), 3, &own());
            let known = sheet.changes().to_owned();
            sheet.plan = Some((known, Ok(vec![own()])));
            model.modal = Some(Modal::Fork(sheet.into()));
        }),
        with(&|model| {
            let mut edit = StateEdit::new(&AnyEditor, "/s".into(), 3, own()).unwrap();
            edit.shift(MoveDirection::Left);
            model.modal = Some(Modal::State(edit.into()));
        }),
        with(&|model| {
            let mut tree = BranchTree::new("/s".into());
            let row = BranchRow {
                journal: "/s".into(),
                depth: 1,
                name: own(),
                rewards: vec![1.0],
                ending: None,
                notes: vec![own()],
            };
            tree.set_rows(Ok(vec![row]));
            model.modal = Some(Modal::Branches(tree.into()));
        }),
        with(&|model| model.modal = Some(Modal::Restart)),
        with(&|model| {
            let mut prompts = testing::model_with_prompts().episodes[0].snapshot.requests.prompts.to_vec();
            (prompts[0].name, prompts[1].summary) = (own(), own());
            let viewed = &mut model.episodes[0];
            let told = Arc::make_mut(&mut viewed.snapshot);
            told.prompt = own();
            told.requests.prompts = prompts.into();
            model.modal = Some(Modal::Prompts);
        }),
        with(&|model| {
            let mut picker = ThemePicker::new(vec![own(), own()], model.look.theme.clone());
            picker.problem = Some(own());
            model.modal = Some(Modal::Themes(Box::new(picker)));
        }),
        with(&|model| model.typed.prefix = Some(testing::key("g"))),
        with(&|model| model.typed.count = Some(12)),
        with(&|model| model.tutor = Some(Tutor::new(Lesson::named(Lesson::names()[0]).unwrap(), 0))),
        with(&|model| {
            let menu = CopyMenu::new(model);
            model.modal = Some(Modal::Copy(CopyMenu { message: Some(own()), ..menu }));
        }),
        with(&|model| {
            let mut editor = EditModal::new(EditSubject::Reply, own(), None);
            editor.problem = Some(problem());
            model.modal = Some(Modal::Edit(Box::new(editor)));
        }),
    ];
    models.extend(deciders(text));
    models.extend(annotated(&base, text));
    models.extend(compared(text));
    let space = testing::space_with_params();
    let given = Action::plain("write").with("html", Arg::Code(text.to_owned()));
    let form = ActionForm::new(space.spec("write").unwrap().clone(), &given, FormPurpose::Play);
    models.extend(ask_models(text, &base));
    models.extend(super::suite_models::suite_models(&base, text));
    models.push(with(&|model| model.modal = Some(Modal::Form(Box::new(form.clone())))));
    models.extend(Pane::ALL.map(|pane| {
        with(&|model| (model.panes.focus, model.panes.tab, model.panes.zoomed) = (pane, pane, true))
    }));
    models
}

/// Models with this text in the list of agents, and in what the oracle said.
fn deciders(text: &str) -> [Model; 2] {
    let own = || text.to_owned();
    let mut seats = testing::model(120, 40);
    let viewed = &mut seats.episodes[0];
    let choice = |refusal| SeatChoice { name: own(), summary: own(), refusal };
    let listed = [choice(None), choice(Some(own()))].into();
    viewed.snapshot = {
        let base = Snapshot::clone(&viewed.snapshot);
        Snapshot { run: RunState { seats: listed, ..base.run.clone() }, ..base }
    }
    .into();
    seats.modal = Some(Modal::Seats(SeatSheet::new(0)));
    let mut oracle = testing::model(120, 40);
    let states: Vec<_> = oracle.episodes[0].snapshot.steps.iter().map(|step| step.state).collect();
    oracle.oracle.is_shown = true;
    for state in states {
        oracle.oracle.begin(state);
        oracle.oracle.end(state, Some(own()));
    }
    [seats, oracle]
}

/// Models that compare an episode and a request with this text with others.
fn compared(text: &str) -> [Model; 2] {
    let mut own = snapshot(text);
    let shared = Arc::new(own.clone());
    own.steps = testing::sample_episode().snapshot().steps;
    let side = |snapshot: Snapshot| ComparedEpisode { name: text.to_owned(), snapshot: snapshot.into() };
    let [mut episodes, mut requests] = [(); 2].map(|()| testing::model_of(snapshot(text), 120, 40));
    let diff = EpisodeComparison::new(side(Snapshot::clone(&shared)), side(own));
    episodes.modal = Some(Modal::Diff(diff.into()));
    let asked = testing::model_agent(text).episodes[0].snapshot.clone();
    let number = asked.steps.iter().find(|step| !step.attempts.is_empty()).unwrap().number;
    let turn = |role: &str, words: &str| {
        let json = serde_json::to_string(&[role, words]).unwrap();
        Arc::new(SentTurn::new(json, [Some(Segment::Task)]))
    };
    let request = |turns: Vec<Arc<SentTurn>>| {
        let mut compared = ComparedRequest::of(text, &asked, number).unwrap();
        let envelope = Arc::new(serde_json::json!({ text: text, "turns": turns.len() }));
        compared.sent = Arc::new(SentRequest { envelope, turns, ..SentRequest::default() });
        compared
    };
    let longer = format!("{text} more");
    let old = request(vec![turn("user", text), turn(text, text)]);
    let new = request(vec![turn("user", &longer), turn(text, text), turn(text, &longer)]);
    let diff = RequestComparison::new(old, new, requests.request_reader);
    requests.modal = Some(Modal::RequestDiff(diff.into()));
    [episodes, requests]
}

/// Models with this text as a tag, as a comment, as what was found and as what is searched.
fn annotated(base: &Model, text: &str) -> Vec<Model> {
    let with = |change: &dyn Fn(&mut Model)| {
        let mut model = base.clone();
        change(&mut model);
        model
    };
    let problem = || Problem::new(text.to_owned()).at(text, text, 0..1).with_help(text.to_owned());
    let own = || text.to_owned();
    vec![
        with(&|model| {
            let mut list = FoundList::new(&own());
            list.add(FindProgress::Unknown(own()));
            let row = FoundRow { journal: "/s".into(), step: 1, run: own(), facts: own() };
            list.add(FindProgress::Steps(vec![row]));
            model.modal = Some(Modal::Found(list.clone().into()));
        }),
        with(&|model| {
            let mut list = FoundList::new(&own());
            list.add(FindProgress::Ended(Err(problem())));
            model.modal = Some(Modal::Found(list.into()));
        }),
        with(&|model| annotate(model, text)),
        with(&|model| {
            annotate(model, text);
            model.modal = Some(Modal::Palette(Palette::with("tag ".to_owned())));
        }),
        with(&|model| (model.panes.focus, model.search) = (Pane::Agent, Some(Search::with(text)))),
    ]
}

/// Gives every step this text as a tag and as a comment. A file can have any.
fn annotate(model: &mut Model, text: &str) {
    let texts = || vec![AnnotationText { at: 1, text: text.to_owned() }];
    let steps = (1..3).map(|step| (step, StepAnnotations { tags: texts(), comments: texts() }));
    let annotations =
        EpisodeAnnotations { steps: steps.collect(), known_tags: vec![text.to_owned()], damaged: Vec::new() };
    model.episodes[0].annotations = Arc::new(annotations);
}
