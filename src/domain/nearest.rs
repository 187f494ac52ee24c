//! Suggestions for misspelt names.

/// Up to three names of `known` that are similar to `given`, the most similar first; empty if none is.
pub fn nearest_names<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let close = |name: &'a str| {
        let lower = name.to_lowercase();
        let likeness = strsim::jaro_winkler(&given, &lower);
        let inside = !given.is_empty() && lower.contains(&given);
        (likeness > 0.75 || inside).then_some((likeness, name))
    };
    let mut found: Vec<_> = known.into_iter().filter_map(close).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    found.dedup_by_key(|pair| pair.1);
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first_and_unrelated_names_are_left_out() {
        let known = ["dark", "light", "ansi16", "mono"];
        assert_eq!(nearest_names("drak", known), ["dark"]);
        assert_eq!(nearest_names("ligth", known), ["light"]);
        assert!(nearest_names("zebra", known).is_empty());
        assert!(nearest_names("", known).is_empty());
    }
}
