//! The benchmark's lists of tasks, and its task folders as levels.

use super::read_task;
use super::task::LeftOutFile;
use crate::task::{PackedFile, PackedPage};
use crate::{WebUi, task};
use mageyard_domain::{CheckoutImport, CheckoutLayout, FolderLevel, LevelFormatError, ListedLevel};
use mageyard_kit::{Entry, ListForm, magebench};

/// The folders and lists of the tasks.
const LAYOUT: CheckoutLayout = magebench::layout(
    "WebUI",
    &[("magebench-full", "WebUI_all.json"), ("magebench-mini", "WebUI_mini.json")],
    None,
);
const LIST: ListForm = ListForm {
    folder: LAYOUT.level_folder,
    entry: Entry::Folder(|name| task::page_name_error(name).is_none()),
};

impl CheckoutImport for WebUi {
    fn layout(&self) -> &'static CheckoutLayout {
        &LAYOUT
    }

    fn list(&self, text: &str) -> Result<Vec<ListedLevel>, LevelFormatError> {
        LIST.read(text)
    }

    fn read_folder(&self, name: &str, files: Vec<(String, Vec<u8>)>) -> Option<Result<FolderLevel, String>> {
        Some(level(name, files))
    }
}

fn level(name: &str, files: Vec<(String, Vec<u8>)>) -> Result<FolderLevel, String> {
    let read = read_task(files).map_err(|error| error.to_string())?;
    let mut page = PackedPage::new(name);
    for (name, content) in read.files {
        if let Some(why) = task::file_name_error(&name) {
            return Err(format!("{name}: {why}"));
        }
        page.files.push(PackedFile::new(name, content));
    }
    let levels = task::levels(&page.print()).map_err(|error| error.reason)?;
    let level = levels.into_iter().next().ok_or("the page is empty")?;
    let left_out = read.left_out.iter().filter(|one| one.is_loss()).map(LeftOutFile::to_string).collect();
    Ok(FolderLevel { level, left_out })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(actions: &str) -> Vec<(String, Vec<u8>)> {
        [("index.html", "<p>Tea</p>\n"), ("tasks.md", "# Tea\n"), ("actions.py", actions)]
            .map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec()))
            .into()
    }

    #[test]
    fn a_task_folder_is_a_level() {
        let mut given = files("def go(d):\n    d.find_element(By.ID, 'a').click()\nactions = [go]\n");
        given.push(("film.mp4".into(), vec![0; (4 << 20) + 1]));
        let read = WebUi.read_folder("\u{5c0f}tea", given).unwrap().unwrap();
        assert_eq!(read.level.label(), "\u{5c0f}tea");
        assert!(read.level.text().contains("@@ file steps.json\n"), "{}", read.level.text());
        assert_eq!(read.left_out, ["film.mp4: more than 4 MiB"]);
        let refused = WebUi.read_folder("a", files("actions = [go]")).unwrap().unwrap_err();
        assert_eq!(refused, "actions.py, line 1: go is in the list, but no function of this file");
        let mut given = files("actions = []");
        given[1].1 = b"![](https://example.org/a.png)".to_vec();
        assert!(WebUi.read_folder("a", given).unwrap().is_err());
    }

    #[test]
    fn lists_cannot_name_folders_elsewhere() {
        let good = LIST.read(r#"["WebUI/Card1", "./WebUI/\u5b66", "b"]"#).unwrap();
        assert_eq!(good.iter().map(|one| one.file.as_str()).collect::<Vec<_>>(), ["Card1", "\u{5b66}", "b"]);
        for path in ["../x", "WebUI/../x", "/etc", "WebUI/a/b", "..", "", "WebUI/"] {
            let error = LIST.read(&format!(r#"["a", "{path}"]"#)).unwrap_err().to_string();
            assert!(
                error.starts_with("level 2: ") && error.contains("no other folder is read"),
                "{path}: {error}"
            );
        }
        assert!(LIST.read("{}").unwrap_err().to_string().starts_with("line 1: has an unexpected form"));
    }
}
