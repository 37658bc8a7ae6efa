-- Files beside the chapter: pages that the server wrote, to be read, and new files, to be written in.
local M = {}

local sources = require('inkwright.sources')

local WIDE, HIGH = 140, 20

--- Opens a file beside the window in front: where that is too small to be halved, in a tab, and in its place where
--- nothing stands in it yet.
---@param bufnr integer
local function open(bufnr)
  if vim.api.nvim_buf_get_name(0) == '' and vim.bo.buftype == '' and not vim.bo.modified then
    vim.cmd.buffer(bufnr)
    return
  end
  local modifiers = { tab = vim.fn.tabpagenr() }
  if not vim.wo.diff and vim.api.nvim_win_get_width(0) >= WIDE then
    modifiers = { vertical = true }
  elseif not vim.wo.diff and vim.api.nvim_win_get_height(0) >= HIGH then
    modifiers = {}
  end
  vim.cmd.sbuffer({ count = bufnr, mods = modifiers })
end

--- Goes to the window of the document that the one in front is about; where it has none, to a new one.
---@return integer bufnr the document
function M.enter()
  local source = sources.of()
  if source == vim.api.nvim_get_current_buf() then
    return source
  end
  local wins = vim.fn.win_findbuf(source)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.list_contains(wins, win) then
      wins = { win }
    end
  end
  if wins[1] then
    vim.api.nvim_set_current_win(wins[1])
  else
    open(source)
  end
  return source
end

--- Opens a file where the writer writes, never in a window that the plugin shows something in.
---@param file string
function M.go(file)
  local here = vim.api.nvim_get_current_buf()
  if sources.of(here) ~= here or sources.is_shown(here) then
    M.enter()
  end
  here = vim.api.nvim_get_current_buf()
  if sources.is_shown(here) then -- no text is open
    vim.cmd.new()
  end
  vim.cmd.edit(vim.fn.fnameescape(file))
end

--- Names a buffer of the plugin's own. One that has the name already is what a restored session has left of it.
---@param bufnr integer
---@param name string
function M.name(bufnr, name)
  for _, other in ipairs(vim.api.nvim_list_bufs()) do
    if other ~= bufnr and vim.api.nvim_buf_get_name(other) == name then
      vim.api.nvim_buf_delete(other, { force = true })
    end
  end
  vim.api.nvim_buf_set_name(bufnr, name)
end

--- What a restored session has left of the windows of runs and reviews goes.
function M.clear()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local ours = vim.api.nvim_buf_get_name(bufnr):find('^inkwright://') ~= nil
    if ours and vim.b[bufnr].inkwright_source == nil then
      vim.api.nvim_buf_delete(bufnr, { force = true })
    end
  end
end

---@param uri string
---@return integer bufnr
local function buffer(uri)
  local bufnr = vim.fn.bufadd(vim.uri_to_fname(uri))
  vim.bo[bufnr].buflisted = true
  return bufnr
end

--- A card or an ability that was just made, beside the chapter, with the cursor where one writes on.
---@param uri string
function M.edit(uri)
  open(buffer(uri))
  vim.cmd.normal({ 'G$', bang = true })
end

--- A chapter that was just made: one goes on to it.
---@param uri string
function M.go_on(uri)
  M.go(vim.uri_to_fname(uri))
  vim.cmd.normal({ 'G$', bang = true })
end

--- A page about a document: it cannot be written in, what is asked for in it is about that document; `q` closes it.
---@param uri string
---@param source integer
function M.read(uri, source)
  local bufnr = buffer(uri)
  vim.b[bufnr].inkwright_source = source
  open(bufnr)
  vim.bo.readonly = true
  vim.bo.modifiable = false
  vim.keymap.set('n', 'q', function()
    if not pcall(vim.cmd.close) then -- the last window
      vim.cmd.bdelete()
    end
  end, { buffer = bufnr, nowait = true, desc = 'Inkwright: ' .. require('inkwright.i18n').tr('key_close') })
end

return M
