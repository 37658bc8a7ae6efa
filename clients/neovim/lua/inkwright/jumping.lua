-- From hunk to hunk in a chapter, and what is to be done where a jump ends.
local M = {}

local endings = require('inkwright.endings')
local errors = require('inkwright.errors')
local hunks = require('inkwright.hunks')
local pages = require('inkwright.pages')
local places = require('inkwright.places')
local tr = require('inkwright.i18n').tr

---@type table<integer, { count: integer, behind: fun()[] }> the jumps that are under way, by buffer
local under_way = {}

--- The hunk that comes next from the cursor.
local function beside(waiting, step)
  local target = places.beside(waiting, function(one)
    return one.place
  end, step)
  if not target and vim.o.wrapscan then
    target = waiting[step > 0 and 1 or #waiting]
  end
  return target
end

local function go(bufnr, step)
  local waiting = hunks.known(bufnr)
  if vim.api.nvim_get_current_buf() ~= bufnr then
    return
  elseif #waiting == 0 then
    errors.say(tr('review_none'))
    return
  end
  local target = beside(waiting, step)
  if not target then
    errors.say(tr('review_no_more'))
    return
  end
  vim.cmd("normal! m'")
  local last = vim.api.nvim_buf_line_count(bufnr)
  vim.api.nvim_win_set_cursor(0, { math.min(target.place.line + 1, last), target.place.col })
end

local function arrived(bufnr)
  local jumps = under_way[bufnr]
  jumps.count = jumps.count - 1
  if jumps.count == 0 then
    under_way[bufnr] = nil
    for _, act in ipairs(jumps.behind) do
      act()
    end
  end
end

--- To the next hunk (1) or the one before (-1); round the end as 'wrapscan' says. From a window of the plugin's own to
--- the chapter that it is about.
---@param step 1|-1
function M.jump(step)
  local view = require('inkwright.view')
  local bufnr = vim.api.nvim_get_current_buf()
  local review = view.of(bufnr)
  if review and bufnr == review.buffer then
    view.jump(review, step)
    return
  end
  bufnr = pages.enter()
  if endings.refused(bufnr) then
    return
  end
  local waiting, current = hunks.known(bufnr)
  if #waiting > 0 and current then
    go(bufnr, step) -- at once: an act behind it is about the hunk that was gone to
    return
  end
  under_way[bufnr] = under_way[bufnr] or { count = 0, behind = {} }
  under_way[bufnr].count = under_way[bufnr].count + 1
  hunks.refresh(bufnr, 0, function(err)
    if err then
      errors.response(err)
    else
      go(bufnr, step)
    end
    arrived(bufnr)
  end)
end

--- Does something now, or when a jump in a chapter that is under way has ended: it is about the hunk that is gone to.
---@param bufnr integer
---@param act fun()
function M.behind(bufnr, act)
  if under_way[bufnr] then
    table.insert(under_way[bufnr].behind, act)
  else
    act()
  end
end

return M
