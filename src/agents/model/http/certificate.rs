//! Verifies the certificates of servers like the system does, and says why one is refused.
//!
//! The verifier of the platform alone reports an unknown issuer without the certificate, so self-signed certificates
//! and those of foreign authorities could not be told apart.

use std::fmt;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use time::OffsetDateTime;

use super::der;
use mageyard_domain::sanitize;

/// Verifies with another verifier and explains its refusals.
#[derive(Debug)]
pub(super) struct ExplainingVerifier<V>(pub(super) V);

/// Why a certificate is refused, in a sentence with what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl<V: ServerCertVerifier> ServerCertVerifier for ExplainingVerifier<V> {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        verified.map_err(|error| match error {
            Error::InvalidCertificate(why) => {
                // The last certificate names the authority that should be trusted.
                let last = intermediates.last().unwrap_or(end_entity);
                let refusal = Refusal(explain(&why, &server_name.to_str(), end_entity, last));
                Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(refusal))))
            }
            error => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// The sentence for a refused certificate. `last` is the last one of its chain.
fn explain(
    why: &CertificateError,
    host: &str,
    own: &CertificateDer<'_>,
    last: &CertificateDer<'_>,
) -> String {
    let date = |time: &UnixTime| {
        let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        OffsetDateTime::from_unix_timestamp(seconds)
            .map_or_else(|_| "?".to_owned(), |time| time.date().to_string())
    };
    match why {
        CertificateError::ExpiredContext { not_after, .. } => format!(
            "the certificate of {host} expired on {}; the server needs a new one (or the clock of this computer is wrong)",
            date(not_after)
        ),
        CertificateError::Expired => {
            format!("the certificate of {host} has expired; the server needs a new one")
        }
        CertificateError::NotValidYetContext { not_before, .. } => format!(
            "the certificate of {host} is valid only from {} on; check the clock of this computer",
            date(not_before)
        ),
        CertificateError::NotValidForNameContext { presented, .. } => format!(
            "the certificate of the server is not for {host}, but for {}; use such a name in model.base_url",
            shown_names(presented)
        ),
        // An authority of the same name is trusted and has another key: the certificate was made again, or Debian's
        // self-signed one for localhost is among the authorities of the system.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => unknown_issuer(host, own, last),
        other if is_authority(other) => format!(
            "the certificate of {host} is that of an authority (CA:TRUE), not of a server; the server needs one with \
             CA:FALSE"
        ),
        other => format!("the certificate of {host} is refused: {}", sanitize(&other.to_string())),
    }
}

fn unknown_issuer(host: &str, own: &CertificateDer<'_>, last: &CertificateDer<'_>) -> String {
    if der::issuer(own).is_some_and(|issuer| issuer.is_itself) {
        return format!(
            "the certificate of {host} is self-signed; if you trust this server, save its certificate as a PEM file \
             and set model.ca_file to it"
        );
    }
    let name = der::issuer(last).map(|issuer| issuer.name).filter(|name| !name.is_empty());
    let name = name.map_or_else(
        || "an authority".to_owned(),
        |name| {
            let short: String = name.chars().take(80).collect();
            format!("{:?}", sanitize(&short))
        },
    );
    format!(
        "the certificate of {host} is signed by {name}, which is not trusted here; if you trust this authority, set \
         model.ca_file or the variable SSL_CERT_FILE to a PEM file with its certificate"
    )
}

/// At most five of the names in a certificate.
fn shown_names(presented: &[String]) -> String {
    let names: Vec<String> = presented.iter().take(5).map(|name| plain_name(name)).collect();
    match (names.as_slice(), presented.len() > 5) {
        ([], _) => "no name at all".to_owned(),
        (names, false) => names.join(", "),
        (names, true) => format!("{} and others", names.join(", ")),
    }
}

/// The name without the form in which the verifier writes it, `DnsName("a.example")`.
fn plain_name(name: &str) -> String {
    let inner =
        name.split_once('"').and_then(|(_, rest)| rest.split_once('"')).map_or(name, |(inner, _)| inner);
    sanitize(&inner.chars().take(80).collect::<String>()).into_owned()
}

/// Whether the certificate is one of an authority. The verifier has no variant for this.
fn is_authority(why: &CertificateError) -> bool {
    matches!(why, CertificateError::Other(_)) && format!("{why:?}").contains("CaUsedAsEndEntity")
}
