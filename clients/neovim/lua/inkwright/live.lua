-- The window of a run: its text while it comes. Above the text, folded: what the model thought, looked up, and the
-- steps of a pipeline. The buffer without its first `b:inkwright_details` lines is the answer, to the letter.
local M = {}

local config = require('inkwright.config')
local tr = require('inkwright.i18n').tr

local REDRAW_MS = 30

---@class inkwright.Live
---@field buffer integer
---@field label string
---@field note string
---@field text string[] pieces that are not shown yet
---@field details string[] the lines above the text
---@field changed? integer the first of them that is not shown as it is
---@field shown integer how many of them the buffer has
---@field thinking boolean whether the last of them is thought that goes on
---@field thought integer characters
---@field calls integer
---@field steps integer
---@field marks table<string, integer> lines of calls and steps that have not ended
---@field waiting boolean
---@field ended boolean
local Live = {}
Live.__index = Live

---@type inkwright.Live?
local newest

local function buffer_there(live)
  return vim.api.nvim_buf_is_valid(live.buffer)
end

--- The level of a line's fold, for 'foldexpr'.
---@return integer
function M.fold()
  return vim.v.lnum <= (vim.b.inkwright_details or 0) and 1 or 0
end

--- The line of the closed fold, for 'foldtext'.
---@return string
function M.foldtext()
  return '▸ ' .. (vim.b.inkwright_folded or '')
end

local function dress(live, win)
  local here = vim.wo[win][0]
  here.wrap = true
  here.linebreak = true
  here.number = false
  here.relativenumber = false
  here.signcolumn = 'no'
  here.spell = false
  here.foldmethod = 'expr'
  here.foldexpr = "v:lua.require'inkwright.live'.fold()"
  here.foldtext = "v:lua.require'inkwright.live'.foldtext()"
  here.foldlevel = 0
  here.foldminlines = 0
  here.foldenable = true
  here.fillchars = 'fold: '
  here.winbar = live:bar()
end

--- Shows it in a split: that of a run that has ended, else a new one below everything.
function Live:open()
  if not buffer_there(self) or #vim.fn.win_findbuf(self.buffer) > 0 then
    return
  end
  local win
  for _, other in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local shown = vim.api.nvim_win_get_buf(other)
    if vim.b[shown].inkwright_run and vim.b[shown].inkwright_ended then
      win = other
    end
  end
  if win then
    vim.api.nvim_win_set_buf(win, self.buffer)
  else
    local height = math.min(config.get().live_height, math.max(math.floor(vim.o.lines / 2) - 2, 1))
    local opened, made =
      pcall(vim.api.nvim_open_win, self.buffer, false, { split = 'below', win = -1, height = height })
    if not opened then -- no room for a split: the text is kept, and the end is said
      return
    end
    win = made
  end
  vim.wo[win].winfixheight = true
  dress(self, win)
  vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(self.buffer), 0 })
end

---@return string
function Live:bar()
  local bar = (('%s  %s'):format(self.label, self.note):gsub('%%', '%%%%'))
  return bar .. '%<' -- cut at the end when there is no room
end

function Live:draw_bar()
  for _, win in ipairs(vim.fn.win_findbuf(self.buffer)) do
    vim.wo[win][0].winbar = self:bar()
  end
end

local function edit(buffer, act)
  vim.bo[buffer].modifiable = true
  act()
  vim.bo[buffer].modifiable = false
end

--- What the closed fold says is in it.
---@return string
function Live:folded()
  local parts = {}
  for _, one in ipairs({ { 'live_thought', self.thought }, { 'live_calls', self.calls }, { 'live_steps', self.steps } }) do
    if one[2] > 0 then
      table.insert(parts, tr(one[1], one[2]))
    end
  end
  return table.concat(parts, ' · ') .. '  ' .. tr('live_opens')
end

function Live:draw_details()
  local from = self.changed
  if not from then
    return
  end
  local lines = vim.list_slice(self.details, from)
  edit(self.buffer, function()
    vim.b[self.buffer].inkwright_details = #self.details
    vim.b[self.buffer].inkwright_folded = self:folded()
    vim.api.nvim_buf_set_lines(self.buffer, from - 1, self.shown, true, lines)
  end)
  self.shown, self.changed = #self.details, nil
end

function Live:draw_text()
  local new = table.concat(self.text):gsub('\r\n?', '\n')
  self.text = {}
  if new == '' then
    return
  end
  local last = vim.api.nvim_buf_line_count(self.buffer) - 1
  local line = vim.api.nvim_buf_get_lines(self.buffer, last, last + 1, true)[1]
  edit(self.buffer, function()
    vim.api.nvim_buf_set_text(self.buffer, last, #line, last, #line, vim.split(new, '\n', { plain = true }))
  end)
end

--- Shows all that has come. A cursor on the last line stays on the last.
function Live:flush()
  self.waiting = false
  if not buffer_there(self) then
    return
  end
  local last, follows = vim.api.nvim_buf_line_count(self.buffer), {}
  for _, win in ipairs(vim.fn.win_findbuf(self.buffer)) do
    follows[win] = vim.api.nvim_win_get_cursor(win)[1] == last
  end
  self:draw_details()
  self:draw_text()
  self:draw_bar()
  for win, at_end in pairs(follows) do
    if at_end then
      vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(self.buffer), 0 })
    end
  end
end

function Live:soon()
  if not self.waiting and not self.ended then
    self.waiting = true
    vim.defer_fn(function()
      self:flush()
    end, REDRAW_MS)
  end
end

function Live:append(text)
  table.insert(self.text, text)
  self:soon()
end

local function touch(live, line)
  live.changed = math.min(live.changed or line, line)
  live:soon()
end

--- What the model thinks, as it comes.
---@param text string
function Live:think(text)
  self.thought = self.thought + vim.fn.strchars(text)
  local lines = vim.split((text:gsub('\r\n?', '\n')), '\n', { plain = true })
  if self.thinking then
    self.details[#self.details] = self.details[#self.details] .. table.remove(lines, 1)
    touch(self, #self.details)
  end
  vim.list_extend(self.details, lines)
  touch(self, math.max(#self.details - #lines, 1))
  self.thinking = true
end

--- A call or a step, from its begin to its end.
---@param id string
---@param text string
---@param ok? boolean nil while it goes on
function Live:mark(id, text, ok)
  self.thinking = false
  local line = self.marks[id]
  if not line then
    line = #self.details + 1
    self.marks[id] = line
  end
  self.details[line] = ('%s %s'):format(ok == nil and '…' or ok and '✓' or '✗', text)
  if ok ~= nil then
    self.marks[id] = nil
  end
  touch(self, line)
end

--- What is still to come, a line each.
---@param texts string[]
function Live:plan(texts)
  local from = #self.details + 1
  self.steps = #texts
  for at, text in ipairs(texts) do
    self.marks['step ' .. at - 1] = from + at - 1
    self.details[from + at - 1] = '· ' .. text
  end
  touch(self, from)
end

---@param note string
function Live:tell(note)
  self.note = note
  self:soon()
end

--- Nothing comes any more. `note` is what came of it.
---@param note string
function Live:close(note)
  self.note = note
  self.ended = true
  self:flush()
  -- The bar may be too narrow to say why there is nothing.
  if buffer_there(self) and table.concat(vim.api.nvim_buf_get_lines(self.buffer, 0, -1, true)) == '' then
    self.text = { note }
    self:flush()
  end
  if buffer_there(self) then
    vim.b[self.buffer].inkwright_ended = true
  end
end

--- The window of a new run; that of the one before goes, if nobody looks at it.
---@param id string of the run
---@param number integer of the run in this session
---@param label string
---@param source integer the buffer that it is about
---@param cancel fun()
---@return inkwright.Live
function M.new(id, number, label, source, cancel)
  if newest and newest.ended and buffer_there(newest) and #vim.fn.win_findbuf(newest.buffer) == 0 then
    vim.api.nvim_buf_delete(newest.buffer, { force = true })
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  require('inkwright.pages').name(buffer, ('inkwright://run/%d/%s'):format(number, label))
  vim.b[buffer].inkwright_run = id
  vim.b[buffer].inkwright_source = source
  vim.b[buffer].inkwright_details = 0
  vim.bo[buffer].filetype = 'markdown'
  vim.bo[buffer].modifiable = false
  local function map(lhs, text, act)
    vim.keymap.set('n', lhs, act, { buffer = buffer, nowait = true, desc = 'Inkwright: ' .. tr(text) })
  end
  map('<C-c>', 'key_cancel', cancel)
  map('q', 'key_close', '<Cmd>close<CR>')
  newest = setmetatable({
    buffer = buffer,
    label = label,
    note = tr('run_running'),
    text = {},
    details = {},
    shown = 0,
    thinking = false,
    thought = 0,
    calls = 0,
    steps = 0,
    marks = {},
    waiting = false,
    ended = false,
  }, Live)
  return newest
end

--- Shows the newest run's window again.
---@return boolean
function M.show()
  if not newest or not buffer_there(newest) then
    return false
  end
  newest:open()
  return true
end

return M
