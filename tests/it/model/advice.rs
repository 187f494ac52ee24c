//! The advice that a person sees when a server refuses a request.

use super::runs::{args, sandbox};
use crate::server::{Behavior, Server};

#[test]
fn a_refusal_ends_with_the_advice_for_what_the_server_said() {
    for (behavior, says) in [
        (Behavior::TooLong, "the request is 808 tokens too long for the model: lower memory.am"),
        (Behavior::TooLongInside, "is 808 tokens too long for the model: lower memory.am"),
        (Behavior::NoTemperatureInside, r#"refuses temperature: set model.extra = '{"temperature":null}'"#),
        (Behavior::NoSampling, r#"the server refuses temperature: set model.extra = '{"temperature":null}'"#),
        (Behavior::NoField, r#"set model.extra = '{"max_tokens":null,"max_completion_tokens":4000}'"#),
        (Behavior::NoImages, "takes no images"),
        (Behavior::NoSystemRole, "set model.system_role = false"),
        (Behavior::NeedsHeader, "add the header to model.headers: { \"x-tenant-id\""),
        (Behavior::StringsOnly, "set model.content = \"string\""),
        (Behavior::Unauthorized, "OPENAI_API_KEY is not set"),
    ] {
        let sandbox = sandbox();
        let server = Server::start(behavior);
        let result = sandbox.run(&args(&server.url(), &["two.xsb", "--max-retries", "0"]));
        assert!(result.code != Some(0) && result.err.contains(says), "{behavior:?}: {}", result.err);
    }
}

#[test]
fn an_unknown_model_gets_the_nearest_names_of_the_server() {
    let sandbox = sandbox();
    let server = Server::start(Behavior::NoModel);
    let url = server.url();
    let run =
        ["run", "two.xsb", "--store", "runs", "--agent", "model", "--model", "mokc", "--base-url", &url];
    let result = sandbox.run(&run);
    assert!(result.err.contains("did you mean mock?"), "{}", result.err);
}
