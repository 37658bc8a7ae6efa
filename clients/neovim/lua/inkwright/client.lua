-- The language client: its configuration, and requests to it.
local M = {}

local config = require('inkwright.config')
local errors = require('inkwright.errors')
local i18n = require('inkwright.i18n')
local protocol = require('inkwright.protocol')

M.NAME = 'inkwright'

--- Whether a folder can be a book: neither the home folder nor a whole disk.
local function usable(folder)
  return folder and folder ~= vim.uv.os_homedir() and vim.fs.dirname(folder) ~= folder
end

--- The folder that a buffer's book is in: the nearest with a mark of a book, else of a repository, else
--- the working folder that holds the file, else the file's own folder.
---@param bufnr integer
---@return string?
function M.root(bufnr)
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

--- Starts the server. A function, since Neovim leaves out a server whose command is a table that it cannot
--- execute, without a word.
local function start(dispatchers)
  return vim.lsp.rpc.start(config.get().cmd, dispatchers)
end

--- The command that starts the server, as configured; nil and its name when it is not there.
---@return string[]?
---@return string name
function M.command()
  local resolved = vim.lsp.config[M.NAME]
  local cmd = resolved and resolved.cmd or start
  if cmd == start then
    cmd = config.get().cmd
  elseif type(cmd) == 'function' then
    return {}, 'function'
  end
  if vim.fn.executable(cmd[1]) == 0 then
    return nil, cmd[1]
  end
  return cmd, cmd[1]
end

-- What tells that a folder is a project whose chapters are plain text; a text elsewhere is none of ours.
local TEXTS = { 'Novel_architecture.txt', 'Novel_directory.txt', 'novel-helper', 'anhproject.md', 'MANUSKRIPT' }

local function root_dir(bufnr, on_dir)
  if vim.bo[bufnr].filetype == 'text' and not vim.fs.root(bufnr, TEXTS) then
    return
  end
  local cmd, name = M.command()
  if not cmd then
    errors.once(i18n.tr('no_server', name))
    return
  end
  for _, option in ipairs(select(2, config.read())) do
    errors.once(i18n.tr('unknown_option', option))
  end
  on_dir(M.root(bufnr))
end

--- An edit from the server, as one undo of its own. One that was made for an older text is refused: Neovim
--- itself would leave it out and say that it was made.
local function apply_edit(err, params, ctx)
  local buffers = {}
  for _, change in ipairs(params.edit.documentChanges or {}) do
    local document = change.textDocument
    local bufnr = document and vim.uri_to_bufnr(document.uri)
    if bufnr and vim.api.nvim_buf_is_loaded(bufnr) then
      local known = vim.lsp.util.buf_versions[bufnr]
      if type(document.version) == 'number' and known and known ~= document.version then
        return { applied = false, failureReason = 'the buffer has changed' }
      end
      table.insert(buffers, bufnr)
    end
  end
  for _, bufnr in ipairs(buffers) do
    vim.bo[bufnr].undolevels = vim.bo[bufnr].undolevels -- what was typed or accepted before is another undo
  end
  return vim.lsp.handlers['workspace/applyEdit'](err, params, ctx)
end

local function progress(err, params, ctx)
  if type(params.value) == 'table' and params.value.event then
    require('inkwright.runs').event(params.token, params.value)
    return
  end
  return vim.lsp.handlers['$/progress'](err, params, ctx)
end

--- The configuration for `vim.lsp.enable('inkwright')`.
---@return vim.lsp.Config
function M.config()
  local options = config.get()
  local names = protocol.COMMANDS
  return {
    cmd = start,
    filetypes = { 'markdown', 'text' },
    root_dir = root_dir,
    settings = { inkwright = next(options.settings) and options.settings or vim.empty_dict() },
    -- Neovim makes versioned edits but does not say so.
    capabilities = { workspace = { workspaceEdit = { documentChanges = true } } },
    handlers = { ['$/progress'] = progress, ['workspace/applyEdit'] = apply_edit },
    commands = {
      [names.run_ability] = function(command, ctx)
        require('inkwright.runs').start(command.arguments[1], ctx.bufnr)
      end,
      [names.run_pipeline] = function(command, ctx)
        require('inkwright.runs').start(command.arguments[1], ctx.bufnr)
      end,
      [names.accept] = function(command, ctx)
        require('inkwright.review').decide(names.accept, command.arguments[1], ctx.bufnr)
      end,
      [names.reject] = function(command, ctx)
        require('inkwright.review').decide(names.reject, command.arguments[1], ctx.bufnr)
      end,
    },
    before_init = function(params)
      params.locale = i18n.locale()
    end,
    on_init = function()
      require('inkwright.profiles').load()
    end,
    on_exit = function(_, _, id)
      vim.schedule(function()
        require('inkwright.runs').server_gone(id)
      end)
    end,
  }
end

--- The client of a buffer, else any that is there; says what to do when there is none.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.get(bufnr)
  local found = vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr or 0 })[1]
    or vim.lsp.get_clients({ name = M.NAME })[1]
  if found then
    return found
  end
  local cmd, name = M.command()
  if not cmd then
    errors.fail(i18n.tr('no_server', name))
  else
    errors.fail(i18n.tr('not_attached'))
  end
  return nil
end

--- Does something with a server: now, or as soon as the one that is starting has started.
---@param act fun()
function M.when_ready(act)
  local there = vim.lsp.get_clients({ name = M.NAME })[1]
  local starting = not there and vim.lsp.get_clients({ name = M.NAME, _uninitialized = true })[1]
  if there then
    act()
  elseif starting then
    errors.say(i18n.tr('starting'))
    vim.api.nvim_create_autocmd('LspAttach', {
      callback = function(ev)
        if ev.data.client_id == starting.id then
          vim.schedule(act)
          return true
        end
      end,
    })
  else
    M.get()
  end
end

--- JSON's null as Lua has it.
local function plain(value)
  if value == vim.NIL then
    return nil
  end
  return type(value) == 'table' and vim.tbl_map(plain, value) or value
end

--- Has the server execute a command. `done` gets its result; an error is told to the writer, unless `quiet`.
---@param name string
---@param argument? table
---@param done? fun(result: any)
---@param opts? { bufnr?: integer, failed?: fun(err: lsp.ResponseError), token?: string, quiet?: boolean }
function M.execute(name, argument, done, opts)
  opts = opts or {}
  local client = M.get(opts.bufnr)
  if not client then
    return false
  end
  local params = { command = name, arguments = { argument or vim.empty_dict() }, workDoneToken = opts.token }
  return client:request('workspace/executeCommand', params, function(err, result)
    if err then
      if not opts.quiet then
        errors.response(err)
      end
      if opts.failed then
        opts.failed(err)
      end
    elseif done then
      done(plain(result))
    end
  end, opts.bufnr or 0)
end

---@param bufnr integer
---@return string
function M.uri(bufnr)
  return vim.uri_from_bufnr(bufnr)
end

--- The document that a buffer is about: a run's split and the right side of a review are about theirs.
---@param bufnr? integer
---@return integer bufnr
function M.source(bufnr)
  bufnr = bufnr or vim.api.nvim_get_current_buf()
  local source = vim.b[bufnr].inkwright_source
  return source and vim.api.nvim_buf_is_valid(source) and source or bufnr
end

--- The URI of the document that the writer is in.
---@return string
function M.here()
  return M.uri(M.source())
end

return M
