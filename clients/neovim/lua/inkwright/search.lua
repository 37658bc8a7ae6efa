-- Words in the chapters, cards and memories of a book, as a quickfix list.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

---@param hit inkwright.Hit
---@param encoding string of the positions
local function item(hit, encoding)
  if not hit.uri then
    return { text = tr('search_memory') .. hit.text:gsub('%s+', ' '), valid = 0 }
  end
  local function column(place)
    return vim.str_byteindex(hit.text, encoding, place.character, false) + 1
  end
  return {
    filename = vim.uri_to_fname(hit.uri),
    lnum = hit.line + 1,
    col = column(hit.range.start),
    end_lnum = hit.line + 1,
    end_col = column(hit.range['end']),
    text = hit.text,
  }
end

--- Lists where words stand; asks for them if there are none.
---@param query? string
function M.open(query)
  local uri, server = client.here(), client.any()
  local function find(asked)
    if not asked or vim.trim(asked) == '' or not server then
      return
    end
    client.execute(protocol.COMMANDS.search, { uri = uri, query = asked }, function(found)
      if #found.hits == 0 then
        errors.say(tr('search_none', asked))
        return
      end
      local items = vim
        .iter(found.hits)
        :map(function(hit)
          return item(hit, server.offset_encoding)
        end)
        :totable()
      vim.fn.setqflist({}, ' ', { title = tr('search_title', asked, found.total), items = items })
      vim.cmd('botright copen')
      if not found.exact then
        errors.say(tr('search_near'))
      end
    end, { client = server })
  end
  if query and query ~= '' then
    find(query)
  else
    vim.ui.input({ prompt = tr('search_what') }, find)
  end
end

return M
