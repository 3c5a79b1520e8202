//! How a host is opened: stores, what a dead run left, and the watch over changes of other processes.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use gatehouse_mcp::client::ClientInfo;

use super::{Host, watching};
use crate::answer::sample::Pace;
use crate::call::calls::Calls;
use crate::changes::Changes;
use crate::core::Core;
use crate::endpoint::http::Way;
use crate::endpoint::keys::Keys;
use crate::error::Result;
use crate::harmless;
use crate::history::History;
use crate::ledger::{Channel, Entry, Ledger};
use crate::notice::Notices;
use crate::places::Places;
use crate::question::{Asker, Desk};
use crate::results::Results;
use crate::server::{Definition, Fingerprint, Loaded, ServersFile};
use crate::store::Store;
use crate::store::calls::OpenCall;
use crate::store::disk;
use crate::undo::Undo;
use crate::view::{CallRef, DecidedBy, Outcome};

impl Host {
    /// Opens the stores, writes down what a dead run left open, and begins to watch for changes of other processes.
    /// Must be called within a tokio runtime.
    ///
    /// # Errors
    /// The stores can't be opened.
    pub fn open(places: Places) -> Result<Self> {
        disk::private_folder(places.config())?;
        let changes = Arc::new(Changes::default());
        let store = Arc::new(Store::open(&places)?);
        let history = History::new(store.clone(), changes.clone());
        let core = Arc::new(Core {
            desk: Arc::new(Desk::new(changes.clone())),
            ledger: Ledger::new(store.clone(), changes.clone()),
            servers: Loaded::of(ServersFile::at(places.servers_file())),
            links: Mutex::default(),
            calls: Calls::new(store.clone(), changes.clone(), history.clone()),
            history,
            results: Results::default(),
            notices: Notices::new(changes.clone()),
            undo: Undo::default(),
            info: ClientInfo {
                name: "gatehouse".into(),
                title: Some("Gatehouse".into()),
                version: env!("CARGO_PKG_VERSION").into(),
            },
            applying: Mutex::default(),
            way: Way::new(Arc::new(Keys::new(!places.is_moved()))),
            pace: Pace::default(),
            disk: AtomicU64::new(0),
            places,
            store,
            changes,
        });
        abandoned(&core)?;
        watching::begin(&core);
        Ok(Self { core })
    }
}

/// Calls that a dead run left open are written down as abandoned, and the person is told.
fn abandoned(core: &Core) -> Result<()> {
    let folder = core.places.runs();
    for run in core.store.dead_runs(&folder)? {
        for call in core.store.bury_run(&folder, run, abandoned_entry)? {
            core.notices.add(format!(
                "The call {} to {} was under way when Gatehouse ended unexpectedly. It was abandoned; nothing more was sent. Call it again if you still want its result.",
                harmless::line(&call.occasion, 200),
                harmless::line(&call.server, 100)
            ));
        }
    }
    Ok(())
}

fn abandoned_entry(run: i64, call: &OpenCall) -> Entry {
    let definition = Definition {
        name: call.server.clone(),
        command: String::new(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
    };
    Entry {
        asker: Arc::new(Asker {
            server: call.server.clone(),
            fingerprint: Fingerprint::stored(call.fingerprint.clone()),
            definition,
        }),
        channel: Channel::Call,
        occasion: Some(call.occasion.clone()),
        call: Some(CallRef {
            run: run as u64,
            number: call.call,
        }),
        round: 1,
        outcome: Outcome::Abandoned,
        decided_by: DecidedBy::Rule,
        folders: Vec::new(),
        withheld: Vec::new(),
        sent: None,
        note: Some(format!(
            "begun {}; Gatehouse ended before it did",
            crate::clock::rfc3339(call.started_at)
        )),
    }
}
