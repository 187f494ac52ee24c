//! Looks for model servers on this machine. Only the loopback address is asked, and only when a person wants it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;

use super::served::list_error;
use crate::Lab;
use mageyard_config::Problem;
use mageyard_domain::{AgentError, Options};

/// The usual ports of model servers, each with the program that has it by default.
pub const LOCAL_SERVERS: [(u16, &str); 8] = [
    (11434, "Ollama"),
    (8000, "vLLM"),
    (8080, "llama.cpp"),
    (1234, "LM Studio"),
    (5000, "text-generation-webui"),
    (30000, "SGLang"),
    (4000, "LiteLLM"),
    (1337, "Jan"),
];

/// How long a server may take to answer.
const WAIT: Duration = Duration::from_secs(1);

/// A server that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// The base URL, as in `model.base_url`.
    pub url: String,
    /// The program that usually has this port.
    pub program: String,
    /// The names of its models, safe to show, or why it does not list them.
    pub models: Result<Vec<String>, String>,
}

/// The servers on the usual ports of this machine that answer, in the order of [`LOCAL_SERVERS`]. All are asked at once, which
/// takes about a second at most.
pub async fn find_local_servers(lab: &Lab) -> Result<Vec<LocalServer>, Problem> {
    find_servers_at(lab, &LOCAL_SERVERS).await
}

/// The servers on these ports of this machine that answer.
///
/// # Errors
///
/// No agent asks a server.
pub async fn find_servers_at(lab: &Lab, ports: &[(u16, &str)]) -> Result<Vec<LocalServer>, Problem> {
    let (row, _) = lab.asking_agent()?;
    let Some(requests) = row.requests else { return Ok(Vec::new()) };
    let ask = |(port, program): &(u16, &str)| {
        let url = format!("http://127.0.0.1:{port}/v1");
        let program = (*program).to_owned();
        // No key is sent to a server that was not chosen.
        let options = [("base_url", url.as_str()), ("key_variable", "")];
        let options: Options =
            options.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        let asked = (requests.served)(options, Arc::new(|_| None), lab.models.clone(), WAIT);
        async move {
            let models = match asked.await {
                Ok(models) => Ok(models),
                Err(error) if is_absent(&error) => return None,
                Err(error) => Err(list_error(&error)),
            };
            Some(LocalServer { url, program, models })
        }
    };
    Ok(join_all(ports.iter().map(ask)).await.into_iter().flatten().collect())
}

/// Whether nothing has answered.
fn is_absent(error: &AgentError) -> bool {
    matches!(
        error,
        AgentError::Unreachable(_) | AgentError::Timeout { .. } | AgentError::ConnectionLost { .. }
    )
}
