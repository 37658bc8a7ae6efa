-- One hunk drawn over a text: what goes is struck out, what comes stands beside it, or below where it is long.
local M = {}

local tr = require('inkwright.i18n').tr
local width = require('inkwright.width')

require('inkwright.colours')

local BESIDE, MOST = 40, 12

local function normal(text)
  return (text:gsub('\r\n?', '\n'))
end

--- A word of letters that are put together to words, as one sign: a change within it is read better whole.
local WORD = [=[[[:alnum:]\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f]\+]=]
local SIGN = ([[\%%(%s\%%(['’]%s\)*\|\_.\)\zs]]):format(WORD, WORD)

--- The signs of a text: words, and whatever else there is character by character.
local function signs_of(text)
  return vim.fn.split(text, SIGN)
end

--- Where a text ends that begins at a place.
local function behind(line, col, text)
  local lines = vim.split(text, '\n', { plain = true })
  return line + #lines - 1, #lines == 1 and col + #text or #lines[#lines]
end

---@class inkwright.Piece
---@field from integer signs before it
---@field till? integer signs before what follows it
---@field old string
---@field new string

--- What differs between two texts, sign by sign.
---@param old string
---@param new string
---@return inkwright.Piece[]
local function pieces(old, new)
  local a, b = signs_of(old), signs_of(new)
  local function by_line(list)
    local lines = vim.tbl_map(function(char)
      return char == '\n' and '\r' or char
    end, list)
    return #lines == 0 and '' or table.concat(lines, '\n') .. '\n' -- of no text there is no line
  end
  local found = vim.diff(by_line(a), by_line(b), { result_type = 'indices', algorithm = 'histogram' })
  local out = {}
  ---@cast found integer[][]
  for _, one in ipairs(found) do
    local from, gone, at, come = unpack(one)
    from = gone == 0 and from or from - 1
    at = come == 0 and at or at - 1
    local last = out[#out]
    local between = last and from - last.till or 3
    if between < 2 then -- one sign between two changes is no more than noise
      local kept = table.concat(a, '', last.till + 1, from)
      last.old = last.old .. kept .. table.concat(a, '', from + 1, from + gone)
      last.new = last.new .. kept .. table.concat(b, '', at + 1, at + come)
      last.till = from + gone
    else
      table.insert(out, {
        from = from,
        till = from + gone,
        old = table.concat(a, '', from + 1, from + gone),
        new = table.concat(b, '', at + 1, at + come),
      })
    end
  end
  return out
end

--- What two texts have in common at their ends is left out.
local function whole(old, new)
  local a, b = signs_of(old), signs_of(new)
  local from, to = 0, 0
  local least = math.min(#a, #b)
  while from < least and a[from + 1] == b[from + 1] do
    from = from + 1
  end
  while to < least - from and a[#a - to] == b[#b - to] do
    to = to + 1
  end
  return { from = from, old = table.concat(a, '', from + 1, #a - to), new = table.concat(b, '', from + 1, #b - to) }
end

--- Few small changes are shown each where it is; more than that is read better whole.
local function told(old, new)
  local found = pieces(old, new)
  local small = #found <= MOST
  local changed = 0
  for _, piece in ipairs(found) do
    changed = changed + #piece.old + #piece.new
    small = small and not piece.new:find('\n', 1, true) and vim.api.nvim_strwidth(piece.new) <= BESIDE
  end
  if small and (#found == 1 or changed * 2 <= #old + #new) then
    return found
  end
  return { whole(old, new) }
end

--- The cells that a line has in the narrowest window of a buffer.
---@param bufnr integer
---@return integer
function M.room(bufnr)
  local room = vim.o.columns
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    room = math.min(room, vim.api.nvim_win_get_width(win) - vim.fn.getwininfo(win)[1].textoff)
  end
  return room
end

--- Lines below the text, broken to fit: Neovim would cut them without a sign.
---@param out table[] virt_lines
---@param text string
---@param group string
---@param room integer
function M.below(out, text, group, room)
  for _, line in ipairs(width.wrap(text, room)) do
    table.insert(out, { { line, group } })
  end
end

---@param bufnr integer
---@param space integer the namespace
---@param hunk inkwright.Hunk
---@param place inkwright.Place
---@param room integer cells of a line
function M.hunk(bufnr, space, hunk, place, room)
  local before = normal(hunk.before)
  local signs = signs_of(before)
  local under, end_line, end_col = {}, place.end_line, place.end_col
  for _, piece in ipairs(told(before, normal(hunk.after))) do
    local line, col = behind(place.line, place.col, table.concat(signs, '', 1, piece.from))
    end_line, end_col = behind(line, col, piece.old)
    if piece.old ~= '' then
      vim.api.nvim_buf_set_extmark(bufnr, space, line, col, {
        end_row = end_line,
        end_col = end_col,
        hl_group = { 'InkwrightOld', 'InkwrightStruck' },
        priority = 150,
        strict = false,
      })
    end
    if piece.new ~= '' and not piece.new:find('\n', 1, true) and vim.api.nvim_strwidth(piece.new) <= BESIDE then
      vim.api.nvim_buf_set_extmark(bufnr, space, end_line, end_col, {
        virt_text = { { piece.new, 'InkwrightNew' } },
        virt_text_pos = 'inline',
        strict = false,
      })
    elseif piece.new ~= '' then
      M.below(under, (piece.new:gsub('^\n+', ''):gsub('\n+$', '')), 'InkwrightNew', room)
    end
  end
  for _, finding in ipairs(hunk.findings) do
    M.below(under, tr('hunk_with_findings', finding.message), 'InkwrightFinding', room)
  end
  if #under > 0 then
    vim.api.nvim_buf_set_extmark(bufnr, space, end_line, end_col, { virt_lines = under, strict = false })
  end
end

return M
