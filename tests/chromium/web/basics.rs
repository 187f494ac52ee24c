//! What a session can do with a page that means well.

use std::time::Duration;

use libtest_mimic::Trial;
use mageyard::browser::web::{
    Cookie, CookieJar, OriginStorage, Redirect, SessionOptions, Settled, StorageEntry, WebFault,
};
use serde_json::json;

use super::{browser, opened, session_of, until, value};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![
        trial("web::basics::a_page_is_opened_and_evaluated", a_page_is_opened),
        trial("web::basics::the_pointer_and_the_keyboard_work", input),
        trial("web::basics::status_and_redirects_are_known", status_and_redirects),
        trial("web::basics::back_ends_at_the_start", back_ends_at_the_start),
        trial("web::basics::arguments_are_data", arguments_are_data),
        trial("web::basics::a_session_begins_with_stored_cookies", stored_cookies),
        trial("web::basics::sessions_share_nothing", sessions_share_nothing),
        trial("web::basics::other_schemes_are_refused", other_schemes),
        trial("web::basics::dropped_calls_leave_nothing_behind", dropped_calls),
    ]
}

async fn a_page_is_opened() {
    let session = session_of(&browser()).await;
    assert_eq!(session.address(), "about:blank");
    session.goto("http://shop.test/").await.unwrap();
    assert_eq!(session.settle().await, Settled::Quiet);
    assert_eq!(session.address(), "http://shop.test/");
    assert_eq!(session.document().status, Some(200));
    assert_eq!(value(&session, "document.querySelector('h1').innerText").await, json!("Shop"));
    assert!(session.html().await.unwrap().starts_with("<html><head><title>Shop</title>"));
    let picture = session.screenshot().await.unwrap();
    let picture = image::load_from_memory(&picture).unwrap();
    assert_eq!((picture.width(), picture.height()), (800, 600));
    let size = "[innerWidth, innerHeight, devicePixelRatio, navigator.language]";
    assert_eq!(value(&session, size).await, json!([800, 600, 1, "en-US"]));
    let tabs = session.tabs();
    assert_eq!((tabs.len(), tabs[0].number, tabs[0].title.as_str(), tabs[0].current), (1, 1, "Shop", true));
    assert!(session.requests().requests >= 1);
    assert_eq!(session.take_happenings(), []);
    assert!(browser().version().await.unwrap().starts_with("Chrom"));
    session.close().await;
}

async fn input() {
    let session = opened("http://shop.test/form").await;
    session.click_at(50.0, 20.0).await.unwrap();
    session.type_text("größer \u{1f600}").await.unwrap();
    session.press_key("Enter").await.unwrap();
    session.hover_at(50.5, 60.5).await.unwrap();
    until(&session, "document.body.dataset.over === 'yes'").await;
    session.click_at(50.0, 60.0).await.unwrap();
    assert_eq!(value(&session, "document.title").await, json!("clicked größer \u{1f600}"));
    assert_eq!(value(&session, "document.body.dataset.key").await, json!("Enter"));
    session.click_at(50.0, 20.0).await.unwrap();
    session.press_key("Control+a").await.unwrap();
    session.press_key("Delete").await.unwrap();
    assert_eq!(value(&session, "document.getElementById('name').value").await, json!(""));
    assert_eq!(session.press_key("Nothing").await, Err(WebFault::NoKey("Nothing".to_owned())));
}

async fn status_and_redirects() {
    let session = opened("http://shop.test/old").await;
    let document = session.document();
    let redirect = |url: &str| Redirect { url: url.to_owned(), status: 302 };
    assert_eq!(document.url, "http://shop.test/more");
    assert_eq!(document.redirects, [redirect("http://shop.test/old"), redirect("http://shop.test/older")]);
    session.goto("http://shop.test/missing#part").await.unwrap();
    let document = session.document();
    assert_eq!((document.status, document.redirects.len(), document.error), (Some(404), 0, None));
    assert_eq!(session.address(), "http://shop.test/missing#part");
    session.goto("http://shop.test/missing#other").await.unwrap();
    assert_eq!(session.address(), "http://shop.test/missing#other");
}

async fn back_ends_at_the_start() {
    let session = opened("http://shop.test/").await;
    session.goto("http://shop.test/more").await.unwrap();
    session.back().await.unwrap();
    assert_eq!((session.address().as_str(), session.document().status), ("http://shop.test/", Some(200)));
    session.goto("http://shop.test/#part").await.unwrap();
    session.back().await.unwrap();
    assert_eq!(session.address(), "http://shop.test/");
    assert_eq!(session.back().await, Err(WebFault::NoHistory));
    assert_eq!(session.address(), "http://shop.test/");
}

async fn arguments_are_data() {
    let session = opened("http://shop.test/").await;
    let frame = session.frames().await.unwrap()[0].id.clone();
    let hostile = json!({ "text": "</script>'\"`${alert(1)}\u{2028}", "list": [1, null, true] });
    assert_eq!(session.evaluate(&frame, "(given) => given", &hostile).await.unwrap(), hostile);
    let later = "async (given) => { await new Promise((done) => setTimeout(done, 10)); return given * 2 }";
    assert_eq!(session.evaluate(&frame, later, &json!(4)).await.unwrap(), json!(8));
    assert_eq!(session.evaluate(&frame, "() => undefined", &json!(null)).await.unwrap(), json!(null));
    let thrown = session.evaluate(&frame, "() => { throw new Error('mine') }", &json!(null)).await;
    assert!(matches!(&thrown, Err(WebFault::Script(words)) if words.contains("mine")), "{thrown:?}");
    let no_frame = session.evaluate("ABC", "() => 1", &json!(null)).await;
    assert_eq!(no_frame, Err(WebFault::NoFrame("ABC".to_owned())));
    let page = "() => { document.title = typeof globalThis.mine }";
    session.evaluate(&frame, "() => { globalThis.mine = 1 }", &json!(null)).await.unwrap();
    session.evaluate(&frame, page, &json!(null)).await.unwrap();
    assert_eq!(value(&session, "document.title").await, json!("number"));
}

async fn stored_cookies() {
    let cookie = Cookie {
        name: "who".to_owned(),
        value: "me".to_owned(),
        domain: "shop.test".to_owned(),
        path: "/".to_owned(),
        expires: -1.0,
        http_only: false,
        secure: false,
        same_site: None,
        partition_key: None,
        cross_site_ancestor: None,
    };
    let entry = StorageEntry { name: "cart".to_owned(), value: "3".to_owned() };
    let storage =
        |origin: &str| OriginStorage { origin: origin.to_owned(), local_storage: vec![entry.clone()] };
    let origins = vec![storage("http://shop.test"), storage("https://far.example")];
    let jar = CookieJar { cookies: vec![cookie], origins };
    let options = SessionOptions { cookies: Some(jar), ..SessionOptions::default() };
    let session = browser().open(options).await.unwrap();
    assert_eq!((session.address().as_str(), session.tabs().len()), ("about:blank", 1));
    session.goto("http://shop.test/").await.unwrap();
    assert_eq!(value(&session, "[document.cookie, localStorage.cart]").await, json!(["who=me", "3"]));
    assert_eq!(session.back().await, Err(WebFault::NoHistory));
}

async fn sessions_share_nothing() {
    let first = opened("http://shop.test/").await;
    let second = opened("http://shop.test/").await;
    value(&first, "(document.cookie = 'a=1', localStorage.a = '1')").await;
    assert_eq!(value(&first, "[document.cookie, localStorage.a]").await, json!(["a=1", "1"]));
    assert_eq!(value(&second, "[document.cookie, localStorage.a ?? null]").await, json!(["", null]));
}

async fn other_schemes() {
    let session = opened("http://shop.test/").await;
    for address in ["file:///etc/passwd", "chrome://version", "javascript:1", "ftp://shop.test/", "shop.test"]
    {
        let refused = session.goto(address).await;
        assert!(matches!(refused, Err(WebFault::BadAddress { .. })), "{refused:?}");
    }
    value(&session, "void (location = 'file:///etc/passwd')").await;
    value(&session, "void window.open('file:///etc/passwd')").await;
    session.settle().await;
    assert!(session.tabs().iter().all(|tab| !tab.url.starts_with("file:")), "{:?}", session.tabs());
}

async fn dropped_calls() {
    let browser = browser();
    for milliseconds in [0, 1, 5, 20, 50, 100] {
        let soon = Duration::from_millis(milliseconds);
        let _ = tokio::time::timeout(soon, browser.open(SessionOptions::default())).await;
        let session = session_of(&browser).await;
        let _ = tokio::time::timeout(soon, session.goto("http://shop.test/")).await;
        let _ = tokio::time::timeout(soon, session.settle()).await;
        let _ = tokio::time::timeout(soon, session.screenshot()).await;
        session.goto("http://shop.test/more").await.unwrap();
        assert_eq!(session.address(), "http://shop.test/more");
    }
    // All places are free again.
    let sessions = (0..crate::harness::settings().pages - 2).map(|_| session_of(&browser));
    futures_util::future::join_all(sessions).await;
}
