-- Texts made to fit into so many cells of the screen; a Chinese character takes two.
local M = {}

local function cells(text)
  return vim.api.nvim_strwidth(text)
end

--- The beginning of a text that fits, with '…' where something was cut.
---@param text string
---@param most integer cells
---@return string
---@return boolean cut
function M.fit(text, most)
  if cells(text) <= most then
    return text, false
  end
  local low, high = 0, vim.fn.strchars(text, true)
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if cells(vim.fn.strcharpart(text, 0, middle, true)) <= most - 1 then
      low = middle
    else
      high = middle - 1
    end
  end
  return vim.fn.strcharpart(text, 0, low, true) .. '…', true
end

--- A text in lines of at most so many cells: broken at a space where there is one near, else anywhere.
---@param text string
---@param most integer cells
---@return string[]
function M.wrap(text, most)
  local out = {}
  most = math.max(most, 2)
  for line in vim.gsplit(text, '\r?\n') do
    while cells(line) > most do
      local count = vim.fn.strchars(line, true)
      local low, high = 1, count
      while low < high do
        local middle = math.ceil((low + high) / 2)
        if cells(vim.fn.strcharpart(line, 0, middle, true)) <= most then
          low = middle
        else
          high = middle - 1
        end
      end
      local part = vim.fn.strcharpart(line, 0, low, true)
      local at = part:match('^.*() ')
      local next_one = vim.fn.strcharpart(line, low, 1, true)
      if at and at > #part / 2 and next_one:match('^%w') and part:match('%w$') then
        part = part:sub(1, at)
      end
      table.insert(out, part)
      line = line:sub(#part + 1)
    end
    table.insert(out, line)
  end
  return out
end

--- A text on one line.
---@param text string
---@return string
function M.flat(text)
  return vim.trim((text:gsub('%s+', ' ')))
end

return M
