-- `:Inkwright {command}`: reading what was typed, completing it, and handing it on.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local profiles = require('inkwright.profiles')
local tr = require('inkwright.i18n').tr

--- The selection as an LSP range; nil when nothing was selected. A selection within lines is taken to the
--- character, if the range of the command is that selection.
local function selection(given)
  if given.range == 0 then
    return nil
  end
  local server = client.get(0)
  if not server then
    return nil
  end
  local first, last = vim.fn.getline(given.line1), vim.fn.getline(given.line2)
  local from, to = 0, #last
  local left, right = vim.api.nvim_buf_get_mark(0, '<'), vim.api.nvim_buf_get_mark(0, '>')
  if vim.fn.visualmode() == 'v' and left[1] == given.line1 and right[1] == given.line2 then
    from = math.min(left[2], #first)
    if right[2] < #last then -- a mark stands on the first byte of the last character
      to = right[2] + (vim.o.selection == 'exclusive' and 0 or vim.str_utf_end(last, right[2] + 1) + 1)
    end
  end
  local encoding = server.offset_encoding
  return {
    start = { line = given.line1 - 1, character = vim.str_utfindex(first, encoding, from, false) },
    ['end'] = { line = given.line2 - 1, character = vim.str_utfindex(last, encoding, to, false) },
  }
end

local function ask_and_run(ability, message, range)
  local source = vim.api.nvim_get_current_buf()
  local wish = { ability = ability, uri = client.uri(source), range = range }
  local function go(text)
    if text == nil then
      return
    end
    wish.message = text ~= '' and text or nil
    require('inkwright.runs').start(wish, source)
  end
  if message ~= '' or ability == 'polish' or ability == 'analysis' then
    go(message)
  elseif client.get(source) then
    vim.ui.input({ prompt = tr('message_for', profiles.label(ability)) }, go)
  end
end

local function abilities()
  local out = {}
  for _, profile in ipairs(profiles.now()) do
    if profile.kind == 'ability' then
      table.insert(out, profile.id)
    end
  end
  return #out > 0 and out or vim.tbl_values(profiles.WORDS)
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
      ask_and_run(ability, rest(words, 1), selection(given))
    end,
  }
end

COMMANDS.run = {
  run = function(words, given)
    if not words[1] then
      COMMANDS.actions.run(words, given)
      return
    end
    ask_and_run(words[1], rest(words, 2), selection(given))
  end,
  complete = function(words)
    return #words == 0 and abilities() or {}
  end,
}

COMMANDS.actions = {
  run = function(_, given)
    local range, source = selection(given), vim.api.nvim_get_current_buf()
    profiles.get(function(found)
      local choices = {}
      for _, profile in ipairs(found) do
        for _, quick in ipairs(profile.kind == 'ability' and profile.quickActions or {}) do
          table.insert(choices, { profile = profile, quick = quick })
        end
      end
      vim.ui.select(choices, {
        prompt = tr('choose_action'),
        format_item = function(choice)
          return tr('run_title', choice.profile.label, choice.quick.label)
        end,
      }, function(choice)
        if choice then
          local wish = { ability = choice.profile.id, uri = client.uri(source), range = range }
          wish.message = choice.quick.message
          require('inkwright.runs').start(wish, source, choice.profile.label)
        end
      end)
    end)
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
    local ability = profiles.WORDS[words[1]] or words[1] or 'polish'
    require('inkwright.books').context({
      ability = ability,
      uri = client.uri(vim.api.nvim_get_current_buf()),
      range = selection(given),
      message = words[2] and rest(words, 2) or nil,
    })
  end,
  complete = function(words)
    return #words == 0 and abilities() or {}
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

COMMANDS.runs = {
  run = function()
    require('inkwright.books').runs()
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
    profiles.forget()
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
