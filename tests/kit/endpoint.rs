//! A model endpoint on this machine that answers as it is told and keeps what it was asked. Speaks just enough HTTP for one
//! request a connection; no model is in it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Such as `/v1/chat/completions`.
    pub path: String,
    /// The header lines, each name in small letters.
    pub headers: Vec<(String, String)>,
    /// The body's text.
    pub body: String,
}

/// What is answered.
#[derive(Debug, Clone)]
pub enum Told {
    /// A status, further header lines, and a body.
    Answer(u16, Vec<(String, String)>, String),
    /// A good status, and bytes without end.
    Endless,
    /// Nothing, ever.
    Silence,
}

/// The endpoint. It goes when this value goes.
#[derive(Debug)]
pub struct Endpoint {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    gone: Arc<Mutex<usize>>,
    task: JoinHandle<()>,
}

impl Asked {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

impl Told {
    /// A good answer of the kind that many speak.
    pub fn open_ai(text: &str) -> Self {
        let body = serde_json::json!({"model": "told-1", "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]});
        Self::Answer(200, Vec::new(), body.to_string())
    }

    /// A good answer of Ollama's kind.
    pub fn ollama(text: &str) -> Self {
        let body = serde_json::json!({"model": "llama", "message": {"role": "assistant", "content": text}, "done": true, "done_reason": "stop"});
        Self::Answer(200, Vec::new(), body.to_string())
    }

    /// An error.
    pub fn error(status: u16, body: &str) -> Self {
        Self::Answer(status, Vec::new(), body.to_owned())
    }
}

impl Endpoint {
    /// An endpoint that gives these answers one after the other, the last one over and over.
    pub async fn that(answers: Vec<Told>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let (asked, gone) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(0)));
        let (log, leavers) = (asked.clone(), gone.clone());
        let task = tokio::spawn(async move {
            let mut answers = answers.into_iter();
            let mut last = Told::Silence;
            while let Ok((stream, _)) = listener.accept().await {
                if let Some(next) = answers.next() {
                    last = next;
                }
                tokio::spawn(serve(stream, last.clone(), log.clone(), leavers.clone()));
            }
        });
        Self {
            port,
            asked,
            gone,
            task,
        }
    }

    /// Its address, with a path where one is given.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.asked).clone()
    }

    /// How many went away before they had their answer.
    pub async fn until_gone(&self, count: usize) {
        let end = std::time::Instant::now() + Duration::from_secs(30);
        while *lock(&self.gone) < count {
            assert!(std::time::Instant::now() < end, "waited for {count} to hang up");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until it was asked so often.
    pub async fn until_asked(&self, count: usize) -> Vec<Asked> {
        let end = std::time::Instant::now() + Duration::from_secs(30);
        loop {
            let asked = self.asked();
            if asked.len() >= count {
                return asked;
            }
            assert!(
                std::time::Instant::now() < end,
                "waited for request {count}, there are {asked:#?}"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, told: Told, log: Arc<Mutex<Vec<Asked>>>, gone: Arc<Mutex<usize>>) {
    let Some(asked) = request(&mut stream).await else {
        return;
    };
    lock(&log).push(asked);
    let sent = match told {
        Told::Answer(status, headers, body) => {
            let mut head = format!("HTTP/1.1 {status} Told\r\ncontent-type: application/json\r\n");
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            head.push_str(&format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()));
            stream.write_all(format!("{head}{body}").as_bytes()).await
        }
        Told::Endless => endless(&mut stream).await,
        Told::Silence => {
            let mut rest = [0; 64];
            // Ends when the other side hangs up.
            let _ = stream.read(&mut rest).await;
            Err(std::io::ErrorKind::ConnectionAborted.into())
        }
    };
    if sent.is_err() {
        *lock(&gone) += 1;
    }
}

async fn endless(stream: &mut TcpStream) -> std::io::Result<()> {
    stream
        .write_all(b"HTTP/1.1 200 Told\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
        .await?;
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    loop {
        stream.write_all(chunk.as_bytes()).await?;
    }
}

async fn request(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length: usize = headers
        .iter()
        .find(|(name, _)| name == "content-length")?
        .1
        .parse()
        .ok()?;
    while bytes.len() < head + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = String::from_utf8_lossy(&bytes[head + 4..]).into_owned();
    Some(Asked { path, headers, body })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
