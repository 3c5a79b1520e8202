//! A question wakes the window: the desktop marks it, and says without any content that something waits. It takes no focus, and
//! it answers nothing; a click on what the desktop says brings the window to the front.

use std::collections::BTreeSet;

use gatehouse_host::Host;
use gatehouse_host::view::Update;
use tauri::{AppHandle, Manager, Runtime, UserAttentionType, WebviewWindow};

use crate::windows;

/// What the desktop is told to show. No server and no folder is named: others may see the screen.
#[cfg(any(target_os = "linux", test))]
const WORDS: &str = "A server asks something.";

/// What a change of the open questions asks of the desktop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    /// A new question waits, and nobody looks.
    Wake,
    /// Nothing waits any more.
    Rest,
    /// Nothing to do.
    Nothing,
}

/// The questions that were open when it was looked last.
#[derive(Debug, Default)]
pub struct Waiting(BTreeSet<u64>);

impl Waiting {
    fn call(&mut self, open: BTreeSet<u64>, looked: bool) -> Call {
        let new = open.difference(&self.0).next().is_some();
        let over = open.is_empty() && !self.0.is_empty();
        self.0 = open;
        match (new, looked, over) {
            (true, false, _) => Call::Wake,
            (_, _, true) => Call::Rest,
            _ => Call::Nothing,
        }
    }

    /// Hears of the open questions. The window is looked at now, not when it was opened. The mark is always made; the words are
    /// the person's to switch off.
    pub async fn hear<R: Runtime>(&mut self, window: &WebviewWindow<R>, host: &Host, update: &Update) {
        let Update::Questions { questions } = update else {
            return;
        };
        let open = questions.iter().map(|question| question.id).collect();
        match self.call(open, window.is_focused().unwrap_or(true)) {
            Call::Wake => {
                // Not every desktop can mark a window; the question waits all the same.
                let _ = window.request_user_attention(Some(UserAttentionType::Informational));
                if host.settings().await.is_ok_and(|settings| settings.notifications) {
                    say(window.app_handle());
                }
            }
            Call::Rest => hush(window.app_handle()),
            Call::Nothing => {}
        }
    }
}

/// The window has the focus: what the desktop shows has done its work.
pub fn seen<R: Runtime>(app: &AppHandle<R>) {
    hush(app);
}

#[cfg(target_os = "linux")]
use desktop::{hush, say};

/// The desktop's notifications, over the session's bus by the library that the window brings. Nothing of it can be called by the
/// page, and a desktop without them is left alone.
#[cfg(target_os = "linux")]
mod desktop {
    use std::cell::Cell;
    use std::collections::HashMap;

    use gio::glib::{ToVariant, Variant, VariantTy};
    use gio::{BusType, Cancellable, DBusCallFlags, DBusConnection, DBusSignalFlags};

    use super::{AppHandle, Runtime, WORDS, windows};

    const NAME: &str = "org.freedesktop.Notifications";
    const PATH: &str = "/org/freedesktop/Notifications";

    thread_local! {
        /// What is shown now: the desktop's number, 0 for nothing. Only the thread of the window touches it.
        static SHOWN: Cell<u32> = const { Cell::new(0) };
        static LISTENS: Cell<bool> = const { Cell::new(false) };
    }

    /// Shows the words, in the place of those that are shown already.
    pub(super) fn say<R: Runtime>(app: &AppHandle<R>) {
        with_bus(app, |bus, app| {
            if !LISTENS.replace(true) {
                listen(&bus, app);
            }
            let hints: HashMap<&str, Variant> = HashMap::from([
                ("desktop-entry", "Gatehouse".to_variant()),
                ("urgency", 1u8.to_variant()),
            ]);
            let actions = vec!["default", "Open Gatehouse"];
            let shown = SHOWN.get();
            let message = (
                "Gatehouse",
                shown,
                "gatehouse-desktop",
                "Gatehouse",
                WORDS,
                actions,
                hints,
                -1i32,
            );
            let reply = VariantTy::new("(u)").ok();
            let done = |reply: Result<Variant, _>| match reply {
                Ok(reply) => SHOWN.set(reply.get::<(u32,)>().map_or(0, |(number,)| number)),
                Err(error) => tracing::debug!("the desktop shows no notifications: {error}"),
            };
            call(&bus, "Notify", &message.to_variant(), reply, done);
        });
    }

    /// Takes the words away.
    pub(super) fn hush<R: Runtime>(app: &AppHandle<R>) {
        with_bus(app, |bus, _| {
            let shown = SHOWN.replace(0);
            if shown != 0 {
                call(&bus, "CloseNotification", &(shown,).to_variant(), None, |_| {});
            }
        });
    }

    /// Brings the window to the front when the words are clicked.
    fn listen<R: Runtime>(bus: &DBusConnection, app: AppHandle<R>) {
        bus.signal_subscribe(
            Some(NAME),
            Some(NAME),
            Some("ActionInvoked"),
            Some(PATH),
            None,
            DBusSignalFlags::NONE,
            move |_, _, _, _, _, told| {
                if told
                    .get::<(u32, String)>()
                    .is_some_and(|(number, _)| number == SHOWN.get())
                {
                    windows::raise(&app);
                }
            },
        );
    }

    fn with_bus<R: Runtime>(app: &AppHandle<R>, act: impl FnOnce(DBusConnection, AppHandle<R>) + Send + 'static) {
        let handle = app.clone();
        let asked = app.run_on_main_thread(move || {
            gio::bus_get(BusType::Session, Cancellable::NONE, move |bus| match bus {
                Ok(bus) => act(bus, handle),
                Err(error) => tracing::debug!("there is no session bus: {error}"),
            });
        });
        // The window is going; nobody needs to be told of anything.
        drop(asked);
    }

    fn call(
        bus: &DBusConnection,
        method: &str,
        message: &Variant,
        reply: Option<&VariantTy>,
        done: impl FnOnce(Result<Variant, gio::glib::Error>) + Send + 'static,
    ) {
        let (flags, patience_ms) = (DBusCallFlags::NONE, 5_000);
        bus.call(
            Some(NAME),
            PATH,
            NAME,
            method,
            Some(message),
            reply,
            flags,
            patience_ms,
            Cancellable::NONE,
            done,
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn say<R: Runtime>(_: &AppHandle<R>) {}

#[cfg(not(target_os = "linux"))]
fn hush<R: Runtime>(_: &AppHandle<R>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_question_wakes_who_does_not_look() {
        let mut waiting = Waiting::default();
        let mut check = |open: &[u64], looked, expect, why: &str| {
            assert_eq!(waiting.call(open.iter().copied().collect(), looked), expect, "{why}");
        };
        check(&[], false, Call::Nothing, "nothing waits");
        check(&[1], true, Call::Nothing, "the person is there");
        check(&[1, 2], false, Call::Wake, "a new one, and nobody looks");
        check(&[1, 2], false, Call::Nothing, "it was said");
        check(&[2, 3], false, Call::Wake, "as many as before, and one of them is new");
        check(&[3], false, Call::Nothing, "one was settled elsewhere");
        check(&[], false, Call::Rest, "all were");
        check(&[], false, Call::Nothing, "and that was said too");
    }

    #[test]
    fn what_is_said_names_nobody() {
        assert_eq!(WORDS, "A server asks something.");
    }
}
