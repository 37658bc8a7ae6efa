-- Options: `vim.g.inkwright`, or the argument of require('inkwright').setup(). A bad value is named and
-- its default used.
local M = {}

---@type inkwright.Options
M.DEFAULTS = {
  cmd = { 'inkwright', 'lsp' },
  locale = '',
  live = true,
  live_height = 12,
  review = 'diff',
  goal = 0,
  settings = {},
}

local KINDS = {
  cmd = function(value)
    return vim.islist(value) and #value > 0 and vim.iter(value):all(function(part)
      return type(part) == 'string'
    end)
  end,
  locale = function(value)
    return value == '' or value == 'zh' or value == 'en'
  end,
  live = function(value)
    return type(value) == 'boolean'
  end,
  live_height = function(value)
    return type(value) == 'number' and value >= 1 and value % 1 == 0
  end,
  review = function(value)
    return value == 'diff' or value == 'none'
  end,
  goal = function(value)
    return type(value) == 'number' and value >= 0 and value % 1 == 0
  end,
  settings = function(value)
    return type(value) == 'table'
  end,
}

---@return inkwright.Options options
---@return string[] bad the names of options that are unknown or of the wrong kind
function M.read()
  local given = vim.g.inkwright
  local options, bad = vim.deepcopy(M.DEFAULTS), {}
  if given == nil then
    return options, bad
  end
  if type(given) ~= 'table' then
    return options, { 'vim.g.inkwright' }
  end
  for name, value in pairs(given) do
    if KINDS[name] and KINDS[name](value) then
      options[name] = value
    else
      table.insert(bad, tostring(name))
    end
  end
  table.sort(bad)
  return options, bad
end

---@return inkwright.Options
function M.get()
  return (M.read())
end

return M
