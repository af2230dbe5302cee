//! `ompmemopt man`: the manual pages, one for each command.

use super::args::Cli;
use clap::CommandFactory;
use std::path::Path;

/// The manual page of a command, or of them all together.
///
/// # Errors
/// A message for people: there is no such command.
pub fn page(command: Option<&str>) -> Result<Vec<u8>, String> {
    let mut all = Cli::command();
    // Commands get the options that all have, and their whole names.
    all.build();
    let shown = match command {
        None => clap_mangen::Man::new(all),
        Some(name) => {
            let title = format!("ompmemopt-{name}");
            let found = all.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| format!("there is no command `{name}`; `ompmemopt help` lists them"))?;
            clap_mangen::Man::new(found.display_name(title.clone())).title(title)
        }
    };
    let mut page = Vec::new();
    let rendered = shown.render(&mut page);
    rendered.map_err(|error| format!("the manual page cannot be made ({error})"))?;
    Ok(page)
}

/// Writes `ompmemopt.1` and the pages of all commands, `ompmemopt-check.1` and so on, into a folder that there is.
///
/// # Errors
/// A message for people: what cannot be written.
pub fn write_all(folder: &Path) -> Result<(), String> {
    let commands = Cli::command();
    let names = commands.get_subcommands().map(|c| c.get_name().to_owned());
    for name in std::iter::once(None).chain(names.map(Some)) {
        let file = match &name {
            None => "ompmemopt.1".to_owned(),
            Some(name) => format!("ompmemopt-{name}.1"),
        };
        let path = folder.join(file);
        let page = page(name.as_deref())?;
        std::fs::write(&path, page).map_err(|error| format!("{}: cannot be written ({error})", path.display()))?;
    }
    Ok(())
}
