//! The dialog in which a person answers a question of the episode.

use super::*;
use mageyard_dialog::PersonQuestion;
use mageyard_domain::Question;

#[test]
fn each_question_has_its_keys_in_the_footer() {
    let allow = PersonQuestion::Allow(vec!["the folder is emptied".into(), "a program is ended".into()]);
    for (name, question) in [
        ("confirm", PersonQuestion::Confirm(Action::plain("Left"))),
        ("allow", allow),
        ("take-over", PersonQuestion::Ask(Question::take_over("Solve the captcha.").into())),
        ("answer", PersonQuestion::Ask(Question::to_person("Is it right?\n".repeat(30)).into())),
    ] {
        let mut model = testing::asked(question);
        model.size = (80, 24).into();
        model.frame.shown_as = FrameView::Text;
        assert_snapshot!(format!("person-{name}"), symbols(&render(&model)));
    }
}
