//! A real editor: Neovim opens a program, shows what is said of it, makes a change of two files and saves them.

use super::Sandbox;
use std::fs;
use std::io::Write;
use std::process::Command;

/// What Neovim does. `SERVER` and `FOLDER` are in its environment.
const SCRIPT: &str = r#"
local folder = vim.env.FOLDER
local function report(lines) vim.fn.writefile(lines, folder .. '/report', 'a') end
local function main()
  vim.cmd('edit ' .. folder .. '/kernel.c')
  local client = vim.lsp.start_client({ name = 'ompmemopt', cmd = { vim.env.SERVER, 'lsp' }, root_dir = folder })
  vim.lsp.buf_attach_client(0, client)
  local function codes()
    return vim.tbl_map(function(d) return d.code end, vim.diagnostic.get(0))
  end
  vim.wait(120000, function() return vim.tbl_contains(codes(), 'data-movement') end)
  report(vim.tbl_map(function(code) return 'diagnostic ' .. code end, codes()))
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {} }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 120000)
  for _, action in ipairs(answers[client].result) do
    report({ 'action ' .. action.title })
    if string.find(action.title, 'program', 1, true) then
      vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
    end
  end
  vim.cmd('silent wall')
  vim.wait(120000, function() return #codes() == 0 end)
  report({ 'left ' .. #codes() })
  vim.lsp.stop_client(client)
end
local ok, message = pcall(main)
if not ok then report({ 'error ' .. message }) end
vim.cmd('qall!')
"#;

#[test]
fn neovim_shows_what_is_said_and_makes_changes_of_two_files() {
    if Command::new("nvim").arg("--version").output().is_err() {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: Neovim (`nvim`) is not installed, so no real editor was tried"
        );
        return;
    }
    let files = super::programs::files();
    let sandbox = Sandbox::new(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let folder = sandbox.path().canonicalize().unwrap();
    sandbox.write("test.lua", SCRIPT);
    let mut command = Command::new("nvim");
    command.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile test.lua"]);
    command
        .current_dir(&folder)
        .env("FOLDER", &folder)
        .env("SERVER", env!("CARGO_BIN_EXE_ompmemopt"));
    command
        .env("XDG_CACHE_HOME", sandbox.cache.path())
        .env("XDG_STATE_HOME", sandbox.cache.path());
    let output = command.output().unwrap();
    let report = fs::read_to_string(folder.join("report"));
    let report = report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert!(report.contains("diagnostic data-movement\n"), "{report}");
    assert!(
        report.contains("in the program (2 files)\n") && report.contains("\nleft "),
        "{report}"
    );
    assert!(!report.contains("error "), "{report}");
    let other = Sandbox::new(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    assert_eq!(other.run(&["rewrite", "-i", "main.c", "kernel.c"]).code, 0);
    for file in ["main.c", "kernel.c"] {
        assert_eq!(sandbox.read(file), other.read(file));
        let before = { files.iter() }.find(|(name, _)| *name == file);
        assert_ne!(before.unwrap().1, sandbox.read(file));
    }
}
