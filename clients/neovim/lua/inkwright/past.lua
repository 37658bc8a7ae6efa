-- Runs of the past: looked at, followed, resumed; and the page of what the model saw.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local float = require('inkwright.float')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr
local sources = require('inkwright.sources')

local function can_follow(run)
  return not run.pipeline and run.text ~= '' and (run.status == 'completed' or run.status == 'partial')
end

local function can_resume(run)
  return run.pipeline and vim.list_contains({ 'partial', 'failed', 'cancelled', 'interrupted' }, run.status)
end

--- The page that says what the model saw, or would see.
---@param wish table
function M.context(wish)
  local source = sources.of()
  client.execute(protocol.COMMANDS.show_context, wish, function(result)
    require('inkwright.pages').read(result.uri, source)
    errors.say(tr(wish.requestId and 'context_past' or 'context_opened'))
  end)
end

---@param run inkwright.StoredRun
local function resume(run)
  require('inkwright.runs').start({ uri = run.uri, resume = run.requestId }, vim.uri_to_bufnr(run.uri))
end

---@param run inkwright.StoredRun
---@param message? string asked for if there is none
local function follow(run, message)
  local source = vim.uri_to_bufnr(run.uri)
  local function go(text)
    if not text or vim.trim(text) == '' then
      return
    end
    local wish = { ability = run.ability, uri = run.uri, message = text, follow = run.requestId }
    require('inkwright.runs').start(wish, source)
  end
  if message and message ~= '' then
    go(message)
  else
    vim.ui.input({ prompt = tr('follow_what', run.label) }, go)
  end
end

---@param done fun(runs: inkwright.StoredRun[])
local function fetch(done)
  local argument = { uri = client.here(), limit = 50 }
  client.execute(protocol.COMMANDS.list_runs, argument, function(page)
    done(page.runs)
  end)
end

--- The newest run on the document in front that fits, or the one of that id.
local function newest(id, fits, missing, act)
  local file = vim.api.nvim_buf_get_name(sources.of())
  fetch(function(runs)
    for _, run in ipairs(runs) do
      local asked = id and run.requestId == id or not id and vim.uri_to_fname(run.uri) == file
      if asked and fits(run) then
        act(run)
        return
      end
    end
    errors.say(tr(missing))
  end)
end

--- A further message on the last run on this document.
---@param message? string
function M.follow(message)
  newest(nil, can_follow, 'follow_none', function(run)
    follow(run, message)
  end)
end

--- Goes on with the last pipeline on this document that did not come to its end.
---@param id? string
function M.resume(id)
  newest(id, can_resume, 'resume_none', resume)
end

---@param run inkwright.StoredRun
---@return inkwright.Act[]
local function acts(run)
  local out = {
    {
      label = tr('past_context'),
      run = function()
        M.context({ requestId = run.requestId })
      end,
    },
  }
  if run.error then
    table.insert(out, {
      label = tr('past_why'),
      run = function()
        float.open(run.label, { run.error.message })
      end,
    })
  end
  if run.text ~= '' then
    table.insert(out, {
      label = tr('past_answer'),
      run = function()
        float.open(run.label, vim.split(run.text, '\r?\n'))
      end,
    })
  end
  if can_follow(run) then
    table.insert(out, {
      label = tr('past_follow'),
      run = function()
        follow(run)
      end,
    })
  end
  if can_resume(run) then
    table.insert(out, {
      label = tr('past_resume'),
      run = function()
        resume(run)
      end,
    })
  end
  return out
end

--- When a run was begun, by the clock on the wall; '' when it is not known.
---@param stamp? string of UTC
---@return string
local function when(stamp)
  local year, month, day, hour, min, sec = (stamp or ''):match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  if not year then
    return ''
  end
  local there = os.time({ year = year, month = month, day = day, hour = hour, min = min, sec = sec, isdst = false })
  local away = os.difftime(os.time(os.date('*t', there)), os.time(os.date('!*t', there)))
  return os.date('%m-%d %H:%M', there + away) --[[@as string]]
end

function M.open()
  lists.open(tr('choose_run'), 'run', function(show)
    fetch(function(runs)
      if #runs == 0 then
        errors.say(tr('past_none'))
        return
      end
      show(vim.tbl_map(function(run)
        local state = tr('past_states')[run.status] or run.status
        local parts = { run.label, when(run.createdAt), state, vim.fs.basename(run.path), lists.short(run.message, 30) }
        return { label = table.concat(parts, '  '), acts = acts(run) }
      end, runs))
    end)
  end)
end

return M
