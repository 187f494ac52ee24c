//! How a server is reached: directly or through a proxy, by the variables that other programs use too: `HTTPS_PROXY`,
//! `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or small letters. A server on this machine is always reached
//! directly.
//!
//! This is decided here and not by `reqwest`, which drops an unusable proxy in silence, does not apply `NO_PROXY=*`
//! to addresses, and does not say which proxy failed.

use std::fmt;

use reqwest::Url;

use super::no_proxy;
use super::proxy::{Proxy, host, is_loopback};
use crate::KeyLookup;

/// The way to a server.
#[derive(Debug)]
pub(in crate::model) enum Route {
    /// No variable names a proxy.
    Direct,
    /// This variable names a proxy, which is not used for a server on this machine.
    Local(&'static str),
    /// This variable names a proxy, which is not used because `NO_PROXY` lists the server.
    Listed(&'static str),
    /// Through a proxy.
    Through(Proxy),
}

impl Route {
    /// The way to this server. The error names the variable.
    pub(in crate::model) fn choose(url: &Url, lookup: &KeyLookup) -> Result<Self, String> {
        let own = if url.scheme() == "https" {
            ["HTTPS_PROXY", "https_proxy"]
        } else {
            ["HTTP_PROXY", "http_proxy"]
        };
        let names = own.into_iter().chain(["ALL_PROXY", "all_proxy"]);
        let value =
            |name: &str| lookup(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let Some((variable, text)) = names.into_iter().find_map(|name| Some((name, value(name)?))) else {
            return Ok(Self::Direct);
        };
        let excluded = value("NO_PROXY").or_else(|| value("no_proxy")).unwrap_or_default();
        if is_loopback(url) {
            Ok(Self::Local(variable))
        } else if no_proxy::lists(&excluded, host(url), url.port_or_known_default()) {
            Ok(Self::Listed(variable))
        } else {
            Proxy::parse(&text, variable).map(Self::Through)
        }
    }

    /// The proxy, if there is one.
    pub(super) fn proxy(self) -> Option<Proxy> {
        match self {
            Self::Through(proxy) => Some(proxy),
            Self::Direct | Self::Local(_) | Self::Listed(_) => None,
        }
    }
}

/// The proxy, or why there is none.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Direct => f.write_str("none: no variable names one"),
            Self::Local(variable) => {
                write!(f, "none: {variable} is set, but the server is on this machine")
            }
            Self::Listed(variable) => write!(f, "none: {variable} is set, but NO_PROXY lists the server"),
            Self::Through(proxy) => proxy.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// What is shown of the proxy for a URL with these variables.
    fn chosen(url: &str, variables: &'static [(&'static str, &'static str)]) -> Result<String, String> {
        let lookup: KeyLookup =
            Arc::new(|name| variables.iter().find(|row| row.0 == name).map(|row| row.1.to_owned()));
        let route = Route::choose(&Url::parse(url).unwrap(), &lookup)?;
        Ok(route.proxy().map_or_else(String::new, |proxy| proxy.to_string()))
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

    #[test]
    fn a_direct_route_says_why_the_proxy_is_not_used() {
        const ALL: &[(&str, &str)] = &[("ALL_PROXY", "p:1"), ("no_proxy", "b.example")];
        let lookup: KeyLookup =
            Arc::new(|name| ALL.iter().find(|row| row.0 == name).map(|row| row.1.to_owned()));
        let shown = |url: &str, lookup: &KeyLookup| {
            Route::choose(&Url::parse(url).unwrap(), lookup).unwrap().to_string()
        };
        assert_eq!(shown("http://a.example", &lookup), "http://p:1 (ALL_PROXY)");
        let excluded = "none: ALL_PROXY is set, but NO_PROXY lists the server";
        assert_eq!(shown("http://b.example", &lookup), excluded);
        let local = "none: ALL_PROXY is set, but the server is on this machine";
        assert_eq!(shown("http://localhost:8080", &lookup), local);
        let nothing: KeyLookup = Arc::new(|_| None);
        assert_eq!(shown("http://a.example", &nothing), "none: no variable names one");
    }
}
