//! The snapshot of a page agrees with what Selenium read from the same pages (`benches/webui_selenium.py fixture`
//! writes its answers), and hostile pages cannot reach it.

use std::fs;

use libtest_mimic::Trial;
use mageyard::browser::{Page, Viewport};
use mageyard::envs::webui::snapshot::{Element, MAX_BYTES, PROPERTIES, SCRIPT, Snapshot, SnapshotError};
use serde::Deserialize;

use crate::harness::{folder, opened, pool, trial};

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("snapshot::agrees_with_selenium", agrees_with_selenium),
        trial("snapshot::a_page_past_a_limit_is_an_error", a_page_past_a_limit_is_an_error),
        trial("snapshot::scripts_of_the_page_change_nothing", scripts_of_the_page_change_nothing),
    ]
}

#[derive(Deserialize)]
struct Fixture {
    viewport: [u32; 2],
    pages: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    html: String,
    expected: Vec<Expected>,
}

/// The id, the text, and the box of an element that does not depend on fonts.
#[derive(Debug, PartialEq, Deserialize)]
struct Expected(String, String, Option<[f64; 4]>);

impl Expected {
    fn read(element: &Element) -> Self {
        let Element { id, text, x, y, w, h, .. } = element;
        Self(id.clone(), text.clone(), id.starts_with("box").then_some([*x, *y, *w, *h]))
    }
}

async fn read(page: &Page) -> Result<Snapshot, SnapshotError> {
    let value = page.evaluate(SCRIPT, MAX_BYTES).await.unwrap();
    Snapshot::parse(value.as_str().unwrap())
}

async fn agrees_with_selenium() {
    let Fixture { viewport: [width, height], pages } =
        serde_json::from_str(include_str!("data/selenium.json")).unwrap();
    let site = folder(&[]);
    let page = pool().page(site.path(), Viewport { width, height }).await.unwrap();
    let mut wrong = Vec::new();
    for (number, case) in pages.iter().enumerate() {
        let file = format!("{number}.html");
        fs::write(site.path().join(&file), &case.html).unwrap();
        page.open(&file).await.unwrap();
        let found: Vec<_> = read(&page).await.unwrap().elements.iter().map(Expected::read).collect();
        if found != case.expected {
            wrong.push(format!("{}: expected {:?}, found {found:?}", case.name, case.expected));
        }
    }
    assert!(pages.len() > 60 && wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn a_page_past_a_limit_is_an_error() {
    let grow = |body: &str| format!("<p id=p>x</p><script>{body}</script>");
    for (body, reason) in [
        (
            "document.body.append(...Array.from({ length: 5000 }, () => document.createElement('i')))",
            "5002 elements",
        ),
        ("for (let i = 0; i < 100001; i++) document.body.append('a')", "100000 nodes"),
        ("p.className = 'x'.repeat(30000000)", "too much source"),
    ] {
        let (page, _folder) = opened(&grow(body)).await;
        let error = read(&page).await.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

/// What a page can put in the way: changed prototypes, forms that hide their properties, text that is no Unicode.
async fn scripts_of_the_page_change_nothing() {
    let (page, _folder) = opened(
        "<form id=f><input name=tagName><input name=getAttribute><input name=offsetWidth><input name=firstChild></form>
         <img name=body><p id=p class=c>text</p><script>
         p.append('\\ud800');
         Array.prototype.map = () => { throw 1 }; JSON.stringify = () => '{}'; window.getComputedStyle = () => null;
         Object.prototype.toJSON = () => 1; Map.prototype.get = null; String.prototype.replace = null;
         Object.defineProperty(Object.prototype, 'views', { get() { throw 2 }, set() { throw 3 } })</script>",
    )
    .await;
    let snapshot = read(&page).await.unwrap();
    assert_eq!(snapshot.properties.len(), PROPERTIES.len());
    let tags: Vec<_> = snapshot.elements.iter().map(|element| element.tag.as_str()).collect();
    assert_eq!(tags, ["form", "input", "input", "input", "input", "p"]);
    let paragraph = snapshot.elements.last().unwrap();
    assert_eq!((paragraph.text.as_str(), paragraph.class.as_str()), ("text\u{fffd}", "c"));
}
