//! The names in a certificate. Only as much of the format is read as messages need; the certificate is not verified here.

/// Who issued a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Issuer {
    /// The common name, or else the organization; empty if there is none.
    pub(super) name: String,
    /// Whether the certificate names itself as its issuer.
    pub(super) is_itself: bool,
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
/// The tag of an explicit version.
const VERSION: u8 = 0xa0;
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a];

/// The issuer of a certificate in DER; `None` if it cannot be read.
pub(super) fn issuer(certificate: &[u8]) -> Option<Issuer> {
    let (_, certificate, _) = element(certificate)?;
    let (_, mut fields, _) = element(certificate)?;
    if fields.first() == Some(&VERSION) {
        fields = element(fields)?.2;
    }
    // The serial number and the algorithm.
    for _ in 0..2 {
        fields = element(fields)?.2;
    }
    let (_, issuer, rest) = element(fields)?;
    let (_, _validity, rest) = element(rest)?;
    let (_, subject, _) = element(rest)?;
    let name = attribute(issuer, COMMON_NAME).or_else(|| attribute(issuer, ORGANIZATION));
    Some(Issuer { name: name.unwrap_or_default(), is_itself: issuer == subject })
}

/// The first value of this attribute in a name.
fn attribute(mut name: &[u8], wanted: &[u8]) -> Option<String> {
    while let Some((SET, pairs, rest)) = element(name) {
        if let Some((SEQUENCE, pair, _)) = element(pairs) {
            let (_, kind, value) = element(pair)?;
            if kind == wanted {
                return element(value).map(|(_, text, _)| String::from_utf8_lossy(text).into_owned());
            }
        }
        name = rest;
    }
    None
}

/// Tag, content and rest of the first element.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, bytes) = bytes.split_first()?;
    let (&first, bytes) = bytes.split_first()?;
    let (length, bytes) = match first {
        0..=0x7f => (usize::from(first), bytes),
        0x81..=0x84 => {
            let (digits, bytes) = bytes.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |number, digit| number << 8 | usize::from(*digit)), bytes)
        }
        _ => return None,
    };
    let (content, rest) = bytes.split_at_checked(length)?;
    Some((tag, content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, DnType, Issuer as Authority, KeyPair};

    fn named(name: &str) -> CertificateParams {
        let mut params = CertificateParams::new(vec!["a.example".to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params
    }

    #[test]
    fn the_issuer_is_read_and_damage_is_not_followed() {
        let key = KeyPair::generate().unwrap();
        let own = named("Me").self_signed(&key).unwrap();
        assert_eq!(issuer(own.der()), Some(Issuer { name: "Me".to_owned(), is_itself: true }));
        let authority = named("Corp Root");
        let signed = named("Me").signed_by(&key, &Authority::from_params(&authority, &key)).unwrap();
        let found = Some(Issuer { name: "Corp Root".to_owned(), is_itself: false });
        assert_eq!(issuer(signed.der()), found);
        for end in 0..signed.der().len() {
            // Cut anywhere, it is refused or read, and nothing panics.
            let cut = issuer(&signed.der()[..end]);
            assert!(cut.is_none() || cut == found);
            let mut bytes = signed.der().to_vec();
            bytes[end] ^= 0xff;
            let _ = issuer(&bytes);
        }
    }
}
