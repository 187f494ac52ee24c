//! Tabs: which is current, how many there are, and what happens when one goes away.

use libtest_mimic::Trial;
use mageyard::browser::web::{Happening, MOST_TABS, WebFault, WebSession};
use serde_json::json;

use super::{opened, until_happened, until_tabs, value};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::tabs::a_new_tab_becomes_current", a_new_tab_becomes_current),
        trial("web::tabs::tabs_are_switched_and_closed", switched_and_closed),
        trial("web::tabs::the_last_tab_is_replaced", the_last_tab_is_replaced),
        trial("web::tabs::there_are_not_too_many_tabs", too_many_tabs),
        trial("web::tabs::a_page_may_close_itself", a_page_may_close_itself),
    ]
}

fn current(session: &WebSession) -> u32 {
    session.tabs().into_iter().find(|tab| tab.current).unwrap().number
}

async fn a_new_tab_becomes_current() {
    let session = opened("http://tabs.test/").await;
    session.click_at(10.0, 10.0).await.unwrap();
    session.settle().await;
    let tabs = session.tabs();
    let seen: Vec<_> = tabs.iter().map(|tab| (tab.number, tab.title.as_str(), tab.current)).collect();
    assert_eq!(seen, [(1, "Tabs", false), (2, "Next", true)]);
    assert_eq!(session.address(), "http://tabs.test/next");
    assert_eq!(session.document().status, Some(200));
    assert_eq!(value(&session, "document.visibilityState").await, json!("visible"));
    assert_eq!(session.take_happenings(), [Happening::TabOpened { number: 2 }]);
    let picture = image::load_from_memory(&session.screenshot().await.unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (800, 600));
}

async fn switched_and_closed() {
    let session = opened("http://tabs.test/").await;
    // A window with a size of its own is a tab like the others.
    session.click_at(10.0, 90.0).await.unwrap();
    until_tabs(&session, |tabs| tabs.len() == 2 && tabs[1].url.ends_with("/next")).await;
    assert_eq!(value(&session, "[innerWidth, innerHeight]").await, json!([800, 600]));
    session.switch_tab(1).await.unwrap();
    assert_eq!((current(&session), session.address().as_str()), (1, "http://tabs.test/"));
    session.screenshot().await.unwrap();
    session.click_at(10.0, 10.0).await.unwrap();
    until_tabs(&session, |tabs| tabs.len() == 3 && tabs[2].current).await;
    session.settle().await;
    session.switch_tab(2).await.unwrap();
    session.close_tab(2).await.unwrap();
    // The one that was current before.
    assert_eq!(current(&session), 3);
    session.close_tab(1).await.unwrap();
    assert_eq!((session.tabs().len(), current(&session)), (1, 3));
    assert_eq!(session.switch_tab(1).await, Err(WebFault::NoTab(1)));
    assert_eq!(session.close_tab(7).await, Err(WebFault::NoTab(7)));
    assert_eq!(value(&session, "document.body.innerText").await, json!("next"));
    let closed: Vec<_> = session
        .take_happenings()
        .into_iter()
        .filter(|it| matches!(it, Happening::TabClosed { .. }))
        .collect();
    assert_eq!(closed, [Happening::TabClosed { number: 2 }, Happening::TabClosed { number: 1 }]);
}

async fn the_last_tab_is_replaced() {
    let session = opened("http://shop.test/").await;
    session.close_tab(1).await.unwrap();
    assert_eq!((current(&session), session.address().as_str()), (2, "about:blank"));
    let expected = [Happening::TabClosed { number: 1 }, Happening::TabOpened { number: 2 }];
    assert_eq!(session.take_happenings(), expected);
    session.goto("http://shop.test/more").await.unwrap();
}

async fn too_many_tabs() {
    let session = opened("http://tabs.test/").await;
    // Chromium itself opens one window for each click.
    session.click_at(10.0, 50.0).await.unwrap();
    for opened in 2..=MOST_TABS {
        until_tabs(&session, |tabs| tabs.len() == opened).await;
        session.switch_tab(1).await.unwrap();
        session.click_at(10.0, 10.0).await.unwrap();
    }
    let is_too_many = |it: &Happening| matches!(it, Happening::TooManyTabs { .. });
    until_happened(&session, is_too_many).await;
    session.settle().await;
    assert_eq!(session.tabs().len(), MOST_TABS);
    session.switch_tab(1).await.unwrap();
    assert_eq!(value(&session, "document.title").await, json!("Tabs"));
    session.close_tab(20).await.unwrap();
    session.click_at(10.0, 10.0).await.unwrap();
    until_tabs(&session, |tabs| tabs.len() == MOST_TABS && tabs.last().unwrap().number > 20).await;
}

async fn a_page_may_close_itself() {
    let session = opened("http://tabs.test/").await;
    session.click_at(10.0, 90.0).await.unwrap();
    until_tabs(&session, |tabs| tabs.len() == 2).await;
    session.settle().await;
    let frame = session.frames().await.unwrap()[0].id.clone();
    // The answer may be that the tab is gone.
    let _ = session.evaluate(&frame, "() => { setTimeout(() => window.close()) }", &json!(null)).await;
    until_happened(&session, |it| *it == Happening::TabClosed { number: 2 }).await;
    assert_eq!(current(&session), 1);
    assert_eq!(value(&session, "document.title").await, json!("Tabs"));
}
