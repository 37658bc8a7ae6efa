-- The book and its cards, in a floating window or as new files.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local float = require('inkwright.float')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr
local sources = require('inkwright.sources')
local width = require('inkwright.width')

local function here()
  return { uri = client.here() }
end

--- The kind of a book that names none.
M.DEFAULT = 'novel'

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
      row('type', require('inkwright.profiles').domain(book.type ~= '' and book.type or M.DEFAULT)),
      row('chapters', #index.chapters),
      row('cards', #index.cards),
      row('counts', total),
      '',
    }
    if book.language ~= '' then
      table.insert(lines, 3, row('language', book.language))
    end
    for _, chapter in ipairs(index.chapters) do
      table.insert(lines, ('%s  %d'):format(chapter.title, chapter.counts.mixed))
    end
    for _, problem in ipairs(index.problems) do
      table.insert(lines, ('%s  %s:%d  %s'):format(names.problems, problem.path, problem.line + 1, problem.message))
    end
    float.open(tr('book_title', book.title), lines)
  end)
end

---@param kind? string of the book
function M.create(kind)
  local function make()
    local place = client.any() and here() or { uri = vim.uri_from_fname(vim.uv.cwd()) .. '/' }
    client.execute(protocol.COMMANDS.create_book, vim.tbl_extend('force', place, { type = kind }), function(book)
      errors.say(tr('book_made', vim.fn.fnamemodify(book.root or book.title, ':~')))
    end)
  end
  -- An empty folder becomes a book before there is a chapter.
  require('inkwright.server').without_a_file(vim.uv.cwd(), make, 'book create')
end

--- Puts the sample book into an empty folder and opens its first chapter. Asks for the folder if there is none, and
--- starts the server if it does not run: a new writer has no chapter yet.
---@param folder? string
function M.sample(folder)
  if not folder or folder == '' then
    vim.ui.input({ prompt = tr('sample_where'), default = vim.uv.cwd() .. '/', completion = 'dir' }, function(given)
      if given and given ~= '' then
        M.sample(given)
      end
    end)
    return
  end
  folder = vim.fs.abspath(vim.fs.normalize(folder))
  local uri = vim.uri_from_fname(folder)
  local function put()
    client.execute(
      protocol.COMMANDS.create_book,
      { uri = uri, sample = true, language = tr('sample_language') },
      function()
        client.execute(protocol.COMMANDS.get_book, { uri = uri }, function(index)
          require('inkwright.pages').go(vim.fs.joinpath(index.book.root, index.chapters[1].path))
          errors.say(tr('sample_made', vim.fn.fnamemodify(folder, ':~')))
        end)
      end
    )
  end
  errors.say(tr('sample_making'))
  require('inkwright.server').without_a_file(folder, put, 'sample')
end

M.FIELDS = { 'title', 'author', 'language', 'type', 'count', 'model' }

--- Changes a field of the book; asks for the value with what it is now.
---@param field string
---@param value? string
function M.set(field, value)
  if not vim.list_contains(M.FIELDS, field) then
    errors.fail(tr('book_field', table.concat(M.FIELDS, ' ')))
    return
  end
  local function keep(given, revision)
    local argument = vim.tbl_extend('force', here(), { [field] = given, revision = revision })
    client.execute(protocol.COMMANDS.update_book, argument, function()
      errors.say(tr('book_changed', field, given))
    end)
  end
  if value and value ~= '' then
    keep(value)
    return
  end
  client.execute(protocol.COMMANDS.get_book, here(), function(index)
    local now = tostring(index.book[field] or '')
    vim.ui.input({ prompt = field .. ': ', default = now }, function(given)
      if given and given ~= now then
        keep(given, index.revision)
      end
    end)
  end)
end

local function go(path)
  require('inkwright.pages').go(path)
end

--- The chapters in reading order; one that is chosen is opened.
function M.chapters()
  lists.open(tr('chapters_title'), 'chapter', function(show)
    client.execute(protocol.COMMANDS.get_book, here(), function(index)
      if #index.chapters == 0 then
        errors.say(tr('chapters_none'))
        return
      end
      show(vim.tbl_map(function(chapter)
        local count = chapter.counts[index.book.count] or chapter.counts.mixed
        local status = chapter.status and chapter.status ~= '' and ('  [%s]'):format(chapter.status) or ''
        return {
          label = ('%s  %d%s'):format(width.fit(chapter.title, math.max(vim.o.columns - 32, 20)), count, status),
          run = function()
            go(vim.fs.joinpath(index.book.root, chapter.path))
          end,
        }
      end, index.chapters))
    end)
  end)
end

--- The cards; one that is chosen is opened.
function M.cards()
  lists.open(tr('book_lines').cards, 'card', function(show)
    client.execute(protocol.COMMANDS.list_cards, here(), function(cards)
      local rows = vim.tbl_map(function(card)
        local aliases = #card.aliases > 0 and ' (' .. table.concat(card.aliases, ', ') .. ')' or ''
        return {
          label = ('%s%s  %s  %s'):format(
            card.name,
            aliases,
            M.type_name(card.type),
            tr('card_mentions', card.mentions or 0)
          ),
          run = function()
            go(vim.uri_to_fname(card.uri))
          end,
        }
      end, cards)
      table.insert(rows, {
        label = tr('card_new'),
        run = function()
          require('inkwright.making').card()
        end,
      })
      show(rows)
    end)
  end)
end

--- What the book sets up, and what has come of it: the chapter that each thread is in last is in the quickfix list.
function M.threads()
  client.execute(protocol.COMMANDS.threads, here(), function(found)
    if #found.threads == 0 then
      errors.say(tr('threads_none'))
      return
    end
    client.execute(protocol.COMMANDS.get_book, here(), function(index)
      local states, items = tr('thread_states'), {}
      for _, thread in ipairs(found.threads) do
        local places = vim.list_extend(vim.list_extend(vim.list_slice(thread.planted), thread.progress), thread.paid)
        local path = places[#places] or thread.due
        local due = thread.dueSaid and thread.dueSaid ~= '' and tr('thread_due', thread.dueSaid) or ''
        table.insert(items, {
          filename = path and vim.fs.joinpath(index.book.root, path),
          lnum = 1,
          valid = path and 1 or 0,
          text = ('%s  %s%s'):format(thread.name, states[thread.state] or thread.state, due),
        })
      end
      vim.fn.setqflist({}, ' ', { title = tr('threads_title'), items = items })
      vim.cmd('botright copen')
    end)
  end)
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
    elseif not summary then
      table.insert(lines, 1, tr('summary_none'))
    end
    float.open(found.path, lines)
  end)
end

M.TYPES = { 'character', 'location', 'timeline', 'faction', 'item', 'misc' }

--- What a type of cards is called; another word is kept as it is written.
---@param kind string
---@return string
function M.type_name(kind)
  return tr('card_types')[kind] or kind
end

--- The type of cards that a word names, in whatever language; nil where it names none.
---@param word string
---@return string?
function M.type_of(word)
  local called = require('inkwright.texts.zh').card_types
  for _, kind in ipairs(M.TYPES) do
    if word == kind or word == called[kind] then
      return kind
    end
  end
end

--- The words that name a type of cards, those of the writer's language first.
---@return string[]
function M.type_words()
  local called, words = tr('card_types'), {}
  for _, kind in ipairs(M.TYPES) do
    table.insert(words, called[kind])
  end
  return vim.list_extend(words, M.TYPES)
end

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
    local lines = { ('%s %d  %s %s'):format(names.counts, stats.book[rule], names.today, against) }
    if goal == 0 then
      table.insert(lines, tr('goals_how'))
    end
    table.insert(lines, '')
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
  local source = sources.of()
  client.execute(protocol.COMMANDS.report, here(), function(result)
    require('inkwright.pages').read(result.uri, source)
  end, { limit = 300000 })
end

return M
