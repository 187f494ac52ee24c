//! A server on this machine that counts who connects: by TCP and by UDP.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UdpSocket};

/// A counting server.
pub(crate) struct Counter {
    /// Its port, for both.
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
}

impl Counter {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let socket = UdpSocket::bind(("127.0.0.1", port)).await.unwrap();
        let connections = Arc::<AtomicUsize>::default();
        tokio::spawn(accept(listener, connections.clone()));
        tokio::spawn(receive(socket, connections.clone()));
        Self { port, connections }
    }

    /// Connections and packets so far.
    pub(crate) fn count(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn accept(listener: TcpListener, connections: Arc<AtomicUsize>) {
    while let Ok((mut stream, _)) = listener.accept().await {
        connections.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            let mut request = [0; 1024];
            let _ = stream.read(&mut request).await;
            let _ = stream
                .write_all(
                    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nAccess-Control-Allow-Origin: *\r\n\r\nok",
                )
                .await;
        });
    }
}

async fn receive(socket: UdpSocket, connections: Arc<AtomicUsize>) {
    let mut packet = [0; 1500];
    while socket.recv_from(&mut packet).await.is_ok() {
        connections.fetch_add(1, Ordering::SeqCst);
    }
}
