//! The windows: the main one, the small one for a typed path, and what happens to them.

use std::time::Duration;

use gatehouse_host::Host;
use gatehouse_host::first::Rings;
use gatehouse_host::view::Theme;
use tauri::{
    AppHandle, DragDropEvent, Manager, Runtime, WebviewUrl, WebviewWindowBuilder, Window, WindowEvent, async_runtime,
};

use crate::place;
use crate::quit;
use crate::updates::Pump;
use crate::wake;

/// Label of the main window.
pub const MAIN: &str = "main";
/// Label of the small window for a typed path.
const PATH: &str = "path";

/// How long the page has to show itself before the log says what usually helps.
const PAGE_PATIENCE: Duration = Duration::from_secs(20);

/// Opens the main window.
pub fn open_main<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let host = app.state::<Host>();
    let place = place::remembered(&host);
    let (size, at) = match place {
        Some(place) => place::fit(place.rect, &place::screens(app)),
        None => (place::FIRST, None),
    };
    let mut window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
        .title("Gatehouse")
        .inner_size(f64::from(size.0), f64::from(size.1))
        .min_inner_size(f64::from(place::LEAST.0), f64::from(place::LEAST.1))
        .maximized(place.is_some_and(|place| place.maximized));
    if let Some((x, y)) = at {
        window = window.position(f64::from(x), f64::from(y));
    }
    let window = window.build()?;
    if let Some(place) = place {
        place::opened(&window, place);
    }
    let app = app.clone();
    async_runtime::spawn(async move {
        tokio::time::sleep(PAGE_PATIENCE).await;
        if !app.state::<Pump>().was_started() {
            tracing::error!(
                "the window has not shown its page yet. With some graphics drivers it stays blank: start Gatehouse with \
                 WEBKIT_DISABLE_DMABUF_RENDERER=1. The gatehouse command works without a window."
            );
        }
    });
    Ok(())
}

/// Brings the main window to the front.
pub fn raise<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(MAIN) else {
        return;
    };
    for done in [window.unminimize(), window.show(), window.set_focus()] {
        if let Err(error) = done {
            tracing::warn!("the window can't be brought to the front: {error}");
        }
    }
}

/// A later start of the same home brings this window to the front.
pub fn on_rings<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    async_runtime::spawn(async move {
        let places = app.state::<Host>().places().clone();
        let Some(mut rings) = Rings::of(&places) else { return };
        while rings.next().await.is_some() {
            raise(&app);
        }
    });
}

/// Opens the small window in the person's theme (it can't ask for it), or brings it to the front.
pub fn open_path<R: Runtime>(app: &AppHandle<R>, theme: Theme) -> tauri::Result<()> {
    if let Some(window) = app.get_webview_window(PATH) {
        return window.set_focus();
    }
    let page = format!("path.html?theme={}", theme.word());
    WebviewWindowBuilder::new(app, PATH, WebviewUrl::App(page.into()))
        .title("Add a folder by its path")
        .inner_size(560.0, 260.0)
        .min_inner_size(420.0, 220.0)
        .build()
        .map(drop)
}

/// Closing the main window quits; a drop on it adds folders.
pub fn on_event<R: Runtime>(window: &Window<R>, event: &WindowEvent) {
    if window.label() != MAIN {
        return;
    }
    match event {
        WindowEvent::Moved(_) | WindowEvent::Resized(_) => place::look(window),
        WindowEvent::Focused(true) => wake::seen(window.app_handle()),
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            place::look(window);
            // It goes from sight at once; servers may take a moment to end.
            let _ = window.hide();
            quit::quit(window.app_handle(), 0);
        }
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            let (host, paths) = (window.state::<Host>().inner().clone(), paths.clone());
            async_runtime::spawn(async move {
                match host.add_folders(paths, None).await {
                    Ok(added) => {
                        for failed in added {
                            if let Some(problem) = failed.problem {
                                host.add_notice(&format!("{} was not added: {problem}.", failed.path));
                            }
                        }
                    }
                    Err(error) => host.add_notice(&error.view().message),
                }
            });
        }
        _ => {}
    }
}
