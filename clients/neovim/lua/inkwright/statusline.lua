-- The line for 'statusline': what is known, at once; asked anew in the background when it may have changed.
local M = {}

local client = require('inkwright.client')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local PAUSE = 3000

---@class inkwright.Known
---@field text string
---@field tick integer the buffer's changedtick that it was asked at
---@field at integer milliseconds
---@field asking boolean

---@type table<integer, inkwright.Known>
local known = {}

local function thousands(count)
  local sign = count < 0 and '-' or ''
  return sign .. (tostring(math.abs(count)):reverse():gsub('(%d%d%d)', '%1,'):reverse():gsub('^,', ''))
end

local function say(stats)
  local rule, parts = stats.rule, {}
  if stats.document then
    table.insert(parts, tr('status_chapter', thousands(stats.document.counts[rule])))
  end
  table.insert(parts, tr('status_book', thousands(stats.book[rule])))
  local goal, today = require('inkwright.config').get().goal, stats.today[rule]
  if goal > 0 then
    table.insert(parts, tr('status_goal', thousands(today), thousands(goal)))
  elseif today ~= 0 then
    table.insert(parts, tr('status_today', (today > 0 and '+' or '') .. thousands(today)))
  end
  return table.concat(parts, ' ')
end

local function ask(bufnr)
  local mine = known[bufnr]
  mine.asking, mine.at = true, vim.uv.now()
  mine.tick = vim.api.nvim_buf_get_changedtick(bufnr)
  local function over()
    mine.asking = false
  end
  local sent = client.execute(protocol.COMMANDS.stats, { uri = client.uri(bufnr), brief = true }, function(stats)
    over()
    local text = say(stats)
    if text ~= mine.text then
      mine.text = text
      vim.cmd.redrawstatus({ bang = true })
    end
  end, { bufnr = bufnr, quiet = true, failed = over })
  if not sent then
    over()
  end
end

--- What is known of the texts may not hold any more: it is asked anew.
function M.forget()
  for _, mine in pairs(known) do
    mine.tick = -1
  end
  vim.cmd.redrawstatus({ bang = true })
end

---@return string
function M.text()
  local running = require('inkwright.progress').status()
  if running ~= '' then
    return running
  end
  local bufnr = vim.api.nvim_get_current_buf()
  if not vim.lsp.get_clients({ name = client.NAME, bufnr = bufnr })[1] then
    known[bufnr] = nil
    return ''
  end
  local mine = known[bufnr]
  if not mine then
    for other in pairs(known) do
      if not vim.api.nvim_buf_is_valid(other) then
        known[other] = nil
      end
    end
    mine = { text = '', tick = -1, at = -PAUSE, asking = false }
    known[bufnr] = mine
  end
  if not mine.asking and mine.tick ~= vim.api.nvim_buf_get_changedtick(bufnr) then
    mine.asking = true
    vim.defer_fn(function()
      if vim.api.nvim_buf_is_loaded(bufnr) then
        ask(bufnr)
      else
        known[bufnr] = nil
      end
    end, math.max(0, PAUSE - (vim.uv.now() - mine.at)))
  end
  local waiting = require('inkwright.hunks').count(bufnr)
  return vim.trim((waiting > 0 and tr('status_waiting', waiting) .. ' ' or '') .. mine.text)
end

return M
