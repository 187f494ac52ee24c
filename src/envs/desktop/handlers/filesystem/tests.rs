#![expect(clippy::disallowed_methods, reason = "a test makes its files")]
#![expect(clippy::needless_pass_by_value, reason = "JSON is written in place")]

use std::fs;

use serde_json::{Value, json};

use super::ini;
use crate::handlers::scripted::{Scripted, call, error, fail};
use crate::handlers::{Computer, Finding, FolderComputer, Mount, Rules};

const STANDARD: Rules = Rules::Standard;
const CODE: Rules = Rules::Code;

/// A computer over a folder that is `/w` to tasks, with a home in it.
struct Folder {
    folder: tempfile::TempDir,
    computer: FolderComputer,
}

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        for (path, bytes) in files {
            fs::write(folder.path().join(path), bytes).unwrap();
        }
        let mounts = [Mount { path: "/w".to_owned(), folder: folder.path().to_owned() }];
        let computer = FolderComputer::new(&mounts, "/w/home").unwrap();
        Self { folder, computer }
    }

    fn call(&mut self, function: &str, params: Value, rules: Rules) -> Result<(), Finding> {
        call(&mut self.computer, &format!("filesystem.{function}"), &params, rules)
    }

    fn check(&mut self, function: &str, files: Value, rules: Rules) -> Result<(), Finding> {
        self.call(function, json!({"file_to_check": files}), rules)
    }

    fn standard(&mut self, function: &str, files: Value) -> Result<(), Finding> {
        self.check(function, files, STANDARD)
    }
}

#[test]
fn files_exist_or_not_and_links_are_followed() {
    let mut folder = Folder::new(&[("a", b""), ("home/h", b"")]);
    assert_eq!(
        folder.standard("exists", json!({"/w/a": true, "/w/home": true, "~/h": true, "/w/b": false})),
        Ok(())
    );
    assert_eq!(fail(folder.standard("exists", json!({"/w/b": true}))), "/w/b does not exist");
    assert_eq!(fail(folder.standard("exists", json!({"/w/a": false}))), "/w/a exists and should not");
    assert_eq!(
        error(folder.standard("exists", json!({"/w/a": "yes"}))),
        "file_to_check: the value for /w/a must be true or false"
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.folder.path().join("dangling")).unwrap();
        std::os::unix::fs::symlink("a", folder.folder.path().join("link")).unwrap();
        assert_eq!(folder.standard("exists", json!({"/w/link": true, "/w/dangling": false})), Ok(()));
        assert_eq!(folder.standard("type_check", json!({"/w/link": "file"})), Ok(()));
    }
}

#[test]
fn files_and_folders_are_distinguished() {
    let mut folder = Folder::new(&[("a", b"")]);
    assert_eq!(folder.standard("type_check", json!({"/w/a": "file", "/w/home": "folder"})), Ok(()));
    assert_eq!(
        fail(folder.standard("type_check", json!({"/w/a": "folder"}))),
        "/w/a is a file, expected is a folder"
    );
    assert_eq!(
        fail(folder.standard("type_check", json!({"/w/b": "file"}))),
        "/w/b does not exist, expected is a file"
    );
    assert!(error(folder.standard("type_check", json!({"/w/a": "link"}))).contains("\"file\" or \"folder\""));
}

#[cfg(unix)]
#[test]
fn permissions_are_octal_or_as_listed() {
    use std::os::unix::fs::PermissionsExt;
    let mut folder = Folder::new(&[("a", b"")]);
    let set = |folder: &Folder, mode| {
        fs::set_permissions(folder.folder.path().join("a"), fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&folder, 0o644);
    for expected in ["0o644", "644", "-rw-r--r--"] {
        assert_eq!(folder.standard("permissions_check", json!({"/w/a": expected})), Ok(()), "{expected}");
        assert_eq!(folder.check("permissions_check", json!({"/w/a": expected}), CODE), Ok(()), "{expected}");
    }
    assert_eq!(
        fail(folder.standard("permissions_check", json!({"/w/a": "0o755"}))),
        "/w/a has the permissions 0o644, expected is 0o755"
    );
    assert_eq!(fail(folder.standard("permissions_check", json!({"/w/b": "0o755"}))), "/w/b does not exist");
    let readable = json!({"/w/a": "readable"});
    assert!(error(folder.standard("permissions_check", readable.clone())).contains("must be permissions"));
    assert!(fail(folder.check("permissions_check", readable, CODE)).contains("-rw-r--r--"));
    set(&folder, 0o1755);
    assert_eq!(folder.standard("permissions_check", json!({"/w/a": "0o1755"})), Ok(()));
    fail(folder.check("permissions_check", json!({"/w/a": "0o1755"}), CODE));
    assert_eq!(folder.check("permissions_check", json!({"/w/a": "0o755"}), CODE), Ok(()));
}

#[test]
fn texts_are_equal_exactly_or_without_blanks_at_the_ends() {
    let mut folder = Folder::new(&[("a", b"one\ntwo\n"), ("crlf", b"one\r\ntwo\r"), ("bytes", b"\xff")]);
    assert_eq!(folder.standard("content_check", json!({"/w/a": "one\ntwo\n"})), Ok(()));
    assert_eq!(
        fail(folder.standard("content_check", json!({"/w/a": "one"}))),
        "/w/a has the content \"one\\ntwo\\n\", expected is \"one\""
    );
    let strip = json!({"file_to_check": {"/w/a": " one\ntwo"}, "method": "strip"});
    assert_eq!(folder.call("content_check", strip, STANDARD), Ok(()));
    let other = json!({"file_to_check": {"/w/a": ""}, "method": "fuzzy"});
    assert!(error(folder.call("content_check", other, STANDARD)).contains("\"exact\" or \"strip\""));
    let crlf = json!({"/w/crlf": "one\ntwo\n"});
    assert_eq!(folder.check("content_check", crlf.clone(), CODE), Ok(()));
    fail(folder.check("content_check", crlf, STANDARD));
    assert_eq!(fail(folder.standard("content_check", json!({"/w/bytes": ""}))), "/w/bytes is not UTF-8 text");
    error(folder.check("content_check", json!({"/w/bytes": ""}), CODE));
    for rules in [STANDARD, CODE] {
        assert_eq!(
            fail(folder.check("content_check", json!({"/w/none": ""}), rules)),
            "/w/none does not exist"
        );
        assert_eq!(
            fail(folder.check("content_check", json!({"/w/home": ""}), rules)),
            "/w/home is not a file"
        );
    }
    let long = "x".repeat(10_000);
    assert!(fail(folder.standard("content_check", json!({"/w/a": long}))).len() < 300);
}

#[test]
fn metadata_is_compared_by_name() {
    let mut computer = Scripted::with(&[("/a", b"1234")]);
    let mut check = |expected: Value, rules| {
        call(&mut computer, "filesystem.metadata_check", &json!({"file_to_check": {"/a": expected}}), rules)
    };
    let all = json!({
        "last_modified": "2024-03-01T12:00:00", "creation_time": "2024-03-01T12:00:01.5",
        "size": 4, "owner": "ada", "group": "staff",
    });
    assert_eq!(check(all.clone(), STANDARD), Ok(()));
    assert_eq!(check(all, CODE), Ok(()));
    assert_eq!(fail(check(json!({"size": 5}), STANDARD)), "size of /a is 4, expected is 5");
    assert_eq!(fail(check(json!({"owner": "bob"}), STANDARD)), "owner of /a is ada, expected is bob");
    assert_eq!(
        fail(check(json!({"last_modified": "2024-03-01T12:00:01"}), STANDARD)),
        "last_modified of /a is 2024-03-01T12:00:00.0, expected is 2024-03-01T12:00:01"
    );
    let zone = json!({"last_modified": "2024-03-01T13:00:00+01:00"});
    assert_eq!(check(zone.clone(), STANDARD), Ok(()));
    fail(check(zone, CODE));
    let unknown = json!({"sise": 4});
    assert!(error(check(unknown.clone(), STANDARD)).ends_with("sise of /a is not metadata; there is size"));
    assert_eq!(check(unknown, CODE), Ok(()));
    assert!(error(check(json!({"last_modified": "noon"}), STANDARD)).contains("instead of noon"));
    assert!(error(check(json!({"size": "4"}), STANDARD)).contains("a number of bytes"));
    let missing = json!({"file_to_check": {"/b": {"size": 1}}});
    assert_eq!(
        fail(call(&mut computer, "filesystem.metadata_check", &missing, STANDARD)),
        "/b does not exist"
    );
}

#[test]
fn bytes_match_those_of_the_reference() {
    let mut folder = Folder::new(&[("a", b"\xff\x00"), ("same", b"\xff\x00"), ("other", b"\xff")]);
    assert_eq!(folder.standard("match_file", json!({"/w/a": "/w/same"})), Ok(()));
    assert_eq!(
        fail(folder.standard("match_file", json!({"/w/a": "/w/other"}))),
        "/w/a differs from /w/other"
    );
    assert_eq!(error(folder.standard("match_file", json!({"/w/a": "/w/none"}))), "/w/none does not exist");
    assert_eq!(fail(folder.standard("match_file", json!({"/w/none": "/w/a"}))), "/w/none does not exist");
    assert_eq!(error(folder.check("match_file", json!({"/w/none": "/w/a"}), CODE)), "/w/none does not exist");
}

#[test]
fn ini_files_are_read_as_python_reads_them() {
    let text = "; comment\n[A]\nKey = one\n  two\n\n  three\n# c\nother: x = y\n[B c]\nempty =\n";
    let read = ini::parse(text, STANDARD).unwrap();
    assert_eq!(read["A"]["key"], "one\ntwo\n\nthree");
    assert_eq!(read["A"]["other"], "x = y");
    assert_eq!(read["B c"]["empty"], "");
    for (text, reason) in [
        ("a = 1", "line 1: a key is before the first section"),
        ("[A]\nword", "line 2: is neither a section nor a key with a value"),
        ("[A]\n[A]", "line 2: the section A is there twice"),
        ("[A]\nb=1\nB=2", "line 3: the key b is there twice"),
        ("[A]\n= 1", "line 2: has no key"),
    ] {
        assert!(ini::parse(text, STANDARD).unwrap_err().ends_with(reason), "{text}");
        assert!(ini::parse(text, CODE).is_err(), "{text}");
    }
}

#[test]
fn defaults_and_interpolation_differ_by_the_rules() {
    let read = |text, rules| ini::parse(text, rules);
    let text = "[DEFAULT]\nroot = /r\n[A]\npath = %(ROOT)s/x %%\n";
    let code = read(text, CODE).unwrap();
    assert_eq!(code["A"]["path"], "/r/x %");
    assert_eq!(code["A"]["root"], "/r");
    assert!(!code.contains_key("DEFAULT"));
    let standard = read(text, STANDARD).unwrap();
    assert_eq!(standard["A"]["path"], "%(ROOT)s/x %%");
    assert_eq!(standard["DEFAULT"]["root"], "/r");
    assert!(read("[A]\na = 100%", CODE).unwrap_err().contains("has a %"));
    assert!(read("[A]\na = 100%", STANDARD).is_ok());
    assert!(read("[A]\na = %(b)s", CODE).unwrap_err().contains("is missing"));
    assert!(read("[A]\na = %(a)s", CODE).unwrap_err().contains("name each other"));
}

#[test]
fn ini_sections_are_compared() {
    let mut folder = Folder::new(&[
        ("ref", b"[Database]\nmax_connections=150\n"),
        ("good", b"[Database]\n# more\nMAX_CONNECTIONS : 150\n"),
        ("wrong", b"[Database]\nmax_connections=100\n"),
        ("more", b"[Database]\nmax_connections=150\nx=1\n"),
        ("section", b"[Database]\nmax_connections=150\n[B]\n"),
        ("empty", b""),
        ("damaged", b"max_connections=150\n"),
    ]);
    let mut verify = |target: &str, reference: &str, rules| {
        let params = json!({"target_path": format!("/w/{target}"), "ref_path": format!("/w/{reference}")});
        folder.call("verify_ini", params, rules)
    };
    assert_eq!(verify("good", "ref", STANDARD), Ok(()));
    assert_eq!(verify("good", "ref", CODE), Ok(()));
    assert_eq!(
        fail(verify("wrong", "ref", STANDARD)),
        "/w/wrong: max_connections in Database is \"100\", expected is \"150\""
    );
    assert_eq!(fail(verify("more", "ref", STANDARD)), "/w/more: x in Database should not be there");
    assert_eq!(fail(verify("section", "ref", STANDARD)), "/w/section: the section B should not be there");
    assert_eq!(fail(verify("empty", "ref", STANDARD)), "/w/empty: the section Database is missing");
    assert_eq!(fail(verify("none", "ref", STANDARD)), "/w/none does not exist");
    assert!(fail(verify("damaged", "ref", STANDARD)).contains("is not an INI file: line 1"));
    assert!(error(verify("damaged", "ref", CODE)).contains("is not an INI file: line 1"));
    assert!(error(verify("good", "none", STANDARD)).contains("does not exist"));
    assert!(error(verify("good", "damaged", STANDARD)).contains("is not an INI file"));
}

#[test]
fn settings_are_compared_by_their_keys() {
    let mut folder = Folder::new(&[
        ("s.json", br#"{"editor.fontSize": 14, "wrap": true, "list": [1, {"a": 2.0}], "other": null}"#),
        ("broken.json", b"{\"a\": 1,}"),
        ("list.json", b"[]"),
    ]);
    let mut check = |file: &str, settings: Value, rules| {
        folder.call("check_json_settings", json!({"path": format!("/w/{file}"), "settings": settings}), rules)
    };
    let right = json!({"editor.fontSize": 14.0, "wrap": true, "list": [1, {"a": 2}]});
    assert_eq!(check("s.json", right.clone(), STANDARD), Ok(()));
    assert_eq!(check("s.json", right, CODE), Ok(()));
    assert_eq!(
        fail(check("s.json", json!({"editor.fontSize": 12}), STANDARD)),
        "\"editor.fontSize\" in /w/s.json is 14, expected is 12"
    );
    assert_eq!(
        fail(check("s.json", json!({"none": 12}), STANDARD)),
        "\"none\" in /w/s.json is missing, expected is 12"
    );
    assert_eq!(check("s.json", json!({"wrap": 1}), CODE), Ok(()));
    fail(check("s.json", json!({"wrap": 1}), STANDARD));
    assert!(fail(check("broken.json", json!({}), STANDARD)).contains("is not JSON"));
    assert!(error(check("broken.json", json!({}), CODE)).contains("is not JSON"));
    assert!(fail(check("list.json", json!({}), STANDARD)).contains("is not a JSON object"));
    assert!(fail(check("none.json", json!({}), STANDARD)).contains("does not exist"));
}

#[cfg(unix)]
#[test]
fn resets_change_files() {
    let mut folder = Folder::new(&[("a", b"x")]);
    let root = folder.folder.path().to_owned();
    let mut run = |function: &str, params: Value| folder.call(function, params, STANDARD);
    run("create_file", json!({"path": "/w/new/deep/f", "content": "text"})).unwrap();
    run("create_file", json!({"path": "~/empty"})).unwrap();
    assert_eq!(fs::read_to_string(root.join("new/deep/f")).unwrap(), "text");
    assert_eq!(fs::read_to_string(root.join("home/empty")).unwrap(), "");
    run("mkdir", json!({"path": "/w/m/n"})).unwrap();
    run("mkdir", json!({"path": "/w/m/n"})).unwrap();
    run("copy", json!({"src": "/w/a", "dest": "/w/m/n"})).unwrap();
    run("copy", json!({"src": "/w/m", "dest": "/w/copy"})).unwrap();
    assert_eq!(fs::read_to_string(root.join("copy/n/a")).unwrap(), "x");
    run("move", json!({"src": "/w/a", "dest": "/w/b"})).unwrap();
    run("rename", json!({"old_name": "/w/b", "new_name": "/w/c"})).unwrap();
    run("chmod", json!({"path": "/w/c", "mode": "0o600"})).unwrap();
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(root.join("c")).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(error(run("chmod", json!({"path": "/w/c", "mode": "u+x"}))).contains("octal"));
    run("rm", json!({"path": "/w/m"})).unwrap();
    assert!(root.join("m").exists(), "rm removes no folder");
    run("rmdir", json!({"path": "/w/m"})).unwrap();
    run("rm", json!({"path": "/w/c"})).unwrap();
    run("rm", json!({"path": "/w/c"})).unwrap();
    assert!(!root.join("m").exists() && !root.join("c").exists());
    assert_eq!(error(run("copy", json!({"src": "/w/none", "dest": "/w/x"}))), "/w/none does not exist");
    assert!(error(run("create_file", json!({"path": "/etc/x"}))).contains("is outside of the folder"));
    assert_eq!(folder.computer.home(), "/w/home");
}
