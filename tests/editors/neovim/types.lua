-- What the annotations say of the code, held against the code itself: no type checker is needed, Neovim's Lua knows.
local t = dofile(vim.fs.dirname(arg[0]) .. '/driver.lua')
t.plugin()

local root = t.root .. '/clients/neovim/lua/'
local util = require('jit.util')

local function lines_of(path)
  return vim.split(t.read(path), '\n', { plain = true })
end

--- The comment right above a line: the names of its `@param`s in order, and whether it has a `@return`.
local function block(lines, line)
  local params, returns, at = {}, false, line - 1
  while lines[at] and lines[at]:match('^%s*%-%-%-') do
    local name = lines[at]:match('^%s*%-%-%-@param ([%w_]+)%??%s')
    if name then
      table.insert(params, 1, name)
    end
    returns = returns or lines[at]:match('^%s*%-%-%-@return ') ~= nil
    at = at - 1
  end
  return params, returns
end

--- A function's parameters as the compiler has them; those that it calls `_` are nobody's.
local function parameters(f)
  local names, info = {}, debug.getinfo(f, 'u')
  for at = 1, info.nparams do
    table.insert(names, (debug.getlocal(f, at)))
  end
  return vim.tbl_filter(function(name)
    return name:sub(1, 1) ~= '_' and name ~= 'self'
  end, names)
end

local function opcode(f, pc)
  return bit.band(util.funcbc(f, pc) or 0, 0xff)
end

--- The instructions that end a function with a value, as this very LuaJIT numbers them.
local VALUED = {}
for _, code in ipairs({ 'return 1', 'return 1, 2', 'return 1, ...', 'return print()', 'return print(print())' }) do
  local f = assert(load(code))
  local count = util.funcinfo(f).bytecodes
  for pc = 1, count - 1 do
    if pc == count - 1 then
      VALUED[opcode(f, pc)] = code
    end
  end
end
VALUED[opcode(assert(load('')), 1)] = nil

local function gives(f)
  for pc = 1, util.funcinfo(f).bytecodes - 1 do
    if VALUED[opcode(f, pc)] then
      return true
    end
  end
  return false
end

local function modules()
  local out = {}
  for _, path in ipairs(vim.fn.globpath(root, '**/*.lua', false, true)) do
    local name = path:sub(#root + 1):gsub('%.lua$', ''):gsub('/init$', ''):gsub('/', '.')
    if name ~= 'inkwright.types' and not name:find('texts', 1, true) then
      out[name] = path
    end
  end
  return out
end

t.test('what gives a value is told from what gives none', function()
  t.eq({ true, false, true }, {
    gives(function()
      return 1
    end),
    gives(function()
      print()
    end),
    gives(function(x)
      if x then
        return print(x)
      end
    end),
  })
end)

t.test('each public function names its parameters, in order, and what it returns', function()
  local wrong, count = {}, 0
  for name, path in vim.spairs(modules()) do
    local lines = lines_of(path)
    local module = require(name)
    for key, value in vim.spairs(type(module) == 'table' and module or {}) do
      local info = type(value) == 'function' and debug.getinfo(value, 'S')
      if info and info.source == '@' .. path then
        count = count + 1
        local said, returns = block(lines, info.linedefined)
        local real = parameters(value)
        if not vim.deep_equal(real, said) then
          local what = ('%s.%s(%s): %s'):format(name, key, table.concat(real, ', '), table.concat(said, ', '))
          table.insert(wrong, what)
        elseif gives(value) ~= returns then
          table.insert(wrong, ('%s.%s: @return'):format(name, key))
        end
      end
    end
  end
  assert(count > 100, count)
  t.eq({}, wrong)
end)

t.test('a comment above any function names parameters that it has, in order', function()
  local wrong = {}
  for name, path in vim.spairs(modules()) do
    local lines = lines_of(path)
    for at, line in ipairs(lines) do
      local list = line:match('^%s*local function [%w_]+%((.-)%)') or line:match('^%s*function [%w_.:]+%((.-)%)')
      local said = block(lines, at)
      if list and #said > 0 then
        local real = vim.tbl_filter(function(one)
          return one ~= '' and one ~= '...' and one:sub(1, 1) ~= '_'
        end, vim.split(list, ', ', { plain = true }))
        if not vim.deep_equal(real, said) then
          table.insert(wrong, ('%s:%d'):format(name, at))
        end
      elseif not list and #said > 0 and not line:match('^%s*%-%-') and not line:find('function(', 1, true) then
        table.insert(wrong, ('%s:%d: above no function'):format(name, at))
      end
    end
  end
  t.eq({}, wrong)
end)

--- The fields of a class, each with its type.
local function fields(class)
  local types = t.read(root .. 'inkwright/types.lua') .. '\n'
  local out = {}
  for name, kind in (types:match('@class ' .. vim.pesc(class) .. '\n(.-)\n\n') or ''):gmatch('@field ([%w_]+)%?? (%S+)') do
    out[name] = kind
  end
  return out
end

t.test('each option is a field, of the type that its default has, and each field is an option', function()
  local config = require('inkwright.config')
  for class, defaults in pairs({ ['inkwright.Options'] = config.DEFAULTS, ['inkwright.Prose'] = config.PROSE }) do
    local said = fields(class)
    t.eq(vim.fn.sort(vim.tbl_keys(defaults)), vim.fn.sort(vim.tbl_keys(said)))
    for name, value in pairs(defaults) do
      local kind = said[name]
      local fits = kind:find(type(value), 1, true)
        or (type(value) == 'number' and kind:find('integer', 1, true))
        or (type(value) == 'table' and kind:find('[]', 1, true))
        or (type(value) == 'string' and kind:find("'" .. value .. "'", 1, true))
      assert(fits, ('%s.%s is %s, said to be %s'):format(class, name, vim.inspect(value), kind))
    end
  end
end)

t.test('each type that is named is declared', function()
  local declared, named = {}, {}
  for _, path in ipairs(vim.fn.globpath(root, '**/*.lua', false, true)) do
    for _, line in ipairs(lines_of(path)) do
      local class = line:match('^%-%-%-@class ([%w_.]+)') or line:match('^%-%-%-@alias ([%w_.]+)')
      if class then
        declared[class] = true
      elseif line:match('^%s*%-%-%-?@') then
        for one in line:gmatch('%f[%w]inkwright%.%u[%w_.]*') do
          named[one] = vim.fs.basename(path)
        end
      end
    end
  end
  local missing = {}
  for one, where in pairs(named) do
    if not declared[one] then
      table.insert(missing, where .. ': ' .. one)
    end
  end
  t.eq({}, missing)
end)

t.finish()
