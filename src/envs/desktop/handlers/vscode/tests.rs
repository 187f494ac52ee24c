#![expect(clippy::needless_pass_by_value, reason = "JSON is written in place")]

use serde_json::{Value, json};

use crate::handlers::scripted::{Scripted, call, error, fail};
use crate::handlers::{Finding, Ran, Rules};

const FOLDER: &str = "/home/ada/.vscode/extensions";
const STATE: &str = "/home/ada/.config/Code/User/globalStorage";

fn with_folders(names: &[&str]) -> Scripted {
    let mut computer = Scripted::default();
    for name in names {
        computer.files.insert(format!("{FOLDER}/{name}/package.json"), b"{}".to_vec());
    }
    computer
}

fn is_installed(computer: &mut Scripted, params: Value, rules: Rules) -> Result<(), Finding> {
    call(computer, "vscode.extension_installed", &params, rules)
}

fn exists(id: &str) -> Value {
    json!({"extension_id": id, "exists": true})
}

#[test]
fn extensions_are_found_by_their_folders() {
    let mut computer = with_folders(&["ms-python.python-2024.2.1-linux-x64", "a.b-c-1.0.0", "x.gone-1.0.0"]);
    computer.files.insert(format!("{FOLDER}/.obsolete"), br#"{"x.gone-1.0.0": true}"#.to_vec());
    let mut check = |params, rules| is_installed(&mut computer, params, rules);
    assert_eq!(check(exists("ms-python.python"), Rules::Standard), Ok(()));
    assert_eq!(check(exists("a.b-c"), Rules::Standard), Ok(()));
    assert_eq!(fail(check(exists("x.gone"), Rules::Standard)), "x.gone is not installed");
    assert_eq!(check(json!({"extension_id": "x.gone", "exists": false}), Rules::Standard), Ok(()));
    assert_eq!(
        fail(check(json!({"extension_id": "a.b-c", "exists": false}), Rules::Standard)),
        "a.b-c is installed and should not be"
    );
    let version = |version| json!({"extension_id": "ms-python.python", "exists": true, "version": version});
    assert_eq!(check(version("2024.2.1"), Rules::Standard), Ok(()));
    assert_eq!(
        fail(check(version("2024.2.0"), Rules::Standard)),
        "ms-python.python has the version 2024.2.1, expected is 2024.2.0"
    );
    let published = json!({"extension_id": "a.b-c", "exists": true, "published_before": "2024-01-01"});
    assert!(error(check(published, Rules::Standard)).contains("known only to the marketplace"));
}

#[test]
fn capital_letters_count_only_in_the_released_code() {
    let mut computer = with_folders(&["Vue.volar-1.8.0"]);
    assert_eq!(is_installed(&mut computer, exists("vue.Volar"), Rules::Standard), Ok(()));
    fail(is_installed(&mut computer, exists("vue.Volar"), Rules::Code));
}

#[test]
fn the_list_of_the_program_counts_if_it_is_there() {
    let mut computer = with_folders(&["a.b-1.0.0", "c.d-1.0.0"]);
    let list = json!([
        {"identifier": {"id": "a.b"}, "version": "1.0.0", "relativeLocation": "a.b-1.0.0"},
        {"identifier": {"id": "e.f"}, "version": "1.0.0", "relativeLocation": "e.f-1.0.0"},
        {"identifier": {}, "version": 3},
    ]);
    computer.files.insert(format!("{FOLDER}/extensions.json"), list.to_string().into_bytes());
    assert_eq!(is_installed(&mut computer, exists("a.b"), Rules::Standard), Ok(()));
    for id in ["c.d", "e.f"] {
        fail(is_installed(&mut computer, exists(id), Rules::Standard));
    }
    computer.files.insert(format!("{FOLDER}/extensions.json"), b"{".to_vec());
    assert!(error(is_installed(&mut computer, exists("a.b"), Rules::Standard)).contains("is not JSON"));
    fail(is_installed(&mut Scripted::default(), exists("a.b"), Rules::Standard));
}

fn is_disabled(computer: &mut Scripted, enabled: bool, rules: Rules) -> Result<(), Finding> {
    let params = json!({"extension_list": [{"extension_id": "a.b", "enabled": enabled}]});
    call(computer, "vscode.is_extension_disabled", &params, rules)
}

#[test]
fn the_state_of_extensions_is_read_from_storage_or_database() {
    let mut computer = Scripted::default();
    assert_eq!(is_disabled(&mut computer, true, Rules::Standard), Ok(()));
    assert_eq!(fail(is_disabled(&mut computer, true, Rules::Code)), "VS Code has no stored state");
    assert_eq!(
        fail(is_disabled(&mut computer, false, Rules::Standard)),
        "a.b is enabled, expected is disabled"
    );

    let storage = json!({"extensionsIdentifiers/disabled": [{"id": "a.b", "uuid": "u"}]}).to_string();
    computer.files.insert(format!("{STATE}/storage.json"), storage.into_bytes());
    assert_eq!(is_disabled(&mut computer, false, Rules::Standard), Ok(()));
    assert_eq!(fail(is_disabled(&mut computer, true, Rules::Code)), "a.b is disabled, expected is enabled");

    let mut computer = Scripted::with(&[(&format!("{STATE}/state.vscdb"), b"SQLite")]);
    assert!(error(is_disabled(&mut computer, false, Rules::Standard)).contains("cannot be judged here"));
    computer.ran = Some(Ran { code: Some(0), output: "[{\"id\": \"a.b\"}]\n".to_owned() });
    assert_eq!(is_disabled(&mut computer, false, Rules::Standard), Ok(()));
    computer.ran = Some(Ran { code: Some(1), output: String::new() });
    assert!(error(is_disabled(&mut computer, false, Rules::Standard)).contains("cannot be read"));
    let damaged = json!({"extension_list": [{"id": "a.b"}]});
    assert!(
        error(call(&mut computer, "vscode.is_extension_disabled", &damaged, Rules::Standard))
            .contains("must have")
    );
}

#[test]
fn extensions_are_changed_by_the_program() {
    let mut computer = with_folders(&["a.b-1.0.0", "c.d-2.0.0"]);
    computer.ran = Some(Ran { code: Some(0), output: String::new() });
    let mut run = |function: &str, id: &str| {
        call(&mut computer, &format!("vscode.{function}"), &json!({"extension_id": id}), Rules::Standard)
    };
    run("install_extension", "e.f@1.2").unwrap();
    run("uninstall_extension", "none.here").unwrap();
    run("uninstall_all_extensions", "").unwrap();
    for id in ["a.b; rm -rf /", "--help", "", "$(x)"] {
        assert!(error(run("install_extension", id)).contains("must be a publisher and a name"), "{id}");
    }
    assert_eq!(
        computer.log,
        [
            "run code --install-extension e.f@1.2 --force 120",
            "run code --uninstall-extension a.b --force 120",
            "run code --uninstall-extension c.d --force 120",
        ]
    );
    computer.ran = Some(Ran { code: Some(1), output: "Failed\n\u{1b}[31mno network\n\n".to_owned() });
    let params = json!({"extension_id": "e.f"});
    let reason = error(call(&mut computer, "vscode.install_extension", &params, Rules::Standard));
    assert!(
        reason.contains("code --install-extension e.f --force failed: ") && !reason.contains('\u{1b}'),
        "{reason}"
    );
}
