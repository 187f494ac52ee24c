//! Why a connection fails: the certificate, the proxy, or the server itself, each with what to do.

use std::error::Error;
use std::io;

use reqwest::{StatusCode, Url};
use rustls::{AlertDescription, CertificateError, Error as TlsError};

use super::super::error::{RequestError, amount_received, truncated};
use super::certificate::Refusal;
use super::{CONNECT_TIMEOUT, Proxy};
use mageyard_domain::AgentError;

/// The error for a connection that failed, or ended before the response.
pub(in crate::model) fn connection_failure(
    error: &reqwest::Error,
    url: &Url,
    proxy: Option<&Proxy>,
) -> RequestError {
    if let Some(failure) = tls_error(error).and_then(|tls| tls_failure(tls, url)) {
        return failure;
    }
    if let Some(failure) = proxy.and_then(|proxy| proxy_failure(error, url, proxy)) {
        return failure;
    }
    let why = if error.is_timeout() {
        format!("no connection within {} s", CONNECT_TIMEOUT.as_secs())
    } else {
        truncated(&root_cause(error), 300)
    };
    if error.is_connect() {
        return AgentError::Unreachable(format!("{url}: {why}")).into();
    }
    RequestError::connection_lost(amount_received(0, "byte"), format!("{url}: {why}"))
}

/// The innermost cause of an error, which is the most specific one.
pub(in crate::model) fn root_cause(error: &reqwest::Error) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

/// The error and its causes, outermost first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| cause(*error))
}

fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    // The source of such an error is that of the error within.
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}

fn tls_error(error: &reqwest::Error) -> Option<&TlsError> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

fn tls_failure(error: &TlsError, url: &Url) -> Option<RequestError> {
    let host = url.host_str().unwrap_or_default();
    let certificate = |why: String| Some(AgentError::Certificate(why).into());
    match error {
        TlsError::InvalidCertificate(CertificateError::Other(other)) => certificate(
            other.0.downcast_ref::<Refusal>().map_or_else(|| other.to_string(), |why| why.0.clone()),
        ),
        TlsError::InvalidCertificate(why) => {
            certificate(format!("the certificate of {host} is refused: {why}"))
        }
        TlsError::NoCertificatesPresented => certificate(format!("{host} has no certificate")),
        TlsError::AlertReceived(alert) => certificate(alert_sentence(*alert, host)?),
        TlsError::InvalidMessage(_) => {
            let why = format!(
                "{url}: the server does not use TLS; if it is meant to, check the port, else write http://"
            );
            Some(AgentError::WrongConnection(why).into())
        }
        _ => None,
    }
}

/// What an alert of the server says about our certificate; `None` if it is about something else.
fn alert_sentence(alert: AlertDescription, host: &str) -> Option<String> {
    use AlertDescription as Alert;
    Some(match alert {
        Alert::CertificateRequired => {
            format!("{host} asks for a client certificate; set model.client_cert and model.client_key")
        }
        Alert::HandshakeFailure => format!(
            "{host} ended the handshake; if it asks for a client certificate, set model.client_cert and model.client_key"
        ),
        Alert::BadCertificate
        | Alert::UnsupportedCertificate
        | Alert::CertificateRevoked
        | Alert::CertificateExpired
        | Alert::CertificateUnknown
        | Alert::UnknownCA
        | Alert::AccessDenied => {
            format!("{host} does not accept the client certificate of model.client_cert ({alert:?})")
        }
        _ => return None,
    })
}

/// The beginnings of the messages of the two kinds of proxies. Their types are not public.
const PROXY_ERRORS: [&str; 2] = ["tunnel error: ", "SOCKS error: "];

/// What proxies say that need a user name and a password, or do not accept the given ones.
const AUTHORIZATION: [&str; 3] = [
    "proxy authorization required",
    "credentials not accepted",
    "server does not support user/pass authentication",
];

fn proxy_failure(error: &reqwest::Error, url: &Url, proxy: &Proxy) -> Option<RequestError> {
    let texts: Vec<String> = causes(error).map(ToString::to_string).collect();
    let said = texts.iter().find_map(|text| PROXY_ERRORS.iter().find_map(|begin| text.strip_prefix(begin)));
    let host = url.host_str().unwrap_or_default();
    let why = match said {
        // Without a tunnel, the only connection is the one to the proxy.
        None if error.is_connect() && url.scheme() == "http" => unreachable_proxy(error, proxy),
        None => return None,
        Some("failed to create underlying connection") => unreachable_proxy(error, proxy),
        Some(said) if AUTHORIZATION.contains(&said) => {
            return Some(asks_for_user(url, proxy));
        }
        Some("unsuccessful") => format!("the proxy {proxy} refuses to connect to {host}"),
        Some(said) => format!("the proxy {proxy} cannot connect to {host}: {}", truncated(said, 200)),
    };
    Some(AgentError::Unreachable(format!("{url}: {why}")).into())
}

/// The error for a response of the proxy itself, which asks for a user; `None` for any other response.
pub(in crate::model) fn refused_by_proxy(
    status: StatusCode,
    url: &Url,
    proxy: Option<&Proxy>,
) -> Option<RequestError> {
    let asks = status == StatusCode::PROXY_AUTHENTICATION_REQUIRED;
    proxy.filter(|_| asks).map(|proxy| asks_for_user(url, proxy))
}

fn asks_for_user(url: &Url, proxy: &Proxy) -> RequestError {
    let variable = proxy.variable();
    let example = proxy.example_with_user();
    let help = format!("write them into {variable}, as in {example}");
    let why = format!("{url}: the proxy {proxy} asks for a user name and a password; {help}");
    AgentError::WrongConnection(why).into()
}

fn unreachable_proxy(error: &reqwest::Error, proxy: &Proxy) -> String {
    let cause = root_cause(error);
    let known = PROXY_ERRORS.iter().any(|begin| cause.starts_with(begin));
    let why = if known { String::new() } else { format!(": {}", truncated(&cause, 200)) };
    format!("the proxy {proxy} cannot be reached{why}; check the variable {}", proxy.variable())
}
