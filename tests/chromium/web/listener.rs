//! What a person touches in a page is reported, and nothing that a script does.

use libtest_mimic::Trial;
use mageyard::browser::Viewport;
use mageyard::browser::web::{PageListener, SessionOptions, WebBrowser, WebSession};
use mageyard::envs::web::facts::Relation;
use mageyard::envs::web::page::{ReferencePath, TOUCHES, Touch, TouchVerb, read_touch, touch_argument};
use serde_json::json;

use super::sites::{Sites, html};
use super::{browser_with, rules, until, value};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::listener::the_innermost_element_is_recorded_with_its_references", clicks),
        trial("web::listener::texts_options_and_keys_are_recorded", fields),
        trial("web::listener::frames_popups_and_links_are_recorded", documents),
        trial("web::listener::scripts_can_neither_forge_nor_find_it", scripts),
        trial("web::listener::without_a_listener_nothing_is_reported", without),
    ]
}

const STYLE: &str = "<!doctype html><meta charset=utf-8><style>body{margin:0} .at{position:absolute;left:10px;width:200px;\
height:20px;margin:0}</style>";

/// Each control is 30 pixels below the one before.
const CLICKS: &str = "<title>Clicks</title>
<button id=add class=at style='top:0'><svg width=200 height=20><path id=sign d='M0 0h200v20h-200z'/></svg></button>
<a id=link href='#there' class=at style='top:30px'><b><i id=word>a long word to be clicked</i></b></a>
<p id=plain class=at style='top:60px'>plain text, which is long enough</p>
<label id=label class=at style='top:90px'>small <input type=checkbox id=box></label>
<my-host class=at style='top:120px'></my-host>
<script>const root = document.querySelector('my-host').attachShadow({ mode: 'open' });
root.innerHTML = '<button id=deep style=\"width:200px;height:20px\">Deep</button>';</script>";

const FIELDS: &str = "<title>Fields</title>
<label class=at style='top:0'>Name <input id=name style='width:120px'></label>
<select id=size aria-label=Size class=at style='top:30px'><option>Small<option id=large>Large</select>
<textarea id=more aria-label=More class=at style='top:60px'></textarea>
<button id=go class=at style='top:90px'>Go</button>";

/// Everything that a script can do: events of its own, methods that make trusted ones, and a search for the binding.
const SCRIPTS: &str = "<title>Scripts</title>
<label id=label class=at style='top:0'>Box <input type=checkbox id=box></label>
<input id=name class=at style='top:30px'>
<button id=go class=at style='top:60px'>Go</button>
<button id=real class=at style='top:90px'>Real</button>
<script>
const by = (id) => document.getElementById(id);
function forge() {
  for (const type of ['click', 'pointerdown', 'keydown', 'input', 'change', 'focusin']) {
    const event = type === 'keydown' ? new KeyboardEvent(type, { key: 'Enter', bubbles: true, composed: true })
      : type === 'click' || type === 'pointerdown'
        ? new PointerEvent(type, { bubbles: true, composed: true, detail: 1, pointerType: 'mouse', pointerId: 1 })
        : new Event(type, { bubbles: true, composed: true });
    for (const id of ['go', 'name', 'box', 'label']) by(id).dispatchEvent(event);
  }
  by('go').click();
  by('label').click();
  by('box').click();
  by('name').focus();
  document.execCommand('insertText', false, 'forged');
  by('name').value += '!';
  by('name').blur();
}
function found() {
  const names = new Set();
  for (let at = window; at; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  for (const frame of [...document.querySelectorAll('iframe')]) {
    for (const name of Object.getOwnPropertyNames(frame.contentWindow)) names.add(name);
  }
  return [...names].filter((name) => /mageyard/i.test(name) || /cdc_|binding/i.test(name));
}
</script><iframe srcdoc='<p>inside' style='position:absolute;top:200px'></iframe>";

fn paths() -> Vec<ReferencePath> {
    let css = |path: &str| ReferencePath { path: path.to_owned(), is_xpath: false };
    ["#add", "#sign", "#link", "#word", "#large", "#size", "#box"].map(css).to_vec()
}

fn browser() -> WebBrowser {
    let page = |body: &str| html(&format!("{STYLE}{body}"));
    let frame = "<title>Around</title><iframe src=http://inner.test/ class=at style='top:0;height:60px;border:0'></iframe>
        <a href=http://inner.test/ target=_blank class=at style='top:100px'>a new tab for the inner page</a>
        <a href=/clicks class=at style='top:130px'>the page of clicks, in this tab</a>";
    browser_with(rules(
        &Sites::default()
            .page("l.test", "/clicks", page(CLICKS))
            .page("l.test", "/fields", page(FIELDS))
            .page("l.test", "/scripts", page(SCRIPTS))
            .page("l.test", "/around", page(frame))
            .page(
                "inner.test",
                "/",
                page("<title>Inner</title><button class=at style='top:0'>Press</button>"),
            ),
    ))
}

async fn opened(path: &str) -> WebSession {
    let listener = PageListener { function: TOUCHES, argument: touch_argument(&paths()) };
    let viewport = Viewport { width: 800, height: 600 };
    let options = SessionOptions { viewport, cookies: None, listener: Some(listener) };
    let session = browser().open(options).await.unwrap();
    session.goto(&format!("http://l.test/{path}")).await.unwrap();
    session.settle().await;
    session
}

async fn click(session: &WebSession, y: f64) {
    session.click_at(30.0, y).await.unwrap();
}

/// What was touched, with the address of the page, as soon as everything has arrived.
async fn touched(session: &WebSession) -> Vec<(String, Touch)> {
    session.settle().await;
    let (reports, left_out) = session.take_reports();
    assert_eq!(left_out, 0);
    reports
        .into_iter()
        .map(|report| (report.address, read_touch(&report.text).expect(&report.text)))
        .collect()
}

/// Verb, the selector of the element, and the text.
fn shown(touched: &[(String, Touch)]) -> Vec<(&'static str, &str, Option<&str>)> {
    touched
        .iter()
        .map(|(_, touch)| {
            let css = touch.element.css.as_deref().unwrap_or_default();
            (touch.verb.name(), css, touch.text.as_deref())
        })
        .collect()
}

fn relation(touch: &Touch, path: &str) -> Option<Relation> {
    touch.element.paths.iter().find(|facts| facts.path == path).unwrap().relation
}

async fn clicks() {
    let session = opened("clicks").await;
    for y in [10.0, 40.0, 70.0, 98.0, 130.0] {
        click(&session, y).await;
    }
    let touched = touched(&session).await;
    assert_eq!(
        shown(&touched),
        [
            ("click", "#sign", None),
            ("click", "#word", None),
            ("click", "#plain", None),
            ("click", "#label", None),
            ("click", "#box", None),
            ("click", "#deep", None),
        ]
    );
    let [sign, word, plain, ..] = &touched[..] else { panic!("{touched:?}") };
    assert_eq!(sign.0, "http://l.test/clicks");
    assert_eq!(relation(&sign.1, "#sign"), Some(Relation::Same));
    assert_eq!(relation(&sign.1, "#add"), Some(Relation::Operated), "the button around it");
    assert_eq!(relation(&word.1, "#word"), Some(Relation::Same));
    assert_eq!(relation(&word.1, "#link"), Some(Relation::Operated));
    assert!(plain.1.element.paths.iter().all(|facts| facts.relation.is_none()));
    assert_eq!(plain.1.element.label, "plain text, which is long enough");
    assert_eq!(relation(&touched[4].1, "#box"), Some(Relation::Same), "the control of the label");
    assert_eq!((touched[5].1.element.role.as_str(), touched[5].1.element.label.as_str()), ("button", "Deep"));
}

async fn fields() {
    let session = opened("fields").await;
    session.click_at(100.0, 10.0).await.unwrap();
    for key in ["a", "b", "Tab"] {
        session.press_key(key).await.unwrap();
    }
    // The select has the focus now.
    session.press_key("ArrowDown").await.unwrap();
    session.press_key("Tab").await.unwrap();
    session.press_key("x").await.unwrap();
    session.press_key("Tab").await.unwrap();
    session.press_key("Enter").await.unwrap();
    let touched = touched(&session).await;
    assert_eq!(
        shown(&touched),
        [
            ("click", "#name", None),
            ("fill_form", "#name", Some("a")),
            ("fill_form", "#name", Some("ab")),
            ("focus", "#size", None),
            ("select_option", "#size", Some("Large")),
            ("focus", "#more", None),
            ("fill_form", "#more", Some("x")),
            ("click", "#go", None),
        ]
    );
    let chosen = &touched[4].1;
    assert_eq!((chosen.verb, chosen.element.label.as_str()), (TouchVerb::SelectOption, "Size"));
    assert_eq!(relation(chosen, "#large"), Some(Relation::ChosenOption));
    assert_eq!(relation(chosen, "#size"), Some(Relation::Same));
    assert_eq!(touched[0].1.element.label, "Name");
}

async fn documents() {
    let session = opened("around").await;
    click(&session, 10.0).await;
    click(&session, 110.0).await;
    let first = touched(&session).await;
    let pages: Vec<_> =
        first.iter().map(|(page, touch)| (page.as_str(), touch.element.document.as_str())).collect();
    assert_eq!(
        pages,
        [("http://l.test/around", "http://inner.test/"), ("http://l.test/around", "http://l.test/around")],
        "a frame of another process, then a link"
    );
    // The new tab is the current one.
    click(&session, 10.0).await;
    let popup = touched(&session).await;
    assert_eq!(popup.len(), 1, "{popup:?}");
    assert_eq!(popup[0].0, "http://inner.test/");
    session.switch_tab(1).await.unwrap();
    click(&session, 140.0).await;
    let link = touched(&session).await;
    assert_eq!(link.len(), 1, "the page leaves at once: {link:?}");
    assert_eq!(session.address(), "http://l.test/clicks");
    click(&session, 10.0).await;
    assert_eq!(shown(&touched(&session).await), [("click", "#sign", None)], "the next document listens too");
}

async fn scripts() {
    let session = opened("scripts").await;
    run(&session, "forge()").await;
    assert_eq!(shown(&touched(&session).await), []);
    let forged = value(&session, "document.getElementById('name').value").await;
    assert_eq!(forged, json!("forged!"), "the script did change the field");
    run(&session, "document.title = JSON.stringify(found())").await;
    until(&session, "document.title !== 'Scripts'").await;
    assert_eq!(value(&session, "document.title").await, json!("[]"));
    // What a page does in the handler of a real click is not the person's.
    run(&session, "by('real').onclick = forge").await;
    click(&session, 100.0).await;
    assert_eq!(shown(&touched(&session).await), [("click", "#real", None)]);
}

/// Runs an expression in the world of the page, as its scripts do.
async fn run(session: &WebSession, expression: &str) {
    let code = format!(
        "(() => {{ const script = document.createElement('script'); script.textContent = {}; \
         document.body.append(script); return true }})()",
        json!(expression)
    );
    assert_eq!(value(session, &code).await, json!(true));
}

async fn without() {
    let session = super::session_of(&browser()).await;
    session.goto("http://l.test/clicks").await.unwrap();
    click(&session, 10.0).await;
    session.settle().await;
    assert_eq!(session.take_reports(), (Vec::new(), 0));
}
