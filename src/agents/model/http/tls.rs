//! The TLS settings of a client. It trusts the authorities of the system and of Mozilla, so that one of them may be
//! missing, and those of `model.ca_file`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use super::TlsFiles;
use super::certificate::ExplainingVerifier;

/// The configuration with these files. `system` is the file that replaces the authorities of the system. Without
/// encryption no server is verified, and the authorities of the system and of Mozilla are not parsed, which takes tens of
/// milliseconds. An error names the setting and the file.
pub(super) fn config(
    files: &TlsFiles,
    system: Option<&Path>,
    is_encrypted: bool,
) -> Result<ClientConfig, String> {
    // Fails if a provider is installed already.
    let _ = ring::default_provider().install_default();
    let provider = Arc::new(ring::default_provider());
    let own = own_authorities(files, system)?;
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    let builder = if is_encrypted {
        let verifier = ExplainingVerifier(verifier(own, provider)?);
        builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    let mut config = match &files.client_cert {
        None => builder.with_no_client_auth(),
        Some(file) => {
            let chain = certificates("model.client_cert", file)?;
            builder.with_client_auth_cert(chain, private_key(files, file)?).map_err(|error| {
                format!("model.client_cert and model.client_key do not belong together: {error}")
            })?
        }
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// The authorities of these files.
fn own_authorities(files: &TlsFiles, system: Option<&Path>) -> Result<Vec<CertificateDer<'static>>, String> {
    let mut roots = Vec::new();
    if let Some(file) = &files.ca_file {
        roots.extend(certificates("model.ca_file", file)?);
    }
    // The verifier reads this file too, but says nothing if it cannot.
    if let Some(file) = system {
        roots.extend(certificates("the variable SSL_CERT_FILE", file)?);
    }
    Ok(roots)
}

/// Trusts these authorities, those of the system and those of Mozilla.
fn verifier(own: Vec<CertificateDer<'static>>, provider: Arc<CryptoProvider>) -> Result<Verifier, String> {
    let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned().chain(own);
    Verifier::new_with_extra_roots(roots, provider)
        .map_err(|error| format!("an authority cannot be used: {error}"))
}

fn private_key(files: &TlsFiles, certificate: &Path) -> Result<PrivateKeyDer<'static>, String> {
    let (setting, file) = match &files.client_key {
        Some(file) => ("model.client_key", file.as_path()),
        None => ("model.client_cert", certificate),
    };
    PrivateKeyDer::from_pem_slice(&read(setting, file)?).map_err(|_| {
        let help = "it must be a PEM file with a private key that is not encrypted";
        format!("{setting}: {} contains no private key; {help}", file.display())
    })
}

/// The certificates of a PEM file; an error if there is none.
fn certificates(setting: &str, file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let bytes = read(setting, file)?;
    let found: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(&bytes).collect();
    let broken =
        |error: pem::Error| format!("{setting}: {} is not a valid PEM file: {error}", file.display());
    let found = found.map_err(broken)?;
    if found.is_empty() {
        let help = "it must have lines such as -----BEGIN CERTIFICATE-----";
        return Err(format!("{setting}: {} contains no certificate in PEM form; {help}", file.display()));
    }
    Ok(found)
}

fn read(setting: &str, file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{setting}: {} cannot be read: {error}", file.display()))
}
