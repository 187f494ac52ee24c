//! The pages that ship with the program: the folders of `levels/webui`, packed when it is built. `sets.toml` there has the
//! sets.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use mageyard_domain::LevelSet;

/// A folder as a packed page: the five files that every page has, and further ones.
macro_rules! page {
    ($name:literal $(, $file:literal)*) => {
        page!(@files $name, "index.html", "style.css", "script.js", "task.md", "steps.json" $(, $file)*)
    };
    (@files $name:literal, $($file:literal),+) => {
        concat!(
            "@@ page ", $name, "\n",
            $("@@ file ", $file, "\n", include_str!(concat!("../../../levels/webui/", $name, "/", $file)),)+
        )
    };
}

/// The pages of the set `mini`.
macro_rules! mini {
    () => {
        concat!(
            page!("button-gallery"),
            page!("calculator"),
            page!("cart-summary"),
            page!("cinema-seats"),
            page!("color-mixer"),
            page!("dropdown-menu"),
            page!("expand-gallery"),
            page!("faq-accordion"),
            page!("image-slider", "desert.svg", "forest.svg", "harbour.svg", "night.svg"),
            page!("parallax-hills", "far.svg", "middle.svg", "near.svg"),
            page!("planet-quiz"),
            page!("pricing-table"),
            page!("product-detail"),
            page!("profile-card", "portrait.svg"),
            page!("register-form"),
            page!("sign-in"),
            page!("sticky-notes"),
            page!("tea-shop", "flame.svg", "leaf.svg", "moon.svg", "plum.svg"),
            page!("unit-converter"),
            page!("wall-clock"),
        )
    };
}

pub(super) const SETS: &[LevelSet] = &[
    LevelSet {
        name: "mini",
        summary: "20 pages: cards, forms, shops, menus, sliders, calculators, clocks, quizzes",
        paper: "20 of our own 40 pages; the paper's set has 193 pages, 20 in mini",
        text: mini!(),
    },
    LevelSet {
        name: "full",
        summary: "40 pages, beginning with those of mini",
        paper: "40 pages of our own; the paper's set has 193 pages",
        text: concat!(
            mini!(),
            page!("book-filter"),
            page!("checkout-steps"),
            page!("cube-3d"),
            page!("feature-grid"),
            page!("flash-cards"),
            page!("hangman"),
            page!("harbor-hero", "sea.svg"),
            page!("newsletter-footer"),
            page!("password-meter"),
            page!("radial-menu"),
            page!("side-panel"),
            page!("tab-panels", "tart.svg"),
            page!("team-flip", "captain.svg", "cook.svg", "engineer.svg"),
            page!("testimonials"),
            page!("tip-splitter"),
            page!("todo-list"),
            page!("word-grid"),
            page!("world-clocks"),
            page!("zh-poems"),
            page!("zh-teahouse", "bamboo.svg"),
        ),
    },
];

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the pages are files")]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::super::task::{Task, levels};
    use super::*;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../levels/webui")
    }

    /// Pages of the sets file, by set.
    fn listed(set: &str) -> BTreeSet<String> {
        let text = fs::read_to_string(folder().join("sets.toml")).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let pages = table["page"].as_array().unwrap();
        let is_in = |page: &&toml::Value| {
            page["sets"].as_array().unwrap().iter().any(|name| name.as_str() == Some(set))
        };
        pages.iter().filter(is_in).map(|page| page["name"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn the_sets_are_those_of_the_sets_file_and_every_folder_is_in_one() {
        for set in SETS {
            let names: Vec<_> = levels(set.text).unwrap().iter().map(mageyard_domain::Level::label).collect();
            let unique: BTreeSet<_> = names.iter().cloned().collect();
            assert_eq!((unique.len(), &unique), (names.len(), &listed(set.name)), "{}", set.name);
            assert!(set.summary.starts_with(&format!("{} pages", names.len())), "{}", set.summary);
        }
        let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
        let folders = entries.filter(|entry| entry.path().is_dir());
        let folders: BTreeSet<_> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
        assert_eq!(folders, listed("full"));
    }

    /// The files are not escaped when they are packed, so none may need it; and each ends with a line break.
    #[test]
    fn packed_files_are_those_of_the_folders() {
        for level in levels(SETS[1].text).unwrap() {
            let task = Task::of_level(&level).unwrap();
            let mut packed: BTreeSet<String> = task.files.iter().map(|file| file.name.clone()).collect();
            for file in &task.files {
                let content = fs::read(folder().join(&task.name).join(&file.name)).unwrap();
                assert!(content == file.content, "{}/{}", task.name, file.name);
                assert!(content.ends_with(b"\n"), "{}/{}", task.name, file.name);
            }
            packed.extend([super::super::task::DESCRIPTION.into(), super::super::task::INTERACTIONS.into()]);
            let entries = fs::read_dir(folder().join(&task.name)).unwrap();
            let there: BTreeSet<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            assert_eq!(packed, there, "{}", task.name);
        }
    }
}
