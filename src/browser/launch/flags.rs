//! The flags that browsers get: one list for all, and one for each purpose.

use std::ffi::OsString;
use std::path::Path;

/// What a browser is started for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Pages of folders of this machine, without a network.
    Pages,
    /// The live web.
    Web {
        /// The port of the proxy on this machine, through which all traffic goes.
        proxy_port: u16,
        /// Whether it has a window on the desktop.
        window: bool,
    },
}

/// The reason of each flag is above its group.
const FLAGS: &[&str] = &[
    // The client is at the pipe.
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--noerrdialogs",
    // The same pixels on every machine. Scroll bars stay: they are part of the layout.
    "--disable-gpu",
    "--force-device-scale-factor=1",
    "--force-color-profile=srgb",
    "--lang=en-US",
    "--window-size=1920,1080",
    // A part of the page that is drawn again is drawn as a whole: at the borders of the part single pixels depended on when
    // it changed. Pictures of the page are decoded before it is drawn.
    "--disable-partial-raster",
    "--disable-checker-imaging",
    // Small containers have little shared memory.
    "--disable-dev-shm-usage",
    // The browser itself asks for nothing.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    // No traffic beside that of a proxy.
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Pages that are not in front run as the others do.
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--disable-background-timer-throttling",
    "--disable-ipc-flooding-protection",
];

/// For pages of folders: no window of the desktop; names resolve to nothing, and no proxy is requested.
const PAGES: &[&str] =
    &["--headless", "--host-resolver-rules=MAP * ~NOTFOUND", "--no-proxy-server", "about:blank"];

/// For the web: names resolve to nothing in the browser itself, the address of this machine goes through the proxy too,
/// and there is no window before the first session.
const WEB: &[&str] = &[
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
    "--no-startup-window",
];

/// The first three: two hidden pages of the address bar for every window, each with a process of its own.
const DISABLED: &str = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AcceptCHFrame,WebTransport,SpareRendererForSitePerProcess,Prerender2,PaintHolding";

/// For the web: an address with `http` is loaded as it is written.
const DISABLED_FOR_WEB: &str = "HttpsUpgrades,HttpsFirstBalancedMode,HttpsFirstBalancedModeAutoEnable";

/// The flags for a profile in this folder.
pub(super) fn flags(folder: &Path, page_memory_mib: u64, purpose: Purpose) -> Vec<OsString> {
    let mut flags: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(folder.join("profile"));
    flags.push(profile);
    flags.push(format!("--js-flags=--max-old-space-size={page_memory_mib}").into());
    if !has_sandbox() {
        flags.push("--no-sandbox".into());
    }
    flags.extend(own_flags(purpose));
    flags
}

fn own_flags(purpose: Purpose) -> Vec<OsString> {
    let Purpose::Web { proxy_port, window } = purpose else {
        let features = format!("--disable-features={DISABLED}");
        return std::iter::once(features.into()).chain(PAGES.iter().map(OsString::from)).collect();
    };
    let mut flags: Vec<OsString> = WEB.iter().map(OsString::from).collect();
    flags.push(format!("--disable-features={DISABLED},{DISABLED_FOR_WEB}").into());
    flags.push(format!("--proxy-server=http://127.0.0.1:{proxy_port}").into());
    if !window {
        flags.push("--headless".into());
    }
    flags
}

/// Whether pages run in the sandbox of the browser. Chromium refuses it for root only.
pub(crate) fn has_sandbox() -> bool {
    !rustix::process::geteuid().is_root()
}
