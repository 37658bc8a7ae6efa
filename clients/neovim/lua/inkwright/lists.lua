-- Lists of things that something can be done with: a choice of the thing, then of what to do.
local M = {}

---@class inkwright.Act
---@field label string
---@field run fun(again: fun()) `again` shows the list anew

---@class inkwright.Row
---@field label string
---@field acts? inkwright.Act[]
---@field run? fun(again: fun()) done at once, without a second choice

local function label(one)
  return one.label
end

--- Shows what `load` gives, and anew behind an act that asks for it.
---@param prompt string
---@param load fun(show: fun(rows: inkwright.Row[]))
function M.open(prompt, load)
  local function again()
    M.open(prompt, load)
  end
  load(function(rows)
    vim.ui.select(rows, { prompt = prompt, format_item = label }, function(row)
      if not row then
        return
      end
      if row.run then
        row.run(again)
        return
      end
      vim.ui.select(row.acts, { prompt = row.label, format_item = label }, function(act)
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
function M.short(text, length)
  local line = vim.trim((text:gsub('%s+', ' ')))
  return vim.fn.strchars(line, true) > length and vim.fn.strcharpart(line, 0, length, true) .. '…' or line
end

return M
