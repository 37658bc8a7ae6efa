-- New chapters and cards, as files that are opened for writing.
local M = {}

local books = require('inkwright.books')
local client = require('inkwright.client')
local errors = require('inkwright.errors')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

--- Makes a chapter behind the last one and opens it; asks for a title that is not given, with the next number.
---@param title? string
function M.chapter(title)
  local function place()
    return client.any() and { uri = client.here() } or { uri = vim.uri_from_fname(vim.uv.cwd()) .. '/' }
  end
  local function make(given)
    if given and vim.trim(given) ~= '' then
      client.execute(
        protocol.COMMANDS.create_chapter,
        vim.tbl_extend('force', place(), { title = given }),
        function(result)
          require('inkwright.pages').go_on(result.uri)
          errors.say(tr('chapter_made', vim.fs.basename(vim.uri_to_fname(result.uri))))
        end
      )
    end
  end
  local function ask()
    if title and title ~= '' then
      make(title)
      return
    end
    client.execute(protocol.COMMANDS.get_book, place(), function(index)
      vim.ui.input({ prompt = tr('chapter_title'), default = index.next }, make)
    end)
  end
  -- The first chapter of a book: no text is open that would have started a server.
  require('inkwright.server').without_a_file(vim.uv.cwd(), ask, 'chapter')
end

--- Makes a card and opens it; asks for what is not given.
---@param kind? string
---@param name? string
function M.card(kind, name)
  local function make(chosen, called)
    local argument = vim.tbl_extend('force', { uri = client.here() }, { name = called, type = chosen })
    client.execute(protocol.COMMANDS.create_card, argument, function(result)
      require('inkwright.pages').edit(result.uri)
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
    local options = { prompt = tr('card_type'), kind = 'inkwright.card_type', format_item = books.type_name }
    vim.ui.select(books.TYPES, options, ask)
  end
end

return M
