//! Headers, query and key header: what reaches the server, and that no value from a variable is stored or shown.

use super::curl::run_in_shell;
use super::runs::{args, sandbox};
use super::secret::files_with;
use crate::server::{Behavior, Server};

const VARIABLES: [(&str, &str); 3] =
    [("MY_KEY", "sk-planted-0123456789"), ("TEAM_TOKEN", "team-secret-4567"), ("SIG", "sig&secret=89ab")];

/// Asks once; returns the error, if there is one, and the head that the server received.
#[test]
fn a_value_from_a_variable_is_stored_and_shown_nowhere() {
    let mut sandbox = sandbox();
    for (name, value) in VARIABLES {
        sandbox = sandbox.with(name, value);
    }
    sandbox.write(
        "work/mageyard.toml",
        "[model]\nkey_variable = \"MY_KEY\"\nkey_header = \"api-key\"\n\
         headers = { X-Token = \"Token ${TEAM_TOKEN}\" }\nquery = { sig = \"${SIG}\" }\n",
    );
    let secrets = VARIABLES.map(|(_, value)| value);
    for behavior in [Behavior::EchoHead, Behavior::Normal, Behavior::Down] {
        let server = Server::start(behavior);
        server.queue_reply(&format!("# analyze\nI got {}.\n\n# action\nUp\n", secrets.join(" and ")));
        let url = server.url();
        let more = ["lost.xsb", "--max-steps", "2", "--max-retries", "0", "--log-level", "trace"];
        let result = sandbox.run(&args(&url, &more));
        assert!(
            !secrets.iter().any(|secret| result.out.contains(secret) || result.err.contains(secret)),
            "{result:?}"
        );
        if behavior == Behavior::EchoHead {
            let says =
                ["sig=[the value of SIG]", "api-key: [the key]", "x-token: Token [the value of TEAM_TOKEN]"];
            result.fails_with(1, &says);
        }
        assert!(server.heads()[0].contains("\nx-token: Token team-secret-4567\n"));
    }
    for secret in secrets.into_iter().chain(["sig%26secret%3D89ab"]) {
        let (found, count) = files_with(&sandbox.path(""), secret);
        assert!(found.is_empty() && count > 10, "{secret} is in {found:?} of {count} files");
    }
}

#[test]
fn the_printed_command_has_headers_and_query_with_variables_by_name() {
    let server = Server::start(Behavior::Normal);
    let mut sandbox = sandbox();
    for (name, value) in VARIABLES {
        sandbox = sandbox.with(name, value);
    }
    sandbox.write("work/mageyard.toml", "[model]\nkey_variable = \"MY_KEY\"\nkey_header = \"api-key\"\n");
    let url = server.url();
    let more = [
        "lost.xsb",
        "--max-steps",
        "1",
        "--set",
        "model.headers.X-Token=Token ${TEAM_TOKEN}!",
        "--set",
        "model.query.sig=${TEAM_TOKEN}",
        "--set",
        "model.query.v=1 2",
    ];
    assert_eq!(sandbox.run(&args(&url, &more)).code, Some(0));
    let first = server.heads().pop().unwrap();
    let command = sandbox.run(&["view", "last#1", "--store", "runs", "--print", "curl"]).success();
    assert!(command.contains("-H \"api-key: $MY_KEY\""), "{command}");
    assert!(command.contains("-H \"X-Token: Token $TEAM_TOKEN\"'!'"), "{command}");
    assert!(command.contains("/v1/chat/completions?sig=$TEAM_TOKEN&v=1+2\""), "{command}");
    let variables = [("MY_KEY", "sk-planted-0123456789"), ("TEAM_TOKEN", "team-secret-4567")];
    match run_in_shell(&sandbox, &command, &variables) {
        Ok(_) => {
            let again = server.heads().pop().unwrap();
            assert_eq!(server.heads().len(), 2);
            for line in first
                .lines()
                .filter(|line| line.starts_with("POST") || line.starts_with("x-") || line.starts_with("api-"))
            {
                assert!(again.lines().any(|found| found == line), "{line:?} is not in {again}");
            }
        }
        Err(words) => {
            for word in ["api-key: sk-planted-0123456789", "X-Token: Token team-secret-4567!"] {
                assert!(words.iter().any(|found| found == word), "{word:?} is not in {words:?}");
            }
        }
    }
}

#[test]
fn a_secret_written_into_the_settings_is_refused_without_being_shown() {
    let sandbox = sandbox();
    for (setting, says) in [
        (
            "headers = { X-Api-Key = \"hush\" }",
            "model.headers: X-Api-Key must take its value from an environment variable",
        ),
        (
            "query = { access_token = \"hush\" }",
            "model.query: access_token must take its value from an environment",
        ),
        (
            "headers = { Authorization = \"${A}\" }",
            "model.headers: Authorization carries the key of model.key_variable",
        ),
        ("headers = { \"X A\" = \"b\" }", "model.headers: \"X A\" is not the name of a header"),
        ("headers = { X-A = 5 }", "model.headers cannot be a table with values that are not texts"),
        ("key_header = \"\u{e4}\"", "model.key_header: it must be the name of a header"),
        (
            "client_key = \"a.pem\"",
            "model.client_key: it is the key of a certificate; set model.client_cert too",
        ),
        ("ca_file = \"~/root.pem\"", "model.ca_file: ~ is not expanded; write the full path"),
    ] {
        sandbox.write("work/mageyard.toml", format!("[model]\n{setting}\n"));
        let result = sandbox.run(&["run", "lost.xsb", "--agent", "model", "--model", "m"]);
        result.fails_with(2, &[says, "mageyard.toml:2"]);
        // The line in the file is quoted; the rest of the message must not repeat its value.
        let message: Vec<&str> = result.err.lines().filter(|line| !line.contains(" | ")).collect();
        assert!(!message.join("\n").contains("hush"), "{}", result.err);
    }
}
