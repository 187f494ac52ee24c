//! A proxy: its address, and the variable that it comes from.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

/// A proxy. Its user name and password are displayed nowhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::model) struct Proxy {
    url: String,
    shown: String,
    variable: &'static str,
}

/// The kinds of proxies.
const SCHEMES: [&str; 6] = ["http", "https", "socks5", "socks5h", "socks4", "socks4a"];

impl Proxy {
    /// The proxy of this value of a variable, which the error names.
    pub(super) fn parse(text: &str, variable: &'static str) -> Result<Self, String> {
        let url = if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("http://{text}")) };
        let invalid = || {
            format!(
                "{variable} is not the URL of a proxy; examples are http://proxy.example:3128 and \
                 socks5h://127.0.0.1:1080"
            )
        };
        let mut url = url.map_err(|_| invalid())?;
        if !SCHEMES.contains(&url.scheme()) {
            let kinds = SCHEMES.join("://, ");
            return Err(format!("{variable} has a proxy of an unknown kind; these are known: {kinds}://"));
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(invalid)?.to_owned();
        if url.port().is_none() && url.scheme().starts_with("socks") {
            url.set_port(Some(1080)).map_err(|()| invalid())?;
        }
        let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
        let shown = format!("{}://{host}{port}", url.scheme());
        Ok(Self { url: url.into(), shown, variable })
    }

    /// Whether it is reached by TLS.
    pub(super) fn is_encrypted(&self) -> bool {
        self.url.starts_with("https:")
    }

    /// The rule for the HTTP client.
    pub(super) fn rule(&self) -> Result<reqwest::Proxy, String> {
        reqwest::Proxy::all(&self.url).map_err(|_| format!("{} is not the URL of a proxy", self.variable))
    }

    /// How the address would be written with a user name and a password.
    pub(super) fn example_with_user(&self) -> String {
        self.shown.replacen("://", "://USER:PASSWORD@", 1)
    }

    /// The variable that it comes from.
    pub(in crate::model) fn variable(&self) -> &'static str {
        self.variable
    }
}

/// The address and the variable, without user name and password.
impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.shown, self.variable)
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The host without brackets.
pub(super) fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
}

/// Whether the server is on this machine.
pub(in crate::model) fn is_loopback(url: &Url) -> bool {
    let host = host(url);
    let name = host.trim_end_matches('.');
    name == "localhost"
        || name.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
