//! Links that a server gave: parsed once, judged, and either openable or not. The one gate for every way out to a browser;
//! nothing is fetched here or anywhere.

use url::{Host, Url};

use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{LinkView, LinkWarning};

/// A link that may be opened after a yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(Url);

/// Longest address in bytes.
const LONGEST: usize = 16 * 1024;

impl Link {
    /// Reads an address strictly.
    ///
    /// # Errors
    /// It is not an absolute http or https address with a host, has characters that no address has, or is too long.
    pub fn parse(text: &str) -> Result<Self> {
        let refuse = |reason: &str| HostError::Invalid {
            reason: format!("{} can't be opened: {reason}", harmless::line(text, 200)),
        };
        if text.len() > LONGEST {
            return Err(refuse("it is too long"));
        }
        // The parser would drop tabs and line feeds and trim spaces in silence: such an address is not what it looks like.
        if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(refuse("it holds spaces or control characters"));
        }
        let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if !matches!(scheme.as_str(), "http" | "https") {
            return Err(refuse("only http and https addresses are opened"));
        }
        if !text[scheme.len()..].starts_with("://") {
            return Err(refuse("it has no host"));
        }
        let url = Url::parse(text).map_err(|error| refuse(&error.to_string()))?;
        if url.host_str().is_none_or(str::is_empty) {
            return Err(refuse("it has no host"));
        }
        Ok(Self(url))
    }

    /// Reads what stands for all pages of one place: an origin such as `http://localhost:3000`, or a bare host, which means
    /// https.
    ///
    /// # Errors
    /// It is no host or origin, or says more than that.
    pub fn parse_origin(text: &str) -> Result<String> {
        if text.contains('*') {
            return Err(HostError::Invalid {
                reason: format!("{} is no host: each host is named by itself", harmless::line(text, 200)),
            });
        }
        let whole = if text.contains("://") {
            text.to_owned()
        } else {
            format!("https://{text}")
        };
        let link = Self::parse(&whole)?;
        let rest = whole
            .split_once("://")
            .map_or("", |(_, rest)| rest)
            .trim_end_matches('/');
        if rest.contains(['/', '?', '#', '@', '\\']) {
            return Err(HostError::Invalid {
                reason: format!(
                    "{} is more than a host; write {}",
                    harmless::line(text, 200),
                    link.place()
                ),
            });
        }
        Ok(link.origin())
    }

    /// Scheme, host and port, as far as they are not the scheme's own.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The origin in its shortest form that [`Link::parse_origin`] reads.
    pub fn place(&self) -> String {
        let origin = self.origin();
        origin
            .strip_prefix("https://")
            .map_or_else(|| origin.clone(), str::to_owned)
    }

    /// The address to hand to a browser.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The link for a screen.
    pub fn view(&self) -> LinkView {
        let host = self.0.host_str().unwrap_or_default().to_owned();
        let (display, _) = idna::domain_to_unicode(&host);
        let mut warnings = Vec::new();
        let mut warn = |when: bool, warning| {
            if when {
                warnings.push(warning);
            }
        };
        let (bare, here) = match self.0.host() {
            Some(Host::Ipv4(address)) => (true, address.is_loopback()),
            Some(Host::Ipv6(address)) => (true, address.is_loopback()),
            Some(Host::Domain(name)) => (false, name == "localhost" || name.ends_with(".localhost")),
            None => (false, false),
        };
        warn(self.0.scheme() == "http", LinkWarning::NotEncrypted);
        warn(
            !self.0.username().is_empty() || self.0.password().is_some(),
            LinkWarning::UserInfo,
        );
        warn(display != host || host.contains("xn--"), LinkWarning::LookAlike);
        warn(bare && !here, LinkWarning::BareAddress);
        warn(here, LinkWarning::ThisMachine);
        warn(self.0.port().is_some(), LinkWarning::Port);
        LinkView {
            url: harmless::line(self.0.as_str(), LONGEST),
            display_host: (display != host).then(|| harmless::line(&display, 300)),
            host,
            warnings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_get_through() {
        for bad in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "FILE:///etc/passwd",
            "smb://h/s",
            "ms-msdt:x",
            "zoommtg://x",
            "https:evil",
            "\thttps://x",
            "https://x\n",
            "https:///",
            "https://",
            "x",
            "",
            "data:text/html,x",
            "https://a b/",
            "search-ms:x",
            "https:\\\\x",
        ] {
            assert!(Link::parse(bad).is_err(), "{bad:?} is not opened");
        }
        assert!(Link::parse("HTTPS://Example.com/a?b#c").is_ok());
    }

    #[test]
    fn a_place_is_a_host_or_an_origin_and_no_more() {
        let check = |place: &str, page: &str, covers: bool| {
            let origin = Link::parse_origin(place).unwrap_or_else(|error| panic!("{place}: {error}"));
            let link = Link::parse(page).expect("a link");
            assert_eq!(link.origin() == origin, covers, "{place} covers {page}");
        };
        check("example.com", "https://example.com/in?a=1#b", true);
        check("example.com", "https://EXAMPLE.com:443/", true);
        check("Example.com/", "https://example.com/", true);
        check("example.com", "http://example.com/", false);
        check("example.com", "https://www.example.com/", false);
        check("example.com", "https://example.com.evil.example/", false);
        check("example.com", "https://example.com@evil.example/", false);
        check("example.com", "https://example.com:8443/", false);
        check("example.com:8443", "https://example.com:8443/", true);
        check("http://localhost:3000", "http://localhost:3000/x", true);
        check("http://localhost:3000", "http://localhost:3001/x", false);
        check("аррӏе.com", "https://xn--80ak6aa92e.com/", true);
        check("apple.com", "https://аррӏе.com/", false);
        check("[::1]:80", "https://[::1]:80/", true);
        for bad in [
            "",
            "https://",
            "example.com/in",
            "me@example.com",
            "file:///etc",
            "a b",
            "example.com?x",
            "*",
        ] {
            assert!(Link::parse_origin(bad).is_err(), "{bad:?} is no place");
        }
    }

    #[test]
    fn what_is_odd_about_a_link_is_said() {
        let check = |text: &str, host: &str, display: Option<&str>, warnings: &[LinkWarning]| {
            let view = Link::parse(text).expect("a link").view();
            assert_eq!(
                (
                    view.host.as_str(),
                    view.display_host.as_deref(),
                    view.warnings.as_slice()
                ),
                (host, display, warnings),
                "{text}"
            );
        };
        use LinkWarning::{BareAddress, LookAlike, NotEncrypted, Port, ThisMachine, UserInfo};
        check("https://example.com/", "example.com", None, &[]);
        check("https://good.com@evil.example/", "evil.example", None, &[UserInfo]);
        check(
            "http://xn--80ak6aa92e.com/",
            "xn--80ak6aa92e.com",
            Some("аррӏе.com"),
            &[NotEncrypted, LookAlike],
        );
        check(
            "https://аррӏе.com/",
            "xn--80ak6aa92e.com",
            Some("аррӏе.com"),
            &[LookAlike],
        );
        check(
            "http://127.0.0.1:8080/x",
            "127.0.0.1",
            None,
            &[NotEncrypted, ThisMachine, Port],
        );
        check("https://192.0.2.1/", "192.0.2.1", None, &[BareAddress]);
    }
}
