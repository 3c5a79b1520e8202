//! One request to an endpoint and its answer: bounded in bytes and time, never redirected, ended by dropping it. What is asked
//! stands in the record before; the key goes into a header and nowhere else.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response, StatusCode, redirect};

use super::keys::{Key, Keys};
use super::{Endpoint, Reply, wire};
use crate::bounds;
use crate::harmless;
use crate::ledger::Disclosed;

/// Why an endpoint gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// It can't be reached.
    #[error("the model endpoint at {host} can't be reached ({reason}). Is it running, and is its address right?")]
    Unreachable {
        /// Its host.
        host: String,
        /// What the system said.
        reason: String,
    },
    /// It did not answer in time.
    #[error(
        "the model endpoint at {host} has not answered within {seconds} seconds. Ask once more, or allow it more time in the settings"
    )]
    TimedOut {
        /// Its host.
        host: String,
        /// The limit.
        seconds: u64,
    },
    /// It answered with an error.
    #[error("the model endpoint at {host} answered {status}{words}. {hint}")]
    Answered {
        /// Its host.
        host: String,
        /// The status.
        status: u16,
        /// Its own words, where it had any, after a colon.
        words: String,
        /// What can be done.
        hint: &'static str,
    },
    /// It wants the request elsewhere.
    #[error("the model endpoint at {host} sends requests on to {target}, which is not followed. Set its own address")]
    Redirected {
        /// Its host.
        host: String,
        /// Where to.
        target: String,
    },
    /// Its answer is too long.
    #[error("the answer of the model endpoint at {host} is longer than {most} bytes and was not read")]
    TooLong {
        /// Its host.
        host: String,
        /// The bound.
        most: usize,
    },
    /// Its answer can't be read.
    #[error("the answer of the model endpoint at {host} can't be used: {reason}. Is its kind set right?")]
    Unreadable {
        /// Its host.
        host: String,
        /// What is wrong.
        reason: String,
    },
    /// What is to be asked can't be asked there.
    #[error("this can't be asked of the model endpoint at {host}: {reason}")]
    Unaskable {
        /// Its host.
        host: String,
        /// Why.
        reason: String,
    },
}

/// The way out to endpoints.
#[derive(Debug)]
pub struct Way {
    keys: Arc<Keys>,
    /// To this machine, never through a proxy.
    near: OnceLock<Result<Client, String>>,
    /// Elsewhere, through the proxy of the environment where there is one.
    far: OnceLock<Result<Client, String>>,
}

impl Way {
    /// A way out with these keys. Nothing is opened yet.
    pub fn new(keys: Arc<Keys>) -> Self {
        Self {
            keys,
            near: OnceLock::new(),
            far: OnceLock::new(),
        }
    }

    /// Its keys.
    pub fn keys(&self) -> &Arc<Keys> {
        &self.keys
    }

    /// Sends what stands in the record, and reads the answer. Dropping this ends the request.
    ///
    /// # Errors
    /// The endpoint could not be reached, took too long, answered with an error or with what can't be read.
    pub async fn ask(&self, endpoint: &Endpoint, body: Disclosed) -> Result<Reply, EndpointError> {
        let (host, seconds) = (host(endpoint), endpoint.settings().seconds);
        let limit = Duration::from_secs(seconds);
        match tokio::time::timeout(limit, self.exchange(endpoint, body)).await {
            Ok(answered) => answered,
            Err(_) => Err(EndpointError::TimedOut { host, seconds }),
        }
    }

    async fn exchange(&self, endpoint: &Endpoint, body: Disclosed) -> Result<Reply, EndpointError> {
        let host = host(endpoint);
        let (keys, origin) = (self.keys.clone(), endpoint.origin());
        // The keychain may wait for the person, so it is asked on a thread that may wait.
        let key = tokio::task::spawn_blocking(move || keys.get(&origin))
            .await
            .unwrap_or(None);
        let client = self.client(endpoint.is_remote());
        let client = client.as_ref().map_err(|reason| EndpointError::Unreachable {
            host: host.clone(),
            reason: reason.clone(),
        })?;
        let mut request = client
            .post(endpoint.address())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .body(body.into_raw().get().to_owned());
        if let Some(key) = &key {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|_| {
                let reason = "its key holds characters that no key has; set it anew".to_owned();
                EndpointError::Unaskable {
                    host: host.clone(),
                    reason,
                }
            })?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        let response = request.send().await.map_err(|error| unreachable(&host, &error))?;
        let status = response.status();
        if status.is_redirection() {
            let target = response.headers().get("location").and_then(|to| to.to_str().ok());
            let target = struck(key.as_ref(), target.unwrap_or("another address"));
            return Err(EndpointError::Redirected { host, target });
        }
        let most = if status.is_success() {
            bounds::MODEL_ANSWER
        } else {
            bounds::MODEL_ERROR
        };
        let read = read(&host, response, most).await;
        if !status.is_success() {
            let words = read.ok().and_then(|body| wire::error_words(&body)).unwrap_or_default();
            let words = struck(key.as_ref(), &words);
            return Err(EndpointError::Answered {
                host,
                status: status.as_u16(),
                words: if words.is_empty() { words } else { format!(": {words}") },
                hint: hint(status),
            });
        }
        endpoint
            .read(&read?)
            .map_err(|reason| EndpointError::Unreadable { host, reason })
    }

    fn client(&self, remote: bool) -> &Result<Client, String> {
        let (slot, proxied) = if remote { (&self.far, true) } else { (&self.near, false) };
        slot.get_or_init(|| client(proxied))
    }
}

fn client(proxied: bool) -> Result<Client, String> {
    // A second call finds the first one's choice in place, which is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .connect_timeout(bounds::MODEL_CONNECT)
        .redirect(redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .user_agent(concat!("gatehouse/", env!("CARGO_PKG_VERSION")));
    let builder = if proxied { builder } else { builder.no_proxy() };
    builder.build().map_err(|error| chain(&error))
}

async fn read(host: &str, mut response: Response, most: usize) -> Result<Vec<u8>, EndpointError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(host, &error))? {
        if body.len() + chunk.len() > most {
            return Err(EndpointError::TooLong {
                host: host.to_owned(),
                most,
            });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn unreachable(host: &str, error: &reqwest::Error) -> EndpointError {
    EndpointError::Unreachable {
        host: host.to_owned(),
        reason: chain(error),
    }
}

/// The innermost reason: the outer ones repeat the address.
fn chain(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    harmless::line(&error.to_string(), bounds::LINE)
}

fn struck(key: Option<&Key>, text: &str) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| key.struck_from(text));
    harmless::line(&text, bounds::LINE)
}

fn host(endpoint: &Endpoint) -> String {
    endpoint.view(&[]).host
}

fn hint(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 | 403 => "Set its key in the settings",
        404 => "Check its address, its kind and the model's name in the settings",
        400 | 422 => "Change what is asked, or check the model in the settings",
        408 | 429 | 503 => "Try again later",
        _ => "Look at its own log",
    }
}
