//! The browser of the live web. Sites are inside this process, or on a server of this machine that the rules allow; nothing
//! is requested from the internet.

mod basics;
mod faults;
mod frames;
mod left_behind;
mod listener;
mod network;
mod settled;
mod sites;
mod tabs;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use libtest_mimic::Trial;
use mageyard::browser::Viewport;
use mageyard::browser::web::{
    Happening, NetworkRules, SessionOptions, TabInfo, WebBrowser, WebSession, WebSettings,
};
use serde_json::{Value, json};

use crate::harness::{settings, short};

pub(crate) use left_behind::{HOLD, hold};

use sites::Sites;

pub(crate) fn list() -> Vec<Trial> {
    let lists = [
        basics::list,
        network::list,
        tabs::list,
        faults::list,
        settled::list,
        frames::list,
        listener::list,
        left_behind::list,
    ];
    lists.into_iter().flat_map(|list| list()).collect()
}

/// The rules with these sites.
fn rules(sites: &Sites) -> NetworkRules {
    NetworkRules { sites: Some(Arc::new(sites.clone())), ..NetworkRules::default() }
}

/// A browser of its own with these rules.
fn browser_with(network: NetworkRules) -> WebBrowser {
    WebBrowser::new(WebSettings { browser: settings(), window: false, network })
}

/// The same with limits that hostile pages reach soon.
fn short_browser(network: NetworkRules) -> WebBrowser {
    WebBrowser::new(WebSettings { browser: short(), window: false, network })
}

/// The browser of most tests, with the sites of all of them.
fn browser() -> WebBrowser {
    static BROWSER: LazyLock<WebBrowser> = LazyLock::new(|| browser_with(rules(&Sites::all())));
    BROWSER.clone()
}

/// A session of a browser.
async fn session_of(browser: &WebBrowser) -> WebSession {
    let viewport = Viewport { width: 800, height: 600 };
    browser.open(SessionOptions { viewport, ..SessionOptions::default() }).await.unwrap()
}

/// A session of the browser of most tests, at an address.
async fn opened(url: &str) -> WebSession {
    let session = session_of(&browser()).await;
    session.goto(url).await.unwrap();
    session
}

/// What a function returns in the main frame of the current tab.
async fn value(session: &WebSession, expression: &str) -> Value {
    let frame = session.frames().await.unwrap()[0].id.clone();
    session.evaluate(&frame, &format!("() => ({expression})"), &json!(null)).await.unwrap()
}

/// Waits until an expression is true.
async fn until(session: &WebSession, expression: &str) {
    for _ in 0..200 {
        if value(session, expression).await == json!(true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not true in time: {expression}");
}

/// Waits until the tabs are so.
async fn until_tabs(session: &WebSession, is_so: impl Fn(&[TabInfo]) -> bool) -> Vec<TabInfo> {
    for _ in 0..250 {
        let tabs = session.tabs();
        if is_so(&tabs) {
            return tabs;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not so in time: {:?}", session.tabs());
}

/// Waits for happenings until one is so; all so far.
async fn until_happened(session: &WebSession, is_so: impl Fn(&Happening) -> bool) -> Vec<Happening> {
    let mut all = Vec::new();
    for _ in 0..250 {
        all.extend(session.take_happenings());
        if all.iter().any(&is_so) {
            return all;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it did not happen in time: {all:?}");
}
