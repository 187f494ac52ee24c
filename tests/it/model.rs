//! The model agent with a server: each behavior has exactly one outcome, requests match the memory window, and
//! the API key is stored nowhere.

mod accounting;
mod advice;
mod caching;
mod curl;
mod doctor;
mod failures;
mod headers;
mod keys;
mod messages;
mod presets;
mod profiles;
mod proxy;
mod reading;
mod record_http;
mod replies;
mod request_forms;
mod responses;
mod runs;
mod secret;
mod sides;
mod spans;
#[allow(dead_code, reason = "tests of the agents use the rest")]
mod test_proxy;
mod thoughts;
mod tls;
mod tls_server;
