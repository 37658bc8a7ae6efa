-- The language client: its configuration, and requests to it.
local M = {}

local config = require('inkwright.config')
local errors = require('inkwright.errors')
local i18n = require('inkwright.i18n')
local sources = require('inkwright.sources')

M.NAME = 'inkwright'

local failed_by_itself = false
---@type boolean whether the last server has ended, and none has been started since
local gone = false

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

--- Has the errors that Neovim shows stand on one line (the whole is among `:Inkwright messages`), and no edit come for a
--- text whose lines are counted differently.
---@param server vim.lsp.Client
function M.shorten_errors(server)
  local request, endings = server.rpc.request, require('inkwright.endings')
  endings.follow(server)
  server.rpc.request = function(method, params, callback, ...)
    local own = callback
    if endings.unanswerable(method, params) then
      errors.once(endings.refusal(vim.uri_to_bufnr(params.textDocument.uri)))
      callback = function(err)
        own(err, nil)
      end
    end
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
  gone = false
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
  failed_by_itself, gone = false, true
  vim.schedule(function()
    local waited = require('inkwright.server').gone(id)
    local ran = require('inkwright.runs').server_gone(id)
    if failed and not waited and not ran then
      errors.fail(i18n.tr('server_gone'))
    end
  end)
end

--- The client that holds a buffer, or the document that it is about. One without a name is no document of anybody's.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.find(bufnr)
  bufnr = sources.of(bufnr ~= 0 and bufnr or nil)
  local named = vim.api.nvim_buf_get_name(bufnr) ~= ''
  return named and vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr })[1] or nil
end

--- The client for what is about a book and no text: that of the text in front, of the book that its file is in, of the
--- book that Neovim stands in, else any that is there.
---@return vim.lsp.Client?
function M.any()
  local own = M.find()
  local all = vim.lsp.get_clients({ name = M.NAME })
  if own or #all < 2 then
    return own or all[1]
  end
  for _, path in ipairs({ vim.api.nvim_buf_get_name(sources.of()), vim.uv.cwd() }) do
    for _, one in ipairs(all) do
      if path ~= '' and one.root_dir and vim.fs.relpath(one.root_dir, path) then
        return one
      end
    end
  end
  return all[1]
end

--- Why no client holds a buffer, and what to do.
---@param bufnr? integer
---@return string
function M.missing(bufnr)
  local cmd, name = M.command()
  if not cmd then
    return i18n.tr('no_server', name)
  end
  bufnr = sources.of(bufnr ~= 0 and bufnr or nil)
  local running = #vim.lsp.get_clients({ name = M.NAME, _uninitialized = true }) > 0
  if gone and not running then
    return i18n.tr('server_ended')
  elseif not running and not vim.lsp.is_enabled(M.NAME) then
    return i18n.tr('not_attached')
  elseif vim.bo[bufnr].buftype ~= '' or sources.is_shown(bufnr) then
    local there = sources.last()
    there = there and vim.fs.basename(vim.api.nvim_buf_get_name(there))
    return there and i18n.tr('no_text_here', there) or i18n.tr('no_text_anywhere')
  elseif vim.api.nvim_buf_get_name(bufnr) == '' then
    return i18n.tr('not_saved')
  end
  return i18n.tr('not_a_chapter', vim.fs.basename(vim.api.nvim_buf_get_name(bufnr)))
end

--- The client that holds a buffer; says what to do when none does.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.get(bufnr)
  local found = M.find(bufnr)
  if not found then
    errors.fail(M.missing(bufnr))
  end
  return found
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
---@field bufnr? integer the text that it is about: only a server that holds it is asked; without one any is
---@field client? vim.lsp.Client that is asked, whatever it holds
---@field failed? fun(err: lsp.ResponseError)
---@field token? string of work-done progress
---@field quiet? boolean says nothing of what fails
---@field limit? integer milliseconds, 0 for none; M.LIMIT without it

--- Does something when no command-line window is open: nothing can be shown beside one.
local function outside(act)
  if vim.fn.getcmdwintype() == '' then
    act()
  else
    vim.api.nvim_create_autocmd('CmdwinLeave', { once = true, callback = vim.schedule_wrap(act) })
  end
end

--- Has the server execute a command, without waiting. `done` gets its result; an error is told to the writer.
---@param name string
---@param argument? table
---@param done? fun(result: any)
---@param opts? inkwright.RequestOptions
---@return boolean sent
function M.execute(name, argument, done, opts)
  opts = opts or {}
  local client = opts.client or opts.bufnr and M.find(opts.bufnr) or not opts.bufnr and M.any()
  if not client then
    if not opts.quiet then
      errors.fail(M.missing(opts.bufnr))
    end
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
      outside(function()
        done(plain(result))
      end)
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

--- The URI of the document that the writer is in; of the book's folder where that is none of ours.
---@return string
function M.here()
  local server = not M.find() and M.any()
  return server and server.root_dir and vim.uri_from_fname(server.root_dir) or M.uri(sources.of())
end

return M
