//! `NO_PROXY`: which hosts are reached without a proxy. Entries are separated by commas or spaces: `*` for all, a name
//! for itself and everything below it (`example.com`, `.example.com`, `*.example.com`), an address, a range of addresses
//! (`10.0.0.0/8`), each with a port if only that one is meant.

use std::net::IpAddr;

/// Whether the list has this host, without brackets, and port.
pub(super) fn lists(list: &str, host: &str, port: Option<u16>) -> bool {
    let entries = list.split([',', ' ', '\t']).filter(|entry| !entry.is_empty());
    entries.into_iter().any(|entry| matches(entry, host, port))
}

fn matches(entry: &str, host: &str, port: Option<u16>) -> bool {
    let (name, only) = split_port(entry);
    if only.is_some() && only != port {
        return false;
    }
    match host.parse::<IpAddr>() {
        _ if name == "*" => true,
        Ok(address) => contains_address(name, address),
        Err(_) => contains_name(name, host),
    }
}

/// The entry without its port. An IPv6 address has a port only after brackets.
fn split_port(entry: &str) -> (&str, Option<u16>) {
    if let Some((address, rest)) = entry.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return (address, rest.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    match entry.split_once(':') {
        Some((name, port)) if !port.contains(':') => match port.parse() {
            Ok(port) => (name, Some(port)),
            Err(_) => (entry, None),
        },
        _ => (entry, None),
    }
}

fn contains_name(entry: &str, host: &str) -> bool {
    let name = entry.strip_prefix('*').unwrap_or(entry);
    let name = name.strip_prefix('.').unwrap_or(name).trim_end_matches('.').to_ascii_lowercase();
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    !name.is_empty() && (host == name || host.strip_suffix(&name).is_some_and(|above| above.ends_with('.')))
}

fn contains_address(entry: &str, address: IpAddr) -> bool {
    let Some((network, length)) = entry.split_once('/') else { return entry.parse() == Ok(address) };
    let (Ok(network), Ok(length)) = (network.parse::<IpAddr>(), length.parse::<u32>()) else { return false };
    match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) if length <= 32 => {
            let shift = 32 - length;
            u64::from(network.to_bits()) >> shift == u64::from(address.to_bits()) >> shift
        }
        (IpAddr::V6(network), IpAddr::V6(address)) if length <= 128 => {
            network.to_bits().checked_shr(128 - length) == address.to_bits().checked_shr(128 - length)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_hosts_with_everything_below_and_ranges_of_addresses() {
        for (list, host, listed) in [
            ("", "a.example", false),
            ("*", "a.example", true),
            ("*", "10.1.2.3", true),
            ("*", "fd00::1", true),
            ("example.com, 10.0.0.0/8", "EXAMPLE.com", true),
            ("example.com", "api.example.com", true),
            ("example.com", "notexample.com", false),
            (".example.com", "api.example.com", true),
            ("*.example.com", "api.example.com", true),
            ("a,10.0.0.0/8", "10.200.3.4", true),
            ("a,10.0.0.0/8", "11.0.0.1", false),
            ("0.0.0.0/0", "8.8.8.8", true),
            ("10.0.0.1", "10.0.0.1", true),
            ("10.0.0.0/33", "10.0.0.1", false),
            ("fd00::/8", "fd12::1", true),
            ("::/0", "fd12::1", true),
            ("fd00::1", "fd00::2", false),
            ("api.example:8443", "api.example", true),
            ("api.example:443", "api.example", false),
            ("[fd00::1]:8443", "fd00::1", true),
            ("api.example:nonsense", "api.example", false),
        ] {
            assert_eq!(lists(list, host, Some(8443)), listed, "{list:?} {host}");
        }
    }
}
