//! Roles and names compared with Chromium's accessibility tree, which `benches/web_page_accessibility.py` writes to
//! `accessibility.json` beside the pages. The known differences are listed in `differences.txt` there.

use std::collections::BTreeMap;
use std::fmt::Write;

use libtest_mimic::Trial;
use mageyard::domain::sanitize;
use mageyard::envs::web::page::{ElementKind, TreeForm, locate};

use super::opened::{Opened, page_names, pages_folder};
use crate::harness::trial;

pub(super) fn list() -> Vec<Trial> {
    vec![trial(
        "web_page::roles_and_names_are_those_of_the_browser",
        roles_and_names_are_those_of_the_browser,
    )]
}

/// The path, role and name of the nodes of a page.
type Nodes = Vec<(String, String, String)>;

/// Roles that Chromium has other words for.
fn role(theirs: &str) -> &str {
    match theirs {
        "image" => "img",
        "DisclosureTriangle" => "button",
        "Iframe" => "frame",
        "Date" => "date",
        "DateTime" => "datetime",
        "InputTime" => "time",
        "ColorWell" => "color",
        "sectionheader" | "sectionfooter" => "",
        other => other,
    }
}

/// Roles that a person operates.
const OPERATED: [&str; 16] = [
    "button",
    "checkbox",
    "combobox",
    "link",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
];

/// With `MAGEYARD_WRITE_TREES=1` the differences are written instead of compared.
async fn roles_and_names_are_those_of_the_browser() {
    let text = std::fs::read_to_string(pages_folder().join("accessibility.json")).unwrap();
    let theirs: BTreeMap<String, Nodes> = serde_json::from_str(&text).unwrap();
    let opened = Opened::empty().await;
    let mut compared = 0;
    let mut differences = String::new();
    for name in page_names() {
        opened.show_kept(&name).await;
        let reading = opened.read(TreeForm::Visible, 0).await;
        let nodes = &theirs[&name];
        let mut listed = Vec::new();
        for element in &reading.elements {
            if element.kind == ElementKind::Text || element.role == "clickable" {
                continue;
            }
            let path = locate(&opened, &reading, element.number, &[], None).await.unwrap().xpath;
            listed.push(path.clone());
            compared += 1;
            let ours = (element.role.as_str(), spaced(&element.label));
            let same_path: Vec<_> = nodes.iter().filter(|node| node.0 == path).collect();
            if same_path.iter().any(|node| (role(&node.1), spaced(&node.2)) == ours) {
                continue;
            }
            let found: Vec<_> = same_path.iter().map(|node| format!("{} '{}'", node.1, node.2)).collect();
            let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
            note(&mut differences, &name, &format!("{path}: {} '{}', browser {found}", ours.0, ours.1));
        }
        for (path, their_role, their_name) in nodes {
            if OPERATED.contains(&role(their_role)) && !listed.contains(path) {
                note(
                    &mut differences,
                    &name,
                    &format!("{path}: not listed, browser {their_role} '{their_name}'"),
                );
            }
        }
    }
    let file = pages_folder().join("differences.txt");
    let all = format!("{compared} elements compared\n{differences}");
    if std::env::var("MAGEYARD_WRITE_TREES").is_ok_and(|value| value == "1") {
        std::fs::write(&file, &all).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), all);
}

fn note(differences: &mut String, page: &str, text: &str) {
    let text: String = text.chars().take(300).collect();
    writeln!(differences, "{page} {}", sanitize(&text)).unwrap();
}

fn spaced(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
