-- Cards that a run would like to make: looked at, accepted into files, or rejected.
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
  local items = vim.iter(files)
    :map(function(file)
      return { filename = file, lnum = 1, text = vim.fs.basename(file) }
    end)
    :totable()
  vim.fn.setqflist({}, ' ', { title = title, items = items })
end

local function accept(uri, ids, again)
  client.execute(protocol.COMMANDS.accept_candidates, { uri = uri, ids = ids }, function(done)
    local files = vim.iter(done)
      :map(function(one)
        return vim.uri_to_fname(one.uri)
      end)
      :totable()
    M.to_quickfix(tr('candidates_title'), files)
    errors.say(tr('cards_made', #files))
    again()
  end)
end

local function reject(uri, ids, again)
  client.execute(protocol.COMMANDS.reject_candidates, { uri = uri, ids = ids }, function(done)
    errors.say(tr('candidates_rejected', #done))
    again()
  end)
end

---@param one inkwright.Candidate
local function preview(one)
  local lines = { one.type .. (#one.tags > 0 and ' · ' .. table.concat(one.tags, ' · ') or ''), '' }
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

function M.open()
  local uri = client.here()
  lists.open(tr('candidates_title'), function(show)
    client.execute(protocol.COMMANDS.list_candidates, { uri = uri }, function(all)
      if #all == 0 then
        errors.say(tr('candidates_none'))
        return
      end
      local rows, ids = {}, {}
      for _, one in ipairs(all) do
        table.insert(ids, one.id)
        local text = one.content ~= '' and one.content or one.quote
        table.insert(rows, {
          label = ('%s (%s)  %s'):format(one.title, one.type, lists.short(text, 40)),
          acts = acts(uri, one),
        })
      end
      for _, both in ipairs({ { 'candidates_accept_all', accept }, { 'candidates_reject_all', reject } }) do
        table.insert(rows, {
          label = tr(both[1], #all),
          run = function(again)
            both[2](uri, ids, again)
          end,
        })
      end
      show(rows)
    end)
  end)
end

return M
