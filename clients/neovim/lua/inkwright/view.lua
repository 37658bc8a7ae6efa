-- The review on the screen: the chapter beside the chapter with every waiting hunk in it.
local M = {}

local drawing = require('inkwright.drawing')
local places = require('inkwright.places')
local tr = require('inkwright.i18n').tr
local waiting = require('inkwright.waiting')
local width = require('inkwright.width')

local SPACE = vim.api.nvim_create_namespace('inkwright.review')

---@class inkwright.View
---@field id string the proposal
---@field source integer
---@field buffer integer the proposed text
---@field tab integer
---@field hunks inkwright.Hunk[]
---@field here table<integer, inkwright.Place> in the chapter, by index
---@field there table<integer, inkwright.Place> in the proposed text

---@type table<integer, inkwright.View>
local views = {}

--- The open reviews of a chapter.
---@param source integer
---@return inkwright.View[]
function M.all(source)
  return vim
    .iter(pairs(views))
    :map(function(_, view)
      return view
    end)
    :filter(function(view)
      return view.source == source
    end)
    :totable()
end

--- Whether a review is still open.
---@param view inkwright.View
---@return boolean
function M.is_open(view)
  return views[view.buffer] == view
end

--- The review that a buffer belongs to: as its right side, or as the chapter in its tab.
---@param bufnr integer
---@return inkwright.View?
function M.of(bufnr)
  for _, view in pairs(views) do
    if view.buffer == bufnr or (view.source == bufnr and vim.api.nvim_get_current_tabpage() == view.tab) then
      return view
    end
  end
end

---@param view inkwright.View
function M.close(view)
  views[view.buffer] = nil
  if vim.api.nvim_tabpage_is_valid(view.tab) and #vim.api.nvim_list_tabpages() > 1 then
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(view.tab)) do
      vim.api.nvim_win_call(win, function()
        vim.cmd.diffoff()
      end)
    end
    vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(view.tab))
  end
  if vim.api.nvim_buf_is_valid(view.buffer) then
    vim.api.nvim_buf_delete(view.buffer, { force = true })
  end
  require('inkwright.hunks').redraw(view.source)
end

local function mark(view)
  local room = drawing.room(view.buffer)
  vim.api.nvim_buf_clear_namespace(view.buffer, SPACE, 0, -1)
  for _, hunk in ipairs(view.hunks) do
    local p = view.there[hunk.index]
    vim.api.nvim_buf_set_extmark(view.buffer, SPACE, p.line, p.col, {
      end_row = p.end_line,
      end_col = p.end_col,
      hl_group = 'InkwrightHunk',
    })
    local said = {}
    if hunk.after == '' then
      drawing.below(said, tr('removed') .. width.flat(hunk.before), 'InkwrightOld', room)
    end
    for _, finding in ipairs(hunk.findings) do
      drawing.below(said, tr('hunk_with_findings', finding.message), 'InkwrightFinding', room)
    end
    if #said > 0 then
      vim.api.nvim_buf_set_extmark(view.buffer, SPACE, p.end_line, 0, { virt_lines = said })
    end
  end
end

---@param view inkwright.View
---@param proposal inkwright.Proposal
---@param encoding string
function M.render(view, proposal, encoding)
  local lines = vim.api.nvim_buf_get_lines(view.source, 0, -1, true)
  view.hunks, view.here = waiting.standing(proposal), {}
  local edits = {}
  for _, hunk in ipairs(view.hunks) do
    view.here[hunk.index] = places.place(lines, hunk.range, encoding)
    table.insert(edits, { range = hunk.range, newText = hunk.after })
  end
  view.there = places.shifted(view.hunks, view.here)
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, 0, -1, true, lines)
  vim.lsp.util.apply_text_edits(edits, view.buffer, encoding)
  vim.bo[view.buffer].modifiable = false
  vim.bo[view.buffer].modified = false
  mark(view)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(view.source))
  local bars = { [view.source] = name, [view.buffer] = tr('review_title', #view.hunks) }
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(view.tab)) do
    local bar = bars[vim.api.nvim_win_get_buf(win)]
    if bar then
      vim.wo[win].winbar = bar:gsub('%%', '%%%%') .. '%<' -- cut at the end when there is no room
    end
  end
  vim.cmd.diffupdate()
end

--- To the next hunk (1) or the one before (-1).
---@param view inkwright.View
---@param step 1|-1
function M.jump(view, step)
  local function there(hunk)
    return view.there[hunk.index]
  end
  local hunk = places.beside(view.hunks, there, step)
  if hunk then
    local target, last = there(hunk), vim.api.nvim_buf_line_count(view.buffer)
    vim.api.nvim_win_set_cursor(0, { math.min(target.line + 1, last), target.col })
  end
end

--- From a decided hunk on to the next one, or the last.
---@param view inkwright.View
function M.advance(view)
  for _, win in ipairs(vim.fn.win_findbuf(view.buffer)) do
    vim.api.nvim_win_call(win, function()
      local cursor = vim.api.nvim_win_get_cursor(win)
      if not places.at(view.hunks, view.there, cursor[1] - 1, cursor[2]) then
        M.jump(view, 1)
        cursor = vim.api.nvim_win_get_cursor(win)
        if not places.at(view.hunks, view.there, cursor[1] - 1, cursor[2]) then
          M.jump(view, -1)
        end
      end
    end)
  end
end

---@class inkwright.Decide
---@field accept fun(choice: inkwright.Choice)
---@field reject fun(choice: inkwright.Choice)
---@field take_back fun(view: inkwright.View, how: 'undo'|'redo')

---@param view inkwright.View
---@param decide inkwright.Decide
local function keys(view, decide)
  local function map(lhs, text, act)
    vim.keymap.set('n', lhs, act, { buffer = view.buffer, nowait = true, desc = 'Inkwright: ' .. tr(text) })
  end
  for lhs, key in pairs({
    a = { 'key_accept', 'accept', {} },
    r = { 'key_reject', 'reject', {} },
    A = { 'key_accept_all', 'accept', { all = true } },
    R = { 'key_reject_all', 'reject', { all = true } },
  }) do
    map(lhs, key[1], function()
      decide[key[2]](key[3])
    end)
  end
  for lhs, key in pairs({ [']c'] = { 'key_next', 1 }, ['[c'] = { 'key_previous', -1 } }) do
    map(lhs, key[1], function()
      M.jump(view, key[2])
    end)
  end
  for lhs, key in pairs({ u = { 'key_undo', 'undo' }, ['<C-r>'] = { 'key_redo', 'redo' } }) do
    map(lhs, key[1], function()
      decide.take_back(view, key[2])
    end)
  end
  map('q', 'key_close', function()
    M.close(view)
  end)
end

--- Opens the review of a proposal, or goes to it.
---@param source integer
---@param proposal inkwright.Proposal
---@param encoding string
---@param decide inkwright.Decide
---@return inkwright.View
function M.show(source, proposal, encoding, decide)
  for _, view in pairs(views) do
    if view.id == proposal.id and vim.api.nvim_tabpage_is_valid(view.tab) then
      vim.api.nvim_set_current_tabpage(view.tab)
      M.render(view, proposal, encoding)
      return view
    end
  end
  vim.cmd('tab sbuffer ' .. source)
  local left = vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_create_buf(false, true)
  require('inkwright.pages').name(
    buffer,
    ('inkwright://proposal/%d/%s'):format(buffer, vim.fs.basename(vim.api.nvim_buf_get_name(source)))
  )
  vim.b[buffer].inkwright_source = source
  vim.bo[buffer].filetype = 'markdown'
  vim.bo[buffer].bufhidden = 'wipe'
  local right = vim.api.nvim_open_win(buffer, true, { split = 'right', win = left })
  local view = { id = proposal.id, source = source, buffer = buffer, tab = vim.api.nvim_get_current_tabpage() }
  views[buffer] = view
  M.render(view, proposal, encoding)
  for _, win in ipairs({ left, right }) do
    vim.api.nvim_win_call(win, function()
      vim.cmd.diffthis()
    end)
    vim.wo[win].wrap = true
    vim.wo[win].foldenable = true
  end
  keys(view, decide)
  require('inkwright.hunks').redraw(source)
  local group = vim.api.nvim_create_augroup('inkwright.review.' .. buffer, {})
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = buffer,
    desc = 'Inkwright: the hunks stand in the chapter again',
    callback = function()
      views[buffer] = nil
      vim.schedule(function()
        vim.api.nvim_del_augroup_by_id(group)
        require('inkwright.hunks').redraw(source)
      end)
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = source,
    desc = 'Inkwright: no review without a chapter',
    callback = function()
      vim.schedule(function()
        if M.is_open(view) and not vim.api.nvim_buf_is_loaded(source) then -- loaded again at once by :edit!
          M.close(view)
        end
      end)
    end,
  })
  local first = view.hunks[1] and view.there[view.hunks[1].index]
  if first then
    vim.api.nvim_win_set_cursor(right, { math.min(first.line + 1, vim.api.nvim_buf_line_count(buffer)), first.col })
  end
  return view
end

return M
