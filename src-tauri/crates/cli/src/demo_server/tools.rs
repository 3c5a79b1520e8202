//! The tools: each asks for what it needs in its first round and answers when the answers are there.

use serde_json::{Map, Value, json};

use super::folders::{self, Folder};
use super::forms::{self, Filled};
use super::reply::{Failure, Outcome};
use super::request::Request;
use super::state;

const FOLDERS: &str = "folders";
const FORM: &str = "form";

/// `tools/call`.
pub fn call(request: &Request) -> Result<Outcome, Failure> {
    if request
        .params
        .get("arguments")
        .is_some_and(|arguments| !arguments.is_object())
    {
        return Err(Failure::invalid("params.arguments must be an object"));
    }
    match request.text("name")? {
        "count_files" => count_files(request),
        "greet" => greet(request),
        "tidy_plan" => tidy_plan(request),
        "two_rounds" => two_rounds(request),
        "echo" => {
            let text = request.argument("text").and_then(Value::as_str);
            text.map(Outcome::text)
                .ok_or_else(|| Failure::invalid("echo needs an argument text that is a text"))
        }
        name => Err(Failure::invalid(format!("unknown tool {name:?}"))),
    }
}

fn count_files(request: &Request) -> Result<Outcome, Failure> {
    let Some(answer) = request.answer(FOLDERS) else {
        return request.ask(&[(FOLDERS, folders::question())], None);
    };
    let folders = folders::read(answer)?;
    if folders.is_empty() {
        return Ok(Outcome::structured(
            "You shared no folders, so there is nothing to count.",
            json!({"folders": []}),
        ));
    }
    let (mut lines, mut found) = (Vec::new(), Vec::new());
    for folder in &folders {
        match folder.count() {
            Ok(count) => {
                lines.push(format!("{}: {}", folder.label(), count.words()));
                found.push(entry(
                    folder,
                    &json!({"files": count.files, "folders": count.folders, "more": count.more}),
                ));
            }
            Err(why) => {
                lines.push(format!("{}: {why}", folder.label()));
                found.push(entry(folder, &json!({"error": why})));
            }
        }
    }
    Ok(Outcome::structured(lines.join("\n"), json!({"folders": found})))
}

fn entry(folder: &Folder, more: &Value) -> Value {
    let mut entry = json!({"uri": folder.uri, "name": folder.name});
    for (key, value) in more.as_object().into_iter().flatten() {
        entry[key] = value.clone();
    }
    entry
}

fn greet(request: &Request) -> Result<Outcome, Failure> {
    let Some(answer) = request.answer(FORM) else {
        return request.ask(&[(FORM, forms::greeting())], None);
    };
    Ok(Outcome::text(match forms::read(answer)? {
        Filled::Declined => "You said no to the form, so nobody is greeted.".to_owned(),
        Filled::Cancelled => "You closed the form, so nobody is greeted. You can try again.".to_owned(),
        Filled::Accepted(content) => greeting(&content)?,
    }))
}

fn greeting(content: &Map<String, Value>) -> Result<String, Failure> {
    let name = content
        .get("name")
        .and_then(Value::as_str)
        .filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| Failure::invalid("name must be a text that is not empty"))?;
    let style = forms::choice(content, "style", &["plain", "loud", "formal"], Some("plain"))?;
    let times = content
        .get("times")
        .map_or(Some(1), Value::as_u64)
        .filter(|times| (1..=5).contains(times));
    let times = times.ok_or_else(|| Failure::invalid("times must be a whole number from 1 to 5"))?;
    let polite = content.get("polite").map_or(Some(true), Value::as_bool);
    let polite = polite.ok_or_else(|| Failure::invalid("polite must be true or false"))?;
    let once = match style {
        "loud" => format!("HELLO {}!", name.to_uppercase()),
        "formal" => format!("I have the honour to greet you, {name}."),
        _ => format!("Hello {name}."),
    };
    let mut lines: Vec<String> = (0..times).map(|_| once.clone()).collect();
    if polite {
        lines.push("How are you?".to_owned());
    }
    lines.push(format!(
        "(Your answers: name \"{name}\", style {style}, times {times}, polite {polite}.)"
    ));
    Ok(lines.join("\n"))
}

fn tidy_plan(request: &Request) -> Result<Outcome, Failure> {
    let (Some(shared), Some(answer)) = (request.answer(FOLDERS), request.answer(FORM)) else {
        return request.ask(&[(FOLDERS, folders::question()), (FORM, forms::tidying())], None);
    };
    let folders = folders::read(shared)?;
    let content = match forms::read(answer)? {
        Filled::Declined => return Ok(Outcome::text("You said no to the form, so there is no plan.")),
        Filled::Cancelled => {
            return Ok(Outcome::text(
                "You closed the form, so there is no plan. You can try again.",
            ));
        }
        Filled::Accepted(content) => content,
    };
    let what = match forms::choice(&content, "what", &["old", "double", "empty"], None)? {
        "old" => {
            let months = content
                .get("months")
                .map_or(Some(6.0), Value::as_f64)
                .filter(|months| *months >= 0.5);
            let months = months.ok_or_else(|| Failure::invalid("months must be a number of at least 0.5"))?;
            format!("files that nobody has opened for {months} months")
        }
        "double" => "files that are there twice".to_owned(),
        _ => "empty folders".to_owned(),
    };
    if folders.is_empty() {
        return Ok(Outcome::text(format!(
            "A tidy-up would look for {what}, but you shared no folders."
        )));
    }
    let lines: Vec<String> = folders.iter().map(|folder| format!("- {}", folder.label())).collect();
    Ok(Outcome::text(format!(
        "A tidy-up would look for {what} in:\n{}\nNothing was touched.",
        lines.join("\n")
    )))
}

/// Asks for folders, then for the best of them. What the first round gave travels in the state, since nothing is kept here.
fn two_rounds(request: &Request) -> Result<Outcome, Failure> {
    let Some(state) = request.state()? else {
        return request.ask(&[(FOLDERS, folders::question())], Some(state::seal("folders asked")));
    };
    let content = state::open(state)?;
    if let Some(names) = content.strip_prefix("folders: ") {
        let names: Vec<String> =
            serde_json::from_str(names).map_err(|_| Failure::invalid("requestState can't be read"))?;
        let Some(answer) = request.answer(FORM) else {
            return request.ask(&[(FORM, forms::favourite(&names))], Some(state.to_owned()));
        };
        return Ok(Outcome::text(match forms::read(answer)? {
            Filled::Declined => "You shared folders, and said no to the second question.".to_owned(),
            Filled::Cancelled => "You shared folders, and closed the second question.".to_owned(),
            Filled::Accepted(content) => {
                let of: Vec<&str> = names.iter().map(String::as_str).collect();
                let best = forms::choice(&content, "folder", &of, None)?;
                format!("Of the {} folders you shared, you like \"{best}\" best.", names.len())
            }
        }));
    }
    let Some(answer) = request.answer(FOLDERS) else {
        return request.ask(&[(FOLDERS, folders::question())], Some(state.to_owned()));
    };
    let folders = folders::read(answer)?;
    if folders.is_empty() {
        return Ok(Outcome::text("You shared no folders, so there is no second question."));
    }
    let short: Vec<&str> = folders.iter().map(Folder::short).collect();
    // A choice must be told apart from the others: two folders of one name are named in full.
    let once = |name: &str| short.iter().filter(|other| **other == name).count() == 1;
    let names = folders
        .iter()
        .zip(&short)
        .map(|(folder, name)| if once(name) { (*name).to_owned() } else { folder.label() });
    let names: Vec<String> = names.collect();
    let state = state::seal(&format!("folders: {}", json!(names)));
    request.ask(&[(FORM, forms::favourite(&names))], Some(state))
}
