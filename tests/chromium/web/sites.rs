//! Local sites: pages by host and path.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mageyard::browser::web::{LocalSites, SiteAnswer, SiteRequest};

/// Sites, and what was requested of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    pages: HashMap<(String, String), SiteAnswer>,
    requests: Arc<Mutex<Vec<SiteRequest>>>,
}

/// An answer with HTML.
pub(super) fn html(body: &str) -> SiteAnswer {
    SiteAnswer {
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())],
        body: body.as_bytes().to_vec(),
        delay: Duration::ZERO,
    }
}

/// An answer that sends the browser elsewhere.
pub(super) fn redirect(to: &str) -> SiteAnswer {
    SiteAnswer { status: 302, headers: vec![("Location".to_owned(), to.to_owned())], ..html("") }
}

impl Sites {
    /// The sites of most tests.
    pub(super) fn all() -> Self {
        Self::default()
            .page(
                "shop.test",
                "/",
                html("<!doctype html><title>Shop</title><h1>Shop</h1><a href=/more id=more>more</a>"),
            )
            .page("shop.test", "/more", html("<!doctype html><title>More</title><p>more</p>"))
            .page("shop.test", "/missing", SiteAnswer { status: 404, ..html("<p>no such page") })
            .page("shop.test", "/old", redirect("/older"))
            .page("shop.test", "/older", redirect("http://shop.test/more"))
            .page("shop.test", "/form", html(FORM))
            .page("shop.test", "/to_private", redirect("http://127.0.0.1:8123/secret"))
            .page("tabs.test", "/", html(TABS))
            .page("tabs.test", "/next", html("<!doctype html><title>Next</title><p>next"))
            .page("other.test", "/", html(OTHER))
            .page("outer.test", "/", html(OUTER))
            .page("inner.test", "/", html(INNER))
            .page("deep.test", "/", html("<!doctype html><title>Deep</title><p id=here>deep</p>"))
            .page("trouble.test", "/slow", SiteAnswer { delay: Duration::from_secs(30), ..html("late") })
            .page("trouble.test", "/loop", redirect("/loop2"))
            .page("trouble.test", "/loop2", redirect("/loop"))
    }

    /// These sites with one more page.
    pub(super) fn page(mut self, host: &str, path: &str, answer: SiteAnswer) -> Self {
        self.pages.insert((host.to_owned(), path.to_owned()), answer);
        self
    }

    /// The requests of a path so far.
    pub(super) fn requests(&self, host: &str, path: &str) -> Vec<SiteRequest> {
        let requests = self.requests.lock().unwrap();
        requests.iter().filter(|it| it.host == host && it.target == path).cloned().collect()
    }
}

impl LocalSites for Sites {
    fn serves(&self, host: &str) -> bool {
        self.pages.keys().any(|(of, _)| of == host)
    }

    fn answer(&self, request: &SiteRequest) -> SiteAnswer {
        self.requests.lock().unwrap().push(request.clone());
        let page = self.pages.get(&(request.host.clone(), request.target.clone()));
        page.cloned().unwrap_or_else(|| SiteAnswer { status: 404, ..html("not here") })
    }
}

const FORM: &str = "<!doctype html><title>Form</title><body style='margin:0'>
<input id=name style='position:absolute;left:10px;top:10px;width:200px;height:20px'>
<button id=go style='position:absolute;left:10px;top:50px;width:200px;height:20px'>go</button>
<script>
document.getElementById('go').onclick = () => { document.title = 'clicked ' + document.getElementById('name').value };
document.getElementById('go').onmouseenter = () => { document.body.dataset.over = 'yes' };
document.getElementById('name').onkeydown = (event) => { document.body.dataset.key = event.key };
</script>";

const TABS: &str = "<!doctype html><title>Tabs</title><body style='margin:0'>
<a id=blank href=/next target=_blank style='position:absolute;left:0;top:0;width:100px;height:20px'>next</a>
<button id=storm onclick='for (let i = 0; i < 40; i++) window.open(\"/next\")'
  style='position:absolute;left:0;top:40px;width:100px;height:20px'>storm</button>
<button id=popup onclick='window.open(\"/next\", \"\", \"width=100,height=100\")'
  style='position:absolute;left:0;top:80px;width:100px;height:20px'>popup</button>";

const OTHER: &str = "<!doctype html><title>Other</title><p>other</p>";

const OUTER: &str = "<!doctype html><title>Outer</title><body style='margin:0'><p>outer</p>
<iframe id=first src='http://inner.test/' style='position:absolute;left:20px;top:100px;width:400px;height:300px;border:0'></iframe>
<iframe id=second srcdoc='<p>same</p>'></iframe>";

const INNER: &str = "<!doctype html><title>Inner</title><body style='margin:0'>
<button id=press style='position:absolute;left:0;top:0;width:100px;height:20px'
  onclick='document.title = \"pressed\"'>press</button>
<iframe src='http://deep.test/'></iframe>";
