//! Pictures that a server gives itself and its things. Nothing is fetched or decoded here.

use crate::bounds::ICONS;
use crate::model::read;
use crate::params::RawMap;

/// One picture, in one form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon {
    /// Where it is: any address, unverified, `data:` included.
    pub src: String,
    /// Its media type, as claimed.
    pub mime_type: Option<String>,
    /// The sizes that it is made for, such as `48x48` or `any`.
    pub sizes: Vec<String>,
    /// The background that it is made for: `light`, `dark`, or something else.
    pub theme: Option<String>,
}

/// The icons in `map`; those that can't be read are left out.
pub(crate) fn icons(map: &RawMap) -> Vec<Icon> {
    let items = read::present(map, "icons").and_then(|raw| read::array(raw).ok());
    let readable = items.unwrap_or_default().into_iter().filter_map(|raw| {
        let icon = read::object(&raw).ok()?;
        let sizes = match icon.text("sizes") {
            Some(one) => vec![one],
            None => read::texts(&icon, "sizes"),
        };
        Some(Icon {
            src: icon.text("src")?,
            mime_type: icon.text("mimeType"),
            sizes,
            theme: icon.text("theme"),
        })
    });
    readable.take(ICONS).collect()
}
