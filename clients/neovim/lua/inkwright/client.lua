-- The language client: its configuration, and requests to it.
local M = {}

local config = require('inkwright.config')
local errors = require('inkwright.errors')
local i18n = require('inkwright.i18n')

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

local failed_by_itself = false

--- Starts the server. That it has ended by itself is told by the plugin: Neovim's own words want two lines and a key.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@return vim.lsp.rpc.PublicClient
function M.spawn(dispatchers)
  local told = vim.tbl_extend('force', dispatchers, {
    on_exit = function(code, signal)
      failed_by_itself = code ~= 0 or (signal ~= 0 and signal ~= 15)
      dispatchers.on_exit(0, 0)
    end,
  })
  return vim.lsp.rpc.start(config.get().cmd, told)
end

--- The command that starts the server, as configured; nil and its name when it is not there.
---@return string[]? cmd empty when it is a function of the writer's own
---@return string name
function M.command()
  local resolved = vim.lsp.config[M.NAME]
  local cmd = resolved and resolved.cmd
  if type(cmd) == 'function' then
    local ours = debug.getinfo(cmd, 'S').source:match('[/\\]lsp[/\\]inkwright%.lua$')
    if not ours then
      return {}, 'function'
    end
    cmd = nil
  end
  cmd = cmd or config.get().cmd
  if vim.fn.executable(cmd[1]) == 0 then
    return nil, cmd[1]
  end
  return cmd, cmd[1]
end

--- Whether a file is a page that the server wrote to be read: it has nothing to say of that.
local function is_page(bufnr)
  return vim.b[bufnr].inkwright_source ~= nil
    or vim.api.nvim_buf_get_name(bufnr):match('[/\\]context[/\\]' .. ('%x'):rep(24) .. '%.md$') ~= nil
end

--- The folder of the server that runs, for an ability's file in the writer's configuration: it belongs to every book.
local function running_for(bufnr)
  if vim.api.nvim_buf_get_name(bufnr):match('[/\\]inkwright[/\\]profiles[/\\]') then
    local running = vim.lsp.get_clients({ name = M.NAME })[1]
    return running and running.root_dir
  end
end

-- What tells that a folder is a project whose chapters are plain text; a text elsewhere is none of ours.
local TEXTS = { 'Novel_architecture.txt', 'Novel_directory.txt', 'novel-helper', 'anhproject.md', 'MANUSKRIPT' }

---@param bufnr integer
---@param on_dir fun(root?: string)
function M.root_dir(bufnr, on_dir)
  if is_page(bufnr) or (vim.bo[bufnr].filetype == 'text' and not vim.fs.root(bufnr, TEXTS)) then
    return
  end
  local cmd, name = M.command()
  if not cmd then
    errors.once(i18n.tr('no_server', name))
    return
  end
  for _, one in ipairs(select(2, config.read())) do
    errors.once(config.complaint(one))
  end
  on_dir(running_for(bufnr) or M.root(bufnr))
end

--- A run's stream, or Neovim's own kind of progress.
---@param err? lsp.ResponseError
---@param params lsp.ProgressParams
---@param ctx lsp.HandlerContext
---@return any
function M.progress(err, params, ctx)
  if type(params.value) == 'table' and params.value.event then
    require('inkwright.runs').event(params.token, params.value)
    return
  end
  return vim.lsp.handlers['$/progress'](err, params, ctx)
end

--- What was said of the open texts may not hold any more, since a card has changed, or a decision.
---@param err? lsp.ResponseError
---@param result? any
---@param ctx lsp.HandlerContext
---@return any
function M.refresh_diagnostics(err, result, ctx)
  local own = vim.lsp.handlers[ctx.method]
  if own then
    return own(err, result, ctx)
  end
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    if client and vim.api.nvim_buf_is_loaded(bufnr) then
      local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
      client:request('textDocument/diagnostic', params, nil, bufnr)
    end
  end
  return vim.NIL
end

--- What the server has to say, on one line: Neovim itself would ask for a key behind a long one.
---@param params lsp.ShowMessageParams
function M.show_message(_, params)
  local levels = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO, vim.log.levels.DEBUG }
  errors.say(params.message, levels[params.type])
end

--- A command of a code action that is none of those below, and failed.
---@param err? lsp.ResponseError
function M.executed(err)
  if err then
    errors.response(err)
  end
end

--- What the server answers to these Neovim itself shows when it is an error, behind words of its own.
local SHOWN = { ['textDocument/prepareRename'] = true, ['codeAction/resolve'] = true }

--- Has the errors that Neovim shows stand on one line; the whole is among `:Inkwright messages`.
---@param server vim.lsp.Client
function M.shorten_errors(server)
  local request = server.rpc.request
  server.rpc.request = function(method, params, callback, ...)
    local own = callback
    if SHOWN[method] then
      callback = function(err, result)
        if err and err.message then
          err.message = errors.shown(err.message)
        end
        own(err, result)
      end
    end
    return request(method, params, callback, ...)
  end
end

--- A code action or code lens that runs an ability or a pipeline.
---@param command lsp.Command
---@param ctx { bufnr: integer }
function M.start_run(command, ctx)
  require('inkwright.runs').start(command.arguments[1], ctx.bufnr, command.command)
end

--- A code action or code lens that decides on hunks.
---@param command lsp.Command
---@param ctx { bufnr: integer }
function M.decide(command, ctx)
  require('inkwright.review').decide(command.command, command.arguments[1], ctx.bufnr)
end

---@type table<string, any> settings of this session, from the writer's choices
local chosen = {}

--- Gives the running server settings, and one that is started later.
---@param settings table
function M.configure(settings)
  chosen = vim.tbl_deep_extend('force', chosen, settings)
  for _, server in ipairs(vim.lsp.get_clients({ name = M.NAME })) do
    server.settings.inkwright = vim.tbl_deep_extend('force', server.settings.inkwright or {}, settings)
    server:notify('workspace/didChangeConfiguration', { settings = server.settings })
  end
end

---@param params lsp.InitializeParams
---@param resolved vim.lsp.ClientConfig
function M.before_init(params, resolved)
  params.locale = i18n.locale()
  -- In place: it is this table that the server is answered from.
  local settings = resolved.settings or {}
  settings.inkwright = vim.tbl_deep_extend('force', settings.inkwright or {}, config.get().settings, chosen)
  if not next(settings.inkwright) then
    settings.inkwright = vim.empty_dict()
  end
  resolved.settings = settings
  require('inkwright.attach').watch()
end

---@param id integer of the client
function M.on_exit(_, _, id)
  local failed = failed_by_itself
  failed_by_itself = false
  vim.schedule(function()
    local waited = require('inkwright.server').gone(id)
    local ran = require('inkwright.runs').server_gone(id)
    if failed and not waited and not ran then
      errors.fail(i18n.tr('server_gone'))
    end
  end)
end

--- The client of a buffer, or of the document that it is about; else any that is there.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.find(bufnr)
  bufnr = M.source(bufnr ~= 0 and bufnr or nil)
  return vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr })[1] or vim.lsp.get_clients({ name = M.NAME })[1]
end

--- The same; says what to do when there is none.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.get(bufnr)
  local found = M.find(bufnr)
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

--- JSON's null as Lua has it; a table is changed in place.
local function plain(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) == 'table' then
    for key, part in pairs(value) do
      if type(part) == 'table' or part == vim.NIL then
        value[key] = plain(part)
      end
    end
  end
  return value
end

--- How long a request may take, in milliseconds. A run has the server's own limits.
M.LIMIT = 30000

---@class inkwright.RequestOptions
---@field bufnr? integer
---@field failed? fun(err: lsp.ResponseError)
---@field token? string of work-done progress
---@field quiet? boolean says nothing of what fails
---@field limit? integer milliseconds, 0 for none; M.LIMIT without it

--- Has the server execute a command, without waiting. `done` gets its result; an error is told to the writer.
---@param name string
---@param argument? table
---@param done? fun(result: any)
---@param opts? inkwright.RequestOptions
---@return boolean sent
function M.execute(name, argument, done, opts)
  opts = opts or {}
  local client = opts.quiet and M.find(opts.bufnr) or not opts.quiet and M.get(opts.bufnr)
  if not client then
    return false
  end
  local timer, over
  local function ended(err, result)
    if over then
      return
    end
    over = true
    if timer and not timer:is_closing() then
      timer:close()
    end
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
  end
  local params = { command = name, arguments = { argument or vim.empty_dict() }, workDoneToken = opts.token }
  local sent, request = client:request('workspace/executeCommand', params, ended, opts.bufnr or 0)
  local limit = opts.limit or M.LIMIT
  if sent and limit > 0 then
    timer = vim.defer_fn(function()
      if not over then
        client:cancel_request(request)
        ended({ code = 0, message = i18n.tr('request_slow', name, limit / 1000) })
      end
    end, limit)
  end
  return sent
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
  local source = vim.api.nvim_buf_is_valid(bufnr) and vim.b[bufnr].inkwright_source
  return source and vim.api.nvim_buf_is_valid(source) and source or bufnr
end

--- The URI of the document that the writer is in.
---@return string
function M.here()
  return M.uri(M.source())
end

return M
