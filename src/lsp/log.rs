//! What the server does, line by line, in a file: for who looks for the reason of something.
//!
//! ```text
//!    0.412 textDocument/didOpen
//!    0.957 run 1 of /p/build/compile_commands.json: check in 0.543 s, 12 files, 1 unsaved
//! ```

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Where it is written, if anywhere.
#[derive(Debug)]
pub struct ServerLog {
    file: Option<File>,
    begun: Instant,
}

impl ServerLog {
    /// A log in a file, which is emptied; none where no file is named.
    ///
    /// # Errors
    /// Why the file cannot be written.
    pub fn new(file: Option<&Path>) -> Result<ServerLog, String> {
        let wrong = |path: &Path, why| format!("{}: cannot be written ({why})", path.display());
        let file = file.map(|path| File::create(path).map_err(|why| wrong(path, why)));
        Ok(ServerLog {
            file: file.transpose()?,
            begun: Instant::now(),
        })
    }

    /// Writes a line; where that fails there is nobody to tell.
    pub fn say(&mut self, what: &str) {
        let seconds = self.begun.elapsed().as_secs_f64();
        if let Some(file) = &mut self.file {
            let _ = writeln!(file, "{seconds:9.3} {}", what.trim_end());
        }
    }
}
