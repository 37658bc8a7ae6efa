-- Runs: asking for one, following its stream, cancelling, and what follows its end.
local M = {}

local client = require('inkwright.client')
local config = require('inkwright.config')
local errors = require('inkwright.errors')
local live = require('inkwright.live')
local profiles = require('inkwright.profiles')
local progress = require('inkwright.progress')
local protocol = require('inkwright.protocol')
local stream = require('inkwright.stream')
local tr = require('inkwright.i18n').tr
local sources = require('inkwright.sources')

---@class inkwright.Run
---@field id string
---@field label string
---@field pipeline boolean
---@field source integer the buffer that it is about
---@field uri string the text's when it began
---@field tick integer the text's changedtick when it began
---@field server integer id of the client
---@field stream string token of the stream
---@field bar string token of the work-done progress
---@field text string[] the pieces of its text so far
---@field calls table<string, string> what each tool call is called, by id
---@field names table<string, string> what each step of a pipeline is called
---@field ended? string the last event of its stream
---@field result? inkwright.Result
---@field step? string the part or the pipeline's step that is under way
---@field used? string tokens and money so far
---@field live inkwright.Live
---@field view integer buffer of the window

---@type table<string, inkwright.Run>
local by_stream = {}
---@type inkwright.Run[]
local running = {}
local begun = 0

-- -- the end ---------------------------------------------------------------------------------

local function forget(run)
  by_stream[run.stream] = nil
  progress.done(run.bar)
  running = vim.tbl_filter(function(other)
    return other ~= run
  end, running)
end

--- Nobody's typing is interrupted by a tab that opens.
local function may_take_over(run)
  local here = vim.api.nvim_get_current_buf()
  return vim.api.nvim_get_mode().mode == 'n' and (here == run.source or here == run.view)
end

---@type table<string, { source: integer, view: integer, tell: fun(text: string) }> the bars of runs, by their proposals
local bars = {}

--- The bars of the runs on a text say how many of their hunks wait, as the server has just said.
---@param source integer
---@param proposals inkwright.Proposal[]
function M.waiting(source, proposals)
  if require('inkwright.endings').lone(source) then -- that has to be cured first, as the bars say
    return
  end
  local left = {}
  for _, proposal in ipairs(proposals) do
    left[proposal.id] = #require('inkwright.waiting').standing(proposal)
  end
  for id, bar in pairs(bars) do
    if not vim.api.nvim_buf_is_valid(bar.view) then
      bars[id] = nil
    elseif bar.source == source then
      local count = left[id] or 0
      bar.tell(count > 0 and tr('run_waits', count) or tr(left[id] and 'run_stale' or 'review_done'))
    end
  end
end

local function conclude(run, result, rest)
  local outcome = require('inkwright.outcome')
  local text, level, brief = outcome.closing(result, rest)
  local steps, used = outcome.steps(result, run.names), outcome.usage(result.usage)
  local function tell(said)
    run.live:close(steps .. said .. (used ~= '' and '  ' .. used or '') .. '  ' .. tr('run_close'))
  end
  tell(brief or text)
  local here = result.proposal and not (rest and rest.moved)
  if here then
    bars[result.proposal.id] = { source = run.source, view = run.view, tell = tell }
  end
  errors.say(('%s: %s'):format(run.label, text), level)
  outcome.list_cards(run, result)
  if here then
    if config.get().inline then
      require('inkwright.hunks').refresh(run.source)
    end
    local nothing = rest and (rest.count == 0 or rest.cure)
    if config.get().review == 'diff' and not nothing and may_take_over(run) then
      require('inkwright.review').open(run.source, result.proposal.id)
    end
  end
  vim.api.nvim_exec_autocmds('User', { pattern = 'InkwrightRunEnded', data = { run = run, result = result } })
end

local function finish(run, result)
  run.result = result
  forget(run)
  require('inkwright.outcome').left(run, result, function(rest)
    conclude(run, result, rest)
  end)
end

local function failed(run, message)
  finish(run, {
    requestId = run.id,
    ability = run.label,
    status = 'failed',
    stopReason = 'error',
    model = '',
    text = table.concat(run.text),
    usage = { input = 0, output = 0 },
    error = { code = 'request_failed', message = message },
  })
end

--- A server has ended: no run of it will ever answer.
---@param id integer of its client
---@return boolean ran whether one was going on
function M.server_gone(id)
  progress.server_gone(id)
  local ran = false
  for _, run in ipairs(vim.list_slice(running)) do
    if run.server == id then
      ran = true
      failed(run, tr('server_gone'))
    end
  end
  return ran
end

--- One event of a stream. The pieces of `chunk` put together are the run's text, to the letter.
---@param token string
---@param value { event: string, data: any, requestId: string }
function M.event(token, value)
  local run = by_stream[token]
  if not run or run.ended then
    return
  end
  if protocol.TERMINAL[value.event] then
    run.ended = value.event
  else
    stream.follow(run, value.event, value.data)
  end
end

---@param wish inkwright.Wish
---@param command string
local function called(wish, command)
  if command == protocol.COMMANDS.run_ability then
    return profiles.label(wish.ability)
  end
  return tr(command == protocol.COMMANDS.describe_image and 'picture' or 'pipeline')
end

--- Whether what a run answers has a place in the text.
---@param wish inkwright.Wish
---@param command string
---@return boolean
local function is_placed(wish, command)
  local output = wish.ability and profiles.output(wish.ability)
  local edits = not output or output == 'edit' or output == 'insert'
  return wish.range ~= nil or (edits and command ~= protocol.COMMANDS.run_pipeline)
end

--- Runs an ability, or a pipeline when the wish names no ability.
---@param wish inkwright.Wish
---@param source? integer
---@param command? string the server's, where the wish does not tell
---@return inkwright.Run?
function M.start(wish, source, command)
  source = sources.of(source ~= 0 and source or nil)
  -- What goes on with an earlier run is about the text of that one, which may not be open.
  local server = client.find(source) or (wish.follow or wish.resume) and client.any()
  if not server then
    errors.fail(client.missing(source))
    return nil
  end
  command = command or protocol.COMMANDS[wish.ability and 'run_ability' or 'run_pipeline']
  if is_placed(wish, command) and require('inkwright.endings').refused(source) then
    return nil
  end
  begun = begun + 1
  local id = wish.requestId or ('nvim-%d-%d-%d'):format(vim.fn.getpid(), vim.uv.hrtime() % 1e9, begun)
  local label = called(wish, command)
  local window = live.new(id, begun, label, source, function()
    M.cancel(id)
  end)
  ---@type inkwright.Run
  local run = {
    id = id,
    label = label,
    pipeline = command == protocol.COMMANDS.run_pipeline,
    source = source,
    uri = client.uri(source),
    tick = vim.api.nvim_buf_get_changedtick(source),
    server = server.id,
    stream = 'inkwright-stream-' .. id,
    bar = 'inkwright-run-' .. id,
    text = {},
    calls = {},
    names = {},
    live = window,
    view = window.buffer,
  }
  by_stream[run.stream] = run
  table.insert(running, run)
  progress.own(run.bar, label, function(text)
    stream.tell(run, text)
  end)
  if config.get().live then
    window:open()
  end
  if wish.ability then
    profiles.find(wish.ability, function()
      run.label = profiles.label(wish.ability)
      window.label = run.label
      progress.name(run.bar, run.label)
      window:soon()
    end)
  end
  wish = vim.tbl_extend('force', wish, { requestId = id, streamToken = run.stream })
  client.execute(command, wish, function(result)
    finish(run, result)
  end, {
    bufnr = source,
    client = server,
    token = run.bar,
    limit = 0,
    failed = function(err)
      failed(run, err.message)
    end,
  })
  return run
end

--- The run of an id; without one the newest on the text in front, else the newest.
local function chosen(id)
  local here, found = sources.of(), nil
  for _, run in ipairs(running) do
    if id and run.id == id or not id and (run.source == here or not found or found.source ~= here) then
      found = run
    end
  end
  return found
end

--- Ends a run: without an id the newest on the text in front, else the newest. The server closes the model's connection at once; the run's
--- result comes with the status `cancelled`.
---@param id? string
---@return boolean
function M.cancel(id)
  local run = chosen(id)
  local server = run and vim.lsp.get_client_by_id(run.server)
  if not run or not server then
    errors.say(tr('no_run'))
    return false
  end
  run.live:tell(tr('cancelling'))
  server:notify('window/workDoneProgress/cancel', { token = run.bar })
  return true
end

--- Shows the newest run's window again.
function M.show()
  if not live.show() then
    errors.say(tr('no_run'))
  end
end

---@return string[] ids
function M.ids()
  return vim.tbl_map(function(run)
    return run.id
  end, running)
end

return M
