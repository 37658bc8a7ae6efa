-- `:Inkwright {command}`: reading what was typed, completing it, and handing it on.
local M = {}

local asking = require('inkwright.asking')
local client = require('inkwright.client')
local errors = require('inkwright.errors')
local profiles = require('inkwright.profiles')
local tr = require('inkwright.i18n').tr

local function abilities()
  local ids = profiles.ids('ability')
  return #ids > 0 and ids or vim.tbl_values(profiles.WORDS)
end

local function rest(words, from)
  return table.concat(vim.list_slice(words, from), ' ')
end

--- Each: `run(words, given)` with the words after the name; `complete(words)` for the next of them; `alone`
--- if it needs no server.
local COMMANDS = {}

for word, ability in pairs(profiles.WORDS) do
  COMMANDS[word] = {
    run = function(words, given)
      asking.ask(ability, rest(words, 1), asking.selection(given))
    end,
  }
end

COMMANDS.run = {
  run = function(words, given)
    if not words[1] then
      COMMANDS.actions.run(words, given)
      return
    end
    asking.ask(words[1], rest(words, 2), asking.selection(given))
  end,
  complete = function(words)
    return #words == 0 and abilities() or {}
  end,
}

COMMANDS.actions = {
  run = function(_, given)
    asking.choose(asking.selection(given))
  end,
}

COMMANDS.pipeline = {
  run = function(words)
    local pipelines = profiles.ids('pipeline')
    local named = vim.list_contains(pipelines, words[1]) and table.remove(words, 1) or nil
    local message = words[1] and rest(words, 1) or nil
    require('inkwright.runs').start({ uri = client.here(), pipeline = named, message = message })
  end,
  complete = function(words)
    return #words == 0 and profiles.ids('pipeline') or {}
  end,
}

COMMANDS.resume = {
  run = function(words)
    require('inkwright.past').resume(words[1])
  end,
}

COMMANDS.follow = {
  run = function(words)
    require('inkwright.past').follow(rest(words, 1))
  end,
}

COMMANDS.candidates = {
  run = function()
    require('inkwright.candidates').open()
  end,
}

COMMANDS.memories = {
  run = function(words)
    local memories = require('inkwright.memories')
    if words[1] == 'add' then
      memories.add(rest(words, 2))
    elseif words[1] == 'clear' then
      memories.clear()
    else
      memories.open()
    end
  end,
  complete = function(words)
    return #words == 0 and { 'add', 'clear' } or {}
  end,
}

COMMANDS.intended = {
  run = function()
    require('inkwright.intended').open()
  end,
}

COMMANDS.search = {
  run = function(words)
    require('inkwright.search').open(rest(words, 1))
  end,
}

COMMANDS.summary = {
  run = function()
    require('inkwright.books').summary()
  end,
}

COMMANDS.cancel = {
  alone = true,
  run = function(words)
    require('inkwright.runs').cancel(words[1])
  end,
  complete = function()
    return require('inkwright.runs').ids()
  end,
}

for _, word in ipairs({ 'accept', 'reject' }) do
  COMMANDS[word] = {
    run = function(words, given)
      local choice = { all = words[1] == 'all' }
      if given.range > 0 then
        choice.first, choice.last = given.line1, given.line2
      end
      require('inkwright.review')[word](choice)
    end,
    complete = function(words)
      return #words == 0 and { 'all' } or {}
    end,
  }
end

COMMANDS.review = {
  run = function()
    require('inkwright.review').open()
  end,
}

COMMANDS.proposals = {
  run = function()
    require('inkwright.review').choose()
  end,
}

COMMANDS.context = {
  run = function(words, given)
    local message = words[2] and rest(words, 2) or nil
    local past = require('inkwright.past')
    if words[1] == 'pipeline' then
      past.context({ uri = client.here(), pipeline = '', message = message })
      return
    end
    local ability = profiles.WORDS[words[1]] or words[1] or 'polish'
    past.context({ ability = ability, uri = client.here(), range = asking.selection(given), message = message })
  end,
  complete = function(words)
    return #words == 0 and vim.list_extend({ 'pipeline' }, abilities()) or {}
  end,
}

COMMANDS.book = {
  run = function(words)
    require('inkwright.books')[words[1] == 'create' and 'create' or 'show']()
  end,
  complete = function(words)
    return #words == 0 and { 'show', 'create' } or {}
  end,
}

COMMANDS.cards = {
  run = function()
    require('inkwright.books').cards()
  end,
}

COMMANDS.card = {
  run = function(words)
    require('inkwright.books').card(words[1], rest(words, 2))
  end,
  complete = function(words)
    return #words == 0 and require('inkwright.books').TYPES or {}
  end,
}

COMMANDS.stats = {
  run = function()
    require('inkwright.books').stats()
  end,
}

COMMANDS.goals = {
  run = function()
    require('inkwright.books').goals()
  end,
}

COMMANDS.models = {
  run = function(words)
    local models = require('inkwright.models')
    if words[1] == 'key' and words[2] then
      models.key(words[2])
    else
      models.open()
    end
  end,
  complete = function(words)
    return #words == 0 and { 'key' } or {}
  end,
}

COMMANDS.usage = {
  run = function()
    require('inkwright.models').usage()
  end,
}

COMMANDS.report = {
  run = function()
    require('inkwright.books').report()
  end,
}

COMMANDS.runs = {
  run = function()
    require('inkwright.past').open()
  end,
}

COMMANDS.restart = {
  alone = true,
  run = function()
    local attached = {}
    for _, server in ipairs(vim.lsp.get_clients({ name = client.NAME })) do
      vim.list_extend(attached, vim.tbl_keys(server.attached_buffers))
      server:stop()
    end
    vim.wait(3000, function()
      return #vim.lsp.get_clients({ name = client.NAME }) == 0
    end, 20)
    vim.lsp.enable(client.NAME)
    for _, bufnr in ipairs(attached) do
      if vim.api.nvim_buf_is_valid(bufnr) then
        vim.api.nvim_exec_autocmds('FileType', { buffer = bufnr, group = 'nvim.lsp.enable' })
      end
    end
    errors.say(tr('restarted'))
  end,
}

COMMANDS.log = {
  alone = true,
  run = function()
    vim.cmd('split ' .. vim.fn.fnameescape(vim.lsp.log.get_filename()))
  end,
}

local function names()
  local out = vim.tbl_keys(COMMANDS)
  table.sort(out)
  return out
end

---@param given vim.api.keyset.create_user_command.command_args
function M.run(given)
  local words = vim.list_slice(given.fargs)
  local name = table.remove(words, 1)
  if not name then
    errors.say(tr('usage'))
    return
  end
  local command = COMMANDS[name]
  if not command then
    errors.fail(tr('unknown_command', name, table.concat(names(), ' ')))
    return
  end
  if command.alone then
    command.run(words, given)
    return
  end
  local source = vim.api.nvim_get_current_buf()
  client.when_ready(function()
    if vim.api.nvim_get_current_buf() == source then
      command.run(words, given)
    end
  end)
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line), '%s+')
  while words[1] and not words[1]:match('^.-Ink') do
    table.remove(words, 1)
  end
  table.remove(words, 1)
  if lead ~= '' then
    table.remove(words)
  end
  local found = names()
  if words[1] then
    local command = COMMANDS[words[1]]
    found = command and command.complete and command.complete(vim.list_slice(words, 2)) or {}
  end
  return vim.iter(found)
    :filter(function(name)
      return vim.startswith(name, lead)
    end)
    :totable()
end

M.names = names

return M
