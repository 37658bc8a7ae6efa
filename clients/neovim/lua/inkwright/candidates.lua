-- Cards and facts that a run found: looked at, accepted into files, or rejected.
local M = {}

local client = require('inkwright.client')
local errors = require('inkwright.errors')
local float = require('inkwright.float')
local lists = require('inkwright.lists')
local protocol = require('inkwright.protocol')
local tr = require('inkwright.i18n').tr

--- Files in the quickfix list, for `:copen` and `:cfirst`.
---@param title string
---@param files string[]
function M.to_quickfix(title, files)
  local items = vim
    .iter(files)
    :map(function(file)
      return { filename = file, lnum = 1, text = vim.fs.basename(file) }
    end)
    :totable()
  vim.fn.setqflist({}, ' ', { title = title, items = items })
end

local function accept(uri, ids, again)
  client.execute(protocol.COMMANDS.accept_candidates, { uri = uri, ids = ids }, function(done)
    local accepted = vim
      .iter(done)
      :filter(function(one)
        return one.state == 'accepted' and type(one.uri) == 'string'
      end)
      :totable()
    local seen, files = {}, {}
    for _, one in ipairs(accepted) do
      if not seen[one.uri] then
        seen[one.uri] = true
        table.insert(files, vim.uri_to_fname(one.uri))
      end
    end
    M.to_quickfix(tr('candidates_title'), files)
    errors.say(tr('candidates_accepted', #accepted))
    again()
  end)
end

local function reject(uri, ids, again)
  client.execute(protocol.COMMANDS.reject_candidates, { uri = uri, ids = ids }, function(done)
    errors.say(tr('candidates_rejected', #done))
    again()
  end)
end

--- What kind of thing waits, as the writer calls it.
---@param one inkwright.Candidate
local function kind(one)
  return one.kind == 'fact' and tr('candidate_fact') or require('inkwright.books').type_name(one.type)
end

--- Of a fact the quotation in its chapter, of a card what it would be.
---@param one inkwright.Candidate
local function preview(one)
  if one.kind == 'fact' then
    local server = client.any()
    if server then
      local place = { uri = one.uri, range = one.range }
      vim.lsp.util.show_document(place, server.offset_encoding, { focus = true })
    end
    return
  end
  local lines = { kind(one) .. (#one.tags > 0 and ' · ' .. table.concat(one.tags, ' · ') or ''), '' }
  vim.list_extend(lines, vim.split(one.content, '\r?\n'))
  if one.quote ~= '' then
    table.insert(lines, '')
    for _, line in ipairs(vim.split(one.quote, '\r?\n')) do
      table.insert(lines, '> ' .. line)
    end
  end
  vim.list_extend(lines, { '', one.chapter, one.source })
  float.open(one.title, lines)
end

---@param uri string
---@param one inkwright.Candidate
---@return inkwright.Act[]
local function acts(uri, one)
  return {
    {
      label = tr('candidate_look'),
      run = function()
        preview(one)
      end,
    },
    {
      label = tr('candidate_accept'),
      run = function(again)
        accept(uri, { one.id }, again)
      end,
    },
    {
      label = tr('candidate_reject'),
      run = function(again)
        reject(uri, { one.id }, again)
      end,
    },
  }
end

---@param one inkwright.Candidate
---@return string
local function label(one)
  local text = one.content ~= '' and one.content or one.quote
  local said = ('%s (%s)  %s'):format(one.title, kind(one), lists.short(text, 40))
  if type(one.against) == 'string' then
    said = said .. '  ' .. tr('candidate_against', lists.short(one.against, 30))
  end
  return said
end

function M.open()
  local uri = client.here()
  lists.open(tr('candidates_title'), 'candidate', function(show)
    client.execute(protocol.COMMANDS.list_candidates, { uri = uri }, function(all)
      if #all == 0 then
        errors.say(tr('candidates_none'))
        return
      end
      local rows, ids, sound = {}, {}, {}
      for _, one in ipairs(all) do
        table.insert(ids, one.id)
        -- What its card contradicts is taken by itself alone.
        if type(one.against) ~= 'string' then
          table.insert(sound, one.id)
        end
        table.insert(rows, {
          label = label(one),
          acts = acts(uri, one),
        })
      end
      local both = { { 'candidates_accept_all', accept, sound }, { 'candidates_reject_all', reject, ids } }
      for _, each in ipairs(both) do
        table.insert(rows, {
          label = tr(each[1], #each[3]),
          run = function(again)
            each[2](uri, each[3], again)
          end,
        })
      end
      show(rows)
    end)
  end)
end

return M
