//! Intents about settings. Keys and values are the words of the command and the screen; see `settings`.

use super::Host;
use crate::changes::Part;
use crate::connection;
use crate::error::Result;
use crate::settings;
use crate::view::{ServerSettings, Settings};

impl Host {
    /// What is set for the app.
    ///
    /// # Errors
    /// The database refused.
    pub async fn settings(&self) -> Result<Settings> {
        self.core.blocking(|core| settings::of_app(&core.store)).await
    }

    /// Changes what is set for the app: all of it, or nothing where one of them can't be. It counts at once.
    ///
    /// # Errors
    /// There is no such key, a value can't be one, the limits contradict each other, or the database refused.
    pub async fn change_settings(&self, changes: &[(&str, &str)]) -> Result<()> {
        let changes = owned(changes);
        self.core
            .blocking(move |core| settings::change_app(&core.store, &changes))
            .await?;
        connection::apply_everywhere(&self.core).await;
        self.core.changes.ring(Part::Settings);
        Ok(())
    }

    /// What is set for a server.
    ///
    /// # Errors
    /// There is none of this name, or the database refused.
    pub async fn server_settings(&self, name: &str) -> Result<ServerSettings> {
        self.core.servers.entry(name)?;
        let name = name.to_owned();
        self.core
            .blocking(move |core| settings::of_server(&core.store, &name))
            .await
    }

    /// Changes what is set for a server: all of it, or nothing where one of them can't be. Offers and the level of the log
    /// count from the next frame on (what a legacy server's handshake declared stays, but what it asks for is judged anew),
    /// limits from the next call on, the era from the next connection on.
    ///
    /// # Errors
    /// There is none of this name, no such key, a value can't be one, the time limit is longer than a call may last, the
    /// database refused, or (then all is kept) a legacy server refused the level of its log.
    pub async fn change_server(&self, name: &str, changes: &[(&str, &str)]) -> Result<()> {
        self.core.servers.entry(name)?;
        let (server, changes) = (name.to_owned(), owned(changes));
        self.core
            .blocking(move |core| settings::change_server(&core.store, &server, &changes))
            .await?;
        self.core.changes.ring(Part::Servers);
        connection::apply(&self.core, &self.core.link(name)).await
    }
}

fn owned(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    changes.iter().map(owned).collect()
}
