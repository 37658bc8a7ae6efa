-- What `:Inkwright {command}` does, by the command's name.

local asking = require('inkwright.asking')
local client = require('inkwright.client')
local errors = require('inkwright.errors')
local profiles = require('inkwright.profiles')
local sources = require('inkwright.sources')

local function abilities()
  local ids = profiles.ids('ability', true)
  return #ids > 0 and ids or vim.tbl_values(profiles.WORDS)
end

local function rest(words, from)
  return table.concat(vim.list_slice(words, from), ' ')
end

---@class inkwright.Command
---@field run fun(words: string[], given: vim.api.keyset.create_user_command.command_args) words after the name
---@field complete? fun(words: string[]): string[] the next word
---@field alone? boolean|fun(words: string[]): boolean needs no server
---@field any? fun(words: string[]): boolean? whether it is about no text: any server will do
---@field only? boolean its first word is one of those that are completed
---@field ranged? boolean whether it can be about a selection

---@type table<string, inkwright.Command>
local COMMANDS = {}

local function any()
  return true
end

--- A command that takes one of some words, or none.
local function one_of(options, run)
  return {
    only = true,
    run = function(words)
      run(words[1])
    end,
    complete = function(words)
      return #words == 0 and options or {}
    end,
  }
end

--- Those that take no word: the module and its function.
local PLAIN = {
  candidates = { 'candidates', 'open' },
  cards = { 'books', 'cards' },
  chapters = { 'books', 'chapters' },
  diff = { 'review', 'open' },
  goals = { 'books', 'goals' },
  intended = { 'intended', 'open' },
  proposals = { 'review', 'choose' },
  report = { 'books', 'report' },
  review = { 'review', 'open' },
  runs = { 'past', 'open' },
  stats = { 'books', 'stats' },
  summary = { 'books', 'summary' },
  threads = { 'books', 'threads' },
  usage = { 'models', 'usage' },
}

--- Those of them that are about the text in front.
local TEXTUAL = { diff = true, review = true, summary = true }

for word, act in pairs(PLAIN) do
  COMMANDS[word] = {
    only = true,
    any = not TEXTUAL[word] and any or nil,
    run = function()
      require('inkwright.' .. act[1])[act[2]]()
    end,
  }
end

for word, ability in pairs(profiles.WORDS) do
  COMMANDS[word] = {
    ranged = true,
    run = function(words, given)
      asking.ask(ability, rest(words, 1), asking.selection(given))
    end,
  }
end

COMMANDS.run = {
  ranged = true,
  run = function(words, given)
    if not words[1] then
      asking.choose(asking.selection(given))
      return
    end
    asking.ask(words[1], rest(words, 2), asking.selection(given))
  end,
  complete = function(words)
    return #words == 0 and abilities() or {}
  end,
}

COMMANDS.actions = {
  ranged = true,
  only = true,
  run = function(_, given)
    asking.choose(asking.selection(given))
  end,
}

COMMANDS.pipeline = {
  run = function(words)
    if words[1] == 'resume' then
      require('inkwright.past').resume(words[2])
      return
    end
    local uri, source = client.here(), sources.of()
    local function start()
      local named = vim.list_contains(profiles.ids('pipeline'), words[1]) and table.remove(words, 1) or nil
      local message = words[1] and rest(words, 1) or nil
      require('inkwright.runs').start({ uri = uri, pipeline = named, message = message }, source)
    end
    if words[1] then
      profiles.get(start) -- whether that is an id or the first word of a message
    else
      start()
    end
  end,
  complete = function(words)
    return #words == 0 and vim.list_extend({ 'resume' }, profiles.ids('pipeline', true)) or {}
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

COMMANDS.memories = {
  any = any,
  only = true,
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

COMMANDS.search = {
  any = any,
  run = function(words)
    require('inkwright.search').open(rest(words, 1))
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
    only = true,
    ranged = true,
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

COMMANDS.context = {
  ranged = true,
  run = function(words, given)
    local message = words[2] and rest(words, 2) or nil
    local past = require('inkwright.past')
    if words[1] == 'pipeline' then
      past.context({ uri = client.here(), pipeline = '', message = message })
      return
    end
    local ability = profiles.WORDS[words[1]] or words[1] or 'polish'
    local wish = { ability = ability, uri = client.here(), range = asking.selection(given), message = message }
    profiles.find(ability, function(profile)
      if profile then
        past.context(wish)
      else
        asking.unknown(ability)
      end
    end)
  end,
  complete = function(words)
    return #words == 0 and vim.list_extend({ 'pipeline' }, abilities()) or {}
  end,
}

COMMANDS.book = {
  any = function(words)
    return words[1] ~= 'create'
  end,
  -- An empty folder becomes a book before a chapter has started a server.
  alone = function(words)
    return words[1] == 'create' and not client.any()
  end,
  only = true,
  run = function(words)
    local books = require('inkwright.books')
    if words[1] == 'create' then
      books.create(words[2])
    elseif words[1] == 'set' then
      books.set(words[2] or '', rest(words, 3))
    else
      books.show()
    end
  end,
  complete = function(words)
    if #words == 0 then
      return { 'create', 'set', 'show' }
    elseif #words == 1 and words[1] == 'set' then
      return require('inkwright.books').FIELDS
    elseif #words == 1 and words[1] == 'create' then
      return profiles.ids('domain', true)
    end
    return {}
  end,
}

COMMANDS.chapter = {
  alone = true,
  run = function(words)
    require('inkwright.making').chapter(rest(words, 1))
  end,
}

COMMANDS.card = {
  run = function(words)
    local books = require('inkwright.books')
    local kind = words[1] and books.type_of(words[1])
    require('inkwright.making').card(kind, rest(words, kind and 2 or 1))
  end,
  complete = function(words)
    return #words == 0 and require('inkwright.books').type_words() or {}
  end,
}

COMMANDS.models = {
  any = any,
  only = true,
  run = function(words)
    local models = require('inkwright.models')
    if words[1] == 'key' and words[2] then
      models.key_for(words[2])
    elseif words[1] == 'forget' and words[2] then
      models.forget(words[2])
    else
      models.open()
    end
  end,
  complete = function(words)
    return #words == 0 and { 'forget', 'key' } or {}
  end,
}

for word, step in pairs({ next = 1, prev = -1, previous = -1 }) do
  COMMANDS[word] = {
    only = true,
    run = function()
      require('inkwright.jumping').jump(step)
    end,
  }
end

COMMANDS.inline = one_of({ 'off', 'on' }, function(way)
  require('inkwright.hunks').toggle(way)
end)
COMMANDS.inline.any = any

COMMANDS.prose = one_of({ 'off', 'on' }, function(way)
  require('inkwright.prose').toggle(way)
end)
COMMANDS.prose.alone = true

COMMANDS.live = {
  only = true,
  alone = true,
  run = function()
    require('inkwright.runs').show()
  end,
}

COMMANDS.new = {
  any = any,
  run = function(words)
    profiles.new(rest(words, 1))
  end,
}

COMMANDS.sample = {
  alone = true,
  run = function(words)
    require('inkwright.books').sample(rest(words, 1))
  end,
  complete = function(words)
    return #words == 0 and vim.fn.getcompletion('', 'dir') or {}
  end,
}

COMMANDS.messages = { only = true, alone = true, run = errors.open }

COMMANDS.restart = { only = true, alone = true, run = require('inkwright.server').restart }

COMMANDS.log = {
  only = true,
  alone = true,
  run = function()
    vim.cmd('split ' .. vim.fn.fnameescape(vim.lsp.log.get_filename()))
  end,
}

return COMMANDS
