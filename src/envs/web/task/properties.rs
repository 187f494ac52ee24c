//! The properties of tasks by which reports group them (`WebCanvas`, appendix J.2, figure 8).

use super::Task;
use crate::address::Parts;

/// The reference lengths up to which a task is of a class, with its name. The classes are ours; the paper draws a curve.
const LENGTHS: [(u32, &str); 5] =
    [(5, "up to 5"), (8, "6 to 8"), (11, "9 to 11"), (15, "12 to 15"), (u32::MAX, "over 15")];

/// The number of nodes, the class of the reference length, and the site.
pub fn properties(task: &Task) -> Vec<(&'static str, String)> {
    let class = LENGTHS.iter().find(|(most, _)| task.reference_length <= *most);
    let mut properties = vec![("nodes", task.nodes.len().to_string())];
    properties.extend(class.map(|(_, name)| ("length", (*name).to_owned())));
    properties.extend(site(task).map(|site| ("site", site)));
    properties
}

/// The host of the first annotated page, or of the start, without `www.`, user and port; else the label of a node.
fn site(task: &Task) -> Option<String> {
    let annotated = task.nodes.iter().filter_map(|node| node.url.as_deref());
    let addresses = annotated.chain(task.start.as_deref());
    let mut hosts = addresses.map(|address| {
        let parts = Parts::of(address);
        let host = parts.host_without_user();
        let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
        host.strip_prefix("www.").unwrap_or(host).to_lowercase()
    });
    let labels = task.nodes.iter().map(|node| node.netloc.clone());
    hosts.find(|host| !host.is_empty()).or_else(|| labels.into_iter().find(|label| !label.is_empty()))
}
