use std::fs;

use super::*;

fn computer() -> (tempfile::TempDir, FolderComputer) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("root/data")).unwrap();
    fs::create_dir(folder.path().join("home")).unwrap();
    fs::write(folder.path().join("secret"), "s").unwrap();
    let mount = |path: &str, name: &str| Mount { path: path.to_owned(), folder: folder.path().join(name) };
    let computer = FolderComputer::new(&[mount("/w", "root"), mount("/w/home", "home")], "/w/home").unwrap();
    (folder, computer)
}

#[test]
fn paths_of_tasks_are_mapped_and_the_longest_one_counts() {
    let (folder, mut computer) = computer();
    fs::write(folder.path().join("home/h"), "in home").unwrap();
    fs::write(folder.path().join("root/data/d"), "in root").unwrap();
    assert_eq!(computer.read("/w/home/h").unwrap(), b"in home");
    assert_eq!(computer.read("/w//data/./d").unwrap(), b"in root");
    assert_eq!(computer.read("/w/data/../home/h").unwrap(), b"in home");
    assert_eq!(computer.list("/w").unwrap(), ["data"]);
    assert_eq!(computer.read("/w/data").unwrap_err(), Trouble::NotAFile);
    assert_eq!(computer.read("/w/none").unwrap_err(), Trouble::Missing);
    assert_eq!(computer.facts("/w/none/deeper").unwrap(), None);
    assert_eq!(computer.facts("/w/data/d/below").unwrap(), None);
}

#[test]
fn nothing_outside_is_reached() {
    let (_folder, mut computer) = computer();
    for path in ["/secret", "/w/../secret", "/etc/passwd", "/w/data/../../../etc/passwd", "/"] {
        assert!(matches!(computer.read(path), Err(Trouble::Other(_))), "{path}");
        assert!(matches!(computer.facts(path), Err(Trouble::Other(_))), "{path}");
        let write = Change::Write { path, content: b"x" };
        assert!(computer.change(&write).is_err(), "{path}");
    }
    assert!(computer.read("data/d").unwrap_err().to_string().contains("not an absolute path"));
    assert!(computer.read("/w/a\0b").unwrap_err().to_string().contains("NUL"));
}

#[cfg(unix)]
#[test]
fn links_that_lead_outside_are_refused() {
    use std::os::unix::fs::symlink;
    let (folder, mut computer) = computer();
    let root = folder.path().join("root");
    symlink("../secret", root.join("file")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("../home", root.join("home_link")).unwrap();
    fs::write(folder.path().join("home/h"), "x").unwrap();
    let denied = Err(Trouble::Denied(Access::Read));
    assert_eq!(computer.read("/w/file"), denied);
    assert_eq!(computer.read("/w/up/secret"), denied);
    assert!(computer.list("/w/up").is_err());
    assert_eq!(computer.facts("/w/file").unwrap().unwrap().kind, FileKind::Link);
    assert_eq!(computer.read("/w/home_link/h").unwrap(), b"x");
    let outside = folder.path().join("secret");
    for change in [
        Change::Write { path: "/w/file", content: b"x" },
        Change::Write { path: "/w/up/new", content: b"x" },
        Change::Write { path: "/w/up/deep/new", content: b"x" },
        Change::Folder { path: "/w/up/new" },
        Change::Remove { path: "/w/up/secret", folder: false },
        Change::Mode { path: "/w/file", mode: 0o777 },
        Change::Copy { from: "/w/up", to: "/w/copy" },
        Change::Move { from: "/w/up/secret", to: "/w/moved" },
    ] {
        assert!(computer.change(&change).is_err(), "{change:?}");
    }
    assert_eq!(fs::read_to_string(&outside).unwrap(), "s");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    computer.change(&Change::Remove { path: "/w/file", folder: false }).unwrap();
    assert!(outside.exists() && !root.join("file").is_symlink());
}

#[cfg(unix)]
#[test]
fn what_is_copied_into_a_folder_does_not_follow_its_links() {
    use std::os::unix::fs::symlink;
    let (folder, mut computer) = computer();
    let root = folder.path().join("root");
    fs::write(root.join("secret"), "new").unwrap();
    symlink("../../secret", root.join("data/secret")).unwrap();
    assert!(computer.change(&Change::Copy { from: "/w/secret", to: "/w/data" }).is_err());
    assert_eq!(fs::read_to_string(folder.path().join("secret")).unwrap(), "s");
}

#[test]
fn the_folders_of_tasks_stay() {
    let (folder, mut computer) = computer();
    for path in ["/w", "/w/home", "/w/data/.."] {
        assert!(computer.change(&Change::Remove { path, folder: true }).is_err(), "{path}");
    }
    assert!(computer.change(&Change::Move { from: "/w/home", to: "/w/data/home" }).is_err());
    assert!(computer.change(&Change::Copy { from: "/w/data", to: "/w/data/inner" }).is_err());
    assert!(folder.path().join("root").exists() && folder.path().join("home").exists());
}

#[test]
fn facts_are_those_of_the_system() {
    let (folder, mut computer) = computer();
    fs::write(folder.path().join("root/f"), "12345").unwrap();
    let facts = computer.facts("/w/f").unwrap().unwrap();
    assert_eq!((facts.kind, facts.size), (FileKind::File, 5));
    assert!(facts.modified > 1.7e9 && (facts.changed - facts.modified).abs() < 1.0);
    assert_eq!(computer.facts("/w").unwrap().unwrap().kind, FileKind::Folder);
}

#[test]
fn a_folder_runs_nothing() {
    let (_folder, mut computer) = computer();
    assert_eq!(computer.processes(), Err(Trouble::Unsupported("processes")));
    assert_eq!(computer.run("true", Duration::from_secs(1)), Err(Trouble::Unsupported("commands")));
    assert_eq!(computer.start(&[]), Err(Trouble::Unsupported("programs")));
    assert_eq!(computer.end(&[1]), Err(Trouble::Unsupported("processes")));
}
