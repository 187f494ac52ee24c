//! The trees of the kept pages, and a selector for each element of them.

use libtest_mimic::Trial;
use mageyard::envs::web::page::{ElementKind, TreeForm, locate};
use serde_json::{Value, json};

use super::opened::{Opened, page_names, pages_folder};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web_page::trees_are_as_kept", trees_are_as_kept),
        trial("web_page::each_selector_finds_its_element", each_selector_finds_its_element),
        trial("web_page::lines_have_no_hidden_characters", lines_have_no_hidden_characters),
        trial("web_page::a_cut_tree_says_how_much_is_missing", a_cut_tree_says_how_much_is_missing),
    ]
}

/// With `MAGEYARD_WRITE_TREES=1` they are written instead of compared.
async fn trees_are_as_kept() {
    let writes = std::env::var("MAGEYARD_WRITE_TREES").is_ok_and(|value| value == "1");
    let opened = Opened::empty().await;
    let mut wrong = Vec::new();
    for name in page_names() {
        opened.show_kept(&name).await;
        for (form, kind) in [(TreeForm::Visible, "visible"), (TreeForm::Code, "code")] {
            let mut found = opened.read(form, 3_000).await.text();
            found.push('\n');
            let file = pages_folder().join(format!("{name}.{kind}.txt"));
            if writes {
                std::fs::write(&file, &found).unwrap();
            }
            let kept = std::fs::read_to_string(&file).unwrap_or_default();
            if kept != found {
                wrong.push(format!("{}: kept\n{kept}\nfound\n{found}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn each_selector_finds_its_element() {
    let opened = Opened::empty().await;
    let mut tried = 0;
    let mut wrong = Vec::new();
    for name in page_names() {
        opened.show_kept(&name).await;
        let reading = opened.read(TreeForm::Visible, 0).await;
        for element in &reading.elements {
            let chosen = locate(&opened, &reading, element.number, &[], None).await.unwrap();
            let Some(css) = chosen.css else {
                wrong.push(format!("{name} [{}]: no selector", element.number));
                continue;
            };
            tried += 1;
            if element.frame == 0 && !finds_it(&opened, &css, &chosen.xpath).await {
                wrong.push(format!("{name} [{}]: {css} is not {}", element.number, chosen.xpath));
            }
        }
    }
    assert!(tried > 200 && wrong.is_empty(), "{tried} tried\n{}", wrong.join("\n"));
}

/// Whether a selector finds one element, the one at this path. In a shadow tree the path has no root.
async fn finds_it(opened: &Opened, css: &str, xpath: &str) -> bool {
    let (css, xpath) = (json!(css), json!(xpath));
    let expression = format!(
        "(() => {{ const css = {css}, path = {xpath}; \
         if (path.startsWith('/html')) {{ const all = document.querySelectorAll(css); \
         return all.length === 1 && document.evaluate(path, document, null, 9, null).singleNodeValue === all[0]; }} \
         const roots = [...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean); \
         return roots.flatMap((root) => [...root.querySelectorAll(css)]).length === 1; }})()"
    );
    opened.value(&expression).await == Value::Bool(true)
}

async fn lines_have_no_hidden_characters() {
    let opened = Opened::empty().await;
    opened.show_kept("control").await;
    for form in [TreeForm::Visible, TreeForm::Code] {
        let reading = opened.read(form, 0).await;
        for line in &reading.lines {
            let hidden = line.chars().find(|sign| *sign == '\n' || mageyard::domain::is_hidden(*sign));
            assert_eq!(hidden, None, "{line:?}");
        }
        assert!(reading.text().contains("⟨U+202E⟩"), "{}", reading.text());
    }
}

async fn a_cut_tree_says_how_much_is_missing() {
    let opened =
        Opened::new(&"<p>text</p><a href=/>link</a><iframe srcdoc='<p>a</p><p>b</p>'></iframe>".repeat(4))
            .await;
    let all = opened.read(TreeForm::Visible, 0).await;
    assert_eq!((all.elements.len(), all.cut), (20, 0), "{}", all.text());
    let cut = opened.read(TreeForm::Visible, 7).await;
    assert_eq!((cut.elements.len(), cut.lines.len()), (7, 9), "{}", cut.text());
    assert_eq!(cut.lines[1..8], all.lines[1..8]);
    // Frames behind the limit are not read.
    assert_eq!(cut.lines[8], format!("({} more elements and texts are not shown)", cut.cut));
    assert!(cut.cut >= 8, "{}", cut.cut);
    let numbers: Vec<_> = all.elements.iter().map(|element| element.number).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    let texts = all.elements.iter().filter(|element| element.kind == ElementKind::Text && element.frame > 0);
    assert_eq!(texts.count(), 8);
}
