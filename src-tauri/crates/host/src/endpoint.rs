//! The model endpoint: a program on this machine or elsewhere that a person chose to answer model requests. Off until they
//! do. Not the question whether it may be asked: `answer::sample` decides that, and the record comes before the request.

pub mod http;
pub mod keys;
pub mod wire;

use gatehouse_mcp::model::sampling::Role;
use gatehouse_mcp::params::Raw;
use url::{Host, Url};

use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{EndpointKind, EndpointSettings, EndpointView};

/// An endpoint that can be asked: the settings, read and found usable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    settings: EndpointSettings,
    url: Url,
}

/// What a model is asked, whatever the endpoint speaks.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// What the model is told first.
    pub system: Option<String>,
    /// What was said, in order.
    pub turns: Vec<Turn>,
    /// Most tokens of the answer.
    pub max_tokens: u64,
    /// The temperature, as it was written.
    pub temperature: Option<Raw>,
    /// Where to stop.
    pub stop: Vec<String>,
    /// The server's hints at a model.
    pub hints: Vec<String>,
}

/// One message.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Who says it.
    pub role: Role,
    /// What.
    pub parts: Vec<Part>,
}

/// A part of a message.
#[derive(Debug, Clone)]
pub enum Part {
    /// Text.
    Text(String),
    /// A picture in base64.
    Image {
        /// The data.
        data: String,
        /// Its media type.
        mime_type: String,
    },
    /// A sound in base64.
    Audio {
        /// The data.
        data: String,
        /// Its media type.
        mime_type: String,
    },
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// The model that the endpoint says it was.
    pub model: String,
    /// Why it stopped, in the protocol's words.
    pub stop_reason: Option<String>,
}

impl Default for EndpointSettings {
    fn default() -> Self {
        Self {
            on: false,
            kind: EndpointKind::OpenAi,
            url: String::new(),
            model: String::new(),
            mapping: Vec::new(),
            max_tokens: 4096,
            seconds: 120,
        }
    }
}

impl Endpoint {
    /// Reads settings, whether they are on or not.
    ///
    /// # Errors
    /// The address is no http or https address of a host, holds a name or a key, or something else is missing.
    pub fn of(settings: EndpointSettings) -> Result<Self> {
        let refuse = |reason: &str| HostError::Invalid {
            reason: format!("the model endpoint can't be used: {reason}"),
        };
        let text = settings.url.trim();
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(refuse("its address holds spaces or control characters"));
        }
        let url = Url::parse(text).map_err(|_| {
            refuse("its address must be a whole one, such as http://localhost:11434 or https://example.com/v1")
        })?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(refuse(
                "its address must begin with http:// or https:// and name a host",
            ));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse(
                "its address holds a name or a password; give a key in the key's own field",
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("its address has a part after ? or #; leave that out"));
        }
        if settings.model.trim().is_empty() {
            return Err(refuse("it needs the name of a model"));
        }
        if settings.max_tokens == 0 || settings.seconds == 0 || settings.seconds > 3600 {
            return Err(refuse(
                "it needs at least one token, and a time limit from 1 to 3600 seconds",
            ));
        }
        let settings = EndpointSettings {
            url: url.as_str().trim_end_matches('/').to_owned(),
            model: settings.model.trim().to_owned(),
            mapping: settings
                .mapping
                .into_iter()
                .filter(|one| !one.part.trim().is_empty() && !one.model.trim().is_empty())
                .collect(),
            ..settings
        };
        Ok(Self { settings, url })
    }

    /// The settings, put in order.
    pub fn settings(&self) -> &EndpointSettings {
        &self.settings
    }

    /// Scheme, host and port: what a key and a remembered decision hang on.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Where a remembered decision lets requests go: another address or another way to speak is another place.
    pub fn place(&self) -> String {
        self.address()
    }

    /// The address that is asked.
    pub fn address(&self) -> String {
        let path = match self.settings.kind {
            EndpointKind::OpenAi => "chat/completions",
            EndpointKind::Ollama => "api/chat",
        };
        format!("{}/{path}", self.settings.url)
    }

    /// True where it is not on this machine.
    pub fn is_remote(&self) -> bool {
        match self.url.host() {
            Some(Host::Ipv4(address)) => !address.is_loopback(),
            Some(Host::Ipv6(address)) => !address.is_loopback(),
            Some(Host::Domain(name)) => name != "localhost" && !name.ends_with(".localhost"),
            None => true,
        }
    }

    /// The model for these hints: the first hint that a mapping fits, else the one that was chosen.
    pub fn model(&self, hints: &[String]) -> &str {
        let fits = |hint: &String| {
            let hint = hint.to_lowercase();
            let mut mapping = self.settings.mapping.iter();
            mapping.find(|one| hint.contains(&one.part.trim().to_lowercase()))
        };
        hints
            .iter()
            .find_map(fits)
            .map_or(&self.settings.model, |one| &one.model)
            .trim()
    }

    /// The endpoint for a screen, with the model for these hints.
    pub fn view(&self, hints: &[String]) -> EndpointView {
        let host = self.url.host_str().unwrap_or_default();
        let host = match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        EndpointView {
            url: harmless::line(&self.settings.url, 1000),
            host: harmless::line(&host, 300),
            model: harmless::line(self.model(hints), 200),
            remote: self.is_remote(),
            encrypted: self.url.scheme() == "https",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::HintMapping;

    fn settings(url: &str) -> EndpointSettings {
        EndpointSettings {
            url: url.into(),
            model: "small".into(),
            ..EndpointSettings::default()
        }
    }

    #[test]
    fn an_address_is_read_strictly_and_told_from_this_machine() {
        let check = |url: &str, expect: Option<(bool, &str)>| {
            let read = Endpoint::of(settings(url)).ok();
            let read = read.map(|endpoint| (endpoint.is_remote(), endpoint.address()));
            let expect = expect.map(|(remote, address)| (remote, address.to_owned()));
            assert_eq!(read, expect, "{url}");
        };
        check(
            "http://localhost:1/v1/",
            Some((false, "http://localhost:1/v1/chat/completions")),
        );
        check("http://127.9.0.1", Some((false, "http://127.9.0.1/chat/completions")));
        check("http://[::1]:8080", Some((false, "http://[::1]:8080/chat/completions")));
        check(
            "https://example.com/v1",
            Some((true, "https://example.com/v1/chat/completions")),
        );
        check(
            "http://localhost.evil.example",
            Some((true, "http://localhost.evil.example/chat/completions")),
        );
        check(
            "http://192.168.0.2",
            Some((true, "http://192.168.0.2/chat/completions")),
        );
        for wrong in [
            "",
            "localhost:1",
            "file:///x",
            "http://a:b@c",
            "http://a/?k=1",
            "http://a/#x",
            "http://a b",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn the_first_hint_that_a_mapping_fits_names_the_model() {
        let one = |part: &str, model: &str| HintMapping {
            part: part.into(),
            model: model.into(),
        };
        let endpoint = Endpoint::of(EndpointSettings {
            mapping: vec![one("Sonnet", "middle"), one("claude", "any"), one(" ", "never")],
            ..settings("http://localhost")
        })
        .expect("usable");
        let check = |hints: &[&str], expect: &str| {
            let hints: Vec<String> = hints.iter().map(|hint| (*hint).to_owned()).collect();
            assert_eq!(endpoint.model(&hints), expect, "{hints:?}");
        };
        check(&[], "small");
        check(&["gpt"], "small");
        check(&["claude-3-sonnet"], "middle");
        check(&["gpt", "CLAUDE-opus", "sonnet"], "any");
    }
}
