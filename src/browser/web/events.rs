//! The events of the browser that the web needs, as data.

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attached {
    pub(super) session_id: String,
    pub(super) target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    pub(super) target_id: String,
    pub(super) r#type: String,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Detached {
    pub(super) session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Paused {
    pub(super) request_id: String,
    pub(super) request: Requested,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AuthRequired {
    pub(super) request_id: String,
    pub(super) auth_challenge: Challenge,
}

#[derive(Deserialize)]
pub(super) struct Challenge {
    #[serde(default)]
    pub(super) source: String,
}

#[derive(Deserialize)]
pub(super) struct Requested {
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Dialog {
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) r#type: String,
    #[serde(default)]
    pub(super) default_prompt: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Download {
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) suggested_filename: String,
}

#[derive(Deserialize)]
pub(super) struct Navigated {
    pub(super) frame: Frame,
    #[serde(default)]
    pub(super) r#type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Frame {
    pub(super) id: String,
    pub(super) loader_id: String,
    url: String,
    #[serde(default)]
    url_fragment: String,
    unreachable_url: Option<String>,
}

impl Frame {
    /// The whole address; of an error page the one that was requested.
    pub(super) fn address(self) -> String {
        self.unreachable_url.filter(|url| !url.is_empty()).unwrap_or_else(|| self.url + &self.url_fragment)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NavigatedWithin {
    pub(super) frame_id: String,
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stopped {
    pub(super) frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Lifecycle {
    pub(super) frame_id: String,
    pub(super) loader_id: String,
    pub(super) name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WillBeSent {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) loader_id: String,
    #[serde(default)]
    pub(super) frame_id: String,
    #[serde(default)]
    pub(super) r#type: String,
    pub(super) request: Requested,
    pub(super) redirect_response: Option<Response>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Received {
    #[serde(default)]
    pub(super) loader_id: String,
    #[serde(default)]
    pub(super) frame_id: String,
    #[serde(default)]
    pub(super) r#type: String,
    pub(super) response: Response,
}

#[derive(Deserialize)]
pub(super) struct Response {
    pub(super) url: String,
    pub(super) status: u16,
    #[serde(default)]
    pub(super) headers: serde_json::Map<String, serde_json::Value>,
}

impl Response {
    /// Whether it has this header.
    pub(super) fn has(&self, header: &str) -> bool {
        self.headers.keys().any(|name| name.eq_ignore_ascii_case(header))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ended {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) r#type: String,
    #[serde(default)]
    pub(super) error_text: String,
    #[serde(default)]
    pub(super) canceled: bool,
}

/// The parameters of an event; `None` if they are not as expected.
pub(super) fn read<'a, T: Deserialize<'a>>(params: &'a RawValue) -> Option<T> {
    serde_json::from_str(params.get()).ok()
}
