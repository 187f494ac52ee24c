//! Steps: what works, what is refused and why, and what the page sees of it.

use libtest_mimic::Trial;
use mageyard::browser::{InteractionFault, PageFault};
use serde_json::{Value, json};

use crate::harness::{fault, opened, perform, trial, until, value};

pub(crate) fn list() -> Vec<Trial> {
    vec![
        trial("input::a_click_is_a_real_one", a_click_is_a_real_one),
        trial("input::elements_are_found_in_seven_ways", elements_are_found_in_seven_ways),
        trial("input::what_a_person_could_not_use_is_refused", what_a_person_could_not_use_is_refused),
        trial("input::what_a_person_can_use_works", what_a_person_can_use_works),
        trial("input::text_is_typed_key_by_key", text_is_typed_key_by_key),
        trial("input::options_are_chosen", options_are_chosen),
        trial("input::forms_are_submitted_and_fields_cleared", forms_are_submitted),
        trial("input::the_pointer_hovers_drags_and_stays", the_pointer_hovers_drags_and_stays),
        trial("input::scrolling_is_that_of_web_driver", scrolling_is_that_of_web_driver),
        trial("input::a_drag_carries_data", a_drag_carries_data),
        trial("input::pages_scroll", pages_scroll),
    ]
}

/// Records the events of the page in the title.
const RECORDER: &str = "<script>window.log = []; const note = (event) => { \
    log.push(event.type + (event.isTrusted ? '' : '!') + (event.key ? ':' + event.key : '')); \
    document.documentElement.dataset.log = log.join(' ') }; \
    for (const name of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'keydown', 'keyup', 'input', 'change', \
    'submit', 'dragstart', 'drop']) addEventListener(name, note, true)</script>";

async fn log(page: &mageyard::browser::Page) -> Value {
    value(page, "document.documentElement.dataset.log ?? ''").await
}

async fn a_click_is_a_real_one() {
    let (page, _folder) = opened(&format!("{RECORDER}<button id=b>b</button>")).await;
    perform(&page, r#"{"click": {"id": "b"}}"#).await.unwrap();
    assert_eq!(log(&page).await, json!("mousedown mouseup click"));
    let (page, _folder) = opened(&format!("{RECORDER}<button id=b>b</button>")).await;
    perform(&page, r#"{"double_click": {"id": "b"}}"#).await.unwrap();
    assert_eq!(log(&page).await, json!("mousedown mouseup click mousedown mouseup click dblclick"));
    let (page, _folder) = opened(&format!("{RECORDER}<button id=b>b</button>")).await;
    perform(&page, r#"{"right_click": {"id": "b"}}"#).await.unwrap();
    let found = log(&page).await;
    assert!(found.as_str().unwrap().contains("contextmenu"), "{found}");
}

async fn elements_are_found_in_seven_ways() {
    let (page, _folder) = opened(
        "<div onclick='document.title += event.target.dataset.n'><p id='1 a' data-n=1>one</p><p class='x y.z' data-n=2>two\n words</p>\
         <p class='x' data-n=3>three</p><a href='#' data-n=4> <b data-n=5>four</b></a><input name='na\"me' data-n=6></div>",
    )
    .await;
    for step in [
        r#"{"id": "1 a"}"#,
        r#"{"class": "y.z"}"#,
        r#"{"css": "p", "index": 2}"#,
        r#"{"xpath": "//p[text()='three']"}"#,
        r#"{"text": "two words"}"#,
        r#"{"link_text": "four"}"#,
        r#"{"name": "na\"me"}"#,
    ] {
        perform(&page, &format!(r#"{{"click": {step}}}"#)).await.unwrap();
    }
    assert_eq!(value(&page, "document.title").await, json!("1233256"));
}

async fn what_a_person_could_not_use_is_refused() {
    let (page, _folder) = opened(
        "<section style='overflow:hidden;height:10px'><p style='height:50px'></p><div id=cut></div></section><style>div { width: 50px; height: 20px }</style><div id=none style='display:none'></div>\
         <div id=hidden style='visibility:hidden'></div><div id=empty style='width:0'></div>\
         <div id=left style='position:absolute;left:-500px'></div>\
         <div style='position:relative'><div id=under></div><div id=over class='a b' style='position:absolute;top:0'></div></div>\
         <div id=nopointer style='pointer-events:none'></div><p id=p>text</p><button id=b>b</button><input id=i disabled>\
         <select id=s><option disabled>one</select>",
    )
    .await;
    for (step, reason) in [
        (r#"{"click": {"id": "missing"}}"#, InteractionFault::NotFound),
        (r#"{"click": {"css": "p", "index": 2}}"#, InteractionFault::NotFound),
        (r#"{"click": {"id": "none"}}"#, InteractionFault::NotDisplayed),
        (r#"{"click": {"id": "hidden"}}"#, InteractionFault::Hidden),
        (r#"{"click": {"id": "empty"}}"#, InteractionFault::NoSize),
        (r#"{"click": {"id": "left"}}"#, InteractionFault::OutOfReach),
        (r#"{"click": {"id": "cut"}}"#, InteractionFault::OutOfReach),
        (r#"{"click": {"id": "under"}}"#, InteractionFault::Covered("<div#over.a.b>".into())),
        (r#"{"click": {"id": "nopointer"}}"#, InteractionFault::IgnoresPointer),
        (r#"{"type": {"into": {"id": "p"}, "text": "x"}}"#, InteractionFault::NotFocusable),
        (r#"{"type": {"into": {"id": "i"}, "text": "x"}}"#, InteractionFault::NotFocusable),
        (r#"{"clear": {"id": "b"}}"#, InteractionFault::NotEditable),
        (r#"{"submit": {"id": "b"}}"#, InteractionFault::NoForm),
        (r#"{"choose": {"from": {"id": "b"}, "option": "x"}}"#, InteractionFault::NotASelect),
        (r#"{"choose": {"from": {"id": "s"}, "option": "x"}}"#, InteractionFault::NoOption("\"x\"".into())),
        (r#"{"choose": {"from": {"id": "s"}, "option": "one"}}"#, InteractionFault::DisabledOption),
    ] {
        match fault(perform(&page, step).await) {
            PageFault::Interaction { reason: found, .. } => assert_eq!(found, reason, "{step}"),
            other => panic!("{step}: {other}"),
        }
    }
    for step in
        [r#"{"click": {"css": "p:("}}"#, r#"{"click": {"xpath": "//p["}}"#, r#"{"press": {"key": "Retrn"}}"#]
    {
        let found = fault(perform(&page, step).await).to_string();
        assert!(found.contains("not a valid expression"), "{step}: {found}");
    }
}

async fn what_a_person_can_use_works() {
    let (page, _folder) = opened(
        "<div onclick='document.title += event.currentTarget === this ? event.target.closest(\"[data-n]\").dataset.n : 0'>\
         <button data-n=1 class=a><span style='display:block'>covered by its own</span></button>\
         <div data-n=2 class=a style='opacity:0'>x</div><div style='height:3000px'></div>\
         <button data-n=3 class=a style='scroll-behavior:smooth'>below</button>\
         <a data-n=4 class=a href='#'><div>block in inline</div></a></div><button class=a disabled>d</button>",
    )
    .await;
    for index in 0..5 {
        perform(&page, &format!(r#"{{"click": {{"class": "a", "index": {index}}}}}"#)).await.unwrap();
    }
    assert_eq!(value(&page, "document.title").await, json!("1234"));
}

async fn text_is_typed_key_by_key() {
    let (page, _folder) = opened(&format!(
        "{RECORDER}<input id=i value=0><textarea id=t>a</textarea><div id=e contenteditable>x</div>"
    ))
    .await;
    perform(&page, r#"{"type": {"into": {"id": "i"}, "text": "aB?"}}"#).await.unwrap();
    assert_eq!(
        log(&page).await,
        json!("keydown:a input keyup:a keydown:B input keyup:B keydown:? input keyup:?")
    );
    perform(&page, r#"{"type": {"into": {"id": "t"}, "text": "\nüß漢😀"}}"#).await.unwrap();
    perform(&page, r#"{"type": {"into": {"id": "e"}, "text": "y z"}}"#).await.unwrap();
    perform(&page, r#"{"type": {"text": "!"}}"#).await.unwrap();
    let values = "[i.value, t.value, e.innerText].map(String)";
    let found = value(
        &page,
        &values
            .replace("i.", "document.getElementById('i').")
            .replace("t.v", "document.getElementById('t').v")
            .replace("e.inn", "document.getElementById('e').inn"),
    )
    .await;
    assert_eq!(found, json!(["0aB?", "a\nüß漢😀", "xy z!"]));
    perform(&page, r#"{"press": {"key": "Control+a", "on": {"id": "i"}}}"#).await.unwrap();
    perform(&page, r#"{"press": {"key": "Backspace"}}"#).await.unwrap();
    assert_eq!(value(&page, "document.getElementById('i').value").await, json!(""));
    let (page, _folder) =
        opened("<script>onkeydown = (event) => { document.title += event.key + event.keyCode }</script><p>x")
            .await;
    perform(&page, r#"{"type": {"into": {"css": "body"}, "text": "q"}}"#).await.unwrap();
    perform(&page, r#"{"press": {"key": "ArrowDown"}}"#).await.unwrap();
    assert_eq!(value(&page, "document.title").await, json!("q81ArrowDown40"));
}

async fn options_are_chosen() {
    let (page, _folder) = opened(&format!("{RECORDER}<select id=s><option>one<option id=two>two</select><select multiple id=m><option>a<option>b</select>")).await;
    perform(&page, r#"{"click": {"id": "two"}}"#).await.unwrap();
    let chosen = "[...document.querySelectorAll('option:checked')].map((option) => option.text)";
    assert_eq!(value(&page, chosen).await, json!(["two"]));
    assert_eq!(log(&page).await, json!("change! mouseup! click!"));
    perform(&page, r#"{"choose": {"from": {"id": "s"}, "option": "one"}}"#).await.unwrap();
    for option in ["a", "b", "a"] {
        perform(&page, &format!(r#"{{"choose": {{"from": {{"id": "m"}}, "option": "{option}"}}}}"#))
            .await
            .unwrap();
    }
    assert_eq!(value(&page, chosen).await, json!(["one", "a", "b"]));
}

async fn forms_are_submitted() {
    let (page, _folder) = opened(&format!(
        "{RECORDER}<form onsubmit='event.preventDefault(); document.title += name.value'><input id=name value=a></form>"
    ))
    .await;
    perform(&page, r#"{"submit": {"id": "name"}}"#).await.unwrap();
    perform(&page, r#"{"clear": {"id": "name"}}"#).await.unwrap();
    perform(&page, r#"{"type": {"into": {"id": "name"}, "text": "b\n"}}"#).await.unwrap();
    assert_eq!(value(&page, "document.title").await, json!("ab"));
    assert_eq!(value(&page, "document.getElementById('name').value").await, json!("b"));
    let found = log(&page).await;
    assert_eq!(found.as_str().unwrap().matches("submit").count(), 2, "{found}");
}

async fn the_pointer_hovers_drags_and_stays() {
    let (page, _folder) = opened(
        "<style>div { width: 100px; height: 100px; position: absolute; user-select: none } #a:hover { color: rgb(1, 2, 3) }</style>\
         <div id=a style='left:0;top:0'></div><div id=b style='left:400px;top:0'></div>\
         <script>let down = 0; onmousedown = () => { down = 1 }; onmouseup = (event) => { down = 0; document.title += ' up ' + event.target.id }; \
         onmousemove = (event) => { document.title += ` ${event.clientX},${event.clientY},${down}` }</script>",
    )
    .await;
    perform(&page, r#"{"hover": {"id": "a"}}"#).await.unwrap();
    let colour = "getComputedStyle(document.getElementById('a')).color";
    assert_eq!(value(&page, colour).await, json!("rgb(1, 2, 3)"));
    page.screenshot(mageyard::browser::ScreenshotSpeed::Fast).await.unwrap();
    assert_eq!(value(&page, colour).await, json!("rgb(1, 2, 3)"));
    perform(&page, r#"{"hover": {"id": "a", "offset": [-20, 30]}}"#).await.unwrap();
    assert_eq!(value(&page, "document.title").await, json!("50,50,0 30,80,0"));
    perform(&page, r#"{"drag": {"from": {"id": "a"}, "to": {"onto": {"id": "b"}}}}"#).await.unwrap();
    let title = value(&page, "document.title").await.as_str().unwrap().to_owned();
    assert!(title.ends_with("450,50,1 up b"), "{title}");
    for step in
        [r#"{"mouse_down": {"id": "a"}}"#, r#"{"mouse_move": {"by": [10, 5]}}"#, r#"{"mouse_up": {}}"#]
    {
        perform(&page, step).await.unwrap();
    }
    let title = value(&page, "document.title").await.as_str().unwrap().to_owned();
    assert!(title.ends_with("60,55,1 up a"), "{title}");
}

/// The numbers are those of Selenium with its driver for this browser, less the difference of the heights.
async fn scrolling_is_that_of_web_driver() {
    let page_with = |element: &str| {
        format!(
            "<style>body {{ margin: 0 }} .x {{ position: absolute; left: 100px; width: 80px; height: 40px; padding: 0; border: 0 }}</style>{element}<div style='height:5000px'></div>"
        )
    };
    let rows = [
        ("click", 0, 300, 40, 0),
        ("click", 0, 926, 40, 0),
        ("click", 0, 950, 40, 53),
        ("click", 0, 1200, 40, 303),
        ("click", 2000, 300, 40, 300),
        ("click", 2000, 1990, 40, 2000),
        ("click", 0, 1100, 2000, 1632),
        ("hover", 0, 1200, 40, 303),
        ("hover", 2000, 1950, 40, 1053),
        ("hover", 2000, 300, 40, 0),
    ];
    for (step, from, top, height, expected) in rows {
        let (page, _folder) = opened(&page_with(&format!(
            "<button id=b class=x style='top:{top}px;height:{height}px'>b</button>"
        )))
        .await;
        perform(&page, &format!(r#"{{"scroll": {{"to": [0, {from}]}}}}"#)).await.unwrap();
        perform(&page, &format!(r#"{{"{step}": {{"id": "b"}}}}"#)).await.unwrap();
        assert_eq!(value(&page, "scrollY").await, json!(expected), "{step} from {from} at {top}");
    }
}

async fn a_drag_carries_data() {
    let (page, _folder) = opened(
        "<style>div { width: 100px; height: 100px; position: absolute }</style>\
         <div id=a draggable=true style='left:0;top:0'></div><div id=b style='left:400px;top:0'></div>\
         <script>const at = (id) => document.getElementById(id); const log = []; \
         const note = (word) => { log.push(word); document.body.dataset.log = log.join(' ') }; \
         at('a').ondragstart = (event) => { event.dataTransfer.setData('text', 'carried'); note('start') }; \
         at('a').ondragend = () => note('end'); \
         at('b').ondragover = (event) => event.preventDefault(); \
         at('b').ondrop = (event) => { event.preventDefault(); note(event.dataTransfer.getData('text')) }</script>",
    )
    .await;
    for _ in 0..2 {
        perform(&page, r#"{"drag": {"from": {"id": "a"}, "to": {"onto": {"id": "b"}}}}"#).await.unwrap();
    }
    until(&page, "document.body.dataset.log === 'start carried end start carried end'").await;
}

async fn pages_scroll() {
    let (page, _folder) =
        opened("<style>html { scroll-behavior: smooth }</style><div style='height:4000px'></div><p id=p>end")
            .await;
    for (step, expected) in
        [(r#"{"scroll": {"by": [0, 300]}}"#, json!(300)), (r#"{"scroll": {"to": [0, 120]}}"#, json!(120))]
    {
        perform(&page, step).await.unwrap();
        assert_eq!(value(&page, "scrollY").await, expected);
    }
    let end = value(&page, "document.documentElement.scrollHeight - innerHeight").await;
    perform(&page, r#"{"scroll": {"to_end": {}}}"#).await.unwrap();
    assert_eq!(value(&page, "scrollY").await, end);
    perform(&page, r#"{"scroll": {"to": [0, 0]}}"#).await.unwrap();
    perform(&page, r#"{"scroll": {"into_view": {"id": "p"}}}"#).await.unwrap();
    assert_eq!(value(&page, "scrollY").await, end);
    perform(&page, r#"{"scroll": {"into_view": {"css": "div"}}}"#).await.unwrap();
    assert_eq!(value(&page, "scrollY").await, json!(8));
}
