-- What the server is busy with, as its work-done progress tells: for a statusline, and for the runs' windows.
local M = {}

local client = require('inkwright.client')

---@type table<string|integer, { server: integer, title: string, text: string }>
local bars = {}
---@type table<string|integer, { label: string, text: string, report: fun(text: string) }> the runs' own, by token
local runs = {}

--- A run's bar is told under the run's name from now on.
---@param token string
---@param label string
---@param report fun(text: string) gets how far it is
function M.own(token, label, report)
  runs[token] = { label = label, text = '', report = report }
end

---@param token string
---@param label string
function M.name(token, label)
  if runs[token] then
    runs[token].label = label
  end
end

---@param token string
function M.done(token)
  runs[token] = nil
  bars[token] = nil
end

--- A server has ended, and its bars with it.
---@param id integer of its client
function M.server_gone(id)
  for token, bar in pairs(bars) do
    if bar.server == id then
      bars[token] = nil
    end
  end
end

--- What is going on: the runs first; '' when nothing is.
---@return string
function M.status()
  local parts = {}
  for _, token in ipairs(vim.fn.sort(vim.tbl_keys(runs))) do
    table.insert(parts, vim.trim(('%s %s'):format(runs[token].label, runs[token].text)))
  end
  for token, bar in pairs(bars) do
    if not runs[token] then
      table.insert(parts, bar.text)
    end
  end
  return table.concat(parts, ' | ')
end

local PAUSE = 100
local waiting = false

--- Draws the statuslines, not more often than anybody can read them.
local function redraw()
  if waiting then
    return
  end
  waiting = true
  vim.defer_fn(function()
    waiting = false
    vim.cmd.redrawstatus({ bang = true })
  end, PAUSE)
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
    local run = runs[token]
    if run then
      run.text = text
      if value.kind == 'report' then
        run.report(text)
      end
    end
  end
  redraw()
end

vim.api.nvim_create_autocmd('LspProgress', {
  group = vim.api.nvim_create_augroup('inkwright.progress', {}),
  desc = 'Inkwright: what is going on',
  callback = on_progress,
})

return M
