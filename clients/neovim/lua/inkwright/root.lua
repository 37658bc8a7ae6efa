-- Which texts are ours, and the folder that the book of each is in.
local M = {}

local client = require('inkwright.client')
local config = require('inkwright.config')
local errors = require('inkwright.errors')
local i18n = require('inkwright.i18n')

--- Whether a folder can be a book: neither the home folder nor a whole disk.
local function usable(folder)
  return folder and folder ~= vim.uv.os_homedir() and vim.fs.dirname(folder) ~= folder
end

--- The folder that a buffer's book is in: the nearest with a mark of a book, else of a repository, else
--- the working folder that holds the file, else the file's own folder.
---@param bufnr integer
---@return string?
function M.of(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  if name == '' then
    return nil
  end
  for _, marks in ipairs({ { '.inkwright', 'book.toml' }, { '.git' } }) do
    local marked = vim.fs.root(bufnr, marks)
    if usable(marked) then
      return marked
    end
  end
  local cwd = vim.uv.cwd()
  if usable(cwd) and vim.fs.relpath(cwd, name) then
    return cwd
  end
  return vim.fs.dirname(name)
end

--- Whether a file is a page that the server wrote to be read: it has nothing to say of that.
local function is_page(bufnr)
  return vim.b[bufnr].inkwright_source ~= nil
    or vim.api.nvim_buf_get_name(bufnr):match('[/\\]context[/\\]' .. ('%x'):rep(24) .. '%.md$') ~= nil
end

--- The folder of the server that runs, for an ability's file in the writer's configuration: it belongs to every book.
local function running_for(bufnr)
  if vim.api.nvim_buf_get_name(bufnr):match('[/\\]inkwright[/\\]profiles[/\\]') then
    local running = vim.lsp.get_clients({ name = client.NAME })[1]
    return running and running.root_dir
  end
end

-- What tells that a folder is a project whose chapters are plain text; a text elsewhere is none of ours.
local TEXTS = { 'Novel_architecture.txt', 'Novel_directory.txt', 'novel-helper', 'anhproject.md', 'MANUSKRIPT' }

---@param bufnr integer
---@param on_dir fun(root?: string)
function M.dir(bufnr, on_dir)
  if is_page(bufnr) or (vim.bo[bufnr].filetype == 'text' and not vim.fs.root(bufnr, TEXTS)) then
    return
  end
  local cmd, name = client.command()
  if not cmd then
    errors.once(i18n.tr('no_server', name))
    return
  end
  for _, one in ipairs(select(2, config.read())) do
    errors.once(config.complaint(one))
  end
  on_dir(running_for(bufnr) or M.of(bufnr))
end

return M
