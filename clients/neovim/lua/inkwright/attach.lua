-- What happens when a buffer is connected to the server: nothing of it before the first is.
local M = {}

local client = require('inkwright.client')
local config = require('inkwright.config')
local errors = require('inkwright.errors')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr
local sources = require('inkwright.sources')

--- What the server names in the text, in colours of the scheme; a scheme's or a writer's own come first.
local LINKS = {
  ['@lsp.type.character'] = 'Identifier',
  ['@lsp.type.location'] = 'Directory',
  ['@lsp.type.item'] = 'Constant',
  ['@lsp.type.faction'] = 'Type',
  ['@lsp.type.dialogue'] = 'String',
  ['@lsp.mod.firstMention'] = 'Underlined',
  ['@lsp.mod.unconfirmed'] = 'DiagnosticUnnecessary',
  ['@lsp.mod.ambiguous'] = 'DiagnosticUnderlineHint',
}
M.LINKS = LINKS

--- Says once that plugin and server are of different versions.
local function compare(server)
  local info = server.server_info
  local theirs = info and vim.version.parse(info.version or '', { strict = false })
  local ours = vim.version.parse(protocol.VERSION)
  if theirs and ours and (theirs.major ~= ours.major or theirs.minor ~= ours.minor) then
    errors.once(tr('version_mismatch', info.version, protocol.VERSION))
  end
end

---@type table<integer, boolean> the clients that were seen
local seen = {}

local function attached(ev)
  local server = vim.lsp.get_client_by_id(ev.data.client_id)
  if not server or server.name ~= client.NAME then
    return
  end
  if not seen[server.id] then
    seen[server.id] = true
    client.shorten_errors(server)
  end
  compare(server)
  require('inkwright.profiles').get(nil, true)
  if ev.buf == vim.api.nvim_get_current_buf() then
    sources.came_to(ev.buf)
  end
  local options = config.get()
  if options.inline then
    require('inkwright.hunks').refresh(ev.buf)
  end
  if options.prose then
    require('inkwright.prose').follow(ev.buf)
  end
end

local function tell(event, data)
  vim.api.nvim_exec_autocmds('User', { pattern = event, data = data })
end

--- The server says that the models, or which of them is used, are others than before.
function M.models_changed()
  require('inkwright.statusline').forget()
  tell('InkwrightModelsChanged')
end

--- The server says what another process has changed of a book: what waits in its open chapters is shown anew.
---@param err? lsp.ResponseError
---@param params { uri: string, changed: string[] }
---@param ctx lsp.HandlerContext
function M.book_changed(err, params, ctx)
  local server = not err and vim.lsp.get_client_by_id(ctx.client_id)
  if not server then
    return
  end
  local root = vim.uri_to_fname(params.uri)
  for bufnr in pairs(server.attached_buffers) do
    local inside = vim.api.nvim_buf_is_loaded(bufnr) and vim.fs.relpath(root, vim.api.nvim_buf_get_name(bufnr))
    if inside and vim.list_contains(params.changed, 'proposals') then
      if config.get().inline then
        require('inkwright.hunks').refresh(bufnr)
      else
        require('inkwright.waiting').fetch(bufnr, function() end, function() end)
      end
    end
  end
  require('inkwright.statusline').forget()
  tell('InkwrightBookChanged', { uri = params.uri, changed = params.changed })
end

local watching = false

--- Begins to look after the buffers that are connected from now on.
function M.watch()
  if watching then
    return
  end
  watching = true
  if config.get().highlights then
    for group, link in pairs(LINKS) do
      vim.api.nvim_set_hl(0, group, { link = link, default = true })
    end
  end
  local group = vim.api.nvim_create_augroup('inkwright.attach', {})
  -- It is no text of ours, and Neovim watches no files on most systems.
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    pattern = 'book.toml',
    desc = 'Inkwright: the book has changed',
    callback = function(event)
      for _, server in ipairs(vim.lsp.get_clients({ name = client.NAME })) do
        local change = { uri = vim.uri_from_fname(vim.fs.abspath(event.match)), type = 2 }
        server:notify('workspace/didChangeWatchedFiles', { changes = { change } })
      end
      require('inkwright.statusline').forget()
    end,
  })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    desc = 'Inkwright: waiting hunks, prose options',
    callback = attached,
  })
  vim.api.nvim_create_autocmd('BufEnter', {
    group = vim.api.nvim_create_augroup('inkwright.last', {}),
    desc = 'Inkwright: the chapter that the writer was in last',
    callback = function(ev)
      if #vim.lsp.get_clients({ name = client.NAME, bufnr = ev.buf }) > 0 then
        sources.came_to(ev.buf)
      end
    end,
  })
  -- A session keeps the windows of runs and reviews by name alone: this one's, if it was restored, and others to come.
  if vim.v.this_session ~= '' then
    require('inkwright.pages').clear()
  end
  vim.api.nvim_create_autocmd('SessionLoadPost', {
    group = vim.api.nvim_create_augroup('inkwright.session', {}),
    desc = 'Inkwright: no empty windows in a restored session',
    callback = function()
      require('inkwright.pages').clear()
    end,
  })
end

return M
