//! Which addresses belong to the public internet (IANA special-purpose address registries, RFC 6890 and its updates).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A range of addresses: the first one, and how many leading bits are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    first: IpAddr,
    bits: u8,
}

impl Range {
    /// A range of this address; `None` if there are more bits than the address has.
    pub(super) fn new(first: IpAddr, bits: u8) -> Option<Self> {
        let most = if first.is_ipv4() { 32 } else { 128 };
        (bits <= most).then_some(Self { first, bits })
    }

    /// A single address.
    pub(super) fn single(address: IpAddr) -> Self {
        Self { first: address, bits: if address.is_ipv4() { 32 } else { 128 } }
    }

    /// Whether an address is in the range.
    pub(super) fn contains(self, address: IpAddr) -> bool {
        match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                u128::from(u32::from(first) ^ u32::from(address)).checked_shr(32 - u32::from(self.bits))
                    == Some(0)
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let different = u128::from(first) ^ u128::from(address);
                different.checked_shr(128 - u32::from(self.bits)).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

const fn v4(a: u8, b: u8, c: u8, bits: u8) -> Range {
    Range { first: IpAddr::V4(Ipv4Addr::new(a, b, c, 0)), bits }
}

const fn v6(a: u16, b: u16, c: u16, bits: u8) -> Range {
    Range { first: IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)), bits }
}

/// Ranges that are not public, with what they are.
const NOT_PUBLIC: &[(Range, &str)] = &[
    (v4(0, 0, 0, 8), "unspecified"),
    (v4(10, 0, 0, 8), "private"),
    (v4(100, 64, 0, 10), "shared by a carrier"),
    (v4(127, 0, 0, 8), "loopback"),
    (v4(169, 254, 0, 16), "link-local"),
    (v4(172, 16, 0, 12), "private"),
    (v4(192, 0, 0, 24), "reserved"),
    (v4(192, 0, 2, 24), "reserved"),
    (v4(192, 88, 99, 24), "reserved"),
    (v4(192, 168, 0, 16), "private"),
    (v4(198, 18, 0, 15), "reserved"),
    (v4(198, 51, 100, 24), "reserved"),
    (v4(203, 0, 113, 24), "reserved"),
    (v4(224, 0, 0, 4), "multicast"),
    (v4(240, 0, 0, 4), "reserved"),
    (v6(0x64, 0xff9b, 1, 48), "private"),
    (v6(0x100, 0, 0, 64), "reserved"),
    (v6(0x2001, 0, 0, 23), "reserved"),
    (v6(0x2001, 0xdb8, 0, 32), "reserved"),
    (v6(0x3fff, 0, 0, 20), "reserved"),
    (v6(0x5f00, 0, 0, 16), "reserved"),
    (v6(0xfc00, 0, 0, 7), "unique-local"),
    (v6(0xfe80, 0, 0, 10), "link-local"),
    (v6(0xfec0, 0, 0, 10), "site-local"),
    (v6(0xff00, 0, 0, 8), "multicast"),
];

/// Why an address is not public; `None` if it is. An IPv6 address that holds an IPv4 address is what that one is, but
/// mapped ones (`::ffff:0:0/96`), which no name has on the public internet, never are public.
pub(super) fn not_public(address: IpAddr) -> Option<&'static str> {
    if let IpAddr::V6(address) = address {
        if address.is_loopback() {
            return Some("loopback");
        }
        if address.is_unspecified() {
            return Some("unspecified");
        }
        if address.to_ipv4_mapped().is_some() {
            return Some("an IPv4-mapped address");
        }
        if let Some(inner) = embedded(address) {
            return not_public(IpAddr::V4(inner));
        }
    }
    NOT_PUBLIC.iter().find(|(range, _)| range.contains(address)).map(|row| row.1)
}

/// The IPv4 address to which a gateway passes this one: NAT64 (RFC 6052), 6to4 (RFC 3056) and the old form
/// `::a.b.c.d`.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let parts = address.segments();
    let joined = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match parts {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0, 0, high, low] => Some(joined(high, low)),
        [0x2002, high, low, ..] => Some(joined(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_and_of_private_networks_are_not_public() {
        for text in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:8.8.8.8",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001:0:1::1",
            "2001:db8::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(not_public(text.parse().unwrap()).is_some(), "{text}");
        }
    }

    #[test]
    fn other_addresses_are_public() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001::1",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ] {
            assert_eq!(not_public(text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn ranges_may_be_everything_or_one_address() {
        let all = Range::new("0.0.0.0".parse().unwrap(), 0).unwrap();
        assert!(all.contains("255.1.2.3".parse().unwrap()) && !all.contains("::1".parse().unwrap()));
        assert!(Range::new("::".parse().unwrap(), 0).unwrap().contains("ff::1".parse().unwrap()));
        let one = Range::single("10.0.0.1".parse().unwrap());
        assert!(one.contains("10.0.0.1".parse().unwrap()) && !one.contains("10.0.0.2".parse().unwrap()));
        assert_eq!(Range::new("10.0.0.1".parse().unwrap(), 33), None);
    }
}
