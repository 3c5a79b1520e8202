//! Where the window stands on the screen: remembered, and given back only where it can be seen. In logical pixels, so that a
//! place from a fine screen is right on a coarse one.

use std::sync::Mutex;

use gatehouse_host::Host;
use tauri::{Manager, Monitor, PhysicalPosition, PhysicalSize, Runtime, WebviewWindow, Window, async_runtime};

/// Smallest size of the window.
pub const LEAST: (i32, i32) = (720, 520);
/// Its size at first.
pub const FIRST: (i32, i32) = (1180, 780);
/// How much of the bar at its top must be on a screen, so that a pointer can grasp it.
const GRASP: (i32, i32) = (120, 16);
/// About the height of that bar.
const BAR: i32 = 40;

/// A rectangle: left, top, width, height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub wide: i32,
    /// Height.
    pub high: i32,
}

/// How the window stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its own size and position, not those while it fills the screen.
    pub rect: Rect,
    /// Does it fill the screen?
    pub maximized: bool,
}

/// The last place that was seen.
#[derive(Debug, Default)]
pub struct Seen(Mutex<Option<Place>>);

impl Place {
    fn text(self) -> String {
        let Rect { x, y, wide, high } = self.rect;
        format!("{x} {y} {wide} {high} {}", self.maximized)
    }

    /// Reads what [`Place::text`] wrote; a text that is damaged is no place.
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let mut number = || parts.next()?.parse::<i32>().ok();
        let (x, y, wide, high) = (number()?, number()?, number()?, number()?);
        let maximized = parts.next()?.parse().ok()?;
        Some(Self {
            rect: Rect { x, y, wide, high },
            maximized,
        })
    }
}

/// The size to open with, and the position where it can be kept: where the window's bar can be seen and grasped on a screen that
/// is there. Without a position the desktop chooses one.
pub fn fit(rect: Rect, screens: &[Rect]) -> ((i32, i32), Option<(i32, i32)>) {
    let overlap = |screen: &Rect| {
        let wide = (rect.x + rect.wide.max(LEAST.0)).min(screen.x + screen.wide) - rect.x.max(screen.x);
        let high = (rect.y + BAR).min(screen.y + screen.high) - rect.y.max(screen.y);
        (wide >= GRASP.0 && high >= GRASP.1).then_some((wide, *screen))
    };
    let on = screens.iter().filter_map(overlap).max_by_key(|(wide, _)| *wide);
    let most = on.map(|(_, screen)| screen).or_else(|| screens.first().copied());
    let bound = |length: i32, least: i32, most: i32| length.min(most).max(least);
    let size = match most {
        Some(screen) => (
            bound(rect.wide, LEAST.0, screen.wide),
            bound(rect.high, LEAST.1, screen.high),
        ),
        None => (rect.wide.max(LEAST.0), rect.high.max(LEAST.1)),
    };
    (size, on.map(|_| (rect.x, rect.y)))
}

/// The place that was remembered.
pub fn remembered(host: &Host) -> Option<Place> {
    match async_runtime::block_on(host.window_place()) {
        Ok(text) => text.as_deref().and_then(Place::read),
        Err(error) => {
            tracing::warn!("where the window was is not known: {error}");
            None
        }
    }
}

/// The screens that are there now.
pub fn screens<R: Runtime>(app: &tauri::AppHandle<R>) -> Vec<Rect> {
    let screens = app.available_monitors().unwrap_or_default();
    screens.iter().map(screen).collect()
}

fn screen(monitor: &Monitor) -> Rect {
    logical(*monitor.position(), *monitor.size(), monitor.scale_factor())
}

fn logical(at: PhysicalPosition<i32>, size: PhysicalSize<u32>, scale: f64) -> Rect {
    let (at, size) = (at.to_logical(scale), size.to_logical(scale));
    Rect {
        x: at.x,
        y: at.y,
        wide: size.width,
        high: size.height,
    }
}

/// Looks where the window stands now.
pub fn look<R: Runtime>(window: &Window<R>) {
    let hidden = window.is_minimized().unwrap_or(true) || !window.is_visible().unwrap_or(false);
    if hidden || window.is_fullscreen().unwrap_or(true) {
        return;
    }
    let maximized = window.is_maximized().unwrap_or(false);
    let state = window.state::<Seen>();
    let mut seen = state.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if maximized {
        if let Some(place) = seen.as_mut() {
            place.maximized = true;
        }
        return;
    }
    let (Ok(at), Ok(size), Ok(scale)) = (window.outer_position(), window.inner_size(), window.scale_factor()) else {
        return;
    };
    *seen = Some(Place {
        rect: logical(at, size, scale),
        maximized,
    });
}

/// Remembers a place that the window is opened at.
pub fn opened<R: Runtime>(window: &WebviewWindow<R>, place: Place) {
    *window
        .state::<Seen>()
        .0
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(place);
}

/// Writes down where the window was seen last.
pub async fn keep<R: Runtime>(app: &tauri::AppHandle<R>) {
    let seen = *app
        .state::<Seen>()
        .0
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let host = app.state::<Host>().inner().clone();
    if let Some(place) = seen
        && let Err(error) = host.keep_window_place(place.text()).await
    {
        tracing::warn!("where the window was is not remembered: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn rect(x: i32, y: i32, wide: i32, high: i32) -> Rect {
        Rect { x, y, wide, high }
    }
    const LEFT: Rect = rect(0, 0, 1920, 1080);
    const RIGHT: Rect = rect(1920, 0, 1280, 800);

    fn check(window: Rect, screens: &[Rect], size: (i32, i32), at: Option<(i32, i32)>) {
        assert_eq!(fit(window, screens), (size, at), "{window:?} on {screens:?}");
    }

    #[test]
    fn a_window_comes_back_where_it_was() {
        check(rect(40, 60, 1180, 780), &[LEFT], (1180, 780), Some((40, 60)));
        check(rect(2000, 10, 900, 600), &[LEFT, RIGHT], (900, 600), Some((2000, 10)));
        // Partly over the edge, as people put windows.
        check(rect(-300, 500, 1180, 780), &[LEFT], (1180, 780), Some((-300, 500)));
    }

    #[test]
    fn a_window_that_could_not_be_seen_is_placed_by_the_desktop() {
        check(rect(2000, 10, 900, 600), &[LEFT], (900, 600), None);
        check(rect(40, -200, 1180, 780), &[LEFT], (1180, 780), None);
        check(rect(40, 1075, 1180, 780), &[LEFT], (1180, 780), None);
        check(rect(-1100, 60, 1180, 780), &[LEFT], (1180, 780), None);
    }

    #[test]
    fn a_window_is_no_larger_than_its_screen_and_no_smaller_than_it_works() {
        check(rect(0, 0, 3000, 2000), &[RIGHT, LEFT], (1920, 1080), Some((0, 0)));
        check(rect(0, 0, 10, 10), &[LEFT], (720, 520), Some((0, 0)));
        check(rect(5, 5, 900, 600), &[], (900, 600), None);
    }

    #[test]
    fn a_damaged_text_is_no_place() {
        let place = Place {
            rect: rect(-4, 7, 900, 600),
            maximized: true,
        };
        assert_eq!(Place::read(&place.text()), Some(place));
        for text in ["", "1 2 3", "1 2 3 4 maybe", "x y z", "99999999999 0 0 0 true"] {
            assert_eq!(Place::read(text), None, "{text:?}");
        }
    }
}
