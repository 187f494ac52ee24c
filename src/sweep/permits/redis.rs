//! Shared documents in Redis, by its plain protocol: three commands do not earn a client with ten crates. A script compares
//! and replaces a document, which Redis does as one step.

use std::io;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use mageyard_agents::{KeyLookup, SharedDocument, SharedDocuments};
use mageyard_domain::{VariablePart, VariableText};

/// The port if the address has none.
const PORT: u16 = 6379;
/// How long a connection, and each read and write, may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The largest reply, in bytes: a ledger of many thousand processes.
const LARGEST: usize = 16 << 20;
/// Replaces the document if it is still the old one; the answer is 1 then.
const REPLACE: &str = "if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end \
                       redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) return 1";

/// Documents of a Redis server.
pub(super) struct RedisDocuments {
    address: Address,
    /// How long a document stays that is not replaced, in milliseconds.
    expiry: String,
    connection: Mutex<Option<BufReader<TcpStream>>>,
}

/// Where the server is.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    /// Host and port.
    host: String,
    user: String,
    password: String,
    database: String,
}

/// A reply of the server.
#[derive(Debug, PartialEq, Eq)]
enum Reply {
    Done,
    Number(i64),
    Text(Vec<u8>),
    Missing,
}

impl RedisDocuments {
    /// Documents at an address such as `redis://host:6379/0`; nothing is connected yet.
    pub(super) fn new(address: &str, lookup: &KeyLookup, expiry: Duration) -> io::Result<Self> {
        let address = Address::parse(address, lookup).map_err(io::Error::other)?;
        Ok(Self { address, expiry: expiry.as_millis().to_string(), connection: Mutex::default() })
    }

    /// Sends a command. After a failure the connection is made anew, once if it was an old one.
    fn send(&self, words: &[&[u8]]) -> io::Result<Reply> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut open) = connection.take()
            && let Ok(reply) = exchange(&mut open, words)
        {
            *connection = Some(open);
            return reply;
        }
        let mut open = self.address.connect().map_err(|error| self.address.failure(&error))?;
        let reply = exchange(&mut open, words).map_err(|error| self.address.failure(&error))?;
        *connection = Some(open);
        reply.map_err(|error| self.address.failure(&error))
    }
}

impl SharedDocuments for RedisDocuments {
    fn read(&self, name: &str) -> io::Result<SharedDocument> {
        match self.send(&[b"GET", key(name).as_bytes()])? {
            Reply::Text(content) => Ok(SharedDocument { version: content.clone(), content }),
            Reply::Missing => Ok(SharedDocument::default()),
            other => Err(unexpected(&other)),
        }
    }

    fn replace(&self, name: &str, version: &[u8], content: &[u8]) -> io::Result<bool> {
        let key = key(name);
        let words =
            [b"EVAL", REPLACE.as_bytes(), b"1", key.as_bytes(), version, content, self.expiry.as_bytes()];
        match self.send(&words)? {
            Reply::Number(number) => Ok(number == 1),
            other => Err(unexpected(&other)),
        }
    }
}

fn key(name: &str) -> String {
    format!("mageyard:permits:{name}")
}

impl Address {
    /// Reads `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`. User and password may be variables; a password must be.
    fn parse(text: &str, lookup: &KeyLookup) -> Result<Self, String> {
        let rest = text.strip_prefix("redis://").ok_or_else(|| {
            "write file for a folder in the store, or the address of a Redis server, such as \
             redis://host:6379/0"
                .to_owned()
        })?;
        let (access, place) = rest.rsplit_once('@').unwrap_or(("", rest));
        let (user, password) = access.split_once(':').unwrap_or((access, ""));
        let secret = VariableText::parse(password)?;
        if !password.is_empty() && secret.is_literal() {
            return Err("write the password as ${NAME}, with the name of a variable".to_owned());
        }
        let (host, database) = place.split_once('/').unwrap_or((place, ""));
        if !database.chars().all(|c| c.is_ascii_digit()) || host.is_empty() {
            return Err(format!("{place:?} is not HOST:PORT/NUMBER"));
        }
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let host = if has_port { host.to_owned() } else { format!("{host}:{PORT}") };
        let user = value(&VariableText::parse(user)?, lookup)?;
        Ok(Self { host, user, password: value(&secret, lookup)?, database: database.to_owned() })
    }

    fn connect(&self) -> io::Result<BufReader<TcpStream>> {
        let mut last = io::Error::other("this host has no address");
        for address in self.host.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, TIMEOUT) {
                Ok(stream) => return self.greet(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn greet(&self, stream: TcpStream) -> io::Result<BufReader<TcpStream>> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        let mut open = BufReader::new(stream);
        let access: Vec<&[u8]> = [&self.user, &self.password]
            .into_iter()
            .map(String::as_bytes)
            .filter(|word| !word.is_empty())
            .collect();
        if !access.is_empty() {
            exchange(&mut open, &[&[&b"AUTH"[..]], &access[..]].concat())??;
        }
        if !self.database.is_empty() {
            exchange(&mut open, &[b"SELECT", self.database.as_bytes()])??;
        }
        Ok(open)
    }

    fn failure(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("the Redis server {}: {error}", self.host))
    }
}

/// The text with the values of its variables.
fn value(text: &VariableText, lookup: &KeyLookup) -> Result<String, String> {
    let part = |part: &VariablePart| match part {
        VariablePart::Text(text) => Ok(text.clone()),
        VariablePart::Variable(name) => lookup(name).ok_or_else(|| format!("the variable {name} is not set")),
    };
    text.parts().iter().map(part).collect()
}

/// Sends a command and reads its reply. The inner error is that of the command; the connection can be used further.
fn exchange(open: &mut BufReader<TcpStream>, words: &[&[u8]]) -> io::Result<io::Result<Reply>> {
    let mut command = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        command.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        command.extend_from_slice(word);
        command.extend_from_slice(b"\r\n");
    }
    open.get_mut().write_all(&command)?;
    read_reply(open)
}

fn read_reply(from: &mut impl BufRead) -> io::Result<io::Result<Reply>> {
    let mut line = Vec::new();
    from.by_ref().take(4096).read_until(b'\n', &mut line)?;
    let line = line.strip_suffix(b"\r\n").ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
    let (kind, rest) = line.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
    let text = String::from_utf8_lossy(rest);
    match kind {
        b'+' => Ok(Ok(Reply::Done)),
        b'-' => Ok(Err(io::Error::other(mageyard_domain::sanitize(&text).into_owned()))),
        b':' => Ok(Ok(Reply::Number(number(&text)?))),
        b'$' if text == "-1" => Ok(Ok(Reply::Missing)),
        b'$' => read_text(from, number(&text)?).map(|text| Ok(Reply::Text(text))),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "this is not a Redis server")),
    }
}

fn read_text(from: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    if length > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the document is too large"));
    }
    let mut text = vec![0; length + 2];
    from.read_exact(&mut text)?;
    text.truncate(length);
    Ok(text)
}

fn number<N: std::str::FromStr>(text: &str) -> io::Result<N> {
    text.parse().map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this is not a Redis server"))
}

fn unexpected(reply: &Reply) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the Redis server sent an unexpected reply: {reply:?}"),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn lookup() -> KeyLookup {
        Arc::new(|name: &str| (name == "PASSWORD").then(|| "pa@ss:word/".to_owned()))
    }

    #[test]
    fn addresses_have_a_port_a_database_and_a_password_from_a_variable() {
        let read = |text: &str| {
            Address::parse(text, &lookup()).map(|read| [read.host, read.user, read.password, read.database])
        };
        for (text, parts) in [
            ("redis://host", ["host:6379", "", "", ""]),
            ("redis://host:7000/3", ["host:7000", "", "", "3"]),
            ("redis://[::1]:7000", ["[::1]:7000", "", "", ""]),
            ("redis://:${PASSWORD}@host", ["host:6379", "", "pa@ss:word/", ""]),
            ("redis://me:${PASSWORD}@host/0", ["host:6379", "me", "pa@ss:word/", "0"]),
        ] {
            assert_eq!(read(text).unwrap(), parts, "{text}");
        }
        for (text, why) in [
            ("rediss://host", "write file"),
            ("redis://", "HOST:PORT"),
            ("redis://host/a", "HOST:PORT"),
            ("redis://:secret@host", "write the password as ${NAME}"),
            ("redis://:${OTHER}@host", "OTHER is not set"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why) && !error.contains("secret"), "{text}: {error}");
        }
    }

    #[test]
    fn replies_are_read_and_anything_else_is_an_error() {
        let read = |text: &str| read_reply(&mut text.as_bytes());
        assert_eq!(read("+OK\r\n").unwrap().unwrap(), Reply::Done);
        assert_eq!(read(":1\r\n").unwrap().unwrap(), Reply::Number(1));
        assert_eq!(read("$-1\r\n").unwrap().unwrap(), Reply::Missing);
        assert_eq!(read("$4\r\na\r\nb\r\n").unwrap().unwrap(), Reply::Text(b"a\r\nb".to_vec()));
        let refused = read("-NOAUTH \u{1b}[31mneeds a password\r\n").unwrap().unwrap_err().to_string();
        assert!(refused.contains("NOAUTH") && !refused.contains('\u{1b}'), "{refused}");
        for text in
            ["", "+OK", "HTTP/1.1 400 Bad Request\r\n", ":x\r\n", "$99999999999\r\n", "$5\r\nab\r\n", "\r\n"]
        {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
