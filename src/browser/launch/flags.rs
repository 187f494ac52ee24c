//! The flags that every browser gets.

use std::ffi::OsString;
use std::path::Path;

/// Why each flag is there stands above its group.
const FLAGS: &[&str] = &[
    // No window of the desktop; the client is at the pipe.
    "--headless",
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
    // Names resolve to nothing, and no proxy is asked for them.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-proxy-server",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Pages that are not in front run as the others do.
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--disable-background-timer-throttling",
    "--disable-ipc-flooding-protection",
    // The first three: two hidden pages of the address bar for every window, each with a process of its own.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AcceptCHFrame,WebTransport,SpareRendererForSitePerProcess,Prerender2,PaintHolding",
];

/// The flags for a profile in this folder.
pub(super) fn flags(folder: &Path, page_memory_mib: u64) -> Vec<OsString> {
    let mut flags: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(folder.join("profile"));
    flags.push(profile);
    flags.push(format!("--js-flags=--max-old-space-size={page_memory_mib}").into());
    if !has_sandbox() {
        flags.push("--no-sandbox".into());
    }
    flags.push("about:blank".into());
    flags
}

/// Whether pages run in the sandbox of the browser. Chromium refuses it for root only.
pub(crate) fn has_sandbox() -> bool {
    !rustix::process::geteuid().is_root()
}
