//! The house rules as tests: what a machine can check of the style and of the borders between the parts.
//!
//! Each test collects everything that breaks its rule and says which rule, where, and why. Nothing is built or run here but
//! `git ls-files` and `cargo metadata`/`cargo tree`. Formatting and lints are checked by `./dev check`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use gatehouse_tests::bins::workspace_root;
use serde_json::Value;

/// Every file of the project, tracked or about to be, by path from the root, with its text where it is text.
static FILES: LazyLock<BTreeMap<String, Option<String>>> = LazyLock::new(|| {
    let listed = run(Command::new("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]));
    let read = |path: &str| std::fs::read(workspace_root().join(path)).ok();
    let names = listed.split('\0').filter(|path| !path.is_empty());
    names
        .filter_map(|path| Some((path.to_owned(), String::from_utf8(read(path)?).ok())))
        .collect()
});

fn run(command: &mut Command) -> String {
    let output = command
        .current_dir(workspace_root())
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Text files whose name ends in one of these.
fn files(endings: &'static [&'static str]) -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = move |path: &str| endings.iter().any(|ending| path.ends_with(ending));
    FILES
        .iter()
        .filter(move |(path, _)| named(path))
        .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
}

fn check(rule: &str, broken: impl IntoIterator<Item = String>) {
    let broken: Vec<String> = broken.into_iter().collect();
    assert!(broken.is_empty(), "{rule}\n  {}", broken.join("\n  "));
}

#[test]
fn every_rust_file_says_what_it_is() {
    let silent = files(&[".rs"]).filter(|(_, text)| !text.starts_with("//! "));
    check(
        "every .rs opens with `//! `: what it is, and what it is not",
        silent.map(|(path, _)| path.to_owned()),
    );
}

#[test]
fn files_are_short() {
    let code = files(&[".rs", ".ts", ".svelte", ".css", ".js", ".mjs", ".sh", ".py", "dev"]);
    let long = code.filter_map(|(path, text)| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let test =
            path.starts_with("tests/") || path.contains("/tests/") || name == "tests.rs" || name.contains(".test.");
        let limit = if test { 800 } else { 400 };
        let lines = text.lines().count();
        (lines > limit && !path.starts_with("ui/src/ipc/bindings/"))
            .then(|| format!("{path}: {lines} lines, {limit} is the stop"))
    });
    check("a file that is too long holds two things: split it", long);
}

#[test]
fn files_are_named_for_what_they_hold() {
    const EMPTY: [&str; 9] = [
        "util", "utils", "helper", "helpers", "manager", "service", "services", "common", "misc",
    ];
    let named = FILES
        .keys()
        .filter(|path| [".rs", ".ts", ".svelte"].iter().any(|ending| path.ends_with(ending)));
    let badly = named.filter_map(|path| {
        if path.ends_with("/mod.rs") {
            return Some(format!("{path}: a module's file carries the module's name"));
        }
        let word = words(path).into_iter().find(|word| EMPTY.contains(&word.as_str()))?;
        Some(format!("{path}: \"{word}\" says nothing about what is in it"))
    });
    check("no mod.rs, and no names that fit anything", badly);
}

/// The words of a path, split at punctuation and at humps, in lower case.
fn words(path: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in path.chars() {
        if !letter.is_ascii_alphanumeric() || (letter.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if letter.is_ascii_alphanumeric() {
            words
                .last_mut()
                .expect("there is always a word")
                .push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    words
}

#[test]
fn the_crates_know_no_window() {
    const WINDOW: [&str; 9] = [
        "tauri",
        "wry",
        "tao",
        "webkit",
        "gtk",
        "gdk",
        "soup",
        "javascriptcore",
        "muda",
    ];
    for package in ["gatehouse-mcp", "gatehouse-host", "gatehouse-cli"] {
        let tree = run(Command::new(env!("CARGO")).args(["tree", "-p", package, "-e", "normal", "--prefix", "none"]));
        let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
        let windows = names.into_iter().filter(|name| {
            name.split(['-', '_'])
                .any(|part| WINDOW.iter().any(|word| part.starts_with(word)))
        });
        check(
            &format!("{package} must work where there is no desktop"),
            windows.map(str::to_owned),
        );
    }
}

#[test]
fn the_crates_depend_one_way() {
    let metadata = run(Command::new(env!("CARGO")).args(["metadata", "--no-deps", "--format-version", "1"]));
    let metadata: Value = serde_json::from_str(&metadata).expect("cargo writes JSON");
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("gatehouse-mcp", &[][..]),
        ("gatehouse-host", &["gatehouse-mcp"]),
        ("gatehouse-cli", &["gatehouse-host", "gatehouse-mcp"]),
        ("gatehouse-desktop", &["gatehouse-host"]),
        ("gatehouse-tests", &["gatehouse-cli", "gatehouse-host", "gatehouse-mcp"]),
    ]);
    let mut broken = Vec::new();
    for package in metadata["packages"].as_array().expect("there are packages") {
        let name = package["name"].as_str().expect("a package has a name");
        let Some(may) = allowed.get(name) else {
            broken.push(format!(
                "{name}: a crate that this rule doesn't know; say here what it may use"
            ));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            if used.starts_with("gatehouse-") && !may.contains(&used) {
                broken.push(format!("{name} uses {used}"));
            }
        }
    }
    check("ui → src-tauri → host → mcp, cli → host → mcp, and never back", broken);
}

#[test]
fn the_commands_are_the_same_everywhere() {
    let text = |path: &str| FILES.get(path).and_then(|text| text.as_deref());
    let Some(build) = text("src-tauri/build.rs") else {
        return;
    };
    let named: BTreeSet<String> = quoted(
        between(build, "COMMANDS: &[&str] = &[", "];").expect("build.rs lists COMMANDS"),
        '"',
    )
    .collect();
    assert!(!named.is_empty(), "build.rs names no command");
    let mut lists = Vec::new();
    let shell = FILES
        .iter()
        .filter(|(path, _)| path.starts_with("src-tauri/src/") && path.ends_with(".rs"));
    let shell: String = shell
        .filter_map(|(_, text)| text.as_deref())
        .collect::<Vec<_>>()
        .join("\n");
    if shell.contains("#[tauri::command") {
        let handlers = between(&shell, "generate_handler![", "]").expect("commands are wired by generate_handler!");
        let last = |path: &str| path.trim().rsplit("::").next().unwrap_or_default().to_owned();
        lists.push((
            "the invoke handler",
            handlers
                .split(',')
                .map(last)
                .filter(|name| !name.is_empty())
                .collect::<BTreeSet<_>>(),
        ));
    }
    if FILES.keys().any(|path| path.starts_with("ui/src/ipc/")) {
        let page = files(&[".ts", ".svelte"]).filter(|(path, _)| path.starts_with("ui/src/ipc/"));
        lists.push(("ui/src/ipc", page.flat_map(|(_, text)| invoked(text)).collect()));
    }
    if FILES.keys().any(|path| path.starts_with("src-tauri/capabilities/")) {
        let granted = files(&[".json"]).filter(|(path, _)| path.starts_with("src-tauri/capabilities/"));
        let allowed = granted.flat_map(|(_, text)| {
            quoted(text, '"').filter_map(|word| Some(word.strip_prefix("allow-")?.replace('-', "_")))
        });
        lists.push(("src-tauri/capabilities", allowed.collect()));
    }
    let mut broken = Vec::new();
    for (place, list) in lists {
        broken.extend(
            named
                .difference(&list)
                .map(|name| format!("{name} is in build.rs and not in {place}")),
        );
        broken.extend(
            list.difference(&named)
                .map(|name| format!("{name} is in {place} and not in build.rs")),
        );
    }
    check(
        "a command that is missing in one list is open to every window, or dead",
        broken,
    );
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(inside, _)| inside)
}

fn quoted(text: &str, quote: char) -> impl Iterator<Item = String> {
    text.split(quote).skip(1).step_by(2).map(str::to_owned)
}

/// The first argument of each `invoke(…)` or `invoke<…>(…)`.
fn invoked(text: &str) -> Vec<String> {
    let calls = text.match_indices("invoke").filter_map(|(at, word)| {
        let rest = text[at + word.len()..].trim_start();
        let open = if rest.starts_with('<') { rest.find('(')? } else { 0 };
        let argument = rest[open..].strip_prefix('(')?.trim_start();
        let quote = argument.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        argument[1..].split(quote).next().map(str::to_owned)
    });
    calls.collect()
}

#[test]
fn every_requirement_names_tests_that_exist() {
    let text = |path: &str| FILES.get(path).and_then(|text| text.as_deref());
    let table = text("docs/requirements.md").expect("the table of requirements is there");
    let rows = table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.parse::<u8>().ok()?, cells.collect::<Vec<_>>()))
    });
    let rows: BTreeMap<u8, Vec<&str>> = rows.collect();
    let mut broken: Vec<String> = (1..=30)
        .filter(|number| !rows.contains_key(number))
        .map(|number| format!("row {number} is missing"))
        .collect();
    for (number, cells) in &rows {
        let named: Vec<String> = cells.get(1).into_iter().flat_map(|cell| quoted(cell, '`')).collect();
        let lacks = cells.get(2).is_some_and(|cell| cell.contains("not yet"));
        if named.is_empty() && !lacks {
            broken.push(format!(
                "row {number} names no test, and does not say that there is none yet"
            ));
        }
        broken.extend(
            named
                .iter()
                .filter(|name| !is_test(name))
                .map(|name| format!("row {number}: there is no test {name}")),
        );
    }
    check("docs/requirements.md says of each requirement what holds it", broken);
}

/// Is there a test of this name in a file of its suite? `mcp` and `host` are crates, everything else is a suite.
fn is_test(name: &str) -> bool {
    let mut parts: Vec<&str> = name.split("::").collect();
    let Some(last) = parts.pop() else { return false };
    let place = match parts.first().copied() {
        Some(part @ ("mcp" | "host")) => format!("src-tauri/crates/{part}/"),
        Some("e2e") => "tests/e2e/".to_owned(),
        Some(suite) => format!("tests/suites/{suite}"),
        None => return false,
    };
    let inner = parts.get(1).map_or("", |part| part);
    let (plain, waiting) = (format!("fn {last}() {{"), format!("async fn {last}() {{"));
    files(&[".rs"]).any(|(path, text)| {
        path.starts_with(&place)
            && path.contains(inner)
            && text
                .lines()
                .any(|line| [&plain, &waiting].contains(&&line.trim().to_owned()))
    })
}

#[test]
fn nothing_names_this_machine() {
    // Put together here, so that this file holds none of them.
    let paths = [
        ["/wo", "rk/"].concat(),
        ["/ro", "ot/"].concat(),
        ["/tmp/", "t-"].concat(),
    ];
    let hosts = [
        ["registry.npm", "js.org"].concat(),
        ["arti", "factory"].concat(),
        ["index.crates", ".io"].concat(),
        ["static.crates", ".io"].concat(),
        ["files.python", "hosted.org"].concat(),
        ["pypi", ".org"].concat(),
    ];
    let mut broken = Vec::new();
    for (path, text) in FILES.iter().filter_map(|(path, text)| Some((path, text.as_deref()?))) {
        for (number, line) in text.lines().enumerate() {
            let machine = paths.iter().find(|known| {
                // A sample such as /home/ada/… may go on with the same word.
                let starts = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "/._-~}".contains(c));
                line.match_indices(known.as_str()).any(|(at, _)| starts(at))
            });
            for word in machine
                .into_iter()
                .chain(hosts.iter().filter(|host| line.contains(host.as_str())))
            {
                broken.push(format!("{path}:{}: {word}", number + 1));
            }
        }
    }
    check(
        "a path or a registry of the machine it was written on works nowhere else",
        broken,
    );
}

#[test]
fn the_page_holds_no_raw_html_and_no_inline_style() {
    let mut broken = Vec::new();
    for (path, text) in files(&[".svelte", ".html"]).filter(|(path, _)| path.starts_with("ui/")) {
        for (number, line) in text.lines().enumerate() {
            for (word, why) in [
                ("{@html", "text from a server is shown as text"),
                (
                    " style=\"",
                    "the page's policy blocks inline styles; use a class and a token",
                ),
                (
                    " style={",
                    "the page's policy blocks inline styles; use a class and a token",
                ),
            ] {
                if line.contains(word) {
                    broken.push(format!("{path}:{}: {} ({why})", number + 1, word.trim()));
                }
            }
        }
    }
    check("no {@html and no style= in the page", broken);
}

#[test]
fn the_page_imports_one_way() {
    let mut broken = Vec::new();
    for (path, text) in files(&[".ts", ".svelte"]).filter(|(path, _)| path.starts_with("ui/src/")) {
        for import in imports(text) {
            let target = resolve(path, &import);
            let (from, to) = (part(path), part(&target));
            let why = match (&from, &to) {
                (Part::Feature(a), Part::Feature(b)) if a != b => "a feature never imports a feature",
                (Part::Kit, Part::Feature(_) | Part::Ipc) => "the kit knows no feature and no ipc",
                (Part::Ipc, Part::Feature(_) | Part::Kit) => "ipc knows nothing of the screen",
                (Part::Feature(_) | Part::Kit | Part::Other, _) if import.starts_with("@tauri-apps/") => {
                    "only ui/src/ipc knows Tauri"
                }
                _ => continue,
            };
            broken.push(format!("{path} imports {import}: {why}"));
        }
    }
    check("App → features → {ipc, kit}", broken);
}

#[derive(PartialEq)]
enum Part {
    Feature(String),
    Kit,
    Ipc,
    Other,
}

fn part(path: &str) -> Part {
    let parts: Vec<&str> = path.strip_prefix("ui/src/").unwrap_or_default().split('/').collect();
    match parts.as_slice() {
        ["features", feature, ..] => Part::Feature((*feature).to_owned()),
        ["kit", ..] => Part::Kit,
        ["ipc", ..] => Part::Ipc,
        _ => Part::Other,
    }
}

/// What stands in quotes after `from`, `import` or `import(`.
fn imports(text: &str) -> Vec<String> {
    let starts = [" from '", " from \"", "import '", "import \"", "import('", "import(\""];
    let found = starts.iter().flat_map(|start| {
        let quote = start.chars().last().expect("each start ends with a quote");
        text.split(start)
            .skip(1)
            .filter_map(move |rest| rest.split(quote).next())
    });
    found.map(str::to_owned).collect()
}

/// A relative import as a path from the root; `$lib` and `@` aliases stand for ui/src.
fn resolve(from: &str, import: &str) -> String {
    for alias in ["$lib/", "@/", "src/"] {
        if let Some(rest) = import.strip_prefix(alias) {
            return format!("ui/src/{rest}");
        }
    }
    if !import.starts_with('.') {
        return import.to_owned();
    }
    let mut path = PathBuf::new();
    for component in Path::new(from)
        .parent()
        .unwrap_or(Path::new(""))
        .join(import)
        .components()
    {
        match component {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path.to_string_lossy().replace('\\', "/")
}
