//! The documents agree with the program.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sandbox::Sandbox;
use crate::source_paths::rust_files;

const SCREEN_ARGS: [&str; 5] = ["screen", "sokoban/full/1", "--halves", "19", "--out"];

#[test]
fn the_readme_image_is_up_to_date() {
    let sandbox = Sandbox::new();
    let drawn = sandbox.path("screen.svg");
    sandbox.run(&[&SCREEN_ARGS[..], &[drawn.to_str().unwrap()]].concat()).success();
    let kept = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/screen.svg")).unwrap();
    let fresh = fs::read_to_string(drawn).unwrap();
    let hint = format!("draw it again: cargo run -- {} docs/screen.svg", SCREEN_ARGS.join(" "));
    assert!(fresh == kept, "docs/screen.svg is not what the program draws; {hint}");
}

#[test]
fn the_readme_names_the_command_that_draws_its_image() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    assert!(readme.contains(&format!("mageyard {} docs/screen.svg", SCREEN_ARGS.join(" "))));
}

#[test]
fn screen_presses_only_keys_that_do_not_act() {
    let sandbox = Sandbox::new();
    let screen = |more: &[&str]| sandbox.run(&[&["screen", "sokoban/full/1"], more].concat());
    let words = |drawn: String| {
        let marks = drawn.split('<').filter_map(|tag| tag.split_once('>').map(|(_, words)| words.to_owned()));
        marks
            .flat_map(|words| words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let asked = words(screen(&["--prompt", "HD-CoT-NoIMG", "--press", "R"]).success());
    for part in ["Request of step 1, never sent", "prompt HD-CoT-NoIMG", "0 images"] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
    let model = ["--agent", "model", "--model", "mock", "--press", "s"];
    assert!(words(screen(&model).success()).contains("would be sent"));
    screen(&["--press", "R esc enter"]).fails_with(2, &["--press: the key enter changes the session"]);
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The documents with links, relative to the project.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(project().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
        .map(|name| project().join(name))
        .into_iter()
        .chain(pages)
        .collect()
}

/// The files of the project that a document links to or shows.
fn linked_files(document: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(document).unwrap();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once([')', '#']));
    let files =
        targets.map(|(target, _)| target).filter(|target| !target.is_empty() && !target.contains(':'));
    files.map(|target| document.parent().unwrap().join(target)).collect()
}

#[test]
fn what_documents_link_to_exists_and_each_picture_is_shown() {
    let mut shown = Vec::new();
    for document in documents() {
        for file in linked_files(&document) {
            assert!(file.exists(), "{} links to {}", document.display(), file.display());
            shown.push(file.canonicalize().unwrap());
        }
    }
    for picture in fs::read_dir(project().join("docs/pictures")).unwrap() {
        let picture = picture.unwrap();
        assert!(picture.metadata().unwrap().len() < 120_000, "{picture:?} is large");
        assert!(shown.contains(&picture.path().canonicalize().unwrap()), "no document shows {picture:?}");
    }
}

/// Every cell of the tables of a document, with the number of its line and column, both from 1; heads are left out.
fn table_cells(text: &str) -> Vec<(usize, usize, String)> {
    let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with("| "));
    let cells = rows.flat_map(|(index, line)| {
        let inner = line.trim_matches('|').split(" | ").map(|cell| cell.trim_matches([' ', '|']).to_owned());
        inner.enumerate().map(move |(column, cell)| (index + 1, column + 1, cell)).collect::<Vec<_>>()
    });
    cells.collect()
}

/// What is written between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The settings with their tables, such as `play.reader`, and their defaults as written.
fn settings() -> Vec<(String, String)> {
    let text = fs::read_to_string(project().join("config.toml")).unwrap();
    let mut table = "";
    let mut settings = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']');
        } else if let Some((name, value)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
            settings.push((format!("{table}.{name}"), value.to_owned()));
        }
    }
    settings
}

#[test]
fn the_fidelity_page_names_tests_and_settings_that_exist() {
    let page = fs::read_to_string(project().join("docs/fidelity.md")).unwrap();
    let sources: Vec<PathBuf> =
        ["src", "tests", "tools"].iter().flat_map(|top| rust_files(&project().join(top))).collect();
    let code: String = sources.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let settings: Vec<String> = settings().into_iter().map(|(name, _)| name).collect();
    assert!(settings.contains(&"play.reader".to_owned()) && settings.len() > 100, "{settings:?}");
    let tables: Vec<&str> = settings.iter().filter_map(|name| name.split('.').next()).collect();
    let mut tests = 0;
    for (line, column, cell) in table_cells(&page) {
        for name in quoted(&cell) {
            let table = name.split('.').next().unwrap();
            if name.contains('.') && !name.contains(' ') && tables.contains(&table) {
                assert!(settings.contains(&name.to_owned()), "line {line}: there is no setting {name}");
            }
            if column == 4 {
                tests += 1;
                let is_there = if name.contains('/') {
                    project().join(name).exists()
                } else {
                    code.contains(&format!("fn {name}("))
                };
                assert!(is_there, "line {line}: there is no test {name}");
            }
        }
    }
    assert!(tests > 100, "{tests}");
}

#[test]
fn the_fidelity_page_has_five_cells_in_each_row_of_rules() {
    let page = fs::read_to_string(project().join("docs/fidelity.md")).unwrap();
    let cells = table_cells(&page);
    let first_rule = cells.iter().find(|(_, _, cell)| cell == "rule").unwrap().0;
    let mut widths = std::collections::BTreeMap::new();
    for (line, column, _) in cells.into_iter().filter(|(line, ..)| *line >= first_rule) {
        widths.insert(line, column);
    }
    assert!(widths.len() > 80 && widths.values().all(|columns| *columns == 5), "{widths:?}");
}

#[test]
fn the_defaults_are_those_of_the_fidelity_page() {
    let defaults = settings();
    let value = |wanted: &str| defaults.iter().find(|(name, _)| name == wanted).unwrap().1.as_str();
    for (name, stated) in [
        ("memory.am", "5"),
        ("memory.om", "1"),
        ("memory.dropped_frame", "\"placeholder\""),
        ("memory.plan_images", "10"),
        ("model.temperature", "0.1"),
        ("model.top_p", "0.95"),
        ("model.frequency_penalty", "1.0"),
        ("model.max_tokens", "4000"),
        ("model.resolution", "256"),
        ("play.reader", "\"strict\""),
        ("play.max_steps", "50"),
        ("play.on_unreadable", "\"skip\""),
        ("faults.same_unchanged", "5"),
        ("faults.same", "10"),
        ("webui.mode", "\"parity\""),
        ("webui.viewport", "\"1920x937\""),
        ("football.engine", "\"lite\""),
        ("football.reward", "\"coded\""),
        ("football.skip", "\"coded\""),
        ("football.actions", "\"agent\""),
        ("football.view", "\"board\""),
    ] {
        assert_eq!(value(name), stated, "{name}");
    }
}
