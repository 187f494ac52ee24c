//! The proxy of the user.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::HeaderValue;
use percent_encoding::percent_decode_str;
use tokio::net::TcpStream;
use url::Url;

use crate::web::RuleError;

/// An HTTP proxy that requests are passed to.
pub(super) struct UserProxy {
    host: String,
    port: u16,
    authorization: Option<HeaderValue>,
}

/// Without its password.
impl std::fmt::Debug for UserProxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "UserProxy({}:{})", self.host, self.port)
    }
}

impl UserProxy {
    /// Reads `http://user:password@host:port`.
    pub(super) fn read(text: &str) -> Result<Self, RuleError> {
        let wrong = |reason: &str| RuleError::Proxy(reason.to_owned());
        let url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
        if url.scheme() != "http" {
            return Err(wrong("it must begin with http://"));
        }
        let host = url.host_str().ok_or_else(|| wrong("it has no host"))?;
        let host = host.trim_matches(['[', ']']).to_owned();
        let decoded = |text: &str| percent_decode_str(text).collect::<Vec<u8>>();
        let user = decoded(url.username());
        let authorization = (!user.is_empty()).then(|| {
            let both = [user, decoded(url.password().unwrap_or_default())].join(&b':');
            let mut value = HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(both))).ok()?;
            value.set_sensitive(true);
            Some(value)
        });
        let port = url.port_or_known_default().unwrap_or(80);
        Ok(Self { host, port, authorization: authorization.flatten() })
    }

    /// What it gets with each request.
    pub(super) fn authorization(&self) -> Option<&HeaderValue> {
        self.authorization.as_ref()
    }

    /// A connection to it.
    pub(super) async fn connect(&self) -> io::Result<TcpStream> {
        TcpStream::connect((self.host.as_str(), self.port)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_may_have_a_password() {
        let proxy = UserProxy::read("http://me%40x:p%3Aw@10.0.0.1:3128").unwrap();
        assert_eq!((proxy.host.as_str(), proxy.port), ("10.0.0.1", 3128));
        let expected = format!("Basic {}", STANDARD.encode("me@x:p:w"));
        assert_eq!(proxy.authorization().unwrap(), expected.as_str());
        assert_eq!(format!("{proxy:?}"), "UserProxy(10.0.0.1:3128)");
        assert!(UserProxy::read("http://proxy").unwrap().authorization().is_none());
    }

    #[test]
    fn another_scheme_is_refused() {
        for text in ["socks5://a:1", "proxy:3128", "https://a", ""] {
            assert!(matches!(UserProxy::read(text), Err(RuleError::Proxy(_))), "{text}");
        }
    }
}
