-- Where hunks stand: in a chapter's lines, and in the text that holds all of them.
local M = {}

---@class inkwright.Place zero-based lines, byte columns, end excluded
---@field line integer
---@field col integer
---@field end_line integer
---@field end_col integer

local function byte(lines, position, encoding)
  local line = lines[position.line + 1] or ''
  return vim.str_byteindex(line, encoding, position.character, false)
end

---@param lines string[] of the chapter
---@param range lsp.Range
---@param encoding string
---@return inkwright.Place
function M.place(lines, range, encoding)
  return {
    line = range.start.line,
    col = byte(lines, range.start, encoding),
    end_line = range['end'].line,
    end_col = byte(lines, range['end'], encoding),
  }
end

--- Where hunks stand once all of them are in the text; they come in order and never overlap.
---@param hunks inkwright.Hunk[]
---@param here table<integer, inkwright.Place> by index
---@return table<integer, inkwright.Place> by index
function M.shifted(hunks, here)
  local out, lines, line, cols = {}, 0, -1, 0
  for _, hunk in ipairs(hunks) do
    local old = here[hunk.index]
    local new = { line = old.line + lines, col = old.col }
    if old.line == line then
      new.col = old.col + cols
    end
    local after = vim.split((hunk.after:gsub('\r\n?', '\n')), '\n', { plain = true })
    new.end_line = new.line + #after - 1
    new.end_col = #after == 1 and new.col + #after[1] or #after[#after]
    lines = new.end_line - old.end_line
    line, cols = old.end_line, new.end_col - old.end_col
    out[hunk.index] = new
  end
  return out
end

--- The hunk at a cursor: the one that it stands in, else the nearest on its line.
---@param hunks inkwright.Hunk[]
---@param places table<integer, inkwright.Place> by index
---@param line integer zero-based
---@param col integer bytes
---@return inkwright.Hunk?
function M.at(hunks, places, line, col)
  local best, distance
  for _, hunk in ipairs(hunks) do
    local p = places[hunk.index]
    if p and p.line <= line and line <= p.end_line then
      local before = (line > p.line) and 0 or math.max(0, p.col - col)
      local behind = (line < p.end_line) and 0 or math.max(0, col - math.max(p.end_col - 1, p.col))
      local away = before + behind
      if not distance or away < distance then
        best, distance = hunk, away
      end
    end
  end
  return best
end

--- The one of several things that comes next from the cursor (1), or the one before (-1); nil where there is none.
---@generic T
---@param all T[] in the order of their places
---@param place_of fun(one: T): inkwright.Place
---@param step 1|-1
---@return T?
function M.beside(all, place_of, step)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local line, col = cursor[1] - 1, cursor[2]
  local found
  for _, one in ipairs(all) do
    local place = place_of(one)
    local order = place.line ~= line and place.line - line or place.col - col
    if step > 0 and order > 0 then
      return one
    elseif step < 0 and order < 0 then
      found = one
    end
  end
  return found
end

return M
