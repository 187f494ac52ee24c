//! Proxies, from the variables that other programs use too: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in
//! capitals or small letters. A server on this machine is always reached directly.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use super::no_proxy;
use crate::agents::KeyLookup;

/// A proxy. Its user name and password are displayed nowhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::agents::model) struct Proxy {
    url: String,
    shown: String,
    variable: &'static str,
}

/// The kinds of proxies.
const SCHEMES: [&str; 6] = ["http", "https", "socks5", "socks5h", "socks4", "socks4a"];

impl Proxy {
    /// The proxy for this server; `None` if it is reached directly. The error names the variable.
    pub(super) fn choose(url: &Url, lookup: &KeyLookup) -> Result<Option<Self>, String> {
        let own = if url.scheme() == "https" {
            ["HTTPS_PROXY", "https_proxy"]
        } else {
            ["HTTP_PROXY", "http_proxy"]
        };
        let names = own.into_iter().chain(["ALL_PROXY", "all_proxy"]);
        let value =
            |name: &str| lookup(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let Some((variable, text)) = names.into_iter().find_map(|name| Some((name, value(name)?))) else {
            return Ok(None);
        };
        let excluded = value("NO_PROXY").or_else(|| value("no_proxy")).unwrap_or_default();
        if is_loopback(url) || no_proxy::lists(&excluded, host(url), url.port_or_known_default()) {
            return Ok(None);
        }
        Self::parse(&text, variable).map(Some)
    }

    fn parse(text: &str, variable: &'static str) -> Result<Self, String> {
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

    /// The rule for the HTTP client.
    pub(super) fn rule(&self) -> Result<reqwest::Proxy, String> {
        reqwest::Proxy::all(&self.url).map_err(|_| format!("{} is not the URL of a proxy", self.variable))
    }

    /// How the address would be written with a user name and a password.
    pub(super) fn example_with_user(&self) -> String {
        self.shown.replacen("://", "://USER:PASSWORD@", 1)
    }

    /// The variable that it comes from.
    pub(in crate::agents::model) fn variable(&self) -> &'static str {
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
fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
}

/// Whether the server is on this machine.
pub(in crate::agents::model) fn is_loopback(url: &Url) -> bool {
    let host = host(url);
    let name = host.trim_end_matches('.');
    name == "localhost"
        || name.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// What is shown of the proxy for a URL with these variables.
    fn chosen(url: &str, variables: &'static [(&'static str, &'static str)]) -> Result<String, String> {
        let lookup: KeyLookup =
            Arc::new(|name| variables.iter().find(|row| row.0 == name).map(|row| row.1.to_owned()));
        let proxy = Proxy::choose(&Url::parse(url).unwrap(), &lookup)?;
        Ok(proxy.map_or_else(String::new, |proxy| proxy.to_string()))
    }

    #[test]
    fn the_proxy_of_the_scheme_comes_before_the_one_for_all() {
        const BOTH: &[(&str, &str)] = &[("https_proxy", "secure:1"), ("ALL_PROXY", "socks5h://all")];
        assert_eq!(chosen("https://a.example", BOTH).unwrap(), "http://secure:1 (https_proxy)");
        assert_eq!(chosen("http://a.example", BOTH).unwrap(), "socks5h://all:1080 (ALL_PROXY)");
        assert_eq!(chosen("http://a.example", &[("HTTPS_PROXY", "x"), ("HTTP_PROXY", " ")]).unwrap(), "");
    }

    #[test]
    fn servers_on_this_machine_and_those_of_no_proxy_are_reached_directly() {
        const LISTED: &[(&str, &str)] = &[("ALL_PROXY", "p:1"), ("no_proxy", "b.example,10.0.0.0/8")];
        for (url, direct) in [
            ("http://127.0.0.1:8080", true),
            ("http://[::1]:8080", true),
            ("http://localhost", true),
            ("https://me.localhost", true),
            ("http://a.b.example", true),
            ("http://10.1.1.1", true),
            ("http://a.example", false),
            ("http://[fd00::1]", false),
        ] {
            assert_eq!(chosen(url, LISTED).unwrap().is_empty(), direct, "{url}");
        }
        assert_eq!(chosen("http://10.1.1.1", &[("ALL_PROXY", "p:1"), ("NO_PROXY", "*")]).unwrap(), "");
    }

    #[test]
    fn a_proxy_that_cannot_be_used_names_the_variable_and_not_the_password() {
        let error = chosen("http://a.example", &[("ALL_PROXY", "ftp://me:secret@p:1")]).unwrap_err();
        assert!(error.starts_with("ALL_PROXY has a proxy of an unknown kind"), "{error}");
        let error = chosen("http://a.example", &[("ALL_PROXY", "http://me:secret@p:99999")]).unwrap_err();
        assert!(
            error.starts_with("ALL_PROXY is not the URL of a proxy") && !error.contains("secret"),
            "{error}"
        );
        let shown = chosen("http://a.example", &[("ALL_PROXY", "http://me:secret@p:1")]).unwrap();
        assert_eq!(shown, "http://p:1 (ALL_PROXY)");
    }
}
