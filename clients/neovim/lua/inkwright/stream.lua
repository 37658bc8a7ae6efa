-- What the events of a run's stream bring, shown in its window and its bar.
local M = {}

local tr = require('inkwright.i18n').tr

--- What the bar of a run that is under way says: how far it is, what it has used.
---@param run inkwright.Run
---@param text? string
function M.tell(run, text)
  local step = run.step or ''
  if text and step ~= '' and text:find(step, 1, true) then
    step = ''
  end
  local parts = vim.tbl_filter(function(part)
    return part and part ~= ''
  end, { step, text or '', run.used or '', tr('run_running') })
  run.live:tell(table.concat(parts, '  '))
end

local EVENTS = {}

function EVENTS.chunk(run, text)
  table.insert(run.text, text)
  run.live:append(text)
end

function EVENTS.reasoning(run, text)
  run.live:think(text)
  M.tell(run, tr('run_reasoning', run.live.thought))
end

function EVENTS.tool(run, call)
  if call.phase == 'start' then
    local text = tr('run_tool', call.label or call.name)
    run.calls[call.id] = text
    run.live.calls = run.live.calls + 1
    run.live:mark('call ' .. call.id, text)
    M.tell(run, text)
  else
    run.live:mark('call ' .. call.id, run.calls[call.id] or call.name, call.ok ~= false)
  end
end

local function part(run, index, count, name)
  return tr(run.pipeline and 'run_step' or 'run_part', index + 1, count, name)
end

function EVENTS.step(run, step)
  if step.phase == 'start' and step.steps then
    local texts = {}
    for at, one in ipairs(step.steps) do
      run.names[one.name] = one.label or one.name
      table.insert(texts, part(run, at - 1, #step.steps, one.label or one.name))
    end
    run.live:plan(texts)
  end
  if step.count <= 1 then
    return
  end
  local text = part(run, step.index, step.count, step.label or step.name)
  if step.phase == 'start' then
    run.step = text
    M.tell(run)
  end
  if run.pipeline then
    run.live:mark('step ' .. step.index, text, step.phase == 'end' and step.ok ~= false or nil)
  end
end

function EVENTS.usage(run, usage)
  run.used = require('inkwright.outcome').usage(usage)
  M.tell(run)
end

--- Shows one event; one that a newer server may have is none of ours.
---@param run inkwright.Run
---@param event string
---@param data any
function M.follow(run, event, data)
  if EVENTS[event] then
    EVENTS[event](run, data)
  end
end

return M
