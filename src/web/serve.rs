//! `web serve`: the local web on one port of this machine, for the user's own browser.
//!
//! Browsers resolve `NAME.localhost` to this machine, so `shop.localhost:8080` is `shop.test`; links between sites are
//! rewritten alike. With names mapped to this port, `shop.test` is answered as it is.

use std::fmt::Write as _;
use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use mageyard_cli::{Exit, Failure, Output, parallel_runtime};
use mageyard_config::Problem;
use mageyard_web::sites::{self, SiteAnswer, SiteRequest};

const DEFAULT_PORT: u16 = 8080;
/// The longest head of a request, in bytes.
const HEAD_LIMIT: usize = 16 << 10;
/// How long a browser may take to send a head; it also opens connections that it does not use.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// The ending of the sites' own names, and of those that a browser resolves without set-up.
const OWN: &str = ".test";
const SHOWN: &str = ".localhost";

/// Serve the local web for your own browser until Ctrl-C
///
/// Sites are found at shop.localhost and so on: browsers resolve these names to this machine.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Port of 127.0.0.1; 0 for a free one [default: 8080]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    serve(args.port.unwrap_or(DEFAULT_PORT))
}

/// Serves all sites until Ctrl-C, on this port of 127.0.0.1 (0: a free one). Prints the address of each site.
///
/// # Errors
///
/// The port is taken or not allowed, or standard output cannot be written.
fn serve(port: u16) -> Result<Exit, Failure> {
    parallel_runtime()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.map_err(|error| {
            Problem::new(format!("port {port} of 127.0.0.1 cannot be opened: {error}; choose another port"))
        })?;
        let port = listener.local_addr().map_err(Failure::running)?.port();
        announce(port)?;
        tokio::select! {
            error = accept(&listener, port) => Err(Failure::running(error)),
            stopped = tokio::signal::ctrl_c() => stopped.map(|()| Exit::Done).map_err(Failure::running),
        }
    })
}

fn announce(port: u16) -> io::Result<()> {
    let mut out = Output::open();
    sites::hosts().try_for_each(|host| out.line(shown_address(host, port)))?;
    out.line("Press Ctrl-C to stop.")
}

/// Answers connections; returns only when the listener fails.
async fn accept(listener: &TcpListener, port: u16) -> io::Error {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Browsers end connections as they like.
                tokio::spawn(async move { drop(connection(stream, port).await) });
            }
            // A browser that closed its connection before it was taken, or too many open ones.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => return error,
        }
    }
}

/// Reads one request and answers it. Bodies are not read, for no page needs one.
async fn connection(mut stream: TcpStream, port: u16) -> io::Result<()> {
    let Ok(head) = timeout(HEAD_TIME, read_head(&mut stream)).await else { return Ok(()) };
    let Some(head) = head? else { return Ok(()) };
    let answer = match read_request(&head) {
        Some(request) => answered(&request, port),
        None => text_answer(400, "The request cannot be read.\n"),
    };
    tokio::time::sleep(answer.delay).await;
    stream.write_all(&head_of(&answer)).await?;
    stream.write_all(&answer.body).await?;
    stream.shutdown().await
}

/// The head of a request without its end; `None` if the connection closed before.
async fn read_head(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    loop {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            bytes.truncate(end);
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
        if bytes.len() > HEAD_LIMIT {
            return Err(io::Error::other("the head of the request is too long"));
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
}

/// The request in a head; a target may be absolute.
fn read_request(head: &str) -> Option<SiteRequest> {
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?, first.next()?);
    let headers = lines.filter_map(|line| line.split_once(':'));
    let mut hosts = headers.filter(|(name, _)| name.eq_ignore_ascii_case("host"));
    let host = hosts.next().map_or("", |(_, host)| host.trim());
    let (host, target) = match target.strip_prefix("http://") {
        Some(rest) => rest.find('/').map_or((rest, "/"), |slash| rest.split_at(slash)),
        None => (host, target),
    };
    target.starts_with('/').then(|| SiteRequest {
        method: method.to_owned(),
        host: host.to_owned(),
        target: target.to_owned(),
        body: Vec::new(),
    })
}

/// The answer of a site under the name that the browser used; a list of the sites for other names.
fn answered(request: &SiteRequest, port: u16) -> SiteAnswer {
    let name = request.host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if sites::serves(&name) {
        return sites::answer(request);
    }
    let own = name.strip_suffix(SHOWN).map(|name| format!("{name}{OWN}"));
    match own.filter(|host| sites::serves(host)) {
        Some(host) => rewritten(sites::answer(&SiteRequest { host, ..request.clone() }), port),
        None => front_page(port),
    }
}

/// The answer with the links to the sites under the names that the browser resolves.
fn rewritten(mut answer: SiteAnswer, port: u16) -> SiteAnswer {
    if let Ok(text) = String::from_utf8(std::mem::take(&mut answer.body)) {
        let link =
            |text: String, host: &str| text.replace(&format!("http://{host}/"), &shown_address(host, port));
        answer.body = sites::hosts().fold(text, link).into_bytes();
    }
    answer
}

fn front_page(port: u16) -> SiteAnswer {
    let link = |host| {
        let address = shown_address(host, port);
        format!("<li><a href=\"{address}\">{host}</a></li>")
    };
    let links: String = sites::hosts().map(link).collect();
    let body = format!("<!DOCTYPE html><title>Local web</title><h1>Local web</h1><ul>{links}</ul>");
    SiteAnswer {
        headers: vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())],
        ..text_answer(200, &body)
    }
}

fn text_answer(status: u16, text: &str) -> SiteAnswer {
    let headers = vec![("content-type".to_owned(), "text/plain; charset=utf-8".to_owned())];
    SiteAnswer { status, headers, body: text.as_bytes().to_vec(), delay: Duration::ZERO }
}

/// Where a browser finds a site, such as `http://shop.localhost:8080/`.
fn shown_address(host: &str, port: u16) -> String {
    format!("http://{}{SHOWN}:{port}/", host.trim_end_matches(OWN))
}

fn head_of(answer: &SiteAnswer) -> Vec<u8> {
    // Browsers show no reason phrase.
    let mut head = format!("HTTP/1.1 {} \r\n", answer.status);
    for (name, value) in &answer.headers {
        // Writing to a string does not fail.
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if answer.status != 204 {
        let _ = write!(head, "content-length: {}\r\n", answer.body.len());
    }
    head.push_str("connection: close\r\n\r\n");
    head.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(host: &str, target: &str) -> SiteAnswer {
        let head = format!("GET {target} HTTP/1.1\r\nUser-Agent: x\r\nHOST: {host}");
        answered(&read_request(&head).unwrap(), 8080)
    }

    fn body(answer: &SiteAnswer) -> &str {
        std::str::from_utf8(&answer.body).unwrap()
    }

    #[test]
    fn a_site_has_two_names_and_its_links_keep_to_the_one_in_use() {
        let own = get("forms.test", "/gift-card");
        let shown = get("forms.localhost:8080", "/gift-card");
        assert!(body(&own).contains("\"http://shop.test/\""));
        assert!(body(&shown).contains("\"http://shop.localhost:8080/\"") && !body(&shown).contains(".test/"));
        assert_eq!((own.status, shown.status), (200, 200));
    }

    #[test]
    fn other_names_get_the_list_of_the_sites() {
        for host in ["127.0.0.1:8080", "localhost", "other.localhost:8080", ""] {
            let list = get(host, "/");
            assert!(body(&list).contains("http://find.localhost:8080/"), "{host}");
        }
    }

    #[test]
    fn targets_may_be_absolute_and_others_are_refused() {
        let request = read_request("GET http://shop.test/c/tents?sort=rating HTTP/1.1\r\nHost: x").unwrap();
        assert_eq!((request.host.as_str(), request.target.as_str()), ("shop.test", "/c/tents?sort=rating"));
        assert_eq!(read_request("GET http://shop.test HTTP/1.1").unwrap().target, "/");
        assert_eq!(read_request("CONNECT shop.test:443 HTTP/1.1"), None);
        assert_eq!(read_request(""), None);
    }

    #[test]
    fn a_head_has_the_length_of_the_body() {
        let head = String::from_utf8(head_of(&text_answer(400, "four"))).unwrap();
        assert!(head.starts_with("HTTP/1.1 400 \r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(head.contains("content-length: 4\r\n"), "{head}");
    }
}
