-- Runs: asking for one, showing its text while it comes, cancelling, and what follows its end.
local M = {}

local client = require('inkwright.client')
local config = require('inkwright.config')
local errors = require('inkwright.errors')
local profiles = require('inkwright.profiles')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local REDRAW_MS = 30

---@class inkwright.Run
---@field id string
---@field label string
---@field pipeline boolean
---@field source integer the buffer that it is about
---@field server integer id of the client
---@field stream string token of the stream
---@field bar string token of the work-done progress
---@field text string[] the pieces of its text so far
---@field shown integer how many pieces the split shows
---@field note string what is going on
---@field ended? string the last event of its stream
---@field result? inkwright.Result
---@field progress? string the server's words for how far it is
---@field step? string the pipeline's step that is under way
---@field view? integer buffer of the split

---@type table<string, inkwright.Run>
local by_stream = {}
---@type inkwright.Run[]
local running = {}
---@type table<string, { server: integer, title: string, text: string }>
local bars = {}
local count = 0

-- -- the split -------------------------------------------------------------------------------

local function windows(run)
  return run.view and vim.fn.win_findbuf(run.view) or {}
end

local function headline(run)
  local bar = ('%s  %s'):format(run.label, run.note):gsub('%%', '%%%%')
  for _, win in ipairs(windows(run)) do
    vim.wo[win].winbar = bar
  end
  vim.cmd.redrawstatus({ bang = true })
end

local function note(run, text)
  run.note = text
  headline(run)
end

local function going_on(run, text)
  note(run, ('%s  %s'):format(run.step and run.step .. ' ' .. text or text, tr('run_running')))
end

local function flush(run)
  run.waiting = false
  if not run.view or not vim.api.nvim_buf_is_valid(run.view) or run.shown == #run.text then
    return
  end
  local new = table.concat(run.text, '', run.shown + 1):gsub('\r\n?', '\n')
  run.shown = #run.text
  local last = vim.api.nvim_buf_line_count(run.view) - 1
  local line = vim.api.nvim_buf_get_lines(run.view, last, last + 1, true)[1]
  local at_end = {}
  for _, win in ipairs(windows(run)) do
    at_end[win] = vim.api.nvim_win_get_cursor(win)[1] == last + 1
  end
  vim.bo[run.view].modifiable = true
  vim.api.nvim_buf_set_text(run.view, last, #line, last, #line, vim.split(new, '\n', { plain = true }))
  vim.bo[run.view].modifiable = false
  for win, follows in pairs(at_end) do
    if follows then
      vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(run.view), 0 })
    end
  end
end

local function append(run, text)
  table.insert(run.text, text)
  if run.view and not run.waiting then
    run.waiting = true
    vim.defer_fn(function()
      flush(run)
    end, REDRAW_MS)
  end
end

--- The split of a run that has ended, to be used again.
local function ended_window()
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local id = vim.b[vim.api.nvim_win_get_buf(win)].inkwright_run
    if id and not vim.tbl_contains(M.ids(), id) then
      return win
    end
  end
end

local function open_view(run)
  local view = vim.api.nvim_create_buf(false, true)
  run.view = view
  vim.api.nvim_buf_set_name(view, 'inkwright://run/' .. run.id)
  vim.b[view].inkwright_run = run.id
  vim.b[view].inkwright_source = run.source
  vim.bo[view].filetype = 'markdown'
  vim.bo[view].bufhidden = 'wipe'
  vim.bo[view].modifiable = false
  local win = ended_window()
  if win then
    vim.api.nvim_win_set_buf(win, view)
  else
    local opened
    local height = math.min(config.get().live_height, math.max(vim.o.lines - 6, 1))
    opened, win = pcall(vim.api.nvim_open_win, view, false, { split = 'below', win = -1, height = height })
    if not opened then -- no room for a split: the text is kept, and the end is said
      vim.bo[view].bufhidden = 'hide'
      return
    end
  end
  vim.wo[win].wrap = true
  vim.wo[win].number = false
  vim.wo[win].winfixheight = true
  vim.keymap.set('n', '<C-c>', function()
    M.cancel(run.id)
  end, { buffer = view, desc = 'Inkwright: ' .. tr('key_cancel') })
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = view, desc = 'Inkwright: ' .. tr('key_close') })
end

-- -- progress --------------------------------------------------------------------------------

--- What is going on, for a statusline.
function M.status()
  local parts = {}
  for _, run in ipairs(running) do
    table.insert(parts, ('%s %s'):format(run.label, run.progress or ''))
  end
  for token, bar in pairs(bars) do
    if not vim.iter(running):any(function(run)
      return run.bar == token
    end) then
      table.insert(parts, bar.text)
    end
  end
  return vim.trim(table.concat(parts, ' | '))
end

local function on_progress(ev)
  local from = vim.lsp.get_client_by_id(ev.data.client_id)
  if not from or from.name ~= client.NAME then
    return
  end
  local token, value = ev.data.params.token, ev.data.params.value
  local text = vim.trim(('%s %s'):format(value.message or '', value.percentage and value.percentage .. '%' or ''))
  if value.kind == 'end' then
    bars[token] = nil
  else
    local title = value.title or (bars[token] and bars[token].title) or ''
    bars[token] = { server = from.id, title = title, text = vim.trim(('%s %s'):format(title, text)) }
  end
  for _, run in ipairs(running) do
    if run.bar == token then
      run.progress = text
      if value.kind == 'report' then
        going_on(run, text)
      end
    end
  end
  vim.cmd.redrawstatus({ bang = true })
end

vim.api.nvim_create_autocmd('LspProgress', {
  group = vim.api.nvim_create_augroup('inkwright.progress', {}),
  callback = on_progress,
})

-- -- the end ---------------------------------------------------------------------------------

local function forget(run)
  by_stream[run.stream] = nil
  running = vim.iter(running)
    :filter(function(other)
      return other ~= run
    end)
    :totable()
end

--- Nobody's typing is interrupted by a tab that opens.
local function may_take_over(run)
  local here = vim.api.nvim_get_current_buf()
  return vim.api.nvim_get_mode().mode == 'n' and (here == run.source or here == run.view)
end

local function closing(result)
  if result.error and result.error.code == 'no_pipeline' then
    return result.error.message .. ' ' .. tr('pipeline_by_name'), vim.log.levels.WARN
  end
  local outcome = require('inkwright.outcome')
  if result.status == 'cancelled' then
    return outcome.with_rest(result, tr('run_cancelled')), vim.log.levels.INFO
  end
  local reason = result.error and result.error.message or result.stopReason
  if result.status == 'failed' then
    return outcome.with_rest(result, tr('run_failed', reason)), vim.log.levels.ERROR
  end
  if result.status == 'partial' then
    return outcome.with_rest(result, tr('run_partial', reason)), vim.log.levels.WARN
  end
  return outcome.with_rest(result, ''), vim.log.levels.INFO
end

---@param run inkwright.Run
---@param result inkwright.Result
local function finish(run, result)
  run.result = result
  forget(run)
  flush(run)
  local text, level = closing(result)
  note(run, require('inkwright.outcome').steps(result) .. text)
  errors.say(('%s: %s'):format(run.label, text), level)
  require('inkwright.outcome').list_cards(run, result)
  if result.proposal and config.get().review == 'diff' and may_take_over(run) then
    require('inkwright.review').open(run.source, result.proposal.id)
  end
  vim.api.nvim_exec_autocmds('User', { pattern = 'InkwrightRunEnded', data = { run = run, result = result } })
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
function M.server_gone(id)
  for token, bar in pairs(bars) do
    if bar.server == id then
      bars[token] = nil
    end
  end
  for _, run in ipairs(vim.list_slice(running)) do
    if run.server == id then
      failed(run, tr('server_gone'))
    end
  end
end

-- -- the way there ---------------------------------------------------------------------------

--- One event of a stream. The pieces of `chunk` put together are the run's text, to the letter.
---@param token string
---@param value { event: string, data: any, requestId: string }
function M.event(token, value)
  local run = by_stream[token]
  if not run or run.ended then
    return
  end
  local event, data = value.event, value.data
  if event == 'chunk' then
    append(run, data)
  elseif event == 'reasoning' then
    run.thought = (run.thought or 0) + vim.fn.strchars(data)
    going_on(run, tr('run_reasoning', run.thought))
  elseif event == 'tool' and data.phase == 'start' then
    going_on(run, tr('run_tool', data.name))
  elseif event == 'step' and data.phase == 'start' and data.count > 1 then
    run.step = run.pipeline and data.name or nil
    going_on(run, tr('run_step', data.index + 1, data.count))
  elseif protocol.TERMINAL[event] then
    run.ended = event
  end
end

--- Runs an ability, or a pipeline when the wish names no ability.
---@param wish inkwright.Wish
---@param source? integer
---@return inkwright.Run?
function M.start(wish, source)
  source = client.source(source ~= 0 and source or nil)
  local server = client.get(source)
  if not server then
    return nil
  end
  count = count + 1
  local id = wish.requestId or ('nvim-%d-%d-%d'):format(vim.fn.getpid(), vim.uv.hrtime() % 1e9, count)
  ---@type inkwright.Run
  local run = {
    id = id,
    label = wish.ability and profiles.label(wish.ability) or tr('pipeline'),
    pipeline = not wish.ability,
    source = source,
    server = server.id,
    stream = 'inkwright-stream-' .. id,
    bar = 'inkwright-run-' .. id,
    text = {},
    shown = 0,
    note = tr('run_running'),
  }
  by_stream[run.stream] = run
  table.insert(running, run)
  if config.get().live then
    open_view(run)
  end
  headline(run)
  if wish.ability then
    profiles.find(wish.ability, function()
      run.label = profiles.label(wish.ability)
      headline(run)
    end)
  end
  wish = vim.tbl_extend('force', wish, { requestId = id, streamToken = run.stream })
  local command = protocol.COMMANDS[wish.ability and 'run_ability' or 'run_pipeline']
  client.execute(command, wish, function(result)
    finish(run, result)
  end, {
    bufnr = source,
    token = run.bar,
    failed = function(err)
      failed(run, err.message)
    end,
  })
  return run
end

--- Ends a run, the newest without an id. The server closes the model's connection at once; the run's
--- result comes with the status `cancelled`.
---@param id? string
---@return boolean
function M.cancel(id)
  for at = #running, 1, -1 do
    local run = running[at]
    if not id or run.id == id then
      local server = client.get(run.source)
      if not server then
        return false
      end
      note(run, tr('cancelling'))
      server:notify('window/workDoneProgress/cancel', { token = run.bar })
      return true
    end
  end
  errors.say(tr('no_run'))
  return false
end

---@return string[] ids, oldest first
function M.ids()
  return vim.iter(running)
    :map(function(run)
      return run.id
    end)
    :totable()
end

return M
