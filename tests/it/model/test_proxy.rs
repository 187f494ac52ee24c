//! Proxies for tests. They connect every host to one server, so that names need not exist.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::{io, thread};

/// How a proxy behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProxyKind {
    /// An HTTP proxy.
    Http,
    /// An HTTP proxy that asks for the user `me` with the password `secret`.
    HttpWithUser,
    /// An HTTP proxy that refuses every tunnel.
    Refusing,
    /// A SOCKS5 proxy.
    Socks,
    /// A SOCKS5 proxy that asks for the user `me` with the password `secret`.
    SocksWithUser,
}

/// A proxy for the duration of the test process.
pub(super) struct TestProxy {
    pub(super) address: SocketAddr,
    hosts: Arc<Mutex<Vec<String>>>,
}

impl TestProxy {
    /// Connects every host to this server.
    pub(super) fn start(kind: ProxyKind, server: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let hosts = Arc::new(Mutex::new(Vec::new()));
        let log = hosts.clone();
        thread::spawn(move || {
            for client in listener.incoming() {
                let log = log.clone();
                thread::spawn(move || client.and_then(|client| serve(kind, client, server, &log)).is_ok());
            }
        });
        Self { address, hosts }
    }

    /// The hosts with ports that clients asked for.
    pub(super) fn hosts(&self) -> Vec<String> {
        self.hosts.lock().unwrap().clone()
    }
}

fn serve(kind: ProxyKind, client: TcpStream, server: SocketAddr, log: &Mutex<Vec<String>>) -> io::Result<()> {
    match kind {
        ProxyKind::Socks | ProxyKind::SocksWithUser => {
            serve_socks(kind == ProxyKind::SocksWithUser, client, server, log)
        }
        _ => serve_http(kind, client, server, log),
    }
}

fn serve_http(
    kind: ProxyKind,
    mut client: TcpStream,
    server: SocketAddr,
    log: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(read::<1>(&mut client)?[0]);
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let mut words = text.split(' ');
    let method = words.next().unwrap_or_default();
    let target = words.next().unwrap_or_default();
    // "me:secret"
    if kind == ProxyKind::HttpWithUser
        && !text.to_lowercase().contains("proxy-authorization: basic bwu6c2vjcmv0")
    {
        return client.write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    }
    if kind == ProxyKind::Refusing {
        return client.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    }
    let host = target.strip_prefix("http://").unwrap_or(target).split('/').next().unwrap_or_default();
    log.lock().unwrap().push(host.to_owned());
    let mut upstream = TcpStream::connect(server)?;
    if method == "CONNECT" {
        client.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
    } else {
        upstream.write_all(&head)?;
    }
    relay(client, upstream)
}

fn serve_socks(
    user: bool,
    mut client: TcpStream,
    server: SocketAddr,
    log: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let [_, count] = read::<2>(&mut client)?;
    let mut methods = vec![0; usize::from(count)];
    client.read_exact(&mut methods)?;
    let method = if user { 2 } else { 0 };
    if !methods.contains(&method) {
        return client.write_all(&[5, 0xff]);
    }
    client.write_all(&[5, method])?;
    if user {
        let [_, length] = read::<2>(&mut client)?;
        let name = read_text(&mut client, length)?;
        let [length] = read::<1>(&mut client)?;
        let password = read_text(&mut client, length)?;
        let accepted = (name.as_str(), password.as_str()) == ("me", "secret");
        client.write_all(&[1, u8::from(!accepted)])?;
        if !accepted {
            return Ok(());
        }
    }
    let [_, _, _, kind] = read::<4>(&mut client)?;
    let host = match kind {
        1 => std::net::Ipv4Addr::from(read::<4>(&mut client)?).to_string(),
        3 => {
            let [length] = read::<1>(&mut client)?;
            read_text(&mut client, length)?
        }
        _ => return client.write_all(&[5, 8, 0, 1, 0, 0, 0, 0, 0, 0]),
    };
    let port = u16::from_be_bytes(read::<2>(&mut client)?);
    log.lock().unwrap().push(format!("{host}:{port}"));
    client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0])?;
    relay(client, TcpStream::connect(server)?)
}

fn read<const COUNT: usize>(from: &mut TcpStream) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    from.read_exact(&mut bytes).map(|()| bytes)
}

fn read_text(from: &mut TcpStream, length: u8) -> io::Result<String> {
    let mut bytes = vec![0; usize::from(length)];
    from.read_exact(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Copies both ways until both sides have ended.
fn relay(mut client: TcpStream, mut upstream: TcpStream) -> io::Result<()> {
    let mut from = upstream.try_clone()?;
    let mut to = client.try_clone()?;
    let back = thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let _ = io::copy(&mut client, &mut upstream);
    let _ = upstream.shutdown(Shutdown::Write);
    let _ = back.join();
    Ok(())
}
