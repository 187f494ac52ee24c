//! The three environments from their levels to their verdicts.

use mageyard_domain::{
    Action, Arg, EnvironmentContext, EnvironmentSpec, Level, LevelFile, LevelSource, Number, Options, Status,
};

use super::{Critic, Ground, Idm};
use crate::question::Question;

fn levels(spec: &dyn EnvironmentSpec, set: usize) -> Vec<Level> {
    spec.parse_levels(spec.level_sets()[set].text).unwrap()
}

fn options(rows: &[(&str, &str)]) -> Options {
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| text.into());
    rows.iter().map(|(name, text)| ((*name).to_owned(), value(text))).collect()
}

fn question<K: super::Kind>(level: &Level, rows: &[(&str, &str)]) -> Question {
    super::question_of::<K>(level, &options(rows)).unwrap()
}

fn number(value: f64) -> Arg {
    Arg::Number(Number::new(value).unwrap())
}

#[test]
fn the_shipped_sets_have_their_counts_and_nothing_is_wrong_with_them() {
    let context = EnvironmentContext::default();
    let all: [(&dyn EnvironmentSpec, usize); 4] = [(&Ground, 0), (&Idm, 0), (&Idm, 1), (&Critic, 0)];
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for (spec, set) in all {
        let levels = levels(spec, set);
        assert_eq!(levels.len(), 20);
        let check = spec.capabilities().files.check.unwrap();
        for level in &levels {
            let found = runtime.block_on(check.check(level, &Options::new(), &context)).unwrap();
            assert_eq!(found, [""; 0], "{}", level.label());
        }
        for platform in ["web", "desktop", "mobile"] {
            let of =
                |level: &&Level| spec.capabilities().scoring.level_group(level).as_deref() == Some(platform);
            assert!(levels.iter().filter(of).count() >= 5, "{platform}");
        }
    }
}

#[test]
fn a_point_hits_strictly_inside_of_the_element() {
    let level = &levels(&Ground, 0)[0];
    let question = question::<Ground>(level, &[]);
    let size = (640, 400);
    let point =
        |x: f64, y: f64| Action::plain("point").with("x", number(x / 640.0)).with("y", number(y / 400.0));
    let judged = |x, y| question.judge(Some(&point(x, y)), size);
    assert!(judged(441.0, 78.0).right && !judged(440.0, 78.0).right && !judged(485.0, 94.0).right);
    assert_eq!(judged(430.0, 78.0).sentence, "Missed: (430, 78) is outside of the element, 10 pixels away.");
    assert_eq!(question.judge(None, size).sentence, "No answer was read.");
}

#[test]
fn a_click_as_code_is_judged_by_place_and_kind() {
    let level = &levels(&Ground, 0)[0];
    let text = level.text().replace("\"source\"", "\"button\": \"right\", \"clicks\": 2, \"source\"");
    let question = question::<Ground>(&Level::from_text(1, None, text), &[("ask", "code")]);
    let size = (640, 400);
    let click = Action::plain("click").with("x", number(485.0)).with("y", number(78.0));
    let judged = question.judge(Some(&click), size);
    assert_eq!((judged.right, judged.figures["place"], judged.figures["kind"]), (false, 1.0, 0.0));
    assert!(judged.sentence.ends_with("Wrong kind: right is 2 x right."), "{}", judged.sentence);
    let right = question.right(size);
    assert!(question.judge(Some(&right), size).right && question.space(size).allows(&right));
}

#[test]
fn the_raw_instruction_is_shown_on_request() {
    let level = &levels(&Ground, 0)[0];
    let first = |rows: &[(&str, &str)]| format!("{:?}", question::<Ground>(level, rows).shown[0]);
    assert!(first(&[]).contains("Search for what is in the field"));
    assert!(first(&[("instruction", "raw")]).contains("Instruction: Search\""));
}

#[test]
fn a_list_of_operations_is_exact_or_has_a_distance() {
    let level = levels(&Idm, 1).into_iter().find(|level| level.label() == "web-shop-all").unwrap();
    let question = question::<Idm>(&level, &[]);
    let list = |letters: &str| Action::plain("answer").with("letters", Arg::Text(letters.into()));
    let judged = |letters: &str| {
        let judged = question.judge(Some(&list(letters)), (1, 1));
        (judged.right, judged.figures["edit_distance"])
    };
    assert_eq!(judged("A B A"), (true, 0.0));
    assert_eq!(
        [judged("A B"), judged("A A A A"), judged("a B A")],
        [(false, 1.0), (false, 2.0), (false, 1.0)]
    );
    let none = question.judge(None, (1, 1));
    assert_eq!((none.right, none.figures["edit_distance"], none.figures["actions"]), (false, 3.0, 3.0));
    let sentence = question.judge(Some(&list("A B D")), (1, 1)).sentence;
    assert_eq!(sentence, "Wrong: A (click), B (type), D (scroll); right is A (click), B (type), A (click).");
}

#[test]
fn the_last_actions_are_asked_after_one_without_a_picture_was_dropped() {
    let act = |index: usize, after: bool| {
        let after = if after { format!(", \"obs_after\": \"p{}\"", index + 1) } else { String::new() };
        format!("{{\"obs_before\": \"p{index}\"{after}, \"operation\": \"{}\"}}", ["a", "b"][index % 2])
    };
    let acts: Vec<String> = (0..8).map(|index| act(index, index < 7)).collect();
    let record = format!("{{\"actions\": [{}], \"action_space\": [\"a\", \"b\"]}}", acts.join(", "));
    let level = Level::from_text(1, None, record);
    let usual = question::<Idm>(&level, &[]);
    assert_eq!(usual.pictures, ["p2", "p3", "p4", "p5", "p6", "p7"]);
    assert_eq!(usual.right((1, 1)).to_string(), "answer(letters=\"A B A B A\")");
    let few = question::<Idm>(&level, &[("most_actions", "2"), ("images", "2")]);
    assert_eq!(
        (few.pictures.len(), few.right((1, 1)).to_string()),
        (2, "answer(letters=\"B A\")".to_owned())
    );
}

#[test]
fn true_and_false_are_judged_and_both_only_by_the_released_rules() {
    let levels = levels(&Critic, 0);
    let question = question::<Critic>(&levels[0], &[]);
    let success = levels[0].text().contains("\"is_success\": true");
    let judge = |name: &str| question.judge(Some(&Action::plain(name)), (1, 1));
    assert_eq!((judge("True").right, judge("False").right), (success, !success));
    assert_eq!(question.space((1, 1)).names().count(), 2);
    let code = self::question::<Critic>(&levels[0], &[("rules", "code")]);
    assert!(code.judge(Some(&Action::plain("True and False")), (1, 1)).right);
    let without = self::question::<Critic>(&levels[0], &[("actions", "false")]);
    assert!(without.shown.len() < question.shown.len() && without.pictures == question.pictures);
}

#[tokio::test]
async fn a_level_of_files_shows_them_as_they_are_and_marks_them_after_the_answer() {
    let context = EnvironmentContext::default();
    let png = crate::drawn::picture("web-shop-1").unwrap().png().unwrap();
    let stored = context.blobs.put("image/png", &png).unwrap();
    let record = r#"{"image": "shots/a.png", "instruction": "Search", "bbox": [440, 62, 530, 94]}"#;
    let files = [LevelFile { name: "shots/a.png".into(), content: stored.clone() }].into();
    let level = Level { number: 1, title: None, source: LevelSource::Files { record: record.into(), files } };
    let mut environment = Ground.open(&level, &Options::new(), 0).unwrap();
    let opening = environment.open(&context).await.unwrap();
    let shown = opening.observation.picture().unwrap();
    assert_eq!(shown.blob().map(|blob| blob.blob().clone()), Some(stored));
    let point = Action::plain("point").with("x", number(0.1)).with("y", number(0.9));
    let outcome = environment.act(&point, &context).await.unwrap();
    assert_eq!((outcome.status, outcome.reward), (Status::Lost, 0.0));
    assert!(outcome.note.unwrap().starts_with("Missed: (64, 360) is outside"));
    let marked = outcome.observation.picture().unwrap();
    assert_ne!(marked.pixels().unwrap(), shown.pixels().unwrap());
    let missing = Level::from_text(1, None, record);
    let error = Ground.open(&missing, &Options::new(), 0).unwrap().open(&context).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the environment failed: the picture \"shots/a.png\": is not a part of the level"
    );
}

#[tokio::test]
async fn people_see_what_is_asked_and_pictures_side_by_side_and_a_click_is_an_answer() {
    let context = EnvironmentContext::default();
    let inspector = Ground.capabilities().presentation.inspector.unwrap();
    let level = &levels(&Ground, 0)[0];
    let seen = Ground.open(level, &Options::new(), 0).unwrap().open(&context).await.unwrap().observation;
    let pages = inspector.inspect(&seen).unwrap().pages;
    assert_eq!((pages.len(), pages[0].title.as_str()), (1, "Search for what is in the field"));
    let click = inspector.action_at(&seen, (485, 78)).unwrap();
    assert!(question::<Ground>(level, &[]).judge(Some(&click), (640, 400)).right, "{click}");
    let level = levels(&Idm, 1).into_iter().find(|level| level.label() == "web-shop-all").unwrap();
    let seen = Idm.open(&level, &Options::new(), 0).unwrap().open(&context).await.unwrap().observation;
    let pages = inspector.inspect(&seen).unwrap().pages;
    let names: Vec<&str> = pages[0].views.iter().map(|view| view.name).collect();
    assert_eq!((pages.len(), names.as_slice()), (3, &["side by side", "before", "after"][..]));
    assert_eq!(pages[0].title, "A. click, B. type, C. select, D. scroll");
    assert_eq!(inspector.action_at(&seen, (1, 1)), None, "its answer is not a place");
}
