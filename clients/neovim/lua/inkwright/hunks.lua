-- The hunks that wait, within the chapter: the old text struck out, the new one beside or below it. Nothing of it
-- is in the text.
local M = {}

local config = require('inkwright.config')
local drawing = require('inkwright.drawing')
local endings = require('inkwright.endings')
local errors = require('inkwright.errors')
local places = require('inkwright.places')
local tr = require('inkwright.i18n').tr
local waiting = require('inkwright.waiting')

local SPACE = vim.api.nvim_create_namespace('inkwright.hunks')
local PAUSE = 400

---@class inkwright.Waiting
---@field id string the proposal
---@field hunk inkwright.Hunk
---@field place inkwright.Place
---@field drawn? boolean

---@class inkwright.Chapter
---@field hunks inkwright.Waiting[] what waits, by place; none overlaps the next
---@field tick? integer the buffer's changedtick that they are right for
---@field work integer the latest refresh that was asked for
---@field wanted fun(err?: lsp.ResponseError)[] what is to be done when it has come
---@field watch? integer

---@type table<integer, inkwright.Chapter>
local chapters = {}
local shown = config.get().inline

--- How many hunks wait in a buffer, as known.
---@param bufnr integer
---@return integer
function M.count(bufnr)
  return #M.known(bufnr)
end

--- The hunks that wait in a buffer, as known, by place.
---@param bufnr integer
---@return inkwright.Waiting[] hunks
---@return boolean current whether their places are those in the text as it is
function M.known(bufnr)
  local chapter = chapters[bufnr]
  if not chapter or not vim.api.nvim_buf_is_loaded(bufnr) then -- what is kept of a closed one goes in a moment
    return {}, false
  end
  return chapter.hunks, chapter.tick == vim.api.nvim_buf_get_changedtick(bufnr)
end

--- The lines of a buffer that its windows show, and as many again above and below: zero-based, last included.
local function seen(bufnr)
  return vim.tbl_map(function(win)
    local height = vim.api.nvim_win_get_height(win)
    return { vim.fn.line('w0', win) - 1 - height, vim.fn.line('w$', win) - 1 + height }
  end, vim.fn.win_findbuf(bufnr))
end

--- Draws what is near the windows and not drawn yet: of hundreds of hunks a writer sees a few.
local function draw(bufnr)
  -- A review shows both texts already.
  if not shown or #require('inkwright.view').all(bufnr) > 0 then
    return
  end
  if chapters[bufnr].tick ~= vim.api.nvim_buf_get_changedtick(bufnr) then
    M.refresh(bufnr, PAUSE) -- the places are those of an older text
    return
  end
  local near = seen(bufnr)
  local room
  for _, one in ipairs(chapters[bufnr].hunks) do
    for _, lines in ipairs(one.drawn and {} or near) do
      if not one.drawn and one.place.end_line >= lines[1] and one.place.line <= lines[2] then
        room = room or drawing.room(bufnr)
        drawing.hunk(bufnr, SPACE, one.hunk, one.place, room)
        one.drawn = true
      end
    end
  end
end

local function draw_anew(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, SPACE, 0, -1)
  for _, one in ipairs(chapters[bufnr].hunks) do
    one.drawn = false
  end
  draw(bufnr)
end

--- Whether a place is behind all of another.
local function behind(place, other)
  if other.end_line ~= place.line then
    return other.end_line < place.line
  end
  return other.end_col <= place.col and not vim.deep_equal(place, other)
end

--- Those that were there and those that overlap none of them, by place.
---@param there inkwright.Waiting[] by place
---@param more inkwright.Waiting[] by place
---@return inkwright.Waiting[]
local function merged(there, more)
  local out, at = {}, 1
  for _, one in ipairs(more) do
    while there[at] and behind(one.place, there[at].place) do
      table.insert(out, there[at])
      at = at + 1
    end
    if not there[at] or behind(there[at].place, one.place) then
      table.insert(out, one)
    end
  end
  return vim.list_extend(out, there, at)
end

--- Of hunks that change the same words those of the newest proposal are shown.
---@param bufnr integer
---@param proposals inkwright.Proposal[] the newest last
---@param encoding string
---@return inkwright.Waiting[]
local function collect(bufnr, proposals, encoding)
  if endings.lone(bufnr) then
    return {} -- their places are in other lines
  end
  local lines, out = vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), {}
  for at = #proposals, 1, -1 do
    local id = proposals[at].id
    out = merged(
      out,
      vim.tbl_map(function(hunk)
        return { id = id, hunk = hunk, place = places.place(lines, hunk.range, encoding) }
      end, waiting.standing(proposals[at]))
    )
  end
  return out
end

--- Chapters in which something was accepted: an undo brings hunks back where none waits.
---@type table<integer, true>
M.accepted = {}

local function forget(bufnr)
  M.accepted[bufnr] = nil
  local chapter = chapters[bufnr]
  if chapter and chapter.watch then
    vim.api.nvim_del_augroup_by_id(chapter.watch)
  end
  chapters[bufnr] = nil
end

--- While hunks wait, what is shown follows the text and the window.
local function watch(bufnr)
  local chapter = chapters[bufnr]
  if chapter.watch then
    return
  end
  chapter.watch = vim.api.nvim_create_augroup('inkwright.hunks.' .. bufnr, {})
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave' }, {
    group = chapter.watch,
    buffer = bufnr,
    desc = 'Inkwright: hunks follow the text',
    callback = function()
      M.refresh(bufnr, PAUSE)
    end,
  })
  vim.api.nvim_create_autocmd('WinResized', {
    group = chapter.watch,
    desc = 'Inkwright: hunks follow the width of the window',
    callback = function()
      M.redraw(bufnr)
    end,
  })
  vim.api.nvim_create_autocmd({ 'WinScrolled', 'BufWinEnter', 'TabEnter' }, {
    group = chapter.watch,
    desc = 'Inkwright: hunks that come near a window are drawn',
    callback = function()
      if vim.api.nvim_buf_is_loaded(bufnr) then
        draw(bufnr)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = chapter.watch,
    buffer = bufnr,
    desc = 'Inkwright: no hunks without a text',
    callback = function()
      vim.schedule(function()
        forget(bufnr)
      end)
    end,
  })
end

local function over(chapter, err)
  local wanted = chapter.wanted
  chapter.wanted = {}
  for _, done in ipairs(wanted) do
    done(err)
  end
end

--- Says, once, that hunks no longer fit: what is not drawn any more was not decided.
local function say_stale(chapter, proposals)
  local stale = 0
  for _, proposal in ipairs(proposals) do
    stale = stale + #vim.tbl_filter(function(hunk)
      return hunk.stale
    end, proposal.hunks)
  end
  if chapter.stale and stale > chapter.stale then
    errors.warn(tr('hunks_stale', stale - chapter.stale))
  end
  chapter.stale = stale
end

--- Shows what waits now; of several calls in a row the last counts.
---@param bufnr integer
---@param after? integer milliseconds
---@param done? fun(err?: lsp.ResponseError) also when nothing could be fetched
function M.refresh(bufnr, after, done)
  local chapter = chapters[bufnr] or { hunks = {}, work = 0, wanted = {} }
  chapters[bufnr] = chapter
  chapter.work = chapter.work + 1
  table.insert(chapter.wanted, done)
  local mine = chapter.work
  vim.defer_fn(function()
    if chapter.work ~= mine then
      return
    elseif not vim.api.nvim_buf_is_loaded(bufnr) then
      forget(bufnr)
      over(chapter)
      return
    end
    waiting.fetch(bufnr, function(proposals, server)
      if chapters[bufnr] ~= chapter then
        over(chapter)
        return
      end
      chapter.hunks = collect(bufnr, proposals, server.offset_encoding)
      say_stale(chapter, proposals)
      chapter.tick = vim.api.nvim_buf_get_changedtick(bufnr)
      draw_anew(bufnr)
      if #proposals > 0 or M.accepted[bufnr] then -- words that are gone may come back
        watch(bufnr)
      end
      vim.cmd.redrawstatus({ bang = true })
      over(chapter)
      if #proposals == 0 and not M.accepted[bufnr] and chapter.work == mine then
        forget(bufnr) -- nothing is kept of a chapter where nothing waits, nor can come back
      end
    end, function(err)
      over(chapter, err)
    end)
  end, after or 0)
end

--- Shows the hunks of a chapter again, or no more, when a review of it has opened or closed.
---@param bufnr integer
function M.redraw(bufnr)
  if chapters[bufnr] and vim.api.nvim_buf_is_loaded(bufnr) then
    draw_anew(bufnr)
  end
end

--- Shows hunks within the chapters, or no more, for this session.
---@param way? 'on'|'off'
function M.toggle(way)
  shown = way == 'on' or (way ~= 'off' and not shown)
  for bufnr in pairs(chapters) do
    M.redraw(bufnr)
  end
  errors.say(tr(shown and 'inline_on' or 'inline_off'))
  local client = require('inkwright.client')
  if shown and client.find() then
    M.refresh(require('inkwright.sources').of())
  end
end

return M
