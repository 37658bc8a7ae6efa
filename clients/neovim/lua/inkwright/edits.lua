-- Edits from the server: each as a whole or not at all.
local M = {}

local endings = require('inkwright.endings')
local errors = require('inkwright.errors')
local tr = require('inkwright.i18n').tr

--- The documents whose text an edit changes.
---@param edit lsp.WorkspaceEdit
---@return lsp.OptionalVersionedTextDocumentIdentifier[]
local function documents(edit)
  local out = {}
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.textDocument then
      table.insert(out, change.textDocument)
    end
  end
  for uri in pairs(edit.changes or {}) do
    table.insert(out, { uri = uri })
  end
  return out
end

--- Loads a text that is to be changed. One with a swap file is left alone: Neovim would stop at it in the middle of the
--- edit, and what is in there is the writer's to look at.
---@param uri string
---@return boolean
local function load(uri)
  local bufnr = vim.uri_to_bufnr(uri)
  if vim.api.nvim_buf_is_loaded(bufnr) or not vim.uv.fs_stat(vim.uri_to_fname(uri)) then
    return true
  end
  vim.cmd("let v:errmsg = ''")
  vim.cmd(('silent! call bufload(%d)'):format(bufnr)) -- a swap file comes with a screen of words that wait for a key
  local free = not vim.v.errmsg:find('E325', 1, true)
  if not free then
    vim.api.nvim_buf_delete(bufnr, { force = true, unload = true })
  end
  return free
end

--- Why an edit cannot be made; nil when it can. Neovim itself would leave out what was made for an older text, and
--- say that it was made.
---@param edit lsp.WorkspaceEdit
---@return string?
local function refusal(edit)
  for _, document in ipairs(documents(edit)) do
    if not load(document.uri) then
      return tr('edit_swap', vim.fn.fnamemodify(vim.uri_to_fname(document.uri), ':~:.'))
    end
    local bufnr = vim.uri_to_bufnr(document.uri)
    if endings.lone(bufnr) then
      return endings.refusal(bufnr)
    end
    if vim.api.nvim_buf_is_loaded(bufnr) and not vim.bo[bufnr].modifiable then
      return tr('edit_nomodifiable', vim.fs.basename(vim.api.nvim_buf_get_name(bufnr)))
    end
    local known = vim.lsp.util.buf_versions[bufnr]
    if type(document.version) == 'number' and known and known ~= document.version then
      return 'the buffer has changed'
    end
  end
end

---@type string?
local last

--- Why the last edit that the server asked for was not made; nil where it was. It is told once.
---@return string?
function M.why()
  local reason = last
  last = nil
  return reason
end

--- What was typed or accepted before is another undo.
---@param edit lsp.WorkspaceEdit
local function break_undo(edit)
  for _, document in ipairs(documents(edit)) do
    local bufnr = vim.uri_to_bufnr(document.uri)
    vim.bo[bufnr].undolevels = vim.bo[bufnr].undolevels
  end
end

--- An edit that the server asks for.
---@param err? lsp.ResponseError
---@param params lsp.ApplyWorkspaceEditParams
---@param ctx lsp.HandlerContext
---@return lsp.ApplyWorkspaceEditResult
function M.apply(err, params, ctx)
  local reason = refusal(params.edit)
  last = reason
  if reason then
    return { applied = false, failureReason = reason }
  end
  break_undo(params.edit)
  if params.label then
    params.label = errors.shown(params.label, 15)
  end
  return vim.lsp.handlers['workspace/applyEdit'](err, params, ctx)
end

--- What a rename comes to. It changes texts that nobody looks at: that they are to be written is said.
---@param err? lsp.ResponseError
---@param edit? lsp.WorkspaceEdit
---@param ctx lsp.HandlerContext
function M.rename(err, edit, ctx)
  if err then
    errors.response(err)
    return
  end
  local touched = edit and documents(edit) or {}
  local reason = edit and refusal(edit)
  if reason then
    errors.fail(reason)
    return
  end
  if edit then
    break_undo(edit)
  end
  vim.lsp.handlers['textDocument/rename'](nil, edit, ctx)
  if #touched > 1 then
    errors.say(tr('renamed', #touched))
  end
end

return M
