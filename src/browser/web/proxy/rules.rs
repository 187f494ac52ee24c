//! Where a request may go.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::address::{Range, not_public};
use super::resolver::Resolver;
use super::user_proxy::UserProxy;
use crate::web::{LoadError, LoadErrorKind, LocalSites, NetworkRules, RuleError};

/// The rules of a browser, read.
#[derive(Debug)]
pub(super) struct Rules {
    allowed: Vec<Allowed>,
    proxy: Option<Arc<UserProxy>>,
    sites: Option<Arc<dyn LocalSites>>,
    resolver: Box<dyn Resolver>,
}

/// A place that may be reached although its address is not public.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Allowed {
    Host { name: String, port: Option<u16> },
    Addresses { range: Range, port: Option<u16> },
}

/// A host and a port, as a request names them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// In lower case, without the brackets of an address and without a dot at its end.
    pub(super) host: String,
    pub(super) port: u16,
}

/// How a request goes on.
#[derive(Debug)]
pub(super) enum Route {
    /// To the first of these addresses that answers.
    Direct(Vec<SocketAddr>),
    /// Through the proxy of the user.
    Through(Arc<UserProxy>),
    /// To a local site.
    Site(Arc<dyn LocalSites>),
}

impl Place {
    /// A place by the host and the port of an address.
    pub(super) fn new(host: &str, port: u16) -> Self {
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        Self { host: host.trim_end_matches('.').to_ascii_lowercase(), port }
    }

    /// As it is written in an address.
    pub(super) fn written(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl Rules {
    /// Reads rules.
    pub(super) fn read(rules: &NetworkRules, resolver: Box<dyn Resolver>) -> Result<Self, RuleError> {
        let allowed = rules.allowed.iter().map(|text| Allowed::read(text)).collect::<Result<_, _>>()?;
        let proxy = rules.proxy.as_deref().map(UserProxy::read).transpose()?.map(Arc::new);
        Ok(Self { allowed, proxy, sites: rules.sites.clone(), resolver })
    }

    /// Where a request to this place is passed; `tunnel` if the proxy is to move bytes that it does not read.
    pub(super) async fn route(&self, place: &Place, tunnel: bool) -> Result<Route, LoadError> {
        if let Some(sites) = self.sites.as_ref().filter(|sites| sites.serves(&place.host)) {
            return match (tunnel, place.port) {
                (false, 80) => Ok(Route::Site(sites.clone())),
                (true, _) => Err(refused(format!("{} is a local site, which has only http", place.host))),
                (false, port) => {
                    Err(refused(format!("{} is a local site, which has no port {port}", place.host)))
                }
            };
        }
        if let Ok(address) = place.host.parse::<IpAddr>() {
            self.check(address, place)?;
            let is_private = not_public(address).is_some();
            return Ok(self.by_proxy(is_private).unwrap_or_else(|| direct(&[address], place)));
        }
        let named = self.allowed.iter().any(|allowed| allowed.names(place));
        let resolved = self.resolver.resolve(&place.host).await.unwrap_or_default();
        let found: Vec<IpAddr> =
            resolved.iter().copied().filter(|address| named || self.check(*address, place).is_ok()).collect();
        match (found.as_slice(), resolved.first()) {
            ([], Some(private)) => Err(private_address(&place.host, *private)),
            // Where names are resolved by the proxy of the user only, that proxy decides.
            ([], None) => match self.by_proxy(named).filter(|_| !is_local_name(&place.host)) {
                Some(route) => Ok(route),
                None => Err(LoadError {
                    kind: LoadErrorKind::NoHost,
                    text: format!("the name {} has no address", place.host),
                }),
            },
            (found, _) => {
                let is_private = found.iter().any(|address| not_public(*address).is_some());
                Ok(self.by_proxy(named || is_private).unwrap_or_else(|| direct(found, place)))
            }
        }
    }

    /// The way through the proxy of the user, if there is one; private places are reached without it.
    fn by_proxy(&self, is_private: bool) -> Option<Route> {
        self.proxy.clone().filter(|_| !is_private).map(Route::Through)
    }

    fn check(&self, address: IpAddr, place: &Place) -> Result<(), LoadError> {
        let is_allowed = || self.allowed.iter().any(|allowed| allowed.contains(address, place.port));
        if not_public(address).is_none() || is_allowed() {
            return Ok(());
        }
        Err(private_address(&place.host, address))
    }
}

fn direct(addresses: &[IpAddr], place: &Place) -> Route {
    Route::Direct(addresses.iter().map(|address| SocketAddr::new(*address, place.port)).collect())
}

fn private_address(host: &str, address: IpAddr) -> LoadError {
    let kind = not_public(address).unwrap_or("refused");
    let of = if host.parse() == Ok(address) { String::new() } else { format!(", the address of {host}") };
    refused(format!("{address}{of}, is not public ({kind}), and the settings do not allow it"))
}

fn refused(text: String) -> LoadError {
    LoadError { kind: LoadErrorKind::Refused, text }
}

/// Names that are never those of the public internet (RFC 6761, RFC 6762, RFC 9476).
fn is_local_name(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or(host);
    last == host || ["localhost", "local", "internal", "invalid", "test"].contains(&last)
}

impl Allowed {
    fn read(text: &str) -> Result<Self, RuleError> {
        let wrong = || RuleError::Place(text.to_owned());
        if let Some((first, bits)) = text.split_once('/') {
            let (first, bits) = (first.parse(), bits.parse());
            let (Ok(first), Ok(bits)) = (first, bits) else { return Err(wrong()) };
            let range = Range::new(first, bits).ok_or_else(wrong)?;
            return Ok(Self::Addresses { range, port: None });
        }
        if let Ok(address) = text.trim_matches(['[', ']']).parse() {
            return Ok(Self::Addresses { range: Range::single(address), port: None });
        }
        if let Ok(both) = text.parse::<SocketAddr>() {
            return Ok(Self::Addresses { range: Range::single(both.ip()), port: Some(both.port()) });
        }
        let (name, port) = match text.split_once(':') {
            Some((name, port)) => (name, Some(port.parse().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let is_name = |name: &str| {
            let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
            !name.is_empty() && name.chars().all(plain)
        };
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        if is_name(&name) { Ok(Self::Host { name, port }) } else { Err(wrong()) }
    }

    fn names(&self, place: &Place) -> bool {
        matches!(self, Self::Host { name, port }
            if *name == place.host && port.is_none_or(|port| port == place.port))
    }

    fn contains(&self, address: IpAddr, at: u16) -> bool {
        matches!(self, Self::Addresses { range, port }
            if range.contains(address) && port.is_none_or(|port| port == at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowed_places_are_names_addresses_and_ranges() {
        let place = Place::new;
        let read = |text: &str| Allowed::read(text).unwrap();
        assert!(read("Intra.example").names(&place("intra.example.", 80)));
        assert!(read("intra.example:8080").names(&place("intra.example", 8080)));
        assert!(!read("intra.example:8080").names(&place("intra.example", 80)));
        assert!(read("10.0.0.0/8").contains("10.2.3.4".parse().unwrap(), 1));
        assert!(read("127.0.0.1:80").contains("127.0.0.1".parse().unwrap(), 80));
        assert!(!read("127.0.0.1:80").contains("127.0.0.1".parse().unwrap(), 81));
        for loopback in ["::1", "[::1]", "[::1]:80", "::/0"] {
            assert!(read(loopback).contains("::1".parse().unwrap(), 80), "{loopback}");
        }
        for wrong in ["", ":80", "a:b", "a b", "http://a", "10.0.0.0/33", "10.0.0.0/", "*.a"] {
            assert_eq!(Allowed::read(wrong), Err(RuleError::Place(wrong.to_owned())));
        }
    }

    #[test]
    fn a_place_is_written_as_in_an_address() {
        assert_eq!(Place::new("[::1]", 80).written(), "[::1]:80");
        assert_eq!(Place::new("A.Test.", 443).written(), "a.test:443");
    }
}
