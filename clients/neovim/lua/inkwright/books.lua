-- The book and its cards, in a floating window or as new files.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local float = require('inkwright.float')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

local function here()
  return { uri = client.here() }
end

function M.show()
  client.execute(protocol.COMMANDS.get_book, here(), function(index)
    local names, book = tr('book_lines'), index.book
    local function row(name, value)
      return ('%s  %s'):format(names[name], value)
    end
    local total = 0
    for _, chapter in ipairs(index.chapters) do
      total = total + chapter.counts.mixed
    end
    local lines = {
      row('root', book.root),
      row('type', book.type),
      row('language', book.language),
      row('chapters', #index.chapters),
      row('cards', #index.cards),
      row('counts', total),
      '',
    }
    for _, chapter in ipairs(index.chapters) do
      table.insert(lines, ('%s  %d'):format(chapter.title, chapter.counts.mixed))
    end
    for _, problem in ipairs(index.problems) do
      table.insert(lines, ('%s  %s:%d  %s'):format(names.problems, problem.path, problem.line + 1, problem.message))
    end
    float.open(tr('book_title', book.title), lines)
  end)
end

function M.create()
  client.execute(protocol.COMMANDS.create_book, here(), function(book)
    errors.say(tr('book_made', book.root or book.title))
  end)
end

function M.cards()
  client.execute(protocol.COMMANDS.list_cards, here(), function(cards)
    local lines = {}
    for _, card in ipairs(cards) do
      local aliases = #card.aliases > 0 and ' (' .. table.concat(card.aliases, ', ') .. ')' or ''
      table.insert(lines, ('%s%s  %s  %d'):format(card.name, aliases, card.type, card.mentions or 0))
    end
    float.open(tr('book_lines').cards, #lines > 0 and lines or { '–' })
  end)
end

--- Makes a card and opens it; asks for what is not given.
---@param kind? string
---@param name? string
function M.card(kind, name)
  local function make(chosen, called)
    local argument = vim.tbl_extend('force', here(), { name = called, type = chosen })
    client.execute(protocol.COMMANDS.create_card, argument, function(result)
      vim.cmd.split(vim.fn.fnameescape(vim.uri_to_fname(result.uri)))
      errors.say(tr('card_made', called))
    end)
  end
  local function ask(chosen)
    if not chosen then
      return
    end
    if name and name ~= '' then
      make(chosen, name)
      return
    end
    vim.ui.input({ prompt = tr('card_name') }, function(called)
      if called and called ~= '' then
        make(chosen, called)
      end
    end)
  end
  if kind then
    ask(kind)
  else
    vim.ui.select(M.TYPES, { prompt = tr('card_type') }, ask)
  end
end

--- The chapter's summary, and the author's own.
function M.summary()
  client.execute(protocol.COMMANDS.get_summary, here(), function(found)
    local summary, lines = found.summary, {}
    if summary then
      local stale = summary.stale and tr('summary_stale') or ''
      vim.list_extend(lines, { (summary.model or tr('summary_by_rules')) .. stale, '' })
      vim.list_extend(lines, vim.split(summary.text, '\r?\n'))
    end
    if found.synopsis ~= '' then
      vim.list_extend(lines, { '', tr('summary_synopsis') })
      vim.list_extend(lines, vim.split(found.synopsis, '\r?\n'))
    end
    if #lines == 0 then
      errors.say(tr('summary_none'))
      return
    end
    float.open(found.path, lines)
  end)
end

M.TYPES = { 'character', 'location', 'timeline', 'faction', 'item', 'misc' }

function M.stats()
  client.execute(protocol.COMMANDS.stats, here(), function(stats)
    local rule, names = stats.rule, tr('book_lines')
    local lines = { ('%s %d  %s %d'):format(names.counts, stats.book[rule], names.today, stats.today[rule]), '' }
    for _, chapter in ipairs(stats.chapters) do
      local today = chapter.today[rule]
      table.insert(lines, ('%s  %d%s'):format(chapter.title, chapter.counts[rule], today > 0 and '  +' .. today or ''))
    end
    float.open(names.counts, lines)
  end)
end

local DAYS, WIDTH = 60, 24

--- What was written on each day, with a bar for each and the day's goal where the options have one.
function M.goals()
  local argument = vim.tbl_extend('force', here(), { brief = true, days = DAYS })
  client.execute(protocol.COMMANDS.stats, argument, function(stats)
    local rule, names, goal = stats.rule, tr('book_lines'), require('inkwright.config').get().goal
    local today = stats.today[rule]
    local most = math.max(1, goal)
    for _, day in ipairs(stats.history) do
      most = math.max(most, day.counts[rule])
    end
    local against = goal > 0 and ('%d/%d'):format(today, goal) or tostring(today)
    local lines = { ('%s %d  %s %s'):format(names.counts, stats.book[rule], names.today, against), '' }
    for i = #stats.history, 1, -1 do
      local day = stats.history[i]
      local count = day.counts[rule]
      local bar = ('█'):rep(math.floor(WIDTH * math.max(0, count) / most + 0.5))
      table.insert(lines, ('%s  %7d %s %s'):format(day.day, count, goal > 0 and count >= goal and '✓' or ' ', bar))
    end
    float.open(tr('goals_title'), lines)
  end)
end

--- The page about the whole book, read only, in a window of its own.
function M.report()
  client.execute(protocol.COMMANDS.report, here(), function(result)
    vim.cmd('vertical sview ' .. vim.fn.fnameescape(vim.uri_to_fname(result.uri)))
    vim.bo.modifiable = false
  end)
end

return M
