//! The built-in agents. The model agent has a test server: each behavior has exactly one outcome, and requests match the
//! memory window.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    unreachable_pub,
    reason = "these are tests"
)]

mod agent_fixture;
mod behaviors;
mod content;
mod failures;
mod faulty;
mod headers;
mod messages;
mod pool;
mod protocols;
mod proxy;
mod rate_limits;
mod raw_server;
mod replies;
mod responses;
#[path = "../../../tests/it/server/mod.rs"]
#[allow(dead_code, reason = "tests of the program use the rest")]
mod server;
mod streams;
#[path = "../../../tests/it/model/test_proxy.rs"]
mod test_proxy;
mod thoughts;
mod tls;
#[path = "../../../tests/it/model/tls_server.rs"]
mod tls_server;
mod usage;
