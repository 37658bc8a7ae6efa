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
  inline = true,
  highlights = true,
  prose = false,
  goal = 0,
  settings = {},
}

--- What `prose = true` sets, each for the window of a chapter alone.
M.PROSE = { wrap = true, linebreak = true, breakindent = true, conceallevel = 0, spell = false }

local function is(kind)
  return function(value)
    return type(value) == kind, kind
  end
end

local function one_of(...)
  local allowed = { ... }
  return function(value)
    return vim.list_contains(allowed, value), table.concat(vim.tbl_map(vim.inspect, allowed), ' | ')
  end
end

local function whole(least)
  return function(value)
    return type(value) == 'number' and value >= least and value % 1 == 0, ('integer >= %d'):format(least)
  end
end

local function command(value)
  local fits = vim.islist(value)
    and #value > 0
    and vim.iter(value):all(function(part)
      return type(part) == 'string'
    end)
  return fits, 'string[]'
end

local function prose(value)
  if type(value) == 'boolean' then
    return true
  end
  local fits = type(value) == 'table'
    and vim.iter(pairs(value)):all(function(name, set)
      return M.PROSE[name] ~= nil and type(set) == type(M.PROSE[name])
    end)
  return fits, 'boolean | { wrap, linebreak, breakindent, spell: boolean, conceallevel: integer }'
end

---@type table<string, fun(value: any): boolean, string?> each with what it wants
local KINDS = {
  cmd = command,
  locale = one_of('', 'zh', 'en'),
  live = is('boolean'),
  live_height = whole(1),
  review = one_of('diff', 'none'),
  inline = is('boolean'),
  highlights = is('boolean'),
  prose = prose,
  goal = whole(0),
  settings = is('table'),
}

---@class inkwright.BadOption
---@field name string
---@field wanted? string what it may be; nil for an option that does not exist
---@field given string
---@field meant? string the option that was probably meant

local function nearest(name)
  for known in pairs(KINDS) do
    local same = known:lower():gsub('[_-]', '') == name:lower():gsub('[_-]', '')
    if same or known:find(name, 1, true) or name:find(known, 1, true) then
      return known
    end
  end
end

---@param given any
---@return inkwright.Options options
---@return inkwright.BadOption[] bad by name
function M.validated(given)
  local options, bad = vim.deepcopy(M.DEFAULTS), {}
  if given == nil then
    return options, bad
  end
  if type(given) ~= 'table' then
    return options, { { name = 'vim.g.inkwright', wanted = 'table', given = vim.inspect(given) } }
  end
  for name, value in pairs(given) do
    local kind = KINDS[name]
    local fits, wanted = false, nil
    if kind then
      fits, wanted = kind(value)
    end
    if fits then
      options[name] = value
    else
      local meant = not kind and nearest(tostring(name)) or nil
      local shown = vim.inspect(value, { newline = ' ', indent = '' })
      table.insert(bad, { name = tostring(name), wanted = kind and wanted, given = shown, meant = meant })
    end
  end
  table.sort(bad, function(a, b)
    return a.name < b.name
  end)
  return options, bad
end

---@return inkwright.Options options
---@return inkwright.BadOption[] bad
function M.read()
  return M.validated(vim.g.inkwright)
end

---@return inkwright.Options
function M.get()
  return (M.read())
end

--- What is wrong with an option, in the writer's language.
---@param one inkwright.BadOption
---@return string
function M.complaint(one)
  local tr = require('inkwright.i18n').tr
  if one.wanted then
    return tr('bad_option', one.name, one.wanted, one.given)
  end
  return one.meant and tr('unknown_option_meant', one.name, one.meant) or tr('unknown_option', one.name)
end

return M
