//! Folders and servers as they are listed and changed: what the command prints, and what stands in the files afterwards.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use gatehouse_tests::command::Gatehouse;
use gatehouse_tests::real::Launch;
use serde_json::{Value, json};

use super::{CLOSED, asks, check, demo};

// ---- Folders ------------------------------------------------------------------------------------------------------------

#[test]
fn folders_are_added_listed_renamed_and_removed() {
    let gatehouse = Gatehouse::new();
    let (a, b) = (gatehouse.folder("a"), gatehouse.folder("b"));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    check(&gatehouse, &["folders", "list"], 0, "No folders yet");
    check(&gatehouse, &["folders", "add", a], 0, "No server knows of it yet");
    let (_, added) = gatehouse.json(["folders", "add", b, "--name", "Bee"]);
    assert_eq!(added["added"][0]["path"], json!(b), "it says what was added");
    let (done, listed) = gatehouse.json(["folders", "list"]);
    assert_eq!(done.stderr, "", "a result has no diagnostics");
    let names: Vec<&Value> = listed["folders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|folder| &folder["name"])
        .collect();
    assert_eq!(
        names,
        [&json!("a"), &json!("Bee")],
        "in the order in which they were added"
    );
    check(&gatehouse, &["folders", "list"], 0, "Bee");
    check(&gatehouse, &["folders", "rename", a, "Ay"], 0, "“Ay”");
    let (_, renamed) = gatehouse.json(["folders", "rename", a, "Eh"]);
    assert_eq!(renamed["renamed"]["name"], json!("Eh"), "the new name");
    check(&gatehouse, &["folders", "rename", a, " "], 2, "can't be empty");
    let (_, removed) = gatehouse.json(["folders", "remove", a]);
    assert_eq!(removed["removed"]["path"], json!(a), "it says what was removed");
    check(&gatehouse, &["folders", "remove", a], 2, "there is no folder");
    std::fs::remove_dir(b).unwrap();
    check(&gatehouse, &["folders", "list"], 0, "missing");
    check(&gatehouse, &["folders", "remove", b], 0, "off the list");
    let (_, listed) = gatehouse.json(["folders", "list"]);
    assert_eq!(listed, json!({ "folders": [] }), "none is left");
}

#[test]
fn folders_that_cannot_be_added_say_why_and_cost_themselves_alone() {
    let gatehouse = Gatehouse::new();
    let good = gatehouse.folder("good");
    let good = good.to_str().unwrap();
    let done = check(
        &gatehouse,
        &["folders", "add", "/nowhere/at/all", good],
        2,
        "/nowhere/at/all was not added",
    );
    assert!(done.stdout.contains(good), "the other one was added: {done:#?}");
    check(&gatehouse, &["folders", "add", good], 0, "in the list already");
    check(
        &gatehouse,
        &["folders", "add", good, "/", "--name", "x"],
        2,
        "--name goes with one folder only",
    );
    check(
        &gatehouse,
        &["folders", "add", "/dev/null"],
        2,
        "neither a folder nor a file",
    );
    let (done, document) = gatehouse.json(["folders", "remove", "/nowhere"]);
    assert_eq!(
        (done.code, &document["error"]["code"]),
        (2, &json!("notFound")),
        "an error is one document too"
    );
    assert!(done.stderr.contains("/nowhere"), "and words for a person: {done:#?}");
}

#[test]
fn paths_are_meant_from_here_and_links_stay() {
    let gatehouse = Gatehouse::new();
    let app = gatehouse.folder("app");
    std::fs::create_dir(app.join("sub")).unwrap();
    gatehouse.ok(["folders", "add", "folders/app/"]);
    gatehouse.ok(["folders", "add", "./folders/app/sub/../../app/sub"]);
    std::os::unix::fs::symlink(&app, gatehouse.here().join("link")).unwrap();
    gatehouse.folder("other");
    std::os::unix::fs::symlink(gatehouse.folder("other"), gatehouse.here().join("link2")).unwrap();
    gatehouse.ok(["folders", "add", "link2/"]);
    let (_, listed) = gatehouse.json(["folders", "list"]);
    let paths: Vec<&str> = listed["folders"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|folder| folder["path"].as_str())
        .collect();
    let here = |name: &str| gatehouse.here().join(name).display().to_string();
    assert_eq!(
        paths,
        [here("folders/app"), here("folders/app/sub"), here("link2")],
        "whole, plain, and as they were picked"
    );
    check(&gatehouse, &["folders", "add", "link"], 0, "in the list already");
    check(&gatehouse, &["folders", "remove", "folders/app/."], 0, "off the list");
    check(&gatehouse, &["folders", "rename", "link2/", "Linked"], 0, "Linked");
}

#[test]
fn names_that_are_not_text_keep_their_bytes() {
    let fake = asks();
    let gatehouse = Gatehouse::new();
    gatehouse.add("s", &fake.launch());
    let path = gatehouse.folder(OsStr::from_bytes(b"not \xff text"));
    gatehouse.ok([OsStr::new("folders"), OsStr::new("add"), path.as_os_str()]);
    let (_, listed) = gatehouse.json(["folders", "list"]);
    let uri = listed["folders"][0]["uri"].as_str().unwrap();
    assert!(uri.ends_with("/not%20%FF%20text"), "each byte stands in the URI: {uri}");
    let args = [
        OsStr::new("call"),
        OsStr::new("s"),
        OsStr::new("t"),
        OsStr::new("--share"),
        path.as_os_str(),
    ];
    gatehouse.ok(args);
    let told = fake.log().received_method("tools/call").pop().unwrap();
    assert!(told.raw.contains("/not%20%FF%20text"), "and leaves so: {}", told.raw);
    gatehouse.ok([OsStr::new("folders"), OsStr::new("remove"), path.as_os_str()]);
}

// ---- Servers ------------------------------------------------------------------------------------------------------------

#[test]
fn servers_are_added_listed_trusted_and_removed() {
    let gatehouse = Gatehouse::new();
    check(&gatehouse, &["servers", "list"], 0, "No servers yet");
    let here = gatehouse.here().display().to_string();
    let (_, added) = gatehouse.json([
        "servers",
        "add",
        "one",
        "--env",
        "A=1",
        "--env",
        "B=x=y",
        "--cwd",
        &here,
        "--",
        "prog",
        "--flag",
        "two words",
    ]);
    assert_eq!(added, json!({ "added": "one" }), "it says what was added");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(gatehouse.file("servers.json")).unwrap()).unwrap();
    let entry =
        json!({ "command": "prog", "args": ["--flag", "two words"], "env": { "A": "1", "B": "x=y" }, "cwd": here });
    assert_eq!(
        file,
        json!({ "mcpServers": { "one": entry } }),
        "the file has the shape that other hosts know"
    );
    check(&gatehouse, &["servers", "add", "One", "--", "prog"], 2, "there already");
    check(&gatehouse, &["servers", "add", "", "--", "prog"], 2, "");
    check(&gatehouse, &["servers", "list"], 0, "prog --flag 'two words'");
    let (_, listed) = gatehouse.json(["servers", "list"]);
    assert_eq!(
        listed["servers"][0]["trust"],
        json!("trusted"),
        "who adds a server here has allowed it"
    );
    let (_, trusted) = gatehouse.json(["servers", "trust", "one"]);
    assert_eq!(
        trusted["definition"]["command"],
        json!("prog"),
        "it says what was allowed"
    );
    check(&gatehouse, &["servers", "trust", "one"], 0, "prog --flag 'two words'");
    let (_, off) = gatehouse.json(["servers", "roots", "one", "off"]);
    assert_eq!(off, json!({ "server": "one", "rootsOffered": false }), "the switch");
    check(&gatehouse, &["servers", "list"], 0, "not offered");
    for unknown in [
        &["servers", "trust", "two"][..],
        &["servers", "remove", "two"],
        &["servers", "roots", "two", "on"],
        &["tools", "two"],
    ] {
        check(&gatehouse, unknown, 2, "there is no server two");
    }
    let (_, removed) = gatehouse.json(["servers", "remove", "one"]);
    assert_eq!(removed, json!({ "removed": "one" }), "it says what was removed");
}

#[test]
fn what_a_person_wrote_into_the_file_stays() {
    let text = "// my servers\n{\n  \"other\": [1, 2.50, 1e3], // keep\n  \"mcpServers\": {\n    /* first */\n    \"z\": { \"command\": \"z\", \"unknown\": {\"deep\": null}, \"args\": [] },\n    \"a\": { \"args\": [\"x\"], \"command\": \"a\", },\n  },\n  \"last\": \"\\u0041\"\n}\n";
    for text in [
        text.to_owned(),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.trim_end().to_owned(),
    ] {
        let gatehouse = Gatehouse::new();
        std::fs::create_dir(gatehouse.home()).unwrap();
        let file = gatehouse.file("servers.json");
        std::fs::write(&file, &text).unwrap();
        gatehouse.ok(["servers", "add", "new", "--", "prog"]);
        let added = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|line| !line.contains("\"a\"")) {
            assert!(
                added.lines().any(|kept| kept == line),
                "the line {line:?} stays in {added:?}"
            );
        }
        let ends = added.matches("\r\n").count();
        assert!(
            ends == 0 || ends == added.matches('\n').count(),
            "one kind of line end: {added:?}"
        );
        assert_eq!(
            added.starts_with('\u{feff}'),
            text.starts_with('\u{feff}'),
            "the mark at its begin stays"
        );
        let at = |name: &str| added.find(name).unwrap_or_else(|| panic!("{name} stands in {added}"));
        assert!(
            at("\"z\"") < at("\"a\"") && at("\"a\"") < at("\"new\""),
            "the order stays: {added}"
        );
        gatehouse.ok(["servers", "remove", "new"]);
        assert_eq!(
            std::fs::read_to_string(&file)
                .unwrap()
                .replace(",\r\n  }", "\r\n  }")
                .replace(",\n  }", "\n  }"),
            text.replace(",\r\n  }", "\r\n  }").replace(",\n  }", "\n  }"),
            "added and removed is as before"
        );
        gatehouse.ok(["servers", "remove", "z"]);
        let left = std::fs::read_to_string(&file).unwrap();
        assert!(
            left.contains("// my servers")
                && left.contains("1e3")
                && left.contains("\\u0041")
                && !left.contains("\"z\""),
            "only the entry went: {left}"
        );
    }
}

#[test]
fn a_broken_file_is_named_by_its_line_and_not_touched() {
    for (text, line) in [
        (
            "{\n  \"mcpServers\": {\n    \"a\": { \"command\": }\n  }\n}\n",
            "line 3",
        ),
        ("{\n  \"mcpServers\": []\n}\n", "mcpServers"),
        ("[]\n", "object"),
        ("{\n  \"mcpServers\": {\n", "line"),
    ] {
        let gatehouse = Gatehouse::new();
        std::fs::create_dir(gatehouse.home()).unwrap();
        let file = gatehouse.file("servers.json");
        std::fs::write(&file, text).unwrap();
        for args in [
            &["servers", "list"][..],
            &["servers", "add", "n", "--", "prog"],
            &["servers", "remove", "a"],
            &["servers", "trust", "a"],
            &["tools", "a"],
        ] {
            let done = check(&gatehouse, args, 2, line);
            assert!(
                done.stderr.contains("servers.json"),
                "{args:?} names the file: {done:#?}"
            );
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "{args:?} writes nothing");
        }
        let (done, _) = gatehouse.json(["servers", "list"]);
        assert_eq!(done.code, 2, "with --json too");
        gatehouse.share_folder("others still work");
    }
}

#[test]
fn a_broken_entry_costs_itself_alone() {
    let gatehouse = Gatehouse::new();
    std::fs::create_dir(gatehouse.home()).unwrap();
    let servers = json!({ "mcpServers": { "bad": { "command": 5 }, "off": { "command": "x", "disabled": true }, "demo": demo().entry() } });
    std::fs::write(gatehouse.file("servers.json"), servers.to_string()).unwrap();
    check(&gatehouse, &["servers", "list"], 0, "unusable");
    check(&gatehouse, &["tools", "bad"], 2, "server bad can't be started");
    check(&gatehouse, &["tools", "off"], 2, "switched off");
    gatehouse.ok(["servers", "trust", "demo"]);
    check(&gatehouse, &["tools", "demo"], 0, "count_files");
}

#[test]
fn a_server_written_by_hand_starts_only_after_a_word() {
    let fake = asks();
    let gatehouse = Gatehouse::new();
    std::fs::create_dir(gatehouse.home()).unwrap();
    let write = |launch: &Launch| {
        let servers = json!({ "mcpServers": { "by-hand": launch.entry() } });
        std::fs::write(gatehouse.file("servers.json"), servers.to_string()).unwrap();
    };
    write(&fake.launch());
    for args in [&["tools", "by-hand"][..], &["call", "by-hand", "t", "--share", "all"]] {
        let done = check(&gatehouse, args, 3, "gatehouse servers trust by-hand");
        assert!(
            done.stderr.contains("fake-server"),
            "it says what it would run: {done:#?}"
        );
        assert!(done.took < CLOSED, "at once: {:?}", done.took);
    }
    let (done, document) = gatehouse.json(["call", "by-hand", "t"]);
    assert_eq!((done.code, document.is_object()), (3, true), "with one document");
    assert!(fake.log().pids().is_empty(), "it was not started");
    gatehouse.ok(["servers", "trust", "by-hand"]);
    check(&gatehouse, &["call", "by-hand", "t", "--share", "none"], 0, "done");
    write(&fake.launch().args(["more"]));
    let done = check(&gatehouse, &["tools", "by-hand"], 3, "servers trust");
    assert_eq!(
        fake.log().pids().len(),
        1,
        "another definition is another server: {done:#?}"
    );
}

#[test]
fn settings_are_changed_and_listed_in_the_words_of_the_screen() {
    let gatehouse = Gatehouse::new();
    gatehouse.ok(["servers", "add", "one", "--", "prog"]);
    let (_, set) = gatehouse.json([
        "servers",
        "set",
        "one",
        "roots=off",
        "era=legacy",
        "time-limit=9",
        "log=info",
    ]);
    assert_eq!(
        set,
        json!({ "server": "one", "settings": { "era": "legacy", "roots": false, "forms": true, "links": true,
            "sampling": false, "timeLimit": 9, "log": "info", "history": true } }),
        "what is set now"
    );
    check(&gatehouse, &["servers", "set", "one"], 0, "time-limit  9");
    check(&gatehouse, &["servers", "list"], 0, "not offered");
    let (_, listed) = gatehouse.json(["settings", "list"]);
    assert_eq!(listed["settings"]["theme"], json!("system"), "the defaults");
    check(
        &gatehouse,
        &["settings", "set", "theme=contrast", "language=de"],
        0,
        "contrast",
    );
    check(&gatehouse, &["settings", "list"], 0, "language       de");
    for (args, says) in [
        (&["servers", "set", "two", "roots=off"][..], "there is no server two"),
        (
            &["servers", "set", "one", "forms=off", "roots=perhaps"],
            "roots must be on or off",
        ),
        (&["servers", "set", "one", "colour=red"], "there are era, roots"),
        (&["servers", "set", "one", "time-limit=3601"], "3600 s"),
        (&["servers", "set", "one", "roots"], "KEY=VALUE"),
        (&["settings", "set"], "KEY=VALUE"),
        (&["settings", "set", "traffic=0"], "MiB from 1 to 256"),
    ] {
        check(&gatehouse, args, 2, says);
    }
    let (_, kept) = gatehouse.json(["servers", "set", "one"]);
    assert_eq!(kept, set, "a change that was refused has changed nothing of it");
}
