//! Intents about servers.

use gatehouse_mcp::model::notice::Change;

use super::Host;
use crate::changes::Part;
use crate::connection::{self, Live, Schemas};
use crate::error::{HostError, Result};
use crate::said;
use crate::schema;
use crate::view::{
    CheckView, ListingView, PromptView, ResourceView, ServerInput, ServerView, ServersFileView, ToolView, prompts_view,
    resources_view, tools_view,
};

impl Host {
    /// The configured servers, in the file's order.
    ///
    /// # Errors
    /// The database refused.
    pub async fn servers(&self) -> Result<Vec<ServerView>> {
        self.core.blocking(super::watching::servers_view).await
    }

    /// The file that they stand in.
    pub fn servers_file(&self) -> ServersFileView {
        self.core.servers.view()
    }

    /// Adds a server to the file. The person wrote it here, so it is allowed to start.
    ///
    /// # Errors
    /// The name is taken or can't be one, the command is empty, the file is broken or was changed meanwhile.
    pub async fn add_server(&self, input: ServerInput) -> Result<()> {
        self.core
            .blocking(move |core| {
                core.servers.add(&input)?;
                core.store.trust(&core.servers.entry(&input.name)?.definition)
            })
            .await?;
        self.core.changes.ring(Part::Servers);
        Ok(())
    }

    /// Stops a server and removes it from the file.
    ///
    /// # Errors
    /// There is none of this name, or the file is broken or was changed meanwhile.
    pub async fn remove_server(&self, name: &str) -> Result<()> {
        self.core.servers.entry(name)?;
        self.core.link(name).stop().await;
        let owned = name.to_owned();
        self.core
            .blocking(move |core| {
                core.undo.keep_server(core.servers.remove(&owned)?);
                Ok(())
            })
            .await?;
        self.core.changes.ring(Part::Servers);
        Ok(())
    }

    /// Puts a server back that was removed in this run. It is not started; whether it may be is what it was.
    ///
    /// # Errors
    /// None of this name was removed in this run, the name is taken again, or the file is broken.
    pub async fn restore_server(&self, name: &str) -> Result<()> {
        let removed = self.core.undo.take_server(name).ok_or_else(|| HostError::NotFound {
            what: format!("a removed server {name}"),
        })?;
        self.core.blocking(move |core| core.servers.put_back(&removed)).await?;
        self.core.changes.ring(Part::Servers);
        Ok(())
    }

    /// Allows what a server runs, as it is configured now.
    ///
    /// # Errors
    /// There is none of this name, its entry is broken, or the database refused.
    pub async fn trust_server(&self, name: &str) -> Result<()> {
        let entry = self.core.servers.entry(name)?;
        if let Some(problem) = &entry.problem {
            return Err(HostError::Invalid {
                reason: format!("server {name} can't be allowed: {problem}"),
            });
        }
        self.core
            .blocking(move |core| core.store.trust(&entry.definition))
            .await?;
        self.core.changes.ring(Part::Servers);
        Ok(())
    }

    /// Connects a server.
    ///
    /// # Errors
    /// It is not configured, switched off or broken; the person did not allow it; it did not start.
    pub async fn connect(&self, name: &str) -> Result<()> {
        connection::connect(&self.core, name).await.map(drop)
    }

    /// Stops a server, or the start of it. Returns when its process has ended.
    ///
    /// # Errors
    /// There is none of this name.
    pub async fn disconnect(&self, name: &str) -> Result<()> {
        self.core.servers.entry(name)?;
        self.core.link(name).stop().await;
        Ok(())
    }

    /// The tools of a server, connecting first where needed.
    ///
    /// # Errors
    /// Those of a connection and of an exchange.
    pub async fn tools(&self, name: &str) -> Result<ListingView<ToolView>> {
        let live = self.live(name).await?;
        let tools = live
            .client
            .list_tools()
            .await
            .map(tools_view)
            .map_err(|e| HostError::exchange(name, "tools/list", e))?;
        let schemas = |tool: &ToolView| Schemas {
            input: tool.input_schema.clone(),
            output: tool.output_schema.clone(),
            said: said::kept(tool),
        };
        self.core.link(name).keep_schemas(
            tools
                .items
                .iter()
                .map(|tool| (tool.name.clone(), schemas(tool)))
                .collect(),
        );
        said::mark(&self.core, live.asker.fingerprint.clone(), tools).await
    }

    /// Forgets the lists that a server allowed to be kept: the next look asks it again.
    pub fn forget_lists(&self, name: &str) {
        if let Some(live) = self.core.link(name).live() {
            live.client.cache().invalidate(&Change::Everything);
        }
    }

    /// Checks arguments against a tool's input schema, listing the tools first where they were not. Sends nothing of the
    /// arguments.
    ///
    /// # Errors
    /// Those of a connection and of an exchange, and that there is no such tool.
    pub async fn check_args(&self, name: &str, tool: &str, args: &str) -> Result<CheckView> {
        let link = self.core.link(name);
        if link.schemas(tool).is_none() {
            self.tools(name).await?;
        }
        let schemas = link.schemas(tool).ok_or_else(|| HostError::NotFound {
            what: format!(
                "tool {} of server {name}",
                crate::harmless::line(tool, crate::bounds::LINE)
            ),
        })?;
        Ok(schema::check(schemas.input, args.to_owned()).await.into())
    }

    /// The prompts of a server.
    ///
    /// # Errors
    /// Those of a connection and of an exchange.
    pub async fn prompts(&self, name: &str) -> Result<ListingView<PromptView>> {
        let live = self.live(name).await?;
        if !live.offers("prompts") {
            return Ok(nothing());
        }
        live.client
            .list_prompts()
            .await
            .map(prompts_view)
            .map_err(|e| HostError::exchange(name, "prompts/list", e))
    }

    /// The resources of a server.
    ///
    /// # Errors
    /// Those of a connection and of an exchange.
    pub async fn resources(&self, name: &str) -> Result<ListingView<ResourceView>> {
        let live = self.live(name).await?;
        if !live.offers("resources") {
            return Ok(nothing());
        }
        live.client
            .list_resources()
            .await
            .map(resources_view)
            .map_err(|e| HostError::exchange(name, "resources/list", e))
    }

    pub(super) async fn live(&self, name: &str) -> Result<Live> {
        connection::connect(&self.core, name).await
    }
}

/// What a server that does not declare a feature is said to list: it is not asked.
pub(super) fn nothing<T>() -> ListingView<T> {
    ListingView {
        items: Vec::new(),
        unreadable: Vec::new(),
        stopped: None,
    }
}
