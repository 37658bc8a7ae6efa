-- Options that make a window comfortable for prose: set when asked for, and undone.
local M = {}

local config = require('inkwright.config')
local errors = require('inkwright.errors')
local tr = require('inkwright.i18n').tr

--- What each window had before, by window and buffer.
---@type table<string, table<string, any>>
local before = {}

local function key(win)
  return ('%d %d'):format(win, vim.api.nvim_win_get_buf(win))
end

local function wanted()
  local given = config.get().prose
  return type(given) == 'table' and given or config.PROSE
end

---@param win integer
function M.on(win)
  if before[key(win)] then
    return
  end
  for known in pairs(before) do
    if not vim.api.nvim_win_is_valid(tonumber(known:match('^%d+'))) then
      before[known] = nil
    end
  end
  local had = {}
  for name, value in pairs(wanted()) do
    had[name] = vim.wo[win][name]
    vim.wo[win][0][name] = value
  end
  before[key(win)] = had
end

---@param win integer
function M.off(win)
  for name, value in pairs(before[key(win)] or {}) do
    vim.wo[win][0][name] = value
  end
  before[key(win)] = nil
end

--- Sets them, or takes them back, in the window in front.
---@param way? 'on'|'off'
function M.toggle(way)
  local win = vim.api.nvim_get_current_win()
  local on = way == 'on' or (way ~= 'off' and not before[key(win)])
  M[on and 'on' or 'off'](win)
  errors.say(tr(on and 'prose_on' or 'prose_off'))
end

local followed = {}

--- Sets them in every window that shows a buffer, now and later.
---@param bufnr integer
function M.follow(bufnr)
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    M.on(win)
  end
  if followed[bufnr] then
    return
  end
  followed[bufnr] = vim.api.nvim_create_autocmd('BufWinEnter', {
    group = vim.api.nvim_create_augroup('inkwright.prose', { clear = false }),
    buffer = bufnr,
    desc = 'Inkwright: prose options',
    callback = function()
      M.on(vim.api.nvim_get_current_win())
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = vim.api.nvim_create_augroup('inkwright.prose', { clear = false }),
    buffer = bufnr,
    once = true,
    callback = function()
      followed[bufnr] = nil
    end,
  })
end

return M
