//! A listener on this machine that must hear nothing: whatever connects to it was sent there by a server's text.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The listener. Its port is free again when the test's process ends.
pub struct Canary {
    at: SocketAddr,
    heard: Arc<AtomicUsize>,
}

impl Canary {
    /// Listens on a free port.
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let at = listener.local_addr().expect("it listens");
        let heard = Arc::new(AtomicUsize::new(0));
        let count = heard.clone();
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                drop(connection);
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { at, heard }
    }

    /// An address of it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.at)
    }

    /// Nothing connected so far, nor within a short while; and it would have been heard.
    pub fn assert_silent(&self, why: &str) {
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(self.heard.load(Ordering::SeqCst), 0, "{why}");
        drop(TcpStream::connect(self.at).expect("it listens"));
        let end = Instant::now() + Duration::from_secs(10);
        while self.heard.load(Ordering::SeqCst) == 0 {
            assert!(Instant::now() < end, "a connection would have been heard");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
