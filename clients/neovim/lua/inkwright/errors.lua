-- Saying things to the writer: once, in one place, and never so much that Neovim asks for a key.
local M = {}

local tr = require('inkwright.i18n').tr
local width = require('inkwright.width')

local MOST = 50 -- messages that are kept
local LEAST = 20 -- cells of a message beside the hint where all of it is

---@type { message: string, level: integer }[]
local waiting = {}
---@type string[]
local told = {}

--- Whether `vim.notify` is Neovim's own, which has one line.
local function plain()
  return debug.getinfo(vim.notify, 'S').source:find('vim/_editor.lua', 1, true) ~= nil
end

local GROUPS = { [vim.log.levels.ERROR] = 'ErrorMsg', [vim.log.levels.WARN] = 'WarningMsg' }

--- Puts a text among `:messages`, whole, and what fits of it on the screen.
---@param text string
---@param shown string
---@param level integer
local function echo(text, shown, level)
  local group = GROUPS[level] or 'None'
  local short, options = vim.o.shortmess, vim.o.messagesopt
  vim.o.shortmess = short .. 'T' -- else Neovim would ask for a key behind a long one
  vim.o.messagesopt = 'wait:0,history:' .. (options:match('history:(%d+)') or 500)
  vim.cmd.echohl(group)
  vim.cmd.echomsg(vim.fn.string(text))
  vim.cmd.echohl('None')
  vim.cmd.redraw()
  vim.o.shortmess, vim.o.messagesopt = short, options
  vim.api.nvim_echo({ { shown, group ~= 'None' and group or nil } }, false, {})
end

--- A message behind the name of who says it, unless it begins with that.
local function signed(message)
  return vim.startswith(message, 'Inkwright') and message or 'Inkwright: ' .. message
end

--- All that was said in one breath, on the one line that there is. What does not fit is in `:messages`.
local function flush()
  local level, texts = vim.log.levels.DEBUG, {}
  for _, one in ipairs(waiting) do
    level = math.max(level, one.level)
    table.insert(texts, one.message)
  end
  waiting = {}
  local text = signed(width.flat(table.concat(texts, ' · ')))
  -- Neovim keeps the last cells of the line for what 'showcmd' shows, and for the ruler of a window without a bar.
  local bare = vim.o.laststatus == 0 or vim.api.nvim_win_get_config(0).relative ~= ''
  local room = vim.o.columns * math.max(vim.o.cmdheight, 1) - (bare and 31 or 13)
  local shown, cut = width.fit(text, room)
  local more = ' ' .. tr('more_messages')
  local left = room - vim.api.nvim_strwidth(more)
  vim.cmd.redraw()
  if not cut then
    vim.notify(text, level)
  else
    echo(text, left >= LEAST and width.fit(text, left) .. more or shown, level)
  end
end

local function keep(message)
  table.insert(told, 1, message)
  told[MOST + 1] = nil
end

--- A message that Neovim is about to show behind so many cells of its own, cut to the line that there is.
---@param message string
---@param taken? integer cells
---@return string
function M.shown(message, taken)
  if not plain() then
    return message
  end
  local text, cut = width.fit(width.flat(message), math.max(vim.o.columns - 13 - (taken or 24), LEAST))
  if cut then
    keep(message)
  end
  return text
end

---@param message string
---@param level? integer vim.log.levels
function M.say(message, level)
  level = level or vim.log.levels.INFO
  keep(message)
  if not plain() then
    vim.notify(signed(message), level)
    return
  end
  table.insert(waiting, { message = message, level = level })
  if #waiting == 1 then
    vim.schedule(flush)
  end
end

---@param message string
function M.warn(message)
  M.say(message, vim.log.levels.WARN)
end

---@param message string
function M.fail(message)
  M.say(message, vim.log.levels.ERROR)
end

local SOON = 300 -- milliseconds in which nobody asks what is going on

--- Shows that something is on its way, unless it comes at once; what is said meanwhile stands.
---@param what string
---@return fun() over
function M.wait(what)
  local before, over = told[1], false
  vim.defer_fn(function()
    if not over and told[1] == before then
      vim.cmd.redraw()
      vim.api.nvim_echo({ { (width.fit(signed(what) .. '…', vim.o.columns - 13)) } }, false, {})
    end
  end, SOON)
  return function()
    over = true
  end
end

--- What was said, whole, the newest first.
function M.open()
  local lines = {}
  for _, message in ipairs(told) do
    vim.list_extend(lines, vim.split(message, '\r?\n'))
  end
  require('inkwright.float').open(tr('messages_title'), #lines > 0 and lines or { tr('messages_none') })
end

local said = {}

--- The same only once in a session.
---@param message string
function M.once(message)
  if not said[message] then
    said[message] = true
    M.warn(message)
  end
end

--- An error that the server answered a request with.
---@param err lsp.ResponseError|string
function M.response(err)
  M.fail(tr('request_failed', type(err) == 'table' and err.message or tostring(err)))
end

return M
