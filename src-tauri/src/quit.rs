//! Quitting in order: questions get no answer, calls end, servers are stopped, then the process ends.

use std::sync::atomic::{AtomicBool, Ordering};

use gatehouse_host::Host;
use tauri::{AppHandle, Manager, RunEvent, Runtime, async_runtime};

use crate::place;

static QUITTING: AtomicBool = AtomicBool::new(false);

/// Quits; a second call changes nothing.
pub fn quit<R: Runtime>(app: &AppHandle<R>, code: i32) {
    if QUITTING.swap(true, Ordering::AcqRel) {
        return;
    }
    let (app, host) = (app.clone(), app.state::<Host>().inner().clone());
    async_runtime::spawn(async move {
        // Who starts Gatehouse while this one stops its servers gets a window of their own.
        drop(
            app.state::<crate::Held>()
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .take(),
        );
        place::keep(&app).await;
        host.quit().await;
        app.exit(code);
    });
}

/// An end that was not asked for through the window (the last window gone, the session ending) goes the same way.
pub fn on_run_event<R: Runtime>(app: &AppHandle<R>, event: RunEvent) {
    if let RunEvent::ExitRequested { api, code: None, .. } = event {
        api.prevent_exit();
        quit(app, 0);
    }
}

/// The signals by which the system or a terminal ends a program.
pub fn on_signals<R: Runtime>(app: &AppHandle<R>) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
            let app = app.clone();
            async_runtime::spawn(async move {
                match signal(kind) {
                    Ok(mut signals) => {
                        signals.recv().await;
                        quit(&app, 0);
                    }
                    Err(error) => tracing::warn!("a signal can't be heard: {error}"),
                }
            });
        }
    }
    #[cfg(not(unix))]
    let _ = app;
}
