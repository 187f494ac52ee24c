//! What acts need: facts of key nodes, points, fields, options, scrolling.

use libtest_mimic::Trial;
use mageyard::envs::web::facts::Relation;
use mageyard::envs::web::page::{
    Filled, Found, ReferencePath, Refusal, Staleness, TreeForm, choices, choose, fill, find_selector, locate,
    pick_option, point, scroll,
};
use serde_json::{Value, json};

use super::opened::{Opened, number};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web_page::references_are_related", references_are_related),
        trial("web_page::options_are_related", options_are_related),
        trial("web_page::stale_numbers_are_refused", stale_numbers_are_refused),
        trial("web_page::points_are_free_or_covers_are_named", points_are_free_or_covers_are_named),
        trial("web_page::points_in_frames_are_shifted", points_in_frames_are_shifted),
        trial("web_page::fields_are_prepared", fields_are_prepared),
        trial("web_page::options_are_chosen", options_are_chosen),
        trial("web_page::scrolling_ends_at_the_end", scrolling_ends_at_the_end),
        trial("web_page::selectors_find_numbers", selectors_find_numbers),
    ]
}

fn css(path: &str) -> ReferencePath {
    ReferencePath { path: path.to_owned(), is_xpath: false }
}

async fn references_are_related() {
    let opened = Opened::new(
        "<a href=/><div><span id=s><b id=b>Deep</b></span></div></a><p id=other>Other</p>
         <button><svg width=9 height=9><g><path id=p d='M0 0h9v9z'/></g></svg>Draw</button>",
    )
    .await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let link = number(&reading, "link", "Deep");
    let mut paths = ["a", "#s", "#b", "#other", "#none", "a >"].map(css).to_vec();
    paths.push(ReferencePath { path: "//span".to_owned(), is_xpath: true });
    let chosen = locate(&opened, &reading, link, &paths, None).await.unwrap();
    let found: Vec<_> = chosen.paths.iter().map(|one| (one.tag.as_deref(), one.relation)).collect();
    assert_eq!(
        found,
        [
            (Some("a"), Some(Relation::Same)),
            (Some("span"), Some(Relation::Above(2))),
            (Some("b"), Some(Relation::Inside)),
            (Some("p"), None),
            (None, None),
            (None, None),
            (Some("span"), Some(Relation::Above(2))),
        ]
    );
    assert_eq!(chosen.code_css.as_deref(), Some("html > body > a"));
    assert_eq!(chosen.paths[1].code_relation, Some(Relation::Above(2)));
    assert_eq!((chosen.tag.as_str(), chosen.label.as_str()), ("a", "Deep"));
    assert_eq!(chosen.xpath, "/html/body[1]/a[1]");

    let button = number(&reading, "button", "Draw");
    let chosen = locate(&opened, &reading, button, &[css("#p")], None).await.unwrap();
    assert_eq!(chosen.paths[0].relation, Some(Relation::Inside));
}

async fn options_are_related() {
    let opened =
        Opened::new("<select aria-label=S><option id=one>One<option id=two value=2>Two</select>").await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let paths = ["#two", "#one", "select"].map(css);
    let select = number(&reading, "combobox", "S");
    let found = locate(&opened, &reading, select, &paths, Some(1)).await.unwrap();
    let relations = |found: &mageyard::envs::web::facts::ChosenElement| -> Vec<_> {
        found.paths.iter().map(|one| one.relation).collect()
    };
    assert_eq!(relations(&found), [Some(Relation::ChosenOption), None, Some(Relation::Same)]);
    let option = number(&reading, "option", "Two");
    let found = locate(&opened, &reading, option, &paths, None).await.unwrap();
    assert_eq!(relations(&found), [Some(Relation::Same), None, Some(Relation::SelectOfOption)]);
}

async fn stale_numbers_are_refused() {
    let opened = Opened::new("<button id=a>A</button><button>B</button>").await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let refusal = async |number| point(&opened, &reading, number).await.unwrap_err().refusal().cloned();
    assert_eq!(refusal(3).await, Some(Refusal::NoNumber { number: 3, last: 2 }));
    assert_eq!(refusal(0).await, Some(Refusal::NoNumber { number: 0, last: 2 }));
    opened.value("document.getElementById('a').remove()").await;
    let stale = |number, why| Some(Refusal::Stale { number, why });
    assert_eq!(refusal(1).await, stale(1, Staleness::Removed));
    assert_eq!(point(&opened, &reading, 2).await.unwrap().cover, None);
    let newer = opened.read(TreeForm::Visible, 0).await;
    assert_eq!(refusal(2).await, stale(2, Staleness::ReadAgain));
    assert_eq!(newer.last(), 1);
    opened.show("<button>A</button><button>B</button>").await;
    assert_eq!(refusal(2).await, stale(2, Staleness::NewDocument));
}

async fn points_are_free_or_covers_are_named() {
    let opened = Opened::new(
        "<div style='position:fixed;inset:0 0 auto 0;height:60px' role=dialog aria-label=Cookies>We use cookies</div>
         <button style='position:fixed;top:5px;left:5px'>Under</button>
         <div style='height:200px'></div><label>Name <input id=i></label><button disabled>Off</button>
         <div style='height:3000px'></div><a href=/><span>Far</span></a><select aria-label=S><option>O</select>
         <script>document.body.prepend(document.querySelector('button'))</script>",
    )
    .await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let at = async |role, label| point(&opened, &reading, number(&reading, role, label)).await;
    let covered = at("button", "Under").await.unwrap();
    let refusal = covered.refusal(1).unwrap().to_string();
    assert_eq!(refusal, "element 1 is covered by another element: dialog 'Cookies'");
    assert_eq!(at("textbox", "Name").await.unwrap().cover, None);
    let disabled = number(&reading, "button", "Off");
    assert_eq!(at("button", "Off").await.unwrap_err().refusal(), Some(&Refusal::Disabled(disabled)));
    let option = number(&reading, "option", "O");
    assert_eq!(at("option", "O").await.unwrap_err().refusal(), Some(&Refusal::IsOption(option)));
    let far = at("link", "Far").await.unwrap();
    assert_eq!(far.cover, None);
    assert!(far.y > 0.0 && far.y < 720.0, "{far:?}");
    let hit = opened.value(&format!("document.elementFromPoint({}, {}).textContent", far.x, far.y)).await;
    assert_eq!(hit, json!("Far"));
}

async fn points_in_frames_are_shifted() {
    let opened = Opened::new(
        "<div style='height:900px'></div><iframe style='margin-left:100px;border:5px solid;padding:10px' \
         srcdoc='<button>In</button><select aria-label=S><option>a</select>'></iframe><div style='height:900px'></div>",
    )
    .await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let button = number(&reading, "button", "In");
    let read = reading.element(button).unwrap();
    assert!(read.rect[0] > 110.0 && read.rect[1] > 900.0, "{read:?}");
    let found = point(&opened, &reading, button).await.unwrap();
    assert_eq!(found.cover, None);
    let hit = format!("document.elementFromPoint({}, {}).tagName", found.x, found.y);
    assert_eq!(opened.value(&hit).await, json!("IFRAME"));
    let chosen = locate(&opened, &reading, button, &[css("button")], None).await.unwrap();
    assert_eq!((chosen.document.as_str(), chosen.paths[0].relation), ("about:srcdoc", Some(Relation::Same)));
}

async fn fields_are_prepared() {
    let opened = Opened::new(
        "<input aria-label=T value=old><div contenteditable aria-label=E>old</div><input type=date aria-label=D>
         <input aria-label=R readonly><button>B</button><label for=l>Lab</label><input id=l>
         <script>window.seen = []; addEventListener('change', (e) => seen.push(e.target.value))</script>",
    )
    .await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let prepared =
        async |role, label, text| fill(&opened, &reading, number(&reading, role, label), text).await;
    assert_eq!(prepared("textbox", "T", "new").await.unwrap(), Filled::Focused);
    let selected = "[document.activeElement.value, document.activeElement.selectionStart, document.activeElement.selectionEnd]";
    assert_eq!(opened.value(selected).await, json!(["old", 0, 3]));
    assert_eq!(prepared("textbox", "E", "new").await.unwrap(), Filled::Focused);
    assert_eq!(opened.value("getSelection().toString()").await, json!("old"));
    assert_eq!(prepared("textbox", "T", "").await.unwrap(), Filled::Done);
    assert_eq!(opened.value("document.querySelector('input').value").await, json!(""));
    assert_eq!(prepared("date", "D", "2024-05-06").await.unwrap(), Filled::Done);
    assert_eq!(opened.value("document.querySelector('[type=date]').value").await, json!("2024-05-06"));
    let wrong = prepared("date", "D", "6 May").await.unwrap_err();
    assert!(wrong.to_string().ends_with("its type is date, which takes YYYY-MM-DD"), "{wrong}");
    assert_eq!(opened.value("document.querySelector('[type=date]').value").await, json!("2024-05-06"));
    let refusal = async |role, label| prepared(role, label, "x").await.unwrap_err().to_string();
    assert!(refusal("textbox", "R").await.ends_with("read-only"));
    assert!(refusal("button", "B").await.ends_with("not a field for text but button"));
}

async fn options_are_chosen() {
    let opened = Opened::new(
        "<select aria-label=S><option value=s>Small<option value=m>Medium<option disabled>Large</select>
         <script>window.seen = []; for (const name of ['input', 'change']) document.addEventListener(name, (e) => seen.push(e.type))</script>
         <output id=o></output><button>B</button>",
    )
    .await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let select = number(&reading, "combobox", "S");
    let all = choices(&opened, &reading, number(&reading, "option", "Small")).await.unwrap();
    assert_eq!(all.options.len(), 3);
    assert_eq!(pick_option(&all, select, "Medium"), Ok(1));
    assert_eq!(pick_option(&all, select, "m"), Ok(1));
    assert_eq!(pick_option(&all, select, "Mediums"), Ok(1));
    let none = pick_option(&all, select, "zzz").unwrap_err().to_string();
    assert_eq!(none, "no option is like 'zzz'; there are 'Small', 'Medium', 'Large'");
    assert_eq!(pick_option(&all, select, "Large"), Err(Refusal::DisabledOption("Large".to_owned())));
    let chosen = choose(&opened, &reading, select, 1).await.unwrap();
    assert_eq!((chosen.changed, chosen.text.as_str(), chosen.value.as_str()), (true, "Medium", "m"));
    assert_eq!(opened.value("document.querySelector('select').value").await, json!("m"));
    let button = number(&reading, "button", "B");
    let refused = choices(&opened, &reading, button).await.unwrap_err().to_string();
    assert!(refused.ends_with("has no options to select: it is button"), "{refused}");
}

async fn scrolling_ends_at_the_end() {
    let opened = Opened::new("<body style='margin:0'><div style='height:2000px'>long</div>").await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let mut places = Vec::new();
    for amount in [0.75, 0.75, 0.75, -0.5, -0.5, -0.5, -0.5] {
        let scrolled = scroll(&opened, &reading, amount).await.unwrap();
        places.push((scrolled.at, scrolled.moved));
    }
    let down = [(540.0, true), (1080.0, true), (1280.0, true)];
    assert_eq!(places[..3], down);
    assert_eq!(places[3..], [(920.0, true), (560.0, true), (0.0, true), (0.0, false)]);
    let inner = Opened::new(
        "<body style='margin:0'><div style='height:100vh;overflow:auto'><div style='height:3000px'>long</div></div>",
    )
    .await;
    let reading = inner.read(TreeForm::Visible, 0).await;
    assert!(scroll(&inner, &reading, 0.75).await.unwrap().moved);
}

async fn selectors_find_numbers() {
    let opened = Opened::new("<a href=/ id=a><b>Bold</b></a><div id=d style='height:50px'></div>").await;
    let reading = opened.read(TreeForm::Visible, 0).await;
    let link = number(&reading, "link", "Bold");
    assert_eq!(find_selector(&opened, &reading, "a > b").await.unwrap(), Found::Numbered(link));
    assert_eq!(find_selector(&opened, &reading, "#d").await.unwrap(), Found::Unlisted);
    assert_eq!(find_selector(&opened, &reading, "#x").await.unwrap(), Found::Nothing);
    assert_ne!(opened.value("1").await, Value::Null);
}
