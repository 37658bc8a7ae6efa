-- Lists of things that something can be done with: a choice of the thing, then of what to do. Through
-- `vim.ui.select`, so that a writer's picker shows them; `kind` is `inkwright.` and the name of the list.
local M = {}

local tr = require('inkwright.i18n').tr
local width = require('inkwright.width')

---@class inkwright.Act
---@field label string
---@field run fun(again: fun()) `again` shows the list anew

---@class inkwright.Row
---@field label string
---@field acts? inkwright.Act[]
---@field run? fun(again: fun()) done at once, without a second choice

--- A label on one line of the screen, behind the number that Neovim's own list puts there.
---@param text string
---@return string
function M.cut(text)
  return (width.fit(width.flat(text), math.max(vim.o.columns - 8, 20)))
end

local function label(one)
  return M.cut(one.label)
end

--- Neovim's own list asks for a key when it is longer than the screen: the rest is behind a row of its own.
local function page(rows, prompt, kind, done)
  local own = debug.getinfo(vim.ui.select, 'S').source:find('vim/ui.lua', 1, true)
  local room = math.max(vim.o.lines - 5, 5)
  local shown = rows
  if own and #rows > room then
    local rest = vim.list_slice(rows, room)
    shown = vim.list_slice(rows, 1, room - 1)
    table.insert(shown, { label = tr('list_more', #rest), rest = rest })
  end
  local options = { prompt = M.cut(prompt), kind = 'inkwright.' .. kind, format_item = label }
  vim.cmd.redraw() -- else it stands behind what was typed last
  vim.ui.select(shown, options, function(row)
    if row and row.rest then
      page(row.rest, prompt, kind, done)
    else
      done(row)
    end
  end)
end

--- Shows what `load` gives, and anew behind an act that asks for it.
---@param prompt string
---@param kind string
---@param load fun(show: fun(rows: inkwright.Row[]))
function M.open(prompt, kind, load)
  local function again()
    M.open(prompt, kind, load)
  end
  local over = require('inkwright.errors').wait(prompt)
  load(function(rows)
    over()
    page(rows, prompt, kind, function(row)
      if not row then
        return
      end
      if row.run then
        row.run(again)
        return
      end
      page(row.acts, row.label, 'act', function(act)
        if act then
          act.run(again)
        else
          again()
        end
      end)
    end)
  end)
end

--- The beginning of a text, on one line.
---@param text string
---@param length integer characters
---@return string
function M.short(text, length)
  local line = width.flat(text)
  return vim.fn.strchars(line, true) > length and vim.fn.strcharpart(line, 0, length, true) .. '…' or line
end

return M
