//! Stored cookies and local storage, in the form of Playwright's `storage_state`.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a session begins with: a file that Playwright's `storage_state` writes can be read as it is.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CookieJar {
    /// The cookies.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// The local storage of origins.
    #[serde(default)]
    pub origins: Vec<OriginStorage>,
}

/// A cookie.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host that it is for; with a dot in front also for the hosts below.
    pub domain: String,
    /// The path that it is for.
    #[serde(default = "root")]
    pub path: String,
    /// Seconds since 1970 after which it is not sent; -1: it ends with the session.
    #[serde(default = "with_session")]
    pub expires: f64,
    /// Whether scripts of pages cannot read it.
    #[serde(default)]
    pub http_only: bool,
    /// Whether it is sent over encrypted connections only.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default)]
    pub same_site: Option<SameSite>,
    /// The site of the page for which it is kept apart, if it is partitioned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<String>,
    /// Whether it is for frames with a frame of another site above them; only with a partition key.
    #[serde(default, rename = "_crHasCrossSiteAncestor", skip_serializing_if = "Option::is_none")]
    pub cross_site_ancestor: Option<bool>,
}

/// To which requests from other sites a cookie is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum SameSite {
    /// To none.
    Strict,
    /// To links.
    Lax,
    /// To all.
    None,
}

/// The local storage of an origin.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OriginStorage {
    /// Scheme, host and port, such as `https://example.com`.
    pub origin: String,
    /// Its entries.
    #[serde(default)]
    pub local_storage: Vec<StorageEntry>,
}

/// An entry of local storage.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct StorageEntry {
    /// Its key.
    pub name: String,
    /// Its value.
    pub value: String,
}

fn root() -> String {
    "/".to_owned()
}

fn with_session() -> f64 {
    -1.0
}

impl Cookie {
    /// As the protocol has it.
    pub(super) fn params(&self) -> Value {
        let mut params = json!({
            "name": self.name,
            "value": self.value,
            "domain": self.domain,
            "path": self.path,
            "httpOnly": self.http_only,
            "secure": self.secure,
        });
        if let Some(same_site) = self.same_site {
            params["sameSite"] = json!(same_site);
        }
        if let Some(site) = &self.partition_key {
            let crosses = self.cross_site_ancestor.unwrap_or(true);
            params["partitionKey"] = json!({ "topLevelSite": site, "hasCrossSiteAncestor": crosses });
        }
        if self.expires >= 0.0 {
            params["expires"] = json!(self.expires);
        }
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_state_is_read() {
        let text = r#"{"cookies": [{"name": "a", "value": "b", "domain": ".x.test", "path": "/", "expires": -1,
            "httpOnly": true, "secure": false, "sameSite": "Lax"}],
            "origins": [{"origin": "http://x.test", "localStorage": [{"name": "k", "value": "v"}]}]}"#;
        let jar: CookieJar = serde_json::from_str(text).unwrap();
        let params = jar.cookies[0].params();
        assert_eq!((&params["sameSite"], params.get("expires")), (&json!("Lax"), None));
        assert_eq!(jar.origins[0].local_storage[0].name, "k");
        assert!(serde_json::from_str::<CookieJar>(r#"{"cookie": []}"#).is_err());
    }
}
