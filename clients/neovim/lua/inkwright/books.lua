-- The book and its cards, in a floating window or as new files.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

--- Lines in a window over the text; `q` closes it.
local function float(title, lines)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, lines)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].modifiable = false
  local width = 30
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  width = math.min(width + 1, math.max(vim.o.columns - 4, 1))
  local height = math.min(#lines, math.max(vim.o.lines - 6, 1))
  local win = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor',
    style = 'minimal',
    border = 'rounded',
    title = ' ' .. title .. ' ',
    width = width,
    height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
  })
  vim.wo[win].wrap = true
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, nowait = true })
  vim.keymap.set('n', '<Esc>', '<Cmd>close<CR>', { buffer = buffer, nowait = true })
  return buffer
end

local function here()
  return { uri = client.uri(vim.api.nvim_get_current_buf()) }
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
    float(tr('book_title', book.title), lines)
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
    float(tr('book_lines').cards, #lines > 0 and lines or { '–' })
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

M.TYPES = { 'character', 'location', 'timeline', 'faction', 'item', 'misc' }

function M.stats()
  client.execute(protocol.COMMANDS.stats, here(), function(stats)
    local rule, names = stats.rule, tr('book_lines')
    local lines = { ('%s %d  %s %d'):format(names.counts, stats.book[rule], names.today, stats.today[rule]), '' }
    for _, chapter in ipairs(stats.chapters) do
      local today = chapter.today[rule]
      table.insert(lines, ('%s  %d%s'):format(chapter.title, chapter.counts[rule], today > 0 and '  +' .. today or ''))
    end
    float(names.counts, lines)
  end)
end

--- The page that says what the model saw, or would see.
---@param wish table
function M.context(wish)
  client.execute(protocol.COMMANDS.show_context, wish, function(result)
    local file = vim.uri_to_fname(result.uri)
    vim.cmd('vertical sview ' .. vim.fn.fnameescape(file))
    vim.bo.modifiable = false
    errors.say(tr('context_opened'))
  end)
end

--- Earlier runs; the chosen one's context page is opened.
function M.runs()
  client.execute(protocol.COMMANDS.list_runs, here(), function(page)
    local runs = page.runs
    vim.ui.select(runs, {
      prompt = tr('choose_run'),
      format_item = function(run)
        return ('%s  %s  %s'):format(run.ability, run.status, run.requestId)
      end,
    }, function(run)
      if run then
        M.context({ requestId = run.requestId })
      end
    end)
  end)
end

return M
