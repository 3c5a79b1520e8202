//! Pictures that a server gives itself and its things: which of them may be drawn, and which is drawn on which ground. Nothing is
//! fetched here, and nothing is decoded but a picture's size.
//!
//! Only `data:` addresses are drawn: PNG, JPEG, GIF and WebP, told by their bytes, and SVG that holds shapes and nothing else. A
//! picture that is large in bytes or in pixels is left out. What is drawn stands in an `img`, where nothing of it can run.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gatehouse_mcp::model::icon::Icon;
use imagesize::ImageType;
use percent_encoding::percent_decode_str;

use crate::bounds;
use crate::link::Link;
use crate::view::IconView;

/// Elements of SVG that draw something simple. Others can refer to something, repeat it without end, or run.
const SHAPES: [&str; 15] = [
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "defs",
    "lineargradient",
    "radialgradient",
    "stop",
    "title",
    "desc",
];
/// The height and width that a picture is shown at, in device pixels of a dense screen.
const WANTED: u32 = 48;

/// Chooses among the pictures of one thing; `None` where it has none that is of use. What is drawn counts against `room`,
/// the bytes that are left for a whole listing.
pub(crate) fn choose(icons: &[Icon], room: &mut usize) -> Option<IconView> {
    let pick = |theme: &str| {
        let mut fit: Vec<&Icon> = icons.iter().filter(|icon| icon.src.starts_with("data:")).collect();
        fit.sort_by_key(|icon| (ground(icon, theme), distance(icon)));
        fit.into_iter().find_map(|icon| drawable(&icon.src))
    };
    let light = pick("light").filter(|source| take(room, source.len()));
    let dark = pick("dark").filter(|source| light.as_ref() != Some(source) && take(room, source.len()));
    let mut elsewhere = icons.iter().filter(|icon| icon.src.len() <= bounds::ICON_ADDRESS);
    let remote = elsewhere.find_map(|icon| Link::parse(&icon.src).ok());
    (light.is_some() || dark.is_some() || remote.is_some()).then(|| IconView {
        light,
        dark,
        remote: remote.map(|link| link.as_str().to_owned()),
    })
}

fn take(room: &mut usize, bytes: usize) -> bool {
    let enough = *room >= bytes;
    *room -= if enough { bytes } else { 0 };
    enough
}

/// How well an icon suits a ground: made for it, for none in particular, for the other.
fn ground(icon: &Icon, theme: &str) -> u8 {
    match icon.theme.as_deref() {
        Some(own) if own == theme => 0,
        None => 1,
        Some(_) => 2,
    }
}

/// How far a size lies from the one that is shown; a larger one is better than a smaller one, and `any` is best.
fn distance(icon: &Icon) -> u32 {
    let one = |size: &String| match size.split_once('x') {
        None => 0,
        Some((width, _)) => match width.parse::<u32>() {
            Ok(width) if width >= WANTED => width - WANTED,
            Ok(width) => (WANTED - width).saturating_mul(100),
            Err(_) => u32::MAX,
        },
    };
    icon.sizes.iter().map(one).min().unwrap_or(1000)
}

/// The address as it may be drawn, written anew from its bytes.
fn drawable(src: &str) -> Option<String> {
    if src.len() > bounds::ICON * 3 {
        return None;
    }
    let (head, body) = src.strip_prefix("data:")?.split_once(',')?;
    let (mime, base64) = match head.strip_suffix(";base64") {
        Some(mime) => (mime, true),
        None => (head, false),
    };
    let plain = percent_decode_str(body);
    let bytes = if base64 {
        STANDARD.decode(plain.collect::<Vec<u8>>()).ok()?
    } else {
        plain.collect()
    };
    if bytes.len() > bounds::ICON {
        return None;
    }
    let mime = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let kind = if mime == "image/svg+xml" {
        only_shapes(std::str::from_utf8(&bytes).ok()?).then_some(mime.as_str())?
    } else {
        raster(&bytes)?
    };
    Some(format!("data:{kind};base64,{}", STANDARD.encode(bytes)))
}

fn raster(bytes: &[u8]) -> Option<&'static str> {
    let kind = match imagesize::image_type(bytes).ok()? {
        ImageType::Png => "image/png",
        ImageType::Jpeg => "image/jpeg",
        ImageType::Gif => "image/gif",
        ImageType::Webp => "image/webp",
        _ => return None,
    };
    let size = imagesize::blob_size(bytes).ok()?;
    let fits = |pixels: usize| (1..=bounds::ICON_PIXELS).contains(&pixels);
    (fits(size.width) && fits(size.height)).then_some(kind)
}

/// Whether SVG holds nothing but simple shapes: no other element, no reference, no style sheet, no declaration.
fn only_shapes(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let forbidden = ["href", "filter", "<!doctype", "<!entity", "<![", "@import", "&"];
    if forbidden.iter().any(|word| lower.contains(word)) || !lower.contains("<svg") {
        return false;
    }
    lower.split('<').skip(1).all(|tag| {
        let tag = tag.strip_prefix('/').unwrap_or(tag);
        if tag.starts_with("?xml") || tag.starts_with("!--") {
            return true;
        }
        let name = tag
            .split(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'))
            .next();
        name.is_some_and(|name| SHAPES.contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of one pixel.
    const PNG: &str =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const SVG: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath d='M0 0h8v8z'/%3E%3C/svg%3E";

    fn icon(src: &str, sizes: &[&str], theme: Option<&str>) -> Icon {
        Icon {
            src: src.to_owned(),
            mime_type: None,
            sizes: sizes.iter().map(|&size| size.to_owned()).collect(),
            theme: theme.map(str::to_owned),
        }
    }

    fn png(width: u32, theme: Option<&str>) -> Icon {
        let mut bytes = STANDARD.decode(PNG).expect("base64");
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        icon(
            &format!("data:image/png;base64,{}", STANDARD.encode(bytes)),
            &[&format!("{width}x{width}")],
            theme,
        )
    }

    fn chosen(icons: &[Icon]) -> Option<IconView> {
        choose(icons, &mut bounds::ICONS.clone())
    }

    #[test]
    fn each_ground_gets_the_picture_made_for_it_in_the_nearest_size() {
        let icons = [
            png(16, None),
            png(64, Some("dark")),
            png(256, None),
            png(48, Some("light")),
        ];
        let view = chosen(&icons).expect("there is one");
        assert_eq!(view.light.as_deref(), Some(icons[3].src.as_str()));
        assert_eq!(view.dark.as_deref(), Some(icons[1].src.as_str()));
        let same = chosen(&icons[..1]).expect("there is one");
        assert!(same.light.is_some() && same.dark.is_none(), "one for both is said once");
    }

    #[test]
    fn only_small_pictures_of_known_kinds_are_drawn() {
        let check = |src: &str, drawn: bool, why: &str| assert_eq!(drawable(src).is_some(), drawn, "{why}");
        check(&format!("data:image/png;base64,{PNG}"), true, "a picture");
        check(
            &format!("data:text/html;base64,{PNG}"),
            true,
            "its bytes count, not its word",
        );
        check(&png(60_000, None).src, false, "too many pixels");
        check("data:image/png;base64,AAAA", false, "no picture");
        check("data:image/png;base64,%%%", false, "no base64");
        check("data:text/html,<b>x</b>", false, "no picture at all");
        check(
            &format!("data:image/png;base64,{PNG}{}", "A".repeat(bounds::ICON * 3)),
            false,
            "too large",
        );
        check(SVG, true, "a drawing of shapes");
        for inside in [
            "<script>x</script>",
            "<use href='#a'/>",
            "<image/>",
            "<foreignObject/>",
            "<filter/>",
            "<a:script/>",
            "<style>@import 'x'</style>",
            "<!DOCTYPE x [<!ENTITY a 'b'>]>",
            "<animate/>",
            "<set/>",
        ] {
            check(&format!("data:image/svg+xml,<svg>{inside}</svg>"), false, inside);
        }
    }

    #[test]
    fn an_address_elsewhere_is_named_and_a_listing_has_room_for_so_many() {
        let there = [icon("https://example.org/i.png", &[], None)];
        let view = chosen(&there).expect("it is named");
        assert_eq!(
            (view.light, view.remote.as_deref()),
            (None, Some("https://example.org/i.png"))
        );
        assert!(chosen(&[icon("javascript:alert(1)", &[], None), icon("file:///etc/x", &[], None)]).is_none());
        assert!(choose(&[png(48, None)], &mut 10).is_none(), "no room, no picture");
    }
}
