//! The window among others on a desktop: one a home, where it was, and woken by a question without taking the focus.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use gatehouse_tests::bins;
use gatehouse_tests::fake::FakeServer;
use gatehouse_tests::script::Script;
use serde_json::{Value, json};

use crate::desk::question;
use crate::window::{Home, Window};

const LIMIT: Duration = Duration::from_secs(20);

/// What `xdotool` prints, or nothing where it fails.
fn xdotool(args: &[&str]) -> String {
    let run = Command::new("xdotool").args(args).output().expect("xdotool runs");
    String::from_utf8_lossy(&run.stdout).trim().to_owned()
}

/// The windows of Gatehouse that can be seen.
fn seen() -> Vec<String> {
    xdotool(&["search", "--onlyvisible", "--name", "^Gatehouse$"])
        .lines()
        .map(str::to_owned)
        .collect()
}

fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(began.elapsed() < LIMIT, "waited {LIMIT:?} for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Left, top, width and height, once they stand still.
fn geometry() -> [i64; 4] {
    let read = || {
        let id = seen().first()?.clone();
        let told = xdotool(&["getwindowgeometry", "--shell", &id]);
        let one = |name: &str| {
            told.lines()
                .find_map(|line| line.strip_prefix(name)?.parse::<i64>().ok())
        };
        Some([one("X=")?, one("Y=")?, one("WIDTH=")?, one("HEIGHT=")?])
    };
    until("the window to stand still", || {
        let before = read()?;
        std::thread::sleep(Duration::from_millis(400));
        (read()? == before).then_some(before)
    })
}

#[test]
fn the_window_comes_back_where_it_was() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let id = until("the window", || seen().first().cloned());
    xdotool(&["windowsize", "--sync", &id, "900", "640"]);
    xdotool(&["windowmove", "--sync", &id, "140", "90"]);
    let put = geometry();
    assert_eq!(&put[2..], [900, 640], "it took the size");
    // Twice: a place that drifts does so at each start.
    let window = window.quit().open();
    assert_eq!(geometry(), put, "it is where it was");
    let window = window.quit().open();
    assert_eq!(geometry(), put, "and does not drift");

    let closed = window.quit();
    closed.write_setting("window-place", "9000 9000 900 640 false");
    let window = closed.open();
    let [x, y, width, _] = geometry();
    assert!(
        (-width..1280).contains(&x) && (0..900).contains(&y),
        "a place on a screen that is gone is not taken: {x} {y}"
    );
    assert_eq!(width, 900, "its size is");
    let closed = window.quit();
    closed.write_setting("window-place", "what?");
    let window = closed.open();
    assert_eq!(geometry()[2], 1180, "a damaged note is no note");
    drop(window);
}

/// A second start of the window's program, without a driver.
fn start(home: &std::path::Path) -> Child {
    Command::new(bins::gatehouse().with_file_name("gatehouse-desktop"))
        .env("GATEHOUSE_HOME", home)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the window's program starts")
}

#[test]
fn a_second_start_brings_the_first_window_to_the_front() {
    let Some(home) = Home::new() else { return };
    let window = home.open();
    let id = until("the window", || seen().first().cloned());
    xdotool(&["windowminimize", "--sync", &id]);
    until("the window to be put away", || seen().is_empty().then_some(()));
    let second = start(window.home()).wait_with_output().expect("it ends");
    assert!(second.status.success(), "it ends in order: {second:?}");
    let said = String::from_utf8_lossy(&second.stdout).into_owned();
    assert!(said.contains("open already"), "and says why: {said}");
    until("the window to be in front", || {
        (seen() == [id.clone()] && xdotool(&["getactivewindow"]) == id).then_some(())
    });

    let other = window.place.path().join("other home");
    let mut second = start(&other);
    until("the window of another home", || (seen().len() == 2).then_some(()));
    second.kill().expect("it lives");
    let _ = second.wait();
    until("it to go", || (seen().len() == 1).then_some(()));
    let third = start(&other);
    until("a window after one that was killed", || {
        (seen().len() == 2).then_some(())
    });
    let mut third = third;
    third.kill().expect("it lives");
    let _ = third.wait();
}

/// A desktop with notifications, and a window elsewhere.
struct Desktop {
    process: Child,
    told: Lines<BufReader<ChildStdout>>,
}

impl Desktop {
    fn start() -> Self {
        // The system's own Python: the desktop's bindings are installed for it.
        let mut process = Command::new("/usr/bin/python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/desktop.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the desktop starts");
        let told = BufReader::new(process.stdout.take().expect("its output")).lines();
        Self { process, told }
    }

    fn next(&mut self) -> Value {
        let line = self.told.next().expect("it goes on").expect("UTF-8");
        serde_json::from_str(&line).expect("a line of JSON")
    }

    /// The next of a kind.
    fn until(&mut self, event: &str) -> Value {
        loop {
            let next = self.next();
            if next["event"] == event {
                return next;
            }
        }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Is a window marked as one that wants to be looked at? `xdotool` can't tell, so the X server is asked.
fn marked(id: &str) -> bool {
    let look = "
import ctypes, sys
class Hints(ctypes.Structure):
    _fields_ = [('flags', ctypes.c_long), ('rest', ctypes.c_long * 8)]
x = ctypes.CDLL('libX11.so.6')
x.XOpenDisplay.restype = ctypes.c_void_p
x.XGetWMHints.restype = ctypes.POINTER(Hints)
x.XGetWMHints.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
hints = x.XGetWMHints(x.XOpenDisplay(None), int(sys.argv[1]))
print(bool(hints) and bool(hints.contents.flags & 1 << 8))";
    let run = Command::new("/usr/bin/python3").args(["-c", look, id]).output();
    String::from_utf8_lossy(&run.expect("Python runs").stdout).trim() == "True"
}

fn asks(window: &Window) {
    // A click of WebDriver's could bring the window to the front.
    window
        .page
        .script("document.querySelector('[data-testid=call]').click()", &json!([]));
}

#[test]
fn a_question_wakes_the_window_without_a_word_of_content() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&Script::modern().asks_roots("where", Some("s1")));
    let window = home.server("asker", &fake).open();
    let page = &window.page;
    window.add_folder("site");
    window.connect("asker");
    page.test_id("tool-where").click();
    page.test_id("call").wait_enabled();
    let id = until("the window", || seen().first().cloned());

    let mut desktop = Desktop::start();
    desktop.until("focused");
    until("the window to know it", || {
        (page.script("return document.hasFocus()", &json!([])) == json!(false)).then_some(())
    });
    assert!(!marked(&id), "nothing waits yet");
    asks(&window);
    let notice = desktop.until("notify");
    assert_eq!(notice["summary"], "Gatehouse");
    assert_eq!(notice["body"], "A server asks something.");
    let all = notice["all"].as_str().expect("text");
    assert!(
        !all.contains("asker") && !all.contains("site") && !all.contains("where"),
        "others may see the screen: {all}"
    );
    question(page);
    until("the window to be marked", || marked(&id).then_some(()));
    assert_ne!(xdotool(&["getactivewindow"]), id, "the focus stays where it was");
    assert_eq!(
        page.count("[data-testid=share-once][aria-disabled=true]"),
        1,
        "nothing can be shared by a window that nobody looks at"
    );
    let mut click = desktop.process.stdin.take().expect("its input");
    click.write_all(b"click\n").expect("it reads");
    until("the window to be in front", || {
        (xdotool(&["getactivewindow"]) == id).then_some(())
    });
    desktop.until("closed");
    question(page);
}

#[test]
fn the_words_of_the_desktop_can_be_switched_off() {
    let Some(home) = Home::new() else { return };
    let fake = FakeServer::new(&Script::modern().asks_roots("where", Some("s1")));
    let window = home.server("asker", &fake).open();
    let page = &window.page;
    window.add_folder("site");
    window.connect("asker");
    page.test_id("tool-where").click();
    page.test_id("call").wait_enabled();
    let id = until("the window", || seen().first().cloned());
    page.script_async(
        "const done = arguments[arguments.length - 1];
         window.__TAURI_INTERNALS__.invoke('change_settings', { key: 'notifications', value: 'off' }).then(done, done)",
        &json!([]),
    );
    let mut desktop = Desktop::start();
    desktop.until("focused");
    until("the window to know it", || {
        (page.script("return document.hasFocus()", &json!([])) == json!(false)).then_some(())
    });
    asks(&window);
    question(page);
    until("the window to be marked", || marked(&id).then_some(()));
    // Time in which it would have been said.
    std::thread::sleep(Duration::from_millis(800));
    let closing = desktop.process.stdin.take();
    drop(closing);
    let said = desktop.told.by_ref().map_while(Result::ok).collect::<String>();
    assert!(!said.contains("notify"), "nothing was shown: {said}");
}
