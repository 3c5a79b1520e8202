//! `file://` URIs from the raw bytes of a path. Never from its display text, so that no byte is lost or guessed.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// Everything outside the unreserved set of RFC 3986 is encoded; `/` stays as the separator.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// The URI of an absolute path.
///
/// A Windows drive keeps its colon and a capital letter (`file:///C:/…`), a network share becomes the authority.
pub fn of(path: &Path) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        format!("file://{}", percent_encode(path.as_os_str().as_bytes(), ENCODED))
    }
    #[cfg(windows)]
    {
        let plain = path.to_string_lossy().replace('\\', "/");
        let plain = plain
            .strip_prefix("//?/UNC")
            .map_or(plain.clone(), |share| format!("/{share}"));
        let plain = plain.strip_prefix("//?/").unwrap_or(&plain);
        match plain.strip_prefix("//") {
            Some(share) => format!("file://{}", percent_encode(share.as_bytes(), ENCODED)),
            None => {
                let (drive, rest) = plain.split_at(plain.len().min(2));
                format!(
                    "file:///{}{}",
                    drive.to_uppercase(),
                    percent_encode(rest.as_bytes(), ENCODED)
                )
            }
        }
    }
}

/// The path of a local `file://` URI; none for another scheme, another host, a relative path, or dot segments in any spelling.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let scheme = uri.get(..7)?;
    if !scheme.eq_ignore_ascii_case("file://") {
        return None;
    }
    let rest = &uri[7..];
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') || path.contains(['?', '#']) {
        return None;
    }
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    if bytes.contains(&0)
        || bytes
            .split(|b| *b == b'/')
            .any(|segment| segment == b"." || segment == b"..")
    {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
    }
    #[cfg(windows)]
    {
        let text = String::from_utf8(bytes).ok()?;
        Some(PathBuf::from(text.trim_start_matches('/').replace('/', "\\")))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn every_byte_outside_the_unreserved_set_is_encoded() {
        let check = |bytes: &[u8], uri: &str| {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            assert_eq!(of(path), uri);
            assert_eq!(
                to_path(uri).as_deref(),
                Some(path),
                "{uri} leads back to the same bytes"
            );
        };
        check(b"/home/ada/site", "file:///home/ada/site");
        check(b"/a b/#1?x=100%", "file:///a%20b/%231%3Fx%3D100%25");
        check(b"/back\\slash;semi", "file:///back%5Cslash%3Bsemi");
        check("/caf\u{e9}".as_bytes(), "file:///caf%C3%A9");
        check("/cafe\u{301}".as_bytes(), "file:///cafe%CC%81");
        check(b"/\xff\xfe", "file:///%FF%FE");
        check(b"/-._~", "file:///-._~");
    }

    #[test]
    fn uris_that_could_lead_elsewhere_are_no_paths() {
        for bad in [
            "https://a/b",
            "file://host/a",
            "file:///a/../b",
            "file:///a/%2e%2e/b",
            "file:///a/%2E/b",
            "file:a",
            "",
            "file:///a%00b",
        ] {
            assert_eq!(to_path(bad), None, "{bad}");
        }
        assert_eq!(to_path("FILE://localhost/tmp"), Some("/tmp".into()));
    }
}
