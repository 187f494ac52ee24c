//! `ask --models NAME@URL`: each model is asked at its own server.

use super::*;

fn answers(action: &str) -> Server {
    let server = Server::start(Behavior::Normal);
    for _ in 0..6 {
        server.queue_reply(&format!("# analyze\nx\n\n# action\n{action}\n"));
    }
    server
}

#[test]
fn one_name_on_two_servers_is_two_variants() {
    let (sandbox, _) = played();
    let one = answers("Down");
    let other = answers("Left");
    let models = format!("mock@{},mock@{},mock@{}", one.url(), other.url(), one.url());
    let args =
        ["ask", "last#7", "--models", &models, "--samples", "3", "--target", "Down", "--store", "runs"];
    let objects = sandbox.run(&[&args[..], &["--json"]].concat()).json_lines();
    assert_eq!(
        (one.requests().len(), other.requests().len()),
        (3, 3),
        "a name that comes twice is asked once"
    );
    let variants = of_type(&objects, "ask_variant");
    let facts: Vec<_> =
        variants.iter().map(|row| (&row["model"], &row["server"], &row["target"]["count"])).collect();
    let mock = json!("mock");
    let urls = [json!(one.url()), json!(other.url())];
    assert_eq!(facts, [(&mock, &urls[0], &json!(3)), (&mock, &urls[1], &json!(0))]);
    let text = sandbox.run(&["ask", "last#7", "--show", "--store", "runs"]).success();
    let host = other.url().replace("http://", "").replace("/v1", "");
    assert!(text.contains(&format!("mock@{host}")), "{text}");

    // A branch that begins with a reply goes on at the server that gave it.
    let id: String = variants[0]["ask"].as_str().unwrap().chars().take(8).collect();
    let answer = format!("{id}:2/1");
    sandbox.run(&["fork", "last#7", "--answer", &answer, "--store", "runs"]).success();
    sandbox.run(&["run", "--resume", "last#b1", "--store", "runs"]);
    assert_eq!((one.requests().len(), other.requests().len()), (3, 5), "two steps were left");
}

#[test]
fn an_address_that_is_none_is_refused() {
    let (sandbox, _) = played();
    let args = ["ask", "last#7", "--store", "runs", "--models"];
    sandbox.run(&[&args[..], &["mock@http://"]].concat()).fails_with(2, &["mock@http://", "is not a URL"]);
}

#[test]
fn branches_of_two_servers_are_two_variants() {
    let (sandbox, _) = played();
    let one = answers("Down");
    let other = answers("Left");
    let models = format!("mock@{},mock@{},mock@{}", one.url(), other.url(), one.url());
    let args = ["ask", "last#9", "--models", &models, "--to-end", "1", "--store", "runs", "--json"];
    for played in [1, 1] {
        let objects = sandbox.run(&args).json_lines();
        let variants = of_type(&objects, "continuation_variant");
        let servers: Vec<_> = variants.iter().map(|row| &row["server"]).collect();
        assert_eq!(servers, [&json!(one.url()), &json!(other.url())]);
        assert_eq!((one.requests().len(), other.requests().len()), (played, played), "played once");
    }
}
