//! The arguments of the command. What they mean is in the modules that take them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as Group, Parser, Subcommand, ValueEnum};

/// A host for the Model Context Protocol that asks before it tells a server anything about your folders.
///
/// Exit codes: 0 done; 1 the server or tool answered with an error; 2 usage or configuration; 3 refused, or nobody to
/// ask; 4 the server did not start or died; 5 time limit; 130 ended by a signal (Ctrl+C).
#[derive(Debug, Parser)]
#[command(name = "gatehouse", version, max_term_width = 110)]
pub struct Args {
    /// Print one JSON document on standard output; everything else goes to standard error.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The folders that servers may be told about.
    #[command(subcommand)]
    Folders(Folders),
    /// The servers that can be started.
    #[command(subcommand)]
    Servers(Servers),
    /// List a server's tools.
    Tools {
        /// The server.
        server: String,
    },
    /// Call a tool.
    Call {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
        /// Its arguments: the text of a JSON object.
        #[arg(long, value_name = "JSON", default_value = "{}")]
        args: String,
        /// How questions are answered.
        #[command(flatten)]
        answers: Answers,
    },
    /// List a server's prompts.
    Prompts {
        /// The server.
        server: String,
    },
    /// Get a prompt.
    Prompt {
        /// The server.
        server: String,
        /// The prompt.
        name: String,
        /// Its arguments: the text of a JSON object whose values are texts.
        #[arg(long, value_name = "JSON", default_value = "{}")]
        args: String,
        /// How questions are answered.
        #[command(flatten)]
        answers: Answers,
    },
    /// List a server's resources.
    Resources {
        /// The server.
        server: String,
    },
    /// List a server's resource templates: patterns of URIs to read.
    Templates {
        /// The server.
        server: String,
    },
    /// Ask a server for suggestions for an argument of a prompt or a variable of a template. The value is told to it.
    #[command(group = clap::ArgGroup::new("of").required(true))]
    Complete {
        /// The server.
        server: String,
        /// The prompt whose argument it is.
        #[arg(long, value_name = "NAME", group = "of")]
        prompt: Option<String>,
        /// The template whose variable it is, exactly as it is listed.
        #[arg(long, value_name = "URI", group = "of")]
        template: Option<String>,
        /// Another argument that is settled. May be given several times.
        #[arg(long = "with", value_name = "ARG=VALUE", value_parser = key_value)]
        with: Vec<(String, String)>,
        /// The argument or variable.
        argument: String,
        /// What is typed so far; may be empty.
        value: String,
    },
    /// Read a resource.
    Read {
        /// The server.
        server: String,
        /// The resource's URI, exactly as it is listed, or made from a template.
        uri: String,
        /// Go on until interrupted, and read again each time the server says that it changed.
        #[arg(long)]
        watch: bool,
        /// How questions are answered.
        #[command(flatten)]
        answers: Answers,
    },
    /// What is set for Gatehouse itself; for a server see `servers set`.
    #[command(subcommand)]
    Settings(Settings),
    /// The decisions that are remembered.
    #[command(subcommand)]
    Grants(Grants),
    /// What was asked, what was answered, and what left this machine.
    Record {
        /// Only from this moment on: RFC 3339, a date, or an age such as 15m, 2h, 3d.
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
    },
    /// The calls of this and earlier runs, with their arguments and results.
    #[command(args_conflicts_with_subcommands = true)]
    History {
        /// Only calls of this server.
        #[arg(long, value_name = "NAME")]
        server: Option<String>,
        /// Only from this moment on: RFC 3339, a date, or an age such as 15m, 2h, 3d.
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// One call, or none of them.
        #[command(subcommand)]
        what: Option<History>,
    },
    /// Walk through the whole job in the terminal, with a sample folder and the demo server.
    Demo,
    /// Be the demo server: speak the protocol on standard input and output.
    DemoServer,
}

/// About folders.
#[derive(Debug, Subcommand)]
pub enum Folders {
    /// Add folders. Nothing is told to any server by this.
    Add {
        /// The folders.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// The name that is told with the folder; its own name where not given. For one folder only.
        #[arg(long)]
        name: Option<String>,
    },
    /// List the folders in order.
    List,
    /// Take a folder off the list, with the decisions on it. The folder itself is not touched.
    Remove {
        /// Its path.
        path: PathBuf,
    },
    /// Change the name that is told with a folder.
    Rename {
        /// Its path.
        path: PathBuf,
        /// The new name.
        name: String,
    },
}

/// About servers.
#[derive(Debug, Subcommand)]
pub enum Servers {
    /// Add a server to servers.json. You wrote it, so it may start.
    Add {
        /// Its name.
        name: String,
        /// An environment variable for it. May be given several times.
        #[arg(long = "env", value_name = "KEY=VALUE", value_parser = key_value)]
        env: Vec<(String, String)>,
        /// Its working directory; an empty folder of Gatehouse's own where not given.
        #[arg(long, value_name = "DIR")]
        cwd: Option<PathBuf>,
        /// The command that starts it, and its arguments.
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// List the servers.
    List,
    /// Remove a server from servers.json.
    Remove {
        /// Its name.
        name: String,
    },
    /// Allow what a server runs, as it is configured now.
    Trust {
        /// Its name.
        name: String,
    },
    /// Change what is set for a server, or list it.
    ///
    /// Without KEY=VALUE it lists what is set. The keys:
    ///   era         automatic, modern, legacy: the revisions spoken, from the next connection on
    ///   roots       on, off: whether it is told that it may ask for folders
    ///   forms       on, off: whether it is told that it may ask for forms to be filled
    ///   links       on, off: whether it is told that it may ask for links to be opened
    ///   sampling    on, off: whether it is told that it may ask for model answers
    ///   time-limit  seconds or default: how long it may be silent in a call
    ///   log         off, debug … emergency: from which level on it is asked for log messages
    ///   history     on, off: whether its calls are kept
    #[command(verbatim_doc_comment)]
    Set {
        /// The server's name.
        name: String,
        /// What to change; all of it is changed, or nothing where one can't be.
        #[arg(value_name = "KEY=VALUE", value_parser = key_value)]
        changes: Vec<(String, String)>,
    },
    /// Say whether a server is told at all that it may ask for folders.
    Roots {
        /// Its name.
        name: String,
        /// On or off.
        offer: Switch,
    },
}

/// About Gatehouse's own settings.
#[derive(Debug, Subcommand)]
pub enum Settings {
    /// List them.
    List,
    /// Change some.
    ///
    /// The keys:
    ///   theme          system, light, dark, contrast: the window's colours
    ///   language       system or a tag such as de or en-GB: how the window writes dates and numbers
    ///   time-limit     seconds: how long a server may be silent in a call, where it has no limit of its own
    ///   longest-call   seconds: how long a call may last in all; your own time does not count
    ///   history        on, off: whether calls are kept
    ///   calls-kept     how many calls are kept
    ///   traffic        MiB of messages kept for each server
    ///   notifications  on, off: whether the desktop says that a question waits
    #[command(verbatim_doc_comment)]
    Set {
        /// What to change; all of it is changed, or nothing where one can't be.
        #[arg(required = true, value_name = "KEY=VALUE", value_parser = key_value)]
        changes: Vec<(String, String)>,
    },
}

/// About remembered decisions.
#[derive(Debug, Subcommand)]
pub enum Grants {
    /// List them.
    List,
    /// Revoke one: the next time, the question is asked again.
    Revoke {
        /// Its number.
        id: u64,
    },
}

/// About the history of calls.
#[derive(Debug, Subcommand)]
pub enum History {
    /// Show one call whole: its arguments, what was asked and answered, and its result.
    Show {
        /// Its number.
        id: u64,
    },
    /// Let calls go, for good. What left this machine stays in the record.
    Clear {
        /// Only those of this server.
        #[arg(long, value_name = "NAME")]
        server: Option<String>,
    },
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// How questions are answered where they come up.
#[derive(Debug, Clone, Default, Group)]
pub struct Answers {
    /// Which folders to share if the server asks: all, none (an empty list), or the path of one. May be given several times.
    #[arg(long, value_name = "all|none|PATH")]
    pub share: Vec<OsString>,
    /// Remember that answer: for this session (this command), or always. Needs --share.
    #[arg(long, value_name = "session|always", requires = "share")]
    pub remember: Option<Remember>,
    /// Fill a field of a form that the server asks for. May be given several times.
    #[arg(long = "answer", value_name = "KEY=JSON", value_parser = key_value)]
    pub answer: Vec<(String, String)>,
    /// Say yes to pages at this host that the server asks you to open: example.com for https, or an origin such as
    /// http://localhost:3000. Its address is printed, and opening it is yours. May be given several times.
    #[arg(long, value_name = "HOST|ORIGIN")]
    pub page: Vec<String>,
    /// Send forms that need nothing typed: without fields, or with a default for each required one.
    #[arg(long)]
    pub confirm: bool,
    /// Decline forms and pages that no other flag answers: the server is told so, and the call goes on.
    #[arg(long)]
    pub decline: bool,
    /// How long the server may be silent: no answer and no progress. Your own time does not count. Instead of its time-limit.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
}

/// How long an answer is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Remember {
    /// Until this command ends.
    Session,
    /// Until it is revoked.
    Always,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        Some(_) | None => Err("it must be KEY=VALUE".into()),
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "it must be a number of seconds".to_owned())?;
    gatehouse_host::call::limit_of(seconds).map_err(|error| error.to_string())
}
